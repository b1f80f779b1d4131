"""What they need, they shall not have."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="denier",
    parameters=(
        api.Parameter(
            "spite", 1.3, 0.0, 5.0, "weight of the strongest rival's points against its own", tune=True
        ),
        api.Parameter(
            "kindness", 1.0, 0.0, 3.0, "weight of what a discard brings the next player", tune=True
        ),
        api.Parameter(
            "hate", True, meaning="draws discards only because the next player needs them", ability=True
        ),
        api.Parameter("own", True, meaning="draws discards that it needs itself", ability=True),
    ),
    source="hate-drafting: a 1 held against an 8, a high card against a long path",
    weakness="A point denied to one of several rivals helps the others as much as itself.",
    status="verified",
)
def decide(table, seat):
    """It keeps, and draws out of spite, what the others' paths need to score; its own paths come second.

    The points of the strongest rival's best path count more than its own. No discard of it feeds the next player.
    """
    hates = api.flag(seat, 2)
    if judge.draws_deck(table, seat, max(hates, api.flag(seat, 3))):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    judge.assess(table, seat, book, 10.0, api.param(seat, 0))
    if api.phase(seat) == api.DRAW and api.deck_count(table) > 0 and hates == 1:
        hated = most_needed(table, seat, book, 5.0)
        if hated != api.DECK:
            return api.draw(hated)
        judge.face_myself(table, seat, book)
    deck = 3.0 if api.flag(seat, 3) == 1 else 1000.0
    return judge.choose(table, seat, book, 3.0 * book[judge.TIME], deck, api.param(seat, 1))


@api.helper
def most_needed(table, seat, book, least):
    """The pile whose top brings the next player most, if that is more than `least` points; else the deck."""
    judge.face_next(table, seat, book)
    best = least
    source = api.DECK
    for p in range(api.players(table)):
        card = api.pile_top(table, p)
        if card != 0:
            worth = judge.gift(table, seat, book, card)
            if worth > best:
                best = worth
                source = p
    return source
