"""What the others are likely to hold: unseen cards dealt as strong players keep them.

A card is in a rival's hand more often than by luck if it is high, and if its species lies in his arboretum or in mine.
How much more often was counted in games of `expert` against itself; see docs/search.md.
"""

import numpy as np

from arbosim.games.arboretum import api

CODES = 192
LAID = np.array([0.85, 1.1, 1.35])
"""By cards of the species in his arboretum, 2 for more."""
MINE = np.array([0.9, 1.1, 1.15])
"""The same in my arboretum."""
ONE_IN = 1 << 30


@api.helper
def weigh_cards(table, seat, cards, count, lure):
    """Fill in how much rather each of the first `count` cards is in a hand than by luck.

    Parameters
    ----------
    lure : float64[players, CODES], modified in place
        By seat and card.
    """
    me = api.me(seat)
    top = api.top_value(table)
    laid = np.zeros((api.players(table), 12), np.int64)
    for p in range(api.players(table)):
        for k in range(api.board_count(table, p)):
            s = api.species(api.board_card(table, p, k))
            laid[p, s] = min(2, laid[p, s] + 1)
    for p in range(api.players(table)):
        if p != me:
            for k in range(count):
                card = np.int64(cards[k])
                s = api.species(card)
                height = (2.0 * api.value(card) - top - 1.0) / (top - 1.0) if top > 1 else 0.0
                lure[p, card] = (1.0 + 0.4 * height) * LAID[laid[p, s]] * MINE[laid[me, s]]


@api.helper
def deal(table, seat, cards, count, lure):
    """Shuffle the unseen cards (modified in place) so that the likely ones go to the hands of the others."""
    api.shuffle_cards(seat, cards, count)
    at = 0
    for p in range(api.players(table)):
        if p != api.me(seat):
            total = 0.0
            for k in range(at, count):
                total += lure[p, cards[k]]
            for _ in range(api.hand_count_of(table, p) - api.known_count(table, p)):
                mark = total * api.below(seat, ONE_IN) / ONE_IN
                k = at
                while k < count - 1 and mark >= lure[p, cards[k]]:
                    mark -= lure[p, cards[k]]
                    k += 1
                card = cards[k]
                cards[k] = cards[at]
                cards[at] = card
                total -= lure[p, card]
                at += 1
