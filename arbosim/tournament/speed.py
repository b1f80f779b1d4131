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
        Median over five repeats; seconds of processor time of the one thread.
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
    """Play one strategy against itself for about so many seconds, after it has been compiled.

    Parameters
    ----------
    measures : Measures
        What each game has besides its result.
    """
    lineup = [entrant] * players
    deals, first = 1, 0
    while True:  # also compiles
        start = time.thread_time()
        game.play_chunk(rules, players, lineup, seed, first, deals, measures=measures)
        taken = time.thread_time() - start
        first += deals
        if first > 8 and taken > _TRIAL_SECONDS:
            break
        deals *= 4
    deals = max(1, int(deals * seconds / REPEATS / taken))
    rates = []
    scores = []
    for _ in range(REPEATS):
        start = time.thread_time()
        rows = game.play_chunk(rules, players, lineup, seed, first, deals, measures=measures).rows
        rates.append(len(rows) / (time.thread_time() - start))
        scores.append([float(rows[f"score_{p}"].mean()) for p in range(players)])
        first += deals
    means = np.mean(scores, axis=0)
    return Speed(median(rates), tuple(float(mean) for mean in means), REPEATS * deals * players)
