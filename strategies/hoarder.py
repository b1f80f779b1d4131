"""Rights first: a hand so strong that nobody disputes it."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="hoarder",
    parameters=(
        api.Parameter("keep", 2, 1, 12, "how many species it collects in hand", tune=True),
        api.Parameter(
            "grip", 0.4, 0.0, 4.0, "points that a unit of a collected hand sum is worth to it", tune=True
        ),
        api.Parameter(
            "safe", 5.0, 0.0, 40.0, "lead in a hand sum from which, at the start, a card is spared", tune=True
        ),
        api.Parameter(
            "discards", True, meaning="takes cards of its species from discard piles", ability=True
        ),
    ),
    source="what every first game teaches: hold what you want to score",
    weakness="Its paths are short, for only the low cards of its species ever leave its hand.",
    status="verified",
)
def decide(table, seat):
    """High hand sums: it collects a few species in hand and plays only what that hand can spare.

    The species in which hand and arboretum are strongest are its own. Their high cards stay, their low ones begin
    paths, and cards of all other species fill the gaps of those paths or are discarded.
    """
    if judge.draws_deck(table, seat, api.flag(seat, 3)):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    for i in range(api.species_count(table)):
        book[judge.CARE + api.species_at(table, i)] = 0.2
    for _ in range(min(api.whole(seat, 0), api.species_count(table))):
        book[judge.CARE + judge.most_held(table, seat, book)] = 1.0
    judge.assess(table, seat, book, 4.0, 0.0)
    safe = api.param(seat, 2) * (0.2 + 0.8 * book[judge.TIME])
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        if book[judge.CARE + s] == 1.0 and judge.ahead(table, book, s, api.value(card), -1) < safe:
            book[judge.COST + i] += api.param(seat, 1) * book[judge.COUNTS + api.value(card)]
    return judge.choose(table, seat, book, book[judge.TIME], 2.0, 0.2)
