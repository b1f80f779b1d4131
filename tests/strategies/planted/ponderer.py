from arbosim.games.arboretum import api


@api.strategy(
    name="ponderer",
    parameters=(
        api.Parameter("rounds", 20_000, 0, 100_000, "hundreds of throws for a decision", budget=True),
    ),
)
def decide(table, seat):
    """Throws dice for milliseconds, and with the compiler off for as many seconds, before it takes what comes first."""
    for _ in range(100 * api.whole(seat, 0)):
        api.below(seat, 6)
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    card = api.hand_card(seat, api.below(seat, api.hand_count(seat)))
    if api.phase(seat) == api.PLAY:
        return api.play(card, api.open_cell(table, api.me(seat), 0))
    return api.discard(card)
