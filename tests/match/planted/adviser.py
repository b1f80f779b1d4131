"""A strategy that says what it expects: path points now, and the lowest card away."""

from arbosim.games.arboretum import api


@api.helper
def expect(table, seat, action):
    """What a play adds to the paths; half a point for a card from the deck; what a discard leaves in the hand."""
    if api.phase(seat) == api.DRAW:
        return 0.5 if api.source_of(action) == api.DECK else 0.25
    card = api.card_of(action)
    if api.phase(seat) == api.DISCARD:
        return -0.1 * api.value(card)
    me = api.me(seat)
    api.tables(table, seat, me)
    return 1.0 * api.gain(table, seat, me, card, api.cell_of(action))


@api.strategy(name="adviser", appraise=expect, parameters=[api.Parameter("unused", 1, 0, 9)])
def decide(table, seat):
    """The first of everything."""
    phase = api.phase(seat)
    if phase == api.DRAW:
        return api.draw(api.source(table, 0))
    card = api.hand_card(seat, 0)
    if phase == api.PLAY:
        return api.play(card, api.open_cell(table, api.me(seat), 0))
    return api.discard(card)
