"""What a strategy is given when it is asked for advice, and what it may do with it."""

import time
from pathlib import Path

import pytest

from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.game import ENGINE
from arbosim.core.strategy import Strategy
from arbosim.games.arboretum import api

GAME = registry.game()
ADVISER = Path(__file__).parents[1] / "match" / "planted" / "adviser.py"


def table_after(count, entrants=("greedy", "hoarder")):
    found = [name and registry.resolve(name, GAME.name) for name in entrants]
    table = GAME.seat(GAME.rules(), found, range(len(found)), 3, 1)
    for _ in range(count):
        table.advance()
    return table


def adviser(appraise):
    def decide(table, seat):
        return 0

    return Strategy("odd", GAME.name, "compiled", decide, appraise=appraise).entrant()


def spoiling(table, seat, action):
    """Change everything, and answer with what an earlier call might have left there."""
    left = seat["memory"][0] + seat["notes"][0] + table["turn"]
    table["turn"] = 99
    seat["memory"][0] = 7
    seat["notes"][0] = 7.0
    seat["hand"][0] = 0
    return 1.0 * left + 0.0 * action


def by_chance(table, seat, action):
    return 1.0 * api.below(seat, 1000)


def endless(table, seat, action):
    return 1.0 * action / 0.0 if action < 0 else float("nan")


def failing(table, seat, action):
    raise ValueError("no idea")


def bytes_of(table):
    buffers = table._buffers
    return buffers.tables.tobytes(), buffers.seats.tobytes(), buffers.hiddens.tobytes()


@pytest.mark.jitoff
def test_the_game_is_left_alone():
    table = table_after(9)
    before = bytes_of(table)
    found = table.appraise(adviser(spoiling))
    assert bytes_of(table) == before
    assert {value for _, value in found} == {float(table.position.turn)}


def test_every_option_is_asked_with_the_same_chance():
    table = table_after(10)
    found = table.appraise(adviser(by_chance))
    assert len({value for _, value in found}) == 1
    assert table.appraise(adviser(by_chance)) == found


@pytest.mark.parametrize(
    ("appraise", "reason"), [(endless, "it expects nan points"), (failing, "ValueError: no idea")]
)
def test_an_adviser_that_fails_is_told(appraise, reason):
    table = table_after(4)
    before = bytes_of(table)
    with pytest.raises(UserError, match=reason):
        table.appraise(adviser(appraise))
    assert bytes_of(table) == before


def test_who_says_nothing_cannot_be_asked():
    with pytest.raises(UserError, match="'random' does not say what it expects"):
        table_after(0).appraise(registry.resolve("random", GAME.name))


@pytest.mark.jitoff
def test_gains_are_those_that_the_view_tells():
    table = table_after(2)
    view = table.position.view(0)
    found = dict(table.appraise(registry.resolve(str(ADVISER), GAME.name)))
    assert found == {
        ("play", card, *cell): view.gain(card, cell) for card in view.hand for cell in view.open_cells
    }


def test_nobody_asks_a_person():
    table = table_after(0, (None, "greedy"))
    with pytest.raises(UserError, match="a person sits on seat 0"):
        table.advance()


def test_what_is_to_be_compiled_is_told_before():
    entrants = [registry.resolve("greedy", GAME.name)]
    never_seen = float(time.time_ns())
    new = adviser(lambda table, seat, action: never_seen)
    assert "odd" in GAME.uncompiled(entrants, None, [new])
    told = []
    GAME.compile_all(entrants, told.append, None, [new])
    assert "odd" in told
    assert GAME.uncompiled(entrants, None, [new]) == []
    assert ENGINE not in GAME.uncompiled(entrants, None)
