"""What a 7 and an 8 that are held to the end are worth: a compiled metric for `arbosim run --metric`."""

import numpy as np

from arbosim.games.arboretum import api, measuring

GONE = -1
NAMES = ("held_7", "held_8", "worth_7", "worth_8", "cancelled_8", "swaps", "better_8")


@measuring.metric(*NAMES)
def hook(event, seat, action, table, hidden, out):
    """Of the 7s and 8s that a seat holds at the end, their number and what they are worth.

    Worth is the points of the seat minus those of its best rival in the card's species, with the card and without it,
    summed over the cards. Swaps are hands that hold one of the two where no hand holds the other; `better_8` sums up
    how much better the seat stands with the 8 of the two.
    """
    if event == measuring.END:
        top = api.top_value(table)
        for p in range(api.players(table)):
            for i in range(api.hand_count_of(table, p)):
                card = measuring.hand_card(hidden, p, i)
                s = api.species(card)
                if api.value(card) >= top - 1:
                    eight = int(api.value(card) == top)
                    now = lead(table, hidden, p, card, 0)
                    out[p, eight] += 1
                    out[p, 2 + eight] += now - lead(table, hidden, p, card, GONE)
                    if eight == 1 and is_cancelled(table, hidden, p, s):
                        out[p, 4] += 1
                    other = top - 1 if eight == 1 else top
                    if holder(table, hidden, api.card(s, other)) < 0:
                        swapped = lead(table, hidden, p, card, other)
                        out[p, 5] += 1
                        out[p, 6] += now - swapped if eight == 1 else swapped - now


@api.helper
def holder(table, hidden, card):
    """The seat that holds a card, or -1."""
    for q in range(api.players(table)):
        for i in range(api.hand_count_of(table, q)):
            if measuring.hand_card(hidden, q, i) == card:
                return q
    return -1


@api.helper
def is_cancelled(table, hidden, p, s):
    """Whether another hand than that of seat p holds the 1."""
    one = holder(table, hidden, api.card(s, 1))
    return one >= 0 and one != p


@api.helper
def lead(table, hidden, p, changed, value):
    """What seat p scores of the species of a card minus what its best rival does, were its value another.

    With 0 it stays what it is, and with `GONE` it is not there.
    """
    s = api.species(changed)
    top = api.top_value(table)
    sums = np.zeros(4, np.int64)
    one = -1
    eight = -1
    for q in range(api.players(table)):
        for i in range(api.hand_count_of(table, q)):
            card = measuring.hand_card(hidden, q, i)
            if api.species(card) == s:
                v = api.value(card) if card != changed or value == 0 else value
                if v == GONE:
                    continue
                sums[q] += v
                if v == 1:
                    one = q
                if v == top:
                    eight = q
    rule = api.eight_rule(table)
    if eight >= 0 and (rule == api.ALWAYS_ZERO or (rule == api.ONE_CANCELS and one >= 0 and one != eight)):
        sums[eight] -= top
    highest = sums.max()
    mine = 0.0
    rival = 0.0
    for q in range(api.players(table)):
        if sums[q] == highest:
            points = measuring.best(hidden, q, s)
            if q == p:
                mine = points
            else:
                rival = max(rival, points)
    return mine - rival
