from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import arbosim
from arbosim.cli.main import main
from arbosim.core.errors import UserError
from arbosim.core.registry import game, resolve
from arbosim.games.arboretum import api
from arbosim.match.replay import GameId, differences, parse_game_id, replay_record
from arbosim.match.single import Seats, play, play_seats


class Steady(api.Strategy):
    """Draws from the deck, plays its first card on the first cell, discards the last."""

    def draw(self, view: api.View) -> str | int:
        return "deck" if "deck" in view.sources else next(iter(view.sources))

    def play(self, view: api.View) -> Any:
        return view.hand[0], view.open_cells[0]

    def discard(self, view: api.View) -> Any:
        return view.hand[-1]


class Raising(Steady):
    """Breaks down in its third turn."""

    def play(self, view: api.View) -> Any:
        if view.turn >= 4:
            raise RuntimeError("no idea")
        return super().play(view)


class Illegal(Steady):
    """Plays a card that it does not hold."""

    def play(self, view: api.View) -> Any:
        return view.unseen[0], view.open_cells[0]


class Outside(Steady):
    """Plays far away from its third turn on."""

    cell = (99, 99)

    def play(self, view: api.View) -> Any:
        return view.hand[0], self.cell if view.turn >= 4 else view.open_cells[0]


class Near(Outside):
    """The same, on a cell that is on the grid."""

    cell = (5, 5)


class Taken(Outside):
    """Plays on its first card."""

    cell = (0, 0)


class Nonsense(Steady):
    """Returns what is no card."""

    def discard(self, view: api.View) -> Any:
        return "Z99"


class Writing(Steady):
    """Writes to the table through the back door."""

    def draw(self, view: api.View) -> str | int:
        base = view._table
        while getattr(base, "base", None) is not None:
            base = base.base
        if isinstance(base, np.ndarray):
            base.flags.writeable = True
            base["turn"] += 1
        return super().draw(view)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_single_game_is_the_game_of_the_tournament(players: int) -> None:
    table: list[Any] = ["greedy", "random", Steady, "random"]
    arboretum = game("arboretum")
    line_up = sorted(
        [resolve(what, "arboretum") for what in table[:players]],
        key=lambda e: e.spec,
    )
    chunk = arboretum.play_chunk(arboretum.rules(), players, line_up, 99, 5, 3)
    assert chunk.errors == []
    for row in chunk.rows:
        seats = Seats.of_line_up(line_up, int(row["rotation"]))
        played = play_seats(arboretum, arboretum.rules(), seats, 99, int(row["deal"]))
        assert played.error is None
        assert differences(played, {name: int(row[name]) for name in row.dtype.names}) == []


def test_seats_in_any_order_keep_the_slots_of_the_line_up() -> None:
    entrants = [resolve(name, "arboretum") for name in ("random", "greedy")]
    assert Seats.in_order(entrants) == Seats.of_line_up(entrants[::-1], 1)
    assert Seats.in_order(entrants[::-1]) == Seats.of_line_up(entrants[::-1], 0)


def test_playing_from_python() -> None:
    played = arbosim.play(["greedy", Steady], seed=7, deal=3)
    assert played.position.finished
    assert played.position.turn == played.result["turns"]
    assert played.winners == played.position.score().winners
    assert arbosim.play(["greedy", Steady], seed=7, deal=3).record() == played.record()


@pytest.mark.parametrize(
    ("culprit", "kind", "message"),
    [
        (Raising, "raised", "RuntimeError: no idea"),
        (Illegal, "illegal", "does not hold"),
        (Nonsense, "illegal", "Z99"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_mistake_forfeits_the_game(culprit: type, kind: str, message: str, seat: int) -> None:
    table: list[Any] = ["random", "random"]
    table[seat] = culprit
    played = play(table, seed=1)
    assert played.error is not None
    assert (played.error.kind, played.error.seat) == (kind, seat)
    assert message in played.error.message
    assert played.winners == (1 - seat,)
    assert played.result["error"] == seat + 1
    assert played.result["turns"] == played.error.turn
    forfeit = played.record()["forfeit"]
    assert forfeit == {"seat": seat, "turn": played.error.turn, "reason": played.error.message}
    notation = played.game.notation
    answer = notation.replay_object(played.position)
    assert (answer["winners"], answer["forfeit"]) == ([1 - seat], forfeit)
    assert (answer["finished"], answer["turns"]) == (True, played.error.turn)
    assert [player["total"] for player in answer["players"]] == [None, None]
    # what was played until then is a record all the same
    assert notation.replay_object(replay_record(played.game, played.record())) == answer


@pytest.mark.parametrize("culprit", [Raising, Illegal, Nonsense, Outside, Near, Taken])
def test_mistakes_are_those_of_the_tournament(culprit: type) -> None:
    arboretum = game("arboretum")
    line_up = sorted([resolve(culprit, "arboretum"), resolve("random", "arboretum")], key=lambda e: e.spec)
    chunk = arboretum.play_chunk(arboretum.rules(), 2, line_up, 1, 0, 1)
    for row, error in zip(chunk.rows, chunk.errors, strict=True):
        played = play_seats(
            arboretum, arboretum.rules(), Seats.of_line_up(line_up, int(row["rotation"])), 1, 0
        )
        assert differences(played, {name: int(row[name]) for name in row.dtype.names}) == []
        assert played.error == error


@pytest.mark.parametrize(("culprit", "cell"), [(Outside, [99, 99]), (Near, [5, 5]), (Taken, [0, 0])])
def test_a_record_with_the_same_mistake_is_refused_in_the_same_words(culprit: type, cell: list[int]) -> None:
    played = play([culprit, "random"], seed=1)
    assert played.error is not None
    record = played.record()
    record["actions"].append(["play", str(played.position.hands[0][0]), *cell])
    del record["forfeit"]
    with pytest.raises(UserError) as refused:
        replay_record(played.game, record)
    assert refused.value.message == played.error.message


def test_what_a_view_leads_to_is_a_copy() -> None:
    played, steady = play([Writing, "random"], seed=1), play([Steady, "random"], seed=1)
    assert played.error is None
    assert played.result == steady.result


def test_differences_are_told() -> None:
    played = play(["random", "random"], seed=1)
    row = played.result | {"turns": 3}
    assert differences(played, row) == [f"turns: {played.result['turns']} now, 3 in the run"]


def test_game_ids_round_trip() -> None:
    assert parse_game_id("3-120-1") == GameId(3, 120, 1)
    assert str(parse_game_id("3-120-1")) == "3-120-1"


@pytest.mark.parametrize("text", ["", "3", "3-120", "3-120-1-4", "a-b-c", "-1-2-3", "3-120-٣", "3 - 1 - 2"])
def test_what_is_no_game_id_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="MATCH-DEAL-ROTATION"):
        parse_game_id(text)


@pytest.mark.parametrize(
    ("table", "options", "reason"),
    [
        (["random"], {}, "2 to 4 strategies, not 1"),
        (["random"] * 5, {}, "2 to 4 strategies, not 5"),
        (["random", "greedz"], {}, "did you mean 'greedy'"),
        (["random", "random"], {"deal": -1}, "numbered from 0"),
        (["random", "random"], {"seed": -1}, "a seed is"),
        (["random", "random"], {"game": "chess"}, "unknown game 'chess'"),
    ],
)
def test_bad_input_is_told(table: list[str], options: dict[str, Any], reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        play(table, **options)


def test_a_game_prints_as_the_command_line_shows_it(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    played = arbosim.play(["greedy", "hoarder:keep=3"], seed=7, deal=3)
    main(["play", "greedy", "hoarder:keep=3", "--seed", "7", "--deal", "3"])
    shown = capsys.readouterr().out
    assert str(played).split() == shown.split()
    assert repr(played).startswith("<Played: greedy, hoarder:keep=3; seed 7, deal 3")


def test_a_forfeited_game_prints_as_well():
    class Clumsy(Steady):
        """Draws what is not there."""

        def draw(self, view):
            return "nothing"

    assert "forfeits" in str(arbosim.play([Clumsy, "random"]))
