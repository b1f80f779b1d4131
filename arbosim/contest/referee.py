"""Who reads the results of a comparison while they come in, and ends it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arbosim.analysis import sequential
from arbosim.analysis.duel import Duel
from arbosim.analysis.sequential import Gsprt
from arbosim.tournament.comparison import ComparisonRecord
from arbosim.tournament.manifest import Manifest

WIDTH_TUNING = 4.0
"""A sequence that is to become w wide is tightest at 4 / w^2 deals: about where one of a deal sd of 0.33 gets there."""


@dataclass(frozen=True)
class Look:
    """What was seen when results were looked at.

    Parameters
    ----------
    deals : int
        The first so many deals were looked at.
    share, low, high : float
        Share of games in which the first finishes above the second, ties half, and its confidence sequence.
    llr : float or None
        Log-likelihood ratio of H1 against H0; None where a width is asked for.
    """

    deals: int
    share: float
    low: float
    high: float
    llr: float | None


class Referee:
    """Reads the results of a comparison in the order of deals, and ends it at one of the fixed looks.

    Attributes
    ----------
    asked : ComparisonRecord
        The question; the answer is written into a copy.
    looks : list of Look
        All so far.
    decision : str or None
        "H0", "H1", "precise", or "undecided" after all deals; None until then.
    """

    def __init__(self, asked: ComparisonRecord, state: Manifest) -> None:
        self.asked = asked
        self.looks: list[Look] = []
        self.decision: str | None = None
        self.line_ups = state.line_ups[: asked.line_ups]
        deals = range(state.deals_from, state.deals_from + asked.max_deals)
        self.duel = Duel(asked.first, asked.second, state.players, asked.line_ups, deals)
        self._next = sequential.looks(asked.max_deals)
        self._at = next(self._next)

    @property
    def rule(self) -> Gsprt | None:
        """Return the test; None where a width is asked for."""
        asked = self.asked
        if asked.elo0 is None or asked.elo1 is None or asked.alpha is None or asked.beta is None:
            return None
        return Gsprt(asked.elo0, asked.elo1, asked.alpha, asked.beta)

    def see(self, match: int, rows: np.ndarray) -> None:
        """Take note of rows of consecutive whole deals of one match; they come in any order."""
        if match < len(self.line_ups):
            self.duel.add(self.line_ups[match], rows)

    def is_over(self) -> bool:
        """Look at what is due, and tell whether it is decided or all deals are played."""
        while self.decision is None and self._at <= self.duel.known:
            self.looks.append(self._look(self._at))
            self.decision = self._decide(self.looks[-1])
            self._at = next(self._next, 0) if self.decision is None else 0
        return self.decision is not None

    def settle(self, state: Manifest) -> None:
        """Write the answer into run.json."""
        last = self.looks[-1]
        state.deals = last.deals
        found = {"decision": self.decision, "deals": last.deals, "looks": len(self.looks), "llr": last.llr}
        state.comparison = self.asked.model_copy(update=found)

    def _look(self, deals: int) -> Look:
        scores = self.duel.above(deals)
        low, high = sequence_bounds(scores, self.asked, 1.0)
        llr = None
        if self.rule is not None:
            values, counts = np.unique(scores, return_counts=True)
            llr = self.rule.llr(values, counts, self.duel.games_per_deal)
        return Look(deals, float(scores.mean()), max(0.0, low), min(1.0, high), llr)

    def _decide(self, look: Look) -> str | None:
        if self.rule is not None and look.llr is not None:
            low, high = self.rule.bounds
            if look.llr >= high or look.llr <= low:
                return "H1" if look.llr >= high else "H0"
        elif self.asked.until_width is not None and look.high - look.low <= self.asked.until_width / 100:
            return "precise"
        return "undecided" if look.deals == self.asked.max_deals else None


def sequence_bounds(values: np.ndarray, asked: ComparisonRecord, span: float) -> tuple[float, float]:
    """Return the bounds of the confidence sequence after the last value."""
    tuned_at: float = sequential.TUNED_AT
    if asked.until_width is not None:
        tuned_at = max(1.0, WIDTH_TUNING / (asked.until_width / 100) ** 2)
    low, high = sequential.confidence_sequence(values, span=span, tuned_at=tuned_at)
    return float(low[-1]), float(high[-1])
