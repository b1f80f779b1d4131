"""The position after the turn, judged as a whole."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies._expert_weights import AFTER, BEFORE, DRAWING

TURN, DISCARDED = 0, 1


@api.helper
def choose(table, seat, after, before, drawing):
    """The decision that is asked for."""
    phase = api.phase(seat)
    if phase == api.DISCARD and api.memory(seat, TURN) == 1 + api.turn(table):
        card = api.memory(seat, DISCARDED)
        if api.has_card(seat, card) == 1:
            return api.discard(card)
    if phase == api.DRAW and api.flag(seat, 4) == 0 and api.deck_count(table) > 0:
        return api.draw(api.DECK)
    mind = outlook.new_mind(table, seat, api.param(seat, 0), api.param(seat, 1))
    if phase == api.DRAW:
        values = np.zeros(5)
        weights = before if api.draws_left(table) == 1 else drawing
        turns.weigh_sources(table, seat, mind, weights, values)
        best = -1
        for source in range(5):
            if values[source] > -1e8:
                points = values[source] - (api.param(seat, 3) if source != api.DECK else 0.0)
                if best < 0 or points >= values[best] - (api.param(seat, 3) if best != api.DECK else 0.0):
                    best = source
        return api.draw(best)
    if phase == api.PLAY:
        card, cell, dropped, _ = turns.best_turn(table, seat, mind, after, api.param(seat, 2), -1, 0)
        if dropped >= 0:
            api.set_memory(seat, TURN, 1 + api.turn(table))
            api.set_memory(seat, DISCARDED, mind.card[dropped])
        return api.play(mind.card[card], cell)
    turns.survey_gifts(table, seat, mind)
    left = turns.turns_left(table, api.deck_count(table))
    dropped, _ = turns.best_discard(table, seat, mind, mind.grove, after, left, -1, True)
    return api.discard(mind.card[dropped])


@api.strategy(
    name="expert",
    parameters=(
        api.Parameter("grip", 1.3, 1.0, 2.0, "how much rather than by luck a rival holds an unseen card", tune=True),
        api.Parameter("kept", 0.3, 0.0, 1.0, "part of the cards to be drawn that a rival keeps", tune=True),
        api.Parameter("climb", 0.6, 0.0, 2.0, "points a turn left for a step", tune=True),
        api.Parameter("reveal", 0.0, -3.0, 3.0, "points lost by showing what one takes", tune=True),
        api.Parameter("draws", True, meaning="x", ability=True),
    ),
    status="verified",
)
def decide(table, seat):
    """It judges every turn by the position that it leads to."""
    t = min(api.players(table), 4) - 2
    return choose(table, seat, AFTER[t], BEFORE[t], DRAWING[t])
