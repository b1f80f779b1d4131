"""Sums over result rows by block of deals, whole numbers all of them: no order of adding changes them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from arbosim.analysis import components
from arbosim.analysis.deals import Blocks, Tables, by_slot_and_seat, tables, unit


class Sums:
    """What metrics of balance follow from; memory does not grow with the rows.

    Parameters
    ----------
    specs : sequence of str
        The strategies, sorted.
    columns : sequence of str
        Columns of rows that are summed over games that nobody forfeited; those of seats over all seats.

    Attributes
    ----------
    table : dict of str to numpy.ndarray, int64[blocks]
        ``games``, and over those that nobody forfeited: ``whole``, ``ties``, ``tie_breaks``, ``unequal_turns``,
        ``margin``, ``score_squares`` and the columns.
    missing : set of str
        Columns that the rows do not have.
    of_seats : set of str
        Columns that each seat has.
    seat_share : numpy.ndarray, int64[seats, blocks]
        Wins by seat, in units of 1 / lcm(1..players), like all shares here.
    share, games : numpy.ndarray, int64[strategies, blocks]
    above, met : numpy.ndarray, int32[strategies, strategies, blocks]
        Half games in which the first finishes above the second, and games in which they met.
    lead, lead_squares, lead_deals : numpy.ndarray, int64[strategies, strategies, blocks]
        Of the first above the second in the upper triangle: what the first won more in all games of a deal of one
        line-up, the squares of that, and how many there are.
    cells : dict of tuple of str to numpy.ndarray, int64[blocks, 4 + seats * seats]
        By line-up, what `arbosim.analysis.components` needs of win shares.
    """

    def __init__(self, specs: Sequence[str], players: int, blocks: Blocks, columns: Sequence[str]) -> None:
        self.specs = tuple(specs)
        self.players = players
        self.blocks = blocks
        self.columns = tuple(columns)
        self.missing: set[str] = set()
        self.of_seats: set[str] = set()
        self.table: dict[str, np.ndarray] = {}
        size, count = len(self.specs), blocks.count
        self.seat_share = np.zeros((players, count), np.int64)
        self.share = np.zeros((size, count), np.int64)
        self.games = np.zeros((size, count), np.int64)
        self.above = np.zeros((size, size, count), np.int32)
        self.met = np.zeros((size, size, count), np.int32)
        self.lead = np.zeros((size, size, count), np.int64)
        self.lead_squares = np.zeros((size, size, count), np.int64)
        self.lead_deals = np.zeros((size, size, count), np.int64)
        self.cells: dict[tuple[str, ...], np.ndarray] = {}
        self._number = {spec: number for number, spec in enumerate(self.specs)}

    @property
    def played(self) -> np.ndarray:
        """Return which blocks hold games, bool[blocks]."""
        return np.asarray(self._sum("games") > 0)

    def add(self, seed: int, line_up: Sequence[str], rows: np.ndarray) -> None:
        """Add rows of one line-up (specs by slot): whole deals, ordered by deal and rotation."""
        if not len(rows):
            return
        played = tables(rows, self.players)
        block = self.blocks.of(seed, played.deals)
        starts = np.flatnonzero(np.diff(block, prepend=block[0] - 1))
        at = block[starts]
        for name, numbers in self._numbers(rows, played).items():
            self._sum(name)[at] += np.add.reduceat(numbers.sum(axis=1), starts)
        entrants = [self._number[spec] for spec in line_up]
        games = np.diff(np.append(starts, len(block))) * self.players
        share = np.add.reduceat(played.share.sum(axis=1), starts)
        for slot, entrant in enumerate(entrants):
            self.games[entrant, at] += games
            self.share[entrant, at] += share[:, slot]
        self._add_pairs(entrants, played, starts, at, games)
        self._add_cells(tuple(line_up), played, starts, at)

    def _sum(self, name: str) -> np.ndarray:
        return self.table.setdefault(name, np.zeros(self.blocks.count, np.int64))

    def _numbers(self, rows: np.ndarray, played: Tables) -> dict[str, np.ndarray]:
        """Return what each game adds, int64[deals, rotations]."""
        players, whole = self.players, played.whole
        score = np.sort(played.score, axis=2)
        best = score[..., -1]
        shared_by = np.bitwise_count(rows["winners"]).reshape(whole.shape)
        numbers = {
            "whole": np.ones(whole.shape, np.int64),
            "ties": shared_by > 1,
            "tie_breaks": (score == best[..., None]).sum(axis=2) > shared_by,
            "unequal_turns": rows["turns"].reshape(whole.shape) % players > 0,
            "margin": best - score[..., -2],
            "score_squares": (score**2).sum(axis=2),
        }
        names = rows.dtype.names or ()
        for column in self.columns:
            if column in names:
                numbers[column] = rows[column].reshape(whole.shape).astype(np.int64)
            elif f"{column}_0" in names:
                self.of_seats.add(column)
                seats = [rows[f"{column}_{seat}"].astype(np.int64) for seat in range(players)]
                numbers[column] = np.sum(seats, axis=0).reshape(whole.shape)
            else:
                self.missing.add(column)
        return {"games": np.ones(whole.shape, np.int64)} | {
            name: values * whole for name, values in numbers.items()
        }

    def _add_pairs(
        self, entrants: Sequence[int], played: Tables, starts: np.ndarray, at: np.ndarray, games: np.ndarray
    ) -> None:
        """Add who finished above whom, and who won how much more."""
        for a, b in combinations(range(self.players), 2):
            if entrants[a] == entrants[b]:
                continue
            first, second = (a, b) if entrants[a] < entrants[b] else (b, a)
            one, other = entrants[first], entrants[second]
            signs = np.sign(played.order[..., first] - played.order[..., second]).sum(axis=1)
            lead = np.add.reduceat(signs, starts)
            self.above[one, other, at] += (games + lead).astype(np.int32)
            self.above[other, one, at] += (games - lead).astype(np.int32)
            self.met[one, other, at] += games.astype(np.int32)
            self.met[other, one, at] += games.astype(np.int32)
            won_more = (played.share[..., first] - played.share[..., second]).sum(axis=1)
            self.lead[one, other, at] += np.add.reduceat(won_more, starts)
            self.lead_squares[one, other, at] += np.add.reduceat(won_more**2, starts)
            self.lead_deals[one, other, at] += games // self.players

    def _add_cells(
        self, line_up: tuple[str, ...], played: Tables, starts: np.ndarray, at: np.ndarray
    ) -> None:
        results = by_slot_and_seat(played.share - unit(self.players) // self.players)
        self.seat_share[:, at] += np.add.reduceat(by_slot_and_seat(played.share).sum(axis=1), starts).T
        sums = np.add.reduceat(components.of_deals(results), starts)
        if line_up not in self.cells:
            self.cells[line_up] = np.zeros((self.blocks.count, sums.shape[1]), np.int64)
        self.cells[line_up][at] += sums
