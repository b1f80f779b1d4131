"""What a search chooses from: plans for the draws of a turn, or for its play and its discard."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _grove as groves
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies._expert_weights import AFTER, BEFORE, DRAWING

MOST = 64
"""Plans at most."""
PLAN = np.dtype(
    [
        ("first", np.int64),  # the action that is asked for
        ("second", np.int64),  # the next one of the turn, or NOTHING
        ("prior", np.float64),  # points that the expert expects of it
        ("total", np.float64),  # what its rollouts came to
        ("count", np.int64),  # how many there were
    ]
)
NOTHING = -1


@api.helper
def list_draws(table, seat, plans):
    """List the sources; with a pile, whose card is known, goes the source of the next draw. Returns the number."""
    mind = outlook.new_mind(table, seat, 1)[0]
    values = np.zeros(5)
    is_last = api.draws_left(table) == 1
    t = api.players(table) - 2
    turns.weigh_sources(table, seat, mind, BEFORE[t] if is_last else DRAWING[t], values)
    count = 0
    for i in range(api.source_count(table)):
        first = api.source(table, i)
        if is_last or first == api.DECK:
            count = _add(plans, count, api.draw(first), NOTHING, values[first])
        else:
            for j in range(api.source_count(table)):
                second = api.source(table, j)
                if second != first or api.pile_count(table, first) > 1:
                    count = _add(plans, count, api.draw(first), api.draw(second), values[first])
    return count


@api.inline_helper
def _add(plans, count, first, second, prior):
    """Add a plan; of too many the last ones are left out."""
    if count == MOST:
        return count
    plans[count]["first"] = first
    plans[count]["second"] = second
    plans[count]["prior"] = prior
    return count + 1


@api.helper
def list_turns(table, seat, plans, most):
    """List the plays with their discards of which the expert expects most, the best first; return the number."""
    mind = outlook.new_mind(table, seat, 1)[0]
    own, trial = mind["groves"][outlook.OWN], mind["groves"][outlook.TRIAL]
    weights = AFTER[api.players(table) - 2]
    left = turns.turns_left(table, api.deck_count(table))
    hand = mind["count"]
    cards = np.zeros(turns.TRIALS, np.int64)
    cells = np.zeros(turns.TRIALS, np.int64)
    trials = turns.shortlist(table, seat, mind, turns.CLIMB * left, cards, cells)
    turns.survey_gifts(table, seat, mind)
    count = 0
    for t in range(trials):
        n = cards[t]
        i, value = mind["kind"][n], mind["value"][n]
        groves.copy(own, trial)
        groves.place(trial, i, value, cells[t])
        groves.fill(table, trial)
        outlook.hold(table, mind, i, value, -1)
        outlook.weigh(table, seat, mind, i)
        flex = outlook.flexibility(table, seat, mind, trial)
        for m in range(hand):
            if m != n:
                outlook.assess_loss(table, seat, mind, trial, m)
                outlook.assess_net(table, mind, trial, m)
        play = api.play(mind["card"][n], own["open"][cells[t]])
        if hand - 1 > api.hand_size(table):
            for m in range(hand):
                if m != n:
                    points = turns.discarded(table, seat, mind, trial, weights, left, flex, n, m)
                    count = _insert(plans, count, most, play, api.discard(mind["card"][m]), points)
        else:
            outlook.describe(table, seat, mind, trial, flex, 0.0, n, -1)
            count = _insert(plans, count, most, play, NOTHING, outlook.value(mind, weights, left))
        outlook.hold(table, mind, i, value, 1)
        outlook.weigh(table, seat, mind, i)
    return count


@api.helper
def _insert(plans, count, most, first, second, prior):
    """Add a plan in its place by the prior, if it is among the `most` best."""
    if count == most and prior <= plans[count - 1]["prior"]:
        return count
    at = min(count, most - 1)
    while at > 0 and plans[at - 1]["prior"] < prior:
        plans[at]["first"] = plans[at - 1]["first"]
        plans[at]["second"] = plans[at - 1]["second"]
        plans[at]["prior"] = plans[at - 1]["prior"]
        at -= 1
    plans[at]["first"] = first
    plans[at]["second"] = second
    plans[at]["prior"] = prior
    return min(count + 1, most)
