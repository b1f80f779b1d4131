"""Worlds: games of a player's own, in which the cards that he cannot see lie anywhere where they may.

A world is a set of records of the same kind as the game's, made from nothing but the table and the player's own seat.
He may play it on from where the game stands, as often as he likes and as anybody would.
"""

import numpy as np

from arbosim.core.jit import inline_kernel, kernel
from arbosim.core.rng import below, seed_stream
from arbosim.games.arboretum import kernels, scoring
from arbosim.games.arboretum.state import (
    CARD_CODES,
    CARD_MASK,
    DECK,
    HIDDEN,
    IN_HAND,
    MAX_CARDS,
    MAX_HAND,
    MAX_OPEN,
    MEMORY,
    NO_TABLES,
    SEAT,
    SEAT_MASK,
    SOURCES,
    TABLE,
    UNSEEN,
)


@kernel
def new_world(table, seat):
    """Make a world where the game stands, with no card yet where the player cannot see it.

    Returns
    -------
    tuple
        A TABLE record, one SEAT record a player and a HIDDEN record, each in an array.
    """
    tables = np.zeros(1, TABLE)
    seats = np.zeros(table["players"], SEAT)
    hiddens = np.zeros(1, HIDDEN)
    own = tables[0]
    own["players"] = table["players"]
    own["species_count"] = table["species_count"]
    for i in range(table["species_count"]):
        own["species"][i] = table["species"][i]
    own["values"] = table["values"]
    own["hand_size"] = table["hand_size"]
    own["draws"] = table["draws"]
    own["eight_rule"] = table["eight_rule"]
    own["mono_bonus"] = table["mono_bonus"]
    own["mono_min"] = table["mono_min"]
    own["one_bonus"] = table["one_bonus"]
    own["top_bonus"] = table["top_bonus"]
    own["min_path"] = table["min_path"]
    own["right"] = table["right"]
    own["tied_right"] = table["tied_right"]
    own["top_only"] = table["top_only"]
    own["equal_turns"] = table["equal_turns"]
    for p in range(table["players"]):
        seats[p]["seat"] = p
        # streams of their own, away from the player's and from each other, should anybody in the world throw dice
        seed_stream(seats[p]["rng"], seat["rng"][0], seat["rng"][1], p)
    return tables, seats, hiddens


@kernel
def unseen_cards(table, seat, cards):
    """Write the cards that a player cannot see into `cards` (uint8[MAX_CARDS], modified in place); return how many."""
    held = np.zeros(CARD_CODES, np.uint8)
    for i in range(seat["hand_count"]):
        held[seat["hand"][i]] = 1
    count = 0
    for i in range(table["species_count"]):
        first = table["species"][i] * 16
        for card in range(first + 1, first + table["values"] + 1):
            if table["where"][card & CARD_MASK] == UNSEEN and held[card & CARD_MASK] == 0:
                cards[count] = card
                count += 1
    return count


@kernel
def shuffle_cards(seat, cards, count):
    """Shuffle the first `count` of some cards (uint8, modified in place) with the player's own stream."""
    for i in range(count - 1, 0, -1):
        j = below(seat["rng"], i + 1)
        held = cards[i]
        cards[i] = cards[j]
        cards[j] = held


@kernel
def rewind(table, seat, world, cards):
    """Put a world back to where the game stands, with the unseen cards in this order where they may be.

    They go to the hands of the others, seat by seat; under the tops of the piles if these are all that is
    remembered; and into the draw pile, its bottom first.
    """
    own = world[0][0]
    hidden = world[2][0]
    me = seat["seat"] & SEAT_MASK
    _copy_arboretums(table, own)
    _copy_public(table, own, hidden)
    dealt = 0
    for p in range(table["players"]):
        mine = world[1][p]
        count = table["hand_count"][p]
        if p == me:
            for i in range(count):
                mine["hand"][i] = seat["hand"][i]
        else:
            known = _known_cards(table, p, mine["hand"])
            for i in range(known, count):
                mine["hand"][i] = cards[dealt]
                dealt += 1
        for i in range(count, MAX_HAND):
            mine["hand"][i] = 0
        mine["hand_count"] = count
        for i in range(count):
            hidden["hand"][p][i] = mine["hand"][i]
            hidden["place"][mine["hand"][i]] = i
        for i in range(MEMORY):
            mine["memory"][i] = 0
        for q in range(table["players"]):
            mine["tabled"][q] = NO_TABLES
    if table["top_only"]:
        for p in range(table["players"]):
            for i in range(table["pile_count"][p] - 1):
                hidden["pile"][p][i] = cards[dealt]
                dealt += 1
    for i in range(table["pile_count"][DECK]):
        hidden["pile"][DECK][i] = cards[dealt]
        dealt += 1


@inline_kernel
def _copy_arboretums(table, own):
    """Lay the arboretums anew; cells that no card touches are left alone."""
    for p in range(table["players"]):
        grid = own["grid"][p]
        for k in range(own["board_count"][p]):
            grid[own["board_cell"][p][k]] = 0
        for i in range(own["open_count"][p]):
            grid[own["open_cell"][p][i]] = 0
        for k in range(table["board_count"][p], own["board_count"][p]):
            own["board_cell"][p][k] = 0
            own["board_card"][p][k] = 0
            own["marked_card"][p][k + 1] = 0
        for k in range(table["board_count"][p]):
            cell = table["board_cell"][p][k]
            own["board_cell"][p][k] = cell
            own["board_card"][p][k] = table["board_card"][p][k]
            own["marked_card"][p][k + 1] = table["marked_card"][p][k + 1]
            grid[cell] = table["grid"][p][cell]
        for i in range(table["open_count"][p]):
            cell = table["open_cell"][p][i]
            own["open_cell"][p][i] = cell
            grid[cell] = table["grid"][p][cell]
        for i in range(table["open_count"][p], min(own["open_count"][p] + 1, MAX_OPEN)):
            own["open_cell"][p][i] = 0
        own["board_count"][p] = table["board_count"][p]
        own["open_count"][p] = table["open_count"][p]


@inline_kernel
def _copy_public(table, own, hidden):
    """Copy what else everyone sees."""
    own["turn"] = table["turn"]
    own["current"] = table["current"]
    own["phase"] = table["phase"]
    own["drawn"] = table["drawn"]
    own["finished"] = table["finished"]
    own["source_count"] = table["source_count"]
    for p in range(table["players"]):
        own["hand_count"][p] = table["hand_count"][p]
    for card in range(CARD_CODES):
        own["where"][card] = table["where"][card]
    for q in range(SOURCES):
        own["pile_count"][q] = table["pile_count"][q]
    for p in range(table["players"]):
        for i in range(MAX_CARDS):
            own["pile"][p][i] = table["pile"][p][i]
            hidden["pile"][p][i] = table["pile"][p][i]


@inline_kernel
def _known_cards(table, p, hand):
    """Write the cards that everyone knows to be in the hand of a seat into `hand`; return how many."""
    count = 0
    for i in range(table["species_count"]):
        first = table["species"][i] * 16
        for card in range(first + 1, first + table["values"] + 1):
            if table["where"][card & CARD_MASK] == IN_HAND + p:
                hand[count] = card
                count += 1
    return count


@inline_kernel
def to_decide(world):
    """The seat record of the player whose turn it is, ready to decide."""
    own = world[0][0]
    seat = world[1][own["current"]]
    seat["phase"] = own["phase"]
    seat["tables_of"] = NO_TABLES
    seat["overlooks_mono"] = 0
    return seat


@inline_kernel
def carry_out(world, seat, action):
    """Carry out an action of the player whose turn it is, given his seat record in this world.

    Raises
    ------
    ValueError
        The action is not legal; nothing has changed. Without it, whoever plays on until the game is over would do so
        for ever.
    """
    if kernels.step(world[0][0], seat, world[2][0], action) != kernels.LEGAL:
        raise ValueError("api.carry_out: the world does not allow this action, or its game is over")


@kernel
def score(world):
    """Score the world as it stands."""
    scoring.score(world[0][0], world[2][0])
