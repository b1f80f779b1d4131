"""The last play and discard of a game: every pair of them, scored."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge
from arbosim_strategies import _rollouts as rollouts

WORLDS = 8
"""Worlds to average over where it is not known who holds the unseen cards."""


@api.helper
def is_here(table, seat):
    """Whether nothing is left of the game but one play and one discard of mine."""
    is_last = api.equal_turns(table) == 0 or api.me(seat) == api.players(table) - 1
    is_pair = api.phase(seat) == api.PLAY and api.hand_count(seat) == api.hand_size(table) + 2
    return is_pair and is_last and api.deck_count(table) == 0


@api.helper
def best_pair(table, seat):
    """The play and the discard that bring most on average.

    What a play does to the paths does not depend on the discard, and who has which right not on the cell, so that
    a card on every cell and with every discard is enough to know all pairs.
    """
    me = api.me(seat)
    world = api.new_world(table, seat)
    unseen = np.zeros(api.MAX_CARDS, np.uint8)
    count = api.unseen_cards(table, seat, unseen)
    worlds = 1 if api.players(table) == 2 and api.discard_memory(table) == api.MEMORY_ALL else WORLDS
    book = api.notes(seat)
    judge.list_cells(table, book, me)
    cells = int(book[judge.CELL_COUNT])
    cards = api.hand_count(seat)
    worth = np.zeros((cards, cells, cards), np.float64)
    paths = np.zeros((cells, judge.SPECIES), np.int64)
    for _ in range(worlds):
        api.shuffle_cards(seat, unseen, count)
        for i in range(cards):
            for j in range(cells):
                _settle(table, seat, world, unseen, i, int(book[judge.CELLS + j]), 0 if i else 1)
                for s in range(judge.SPECIES):
                    paths[j, s] = api.path_points(world, me, s)
            for k in range(cards):
                if k != i:
                    _settle(table, seat, world, unseen, i, int(book[judge.CELLS]), k)
                    for j in range(cells):
                        mine = 0
                        for n in range(api.species_count(table)):
                            s = api.species_at(table, n)
                            mine += paths[j, s] * api.has_right(world, me, s)
                        worth[i, j, k] += rollouts.worth(world, me, mine)
    best = -1.0
    card = 0
    cell = 0
    dropped = 0
    for i in range(cards):
        for j in range(cells):
            for k in range(cards):
                if k != i and worth[i, j, k] > best:
                    best = worth[i, j, k]
                    card = i
                    cell = j
                    dropped = k
    play = api.play(api.hand_card(seat, card), int(book[judge.CELLS + cell]))
    return play, api.discard(api.hand_card(seat, dropped))


@api.inline_helper
def _settle(table, seat, world, unseen, played, cell, dropped):
    """Score a world after a play and a discard of hand cards, given by their places."""
    api.rewind(table, seat, world, unseen)
    api.carry_out(world, api.world_seat(world), api.play(api.hand_card(seat, played), cell))
    api.carry_out(world, api.world_seat(world), api.discard(api.hand_card(seat, dropped)))
    api.settle(world)
