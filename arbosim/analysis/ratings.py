"""Ratings of strategies in Elo, with intervals over deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbosim.analysis.davidson_luce import Fit, fit
from arbosim.analysis.orders import Orders
from arbosim.analysis.stats import Interval, holm, t_quantile
from arbosim.core.columns import Column

ELO = 400 / math.log(10)
"""Elo per natural unit: 400 points are ten wins to one loss (Elo 1978)."""

COLUMNS = (
    Column("strategy", "str", "", "canonical spec"),
    Column("rating", "float", "Elo", "strength, the mean of all rated strategies being 0"),
    Column("low", "float", "Elo", "lower bound of its 95 % interval, deals being the units"),
    Column("high", "float", "Elo", "upper bound of it"),
    Column("games", "int", "games", "in which it took part"),
)

UNKNOWN = Interval(None, None, None)


@dataclass(frozen=True)
class Ratings:
    """Ratings and what was estimated with them.

    Parameters
    ----------
    strategies : tuple of Interval
        Elo, in the order of the strategies, mean 0. Without values for a strategy that met no other, and where
        strategies fall apart into groups that never met.
    seats : tuple of Interval
        Elo that a seat is worth, mean 0.
    ranks : tuple of int or None
        1 + the number of strategies that are rated higher beyond chance: the t-test of the difference of two ratings
        over the blocks of the one that has fewer, the p-values of all pairs corrected after Holm (1979), at 5 %. None
        without a rating.
    ties : tuple of Interval
        For 2, 3, ... that tie, delta of `arbosim.analysis.davidson_luce`: for two of equal strength, ties are
        delta / (2 + delta) of their games.
    """

    strategies: tuple[Interval, ...]
    ranks: tuple[int | None, ...]
    seats: tuple[Interval, ...]
    ties: tuple[Interval, ...]


def rate(orders: Orders, met: np.ndarray) -> Ratings:
    """Rate the strategies.

    Parameters
    ----------
    met : numpy.ndarray, int[strategies, strategies, blocks]
        How often two strategies met.

    Notes
    -----
    An interval reaches as many standard errors to either side as Student's t says for the number of blocks: that of
    the strategy with the fewest. With one block there is none.
    """
    strategies, players = len(orders.of_strategies), orders.shape.players
    apart = np.zeros((strategies, met.shape[2]), np.int64)
    for one in range(strategies):
        apart[one] = np.delete(met[one], one, axis=0).sum(axis=0)
    rated = np.flatnonzero(apart.any(axis=1))
    if not _connected(met, rated):
        rated = rated[:0]
    played = orders.of_seats.any(axis=0)
    if not played.any():
        nobody = (None,) * strategies
        return Ratings((UNKNOWN,) * strategies, nobody, (UNKNOWN,) * players, (UNKNOWN,) * (players - 1))
    found = fit(orders)
    blocks = {one: int((apart[one] > 0).sum()) for one in rated.tolist()}
    fewest = min(blocks.values(), default=int(played.sum()))
    reach = t_quantile(fewest - 1) * math.sqrt(fewest / (fewest - 1)) if fewest > 1 else None

    def interval(weights: np.ndarray, at: Sequence[int], unit: float) -> Interval:
        value = float(weights @ found.values[at]) * unit
        if reach is None:
            return Interval(value, None, None)
        half = reach * math.sqrt(weights @ found.covariance[np.ix_(at, at)] @ weights) * unit
        return Interval(value, value - half, value + half)

    def centred(at: Sequence[int]) -> list[Interval]:
        return [interval(weights, at, ELO) for weights in np.eye(len(at)) - 1 / max(1, len(at))]

    by_strategy = dict(zip(rated.tolist(), centred(rated.tolist()), strict=True))
    ranks = _ranks(found, blocks)
    first_tie = strategies + players
    ties = [interval(np.ones(1), [at], 1.0) for at in range(first_tie, first_tie + players - 1)]
    return Ratings(
        strategies=tuple(by_strategy.get(one, UNKNOWN) for one in range(strategies)),
        ranks=tuple(ranks.get(one) for one in range(strategies)),
        seats=tuple(centred(range(strategies, first_tie))),
        ties=tuple(_exponential(tie) for tie in ties),
    )


def _ranks(found: Fit, blocks: dict[int, int]) -> dict[int, int]:
    """Return the ranks of `Ratings` by number of the strategy, from the number of its blocks."""
    from scipy.special import stdtr

    couples = [(one, other) for one in blocks for other in blocks if found.values[one] > found.values[other]]
    p_values = []
    for one, other in couples:
        units = min(blocks[one], blocks[other])
        gap = float(found.values[one] - found.values[other])
        both = found.covariance[np.ix_([one, other], [one, other])]
        error = math.sqrt(np.array([1, -1]) @ both @ np.array([1, -1]) * units / max(1, units - 1))
        # few deals prove nothing, however much they agree: the sign test
        p_values.append(max(2 * float(stdtr(max(1, units - 1), -gap / error)), 0.5 ** (units - 1)))
    better = dict.fromkeys(blocks, 0)
    for (_, other), p_value in zip(couples, holm(p_values), strict=True):
        better[other] += p_value < 0.05
    return {one: 1 + count for one, count in better.items()}


def _connected(met: np.ndarray, among: np.ndarray) -> bool:
    """Tell whether each of these strategies has met each other one, directly or through others."""
    if not len(among):
        return True
    ever = np.asarray(met.any(axis=2))
    reached = {int(among[0])}
    added = reached
    while added:
        added = {int(other) for one in added for other in np.flatnonzero(ever[one])} - reached
        reached |= added
    return reached.issuperset(among.tolist())


def _exponential(interval: Interval) -> Interval:
    value, low, high = (
        None if bound is None else math.exp(min(bound, 700.0))  # beyond, it is no number any more
        for bound in (interval.value, interval.low, interval.high)
    )
    return Interval(value, low, high)
