"""Best paths for rule sets that ask for more than 2 cards: lengths by species, in plain loops.

`length_up[k][s]` is the most cards of a rising path that starts on species s and ends on card k (0 if none);
`length_up_one` the same for paths that start on the 1 of s. `length_down` and `length_down_top` are the same from
card k upwards, to any card of s and to its top value. Longer is never worse, so a minimum length is easy to ask for.
"""

import numpy as np

from arbosim.core.jit import kernel
from arbosim.games.arboretum.lanes import best_points
from arbosim.games.arboretum.state import MAX_SPECIES, OPEN, WIDTH

STEPS = (1, -1, WIDTH, -WIDTH)


@kernel
def worth(table, cards, starts_on_one, ends_on_top, is_mono):
    """Points of a path by its length and ends (R14); 0 if it is too short. If `is_mono`, a long one counts double."""
    if cards < table["min_path"]:
        return 0
    points = cards
    if is_mono and cards >= table["mono_min"]:
        points += cards
    if starts_on_one:
        points += table["one_bonus"]
    if ends_on_top:
        points += table["top_bonus"]
    return points


@kernel
def best_of(table, below, below_one, above, above_top, v, own_start, own_end, is_mono):
    """Best worth of a path through a card of value v: the longest parts below and above it, with and without bonus.

    `own_start` and `own_end` say whether the path may begin or end on the card itself.
    """
    is_one = v == 1
    is_top = v == table["values"]
    points = 0
    if own_start or below:
        if own_end or above:
            points = max(
                points, worth(table, below + 1 + above, is_one and own_start, is_top and own_end, is_mono)
            )
        if above_top:
            points = max(points, worth(table, below + 1 + above_top, is_one and own_start, True, is_mono))
    if below_one:
        if own_end or above:
            points = max(points, worth(table, below_one + 1 + above, True, is_top and own_end, is_mono))
        if above_top:
            points = max(points, worth(table, below_one + 1 + above_top, True, True, is_mono))
    return points


@kernel
def fill_up(table, scratch, p):
    """Fill the lengths from below, and the best points of every species, for seat p (modified in place)."""
    cards = table["marked_card"][p]
    grid = table["grid"][p]
    up = scratch["length_up"]
    up_one = scratch["length_up_one"]
    low = np.uint64(0)
    high = np.uint64(0)
    best = np.zeros(MAX_SPECIES, np.int64)
    for x in range(table["board_count"][p]):
        k = np.int64(scratch["by_value"][x])
        s = np.int64(cards[k] >> 4)
        v = np.int64(cards[k] & 15)
        cell = np.int64(table["board_cell"][p][k - 1])
        chain = 0
        chain_one = 0
        for t in range(MAX_SPECIES):
            up[k][t] = 0
            up_one[k][t] = 0
        for step in STEPS:
            q = np.int64(grid[cell + step])
            if 0 < q < OPEN and np.int64(cards[q] & 15) < v:
                for t in range(MAX_SPECIES):
                    up[k][t] = max(up[k][t], up[q][t])
                    up_one[k][t] = max(up_one[k][t], up_one[q][t])
                if np.int64(cards[q] >> 4) == s:
                    chain = max(chain, np.int64(scratch["chain_up"][q]))
                    chain_one = max(chain_one, np.int64(scratch["chain_up_one"][q]))
        below = np.int64(up[k][s])
        below_one = np.int64(up_one[k][s])
        found = best_of(table, below, below_one, 0, 0, v, False, True, False)
        found = max(found, best_of(table, chain, chain_one, 0, 0, v, False, True, scratch["mono"]))
        best[s] = max(best[s], found)
        for t in range(MAX_SPECIES):
            if up[k][t]:
                up[k][t] += 1
            if up_one[k][t]:
                up_one[k][t] += 1
        up[k][s] = max(np.int64(up[k][s]), 1)
        chain += 1
        if v == 1:
            up_one[k][s] = 1
            chain_one = 1
        elif chain_one:
            chain_one += 1
        scratch["chain_up"][k] = chain
        scratch["chain_up_one"][k] = chain_one
    for t in range(MAX_SPECIES):
        if t < 8:
            low |= np.uint64(best[t]) << np.uint64(8 * t)
        else:
            high |= np.uint64(best[t]) << np.uint64(8 * t - 64)
    scratch["best_low"] = low
    scratch["best_high"] = high


@kernel
def fill_down(table, scratch, p):
    """Fill the lengths from above, after `fill_up` (modified in place)."""
    cards = table["marked_card"][p]
    grid = table["grid"][p]
    down = scratch["length_down"]
    down_top = scratch["length_down_top"]
    for x in range(table["board_count"][p] - 1, -1, -1):
        k = np.int64(scratch["by_value"][x])
        s = np.int64(cards[k] >> 4)
        v = np.int64(cards[k] & 15)
        cell = np.int64(table["board_cell"][p][k - 1])
        chain = 0
        chain_top = 0
        for t in range(MAX_SPECIES):
            down[k][t] = 0
            down_top[k][t] = 0
        for step in STEPS:
            q = np.int64(grid[cell + step])
            if 0 < q < OPEN and np.int64(cards[q] & 15) > v:
                for t in range(MAX_SPECIES):
                    down[k][t] = max(down[k][t], down[q][t])
                    down_top[k][t] = max(down_top[k][t], down_top[q][t])
                if np.int64(cards[q] >> 4) == s:
                    chain = max(chain, np.int64(scratch["chain_down"][q]))
                    chain_top = max(chain_top, np.int64(scratch["chain_down_top"][q]))
        for t in range(MAX_SPECIES):
            if down[k][t]:
                down[k][t] += 1
            if down_top[k][t]:
                down_top[k][t] += 1
        down[k][s] = max(np.int64(down[k][s]), 1)
        chain += 1
        if v == table["values"]:
            down_top[k][s] = 1
            chain_top = 1
        elif chain_top:
            chain_top += 1
        scratch["chain_down"][k] = chain
        scratch["chain_down_top"][k] = chain_top


@kernel
def aimed_best(table, scratch, p, card, species):
    """Best points of a species on paths through a card on the cell aimed at."""
    cards = table["marked_card"][p]
    s = card >> 4
    v = card & 15
    below = 0
    below_one = 0
    above = 0
    above_top = 0
    chain = 0
    chain_one = 0
    chain_down = 0
    chain_top = 0
    for i in range(scratch["near_count"]):
        q = np.int64(scratch["near"][i])
        other = np.int64(cards[q])
        if (other & 15) < v:
            below = max(below, np.int64(scratch["length_up"][q][species]))
            below_one = max(below_one, np.int64(scratch["length_up_one"][q][species]))
            if other >> 4 == s:
                chain = max(chain, np.int64(scratch["chain_up"][q]))
                chain_one = max(chain_one, np.int64(scratch["chain_up_one"][q]))
        elif (other & 15) > v:
            above = max(above, np.int64(scratch["length_down"][q][species]))
            above_top = max(above_top, np.int64(scratch["length_down_top"][q][species]))
            if other >> 4 == s:
                chain_down = max(chain_down, np.int64(scratch["chain_down"][q]))
                chain_top = max(chain_top, np.int64(scratch["chain_down_top"][q]))
    own = s == species
    points = best_of(table, below, below_one, above, above_top, v, own, own, False)
    if own:
        mono = scratch["mono"]
        points = max(points, best_of(table, chain, chain_one, chain_down, chain_top, v, True, True, mono))
    return points


@kernel
def aimed_gain_of(table, scratch, p, card, species):
    """How much the best points of a species grow with a card on the cell aimed at."""
    return max(aimed_best(table, scratch, p, card, species) - best_points(scratch, species), 0)


@kernel
def aimed_gain(table, scratch, p, card):
    """The sum of that growth over species."""
    total = 0
    for s in range(MAX_SPECIES):
        total += aimed_gain_of(table, scratch, p, card, s)
    return total


@kernel
def aimed_gain_weighted(table, scratch, weight, p, card, own_weight):
    """The sum over species of that growth times `weight[species]`: float64.

    `own_weight` stands for the weight of the card's own species.
    """
    total = 0.0
    for s in range(MAX_SPECIES):
        worth = own_weight if s == card >> 4 else weight[s]
        total += aimed_gain_of(table, scratch, p, card, s) * worth
    return total
