"""Half the hand for each of two species."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="two_species",
    parameters=(
        api.Parameter("others", 0.1, 0.0, 1.0, "how much it cares for all other species", tune=True),
        api.Parameter(
            "hope",
            12.0,
            0.0,
            20.0,
            "points that a path of its two species may still grow by at the start",
            tune=True,
        ),
        api.Parameter(
            "discards", True, meaning="takes cards of its species from discard piles", ability=True
        ),
    ),
    source="the common advice to settle on two or three species by the middle of the game",
    weakness="Lays cards of all other species only as steps, and has nothing left when one of its two rights falls.",
    status="verified",
)
def decide(table, seat):
    """Two species and no more: it holds them, lays their ends, and lets everything else be a step or go.

    The two in which hand and arboretum are strongest are its own; a third takes over only when it grows stronger.
    """
    if judge.draws_deck(table, seat, api.flag(seat, 2)):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    for i in range(api.species_count(table)):
        book[judge.CARE + api.species_at(table, i)] = api.param(seat, 0)
    for _ in range(min(2, api.species_count(table))):
        book[judge.CARE + judge.most_held(table, seat, book)] = 1.0
    judge.assess(table, seat, book, api.param(seat, 1), 0.0)
    return judge.choose(table, seat, book, 2.5 * book[judge.TIME], 2.0, 0.2)
