"""Candidates against the field: what each of them wins, all on the same deals at the same tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from arbosim.analysis.deals import tables, unit
from arbosim.core.game import Chunk, Game, Rules
from arbosim.core.measures import RESULTS_ALONE
from arbosim.core.strategy import Entrant
from arbosim.tournament import design
from arbosim.tournament.manifest import CHECKED_DEALS
from arbosim.tournament.run import Plan, play


@dataclass(frozen=True)
class Wins:
    """What candidates won.

    Parameters
    ----------
    won : numpy.ndarray, int64[candidates, deals]
        Wins of each in a deal, over all its tables and rotations, in units of 1 / lcm(1..players): a whole number.
    errors : int
        Games that somebody forfeited.
    """

    won: np.ndarray
    errors: int


@dataclass(frozen=True)
class Arena:
    """Where candidates prove themselves. A candidate has slot 0, so that its own chance is the same for all of them.

    Parameters
    ----------
    deals_from : int
        The first deals from here on are played strictly, as in any run.
    """

    game: Game
    rules: Rules
    players: int
    field: tuple[Entrant, ...]
    seed: int
    deals_from: int

    @property
    def tables(self) -> int:
        """Return how many tables a candidate sits at."""
        return design.neighbours_count(len(self.field), self.players - 1)

    @property
    def games_per_deal(self) -> int:
        """Return how many games a candidate plays in a deal."""
        return self.tables * self.players

    @property
    def full(self) -> int:
        """Return what a candidate that wins all games of a deal has won, in the units of `Wins`."""
        return unit(self.players) * self.games_per_deal

    def games(self, candidates: int, deals: int) -> int:
        """Return how many games so many deals take."""
        return candidates * deals * self.games_per_deal

    def play(
        self,
        candidates: Sequence[Entrant],
        deals: range,
        mixing: int,
        jobs: int,
        progress: Callable[[int], None] | None = None,
    ) -> Wins:
        """Play candidates against the field.

        Parameters
        ----------
        mixing : int
            Decides, with the seed, who of the field sits together where not all combinations can.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C; what was played is forgotten.
        """
        chance = random.Random(f"{self.seed} {mixing}")
        seated = design.neighbours(len(self.field), self.players - 1, chance)
        line_ups = [
            (candidate, *(self.field[other] for other in table))
            for candidate in candidates
            for table in seated
        ]
        plan = Plan(
            game=self.game,
            rules=self.rules,
            players=self.players,
            line_ups=tuple(line_ups),
            seed=self.seed,
            deals_from=deals.start,
            deals=len(deals),
            checked_deals=max(0, self.deals_from + CHECKED_DEALS - deals.start),
            measures=RESULTS_ALONE,
        )
        sink = _FirstSlot(plan)
        outcome = play(plan, sink, jobs=jobs, progress=progress)
        if outcome.interrupted:
            raise KeyboardInterrupt
        won = sink.won.reshape(len(candidates), len(seated), len(deals)).sum(axis=1)
        return Wins(won, outcome.errors)


class _FirstSlot:
    """A sink that keeps what the first slot of each line-up won in each deal, and nothing else."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.won = np.zeros((len(plan.line_ups), plan.deals), np.int64)

    def write(self, match: int, chunk: Chunk) -> None:
        if len(chunk.rows):
            seen = tables(chunk.rows, self._plan.players)
            self.won[match, seen.deals - self._plan.deals_from] = seen.share[..., 0].sum(axis=1)
