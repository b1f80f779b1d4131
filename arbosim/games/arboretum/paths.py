"""The best paths of an arboretum, and what one more card would gain (R13, R14).

For every card, `up` holds for each species the most points of a rising path that starts on that species and ends on
the card (a start on a 1 is worth `one_bonus` more), and `down` the same from the card upwards to an end of that
species (an end on the top value is worth `top_bonus` more). One byte a species, in two uint64 words, filled in
order of value, with byte-wise maximum in plain integer arithmetic: all bytes stay below 128 (a path has at most 10
cards and bonuses of at most 5 + 5). A path of one species can be worth more: for it, chains carry their length.
Points hide lengths, so rule sets with a minimum path above 2 cards use `long_paths` instead.
"""

import numpy as np

from arbosim.core.jit import kernel
from arbosim.games.arboretum import long_paths
from arbosim.games.arboretum.state import MAX_SPECIES, OPEN, WIDTH

ZERO = np.uint64(0)
TOP_BITS = np.uint64(0x8080808080808080)
LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
ONES = np.uint64(0x0101010101010101)
EVEN_BYTES = np.uint64(0x00FF00FF00FF00FF)
BYTE = np.uint64(0xFF)
SEVEN = np.uint64(7)
EIGHT = np.uint64(8)
SIXTEEN = np.uint64(16)
THIRTY_TWO = np.uint64(32)
WORD16 = np.uint64(0xFFFF)
STEPS = (1, -1, WIDTH, -WIDTH)


@kernel
def lane_max(a, b):
    """Byte-wise maximum of two words whose bytes are below 128."""
    at_least = ((a | TOP_BITS) - b) & TOP_BITS
    mask = at_least - (at_least >> SEVEN)
    return b ^ ((a ^ b) & mask)


@kernel
def lane_ones(a):
    """A 1 in every byte that is not 0."""
    return ((a + LOW_BITS) & TOP_BITS) >> SEVEN


@kernel
def lane_sum(a):
    """The sum of the bytes of a word."""
    a = (a & EVEN_BYTES) + ((a >> EIGHT) & EVEN_BYTES)
    a = a + (a >> SIXTEEN)
    return np.int64((a + (a >> THIRTY_TWO)) & WORD16)


@kernel
def lane_get(low, high, species):
    """The byte of a species as int64."""
    if species < 8:
        return np.int64((low >> np.uint64(species * 8)) & BYTE)
    return np.int64((high >> np.uint64(species * 8 - 64)) & BYTE)


@kernel
def sort_by_value(table, scratch, p):
    """Write the places of seat p's arboretum into `by_value`, lowest card value first (modified in place)."""
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
        scratch["by_value"][start[v]] = k
        start[v] += 1


@kernel
def fill_up(table, scratch, p):
    """Fill `up`, `chain_up` and `best` of a scratch record for the arboretum of seat p (modified in place)."""
    cards = table["board_card"][p]
    cells = table["board_cell"][p]
    grid = table["grid"][p]
    values = table["values"]
    one_bonus = table["one_bonus"]
    top_bonus = table["top_bonus"]
    mono_min = table["mono_min"]
    mono = table["mono_bonus"]
    sort_by_value(table, scratch, p)
    best_low = ZERO
    best_high = ZERO
    for x in range(table["board_count"][p]):
        k = scratch["by_value"][x]
        s = np.int64(cards[k] >> 4)
        v = np.int64(cards[k] & 15)
        cell = np.int64(cells[k])
        low = ZERO
        high = ZERO
        chain = 0
        chain_one = 0
        for step in STEPS:
            q = np.int64(grid[cell + step])
            if 0 < q < OPEN:
                other = np.int64(cards[q - 1])
                if (other & 15) < v:
                    low = lane_max(low, scratch["up_low"][q - 1])
                    high = lane_max(high, scratch["up_high"][q - 1])
                    if other >> 4 == s:
                        chain = max(chain, np.int64(scratch["chain_up"][q - 1]))
                        chain_one = max(chain_one, np.int64(scratch["chain_up_one"][q - 1]))
        low += lane_ones(low)
        high += lane_ones(high)
        end_bonus = top_bonus if v == values else 0
        start_points = 1 + (one_bonus if v == 1 else 0)
        own = lane_get(low, high, s)
        found = own + end_bonus if own else 0
        chain += 1
        if v == 1:
            chain_one = 1
        elif chain_one:
            chain_one += 1
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
    cards = table["board_card"][p]
    cells = table["board_cell"][p]
    grid = table["grid"][p]
    values = table["values"]
    for x in range(table["board_count"][p] - 1, -1, -1):
        k = scratch["by_value"][x]
        s = np.int64(cards[k] >> 4)
        v = np.int64(cards[k] & 15)
        cell = np.int64(cells[k])
        low = ZERO
        high = ZERO
        chain = 0
        chain_top = 0
        for step in STEPS:
            q = np.int64(grid[cell + step])
            if 0 < q < OPEN:
                other = np.int64(cards[q - 1])
                if (other & 15) > v:
                    low = lane_max(low, scratch["down_low"][q - 1])
                    high = lane_max(high, scratch["down_high"][q - 1])
                    if other >> 4 == s:
                        chain = max(chain, np.int64(scratch["chain_down"][q - 1]))
                        chain_top = max(chain_top, np.int64(scratch["chain_down_top"][q - 1]))
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


@kernel
def fill_best(table, scratch, p):
    """Compute the best points of every species in the arboretum of seat p, whatever the right (modified in place)."""
    if table["min_path"] == 2:
        fill_up(table, scratch, p)
    else:
        sort_by_value(table, scratch, p)
        long_paths.fill_up(table, scratch, p)


@kernel
def fill_tables(table, scratch, p):
    """Compute all that `gain` needs for the arboretum of seat p (modified in place)."""
    fill_best(table, scratch, p)
    if table["min_path"] == 2:
        fill_down(table, scratch, p)
    else:
        long_paths.fill_down(table, scratch, p)


@kernel
def best_points(scratch, species):
    """Points of the best path of a species after `fill_best`."""
    return lane_get(scratch["best_low"], scratch["best_high"], species)


@kernel
def aim(table, scratch, p, cell):
    """Note the neighbours of a cell in the arboretum of seat p, for the gains of several cards there."""
    grid = table["grid"][p]
    count = 0
    for step in STEPS:
        q = np.int64(grid[cell + step])
        if 0 < q < OPEN:
            scratch["near"][count] = q - 1
            count += 1
    scratch["near_count"] = count


@kernel
def _mono_through(table, scratch, p, s, v):
    """Points of the best path of species s alone through a card of value v on the cell aimed at; 0 if too short."""
    cards = table["board_card"][p]
    below = 0
    below_one = 0
    above = 0
    above_top = 0
    for i in range(scratch["near_count"]):
        q = scratch["near"][i]
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


@kernel
def aimed_best(table, scratch, p, card):
    """Best points of every species on paths through a card on the cell aimed at: a pair of lane words."""
    cards = table["board_card"][p]
    s = card >> 4
    v = card & 15
    up_low = ZERO
    up_high = ZERO
    down_low = ZERO
    down_high = ZERO
    same = 0
    for i in range(scratch["near_count"]):
        q = scratch["near"][i]
        other = np.int64(cards[q])
        if (other & 15) < v:
            up_low = lane_max(up_low, scratch["up_low"][q])
            up_high = lane_max(up_high, scratch["up_high"][q])
        elif (other & 15) > v:
            down_low = lane_max(down_low, scratch["down_low"][q])
            down_high = lane_max(down_high, scratch["down_high"][q])
        if other >> 4 == s:
            same = 1
    both_low = lane_ones(up_low) & lane_ones(down_low)
    both_high = lane_ones(up_high) & lane_ones(down_high)
    # one more point for the card itself, and only where the path has both a start and an end
    low = (up_low + down_low + ONES) & ((both_low << EIGHT) - both_low)
    high = (up_high + down_high + ONES) & ((both_high << EIGHT) - both_high)
    own = 0
    start = lane_get(up_low, up_high, s)
    if start:
        own = start + 1 + (table["top_bonus"] if v == table["values"] else 0)
    end = lane_get(down_low, down_high, s)
    if end:
        own = max(own, end + 1 + (table["one_bonus"] if v == 1 else 0))
    if same and table["mono_bonus"]:
        own = max(own, _mono_through(table, scratch, p, s, v))
    more = np.uint64(max(own - lane_get(low, high, s), 0))
    if s < 8:
        low += more << np.uint64(s * 8)
    else:
        high += more << np.uint64(s * 8 - 64)
    return low, high


@kernel
def aimed_gain(table, scratch, p, card):
    """How much the sum over species of the best points grows if a card is laid on the cell aimed at."""
    if table["min_path"] != 2:
        total = 0
        for s in range(MAX_SPECIES):
            total += max(long_paths.aimed_best(table, scratch, p, card, s) - best_points(scratch, s), 0)
        return total
    low, high = aimed_best(table, scratch, p, card)
    low = lane_max(low, scratch["best_low"]) - scratch["best_low"]
    high = lane_max(high, scratch["best_high"]) - scratch["best_high"]
    if low | high:
        return lane_sum(low) + lane_sum(high)
    return 0


@kernel
def aimed_gain_weighted(table, scratch, p, card):
    """The same with each species' growth times `weight[species]` of the scratch record: float64."""
    total = 0.0
    if table["min_path"] != 2:
        for s in range(MAX_SPECIES):
            growth = long_paths.aimed_best(table, scratch, p, card, s) - best_points(scratch, s)
            if growth > 0:
                total += growth * scratch["weight"][s]
        return total
    low, high = aimed_best(table, scratch, p, card)
    low = lane_max(low, scratch["best_low"]) - scratch["best_low"]
    high = lane_max(high, scratch["best_high"]) - scratch["best_high"]
    s = 0
    while low:
        total += np.int64(low & BYTE) * scratch["weight"][s]
        low = low >> EIGHT
        s += 1
    s = 8
    while high:
        total += np.int64(high & BYTE) * scratch["weight"][s]
        high = high >> EIGHT
        s += 1
    return total


@kernel
def aimed_gain_of(table, scratch, p, card, species):
    """The same for one species."""
    if table["min_path"] != 2:
        reached = long_paths.aimed_best(table, scratch, p, card, species)
    else:
        low, high = aimed_best(table, scratch, p, card)
        reached = lane_get(low, high, species)
    return max(reached - best_points(scratch, species), 0)
