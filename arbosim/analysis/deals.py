"""Result rows seen by deal: which block a deal belongs to, and what each slot of a line-up got in it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

MAX_BLOCKS = 1000
TIE_BREAKERS = ("kinds",)
"""Seat metrics that order equal scores, as far as a game has them."""


class Blocks:
    """Deals cut into at most MAX_BLOCKS blocks of consecutive ones; a block is one deal where they suffice.

    Parameters
    ----------
    ranges : iterable of (seed, first deal, number of deals)
        They may overlap: deal 5 of seed 7 is the same deal in every run.
    """

    def __init__(self, ranges: Iterable[tuple[int, int, int]]) -> None:
        self.ranges: list[
            tuple[int, int, int, int]
        ] = []  # seed, first deal, one after the last, number of the first
        self.deals = 0
        for seed, first, count in sorted(ranges):
            end = first + count
            if self.ranges and self.ranges[-1][0] == seed and first <= self.ranges[-1][2]:
                last = self.ranges.pop()
                self.deals -= last[2] - last[1]
                first, end = last[1], max(last[2], end)
            self.ranges.append((seed, first, end, self.deals))
            self.deals += end - first
        self.size = max(1, math.ceil(self.deals / MAX_BLOCKS))
        self.count = math.ceil(self.deals / self.size)

    def of(self, seed: int, deals: np.ndarray) -> np.ndarray:
        """Return the block of each deal, int64."""
        for known, first, end, number in self.ranges:
            if known == seed and first <= deals[0] and deals[-1] < end:
                return (deals.astype(np.int64) - first + number) // self.size
        raise ValueError(f"deals {deals[0]} to {deals[-1]} of seed {seed} lie in no range")

    def held(self, games: np.ndarray) -> int:
        """Return how many deals there are in the blocks that hold any of the games, counted by block."""
        # an interrupted run may have cut the last of them short
        held = np.flatnonzero(games)
        ends = np.minimum((held + 1) * self.size, self.deals)
        return int((ends - held * self.size).sum())


@dataclass(frozen=True)
class Tables:
    """Rows of one line-up, seen from its slots: arrays of shape (deals, rotations, slots)."""

    deals: np.ndarray  # int64[deals]
    share: np.ndarray  # wins in units of 1 / lcm(1..players), so that sums are whole numbers
    first_seat: np.ndarray  # the same for seat 0, of shape (deals, rotations)
    score: np.ndarray  # int64, -1 in forfeited games
    points: np.ndarray | None  # sum of best paths, int64
    order: np.ndarray  # who finishes above: the larger number, int64
    shared: np.ndarray  # bool: won together with others
    forfeited: np.ndarray  # bool: by this slot
    whole: np.ndarray  # bool, of shape (deals, rotations): nobody forfeited


def unit(players: int) -> int:
    """Return into how many parts a win is divided."""
    return math.lcm(*range(1, players + 1))


def tables(rows: np.ndarray, players: int) -> Tables:
    """Rearrange rows (whole deals, ordered by deal and rotation) by the slots of their line-up."""
    by_deal = rows.reshape(-1, players)
    seats = (np.arange(players)[:, None] + np.arange(players)) % players  # [rotation, slot]
    names = rows.dtype.names or ()

    def by_game(field: str) -> np.ndarray:
        # deals lie next to each other in memory: the other axes are too short for fast loops
        return np.ascontiguousarray(by_deal[field].T, np.int64).T

    def by_slot(field: str) -> np.ndarray:
        found = np.empty((players, players, len(by_deal)), np.int64)
        for rotation, slot in np.ndindex(players, players):
            found[rotation, slot] = by_deal[f"{field}_{seats[rotation, slot]}"][:, rotation]
        return found.transpose(2, 0, 1)

    winners, error = by_game("winners"), by_game("error")
    parts = unit(players)
    counts = np.array([bits.bit_count() for bits in range(2**players)])
    each = np.where(counts > 0, parts // np.maximum(counts, 1), 0)[winners]
    won = (winners[..., None] >> seats) & 1
    whole = error == 0
    forfeited = error[..., None] == seats + 1
    order = score = by_slot("score")
    for field in TIE_BREAKERS:
        if f"{field}_0" in names:
            order = order * 1024 + by_slot(field)
    return Tables(
        deals=by_deal["deal"][:, 0].astype(np.int64),
        share=won * each[..., None],
        first_seat=(winners & 1) * each,
        score=score,
        points=by_slot("points") if "points_0" in names else None,
        order=np.where(whole[..., None], order, np.where(forfeited, -1, 0)),
        shared=(won == 1) & whole[..., None] & (counts[winners] > 1)[..., None],
        forfeited=forfeited,
        whole=whole,
    )


def by_slot_and_seat(values: np.ndarray) -> np.ndarray:
    """Return values of (deals, rotations, slots) as (deals, slots, seats): each slot sits on each seat once."""
    players = values.shape[-1]
    slots, seats = np.indices((players, players))
    return np.asarray(values[:, (seats - slots) % players, slots])
