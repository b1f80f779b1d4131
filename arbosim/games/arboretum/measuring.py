"""What a compiled metric needs besides `api`: its decorator, the events, and what only the engine knows.

A compiled metric is a function `hook(event, seat, action, table, hidden, out)` that carries `@measuring.metric(...)`.
The engine calls it after the deal (BEGIN), after each action (ACTED) and once the game is scored (END). It reads
`table` through `api` and `hidden` through the functions below, and writes into `out`, float64[seats or 1, names],
which is 0 at BEGIN. `seat` and `action` tell who did what at ACTED; they are -1 otherwise.
"""

from collections.abc import Callable

import numpy as np

from arbosim.core.hook import Hook, Per
from arbosim.core.jit import inline_kernel
from arbosim.core.strategy import first_paragraph
from arbosim.games.arboretum.api import card_of as card_of
from arbosim.games.arboretum.api import cell_of as cell_of
from arbosim.games.arboretum.api import source_of as source_of
from arbosim.games.arboretum.state import (
    DECK,
    DISCARD_ACTION,
    HAND_MASK,
    PILE_MASK,
    PLAY_ACTION,
    SEAT_MASK,
    SPECIES_MASK,
)

BEGIN, ACTED, END = 0, 1, 2
NOBODY = -1


def metric(*names: str, per: Per = "seat") -> Callable[[Callable[..., None]], Hook]:
    """Make a compiled metric of a function `hook(event, seat, action, table, hidden, out)`.

    Parameters
    ----------
    names : str
        The numbers that it measures: number k of seat p is `out[p, k]`, or `out[0, k]` of the game.
    per : {"seat", "game"}
    """

    def define(hook: Callable[..., None]) -> Hook:
        return Hook("arboretum", tuple(names), per, hook, first_paragraph(hook.__doc__))

    return define


# Actions


@inline_kernel
def is_draw(action):
    """1 if an action draws a card."""
    return np.int64((action >= 0) & (action <= DECK))


@inline_kernel
def is_play(action):
    """1 if an action lays a card into an arboretum."""
    return np.int64(action >= PLAY_ACTION)


@inline_kernel
def is_discard(action):
    """1 if an action discards a card."""
    return np.int64((action >= DISCARD_ACTION) & (action < PLAY_ACTION))


# What is hidden from the players; hand counts are `api.hand_count_of(table, p)`


@inline_kernel
def hand_card(hidden, p, i):
    """Hand card number i of seat p."""
    return np.int64(hidden["hand"][p & SEAT_MASK][i & HAND_MASK])


@inline_kernel
def deck_card(hidden, i):
    """Card number i of the draw pile, counted from the bottom."""
    return np.int64(hidden["pile"][DECK][i & PILE_MASK])


# The score, at END


@inline_kernel
def score(hidden, p):
    """The points of seat p."""
    return hidden["total"][p & SEAT_MASK]


@inline_kernel
def has_right(hidden, p, species):
    """1 if seat p has the right to score a species."""
    return hidden["rights"][p & SEAT_MASK][species & SPECIES_MASK]


@inline_kernel
def best(hidden, p, species):
    """Points of the best path of a species in the arboretum of seat p, whatever the right."""
    return hidden["points"][p & SEAT_MASK][species & SPECIES_MASK]


@inline_kernel
def has_won(hidden, p):
    """1 if seat p has a share of the win."""
    return (hidden["winners"] >> (p & SEAT_MASK)) & 1
