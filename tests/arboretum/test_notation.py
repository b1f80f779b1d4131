"""Positions and records as JSON: round trips, and every refusal in words."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbosim.core.errors import UserError
from arbosim.games.arboretum.cards import LETTERS
from arbosim.games.arboretum.notation import (
    RefusedActionError,
    position_object,
    read_position,
    read_record,
    record_object,
    replay,
    replay_object,
    score_object,
)
from arbosim.games.arboretum.position import Position
from tests.arboretum.judges import rules

pytestmark = pytest.mark.jitoff

TABLE: dict[str, Any] = {
    "players": 2,
    "rules": {},
    "arboretums": [[["J4", 0, 0], ["L5", 0, 1]], []],
    "hands": [["J1"], ["J8", "L2"]],
    "discards": [[], ["C1"]],
    "deck": 20,
}


def changed(path: list[Any], value: object) -> dict[str, Any]:
    """Give the table with one entry replaced."""
    table = copy.deepcopy(TABLE)
    inner: Any = table
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return table


def some_game(players: int, seed: int, steps: int | None = None, **changes: Any) -> Position:
    """Play a game, or its beginning, by chance."""
    position = Position.deal(players, rules(**changes), seed)
    chance = random.Random(seed)
    while not position.finished and (steps is None or len(position.actions) < steps):
        position.play(chance.choice(position.legal_actions))
    return position


def record(players: int = 2, seed: int = 1, steps: int | None = None) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(record_object(some_game(players, seed, steps))))
    return made


def test_the_example_is_scored_as_it_says() -> None:
    score = score_object(read_position(TABLE))
    first, second = score["players"]
    assert (first["total"], first["kinds"]) == (0, 2)
    assert first["open_cells"] == [[0, 2], [-1, 1], [1, 1], [-1, 0], [1, 0], [0, -1]]
    assert first["species"]["J"] == {"hand": 1, "right": True, "points": 0, "scored": 0, "path": []}
    assert second["species"]["J"]["hand"] == 0
    assert list(first["species"]) == list("CDJLGM")
    assert score["winners"] == [0]
    assert score["sources"] == ["deck", 1]


def test_rules_discards_and_deck_may_be_missing() -> None:
    table = {key: TABLE[key] for key in ("players", "arboretums", "hands")}
    score = score_object(read_position(table))
    assert score["sources"] == []


def test_the_order_and_the_place_of_an_arboretum_mean_nothing() -> None:
    cards: list[list[Any]] = [
        ["C1", 0, 0],
        ["D2", 1, 0],
        ["C3", 2, 0],
        ["C4", 2, 1],
        ["D5", 2, 2],
        ["C8", 3, 2],
    ]
    expected = score_object(read_position(changed(["arboretums", 0], cards) | {"discards": [[], []]}))
    chance = random.Random(1)
    for _ in range(20):
        chance.shuffle(cards)
        dx, dy = chance.randint(-999_000, 999_000), chance.randint(-999_000, 999_000)
        moved = [[card, x + dx, y + dy] for card, x, y in cards]
        score = score_object(read_position(changed(["arboretums", 0], moved) | {"discards": [[], []]}))
        for entry in score["players"][0]["species"].values():
            entry["path"] = [[x - dx, y - dy] for x, y in entry["path"]]
        score["players"][0]["open_cells"] = [[x - dx, y - dy] for x, y in score["players"][0]["open_cells"]]
        assert score == expected


@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_sixty_cards_in_one_line(dx: int, dy: int) -> None:
    line = [[f"{LETTERS[i // 10]}{i % 10 + 1}", 7 + dx * i, -3 + dy * i] for i in range(60)]
    table = {
        "players": 2,
        "rules": {"species": 12, "values": 10},
        "arboretums": [line, []],
        "hands": [[], []],
    }
    assert score_object(read_position(table))["players"][0]["total"] == 6 * 23
    line.append(["A1", 7 + dx * 60, -3 + dy * 60])
    with pytest.raises(UserError, match="61 cards; an arboretum has at most 60"):
        read_position(table)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (["hands", 0], ["J4"], r"hands\[0\]\[0\]: J4 lies in arboretums\[0\]\[0\] as well"),
        (["hands", 0], ["J1", "J1"], "J1 lies in"),
        (["discards", 1], ["J8"], "J8 lies in"),
        (["arboretums", 0, 1], ["L5", 0, 0], r"J4 and L5 both lie on \(0, 0\)"),
        (["arboretums", 0, 1], ["L5", 1, 1], "the arboretum falls apart"),
        (["arboretums", 0, 1], ["L5", 3, 0], "the arboretum falls apart"),
        (["arboretums", 0, 1], ["X5", 0, 1], "unknown species 'X'"),
        (["arboretums", 0, 1], ["O5", 0, 1], "O5 is not in this game: its species are C D J L G M"),
        (["arboretums", 0, 1], ["L9", 0, 1], "its values 1 to 8"),
        (["arboretums", 0, 1], ["L5", 0], r'a card lies as \["J4", x, y\]'),
        (["arboretums", 0, 1], ["L5", 0, 1, 2], "a card lies as"),
        (["arboretums", 0, 1], {"card": "L5"}, "a card lies as"),
        (["arboretums", 0, 1], "L5", "a card lies as"),
        (["arboretums", 0, 1], ["L5", 0, 1.0], "give a whole number"),
        (["arboretums", 0, 1], ["L5", 0, True], "give a whole number"),
        (["arboretums", 0, 1], ["L5", 0, "1"], "give a whole number"),
        (["arboretums", 0, 1], ["L5", 0, None], "give a whole number"),
        (["arboretums", 0, 1], ["L5", 0, 10**400], "give a whole number"),
        (["arboretums", 0, 1], [5, 0, 1], "a card is text"),
        (["arboretums"], [[]], "1 lists for 2 players"),
        (["arboretums"], {}, "give a list"),
        (["arboretums", 1], None, r"arboretums\[1\]: give a list"),
        (["hands"], [["J1"], ["J8"], []], "3 lists for 2 players"),
        (["hands", 0], "J1", "give a list"),
        (["hands", 0], [None], "a card is text"),
        (
            ["hands", 0],
            ["C2", "C3", "C4", "C5", "C6", "C7", "C8", "D1", "D2", "D3"],
            "nobody ever holds more than 9",
        ),
        (["deck"], -1, "deck: give a whole number"),
        (["deck"], True, "deck: give a whole number"),
        (["deck"], 20.0, "deck: give a whole number"),
        (["deck"], None, "deck: give a whole number"),
        (["deck"], 43, "deck: 43 cards, but only 42"),
        (["deck"], 10**300, "deck: give a whole number"),
        (["players"], 3, "2 lists for 3 players"),
        (["players"], 5, "2 to 4 players"),
        (["players"], True, "2 to 4 players"),
        (["players"], 2.0, "2 to 4 players"),
        (["players"], float("inf"), "2 to 4 players"),
        (["players"], [], "2 to 4 players"),
        (["rules"], [], "rules: give an object"),
        (["rules"], {"hand_siz": 6}, "did you mean 'hand_size'"),
        (["rules"], {"hand_size": "6"}, "hand_size is '6'"),
        (["rules"], {"hand_size": 24}, r"hand_size is 24; accepted: 1\.\.12"),
        (["rules"], {"species": 1, "values": 2}, "no card in the deck"),
        (["game"], "planted", "is not 'arboretum'"),
        (["game"], ["arboretum"], "is not 'arboretum'"),
        (["hand"], [], "unknown key 'hand'; did you mean 'hands'"),
    ],
)
def test_a_table_that_cannot_be_is_refused(path: list[Any], value: object, reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        read_position(changed(path, value))


@pytest.mark.parametrize("given", [None, [], "x", 1, True, 1.5])
def test_what_is_no_object_is_refused(given: object) -> None:
    with pytest.raises(UserError, match="give one JSON object"):
        read_position(given)
    with pytest.raises(UserError, match="give one JSON object"):
        replay(given)


@pytest.mark.parametrize("key", ["players", "arboretums", "hands"])
def test_what_is_missing_is_named(key: str) -> None:
    table = {k: v for k, v in TABLE.items() if k != key}
    with pytest.raises(UserError, match=f"missing: {key}"):
        read_position(table)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["J4", "L5", "C1", "draw"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from([*TABLE, "game", "actions"]), json_values), st.booleans())
@settings(max_examples=150, deadline=None)
def test_nonsense_is_always_a_user_error(change: dict[str, object], as_record: bool) -> None:
    given_object = (record(steps=0) if as_record else copy.deepcopy(TABLE)) | change
    try:
        (replay if as_record else read_position)(given_object)
    except UserError as error:
        assert str(error)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("steps", [0, 1, 25, None])
def test_records_round_trip(players: int, steps: int | None) -> None:
    position = some_game(players, 3, steps)
    text = json.dumps(record_object(position))
    again = replay(json.loads(text))
    assert json.dumps(record_object(again)) == text
    assert replay_object(again) == replay_object(position)
    assert (again.turn, again.finished) == (position.turn, position.finished)


@pytest.mark.parametrize("steps", [0, 30, None])
def test_positions_round_trip(steps: int | None) -> None:
    position = some_game(3, 5, steps, values=10, draws=3, discard_memory="top_only")
    described = json.loads(json.dumps(position_object(position)))
    again = read_position(described)
    assert again.arboretums == position.arboretums
    described.pop("arboretums")
    assert position_object(again) | described == position_object(again)
    assert score_object(again) == score_object(position)


def test_the_first_card_of_a_record_may_lie_anywhere() -> None:
    there = record(seed=2)
    for action in there["actions"]:
        if action[0] == "play":
            action[2] += 100_000
            action[3] -= 7
    score, moved = replay_object(replay(record(seed=2))), replay_object(replay(there))
    for player in moved["players"]:
        player["open_cells"] = [[x - 100_000, y + 7] for x, y in player["open_cells"]]
        for entry in player["species"].values():
            entry["path"] = [[x - 100_000, y + 7] for x, y in entry["path"]]
    assert moved == score


@pytest.mark.parametrize(
    ("index", "action", "reason"),
    [
        (0, ["draw", 0], "the discard pile of seat 0 is empty"),
        (0, ["draw", 2], "there is no source 2"),
        (0, ["draw", True], "is no action"),
        (0, ["draw", "Deck"], "is no action"),
        (0, ["draw", 1.0], "is no action"),
        (0, "draw", "is no list"),
        (0, None, "is no list"),
        (0, [], "is no action"),
        (0, [["draw"]], "is no action"),
        (0, ["discard", "C1"], "asked for a draw, not for a discard"),
        (2, ["play", "X1", 0, 0], "unknown species"),
        (2, ["play", "C1"], "is no action"),
        (2, ["play", "C1", 0, 10**30], "give a whole number"),
        (2, ["play", "C1", True, 0], "is no action"),
        (2, ["draw", "deck"], "asked for a play, not for a draw"),
        (3, ["play", "C1", 0, 1], "asked for a discard, not for a play"),
        (3, ["discard", "B10"], "does not hold B10"),
        (3, ["discard", 5], "a card is text"),
    ],
)
def test_an_illegal_action_is_told_by_its_index(index: int, action: object, reason: str) -> None:
    broken = record()
    broken["actions"][index] = action
    with pytest.raises(RefusedActionError, match=reason) as caught:
        replay(broken)
    assert caught.value.action == index


def test_an_action_after_the_end_is_illegal() -> None:
    finished = record()
    finished["actions"].append(["draw", 0])
    with pytest.raises(RefusedActionError, match="the game is over") as caught:
        replay(finished)
    assert caught.value.action == len(finished["actions"]) - 1


def test_the_card_just_played_is_not_discarded_again() -> None:
    broken = record()
    broken["actions"][3] = ["discard", broken["actions"][2][1]]
    with pytest.raises(RefusedActionError, match="does not hold"):
        replay(broken)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda r: r["deck"].pop(), "the cards are not the rule set's: .* missing"),
        (lambda r: r["deck"].append(r["deck"][0]), "lies in deck"),
        (lambda r: r["deck"].append("O1"), "O1 is not in this game"),
        (lambda r: r["hands"][0].append(r["deck"].pop()), r"hands\[0\]: 8 cards, but the rules deal 7"),
        (lambda r: r["hands"].pop(), "1 lists for 2 players"),
        (lambda r: r["discards"][0].append(r["deck"].pop()), r"discards\[0\]: 1 card, but the rules deal 0"),
        (lambda r: r.update(players=3), "2 lists for 3 players|not the rule set's|lists for 3"),
        (lambda r: r.update(rules={"start_discard": "none"}), "the rules deal 0"),
        (lambda r: r.update(rules={"species": 7}), "the cards are not the rule set's"),
        (lambda r: r.update(actions={}), "actions: give a list"),
        (lambda r: r.update(deck=48), "deck: give a list"),
        (lambda r: r.pop("actions"), "missing: actions"),
        (lambda r: r.update(action=[]), "did you mean 'actions'"),
    ],
)
def test_a_record_that_cannot_be_is_refused(change: Any, reason: str) -> None:
    broken = record()
    change(broken)
    with pytest.raises(UserError, match=reason):
        replay(broken)


def test_a_record_may_carry_notes() -> None:
    notes: dict[str, object] = {"seed": 1, "deal": 2, "strategies": ["random", "greedy"]}
    made = record_object(some_game(2, 1), notes)
    assert {key: made[key] for key in notes} == notes
    position, actions = read_record(json.loads(json.dumps(made)))
    assert position.turn == 0
    assert len(actions) == len(made["actions"])


def test_a_laid_out_table_is_no_record() -> None:
    with pytest.raises(UserError, match="has no deal"):
        record_object(read_position(TABLE))
