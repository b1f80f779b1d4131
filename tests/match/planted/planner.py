"""A strategy that chooses by the clock, and keeps what comes next of its plans as `search` does."""

from arbosim.games.arboretum import api

TURN, PLANNED = 0, 1


@api.strategy(
    name="planner", parameters=[api.Parameter("ms", 0.0, 0, 1000, "milliseconds to think", clock=True)]
)
def decide(table, seat):
    """Any card by the clock, or the first without one; the discard is planned with the play, and so are two draws."""
    if api.memory(seat, TURN) == 1 + api.turn(table):
        api.set_memory(seat, TURN, 0)
        return api.memory(seat, PLANNED)
    if api.phase(seat) == api.DRAW:
        if api.draws_left(table) == 2 and api.deck_count(table) > 1:
            api.set_memory(seat, TURN, 1 + api.turn(table))
            api.set_memory(seat, PLANNED, api.draw(api.DECK))
        return api.draw(api.source(table, 0))
    if api.phase(seat) == api.DISCARD:
        return api.discard(api.hand_card(seat, 0))
    begun = api.seconds()
    n = 0
    while api.seconds() < begun + api.param(seat, 0) / 1000.0:
        n += 1
    n %= api.hand_count(seat)
    other = (n + 1) % api.hand_count(seat)
    api.set_memory(seat, TURN, 1 + api.turn(table))
    api.set_memory(seat, PLANNED, api.discard(api.hand_card(seat, other)))
    return api.play(api.hand_card(seat, n), api.open_cell(table, api.me(seat), 0))
