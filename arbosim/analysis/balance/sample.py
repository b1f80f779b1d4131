"""The games of one run as a sample of deals, and what they say of the rules: values with their replicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbosim.analysis.balance.draws import REPLICATES, Draws
from arbosim.analysis.balance.metric import Metric
from arbosim.analysis.balance.registry import metrics
from arbosim.analysis.balance.sums import Sums
from arbosim.analysis.deals import Blocks
from arbosim.core.errors import unknown
from arbosim.core.game import Game

Key = tuple[str, str]
"""Metric and subject."""


@dataclass(frozen=True)
class Estimates:
    """What one sample of deals says.

    Parameters
    ----------
    values : dict of (metric, subject) to numpy.ndarray, float64[1 + replicates]
        The value of the sample, then those of its replicates. Metrics may have different numbers of them.
    missing : dict of str to str
        Metrics that the games do not tell, and why.
    source : tuple of (seed, first deal, end)
        Which deals were played. Samples with the same ones have the same replicates, so they can be paired.
    deals, blocks : int
        How many there are, and in how many blocks, the units of the bootstrap.
    """

    values: Mapping[Key, np.ndarray]
    missing: Mapping[str, str]
    source: tuple[tuple[int, int, int], ...]
    deals: int
    blocks: int


class Sample:
    """Games of one rule set, played by one pool, from which metrics of balance are estimated.

    Parameters
    ----------
    specs : sequence of str
        The strategies, sorted.
    players : int
    blocks : Blocks
        Of the deals.
    game : Game, optional
        Brings metrics of its own, which need its rules.
    rules : rule set, optional
    """

    def __init__(
        self, specs: Sequence[str], players: int, blocks: Blocks, game: Game | None = None, rules: Any = None
    ) -> None:
        if game is not None and rules is None:
            raise ValueError("the metrics of a game need its rules")
        self.metrics = metrics(game)
        self._rules = rules
        columns = dict.fromkeys(column for metric in self.metrics.values() for column in metric.columns)
        self._sums = Sums(specs, players, blocks, tuple(columns))

    def add(self, seed: int, line_up: Sequence[str], rows: np.ndarray) -> None:
        """Add rows of one line-up (specs by slot): whole deals, ordered by deal and rotation."""
        self._sums.add(seed, line_up, rows)

    def estimate(self, names: Iterable[str] | None = None, replicates: int = REPLICATES) -> Estimates:
        """Estimate metrics, all of them if no names are given.

        Raises
        ------
        UserError
            A name is none of `metrics`.
        """
        chosen = [self._metric(name) for name in (self.metrics if names is None else names)]
        draws = Draws(self._sums, self._rules, replicates)
        values: dict[Key, np.ndarray] = {}
        missing = {}
        for metric in chosen:
            reason = self._reason(metric)
            found = {} if reason or metric.of is None else metric.of(draws)
            kept = {(metric.name, subject): each for subject, each in found.items() if not np.isnan(each[0])}
            values |= kept
            if not kept:
                missing[metric.name] = reason or f"it needs {metric.needs or 'games that nobody forfeited'}"
        blocks, played = self._sums.blocks, self._sums.played
        source = tuple((seed, first, end) for seed, first, end, _ in blocks.ranges)
        return Estimates(values, missing, source, blocks.held(played.astype(np.int64)), int(played.sum()))

    def _metric(self, name: str) -> Metric:
        if name not in self.metrics:
            raise unknown("metric", name, self.metrics)
        return self.metrics[name]

    def _reason(self, metric: Metric) -> str:
        """Return why the rows cannot tell a metric, or nothing."""
        if not self._sums.played.any():
            return "there are no games"
        absent = [column for column in metric.columns if column in self._sums.missing]
        if not absent:
            return ""
        return f"the rows have no {', '.join(absent)}: it needs {metric.needs}"
