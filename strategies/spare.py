"""Only what the rights can spare."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="spare",
    parameters=(
        api.Parameter("margin", 8.0, 0.0, 20.0, "lead in a hand sum beyond which a card is spare", tune=True),
        api.Parameter(
            "reach", 6.0, 0.0, 40.0, "deficit in a hand sum that, at the start, gives a species up", tune=True
        ),
        api.Parameter(
            "steps", 3.5, 0.0, 10.0, "points for a step of a rising path at the start of the game", tune=True
        ),
    ),
    source="hand discipline, the difference between strong and weak public bots",
    weakness="Treats a right as won or lost with nothing in between, and does not look at other arboretums.",
    status="verified",
)
def decide(table, seat):
    """It plays and discards only what the right to score does not need, the lowest card first.

    A card is needed if my sum of its species is within reach of the strongest rival's and does not keep its lead
    without the card. Always draws from the deck while it lasts.
    """
    if judge.draws_deck(table, seat, 0):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    judge.assess(table, seat, book, 5.0, 0.0)
    mark_needed(table, seat, book, api.param(seat, 0), api.param(seat, 1))
    return judge.choose(table, seat, book, api.param(seat, 2) * book[judge.TIME], 0.0, 0.2)


@api.helper
def mark_needed(table, seat, book, margin, reach):
    """Make a card of my hand that is spare cost nothing, a needed one the points of the right that needs it."""
    left = book[judge.TIME]
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        in_reach = judge.ahead(table, book, s, 0, 0) > -reach * left - 1.0
        if in_reach and judge.ahead(table, book, s, api.value(card), -1) < margin * left:
            # the higher the card, the more of the right hangs on it
            book[judge.COST + i] = book[judge.MINE + s] * (0.5 + 0.05 * book[judge.COUNTS + api.value(card)])
        else:
            book[judge.COST + i] = 0.0
