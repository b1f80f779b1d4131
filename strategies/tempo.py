"""The clock is the deck."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="tempo",
    parameters=(
        api.Parameter("ahead", 2.0, -20.0, 40.0, "expected lead in points from which it hurries to the end"),
        api.Parameter("behind", 3.0, -20.0, 40.0, "expected deficit in points from which it plays for time"),
        api.Parameter("late", 0.3, 0.0, 1.0, "part of the deck below which it plays for time at all"),
        api.Parameter("steps", 1.5, 0.0, 10.0, "points for a step of a rising path at the start of the game"),
    ),
    source="the end of the game comes with the last card of the deck, and each player may hasten or delay it",
    weakness="Time gives the rival turns as well, and every card from a discard pile is seen by all.",
    status="verified",
)
def decide(table, seat):
    """The deck when ahead, the discards when behind: whoever leads wants the last turn soon.

    In between, a discard must be worth more than an unknown card.
    """
    book = judge.open_book(table, seat)
    judge.set_points(table, seat, book, 5.0, 0.6)
    climb = judge.survey_climb(table, api.me(seat))
    left = judge.time_left(table)
    steps = api.param(seat, 3) * left
    if api.phase(seat) == api.DRAW:
        margin = judge.expected_margin(table, book)
        if margin >= api.param(seat, 0) and api.deck_count(table) > 0:
            return api.draw(api.DECK)
        worth = 0.5 if margin <= -api.param(seat, 1) and left <= api.param(seat, 2) else 3.0
        return judge.best_source(table, seat, book, steps, climb, worth)
    cost = judge.hand_costs(table, seat, book)
    after = judge.hand_chances(table, seat, book)
    return judge.play_or_discard(table, seat, book, cost, after, steps, climb, 0.4)
