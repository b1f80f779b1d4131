"""A decision by the worth of the positions that it can lead to: that of `expert`, or of a hasty one in rollouts."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies._expert_weights import AFTER, BEFORE, DRAWING

HASTY_TRIALS, HASTY_SAMPLE = 3, 6
"""Plays that a hasty expert looks at closely, and unseen cards that stand for all."""
TURN, DISCARD = 0, 1
"""Places of a hasty expert's `api.memory`: the turn of its last play, and the discard that goes with it."""


@api.helper
def best_source(table, seat, mind, before, drawing):
    """The source whose card leads to the best position, by the weights of positions before a play or before a draw."""
    values = np.zeros(api.DECK + 1)
    turns.weigh_sources(table, seat, mind, before if api.draws_left(table) == 1 else drawing, values)
    best = api.DECK
    for source in range(api.DECK):
        if values[source] > values[best]:
            best = source
    return best


@api.helper
def best_discard(table, seat, mind, after):
    """The card whose discard leaves the best position."""
    points = np.zeros(outlook.HAND)
    turns.weigh_discards(table, seat, mind, mind["groves"][outlook.OWN], after, -1, points)
    return mind["card"][turns.most(points)]


@api.helper
def hasty(table, seat):
    """The decision of an expert with little time: fewer plays, fewer cards tried, the discard chosen with the play."""
    phase = api.phase(seat)
    if phase == api.DISCARD and api.memory(seat, TURN) == 1 + api.turn(table):
        api.set_memory(seat, TURN, 0)
        return api.discard(api.memory(seat, DISCARD))
    return _hasty(table, seat, outlook.new_mind(table, seat, 1, HASTY_SAMPLE))


@api.helper
def _hasty(table, seat, minds):
    """The same, given what he thinks of the position."""
    mind = minds[0]
    phase = api.phase(seat)
    t = api.players(table) - 2
    if phase == api.DRAW:
        return api.draw(best_source(table, seat, mind, BEFORE[t], DRAWING[t]))
    if phase == api.PLAY:
        n, cell, drop = turns.best_turn(table, seat, mind, AFTER[t], HASTY_TRIALS, 1)
        if drop >= 0:
            api.set_memory(seat, TURN, 1 + api.turn(table))
            api.set_memory(seat, DISCARD, mind["card"][drop])
        return api.play(mind["card"][n], cell)
    turns.survey_gifts(table, seat, mind)
    return api.discard(best_discard(table, seat, mind, AFTER[t]))
