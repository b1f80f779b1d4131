"""A strategy of which everything is known: its best value, that its budget helps, and that it needs its ability."""

from arbosim.games.arboretum import api


@api.strategy(
    name="thinker",
    parameters=(
        api.Parameter("aim", 0.9, 0.0, 1.0, "best at 0.3", tune=True),
        api.Parameter("looks", 1, 1, 8, "errs always, or one time in so many", budget=True),
        api.Parameter("lowest", True, meaning="discards its lowest card", ability=True),
        api.Parameter("piles", False, meaning="changes nothing", ability=True),
    ),
)
def decide(table, seat):
    """Part with low cards, but with high ones, which is bad, as often as it errs."""
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    off = abs(api.param(seat, 0) - 0.3)
    errs = api.below(seat, 1000) < 900 * off or api.below(seat, api.whole(seat, 1)) == 0
    if api.phase(seat) == api.PLAY:
        return api.play(extreme(seat, errs), api.open_cell(table, api.me(seat), 0))
    return api.discard(extreme(seat, errs or api.whole(seat, 2) == 0))


@api.helper
def extreme(seat, highest):
    """My highest card, or my lowest."""
    found = api.hand_card(seat, 0)
    for i in range(1, api.hand_count(seat)):
        card = api.hand_card(seat, i)
        if (api.value(card) > api.value(found)) == highest:
            found = card
    return found
