"""Rights by counting."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge

SUMS = 64  # no sum of a species is larger: 1 + 2 + ... + 10 = 55


@api.strategy(
    name="counter",
    parameters=(
        api.Parameter(
            "kept", 0.3, 0.0, 1.0, "part of the cards to be drawn that a rival keeps to the end", tune=True
        ),
        api.Parameter("rivals", 1.0, 0.0, 3.0, "weight of a rival's points against its own", tune=True),
        api.Parameter(
            "steps", 5.0, 0.0, 20.0, "points for a step of a rising path at the start of the game", tune=True
        ),
        api.Parameter("discards", True, meaning="draws from discard piles", ability=True),
        api.Parameter("counts", True, meaning="remembers buried discards and cards taken up", ability=True),
    ),
    source="card counting: every card is seen, in hand, or among those that can be counted as unseen",
    weakness="Counts what may be in a hand, not what its owner would keep there.",
    status="verified",
)
def decide(table, seat):
    """It counts the unseen cards and works out the chance of every right, sum by sum, instead of guessing it.

    For each species all ways in which the unseen cards may lie in the rivals' hands are added up. A card stays
    in hand for the chance that hangs on it.
    """
    if judge.draws_deck(table, seat, api.flag(seat, 3)):
        return api.draw(api.DECK)
    counts = api.flag(seat, 4)
    book = judge.open_book(table, seat, counts)
    judge.assess(table, seat, book, 5.0, api.param(seat, 1))
    odds = count_sums(table, seat, book, counts, api.param(seat, 0))
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        book[judge.CHANCE + s] = chance(table, book, odds, s, 0, 0)
    judge.weigh_mine(table, seat, book)
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        book[judge.AFTER + i] = chance(table, book, odds, s, api.value(card), -1)
        lost = book[judge.CHANCE + s] - book[judge.AFTER + i]
        book[judge.COST + i] = lost * (book[judge.MINE + s] + book[judge.THEIRS + s])
    return judge.choose(table, seat, book, api.param(seat, 2) * book[judge.TIME], 2.5, 0.4)


@api.helper
def count_sums(table, seat, book, counts, kept):
    """By species and sum: the chance that no rival's sum is higher, the highest card apart.

    The last place of a row holds the chance that a rival has the highest card.
    """
    odds = np.zeros((judge.SPECIES, SUMS), np.float64)
    ways = np.zeros(SUMS, np.float64)
    players = api.players(table)
    top = api.top_value(table)
    in_hands = 0.0
    for p in range(players):
        in_hands += book[judge.SHARE + p]
    later = max(0.0, 1.0 - in_hands) * kept / players
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        for x in range(SUMS - 1):
            odds[s, x] = 1.0
        for p in range(players):
            if p != api.me(seat):
                part = min(1.0, book[judge.SHARE + p] + later)
                count_hand(table, book, ways, p, s, counts, part)
                below = 0.0
                for x in range(SUMS - 1):
                    below += ways[x]
                    odds[s, x] *= below
                card = api.card(s, top)
                where = judge.place(table, card, counts)
                if where == 1 + p:
                    odds[s, SUMS - 1] = 1.0
                elif where == 0 and book[judge.HELD + card] == 0.0:
                    odds[s, SUMS - 1] = min(1.0, odds[s, SUMS - 1] + part)
    return odds


@api.helper
def count_hand(table, book, ways, p, s, counts, part):
    """Fill in the chance of every sum of species `s` in the hand of `p`, the highest card apart.

    `part` is the chance that an unseen card is there.
    """
    for x in range(SUMS):
        ways[x] = 0.0
    ways[0] = 1.0
    for v in range(1, api.top_value(table)):
        card = api.card(s, v)
        worth = int(book[judge.COUNTS + v])
        where = judge.place(table, card, counts)
        if where == 1 + p:
            add_card(ways, worth, 1.0)
        elif where == 0 and book[judge.HELD + card] == 0.0:
            add_card(ways, worth, part)


@api.helper
def add_card(ways, worth, part):
    """Let a card that is worth so much be in the hand with that chance; `ways` is modified in place."""
    for x in range(SUMS - 2, worth - 1, -1):
        ways[x] = (1.0 - part) * ways[x] + part * ways[x - worth]
    for x in range(worth):
        ways[x] *= 1.0 - part


@api.helper
def chance(table, book, odds, s, value, change):
    """My chance of the right of `s` with a card of that value more (`change` 1) or less (-1) in my hand."""
    if api.right_rule(table) == api.ALWAYS:
        return 1.0
    top = api.top_value(table)
    mine = book[judge.SUM + s]
    one = book[judge.ONE + s]
    highest = book[judge.TOP + s]
    if value == top:
        highest += change
    else:
        mine += change * book[judge.COUNTS + value]
        if value == 1:
            one += change
    if api.tied_right(table) == api.TIED_NOBODY:
        mine -= 1.0
    counts = int(book[judge.COUNTS + top])
    cancels = book[judge.CANCELS] == 1.0
    theirs = 0.0 if cancels and one > 0.0 else odds[s, SUMS - 1]
    sure = none_higher(odds, s, int(mine + highest * counts), theirs, counts)
    if cancels and one == 0.0 and highest > 0.0:
        fear = judge.fear(book, s, value, change)
        return (1.0 - fear) * sure + fear * none_higher(odds, s, int(mine), theirs, counts)
    return sure


@api.helper
def none_higher(odds, s, mine, theirs, counts):
    """Chance that no rival has more than `mine`; `theirs` is the chance that one has the highest card."""
    if mine < 0:
        return 0.0
    with_top = odds[s, mine - counts] if mine >= counts else 0.0
    return (1.0 - theirs) * odds[s, mine] + theirs * with_top
