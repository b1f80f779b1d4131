"""The sums of a sample of deals and of every replicate of it that the bootstrap draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arbosim.analysis import bootstrap
from arbosim.analysis.balance.sums import Sums

REPLICATES = 1000


class Draws:
    """Sums of a sample, and after it those of every replicate.

    The replicates follow from the deals alone: other rules or strategies on the same deals have the same ones, on
    other deals independent ones. There are none if fewer than `bootstrap.FEWEST` blocks hold games.

    Parameters
    ----------
    sums : Sums
    rules : rule set, optional
    replicates, part : int
        As in `bootstrap.weights`.
    """

    def __init__(self, sums: Sums, rules: Any = None, replicates: int = REPLICATES, part: int = 1) -> None:
        self.sums = sums
        self.rules = rules
        deals = [number for seed, first, end, _ in sums.blocks.ranges for number in (seed, first, end)]
        drawn = bootstrap.weights(sums.played, deals, replicates, part)
        # whole numbers far below 2**53, so sums of floats are exact, in any order
        self._weights = np.vstack([np.ones((1, sums.blocks.count)), drawn])

    def again(self, replicates: int, part: int = 1) -> Draws:
        """Return the same sample with other replicates."""
        return Draws(self.sums, self.rules, replicates, part)

    def total(self, name: str) -> np.ndarray:
        """Return one of the sums in `Sums.table`, float64[1 + replicates]."""
        return self.weighted(self.sums.table[name])

    def weighted(self, by_block: np.ndarray) -> np.ndarray:
        """Return sums of an array whose last axis is that of the blocks, float64[1 + replicates, ...]."""
        return np.asarray(np.moveaxis(by_block @ self._weights.T, -1, 0))

    def each(self, per: Callable[[Any, int], float] | None) -> float:
        """Return a number that follows from rules and number of players; 1 without any."""
        return 1.0 if per is None else per(self.rules, self.sums.players)


def quotient(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Return above / below; NaN where there is nothing below."""
    return np.asarray(
        np.divide(above, below, out=np.full(np.broadcast(above, below).shape, np.nan), where=below > 0)
    )
