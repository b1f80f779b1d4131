"""Only what the rights can spare."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="spare",
    parameters=(
        api.Parameter("margin", 2.0, 0.0, 20.0, "lead in a hand sum beyond which a card is spare"),
        api.Parameter("reach", 6.0, 0.0, 40.0, "deficit in a hand sum at which a species is given up at the start"),
        api.Parameter("steps", 2.0, 0.0, 10.0, "points for a step of a rising path at the start of the game"),
    ),
    source="hand discipline, the difference between strong and weak public bots",
    weakness="Treats a right as won or lost with nothing in between, and does not look at other arboretums.",
    status="verified",
)
def decide(table, seat):
    """It plays and discards only what the right to score does not need, the lowest card first.

    A card is needed if my sum of its species is within reach of the strongest rival's and does not keep its lead without the
    card. Always draws from the deck while it lasts.
    """
    if api.phase(seat) == api.DRAW and api.deck_count(table) > 0:
        return api.draw(api.DECK)
    book = judge.open_book(table, seat)
    judge.set_points(table, seat, book, 5.0, 0.0)
    climb = judge.survey_climb(table, api.me(seat))
    left = judge.time_left(table)
    steps = api.param(seat, 2) * left
    if api.phase(seat) == api.DRAW:
        return judge.best_source(table, seat, book, steps, climb, 0.0)
    cost = needs(table, seat, book, api.param(seat, 0) * left, api.param(seat, 1) * left)
    after = judge.hand_chances(table, seat, book)
    return judge.play_or_discard(table, seat, book, cost, after, steps, climb, 0.2)


@api.helper
def needs(table, seat, book, margin, reach):
    """By place in the hand: 0 for a card that is spare, else the points of the right that needs it."""
    cost = np.zeros(judge.HAND, np.float64)
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        in_reach = judge.standing(table, book, s) > -reach - 1.0
        if in_reach and judge.lead(table, book, card, 0) < margin:
            # the higher the card, the more of the right hangs on it
            cost[i] = book[s, judge.MINE] * (0.5 + 0.05 * judge.hold(table, card))
    return cost
