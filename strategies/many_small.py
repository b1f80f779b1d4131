"""A little of everything."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="many_small",
    parameters=(
        api.Parameter(
            "enough", 4.0, 1.0, 20.0, "points of a path beyond which it looks for other species", tune=True
        ),
        api.Parameter(
            "longer", 0.3, 0.0, 1.0, "how much it still cares for a path with enough points", tune=True
        ),
        api.Parameter(
            "steps", 2.0, 0.0, 10.0, "points for a step of a rising path at the start of the game", tune=True
        ),
    ),
    source="the opposite of the long path: many rights, each with a small one",
    weakness="A hand holds the right to three or four species at most; the other paths score nothing.",
    status="verified",
)
def decide(table, seat):
    """Many small paths: a species without a path comes first, a path that has enough is left alone.

    It holds just so much of each species that the right is likely, and draws from the deck while it lasts.
    """
    if judge.draws_deck(table, seat, 0):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    api.tables(table, seat, api.me(seat))
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        if api.best(seat, s) >= api.param(seat, 0):
            book[judge.CARE + s] = api.param(seat, 1)
    judge.assess(table, seat, book, 4.0, 0.0)
    return judge.choose(table, seat, book, api.param(seat, 2) * book[judge.TIME], 0.0, 0.2)
