"""A strategy whose best values are known, to see whether tuning finds them."""

from arbosim.games.arboretum import api


@api.strategy(
    name="dial",
    parameters=(
        api.Parameter("aim", 0.9, 0.0, 1.0, "best at 0.3", tune=True),
        api.Parameter("steps", 9, 0, 10, "best at 4", tune=True),
        api.Parameter("idle", 0.5, 0.0, 1.0, "changes nothing"),
        api.Parameter("bold", True, meaning="a switch, which changes nothing"),
        api.Parameter("rollouts", 8, 1, 64, "a budget, which changes nothing", budget=True),
    ),
)
def decide(table, seat):
    """Part with low cards, but the farther off its dials are, the more often with high ones, which is bad."""
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    off = abs(api.param(seat, 0) - 0.3) + 0.1 * abs(api.whole(seat, 1) - 4)
    card = extreme(seat, api.below(seat, 1000) < 900 * off)
    if api.phase(seat) == api.PLAY:
        return api.play(card, api.open_cell(table, api.me(seat), 0))
    return api.discard(card)


@api.helper
def extreme(seat, highest):
    """My highest card, or my lowest."""
    found = api.hand_card(seat, 0)
    for i in range(1, api.hand_count(seat)):
        card = api.hand_card(seat, i)
        if (api.value(card) > api.value(found)) == highest:
            found = card
    return found
