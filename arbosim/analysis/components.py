"""Variance components by the method of moments, from sums over deals (Searle, Casella and McCulloch 1992).

In every deal of a line-up, each slot sits on each seat once. So its results are a table with one cell for slot and
seat, and as they are differences from the table's mean, each game sums to 0. The model of a cell is

    strategy (line-up and slot) + seat + deal (deal and seat) + rest

"deal" is what the games of one deal have in common on one seat, whoever of the line-up sits there: the covariance of
results of the same seat and deal. "rest" is all else: how these strategies play these very cards, a seat that suits
one strategy more than the other, and the strategies' own coins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SOURCES = ("strategy", "seat", "deal", "rest")


@dataclass(frozen=True)
class Sums:
    """Sums over deals; the leading axes are replicates and line-ups, n is the number of players.

    Parameters
    ----------
    deals : numpy.ndarray, float[replicates, line-ups]
    cells : numpy.ndarray, float[replicates, line-ups, n, n]
        Results by slot and seat.
    squares, seat_squares, slot_squares : numpy.ndarray, float[replicates, line-ups]
        Of the results; of the sums of a deal's results by seat; and by slot.
    """

    deals: np.ndarray
    cells: np.ndarray
    squares: np.ndarray
    seat_squares: np.ndarray
    slot_squares: np.ndarray

    @property
    def players(self) -> int:
        """Return the number of players."""
        return int(self.cells.shape[-1])


def of_deals(results: np.ndarray) -> np.ndarray:
    """Return what `Sums` adds up, deal by deal: a one, the cells, and the three sums of squares.

    Parameters
    ----------
    results : numpy.ndarray, int64[deals, n, n]
        By slot and seat, as differences from the mean of their game.

    Returns
    -------
    numpy.ndarray, int64[deals, 4 + n * n]
    """
    count = len(results)
    return np.column_stack(
        [
            np.ones(count, np.int64),
            results.reshape(count, -1),
            (results**2).sum(axis=(1, 2)),
            (results.sum(axis=1) ** 2).sum(axis=1),
            (results.sum(axis=2) ** 2).sum(axis=1),
        ]
    )


def summed(sums: np.ndarray, players: int, scale: int) -> Sums:
    """Return sums of what `of_deals` returns, in units of which ``scale`` are one."""
    cells = sums[..., 1:-3].reshape(*sums.shape[:-1], players, players)
    squares, seat_squares, slot_squares = np.moveaxis(sums[..., -3:], -1, 0) / scale**2
    return Sums(sums[..., 0], cells / scale, squares, seat_squares, slot_squares)


def seat_noise(seats: np.ndarray, cells: np.ndarray) -> float:
    """Return the sampling variance of a seat's mean result, averaged over seats, blocks of deals being the units.

    Parameters
    ----------
    seats : numpy.ndarray, float[blocks, n]
        Sums of results by seat, over all line-ups.
    cells : numpy.ndarray, float[blocks]
        How many results are in each of these sums.
    """
    played = cells > 0
    blocks = int(played.sum())
    mean = seats[played].sum(axis=0) / cells.sum()
    residuals = (seats[played] - mean * cells[played, None]) / cells.sum()
    return float((residuals**2).sum(axis=0).mean() * blocks / (blocks - 1)) if blocks > 1 else 0.0


def estimate(sums: Sums, seat_noise: float, blocks: int) -> np.ndarray:
    """Return the components of the variance of a seat's result in a game.

    The first replicate is the sample itself, and its estimates are unbiased; they may be negative. The others were
    drawn from it, so a mean of theirs has its noise twice, and a covariance is smaller by one block.

    Parameters
    ----------
    sums : Sums
    seat_noise : float
        See `seat_noise`.
    blocks : int
        From how many blocks of deals a replicate is drawn.

    Returns
    -------
    numpy.ndarray, float[replicates, sources]
        In the order of SOURCES; their sum is the mean square of the results.
    """
    players = sums.players
    all_deals = sums.deals.sum(axis=1)
    weight = sums.deals / all_deals[:, None]
    mean = _mean(sums)
    noises = np.where(np.arange(len(all_deals)) == 0, 1, 2)
    slot_noise = float((weight[0] * _slot_variance(sums)[0] / np.maximum(sums.deals[0], 1)).sum())
    strategy = (weight * (mean.mean(axis=3) ** 2).mean(axis=2)).sum(axis=1) - noises * slot_noise
    seat_mean = sums.cells.sum(axis=(1, 2)) / (all_deals[:, None] * players)
    seat = (seat_mean**2).mean(axis=1) - noises * seat_noise
    common = mean.sum(axis=2) ** 2 - (mean**2).sum(axis=2)
    covariance = (sums.seat_squares - sums.squares - sums.deals * common.sum(axis=2)) / (
        np.maximum(sums.deals - 1, 1) * players * players * (players - 1)
    )
    deal = (weight * covariance).sum(axis=1)
    deal[1:] *= blocks / max(blocks - 1, 1)
    total = sums.squares.sum(axis=1) / (all_deals * players**2)
    parts = np.column_stack([strategy, seat, deal, total - strategy - seat - deal])
    return np.asarray(np.where(np.abs(parts) < 1e-12 * total[:, None], 0, parts))  # rounding


def duplicate_ratio(sums: Sums) -> tuple[np.ndarray, np.ndarray]:
    """Return how the variance of a mean over deals in all seatings compares with that over as many other games.

    Returns
    -------
    together, apart : numpy.ndarray, float[replicates, line-ups]
        Variance of a slot's mean over n games: of one deal, and of n deals on the same seats. Their ratio is 1 where
        common cards help nothing, and 0 where the mean of a deal is always the same.
    """
    players, deals = sums.players, np.maximum(sums.deals - 1, 1)
    apart = (sums.squares - sums.deals * (_mean(sums) ** 2).sum(axis=(2, 3))) / (deals * players**3)
    return np.maximum(_slot_variance(sums), 0), np.maximum(apart, 0)


def slot_means(sums: Sums) -> np.ndarray:
    """Return the mean result of each slot, float[line-ups, n]."""
    return np.asarray(_mean(sums)[0].mean(axis=2))


def _mean(sums: Sums) -> np.ndarray:
    return np.asarray(sums.cells / np.maximum(sums.deals, 1)[..., None, None])


def _slot_variance(sums: Sums) -> np.ndarray:
    """Return the variance over deals of a slot's mean over the games of a deal, averaged over slots."""
    players = sums.players
    means = _mean(sums).mean(axis=3)
    spread = sums.slot_squares / players**2 - sums.deals * (means**2).sum(axis=2)
    return np.asarray(spread / (np.maximum(sums.deals - 1, 1) * players))
