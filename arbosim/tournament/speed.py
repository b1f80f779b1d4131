"""How fast games are played: one strategy in all seats, on one thread, with all that a tournament game does."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median

import numpy as np

from arbosim.core.game import Game, Rules
from arbosim.core.measures import METRICS, Measures
from arbosim.core.strategy import Entrant

REPEATS = 5
_TRIAL_SECONDS = 0.05


@dataclass(frozen=True)
class Speed:
    """A measured rate.

    Parameters
    ----------
    games_per_second : float
        Median over five repeats, fewer of a slow strategy; seconds of processor time of the one thread.
    mean_scores : tuple of float
        Mean score of each seat, seat 0 first.
    games : int
        Games measured.
    """

    games_per_second: float
    mean_scores: tuple[float, ...]
    games: int


def measure(
    game: Game,
    rules: Rules,
    players: int,
    entrant: Entrant,
    *,
    seed: int,
    seconds: float,
    measures: Measures = METRICS,
) -> Speed:
    """Play one strategy against itself for about so many seconds, after it has been compiled, but at least one deal.

    Parameters
    ----------
    measures : Measures
        What each game has besides its result.
    """
    lineup = [entrant] * players
    game.compile_all([entrant], lambda _name: None, measures)
    first = 0

    def timed(deals: int) -> tuple[np.ndarray, float]:
        """Play the next deals; return their rows, and the seconds that they took."""
        nonlocal first
        start = time.thread_time()
        rows = game.play_chunk(
            rules, players, lineup, seed, first, deals, checked_deals=0, measures=measures
        ).rows
        first += deals
        return rows, time.thread_time() - start

    deals = 1
    trial = timed(deals)
    while trial[1] < _TRIAL_SECONDS:
        deals *= 4
        trial = timed(deals)
    each = trial[1] / deals
    repeats = min(REPEATS, int(seconds / each))
    deals = max(1, int(seconds / REPEATS / each))
    found = [timed(deals) for _ in range(repeats)] or [
        trial
    ]  # the trial of a slow one is all that there is time for
    rates = [len(rows) / taken for rows, taken in found]
    scores = [[float(rows[f"score_{p}"].mean()) for p in range(players)] for rows, _ in found]
    means = tuple(float(mean) for mean in np.mean(scores, axis=0))
    return Speed(median(rates), means, sum(len(rows) for rows, _ in found))
