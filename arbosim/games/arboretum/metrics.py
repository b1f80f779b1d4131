"""The metrics of a finished game, from its scored records; columns.py says what each of them is."""

import numpy as np

from arbosim.core.jit import inline_kernel, kernel
from arbosim.games.arboretum.best_paths import CARDS, CARDS_MASK, DOUBLE, ENDS_TOP, STARTS_ONE
from arbosim.games.arboretum.columns import METRICS
from arbosim.games.arboretum.scoring import ONE_CANCELS
from arbosim.games.arboretum.state import SEAT_MASK, SOURCES

(
    RIGHTS,
    DENIED,
    PATHS,
    PATH_CARDS,
    LONGEST,
    MONO,
    STARTING_ONE,
    ENDING_TOP,
    SCORED_PATHS,
    SCORED_PATH_CARDS,
    SCORED_LONGEST,
    SCORED_MONO,
    SCORED_STARTING_ONE,
    SCORED_ENDING_TOP,
    TOPS_CANCELLED,
    TAKEN_OWN,
    TAKEN_OTHERS,
    TAKEN_DEEP,
    HAND_POINTS,
) = range(len(METRICS))


@kernel
def begin(table, hidden):
    """Forget the draws of the game before (`hidden` is modified in place)."""
    for p in range(table["players"]):
        for source in range(SOURCES):
            hidden["taken"][p][source] = 0
            hidden["taken_deep"][p][source] = 0


@inline_kernel
def count_draw(table, hidden, source):
    """Count a card that the current seat has just drawn (`hidden` is modified in place)."""
    p = table["current"] & SEAT_MASK
    drawn_from = hidden["drawn_from"] if table["drawn"] > 1 else 0
    hidden["taken"][p][source] += 1
    hidden["taken_deep"][p][source] += (drawn_from >> source) & 1
    hidden["drawn_from"] = drawn_from | 1 << source


@kernel
def measure(table, hidden, out):
    """Write the metrics of a game that `scoring.score` has scored.

    Parameters
    ----------
    out : uint8[len(METRICS) * players], modified in place
        Metric by metric, each seat by seat.
    """
    players = table["players"]
    for p in range(players):
        _measure_paths(table, hidden, out, p)
        _measure_draws(table, hidden, out, p)
        out[TOPS_CANCELLED * players + p] = 0
        held = 0
        for i in range(table["hand_count"][p]):
            held += np.int64(hidden["hand"][p][i] & 15)
        out[HAND_POINTS * players + p] = held
    if table["eight_rule"] == ONE_CANCELS:
        for i in range(table["species_count"]):
            s = table["species"][i]
            holder = hidden["top_at"][s]
            other = hidden["one_at"][s]
            # without a branch: who holds what cannot be predicted; a seat of -1 is none, and counts for none
            is_cancelled = np.int64((holder >= 0) & (other >= 0) & (other != holder))
            out[TOPS_CANCELLED * players + (holder & SEAT_MASK) * is_cancelled] += is_cancelled


@kernel
def _measure_paths(table, hidden, out, p):
    players = table["players"]
    rights = 0
    every = 0
    scored = 0
    longest = 0
    scored_longest = 0
    for i in range(table["species_count"]):
        s = table["species"][i]
        right = hidden["rights"][p][s]
        path = hidden["best"][p][s]
        cards = (path >> CARDS) & CARDS_MASK
        # five counts side by side, one byte each: paths, cards, and three kinds of paths
        counts = (
            np.int64(path > 0)
            | cards << 8
            | ((path >> DOUBLE) & 1) << 16
            | ((path >> STARTS_ONE) & 1) << 24
            | ((path >> ENDS_TOP) & 1) << 32
        )
        rights += right
        every += counts
        scored += counts * right
        longest = max(longest, cards)
        scored_longest = max(scored_longest, cards * right)
    out[RIGHTS * players + p] = rights
    out[DENIED * players + p] = (every & 255) - (scored & 255)
    out[PATHS * players + p] = every & 255
    out[PATH_CARDS * players + p] = (every >> 8) & 255
    out[LONGEST * players + p] = longest
    out[MONO * players + p] = (every >> 16) & 255
    out[STARTING_ONE * players + p] = (every >> 24) & 255
    out[ENDING_TOP * players + p] = every >> 32
    out[SCORED_PATHS * players + p] = scored & 255
    out[SCORED_PATH_CARDS * players + p] = (scored >> 8) & 255
    out[SCORED_LONGEST * players + p] = scored_longest
    out[SCORED_MONO * players + p] = (scored >> 16) & 255
    out[SCORED_STARTING_ONE * players + p] = (scored >> 24) & 255
    out[SCORED_ENDING_TOP * players + p] = scored >> 32


@kernel
def _measure_draws(table, hidden, out, p):
    players = table["players"]
    taken = 0
    deep = 0
    for source in range(players):
        taken += hidden["taken"][p][source]
        deep += hidden["taken_deep"][p][source]
    own = hidden["taken"][p][p]
    out[TAKEN_OWN * players + p] = own
    out[TAKEN_OTHERS * players + p] = taken - own
    out[TAKEN_DEEP * players + p] = deep
