"""Rights by counting."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge

SUMS = 64  # no sum of a species is larger: 1 + 2 + ... + 10 = 55


@api.strategy(
    name="counter",
    parameters=(
        api.Parameter("kept", 0.3, 0.0, 1.0, "part of the cards still to be drawn that a rival keeps to the end"),
        api.Parameter("rivals", 0.7, 0.0, 3.0, "weight of a rival's points against its own"),
        api.Parameter("steps", 1.5, 0.0, 10.0, "points for a step of a rising path at the start of the game"),
        api.Parameter("discards", True, meaning="draws from discard piles", ability=True),
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
    if api.phase(seat) == api.DRAW and api.flag(seat, 3) == 0 and api.deck_count(table) > 0:
        return api.draw(api.DECK)
    book = judge.open_book(table, seat)
    judge.set_points(table, seat, book, 5.0, api.param(seat, 1))
    odds = count_sums(table, seat, api.param(seat, 0))
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        book[s, judge.CHANCE] = chance(table, book, odds, s, 0, 1)
        api.weigh(seat, s, book[s, judge.CHANCE])
    climb = judge.survey_climb(table, api.me(seat))
    steps = api.param(seat, 2) * judge.time_left(table)
    if api.phase(seat) == api.DRAW:
        return judge.best_source(table, seat, book, steps, climb, 2.5)
    cost = np.zeros(judge.HAND, np.float64)
    after = np.zeros(judge.HAND, np.float64)
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        after[i] = chance(table, book, odds, s, api.value(card), -1)
        cost[i] = (book[s, judge.CHANCE] - after[i]) * (book[s, judge.MINE] + book[s, judge.THEIRS])
    return judge.play_or_discard(table, seat, book, cost, after, steps, climb, 0.4)


@api.helper
def count_sums(table, seat, kept):
    """By species and sum: the chance that no rival's sum is higher, the highest card apart.

    The last place of a row holds the chance that a rival has the highest card.
    """
    odds = np.zeros((judge.SPECIES, SUMS), np.float64)
    ways = np.zeros(SUMS, np.float64)
    share = judge.shares(table, seat)
    players = api.players(table)
    top = api.top_value(table)
    in_hands = 0.0
    for p in range(players):
        in_hands += share[p]
    later = max(0.0, 1.0 - in_hands) * kept / players
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        odds[s, :] = 1.0
        odds[s, SUMS - 1] = 0.0
        for p in range(players):
            if p != api.me(seat):
                part = min(1.0, share[p] + later)
                ways[:] = 0.0
                ways[0] = 1.0
                for v in range(1, top):
                    card = api.card(s, v)
                    if api.known_in_hand(table, p, card) == 1:
                        _add(ways, np.int64(judge.hold(table, card)), 1.0)
                    elif api.is_unseen(table, seat, card) == 1:
                        _add(ways, np.int64(judge.hold(table, card)), part)
                below = 0.0
                for x in range(SUMS - 1):
                    below += ways[x]
                    odds[s, x] *= below
                card = api.card(s, top)
                if api.known_in_hand(table, p, card) == 1:
                    odds[s, SUMS - 1] = 1.0
                elif api.is_unseen(table, seat, card) == 1:
                    odds[s, SUMS - 1] = min(1.0, odds[s, SUMS - 1] + part)
    return odds


@api.helper
def _add(ways, counts, part):
    """Let a card that counts so much be in the hand with that chance; `ways` is modified in place."""
    for x in range(SUMS - 2, counts - 1, -1):
        ways[x] = (1.0 - part) * ways[x] + part * ways[x - counts]
    for x in range(counts):
        ways[x] *= 1.0 - part


@api.helper
def chance(table, book, odds, s, value, change):
    """My chance of the right of species `s` when a card of that value joins (1) or leaves (-1) my hand; 0: as it is."""
    top = api.top_value(table)
    mine = book[s, judge.SUM]
    one = book[s, judge.ONE]
    highest = book[s, judge.TOP]
    if value == top:
        highest += change
    elif value > 0:
        mine += change * judge.hold(table, api.card(s, value))
        if value == 1:
            one += change
    if api.right_rule(table) == api.ALWAYS:
        return 1.0
    counts = np.int64(judge.hold(table, api.card(s, top)))
    mine -= 0.0 if api.tied_right(table) == api.TIED_ALL else 1.0
    theirs = odds[s, SUMS - 1]
    if judge.one_cancels(table) and one > 0.0:
        theirs = 0.0
    sure = _no_higher(odds, s, np.int64(mine + highest * counts), theirs, counts)
    if judge.one_cancels(table) and one == 0.0 and highest > 0.0:
        without = _no_higher(odds, s, np.int64(mine), theirs, counts)
        return (1.0 - book[s, judge.FEAR]) * sure + book[s, judge.FEAR] * without
    return sure


@api.helper
def _no_higher(odds, s, mine, theirs, counts):
    """Chance that no rival has more than `mine`; `theirs` is the chance that one has the highest card."""
    if mine < 0:
        return 0.0
    with_top = odds[s, mine - counts] if mine >= counts else 0.0
    return (1.0 - theirs) * odds[s, mine] + theirs * with_top
