"""One species in one long row."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="monochrome",
    parameters=(
        api.Parameter("others", 0.25, 0.0, 1.0, "how much it cares for all other species", tune=True),
        api.Parameter(
            "row", 2.0, 0.0, 10.0, "points for each step of its row besides what the path scores", tune=True
        ),
        api.Parameter(
            "hope", 10.0, 0.0, 20.0, "points that the row may still grow by at the start", tune=True
        ),
        api.Parameter(
            "discards", True, meaning="takes cards of its species from discard piles", ability=True
        ),
    ),
    source="the bonus for paths of four or more cards of one species",
    weakness="A hand sees half of a species at best, and what lies in the row is missing in the hand.",
    status="verified",
)
def decide(table, seat):
    """One long path of a single species: it collects that species from everywhere and lays it in rising order.

    The species in which hand and arboretum are strongest is its own. A card of it goes beside the end of the row;
    cards of other species stay away from the row, where they make small paths by themselves.
    """
    if judge.draws_deck(table, seat, api.flag(seat, 3)):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    for i in range(api.species_count(table)):
        book[judge.CARE + api.species_at(table, i)] = api.param(seat, 0)
    own = judge.most_held(table, seat, book)
    book[judge.CARE + own] = 1.0
    judge.assess(table, seat, book, api.param(seat, 2), 0.0)
    if api.phase(seat) == api.PLAY:
        return lay(table, seat, book, own, api.param(seat, 1))
    if api.phase(seat) == api.DRAW:
        for p in range(api.players(table)):
            if api.pile_count(table, p) > 0 and api.species(api.pile_top(table, p)) == own:
                return api.draw(p)
    return judge.choose(table, seat, book, 0.0, 3.0, 0.2)


@api.helper
def lay(table, seat, book, own, row):
    """The play that brings most points, and most steps of the row of species `own`."""
    me = api.me(seat)
    best = -1e9
    action = 0
    for j in range(int(book[judge.CELL_COUNT])):
        cell = int(book[judge.CELLS + j])
        api.aim(table, seat, me, cell)
        for i in range(api.hand_count(seat)):
            card = api.hand_card(seat, i)
            s = api.species(card)
            api.weigh(seat, s, book[judge.AFTER + i])
            worth = api.aimed_gain_weighted(table, seat, me, card) - book[judge.COST + i]
            api.weigh(seat, s, book[judge.CHANCE + s])
            worth += row * book[judge.AFTER + i] * steps_of_row(table, seat, card, cell, own)
            if worth > best:
                best = worth
                action = api.play(card, cell)
    return action


@api.helper
def steps_of_row(table, seat, card, cell, own):
    """How well the card on that cell continues the row: skipped values count against it, strangers even more."""
    me = api.me(seat)
    touches = False
    gap = 0
    for d in range(4):
        other = api.card_at(table, me, api.neighbour(cell, d))
        if other != 0 and api.species(other) == own:
            touches = True
            gap = max(gap, abs(api.value(card) - api.value(other)) - 1)
    if api.species(card) != own:
        return -0.3 if touches else 0.0
    if touches and api.aimed_gain_species(table, seat, me, card, own) > 0:
        return 1.0 - 0.2 * gap
    return 0.5 if api.board_count(table, me) == 0 else 0.0
