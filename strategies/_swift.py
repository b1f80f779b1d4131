"""The expert in a hurry: the policy by which games are played on."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies._expert_weights import AFTER, BEFORE, DRAWING

TURN, PLANNED = 10, 11


@api.helper
def move(table, seat, trials, sample, drops):
    phase = api.phase(seat)
    if phase == api.DISCARD and api.memory(seat, TURN) == 1 + api.turn(table):
        return api.discard(api.memory(seat, PLANNED))
    mind = outlook.new_mind(table, seat, 1)[0]
    mind["sample"] = sample
    t = api.players(table) - 2
    if phase == api.DRAW:
        values = np.zeros(5)
        weights = BEFORE[t] if api.draws_left(table) == 1 else DRAWING[t]
        turns.weigh_sources(table, seat, mind, weights, values)
        best = api.DECK
        for source in range(4):
            if values[source] > values[best]:
                best = source
        return api.draw(best)
    if phase == api.PLAY:
        n, cell, m = turns.quick_turn(table, seat, mind, AFTER[t], trials, drops)
        if m >= 0:
            api.set_memory(seat, TURN, 1 + api.turn(table))
            api.set_memory(seat, PLANNED, mind["card"][m])
        return api.play(mind["card"][n], cell)
    left = turns.turns_left(table, api.deck_count(table))
    n, _ = turns.best_discard(table, seat, mind, mind["groves"][outlook.OWN], AFTER[t], left, -1, True)
    return api.discard(mind["card"][n])
