from arbosim.games.arboretum import api


@api.strategy(name="scribbler")
def decide(table, seat):
    """Leaves a mark on the table."""
    table["where"][0] = 7
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    if api.phase(seat) == api.PLAY:
        return api.play(api.hand_card(seat, 0), api.open_cell(table, api.me(seat), 0))
    return api.discard(api.hand_card(seat, 0))
