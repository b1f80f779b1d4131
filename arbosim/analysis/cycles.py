"""How much of who beats whom is no ladder: the cyclic part of the logits, and cycles that are beyond doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arbosim.analysis.deals import Blocks
from arbosim.analysis.stats import LEVEL, difference_p, holm


@dataclass(frozen=True)
class Cycle:
    """The first beats the second, the second the third, and the third the first.

    Parameters
    ----------
    above : tuple of float
        In what share of their common games, in this order.
    p_holm : float
        The largest of the three p-values, each adjusted for all pairs of the run (Holm 1979).
    """

    first: str
    second: str
    third: str
    above: tuple[float, float, float]
    p_holm: float


def logits(above: np.ndarray, met: np.ndarray) -> np.ndarray:
    """Return the log odds that the row finishes above the column; half a game is added to either side.

    So they stay finite where one always wins, and are nearly unbiased (Anscombe 1956).

    Parameters
    ----------
    above, met : numpy.ndarray, int[..., n, n]
        Half games in which the row finished above the column, and games of both.
    """
    odds = np.log((above + 1.0) / (2.0 * met - above + 1.0))
    return np.asarray(np.triu(odds, 1) - np.swapaxes(np.triu(odds, 1), -1, -2))


def split(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums of squares of the ladder part and of the cyclic part of antisymmetric matrices.

    The ladder part is the difference of row means, the cyclic part what remains; the two are orthogonal
    (combinatorial Hodge decomposition: Jiang, Lim, Yao and Ye 2011; Balduzzi et al. 2018).

    Parameters
    ----------
    matrix : numpy.ndarray, float[..., n, n]
    """
    size = matrix.shape[-1]
    whole = (matrix**2).sum(axis=(-1, -2))
    ladder = 2 * size * (matrix.mean(axis=-1) ** 2).sum(axis=-1)
    return ladder, np.maximum(whole - ladder, 0)


def noise(above: np.ndarray, met: np.ndarray) -> tuple[float, float]:
    """Return what chance alone is expected to add to both sums of squares of `split`.

    Parameters
    ----------
    above, met : numpy.ndarray, int[n, n, blocks]
        By block of deals, the units: what pairs share by playing the same deals is taken into account.
    """
    blocks = int(met.any(axis=(0, 1)).sum())
    if blocks < 2:
        return 0.0, 0.0
    won, games = above.sum(axis=2), met.sum(axis=2)
    share = won / np.maximum(2 * games, 1)
    slope = 2 / (won + 1) + 2 / (2 * games - won + 1)  # of the logit in the number of games won
    parts = np.zeros(2)
    for block in range(above.shape[2]):  # one at a time: all of them at once would be large
        shift = (above[..., block] / 2 - share * met[..., block]) * slope
        np.fill_diagonal(shift, 0)
        parts += split(shift)
    ladder, cyclic = parts * blocks / (blocks - 1)
    return float(ladder), float(cyclic)


def cyclic_share(matrix: np.ndarray, ladder_noise: float, cyclic_noise: float) -> np.ndarray:
    """Return the share of the cyclic part, 0 to 1; 0 also where nothing rises above the noise.

    Parameters
    ----------
    matrix : numpy.ndarray, float[..., n, n]
        Antisymmetric.
    ladder_noise, cyclic_noise : float
        What is taken off the two sums of squares; each has a floor of 0.
    """
    ladder, cyclic = split(matrix)
    ladder, cyclic = np.maximum(ladder - ladder_noise, 0), np.maximum(cyclic - cyclic_noise, 0)
    whole = ladder + cyclic
    return np.asarray(np.where(whole > 0, cyclic / np.where(whole > 0, whole, 1), 0))


def significant_cycles(
    names: Sequence[str], above: np.ndarray, met: np.ndarray, blocks: Blocks
) -> list[Cycle]:
    """Return the cycles of three of which every step is significant, the clearest first.

    Each pair is tested for finishing above each other equally often, over blocks of deals; p-values are adjusted
    for all pairs, so that in at most one of twenty runs any step is named that is none.

    Parameters
    ----------
    above, met : numpy.ndarray, int[n, n, blocks]
    """
    couples = list(combinations(range(len(names)), 2))
    raw = []
    for a, b in couples:
        games = met[a, b]
        tested = difference_p(above[a, b] / 2, games, above[b, a] / 2, games, blocks.held(games))
        raw.append(1.0 if tested is None else tested)
    adjusted = np.ones((len(names), len(names)))
    for (a, b), p_value in zip(couples, holm(raw), strict=True):
        adjusted[a, b] = adjusted[b, a] = p_value
    share = above.sum(axis=2) / np.maximum(2 * met.sum(axis=2), 1)
    beats = (adjusted < 1 - LEVEL) & (share > 0.5)
    closed = beats[:, :, None] & beats[None, :, :] & beats.T[:, None, :]
    found = []
    for a, b, c in np.argwhere(closed):
        if a < min(b, c):  # each cycle once, whichever of the three it starts from
            steps = (float(share[a, b]), float(share[b, c]), float(share[c, a]))
            worst = float(max(adjusted[a, b], adjusted[b, c], adjusted[c, a]))
            found.append(Cycle(names[a], names[b], names[c], steps, worst))
    return sorted(found, key=lambda cycle: (-min(cycle.above), cycle.first, cycle.second))
