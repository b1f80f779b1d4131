"""The clock is the deck."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="tempo",
    parameters=(
        api.Parameter(
            "ahead", 2.0, -20.0, 40.0, "expected lead in points from which it hurries to the end", tune=True
        ),
        api.Parameter(
            "behind", 3.0, -20.0, 40.0, "expected deficit in points from which it plays for time", tune=True
        ),
        api.Parameter(
            "late", 0.3, 0.0, 1.0, "part of the deck below which it plays for time at all", tune=True
        ),
        api.Parameter(
            "steps", 3.0, 0.0, 10.0, "points for a step of a rising path at the start of the game", tune=True
        ),
        api.Parameter("hurries", True, meaning="draws from the deck alone when ahead", ability=True),
        api.Parameter("stalls", True, meaning="prefers discard piles when behind", ability=True),
    ),
    source="the end of the game comes with the last card of the deck, and each player may hasten or delay it",
    weakness="Time gives the rival turns as well, and every card from a discard pile is seen by all.",
    status="verified",
)
def decide(table, seat):
    """The deck when ahead, the discards when behind: whoever leads wants the last turn soon.

    In between, a discard must be worth more than an unknown card.
    """
    if judge.draws_deck(table, seat, 1):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    judge.assess(table, seat, book, 10.0, 0.8)
    worth = 3.0
    if api.phase(seat) == api.DRAW:
        margin = judge.expected_margin(table, book)
        if api.flag(seat, 4) and margin >= api.param(seat, 0):
            worth = 1000.0
        elif api.flag(seat, 5) and margin <= -api.param(seat, 1) and book[judge.TIME] <= api.param(seat, 2):
            worth = 0.5
    return judge.choose(table, seat, book, api.param(seat, 3) * book[judge.TIME], worth, 0.4)
