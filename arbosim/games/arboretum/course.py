"""The course of a game: who leads after every turn, and what that says once the winner is known.

A seat's standing after a turn is what it would score if the game ended there, with everyone's hand as it is (R11 to
R13). A lead is the best standing of the winners minus the best of the others, in points; of winners who share the win
the best standing counts. Lead changes and drama follow Browne and Maire (Evolutionary Game Design, 2010) and Ludii,
decisiveness the threshold of Ludii; these use the chances that a search sees where we take points on the table.
"""

import numpy as np

from arbosim.core.jit import inline_kernel, kernel
from arbosim.games.arboretum.columns import COURSE
from arbosim.games.arboretum.scoring import count_total, give_rights, score_paths, sum_hands
from arbosim.games.arboretum.state import MAX_CARDS, MAX_PLAYERS, SEAT_MASK

LEAD_CHANGES, BEHIND, SETTLED, UNSCORED = range(len(COURSE))
MAX_TURNS = MAX_CARDS
"""Each turn lays a card."""
NOBODY = -1


def scratch() -> np.ndarray:
    """Return room for the standings of one game, int32[turns, seats]."""
    return np.zeros((MAX_TURNS, MAX_PLAYERS), np.int32)


@kernel
def begin(table, hidden):
    """Nobody has any path yet (`hidden` is modified in place)."""
    for p in range(table["players"]):
        for i in range(table["species_count"]):
            hidden["points"][p][table["species"][i]] = 0


@inline_kernel
def is_turn_over(table, noted):
    """Tell whether more turns have ended than were noted."""
    return table["turn"] + table["finished"] > noted


@kernel
def note(table, hidden, standings, noted, p):
    """Note where everyone stands after turn number `noted`, counted from 0, which was that of seat p.

    `hidden` and `standings`, int32[turns, seats], are modified in place. The other boards are as they were.
    """
    sum_hands(table, hidden)
    give_rights(table, hidden)
    score_paths(table, hidden, p)
    for q in range(table["players"]):
        standings[noted, q] = count_total(table, hidden, q)


@kernel
def sum_up(table, hidden, standings, turns, out):
    """Write the course of a scored game.

    Parameters
    ----------
    standings : int32[turns, seats]
    out : int32[len(COURSE)], modified in place
    """
    players = table["players"]
    leader = NOBODY
    changes = 0
    behind = 0
    threat = 0  # the largest lead that another seat had over the winners
    for turn in range(turns):
        ahead = _first_alone(standings[turn], players)
        if ahead != NOBODY:
            changes += np.int64(leader != NOBODY and ahead != leader)
            leader = ahead
        lead = _lead(standings[turn], players, hidden["winners"])
        behind += max(-lead, 0)
        threat = max(threat, -lead)
    settled = turns
    while settled > 0 and _lead(standings[settled - 1], players, hidden["winners"]) > threat:
        settled -= 1
    unscored = 0
    for i in range(table["species_count"]):
        s = table["species"][i]
        scored = 0
        for p in range(players):
            scored |= hidden["points"][p][s] * hidden["rights"][p][s]
        unscored += np.int64(scored == 0)
    out[LEAD_CHANGES] = changes
    out[BEHIND] = behind
    out[SETTLED] = min(settled + 1, turns)
    out[UNSCORED] = unscored


@kernel
def _first_alone(standing, players):
    """The seat that stands best, alone."""
    best = -1
    first = NOBODY
    for p in range(players):
        if standing[p] > best:
            best = np.int64(standing[p])
            first = p
        elif standing[p] == best:
            first = NOBODY
    return first


@kernel
def _lead(standing, players, winners):
    """The lead of the winners; 0 if all share the win."""
    best = -1
    other = -1
    for p in range(players):
        if (winners >> (p & SEAT_MASK)) & 1:
            best = max(best, np.int64(standing[p]))
        else:
            other = max(other, np.int64(standing[p]))
    return best - other if other >= 0 else 0
