"""A strategy whose play depends on the clock, and now and then breaks the rules if asked to."""

from arbosim.games.arboretum import api


@api.strategy(
    name="ticker",
    parameters=(
        api.Parameter("ms", 0.002, 0, 1000, "milliseconds for a decision", clock=True),
        api.Parameter("slips", 0, 0, 1000, "one decision in so many is none; 0: all are"),
    ),
)
def decide(table, seat):
    """Take the first of everything, or the last where the microseconds of the clock are odd."""
    ticks = 0
    if api.param(seat, 0) > 0:
        start = api.seconds()
        now = api.seconds()
        while now < start + api.param(seat, 0) / 1000:
            now = api.seconds()
        ticks = int(now * 1_000_000)
    if api.whole(seat, 1) > 0 and (ticks >> 1) % api.whole(seat, 1) == 0:
        return api.draw(99)
    odd = ticks & 1
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, odd * (api.source_count(table) - 1)))
    card = api.hand_card(seat, odd * (api.hand_count(seat) - 1))
    if api.phase(seat) == api.PLAY:
        return api.play(
            card, api.open_cell(table, api.me(seat), odd * (api.open_count(table, api.me(seat)) - 1))
        )
    return api.discard(card)
