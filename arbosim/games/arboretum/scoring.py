"""Who may score what, and who wins (R11 to R15)."""

import numpy as np

from arbosim.core.jit import inline_kernel, kernel
from arbosim.games.arboretum.best_paths import fill, points_of

ONE_CANCELS, EIGHT_FULL, EIGHT_ZERO = 0, 1, 2
HIGHEST_SUM, MOST_CARDS, ALWAYS = 0, 1, 2


@kernel
def sum_hands(table, hidden):
    """Write each seat's sum of every species into `sums` (R11, R12; modified in place)."""
    sums = hidden["sums"]
    one_at = hidden["one_at"]
    top_at = hidden["top_at"]
    top = table["values"]
    for i in range(table["species_count"]):
        s = table["species"][i]
        one_at[s] = -1
        top_at[s] = -1
        for p in range(table["players"]):
            sums[p][s] = 0
    by_count = table["right"] == MOST_CARDS
    for p in range(table["players"]):
        for i in range(table["hand_count"][p]):
            card = np.int64(hidden["hand"][p][i])
            s = card >> 4
            v = card & 15
            sums[p][s] += 1 if by_count else v
            if v == 1:
                one_at[s] = p
            if v == top:
                top_at[s] = p
    if by_count or table["eight_rule"] == EIGHT_FULL:
        return
    for i in range(table["species_count"]):
        s = table["species"][i]
        holder = top_at[s]
        if holder >= 0 and (table["eight_rule"] == EIGHT_ZERO or (one_at[s] >= 0 and one_at[s] != holder)):
            sums[holder][s] -= top


@kernel
def give_rights(table, hidden):
    """Write 1 into `rights` where a seat may score a species, else 0 (R11; modified in place)."""
    sums = hidden["sums"]
    rights = hidden["rights"]
    players = table["players"]
    for i in range(table["species_count"]):
        s = table["species"][i]
        highest = 0
        holders = 0
        for p in range(players):
            if sums[p][s] > highest:
                highest = sums[p][s]
                holders = 0
            if sums[p][s] == highest:
                holders += 1
        # a zeroed highest card is the one way to hold a species and to have no sum
        is_held = highest > 0 or hidden["top_at"][s] >= 0
        all_tied = holders == 1 or table["tied_right"] == 0 or not is_held
        for p in range(players):
            has = sums[p][s] == highest and all_tied
            rights[p][s] = 1 if has or table["right"] == ALWAYS else 0


@inline_kernel
def score_paths(table, hidden, p):
    """Write the points of the best path of every species of a seat, whatever the rights; return their sum."""
    fill(table, hidden["paths"], hidden["best"][p], p)
    reached = 0
    for i in range(table["species_count"]):
        s = table["species"][i]
        points = points_of(hidden["best"][p][s])
        hidden["points"][p][s] = points
        reached += points
    return reached


@inline_kernel
def count_total(table, hidden, p):
    """The points that a seat has the right to."""
    total = 0
    for i in range(table["species_count"]):
        s = table["species"][i]
        total += hidden["points"][p][s] * hidden["rights"][p][s]
    return total


@kernel
def score(table, hidden):
    """Score the game where it stands: sums, rights, points, totals, kinds and winners (modified in place)."""
    players = table["players"]
    sum_hands(table, hidden)
    give_rights(table, hidden)
    for p in range(players):
        hidden["path_points"][p] = score_paths(table, hidden, p)
        hidden["total"][p] = count_total(table, hidden, p)
        present = 0
        for k in range(table["board_count"][p]):
            present |= 1 << np.int64(table["board_card"][p][k] >> 4)
        kinds = 0
        while present:
            present &= present - 1
            kinds += 1
        hidden["kinds"][p] = kinds
    best = -1
    winners = 0
    for p in range(players):
        # a total is at most 12 * 30 points, so kinds (at most 12) decide only between equal totals
        standing = hidden["total"][p] * 16 + hidden["kinds"][p]
        if standing > best:
            best = standing
            winners = 0
        if standing == best:
            winners |= 1 << p
    hidden["winners"] = winners
