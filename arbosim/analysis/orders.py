"""How games ended, as sums by block: what a model of rankings needs, and nothing more.

A ranking with ties is a row of choices (Plackett 1975): the best slots, one or several that tie, are chosen among all,
then the best of the rest, and so on. A choice has its alternatives, the slots that were left, and its chosen ones.
Sums of what was chosen and counts of the alternatives are sufficient for such a model, so neither memory nor a
fit grows with the games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise

import numpy as np


class Shape:
    """The slots of a table, its pairs and its sets of alternatives, and what any order of the slots adds to the sums.

    Attributes
    ----------
    pairs : list of (int, int)
    sets : list of tuple of int
        Two or more slots, the alternatives of a choice.
    table : numpy.ndarray, int64[3 ** pairs, columns]
        By code of an order: sign per pair (1: the first is above), share in choices per slot in parts of ``unit``,
        choices of 1, 2, ... slots, and whether each set was ever the alternatives.
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.unit = math.lcm(*range(1, players + 1))
        slots = range(players)
        self.pairs = list(combinations(slots, 2))
        self.sets = [some for size in range(2, players + 1) for some in combinations(slots, size)]
        widths = np.cumsum([0, len(self.pairs), players, players, len(self.sets)])
        self.of_pairs, self.of_slots, self.of_sizes, self.of_sets = (
            slice(start, end) for start, end in pairwise(widths.tolist())
        )
        self.table = np.zeros((3 ** len(self.pairs), widths[-1]), np.int64)
        for places in np.ndindex(*(players,) * players):  # every order, some of them more than once
            order = -np.array(places)
            self.table[int(self.code(order))] = self._sums(order)

    def code(self, order: np.ndarray) -> np.ndarray:
        """Return the code of orders, of shape (..., slots): the larger number is above."""
        code: np.ndarray = np.zeros(order.shape[:-1], np.int64)
        for a, b in self.pairs:
            code = 3 * code + np.sign(order[..., a] - order[..., b]) + 1
        return code

    def _sums(self, order: np.ndarray) -> np.ndarray:
        sums = np.zeros(self.table.shape[1], np.int64)
        sums[self.of_pairs] = [np.sign(order[a] - order[b]) for a, b in self.pairs]
        left = list(range(self.players))
        while len(left) > 1:
            best = [slot for slot in left if order[slot] == max(order[left])]
            sums[self.of_slots][best] += self.unit // len(best)
            sums[self.of_sizes][len(best) - 1] += 1
            sums[self.of_sets][self.sets.index(tuple(left))] += 1
            left = [slot for slot in left if slot not in best]
        return sums


@cache
def shape(players: int) -> Shape:
    """Return the shape of tables of so many players."""
    return Shape(players)


class Orders:
    """Sums over the orders of many games, by block of deals.

    Parameters
    ----------
    strategies, players, blocks, deals : int
        ``deals`` is the largest number of deals in a block.

    Attributes
    ----------
    of_strategies, of_seats, of_sizes : numpy.ndarray, int64[..., blocks]
        What was chosen: the shares of strategies and of seats in parts of ``shape.unit``, and how often so many at
        once.
    alternatives : dict of tuple to numpy.ndarray of shape (rotations, sets, blocks)
        By line-up, as numbers of strategies: how often each set of slots were the alternatives.
    """

    def __init__(self, strategies: int, players: int, blocks: int, deals: int) -> None:
        self.shape = shape(players)
        self.of_strategies = np.zeros((strategies, blocks), np.int64)
        self.of_seats = np.zeros((players, blocks), np.int64)
        self.of_sizes = np.zeros((players, blocks), np.int64)
        self.alternatives: dict[tuple[int, ...], np.ndarray] = {}
        # a deal is one game per rotation, in which a set is the alternatives once at most
        self._dtype = np.min_scalar_type(deals)

    def add(
        self, line_up: Sequence[int], order: np.ndarray, starts: np.ndarray, at: np.ndarray
    ) -> np.ndarray:
        """Add the games of a line-up.

        Parameters
        ----------
        line_up : sequence of int
            Strategies by slot.
        order : numpy.ndarray, int64[deals, rotations, slots]
            Who finishes above: the larger number.
        starts, at : numpy.ndarray, int64
            Where each block begins among the deals, and which block it is.

        Returns
        -------
        numpy.ndarray, int64[blocks, pairs]
            How often the first of each pair of slots finished above, minus how often below.
        """
        form = self.shape
        players = form.players
        sums = np.add.reduceat(form.table[form.code(order)], starts, axis=0)
        for slot, strategy in enumerate(line_up):
            mine = sums[..., form.of_slots][..., slot]
            self.of_strategies[strategy, at] += mine.sum(axis=1)
            for rotation in range(players):
                self.of_seats[(slot + rotation) % players, at] += mine[:, rotation]
        self.of_sizes[:, at] += sums[..., form.of_sizes].sum(axis=1).T
        key = tuple(line_up)
        if key not in self.alternatives:
            blocks = self.of_seats.shape[1]
            self.alternatives[key] = np.zeros((players, len(form.sets), blocks), self._dtype)
        self.alternatives[key][..., at] += sums[..., form.of_sets].transpose(1, 2, 0).astype(self._dtype)
        signs: np.ndarray = sums[..., form.of_pairs].sum(axis=1)
        return signs
