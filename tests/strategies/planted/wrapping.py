from arbosim.games.arboretum import api


@api.strategy(name="wrapping")
def decide(table, seat):
    """Multiplies bytes, which wrap when Python does it and do not when numba does."""
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    i = 1 if seat["hand"][0] * seat["hand"][1] > 255 else 0
    if api.phase(seat) == api.PLAY:
        return api.play(api.hand_card(seat, i), api.open_cell(table, api.me(seat), 0))
    return api.discard(api.hand_card(seat, 0))
