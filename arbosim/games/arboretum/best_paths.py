"""The best path of every species in one number, for scoring and for the metrics (R13, R14).

Of several paths with the most points the longest counts; of those one that is paid double for its single species,
then one that starts on a 1, then one that ends on the top value. So a path is worth the number `points, cards, double,
starts on 1, ends on top`, the largest of which is the best: every part of it adds up along a path, as points do.
"""

import numpy as np

from arbosim.core.jit import cached_kernel, inline_kernel, kernel
from arbosim.games.arboretum import long_paths
from arbosim.games.arboretum.lanes import lane_get, lane_ones
from arbosim.games.arboretum.paths import from_below, is_wide, sort_by_value
from arbosim.games.arboretum.state import BOARD_MASK

ENDS_TOP, STARTS_ONE, DOUBLE, CARDS, POINTS = 0, 1, 2, 3, 7
"""The lowest bit of each part; a path has at most 10 cards."""
CARDS_MASK = 15


@inline_kernel
def points_of(path):
    """Points of a path, 0 where there is none."""
    return path >> POINTS


@inline_kernel
def pack(table, cards, double, starts_one, ends_top):
    """A path as one number; the last three are 0 or 1."""
    points = cards + cards * double + table["one_bonus"] * starts_one + table["top_bonus"] * ends_top
    return (
        points << POINTS | cards << CARDS | double << DOUBLE | starts_one << STARTS_ONE | ends_top << ENDS_TOP
    )


@inline_kernel
def _best_chain(table, chain, chain_one, ends_top):
    """The best path of one species alone, the longest `chain` cards, and `chain_one` from a 1; 0 if too short."""
    shortest = table["mono_min"]
    if not table["mono_bonus"] or chain < shortest:
        return 0
    path = pack(table, chain, 1, 0, ends_top)
    return max(path, pack(table, chain_one, 1, 1, ends_top)) if chain_one >= shortest else path


@cached_kernel
def fill(table, scratch, best, p):
    """Write the best path of every species in the arboretum of seat p, whatever the right.

    Parameters
    ----------
    scratch : PATHS record, modified in place
    best : int64[MAX_SPECIES], modified in place
    """
    for i in range(table["species_count"]):
        best[table["species"][i]] = 0
    sort_by_value(table, scratch, p)
    if table["min_path"] == 2:
        _fill_short(table, scratch, best, p)
    else:
        long_paths.fill_up(table, scratch, p)
        _fill_long(table, scratch, best, p)


@kernel
def _fill_short(table, scratch, best, p):
    """The usual case, as `paths.fill_up` has it. A byte of a lane is twice the cards of a path, and an odd number more
    if it starts on a 1: the larger byte has the more points, of equal points the more cards.
    """
    cards = table["marked_card"][p]
    cells = table["board_cell"][p]
    grid = table["grid"][p]
    values = table["values"]
    one_more = 2 * table["one_bonus"] - 1 if table["one_bonus"] else 1
    wide = is_wide(table)
    for x in range(table["board_count"][p]):
        k = np.int64(scratch["by_value"][x])
        s = np.int64(cards[k] >> 4)
        v = np.int64(cards[k] & 15)
        cell = np.int64(cells[(k - 1) & BOARD_MASK])
        low, high, chain, chain_one = from_below(scratch, cards, grid, cell, s, v, wide)
        low += lane_ones(low) << np.uint64(1)
        high += lane_ones(high) << np.uint64(1)
        is_one = np.int64(v == 1)
        is_top = np.int64(v == values)
        own = lane_get(low, high, s)
        starts_one = own & 1
        path = pack(table, (own - one_more * starts_one) >> 1, 0, starts_one, is_top) * np.int64(own > 0)
        best[s] = max(best[s], path, _best_chain(table, chain, chain_one, is_top))
        more = np.uint64(max(2 + one_more * is_one - own, 0))
        if s < 8:
            low += more << np.uint64(s * 8)
        else:
            high += more << np.uint64(s * 8 - 64)
        scratch["up_low"][k] = low
        scratch["up_high"][k] = high
        scratch["chain_up"][k] = chain
        scratch["chain_up_one"][k] = chain_one


@kernel
def _fill_long(table, scratch, best, p):
    """The same from the lengths of `long_paths`, where a path needs more than 2 cards."""
    cards = table["marked_card"][p]
    shortest = table["min_path"]
    for k in range(1, table["board_count"][p] + 1):
        s = np.int64(cards[k] >> 4)
        is_top = np.int64(np.int64(cards[k] & 15) == table["values"])
        length = np.int64(scratch["length_up"][k][s])
        length_one = np.int64(scratch["length_up_one"][k][s])
        chain = np.int64(scratch["chain_up"][k])
        chain_one = np.int64(scratch["chain_up_one"][k])
        path = 0
        if length >= shortest:
            path = pack(table, length, 0, 0, is_top)
        if length_one >= shortest:
            path = max(path, pack(table, length_one, 0, 1, is_top))
        double = _best_chain(
            table, chain if chain >= shortest else 0, chain_one if chain_one >= shortest else 0, is_top
        )
        best[s] = max(best[s], path, double)
