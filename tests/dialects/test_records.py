"""What is rebuilt from words is what the engine hands to a strategy, byte for byte."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbosim.core.errors import UserError
from arbosim.games.arboretum.dialects import DIALECTS
from arbosim.games.arboretum.dialects.records import Records, Standing
from arbosim.games.arboretum.probe import random_rules
from arbosim.games.arboretum.rules import Rules, make_rules
from arbosim.games.arboretum.seating import Seating
from tests.dialects.talks import Talk, entrant

ENTRANT = entrant("hoarder:keep=2")


def play_by_chance(dialect, rules, players, seed):
    """Play a game by chance, and compare after every answer what the current seat's listener has rebuilt."""
    listeners = [DIALECTS[dialect].listener(ENTRANT, 0) for _ in range(players)]
    seating = Seating(rules, [ENTRANT] * players, range(players), seed, 0)
    told = Talk(dialect, rules, listeners, seating)
    rng = random.Random(seed)
    while not told.position.finished:
        told.decide()
        seat = told.position.current
        rebuilt, engines = listeners[seat]._seated, told.buffers.seats[seat]
        for name in rebuilt.records.tables.dtype.names:
            assert np.array_equal(rebuilt.records.tables[0][name], told.buffers.tables[0][name]), name
        assert rebuilt.records.tables.tobytes() == told.buffers.tables.tobytes()
        for name in ("seat", "phase", "hand", "hand_count", "params"):
            assert np.array_equal(rebuilt.seats[0][name], engines[name]), name
        told.carry_out(told.position.code_of(rng.choice(told.position.legal_actions)))


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32))
def test_the_dialect_arbosim_tells_everything(players, seed):
    play_by_chance("arbosim", random_rules(players, random.Random(seed)), players, seed)


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(["none", "all_but_first", "all"]), st.integers(0, 2**32))
def test_the_dialect_hackaranda_tells_everything_that_it_can(start_discard, seed):
    play_by_chance(
        "hackaranda", make_rules(None, {"species": "CJMORW", "start_discard": start_discard}), 2, seed
    )


BOARD = {(0, 0): 17, (1, 0): 18}
STANDING = {
    "phase": 0,
    "turn": 2,
    "current": 0,
    "drawn": 0,
    "deck": 20,
    "hand": [33, 34],
    "hand_counts": [2, 3],
    "known": [[33], []],
    "piles": [[35], []],
    "boards": [BOARD, {}],
}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"boards": [{(0, 0): 17, (2, 0): 18}, {}]}, "the arboretum of seat 0 falls apart"),
        ({"boards": [{}, {(1, 0): 17}]}, "the arboretum of seat 1 falls apart"),
        ({"boards": [{(500, 0): 17}, {}]}, "the arboretum of seat 0 falls apart"),
        ({"hand": [33, 35]}, "lies in two places"),
        ({"hand": [33, 177]}, "A1 is not in this game|B1 is not in this game"),
        ({"known": [[177], []]}, "is not in this game"),
        ({"piles": [[35]]}, "a list of 2"),
        ({"current": 2}, "no such seat"),
        ({"hand": list(range(17, 25)) + list(range(33, 41)) + list(range(49, 57))}, "so many cards"),
    ],
)
def test_what_cannot_be_is_refused(changes, reason):
    records = Records(Rules(), 2)
    records.show(Standing(**STANDING))
    with pytest.raises(UserError, match=reason):
        records.show(Standing(**STANDING | changes))
    records.show(Standing(**STANDING))
    assert records.tables[0]["board_count"].tolist() == [2, 0, 0, 0]
