"""Confirming what was found: against the start, at the same tables, on deals that nothing was ever played on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arbosim.analysis import sequential
from arbosim.analysis.sequential import Gsprt
from arbosim.analysis.stats import Interval
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted
from arbosim.core.strategy import Entrant
from arbosim.tournament.comparison import TEST
from arbosim.tuning.record import Journal, Look

if TYPE_CHECKING:
    from arbosim.tuning.asked import Asked

HELPED, DID_NOT, UNDECIDED, UNCHANGED = "helped", "did not help", "undecided", "unchanged"
_MIXING = -1  # other tables than those of any generation, the same for all deals


@dataclass(frozen=True)
class Confirmation:
    """Whether tuning helped, in the order of deals, with an interval that holds whenever one stops.

    Parameters
    ----------
    decision : {"helped", "did not help", "undecided", "unchanged"}
        The test accepted H1, or H0, or neither within the deals allowed; or the start itself was found, and nothing
        was played.
    deals_from, deals, games : int
        What was played for it.
    start, found : float or None
        Win shares of the start and of the values found, between 0 and 1.
    difference : Interval
        Win share of the values found minus that of the start: a confidence sequence of 95 %.
    llr : float or None
        Log-likelihood ratio of H1 against H0.
    elo0, elo1 : float
        H0 and H1: the mean of (1 + difference) / 2 of a deal is so far from 1/2, in normalised Elo per game.
    errors : int
        Games that somebody forfeited.
    """

    decision: str
    deals_from: int
    deals: int
    games: int
    start: float | None
    found: float | None
    difference: Interval
    llr: float | None
    elo0: float
    elo1: float
    errors: int

    @property
    def verdict(self) -> str:
        """Return in one sentence whether tuning helped."""
        if self.decision == UNCHANGED:
            return "tuning did not help: what it found is the start itself"
        won, points = self._points(), f"normalised Elo {self.elo1:+g} rather than {self.elo0:+g}"
        if self.decision == HELPED:
            return f"tuning helped: {won}; H1 accepted, {points}"
        if self.decision == DID_NOT:
            no = "tuning did not help"
            less = "" if (self.difference.value or 0) <= 0 else f" by {self.elo1:g}, though possibly by less"
            return f"{no}{less}: {won}; H0 accepted, not {points}"
        return f"undecided within {counted(self.deals, 'deal')} whether tuning helped: {won}"

    @property
    def explanation(self) -> str:
        """Return why the interval may hold 0 although tuning helped; nothing where there is nothing to explain."""
        low = self.difference.low
        if self.decision != HELPED or low is None or low > 0:
            return ""
        return (
            f"the sequential test decides, which takes no gain for one {100 * TEST['alpha']:g} % of the time at most; "
            "the interval holds at every look at once, so it is wider and may hold 0"
        )

    def _points(self) -> str:
        low, high = self.difference.low, self.difference.high
        bounds = "" if low is None or high is None else f" ({100 * low:+.2f} to {100 * high:+.2f})"
        return f"{100 * (self.difference.value or 0.0):+.2f}{bounds} percentage points of win share"


def confirm(
    asked: Asked,
    found: Entrant,
    journal: Journal[Look],
    jobs: int,
    progress: Callable[[int], None] | None = None,
    tell: Callable[[Confirmation], None] | None = None,
) -> Confirmation:
    """Play the values found and the start until it is decided which is better; looks in the journal count.

    Parameters
    ----------
    tell : callable
        Is given what is known after each look.
    """
    record, arena = asked.record, asked.arena
    first = record.deals_from + record.generations * record.deals
    if found.values == asked.start.values:
        nothing = Interval(None, None, None)
        return Confirmation(UNCHANGED, first, 0, 0, None, None, nothing, None, TEST["elo0"], record.elo1, 0)
    known = 0
    for number, deals in enumerate(sequential.looks(record.confirm)):
        if number == len(journal.lines):
            wins = arena.play(
                [asked.start, found], range(first + known, first + deals), _MIXING, jobs, progress
            )
            start_won, found_won = ([int(won) for won in each] for each in wins.won)
            journal.append(
                Look(deals_from=first + known, start=start_won, found=found_won, errors=wins.errors)
            )
        line = journal.lines[number]
        if (line.deals_from, len(line.start), len(line.found)) != (first + known, *[deals - known] * 2):
            raise UserError(f"look {number + 1} of the journal has other deals than those that are due")
        known = deals
        seen = _seen(asked, first, journal.lines[: number + 1])
        if tell is not None:
            tell(seen)
        if seen.decision != UNDECIDED:
            break
    return seen


def _seen(asked: Asked, first: int, looks: list[Look]) -> Confirmation:
    """Return what is known after some looks."""
    arena, test = asked.arena, Gsprt(TEST["elo0"], asked.record.elo1, TEST["alpha"], TEST["beta"])
    start = np.array([won for look in looks for won in look.start])
    found = np.array([won for look in looks for won in look.found])
    differences, counts = np.unique(found - start, return_counts=True)
    scores = (1 + differences / arena.full) / 2
    llr = test.llr(scores, counts, arena.games_per_deal)
    low, high = sequential.confidence_sequence((found - start) / arena.full, span=2.0)
    below, above = test.bounds
    return Confirmation(
        decision=HELPED if llr >= above else DID_NOT if llr <= below else UNDECIDED,
        deals_from=first,
        deals=len(start),
        games=arena.games(2, len(start)),
        start=float(start.mean()) / arena.full,
        found=float(found.mean()) / arena.full,
        difference=Interval(
            float((found - start).mean()) / arena.full, max(-1.0, float(low[-1])), min(1.0, float(high[-1]))
        ),
        llr=llr,
        elo0=test.elo0,
        elo1=test.elo1,
        errors=sum(look.errors for look in looks),
    )
