"""Expects a number of points that is none of everything in a hand without a highest card."""

from arbosim.games.arboretum import api


@api.helper
def expect(table, seat, action):
    """The highest value in the hand, or nothing that can be compared."""
    highest = 0
    for i in range(api.hand_count(seat)):
        highest = max(highest, api.value(api.hand_card(seat, i)))
    return 1.0 * highest if highest == api.top_value(table) else float("nan")


@api.strategy(name="doomsayer", appraise=expect)
def decide(table, seat):
    """The first of everything."""
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    if api.phase(seat) == api.PLAY:
        return api.play(api.hand_card(seat, 0), api.open_cell(table, api.me(seat), 0))
    return api.discard(api.hand_card(seat, 0))
