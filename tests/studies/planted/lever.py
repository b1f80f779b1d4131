"""A strategy with one whole number, of which 5 is best, so that two tunings of it end with the same player."""

from arbosim.games.arboretum import api


@api.strategy(name="lever", parameters=(api.Parameter("v", 1, 1, 5, "5 is best", tune=True),))
def decide(table, seat):
    """Part with its lowest card, but with its first one, which is bad, as often as it errs."""
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    found = api.hand_card(seat, 0)
    if api.below(seat, 4) < api.whole(seat, 0) - 1:
        for i in range(1, api.hand_count(seat)):
            card = api.hand_card(seat, i)
            if api.value(card) < api.value(found):
                found = card
    if api.phase(seat) == api.PLAY:
        return api.play(found, api.open_cell(table, api.me(seat), 0))
    return api.discard(found)
