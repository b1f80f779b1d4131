"""The chance of every right at the end of the game, from the unseen cards and those that are known.

A species is meant by its place in `api.species_at`. The cards between the 1 and the highest one make a *middle* sum,
whose distribution is counted out for every rival; the highest card and the 1 that can cancel it are taken one by one.
"""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge

SPECIES = 12
SEATS = 4
SUMS = 48  # no middle sum is larger: 2 + 3 + ... + 9 = 44

ODDS = np.dtype(
    [
        # by rival, species and middle sum: the chance of that sum or less
        ("below", np.float64, (SEATS, SPECIES, SUMS)),
        # by rival and species: the chance that the rival holds the 1; the same of the highest card
        ("one", np.float64, (SEATS, SPECIES)),
        ("top", np.float64, (SEATS, SPECIES)),
        # the chance that the rival holds most among the rivals
        ("best", np.float64, (SEATS, SPECIES)),
        # by value: what a card counts for the right; entry 0 is 1 if the 1 cancels the highest card
        ("counts", np.int64, (12,)),
    ],
    align=True,
)
"""What the rivals may hold."""


@api.helper
def count(table, seat, odds, laid, reads):
    """Count out what the rivals may hold at the end; `odds` must hold zeros.

    Parameters
    ----------
    laid : float64[SEATS, SPECIES]
        Cards in the arboretums.
    reads : int
        1 to expect that rivals keep what is worth keeping; 0 to expect blind luck, and that they keep what they took.
    """
    players = api.players(table)
    top = api.top_value(table)
    me = api.me(seat)
    for v in range(1, top + 1):
        odds["counts"][v] = int(judge.hold(table, v))
    if api.eight_rule(table) == api.ONE_CANCELS and api.right_rule(table) != api.MOST_CARDS:
        odds["counts"][0] = 1
    hidden = 0.0
    for p in range(players):
        if p != me:
            hidden += api.hand_count_of(table, p) - api.known_count(table, p)
    unseen = max(1.0, api.deck_count(table) + hidden)
    if api.discard_memory(table) == api.TOP_ONLY:
        for p in range(players):
            unseen += max(0, api.pile_count(table, p) - 1)
    turns = reads * api.deck_count(table) / max(1, api.draws(table)) / players
    for p in range(players):
        if p != me:
            blind = (api.hand_count_of(table, p) - api.known_count(table, p)) / unseen
            for i in range(api.species_count(table)):
                wanted = min(2.0, laid[p, i]) + min(2.0, laid[me, i]) - 1.0
                _count_rival(table, seat, odds, p, i, blind, turns, wanted)
    for i in range(api.species_count(table)):
        if players == 2:
            odds["best"][1 - me, i] = 1.0
        else:
            _rank_rivals(table, odds, me, i)


@api.helper
def _count_rival(table, seat, odds, p, i, blind, turns, wanted):
    """Count out what rival `p` may hold of species `i`.

    How often an unseen card, and one known to be in his hand, is there at the end was counted in games of strong
    players, by the turns that are left; the fractions follow these counts to some hundredths (docs/expert.md).
    """
    s = api.species_at(table, i)
    top = api.top_value(table)
    by_value = 0.7 * turns / (turns + 1.3)
    by_species = 0.25 * turns / (turns + 4.0)
    stays = 2.0 / (2.0 + turns)
    ways = odds["below"][p, i]
    ways[0] = 1.0
    for v in range(1, top + 1):
        card = api.card(s, v)
        where = api.where(table, card)
        high = 0.0
        if 1 < v < top:
            high = (2 * v - top) / max(1, top - 2)
        elif v == 1:
            high = -0.7
        part = 0.0
        if where == 1 + p:
            part = min(1.0, stays * (1.0 + (1.0 - stays) * 0.6 * high))
        elif where == api.UNSEEN and not api.has_card(seat, card):
            part = min(1.0, blind * (1.0 + by_value * high) * (1.0 + by_species * wanted))
        if v == 1:
            odds["one"][p, i] = part
        elif v == top:
            odds["top"][p, i] = part
        elif part > 0.0:
            worth = odds["counts"][v]
            for x in range(SUMS - 1, worth - 1, -1):
                ways[x] = (1.0 - part) * ways[x] + part * ways[x - worth]
            for x in range(worth):
                ways[x] *= 1.0 - part
    for x in range(1, SUMS):
        ways[x] += ways[x - 1]


@api.helper
def _rank_rivals(table, odds, me, i):
    """Fill in the chance of each rival to hold most among the rivals, the 1 and the highest card at their mean."""
    players = api.players(table)
    top = odds["counts"][api.top_value(table)]
    for p in range(players):
        if p != me:
            mine = int(odds["one"][p, i] * odds["counts"][1] + odds["top"][p, i] * top + 0.5)
            total = 0.0
            for x in range(SUMS):
                chance = odds["below"][p, i, x] - (odds["below"][p, i, x - 1] if x > 0 else 0.0)
                if chance > 0.0:
                    for q in range(players):
                        if q not in (me, p):
                            his = int(odds["one"][q, i] * odds["counts"][1] + odds["top"][q, i] * top + 0.5)
                            chance *= at_most(odds, q, i, x + mine - his)
                    total += chance
            odds["best"][p, i] = total


@api.inline_helper
def at_most(odds, p, i, x):
    """Chance that a rival's middle sum is `x` or less."""
    if x < 0:
        return 0.0
    return odds["below"][p, i, min(x, SUMS - 1)]


@api.helper
def mine(table, seat, odds, i, middle, one, top):
    """My chance of the right of species number `i` with these cards: a middle sum, and whether the 1 and the top."""
    if api.right_rule(table) == api.ALWAYS:
        return 1.0
    players = api.players(table)
    me = api.me(seat)
    cancels = odds["counts"][0]
    low = odds["counts"][1]
    high = odds["counts"][api.top_value(table)]
    total = 0.0
    none_has_one = 1.0
    for holder in range(-1, players):
        if holder == me:
            continue
        if holder < 0:
            for p in range(players):
                if p != me:
                    none_has_one -= odds["one"][p, i]
            chance = max(0.0, none_has_one)
        else:
            chance = odds["one"][holder, i]
        if chance <= 0.0:
            continue
        sum_mine = middle + one * low + top * high
        if cancels == 1 and holder >= 0:
            sum_mine -= top * high
        sum_mine -= 1 if api.tied_right(table) == api.TIED_NOBODY and sum_mine > 0 else 0
        for p in range(players):
            if p != me:
                x = sum_mine - (low if p == holder else 0)
                his = odds["top"][p, i]
                # his highest card counts nothing if I, or a third one, hold the 1
                beaten = cancels == 1 and (one == 1 or (holder >= 0 and holder != p))
                if his <= 0.0 or beaten:
                    chance *= at_most(odds, p, i, x)
                else:
                    chance *= (1.0 - his) * at_most(odds, p, i, x) + his * at_most(odds, p, i, x - high)
        total += chance
    return total


@api.helper
def his(table, odds, i, p, middle, one, top):
    """The chance of rival `p` of that right if I hold these cards."""
    if api.right_rule(table) == api.ALWAYS:
        return 1.0
    cancels = odds["counts"][0]
    low = odds["counts"][1]
    high = odds["counts"][api.top_value(table)]
    has_one = odds["one"][p, i]
    has_top = odds["top"][p, i]
    tied = 1 if api.tied_right(table) == api.TIED_ALL else 0
    sum_mine = middle + one * low + top * high
    # without the 1 in his hand; then with it
    total = (1.0 - has_one) * _at_least(odds, i, p, sum_mine - tied, high, has_top, cancels * one)
    if has_one > 0.0:
        x = sum_mine - cancels * top * high - low
        total += has_one * _at_least(odds, i, p, x - tied, high, has_top, 0)
    return total * odds["best"][p, i]


@api.inline_helper
def _at_least(odds, i, p, x, high, has_top, beaten):
    """Chance that a rival's sum is above `x`."""
    without = 1.0 - at_most(odds, p, i, x)
    if has_top <= 0.0 or beaten == 1:
        return without
    return (1.0 - has_top) * without + has_top * (1.0 - at_most(odds, p, i, x - high))
