from arbosim.games.arboretum import api


@api.strategy(
    name="rambler", parameters=(api.Parameter("rounds", 3, 1, 9, "cards that it goes through", budget=True),)
)
def decide(table, seat):
    """Plays and discards what it does not hold as soon as it may go through more cards than one."""
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    card = api.hand_card(seat, 0) if api.whole(seat, 0) == 1 else api.pile_top(table, 0)
    if api.phase(seat) == api.PLAY:
        return api.play(card, api.open_cell(table, api.me(seat), 0))
    return api.discard(card)
