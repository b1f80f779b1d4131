import numpy as np

from arbosim.games.arboretum import api

COUNT = np.dtype([("cards", np.int64, 200)])


@api.helper
def count(seat):
    """Counts my cards by code, in an array of records."""
    counts = np.zeros(1, COUNT)
    for i in range(api.hand_count(seat)):
        counts[0]["cards"][api.hand_card(seat, i)] += 1
    return counts


@api.helper
def first(cards):
    """The lowest card that is there."""
    for card in range(len(cards)):
        if cards[card] == 1:
            return card
    return -1


@api.strategy(name="outliver")
def decide(table, seat):
    """Takes a record from an array, which compiled code frees after its last use, and goes on reading the record."""
    mine = count(seat)[0]
    card = first(mine["cards"])
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    if card < 0:
        card = api.hand_card(seat, 0)
    if api.phase(seat) == api.PLAY:
        return api.play(card, api.open_cell(table, api.me(seat), 0))
    return api.discard(card)
