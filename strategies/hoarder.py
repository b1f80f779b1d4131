"""Rights first: a hand so strong that nobody disputes it."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="hoarder",
    parameters=(
        api.Parameter("keep", 2, 1, 12, "how many species it collects in hand"),
        api.Parameter("grip", 0.4, 0.0, 4.0, "points that a unit of a collected hand sum is worth to it"),
        api.Parameter("discards", True, meaning="takes cards of its species from discard piles", ability=True),
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
    if api.phase(seat) == api.DRAW and api.flag(seat, 2) == 0 and api.deck_count(table) > 0:
        return api.draw(api.DECK)
    book = judge.open_book(table, seat)
    for i in range(api.species_count(table)):
        book[api.species_at(table, i), judge.CARE] = 0.2
    for _ in range(min(api.whole(seat, 0), api.species_count(table))):
        book[judge.most_held(table, seat, book, 1.0), judge.CARE] = 1.0
    judge.set_points(table, seat, book, 4.0, 0.0)
    climb = judge.survey_climb(table, api.me(seat))
    steps = judge.time_left(table)
    if api.phase(seat) == api.DRAW:
        return judge.best_source(table, seat, book, steps, climb, 2.0)
    cost = judge.hand_costs(table, seat, book)
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        if book[api.species(card), judge.CARE] == 1.0:
            cost[i] += api.param(seat, 1) * judge.hold(table, card)
    after = judge.hand_chances(table, seat, book)
    return judge.play_or_discard(table, seat, book, cost, after, steps, climb, 0.2)
