"""What a 7 and an 8 that are held to the end are worth: a compiled metric for `arbosim run --metric`."""

import numpy as np

from arbosim.games.arboretum import api, measuring

NAMES = ("held_7", "held_8", "worth_7", "worth_8", "cancelled_8")


@measuring.metric(*NAMES)
def hook(event, seat, action, table, hidden, out):
    """Cards held at the end, and the points, relative to the best rival, that their holders would lose without them.

    Worth is summed over the cards held, so that it is to be divided by their number.
    """
    if event == measuring.END:
        top = api.top_value(table)
        for p in range(api.players(table)):
            for i in range(api.hand_count_of(table, p)):
                card = measuring.hand_card(hidden, p, i)
                value = api.value(card)
                if value >= top - 1:
                    eight = int(value == top)
                    out[p, eight] += 1
                    out[p, 2 + eight] += worth(table, hidden, p, card)
                    if eight == 1 and holds(table, hidden, p, api.card(api.species(card), 1)) == 2:
                        out[p, 4] += 1


@api.helper
def holds(table, hidden, p, card):
    """1 if seat p holds a card, 2 if another hand does, else 0."""
    for q in range(api.players(table)):
        for i in range(api.hand_count_of(table, q)):
            if measuring.hand_card(hidden, q, i) == card:
                return 1 if q == p else 2
    return 0


@api.helper
def worth(table, hidden, p, card):
    """The points of seat p minus those of its best rival in the card's species, with the card and without it."""
    s = api.species(card)
    return lead(table, hidden, p, s, 0) - lead(table, hidden, p, s, card)


@api.helper
def lead(table, hidden, p, s, missing):
    """What seat p scores of a species minus what its best rival does, were a card not there."""
    players = api.players(table)
    top = api.top_value(table)
    sums = np.zeros(4, np.int64)
    one = -1
    eight = -1
    for q in range(players):
        for i in range(api.hand_count_of(table, q)):
            card = measuring.hand_card(hidden, q, i)
            if api.species(card) == s and card != missing:
                sums[q] += api.value(card)
                if api.value(card) == 1:
                    one = q
                if api.value(card) == top:
                    eight = q
    rule = api.eight_rule(table)
    if eight >= 0 and (rule == api.ALWAYS_ZERO or (rule == api.ONE_CANCELS and one >= 0 and one != eight)):
        sums[eight] -= top
    highest = sums.max()
    mine = 0.0
    rival = 0.0
    for q in range(players):
        if sums[q] == highest:
            points = measuring.best(hidden, q, s)
            if q == p:
                mine = points
            else:
                rival = max(rival, points)
    return mine - rival
