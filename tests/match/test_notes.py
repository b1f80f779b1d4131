"""The notes of a record are checked like its cards."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbosim.core.errors import UserError
from arbosim.core.registry import game
from arbosim.match.replay import replay_record
from arbosim.match.single import play


@pytest.fixture(scope="module")
def whole() -> str:
    """A game that was played to its end."""
    return json.dumps(play(["random", "greedy"], seed=1).record())


def broken_off(whole: str, actions: int) -> dict[str, Any]:
    """Give the beginning of the game; seat 1 is to decide after 5 actions, in turn 2."""
    record: dict[str, Any] = json.loads(whole)
    del record["actions"][actions:]
    return record


def test_a_forfeit_ends_the_game_of_the_record(whole: str) -> None:
    record = broken_off(whole, 5)
    record["forfeit"] = {"seat": 1, "turn": 2, "reason": "no idea"}
    position = replay_record(game(), record)
    assert (position.finished, position.turn, position.legal_actions) == (True, 2, [])
    assert position.forfeited == (1, 2, "no idea")
    score = position.score()
    assert (score.winners, score.totals) == ((0,), (None, None))
    assert position.copy().score() == score
    del record["forfeit"]["turn"]
    assert replay_record(game(), record).forfeited == (1, 2, "no idea")


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("seed", True, "seed: give a whole number or a text, not True"),
        ("seed", None, "seed: give a whole number or a text"),
        ("seed", 1.5, "seed: give a whole number or a text"),
        ("seed", -1, "a seed is a text or a whole number from 0"),
        ("seed", 2**64, "a seed is a text or a whole number from 0"),
        ("deal", -1, "deal: give a whole number, 0 to"),
        ("deal", "3", "deal: give a whole number"),
        ("deal", True, "deal: give a whole number"),
        ("deal", 2**63, "deal: give a whole number"),
        ("strategies", "random", "strategies: give the 2 strategies by seat"),
        ("strategies", ["random"], "strategies: give the 2 strategies by seat"),
        ("strategies", ["random", 2], "strategies: give the 2 strategies by seat"),
        ("strategy", ["random", "greedy"], "unknown key 'strategy'; did you mean 'strategies'"),
        ("forfeit", None, "forfeit: give an object such as"),
        ("forfeit", [1, "no idea"], "forfeit: give an object such as"),
        ("forfeit", {"seat": 1}, "forfeit: missing: reason"),
        ("forfeit", {"seat": 2, "reason": ""}, r"forfeit\.seat: give a whole number, 0 to 1, not 2"),
        ("forfeit", {"seat": True, "reason": ""}, r"forfeit\.seat: give a whole number"),
        ("forfeit", {"seat": 1, "reason": 5}, r"forfeit\.reason: give a text"),
        ("forfeit", {"seat": 1, "reason": "", "turn": 0}, r"forfeit\.turn: give a whole number, 1 to"),
        (
            "forfeit",
            {"seat": 1, "reason": "", "turns": 2},
            "unknown key 'turns' in forfeit; did you mean 'turn'",
        ),
        ("forfeit", {"seat": 1, "reason": "", "turn": 3}, "forfeit: the actions end in turn 2, not 3"),
        ("forfeit", {"seat": 0, "reason": ""}, "forfeit: seat 0 cannot forfeit, as seat 1 is to decide"),
    ],
)
def test_notes_that_cannot_be_are_refused(whole: str, key: str, value: object, reason: str) -> None:
    record = broken_off(whole, 5)
    record[key] = value
    with pytest.raises(UserError, match=reason):
        replay_record(game(), record)


def test_nobody_forfeits_a_game_that_was_played_to_its_end(whole: str) -> None:
    record = json.loads(whole) | {"forfeit": {"seat": 0, "reason": "too late"}}
    with pytest.raises(UserError, match="to its end, so that nobody forfeits it"):
        replay_record(game(), record)


def test_notes_may_be_missing(whole: str) -> None:
    record = json.loads(whole)
    for key in ("seed", "deal", "strategies"):
        del record[key]
    assert replay_record(game(), record).finished
