"""A staircase, and a hand that keeps what will score it: the recipe of the best public bots."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="gardener",
    parameters=(
        api.Parameter(
            "steps", 8.0, 0.0, 20.0, "points for a step of the staircase at the start of the game", tune=True
        ),
        api.Parameter(
            "kept",
            0.2,
            0.0,
            1.0,
            "part of the unseen cards that a rival is taken to hold at the start; all at the end",
            tune=True,
        ),
        api.Parameter(
            "margin",
            5.0,
            0.0,
            20.0,
            "lead in a hand sum beyond which, at the start, a card is spare",
            tune=True,
        ),
        api.Parameter(
            "reach",
            40.0,
            0.0,
            80.0,
            "deficit in a hand sum that, at the start, gives a species up",
            tune=True,
        ),
        api.Parameter(
            "doubtful", 0.1, 0.0, 1.0, "what a path point counts where the right is not likely", tune=True
        ),
        api.Parameter(
            "hope", 10.0, 0.0, 40.0, "points that a path may still grow by at the start", tune=True
        ),
    ),
    source="the recipe of the strongest public bots, which turn 63 to 65 % of their path points into score",
    weakness="A right is likely or not, with nothing in between; it takes no discards and denies nobody anything.",
    status="verified",
)
def decide(table, seat):
    """Always the deck, a staircase from a middle card, and no card away that the right to score needs.

    Played is a card that can be spared: one that brings a long rising path of any species on, or path points where the
    right is likely. The lowest of those is discarded. It knows no chances: a rival may hold so much of what is unseen.
    """
    if judge.draws_deck(table, seat, 0):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    judge.assess(table, seat, book, api.param(seat, 5), 0.0)
    if api.phase(seat) == api.DRAW:
        return highest_top(table, book)
    sort_hand(table, seat, book)
    return judge.choose(table, seat, book, api.param(seat, 0) * book[judge.TIME], 0.0, 0.0)


@api.helper
def sort_hand(table, seat, book):
    """Say which rights are likely, and which cards they need: a spare one costs nothing, a needed one its path."""
    time = book[judge.TIME]
    kept = 1.0 - (1.0 - api.param(seat, 1)) * time
    margin = api.param(seat, 2) * time
    reach = api.param(seat, 3) * time
    doubtful = api.param(seat, 4)
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        book[judge.CHANCE + s] = 1.0 if lead(table, book, s, kept) >= 0.0 else doubtful
    judge.weigh_mine(table, seat, book)
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        counts = book[judge.COUNTS + api.value(card)]
        left = lead(table, book, s, kept) - counts
        book[judge.AFTER + i] = 1.0 if left >= 0.0 else doubtful
        book[judge.COST + i] = 0.0
        if counts > 0.0 and left + counts > -reach and left < margin:
            # the higher the card, the more of the right hangs on it
            book[judge.COST + i] = book[judge.MINE + s] * (0.5 + 0.05 * counts)


@api.helper
def lead(table, book, s, kept):
    """How far my hand sum of `s` is above what a rival may hold, if he holds that part of the cards I do not see."""
    top = book[judge.TOP + s] * book[judge.COUNTS + api.top_value(table)]
    return book[judge.SUM + s] + top - kept * book[judge.LOOSE + s]


@api.helper
def highest_top(table, book):
    """The pile whose top counts most for the paths of mine; there is no deck any more."""
    best = -1.0
    source = api.DECK
    for p in range(api.players(table)):
        card = api.pile_top(table, p)
        worth = book[judge.MINE + api.species(card)] * book[judge.COUNTS + api.value(card)]
        if card != 0 and worth > best:
            best = worth
            source = p
    return api.draw(source)
