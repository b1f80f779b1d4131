from arbosim.games.arboretum import api


@api.strategy(name="outlaw")
def decide(table, seat):
    """Discards a card that it does not hold as soon as four turns are over."""
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    if api.phase(seat) == api.PLAY:
        return api.play(api.hand_card(seat, 0), api.open_cell(table, api.me(seat), 0))
    return api.discard(
        api.pile_top(table, 1 - api.me(seat) % 2) if api.turn(table) > 4 else api.hand_card(seat, 0)
    )
