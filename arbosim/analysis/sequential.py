"""Looking at results while they come in, without fooling oneself: a sequential test and a confidence sequence.

The unit is a deal with all its rotations (a block); its score lies between 0 and 1 and says how the first of two
strategies did against the second. Strength is normalised Elo (Van den Bergh, Normalized Elo, 2020): how far the
mean score is from 1/2, in standard deviations of a game, times 800 / ln 10.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

NORMALISED = 800 / math.log(10)
"""Normalised Elo of a mean score that is one standard deviation of a game above 1/2."""
EMPTY = 1e-3
"""So many deals are taken for a score of 0, or 1, that no deal had (as fishtest does with its empty cells)."""
EXTRA = 12
"""Blocks that a confidence sequence adds, half of them at either end of what is possible, to the variance alone."""
TUNED_AT = 1000
"""Number of deals at which a confidence sequence is tightest, unless the caller names another."""

_STEP, _SMALL, _SHARE = 32, 1024, 20
_ROUNDS, _CLOSE = 200, 1e-11


def looks(last: int) -> Iterator[int]:
    """Yield the numbers of deals at which results are looked at: they depend on nothing but the last.

    Every 32 deals up to 1,024, then about every 5 %, and the last.

    >>> list(looks(100)), list(looks(1200))[-4:]
    ([32, 64, 96, 100], [1024, 1088, 1152, 1200])
    """
    deals = _STEP
    while deals < last:
        yield deals
        step = deals // _SHARE if deals >= _SMALL else _STEP
        deals += max(_STEP, -(-step // _STEP) * _STEP)
    yield last


@dataclass(frozen=True)
class Gsprt:
    """The generalised sequential probability ratio test of two strengths.

    Parameters
    ----------
    elo0, elo1 : float
        The hypotheses H0 and H1, in normalised Elo per game.
    alpha, beta : float
        How often H1 may be accepted though H0 is true, and H0 though H1 is true.
    """

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratios that accept H0 and H1 (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, scores: np.ndarray, deals: np.ndarray, games: int) -> float:
        """Return the log-likelihood ratio of H1 against H0.

        Parameters
        ----------
        scores : numpy.ndarray, float64
            The different scores that deals had, between 0 and 1.
        deals : numpy.ndarray
            How many deals had each of them.
        games : int
            Games in a deal.
        """
        per_deal = math.sqrt(games) / NORMALISED
        return log_likelihood_ratio(scores, deals, self.elo0 * per_deal, self.elo1 * per_deal)


def log_likelihood_ratio(scores: np.ndarray, deals: np.ndarray, t0: float, t1: float) -> float:
    """Return the log-likelihood ratio of t = t1 against t = t0, where t = (mean - 1/2) / sd of the deal scores.

    Exact for scores from a finite set: N times the sum of p ln(q1 / q0), with p the observed shares and q0, q1 the
    most likely distributions under either hypothesis (Van den Bergh, A practical introduction to the GSPRT, 2019).
    Where all deals are alike the scores 0 and 1, seen or not, let both exist.
    """
    scores, weights = _with_extremes(scores, deals)
    shares = weights / weights.sum()
    q0, q1 = most_likely(scores, shares, t0), most_likely(scores, shares, t1)
    return float(weights.sum() * (shares * np.log(q1 / q0)).sum())


def most_likely(scores: np.ndarray, shares: np.ndarray, t: float) -> np.ndarray:
    """Return the distribution on the scores that makes observed shares most likely and has (mean - 1/2) / sd = t.

    For t > 0, t sd is the least value of t (s + E(x - m)^2 / s) / 2 over m and s, so the constraint is a linear one for
    the right m and s, which are mean and sd. They are found in turns with q = p / (1 + l f), where f is the slope of
    that linear constraint (Van den Bergh, Comments on normalized Elo, section 4.1, 2020); the likelihood rises with
    every turn. Every share must be above 0, and 0 and 1 must be among the scores.
    """
    from scipy.optimize import brentq

    above = 0.5 * t / math.sqrt(1 + t * t)  # on 0 and 1 alone this fulfils the constraint
    found = np.where(scores == 1, 0.5 + above, np.where(scores == 0, 0.5 - above, 0.0))
    for _ in range(_ROUNDS):
        mean = float(found @ scores)
        sd = math.sqrt(float(found @ (scores - mean) ** 2))
        slope = scores - 0.5 - 0.5 * t * (sd + (scores - mean) ** 2 / sd)
        low, high = -1 / slope.max(), -1 / slope.min()
        margin = 1e-13 * (high - low)
        factor = brentq(_tilt, low + margin, high - margin, args=(slope, shares), xtol=1e-15, rtol=1e-14)
        before, found = found, shares / (1 + factor * slope)
        found /= found.sum()
        if np.abs(found - before).max() < _CLOSE:
            break
    return found


def _tilt(factor: float, slope: np.ndarray, shares: np.ndarray) -> float:
    return float((shares * slope / (1 + factor * slope)).sum())


def _with_extremes(scores: np.ndarray, deals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    values, weights = np.asarray(scores, float), np.asarray(deals, float)
    unseen = [extreme for extreme in (0.0, 1.0) if not weights[values == extreme].sum()]
    seen = weights > 0
    return np.append(values[seen], unseen), np.append(weights[seen], [EMPTY] * len(unseen))


def confidence_sequence(
    values: np.ndarray, level: float = 0.95, *, span: float = 1.0, tuned_at: float = TUNED_AT
) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds of the mean that hold after every value at once, so one may stop whenever one likes.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of Statistics 2024,
    theorem 2.2): mean +- sd sqrt(2 (n r^2 + 1) / (n^2 r^2) ln(sqrt(n r^2 + 1) / (1 - level))).

    Parameters
    ----------
    values : numpy.ndarray, float64[n]
        One for each block, in the order in which they came.
    level : float
        Probability that the mean is never outside.
    span : float
        How far apart two values can be. The variance is taken as if twelve more blocks had come, six at either end
        of it. So blocks that are all alike do not make the interval empty, but about 5 / n wide on either side, and
        where few blocks in a hundred differ it still holds as often as it should (with fewer than twelve it does
        not). 0 leaves this out, for values without bounds.
    tuned_at : float
        Number of blocks at which the sequence is tightest; r follows from it (equation 24 there). It has to be
        fixed before the first value is seen.

    Returns
    -------
    low, high : numpy.ndarray, float64[n]
    """
    values = np.asarray(values, float)
    count = np.arange(1, len(values) + 1)
    mean = np.cumsum(values) / count
    centred = values - (
        values[0] if len(values) else 0.0
    )  # so that equal values have no spread, not a rounding
    squares = np.maximum(np.cumsum(centred**2) - count * (np.cumsum(centred) / count) ** 2, 0.0)
    half = np.sqrt((squares + EXTRA * (span / 2) ** 2) / count) * radius(count, level, tuned_at)
    return mean - half, mean + half


def radius(count: np.ndarray | float, level: float = 0.95, tuned_at: float = TUNED_AT) -> np.ndarray:
    """Return half the width of a confidence sequence after so many blocks, for an sd of 1."""
    alpha = 1 - level
    tuning = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / tuned_at  # r^2
    spread = np.asarray(count, float) * tuning + 1
    return np.sqrt(2 * spread / (count * (spread - 1)) * np.log(np.sqrt(spread) / alpha))


def normalised_elo(scores: np.ndarray, games: int) -> tuple[float, np.ndarray] | None:
    """Return the normalised Elo of deal scores, and the influence of each deal on it; None where all are alike.

    The mean of the influences is 0, and their sequence has the spread of the estimate (delta method).
    """
    sd = float(scores.std())
    if sd < 1e-9:
        return None
    t = (float(scores.mean()) - 0.5) / sd
    z = (scores - scores.mean()) / sd
    return t * NORMALISED / math.sqrt(games), (z - t * (z * z - 1) / 2) * NORMALISED / math.sqrt(games)


def elo(share: float) -> float | None:
    """Return the Elo difference that gives this share; None at 0 and 1, where it has no bound.

    >>> round(elo(0.64), 1)
    100.0
    """
    return 400 * math.log10(share / (1 - share)) if 0 < share < 1 else None
