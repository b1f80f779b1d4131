"""A staircase of any species first, then the species hung on it."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="staircase",
    parameters=(
        api.Parameter(
            "steps", 5.0, 0.0, 20.0, "points for a step of the staircase at the start of the game", tune=True
        ),
        api.Parameter(
            "hope", 10.0, 0.0, 20.0, "points that a path may still grow by at the start", tune=True
        ),
        api.Parameter("discards", False, meaning="takes missing steps from discard piles", ability=True),
    ),
    source="mixed rising paths from a middle card, as the strong public bots build them",
    weakness="Builds before it knows what it will have the right to, and denies nobody anything.",
    status="verified",
)
def decide(table, seat):
    """A mixed staircase from the lowest to the highest value, outwards from a middle card; then species hung on it.

    Whatever card brings the staircase on without a gap is laid first. Once it stands, the cards whose species it
    holds the right to are hung on both its ends.
    """
    if judge.draws_deck(table, seat, api.flag(seat, 2)):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    judge.assess(table, seat, book, api.param(seat, 1), 0.0)
    return judge.choose(table, seat, book, api.param(seat, 0) * book[judge.TIME], 3.0, 0.2)
