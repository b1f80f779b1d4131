import numpy as np

from arbosim.games.arboretum import api


@api.strategy(name="overreacher")
def decide(table, seat):
    """Reads its hand beyond the end."""
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    beyond = np.int64(seat["hand"][20 + api.turn(table) % 4]) % api.hand_count(seat)
    if api.phase(seat) == api.PLAY:
        return api.play(api.hand_card(seat, beyond), api.open_cell(table, api.me(seat), 0))
    return api.discard(api.hand_card(seat, beyond))
