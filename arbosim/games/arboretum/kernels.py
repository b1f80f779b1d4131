"""The rules of play: dealing, and one decision at a time (R2 to R10)."""

import numpy as np

from arbosim.core.jit import inline_kernel
from arbosim.core.rng import SHIFT32, STREAM_DECK, STREAM_EXTRA_CARDS, fill_words
from arbosim.games.arboretum.state import (
    BOARD_MASK,
    CELL_MASK,
    CENTRE,
    DECK,
    DISCARD,
    DRAW,
    GRID,
    HAND_MASK,
    IN_ARBORETUM,
    IN_HAND,
    IN_PILE,
    MAX_CARDS,
    MAX_HAND,
    MAX_SPECIES,
    MAX_VALUES,
    OPEN,
    OPEN_MASK,
    PILE_MASK,
    PLAY,
    SEAT_MASK,
    SOURCE_MASK,
    UNSEEN,
    WIDTH,
)

STEPS = (1, -1, WIDTH, -WIDTH)
MASTER_SPECIES = 10
MASTER_VALUES = 8
MASTER_CARDS = MASTER_SPECIES * MASTER_VALUES
"""The standard cards of 4 players: shuffled as one deck for every rule set, so that common cards keep their order."""
EXTRA_CARDS = MAX_CARDS - MASTER_CARDS
MASTER = np.array([s * 16 + v for s in range(MASTER_SPECIES) for v in range(1, MASTER_VALUES + 1)], np.uint8)

LEGAL, GAME_OVER, NO_SUCH_SOURCE, EMPTY_SOURCE, NOT_IN_HAND, NOT_OPEN, NOT_A_PLAY, NOT_A_DISCARD = range(8)
"""What `step` answers: LEGAL, or why an action is refused."""


@inline_kernel
def shuffle(deck, master, setup, words, seed, deal):
    """Write the deck of a deal into `deck`, bottom first; return its number of cards.

    The species that take part stand for as many first ones of the master deck, in their order: a rule set with other
    species by name has the same deals with other names.

    Parameters
    ----------
    deck : uint8[MAX_CARDS], modified in place
    master : uint8[MAX_CARDS], words : uint64[MASTER_CARDS], modified in place
        Scratch.
    setup : SETUP record
    """
    fill_words(words, MASTER_CARDS // 4, seed, deal, STREAM_DECK)
    for i in range(MASTER_CARDS):
        master[i] = MASTER[i]
    for i in range(MASTER_CARDS - 1, 0, -1):
        j = np.int64((words[i] * np.uint64(i + 1)) >> SHIFT32)
        held = master[i]
        master[i] = master[j]
        master[j] = held
    named = setup["named"]
    n = 0
    for i in range(MASTER_CARDS):
        card = named[master[i]]
        deck[n] = card
        n += np.int64(card > 0)
    if setup["extra_cards"]:
        fill_words(words, EXTRA_CARDS // 4, seed, deal, STREAM_EXTRA_CARDS)
        extra = 0
        for s in range(MAX_SPECIES):
            for v in range(1, MAX_VALUES + 1):
                if s < MASTER_SPECIES and v <= MASTER_VALUES:
                    continue
                card = named[s * 16 + v]
                if card:
                    j = np.int64((words[extra] * np.uint64(n + 1)) >> SHIFT32)
                    for i in range(n, j, -1):
                        deck[i] = deck[i - 1]
                    deck[j] = card
                    n += 1
                extra += 1
    return n


@inline_kernel
def clear(table):
    """Take all cards off the table (modified in place); cells that no card touched are left alone."""
    for p in range(table["players"]):
        grid = table["grid"][p]
        for k in range(table["board_count"][p]):
            grid[table["board_cell"][p][k]] = 0
            table["board_cell"][p][k] = 0
            table["board_card"][p][k] = 0
            table["marked_card"][p][k + 1] = 0
        for i in range(table["open_count"][p]):
            grid[table["open_cell"][p][i]] = 0
            table["open_cell"][p][i] = 0
        for i in range(table["pile_count"][p]):
            table["pile"][p][i] = 0
        table["board_count"][p] = 0
        table["open_count"][p] = 1
        table["open_cell"][p][0] = CENTRE
        grid[CENTRE] = OPEN
        table["pile_count"][p] = 0
        table["hand_count"][p] = 0
    table["source_count"] = 0
    table["turn"] = 0
    table["current"] = 0
    table["drawn"] = 0
    table["finished"] = 0
    table["phase"] = DRAW


@inline_kernel
def begin(table, seats, hidden, setup, deck, deck_size, first_slot):
    """Deal: hands seat by seat, then the starting discards (R3, R4); all records are modified in place.

    Parameters
    ----------
    deck : uint8[MAX_CARDS]
        Bottom first.
    setup : SETUP record
    first_slot : int
        The record of seat p is `seats[(p + first_slot) % players]`: records stay with their strategies.
    """
    clear(table)
    players = table["players"]
    where = table["where"]
    for i in range(MAX_CARDS):
        hidden["pile"][DECK][i] = deck[i]
    for i in range(deck_size):
        where[deck[i]] = UNSEEN
    hidden["deck_size"] = deck_size
    left = deck_size
    slot = first_slot
    for p in range(players):
        seat = seats[slot]
        slot = slot + 1 if slot + 1 < players else 0
        count = setup["dealt"][p]
        seat["seat"] = p
        seat["hand_count"] = count
        table["hand_count"][p] = count
        for i in range(count, MAX_HAND):
            seat["hand"][i] = 0
        for i in range(count):
            left -= 1
            card = deck[left]
            hidden["hand"][p][i] = card
            seat["hand"][i] = card
            hidden["place"][card] = i
    for p in range(players):
        if setup["starts"][p]:
            left -= 1
            _put_on_pile(table, hidden, p, deck[left])
    table["pile_count"][DECK] = left
    table["source_count"] += 1 if left else 0


@inline_kernel
def _put_on_pile(table, hidden, p, card):
    n = table["pile_count"][p] & PILE_MASK
    hidden["pile"][p][n] = card
    table["pile"][p][n] = card
    table["pile_count"][p] = n + 1
    table["source_count"] += 1 if n == 0 else 0
    table["where"][card] = IN_PILE + p
    if table["top_only"] and n > 0:
        table["where"][table["pile"][p][n - 1]] = UNSEEN
        table["pile"][p][n - 1] = 0


@inline_kernel
def _take(table, hidden, source):
    n = (table["pile_count"][source] - 1) & PILE_MASK
    card = np.int64(hidden["pile"][source][n])
    table["pile"][source][n] = 0
    table["pile_count"][source] = n
    table["source_count"] -= 1 if n == 0 else 0
    if table["top_only"] and n > 0 and source != DECK:
        uncovered = hidden["pile"][source][n - 1]
        table["pile"][source][n - 1] = uncovered
        table["where"][uncovered] = IN_PILE + source
    return card


@inline_kernel
def _drop_from_hand(table, seat, hidden, p, place):
    n = (table["hand_count"][p] - 1) & HAND_MASK
    last = hidden["hand"][p][n]
    hidden["hand"][p][place] = last
    hidden["place"][last] = place
    seat["hand"][place] = last
    seat["hand"][n] = 0
    seat["hand_count"] = n
    table["hand_count"][p] = n


@inline_kernel
def place_card(table, p, card, cell):
    """Lay a card on an open cell of the arboretum of seat p; unchecked."""
    grid = table["grid"][p]
    opened = table["open_cell"][p]
    n = (table["open_count"][p] - 1) & OPEN_MASK
    i = (np.int64(grid[cell]) - OPEN) & OPEN_MASK
    last = opened[n]
    opened[i] = last
    grid[last] = OPEN + i
    k = table["board_count"][p] & BOARD_MASK
    grid[cell] = k + 1
    table["board_card"][p][k] = card
    table["board_cell"][p][k] = cell
    table["marked_card"][p][k + 1] = card
    table["board_count"][p] = k + 1
    for step in STEPS:
        # without a branch: whether a neighbour is new cannot be predicted
        near = (cell + step) & CELL_MASK
        mark = np.int64(grid[near])
        opened[n] = near
        grid[near] = OPEN + n if mark == 0 else mark
        n += 1 if mark == 0 else 0
    opened[n] = 0
    table["open_count"][p] = n
    table["where"][card] = IN_ARBORETUM + p


@inline_kernel
def _end_turn(table):
    last = table["players"] - 1
    p = table["current"]
    if table["pile_count"][DECK] == 0 and (not table["equal_turns"] or p == last):
        table["finished"] = 1
        return
    table["current"] = p + 1 if p < last else 0
    table["turn"] += 1
    table["drawn"] = 0
    table["phase"] = DRAW if table["source_count"] else PLAY


@inline_kernel
def step(table, seat, hidden, action):
    """Carry out one decision of the current seat, or refuse it.

    Parameters
    ----------
    seat : record of the seat to decide; table, seat and hidden are modified in place
    action : int64
        A source; `PLAY_ACTION | card << 16 | cell`; or `DISCARD_ACTION | card`.

    Returns
    -------
    int64
        LEGAL, or the reason of the refusal; then nothing has changed.
    """
    if table["finished"]:
        return GAME_OVER
    p = table["current"] & SEAT_MASK
    phase = table["phase"]
    if phase == DRAW:
        if action < 0 or action > DECK:
            return NO_SUCH_SOURCE
        source = action & SOURCE_MASK
        if table["pile_count"][source] == 0:
            return EMPTY_SOURCE if source == DECK or source < table["players"] else NO_SUCH_SOURCE
        card = _take(table, hidden, source)
        # without a branch: which source is drawn from cannot be predicted
        table["where"][card] = UNSEEN if source == DECK else IN_HAND + p
        n = table["hand_count"][p] & HAND_MASK
        hidden["hand"][p][n] = card
        hidden["place"][card] = n
        seat["hand"][n] = card
        seat["hand_count"] = n + 1
        table["hand_count"][p] = n + 1
        drawn = table["drawn"] + 1
        table["drawn"] = drawn
        if drawn >= table["draws"] or table["source_count"] == 0:
            table["phase"] = PLAY
        return LEGAL
    if phase == PLAY:
        if action >> 24 != 1:
            return NOT_A_PLAY
        card = (action >> 16) & 0xFF
        cell = action & 0xFFFF
        place = np.int64(hidden["place"][card])
        if place >= table["hand_count"][p] or np.int64(hidden["hand"][p][place]) != card:
            return NOT_IN_HAND
        if cell >= GRID or table["grid"][p][cell] < OPEN:
            return NOT_OPEN
        _drop_from_hand(table, seat, hidden, p, place)
        place_card(table, p, card, cell)
    else:
        if action >> 8 != 1:
            return NOT_A_DISCARD
        card = action & 0xFF
        place = np.int64(hidden["place"][card])
        if place >= table["hand_count"][p] or np.int64(hidden["hand"][p][place]) != card:
            return NOT_IN_HAND
        _drop_from_hand(table, seat, hidden, p, place)
        _put_on_pile(table, hidden, p, card)
    if table["hand_count"][p] > table["hand_size"]:
        table["phase"] = DISCARD
    else:
        _end_turn(table)
    return LEGAL
