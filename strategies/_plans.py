"""What a search chooses from: plans for the draws of a turn, or for its play and its discard."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies._expert_weights import AFTER, BEFORE, DRAWING

MOST = 32
"""Plans at most for the draws of a turn: with 4 players 5 sources, each but the deck with a second one."""
TURNS = 16
"""Plans at most for play and discard."""
NOTHING = -1
PLAN = np.dtype(
    [
        ("first", np.int64),  # the action that is asked for
        ("second", np.int64),  # the next one of the turn, or NOTHING if it is left open
        ("prior", np.float64),  # points that the expert expects of it
        ("total", np.float64),  # what its rollouts came to
    ]
)


@api.helper
def list_draws(table, seat, plans):
    """List the sources, and return how many plans there are.

    With a discard pile, whose card is known, goes the source of the next draw; a card of the deck is seen first.
    """
    return _list_draws(table, seat, outlook.new_mind(table, seat, 1, outlook.SAMPLE), plans)


@api.helper
def _list_draws(table, seat, minds, plans):
    """The same, given what the expert thinks of the position."""
    mind = minds[0]
    values = np.zeros(api.DECK + 1)
    is_last = api.draws_left(table) == 1
    t = api.players(table) - 2
    turns.weigh_sources(table, seat, mind, BEFORE[t] if is_last else DRAWING[t], values)
    count = 0
    for i in range(api.source_count(table)):
        first = api.source(table, i)
        if is_last or first == api.DECK:
            count = insert(plans, count, MOST, api.draw(first), NOTHING, values[first])
        else:
            for j in range(api.source_count(table)):
                second = api.source(table, j)
                if second != first or api.pile_count(table, first) > 1:
                    count = insert(plans, count, MOST, api.draw(first), api.draw(second), values[first])
    return count


@api.helper
def list_turns(table, seat, plans):
    """List the plays, each with its discard, of which the expert expects most; return how many plans there are."""
    return _list_turns(table, seat, outlook.new_mind(table, seat, 1, outlook.SAMPLE), plans)


@api.helper
def _list_turns(table, seat, minds, plans):
    """The same, given what the expert thinks of the position."""
    mind = minds[0]
    own = mind["groves"][outlook.OWN]
    after = AFTER[api.players(table) - 2]
    cards = np.zeros(turns.TRIALS, np.int64)
    cells = np.zeros(turns.TRIALS, np.int64)
    points = np.zeros(outlook.HAND)
    climb = turns.CLIMB * turns.turns_left(table, api.deck_count(table))
    turns.survey_gifts(table, seat, mind)
    count = 0
    for t in range(turns.shortlist(table, seat, mind, climb, cards, cells)):
        n = cards[t]
        play = api.play(mind["card"][n], own["open"][cells[t]])
        turns.follow_play(table, seat, mind, after, n, cells[t], points)
        for m in range(mind["count"]):
            if points[m] > turns.NEVER:
                second = api.discard(mind["card"][m]) if m != n else NOTHING
                count = insert(plans, count, TURNS, play, second, points[m])
    return count


@api.helper
def insert(plans, count, most, first, second, prior):
    """Add a plan in its place by the prior, if it is among the `most` best; return how many there are then."""
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


@api.helper
def actions(plans, k):
    """The two actions of a plan: read here, where the plans are sure to be alive, see `_outlook.new_mind`."""
    return plans[k]["first"], plans[k]["second"]
