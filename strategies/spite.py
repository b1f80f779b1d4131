"""Nobody shall score what he grows."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="spite",
    parameters=(
        api.Parameter(
            "own", 0.4, 0.0, 2.0, "weight of its own path against the strongest rival's", tune=True
        ),
        api.Parameter(
            "margin",
            12.0,
            0.0,
            40.0,
            "lead in a hand sum beyond which, at the start, a card is spare",
            tune=True,
        ),
        api.Parameter(
            "reach",
            80.0,
            0.0,
            160.0,
            "deficit in a hand sum that, at the start, gives a species up",
            tune=True,
        ),
        api.Parameter(
            "steps", 5.0, 0.0, 20.0, "points for a step of a rising path at the start of the game", tune=True
        ),
        api.Parameter(
            "hope", 16.0, 0.0, 40.0, "points that a path may still grow by at the start", tune=True
        ),
    ),
    source="pure denial, the other recipe of strong public bots: hold what the rivals' best paths need",
    weakness="Scores what is left over; of several rivals it hurts the one with the best path, to the others' gain.",
    status="verified",
)
def decide(table, seat):
    """It holds the right to the rivals' best paths, and the 1s against their 8s, whatever that costs it itself.

    Only what such a guard can spare is played, where it brings most, or discarded, where it helps nobody. `denier`
    weighs every card by expected points: one that denies is played if it brings more on the table, and discards are
    taken out of spite. `spite` keeps such a card while its right is in dispute, and always draws from the deck.
    """
    if judge.draws_deck(table, seat, 0):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    judge.assess(table, seat, book, api.param(seat, 4), 1.0)
    if api.phase(seat) != api.DRAW:
        guard(table, seat, book, api.param(seat, 0), api.param(seat, 1), api.param(seat, 2))
    return judge.choose(table, seat, book, api.param(seat, 3) * book[judge.TIME], 0.0, 1.0)


@api.helper
def guard(table, seat, book, own, margin, reach):
    """Make a card that is needed for a right cost the rival's points and part of my own there, a spare one nothing."""
    time = book[judge.TIME]
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        lead = judge.ahead(table, book, s, 0, 0)
        left = judge.ahead(table, book, s, api.value(card), -1)
        book[judge.COST + i] = 0.0
        if left < lead and lead > -reach * time - 1.0 and left < margin * time:
            at_stake = book[judge.THEIRS + s] + own * book[judge.MINE + s]
            # the higher the card, the more of the right hangs on it
            book[judge.COST + i] = at_stake * (0.5 + 0.05 * (lead - left))
