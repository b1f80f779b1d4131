from arbosim.games.arboretum import api


@api.strategy(name="stale")
def decide(table, seat):
    """Counts its decisions in the scratch space, where nothing lasts."""
    notes = api.notes(seat)
    notes[0] += 1.0
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    last = api.hand_count(seat) - 1 if notes[0] > 9.0 else 0
    if api.phase(seat) == api.PLAY:
        return api.play(api.hand_card(seat, last), api.open_cell(table, api.me(seat), 0))
    return api.discard(api.hand_card(seat, 0))
