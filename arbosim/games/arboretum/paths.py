"""The best paths of an arboretum, and what one more card would gain (R13, R14).

For every card, `up` holds for each species the most points of a rising path that starts on that species and ends on
the card (a start on a 1 is worth `one_bonus` more), and `down` the same from the card upwards to an end of that
species (an end on the top value is worth `top_bonus` more). One byte a species, in two uint64 words, filled in
order of value, with byte-wise maximum in plain integer arithmetic: all bytes stay below 128 (a path has at most 10
cards and bonuses of at most 5 + 5). A path of one species can be worth more: for it, chains carry their length.
Points hide lengths, so rule sets with a minimum path above 2 cards use `long_paths` instead.
"""

import numpy as np

from arbosim.core.jit import cached_kernel, inline_kernel, kernel
from arbosim.games.arboretum import long_paths
from arbosim.games.arboretum.lanes import (
    BYTE,
    EIGHT,
    ONES,
    ZERO,
    best_points,
    lane_get,
    lane_max,
    lane_ones,
    lane_sum,
)
from arbosim.games.arboretum.state import BOARD_MASK, CELL_MASK, OPEN, WIDTH

STEPS = (1, -1, WIDTH, -WIDTH)


@inline_kernel
def is_wide(table):
    """Whether a species beyond the low word takes part."""
    return table["species"][table["species_count"] - 1] >= 8


@inline_kernel
def sort_by_value(table, scratch, p):
    """Write the marks of seat p's cards into `by_value`, lowest value first (modified in place)."""
    n = table["board_count"][p]
    cards = table["board_card"][p]
    start = scratch["value_start"]
    for v in range(table["values"] + 2):
        start[v] = 0
    for k in range(n):
        start[np.int64(cards[k] & 15) + 1] += 1
    for v in range(1, table["values"] + 2):
        start[v] += start[v - 1]
    for k in range(n):
        v = np.int64(cards[k] & 15)
        scratch["by_value"][start[v]] = k + 1
        start[v] += 1


@inline_kernel
def _lower(cards, grid, cell, v):
    """The mark on a cell if it is that of a card below v, else 0: the mark of nothing, for which all tables hold 0."""
    # without a branch: which neighbours are lower cards cannot be predicted; marks without a card have value 0
    q = np.int64(grid[cell & CELL_MASK])
    return q * (((np.int64(cards[q]) & 15) - 1) & 15 < v - 1)


@inline_kernel
def from_below(scratch, cards, grid, cell, s, v, wide):
    """The best that ends on the lower neighbours of a cell: two lane words, and the chains with a card (s, v) added."""
    a = _lower(cards, grid, cell + 1, v)
    b = _lower(cards, grid, cell - 1, v)
    c = _lower(cards, grid, cell + WIDTH, v)
    d = _lower(cards, grid, cell - WIDTH, v)
    up = scratch["up_low"]
    low = lane_max(lane_max(up[a], up[b]), lane_max(up[c], up[d]))
    high = ZERO
    if wide:
        up = scratch["up_high"]
        high = lane_max(lane_max(up[a], up[b]), lane_max(up[c], up[d]))
    a *= np.int64(cards[a]) >> 4 == s
    b *= np.int64(cards[b]) >> 4 == s
    c *= np.int64(cards[c]) >> 4 == s
    d *= np.int64(cards[d]) >> 4 == s
    chains = scratch["chain_up"]
    chain = np.int64(max(max(chains[a], chains[b]), max(chains[c], chains[d])))
    chains = scratch["chain_up_one"]
    chain_one = np.int64(max(max(chains[a], chains[b]), max(chains[c], chains[d])))
    return low, high, chain + 1, chain_one + (chain_one > 0) + (v == 1)


@kernel
def fill_up(table, scratch, p):
    """Fill `up`, `chain_up` and `best` of a scratch record after `sort_by_value` (modified in place)."""
    cards = table["marked_card"][p]
    cells = table["board_cell"][p]
    grid = table["grid"][p]
    values = table["values"]
    one_bonus = table["one_bonus"]
    top_bonus = table["top_bonus"]
    mono_min = table["mono_min"]
    mono = scratch["mono"]
    wide = is_wide(table)
    best_low = ZERO
    best_high = ZERO
    for x in range(table["board_count"][p]):
        k = np.int64(scratch["by_value"][x])
        s = np.int64(cards[k] >> 4)
        v = np.int64(cards[k] & 15)
        cell = np.int64(cells[(k - 1) & BOARD_MASK])
        low, high, chain, chain_one = from_below(scratch, cards, grid, cell, s, v, wide)
        low += lane_ones(low)
        high += lane_ones(high)
        end_bonus = top_bonus if v == values else 0
        start_points = 1 + (one_bonus if v == 1 else 0)
        own = lane_get(low, high, s)
        found = own + end_bonus if own else 0
        if mono and chain >= mono_min:
            found = max(found, 2 * chain + end_bonus)
            if chain_one >= mono_min:
                found = max(found, 2 * chain_one + one_bonus + end_bonus)
        more = np.uint64(max(start_points - own, 0))
        rise = np.uint64(max(found - lane_get(best_low, best_high, s), 0))
        if s < 8:
            low += more << np.uint64(s * 8)
            best_low += rise << np.uint64(s * 8)
        else:
            high += more << np.uint64(s * 8 - 64)
            best_high += rise << np.uint64(s * 8 - 64)
        scratch["up_low"][k] = low
        scratch["up_high"][k] = high
        scratch["chain_up"][k] = chain
        scratch["chain_up_one"][k] = chain_one
    scratch["best_low"] = best_low
    scratch["best_high"] = best_high


@kernel
def fill_down(table, scratch, p):
    """Fill `down` and `chain_down` after `fill_up` (modified in place)."""
    cards = table["marked_card"][p]
    cells = table["board_cell"][p]
    grid = table["grid"][p]
    values = table["values"]
    wide = is_wide(table)
    for x in range(table["board_count"][p] - 1, -1, -1):
        k = np.int64(scratch["by_value"][x])
        s = np.int64(cards[k] >> 4)
        v = np.int64(cards[k] & 15)
        cell = np.int64(cells[(k - 1) & BOARD_MASK])
        low = ZERO
        high = ZERO
        chain = 0
        chain_top = 0
        for step in STEPS:
            q = np.int64(grid[(cell + step) & CELL_MASK])
            other = np.int64(cards[q])
            higher = (other & 15) > v
            low = lane_max(low, scratch["down_low"][q] * np.uint64(higher))
            if wide:
                high = lane_max(high, scratch["down_high"][q] * np.uint64(higher))
            if higher & (other >> 4 == s):
                chain = max(chain, np.int64(scratch["chain_down"][q]))
                chain_top = max(chain_top, np.int64(scratch["chain_down_top"][q]))
        low += lane_ones(low)
        high += lane_ones(high)
        end_points = 1 + (table["top_bonus"] if v == values else 0)
        more = np.uint64(max(end_points - lane_get(low, high, s), 0))
        if s < 8:
            low += more << np.uint64(s * 8)
        else:
            high += more << np.uint64(s * 8 - 64)
        scratch["down_low"][k] = low
        scratch["down_high"][k] = high
        scratch["chain_down"][k] = chain + 1
        if v == values:
            chain_top = 1
        elif chain_top:
            chain_top += 1
        scratch["chain_down_top"][k] = chain_top


@cached_kernel
def fill_tables(table, scratch, p, mono):
    """Compute all that `gain` needs for the arboretum of seat p (modified in place).

    `mono` says whether long paths of one species count double, as the rules have it or not.
    """
    scratch["mono"] = mono
    sort_by_value(table, scratch, p)
    if table["min_path"] == 2:
        fill_up(table, scratch, p)
        fill_down(table, scratch, p)
    else:
        long_paths.fill_up(table, scratch, p)
        long_paths.fill_down(table, scratch, p)


@inline_kernel
def aim(table, scratch, p, cell):
    """Note the neighbours of a cell in the arboretum of seat p, for the gains of several cards there."""
    grid = table["grid"][p]
    count = 0
    for step in STEPS:
        q = np.int64(grid[(cell + step) & CELL_MASK])
        scratch["near"][count] = q
        count += 1 if 0 < q < OPEN else 0
    scratch["near_count"] = count


@cached_kernel
def _mono_through(table, scratch, p, s, v):
    """Points of the best path of species s alone through a card of value v on the cell aimed at; 0 if too short."""
    cards = table["marked_card"][p]
    below = 0
    below_one = 0
    above = 0
    above_top = 0
    for i in range(scratch["near_count"]):
        q = np.int64(scratch["near"][i])
        other = np.int64(cards[q])
        if other >> 4 == s:
            if (other & 15) < v:
                below = max(below, np.int64(scratch["chain_up"][q]))
                below_one = max(below_one, np.int64(scratch["chain_up_one"][q]))
            else:
                above = max(above, np.int64(scratch["chain_down"][q]))
                above_top = max(above_top, np.int64(scratch["chain_down_top"][q]))
    shortest = table["mono_min"]
    start_bonus = table["one_bonus"] if v == 1 else 0
    end_bonus = table["top_bonus"] if v == table["values"] else 0
    points = 0
    if below + 1 + above >= shortest:
        points = 2 * (below + 1 + above) + start_bonus + end_bonus
    if below_one and below_one + 1 + above >= shortest:
        points = max(points, 2 * (below_one + 1 + above) + table["one_bonus"] + end_bonus)
    if above_top and below + 1 + above_top >= shortest:
        points = max(points, 2 * (below + 1 + above_top) + start_bonus + table["top_bonus"])
    if below_one and above_top and below_one + 1 + above_top >= shortest:
        points = max(points, 2 * (below_one + 1 + above_top) + table["one_bonus"] + table["top_bonus"])
    return points


@inline_kernel
def _own_points(table, scratch, p, card):
    """Best points of the card's own species on paths that begin or end on it, or run through it in that species
    alone; and whether the cell aimed at has both lower and higher neighbours, so that others' paths run through.
    """
    cards = table["marked_card"][p]
    s = card >> 4
    v = card & 15
    start = 0
    end = 0
    has_lower = False
    has_higher = False
    has_same = False
    for i in range(scratch["near_count"]):
        q = np.int64(scratch["near"][i])
        other = np.int64(cards[q])
        lower = (other & 15) < v
        higher = (other & 15) > v
        start = max(start, lane_get(scratch["up_low"][q], scratch["up_high"][q], s) * np.int64(lower))
        end = max(end, lane_get(scratch["down_low"][q], scratch["down_high"][q], s) * np.int64(higher))
        has_lower |= lower
        has_higher |= higher
        has_same |= other >> 4 == s
    own = 0
    if start:
        own = start + 1 + (table["top_bonus"] if v == table["values"] else 0)
    if end:
        own = max(own, end + 1 + (table["one_bonus"] if v == 1 else 0))
    if has_same and scratch["mono"]:
        own = max(own, _mono_through(table, scratch, p, s, v))
    return own, has_lower and has_higher


@cached_kernel
def _growth_lanes(table, scratch, p, card, own):
    """Growth of every species' best points with a card on the cell aimed at, as two lane words.

    `own` is what `_own_points` says of the card's own species.
    """
    cards = table["marked_card"][p]
    s = card >> 4
    v = card & 15
    wide = is_wide(table)
    up_low = ZERO
    up_high = ZERO
    down_low = ZERO
    down_high = ZERO
    for i in range(scratch["near_count"]):
        q = np.int64(scratch["near"][i])
        other = np.int64(cards[q])
        lower = np.uint64((other & 15) < v)
        higher = np.uint64((other & 15) > v)
        up_low = lane_max(up_low, scratch["up_low"][q] * lower)
        down_low = lane_max(down_low, scratch["down_low"][q] * higher)
        if wide:
            up_high = lane_max(up_high, scratch["up_high"][q] * lower)
            down_high = lane_max(down_high, scratch["down_high"][q] * higher)
    both_low = lane_ones(up_low) & lane_ones(down_low)
    both_high = lane_ones(up_high) & lane_ones(down_high)
    # one more point for the card itself, and only where the path has both a start and an end
    low = (up_low + down_low + ONES) & ((both_low << EIGHT) - both_low)
    high = (up_high + down_high + ONES) & ((both_high << EIGHT) - both_high)
    more = np.uint64(max(own - lane_get(low, high, s), 0))
    if s < 8:
        low += more << np.uint64(s * 8)
    else:
        high += more << np.uint64(s * 8 - 64)
    low = lane_max(low, scratch["best_low"]) - scratch["best_low"]
    high = lane_max(high, scratch["best_high"]) - scratch["best_high"]
    return low, high


@cached_kernel
def aimed_gain(table, scratch, p, card):
    """How much the sum over species of the best points grows if a card is laid on the cell aimed at."""
    if table["min_path"] != 2:
        return long_paths.aimed_gain(table, scratch, p, card)
    own, through = _own_points(table, scratch, p, card)
    if through:
        low, high = _growth_lanes(table, scratch, p, card, own)
        return lane_sum(low) + lane_sum(high)
    return max(own - best_points(scratch, card >> 4), 0)


@inline_kernel
def aimed_gain_weighted(table, scratch, weight, p, card, own_weight):
    """The same with each species' growth times `weight[species]`: float64.

    `own_weight` stands for the weight of the card's own species.
    """
    own_species = card >> 4
    if table["min_path"] != 2:
        return long_paths.aimed_gain_weighted(table, scratch, weight, p, card, own_weight)
    own, through = _own_points(table, scratch, p, card)
    if not through:
        return max(own - best_points(scratch, own_species), 0) * own_weight
    low, high = _growth_lanes(table, scratch, p, card, own)
    total = 0.0
    s = 0
    while low:
        total += np.int64(low & BYTE) * (own_weight if s == own_species else weight[s])
        low = low >> EIGHT
        s += 1
    s = 8
    while high:
        total += np.int64(high & BYTE) * (own_weight if s == own_species else weight[s])
        high = high >> EIGHT
        s += 1
    return total


@cached_kernel
def aimed_gain_of(table, scratch, p, card, species):
    """The same for one species."""
    if table["min_path"] != 2:
        return long_paths.aimed_gain_of(table, scratch, p, card, species)
    own, through = _own_points(table, scratch, p, card)
    if through:
        low, high = _growth_lanes(table, scratch, p, card, own)
        return lane_get(low, high, species)
    return max(own - best_points(scratch, species), 0) if card >> 4 == species else 0
