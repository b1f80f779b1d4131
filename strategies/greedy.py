"""Path points now, and no thought for the right to score them."""

from arbosim.games.arboretum import api


@api.strategy(
    name="greedy",
    source="the yardstick of the project (shared/bench); the plain path builder of many public bots",
    weakness="Plays and discards the cards that would give it the right: more than half of its points never score.",
    status="verified",
)
def decide(table, seat):
    """The play that adds most points to its best paths, whoever may score them; lowest card away, deck first.

    Ties between plays are broken by chance. It draws from the deck while that lasts, then from any pile by chance.
    """
    phase = api.phase(seat)
    if phase == api.DRAW:
        if api.deck_count(table) > 0:
            return api.draw(api.DECK)
        return api.draw(api.source(table, api.below(seat, api.source_count(table))))
    if phase == api.PLAY:
        return most_points(table, seat)
    lowest = api.hand_card(seat, 0)
    for i in range(1, api.hand_count(seat)):
        card = api.hand_card(seat, i)
        if api.value(card) < api.value(lowest):
            lowest = card
    return api.discard(lowest)


@api.helper
def most_points(table, seat):
    """The play with the largest gain in path points, ties by chance."""
    me = api.me(seat)
    api.tables(table, seat, me)
    best = -1
    ties = 0
    action = 0
    for j in range(api.open_count(table, me)):
        cell = api.open_cell(table, me, j)
        for i in range(api.hand_count(seat)):
            card = api.hand_card(seat, i)
            gain = api.gain(table, seat, me, card, cell)
            if gain > best:
                best = gain
                ties = 1
                action = api.play(card, cell)
            elif gain == best:
                ties += 1
                if api.below(seat, ties) == 0:
                    action = api.play(card, cell)
    return action
