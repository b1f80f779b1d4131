"""The sums of a sample of deals and of every replicate of it that the bootstrap draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arbosim.analysis.balance.sums import Sums


class Draws:
    """Sums under every row of weights: the first is the sample itself, the others are its replicates.

    Parameters
    ----------
    sums : Sums
    weights : numpy.ndarray, int64[1 + replicates, blocks]
    rules : rule set, optional
    """

    def __init__(self, sums: Sums, weights: np.ndarray, rules: Any = None) -> None:
        self.sums = sums
        self.rules = rules
        # whole numbers far below 2**53, so sums of floats are exact, in any order
        self.weights = weights.astype(float)

    def total(self, name: str) -> np.ndarray:
        """Return one of the sums in `Sums.table`, float64[1 + replicates]."""
        return self.weighted(self.sums.table[name])

    def weighted(self, by_block: np.ndarray) -> np.ndarray:
        """Return sums whose last axis is that of the blocks, float64[1 + replicates, ...]."""
        return np.asarray(np.moveaxis(by_block @ self.weights.T, -1, 0))

    def each(self, per: Callable[[Any, int], float] | None) -> float:
        """Return a number that follows from rules and number of players; 1 without any."""
        return 1.0 if per is None else per(self.rules, self.sums.players)


def quotient(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Return above / below; NaN where there is nothing below."""
    return np.asarray(
        np.divide(above, below, out=np.full(np.broadcast(above, below).shape, np.nan), where=below > 0)
    )
