"""What a change of rules does to metrics of balance: differences with intervals and p-values that agree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arbosim.analysis import stats
from arbosim.analysis.balance import Estimates, Metric
from arbosim.analysis.bootstrap import FEWEST

_ROUNDING = 1e-12
"""A difference, or a spread of differences, below this part of the values is rounding."""


@dataclass(frozen=True)
class Tested:
    """A number with its 95 % interval, and the p-value of its being 0; None where there are too few deals."""

    value: float
    low: float | None
    high: float | None
    p_value: float | None
    deals: int


@dataclass(frozen=True)
class Value:
    """One metric of one variant, with its 95 % interval."""

    variant: str
    metric: str
    subject: str
    value: float
    low: float | None
    high: float | None
    unit: str
    deals: int


@dataclass(frozen=True)
class Effect:
    """What a variant does to a metric: its value minus that of the base.

    Parameters
    ----------
    low, high, p_value : float or None
        95 % interval and p-value of the difference; None where there are too few deals.
    p_holm : float or None
        The p-value corrected for all effects that were tested together.
    deals : int
        Of the sample with fewer.
    """

    variant: str
    metric: str
    subject: str
    base: float
    value: float
    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    deals: int
    p_holm: float | None = None

    @property
    def significant(self) -> bool:
        """Return whether there is an effect, the chance of any false one among those tested together being 5 %."""
        return self.p_holm is not None and self.p_holm < 1 - stats.LEVEL


def values(estimates: Mapping[str, Estimates], metrics: Mapping[str, Metric]) -> list[Value]:
    """Return every value of every variant with its interval."""
    found = []
    for variant, estimate in estimates.items():
        for (metric, subject), replicates in estimate.values.items():
            about = metrics[metric]
            value = float(replicates[0])
            tested = _tested(replicates, [estimate], about.low, about.high)
            low, high = tested.low, tested.high
            if low is not None and low == high and math.isfinite(about.high - about.low):
                # all deals alike, as in `stats.share`
                low, high = stats.alike(value, about.low, about.high, estimate.deals, estimate.blocks)
            found.append(Value(variant, metric, subject, value, low, high, about.unit, estimate.deals))
    return found


def compare(
    estimates: Mapping[str, Estimates], metrics: Mapping[str, Metric], base: str = "base"
) -> list[Effect]:
    """Return the effect of every variant on every metric that it shares with the base, corrected by `holm`.

    Parameters
    ----------
    estimates : dict of str to Estimates
        By variant.
    base : str
        The variant that the others are compared with.
    """
    found = []
    for variant, estimate in estimates.items():
        if variant == base:
            continue
        for key, replicates in estimate.values.items():
            if key in estimates[base].values:
                tested = contrast([(1, estimate), (-1, estimates[base])], key, metrics[key[0]])
                found.append(
                    Effect(
                        variant,
                        *key,
                        base=float(estimates[base].values[key][0]),
                        value=float(replicates[0]),
                        difference=tested.value,
                        low=tested.low,
                        high=tested.high,
                        p_value=tested.p_value,
                        deals=tested.deals,
                    )
                )
    return holm(found)


def holm(effects: Sequence[Effect]) -> list[Effect]:
    """Return effects with p-values corrected for their number (Holm 1979), in the same order."""
    corrected = iter(stats.holm([each.p_value for each in effects if each.p_value is not None]))
    return [each if each.p_value is None else replace(each, p_holm=next(corrected)) for each in effects]


def contrast(terms: Sequence[tuple[int, Estimates]], key: tuple[str, str], metric: Metric) -> Tested:
    """Return a sum of values, each with its sign, and whether it is 0: of two a difference, of four one of effects.

    Samples on the same deals are paired, those on other deals are independent.

    Parameters
    ----------
    terms : sequence of (sign, Estimates)
    key : tuple of str
        Metric and subject, which all of them have.

    Raises
    ------
    ValueError
        Two samples have some deals in common, but not all.
    """
    samples = [sample for _, sample in terms]
    _check_deals(samples)
    length = min(len(sample.values[key]) for sample in samples)
    summed = np.sum([sign * sample.values[key][:length] for sign, sample in terms], axis=0)
    lowest = sum(min(sign * metric.low, sign * metric.high) for sign, _ in terms)
    highest = sum(max(sign * metric.low, sign * metric.high) for sign, _ in terms)
    scale = max(abs(float(sample.values[key][0])) for sample in samples)
    return _tested(summed, samples, lowest, highest, scale)


def _tested(
    replicates: np.ndarray, samples: Sequence[Estimates], lowest: float, highest: float, scale: float = 1.0
) -> Tested:
    """Test a value whose replicates follow it, by Student's t with the standard error of the replicates."""
    value = float(replicates[0])
    deals, blocks = min(each.deals for each in samples), min(each.blocks for each in samples)
    drawn = replicates[1:][~np.isnan(replicates[1:])]
    if blocks < FEWEST or len(drawn) < 2:
        return Tested(value, None, None, None, deals)
    rounding = _ROUNDING * max(scale, 1.0)
    # replicates of n blocks spread by 1 - 1/n too little
    error = float(drawn.std(ddof=1)) * math.sqrt(blocks / (blocks - 1))
    if abs(value) <= rounding and error <= rounding:
        return Tested(0.0, 0.0, 0.0, 1.0, deals)
    if error <= rounding:
        # all deals agree, so only the sign test can tell how much that proves
        return Tested(value, value, value, 0.5 ** (deals - 1), deals)
    from scipy.special import stdtr

    freedom = min(blocks, len(drawn)) - 1
    half = stats.t_quantile(freedom) * error
    p_value = max(2 * float(stdtr(freedom, -abs(value) / error)), 0.5 ** (deals - 1))
    return Tested(value, max(lowest, value - half), min(highest, value + half), p_value, deals)


def _check_deals(samples: Sequence[Estimates]) -> None:
    sources = {sample.source for sample in samples}
    for one in sources:
        for other in sources - {one}:
            for seed, first, end in one:
                if any(seed == again and first < last and start < end for again, start, last in other):
                    raise ValueError("samples have the same deals, or none in common")
