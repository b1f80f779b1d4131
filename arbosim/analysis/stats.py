"""Intervals of 95 %. The unit is the block of deals, because the games of a deal share its cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEVEL = 0.95

_ROUNDING = 1e-18
"""A sum of squares below this is rounding, not spread."""
_ROUNDING_OF_VALUES = 1e-12


@dataclass(frozen=True)
class Interval:
    """An estimate with the bounds of its interval; None where the deals say nothing about them.

    Parameters
    ----------
    alike : bool
        Whether there are no bounds because all deals came out alike, and not because there are too few.
    """

    value: float | None
    low: float | None
    high: float | None
    alike: bool = False

    def bounds(self, sign: str = "") -> str:
        """Return the bounds as text; with the sign "+", it is always written."""
        if self.low is None or self.high is None:
            return "all deals alike" if self.alike else "too few deals"
        return f"{self.low:{sign}.4f} to {self.high:{sign}.4f}"

    def text(self, sign: str = "") -> str:
        """Return estimate and bounds as text."""
        return "-" if self.value is None else f"{self.value:{sign}.4f} ({self.bounds(sign)})"


def share(counted: np.ndarray, games: np.ndarray, deals: int) -> Interval:
    """Estimate a share between 0 and 1: the sum of ``counted`` over the sum of ``games``.

    Parameters
    ----------
    counted, games : numpy.ndarray, one number per block
        Blocks are weighted by their games (ratio estimator), so a shorter last block does no harm.
    deals : int
        How many deals the blocks hold. Where the blocks do not differ (all won, or one block only) their
        spread says nothing, and `alike` stands in.
    """
    return _ratio(counted, games, deals, 0.0, 1.0)


def difference(
    counted_a: np.ndarray, games_a: np.ndarray, counted_b: np.ndarray, games_b: np.ndarray, deals: int
) -> Interval:
    """Estimate the difference of two shares over the same blocks, paired block by block."""
    value, residuals = _gap(counted_a, games_a, counted_b, games_b)
    return Interval(None, None, None) if value is None else _around(value, residuals, deals, -1.0, 1.0)


def difference_p(
    counted_a: np.ndarray, games_a: np.ndarray, counted_b: np.ndarray, games_b: np.ndarray, deals: int
) -> float | None:
    """Return the two-sided p-value of `difference`, by Student's t; None without games.

    Where the blocks do not differ, it is that of the interval `alike`: 2 (1 + abs(value))^-n for n of them, which for
    a difference of 1 is that of the sign test. It is never below that of the sign test over deals which all agree: a
    few that happen to be alike prove nothing.
    """
    from scipy.special import stdtr

    value, residuals = _gap(counted_a, games_a, counted_b, games_b)
    if value is None:
        return None
    blocks, spread = len(residuals), float(residuals @ residuals)
    if blocks > 1 and spread > _ROUNDING:
        error = math.sqrt(blocks / (blocks - 1) * spread)
        return max(2 * float(stdtr(blocks - 1, -abs(value) / error)), 0.5 ** (deals - 1))
    units = _alike(value, -1.0, 1.0, deals, blocks)
    return min(1.0, 2 * (1 + abs(value)) ** -units)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number, in the same order (Holm 1979).

    >>> holm([0.03, 0.01, 0.5])
    [0.06, 0.03, 0.5]
    """
    corrected, largest = [0.0] * len(p_values), 0.0
    for done, at in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[at]))
        corrected[at] = largest
    return corrected


def mean(total: np.ndarray, games: np.ndarray) -> Interval:
    """Estimate an unbounded mean; without bounds where the blocks do not differ, be they alike or only one."""
    return _ratio(total, games, 0, -math.inf, math.inf)


def alike(value: float, lowest: float, highest: float, deals: int, blocks: int) -> tuple[float, float]:
    """Return the interval of a mean that is the same in all blocks, so that their spread says nothing.

    With 97.5 % confidence for each bound, less than q = 1 - 0.025^(1/n) of all units are otherwise if none of n is
    (about 3.7 / n, a rule of three); at worst all of these are at the end of what is possible. At the ends themselves
    that is the exact binomial interval (Clopper and Pearson 1934).

    Parameters
    ----------
    lowest, highest : float
        What is possible.
    deals, blocks : int
        The units are the deals if the value is at an end, for then it is there in every deal; otherwise the blocks,
        inside which deals might differ and make up for each other.

    >>> [round(bound, 3) for bound in alike(1.0, 0.0, 1.0, 10, 10)]
    [0.692, 1.0]
    >>> [round(bound, 3) for bound in alike(0.5, 0.0, 1.0, 150, 150)]
    [0.488, 0.512]
    """
    others = 1 - ((1 - LEVEL) / 2) ** (1 / max(1, _alike(value, lowest, highest, deals, blocks)))
    return value - others * (value - lowest), value + others * (highest - value)


def _alike(value: float, lowest: float, highest: float, deals: int, blocks: int) -> int:
    """Return how many units are known to be alike."""
    at_an_end = min(value - lowest, highest - value) < _ROUNDING_OF_VALUES
    return deals if at_an_end else blocks


def t_quantile(freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2))


def _ratio(total: np.ndarray, games: np.ndarray, deals: int, lowest: float, highest: float) -> Interval:
    played = games > 0
    if not played.any():
        return Interval(None, None, None)
    total, games = total[played], games[played]
    value = float(total.sum() / games.sum())
    return _around(value, (total - value * games) / games.sum(), deals, lowest, highest)


def _gap(
    counted_a: np.ndarray, games_a: np.ndarray, counted_b: np.ndarray, games_b: np.ndarray
) -> tuple[float | None, np.ndarray]:
    """Return the difference of two shares, and what each block with games adds to its error."""
    total_a, total_b = games_a.sum(), games_b.sum()
    if not (total_a and total_b):
        return None, np.empty(0)
    share_a, share_b = counted_a.sum() / total_a, counted_b.sum() / total_b
    residuals = (counted_a - share_a * games_a) / total_a - (counted_b - share_b * games_b) / total_b
    return float(share_a - share_b), residuals[(games_a > 0) | (games_b > 0)]


def _around(value: float, residuals: np.ndarray, deals: int, lowest: float, highest: float) -> Interval:
    blocks = len(residuals)
    spread = float(residuals @ residuals)
    if blocks > 1 and spread > _ROUNDING:
        half = t_quantile(blocks - 1) * math.sqrt(blocks / (blocks - 1) * spread)
        return Interval(value, max(lowest, value - half), min(highest, value + half))
    if math.isinf(lowest):
        return Interval(value, None, None, alike=blocks > 1)
    return Interval(value, *alike(value, lowest, highest, deals, blocks))
