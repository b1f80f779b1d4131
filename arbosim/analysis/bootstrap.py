"""The deal bootstrap: what else the results could have been, had other deals of the same kind been drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbosim.analysis.stats import LEVEL, Interval

REPLICATES = 200
FEWEST = 10
"""Below so many blocks a bootstrap says too little, and an interval is the whole range that is possible."""
TOO_FEW = f"fewer than {FEWEST} deals are too few for intervals: the bounds are those of what is possible"

_STREAM = 0xB007  # a stream of its own: whoever makes up results with the same seed draws other numbers


def weights(
    played: np.ndarray, seed: int | Sequence[int], replicates: int = REPLICATES, part: int = 1
) -> np.ndarray:
    """Draw blocks with replacement, as often as there are any (Efron 1979), or a part of that.

    Parameters
    ----------
    played : numpy.ndarray, bool[blocks]
        Blocks that hold games; the others are never drawn.
    seed : int or sequence of int
        The same seed draws the same blocks.
    part : int
        So many times fewer blocks are drawn, which blurs what jumps (Bickel, Goetze and van Zwet 1997).

    Returns
    -------
    numpy.ndarray, int64[replicates, blocks]
        How often each block was drawn; no rows if fewer than FEWEST blocks hold games.
    """
    count = int(played.sum())
    drawn = np.zeros((replicates if count >= FEWEST else 0, len(played)), np.int64)
    if len(drawn):
        entropy = [seed] if isinstance(seed, int) else seed
        rng = np.random.default_rng([*entropy, _STREAM])
        drawn[:, played] = rng.multinomial(-(-count // part), np.full(count, 1 / count), size=replicates)
    return drawn


def intervals(values: np.ndarray, replicates: np.ndarray, lowest: float, highest: float) -> list[Interval]:
    """Return the percentile interval of each estimate.

    Parameters
    ----------
    values : numpy.ndarray, float[n]
        The estimates; an interval always holds its estimate.
    replicates : numpy.ndarray, float[replicates, n]
        The same of each replicate; without any, the interval is the whole range.
    lowest, highest : float
        The range that is possible.
    """
    if len(replicates):
        tail = (1 - LEVEL) / 2
        low, high = np.quantile(replicates, [tail, 1 - tail], axis=0).clip(lowest, highest)
    else:
        low, high = np.full(len(values), lowest), np.full(len(values), highest)
    return [
        Interval(float(value), float(min(value, below)), float(max(value, above)))
        for value, below, above in zip(values, low, high, strict=True)
    ]
