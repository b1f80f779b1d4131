"""What a comparison found: the decision, the way to it, and estimates that hold although it stopped early."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from arbosim.analysis import sequential
from arbosim.analysis.stats import Interval
from arbosim.contest.referee import Look, Referee, sequence_bounds
from arbosim.core.numbers import counted
from arbosim.results import Results
from arbosim.tournament.comparison import ComparisonRecord

if TYPE_CHECKING:
    import pandas as pd

UNSURE = (
    "  1/2 lies within the first interval: the test weighs two hypotheses against each other, and that takes fewer\n"
    "  deals than an interval that holds whenever one stops; for a narrow one, ask with --until-width"
)


@dataclass(frozen=True)
class Contest:
    """The outcome of a comparison. All intervals are confidence sequences of 95 %, which hold whenever one stops.

    Parameters
    ----------
    first, second : str
    decision : str
        "H1" or "H0" was accepted, "precise": the interval is as narrow as was asked, or "undecided".
    deals, games : int
        What decided; the run holds exactly these.
    above : Interval
        Share of games in which the first finishes above the second, ties half; for two players its win share.
    normalised_elo : Interval
        Per game: (above - 1/2) over the standard deviation of a game, times 347.4. Without a value where all deals
        came out alike.
    elo : Interval
        The Elo difference that gives the share above; a bound at 0 or 1 is missing.
    win_share : Interval
        Difference of the win shares.
    score : Interval
        Difference of the scores, in points, over games that nobody forfeited.
    results : Results
        The run.
    """

    asked: ComparisonRecord
    decision: str
    deals: int
    games: int
    llr: float | None
    looks: tuple[Look, ...] = field(repr=False)
    above: Interval
    normalised_elo: Interval
    elo: Interval
    win_share: Interval
    score: Interval
    results: Results = field(repr=False)

    @property
    def first(self) -> str:
        """Return the spec of the first strategy."""
        return self.asked.first

    @property
    def second(self) -> str:
        """Return the spec of the second strategy."""
        return self.asked.second

    @property
    def trajectory(self) -> pd.DataFrame:
        """Return a frame with one row per look: deals, share, low, high, llr (missing where a width is asked for)."""
        import pandas as pd

        frame = pd.DataFrame([asdict(look) for look in self.looks])
        return frame.astype({"llr": float})

    @property
    def verdict(self) -> str:
        """Return in one sentence what was decided."""
        return _verdict(self.asked, self.decision, self.above.value)

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as machines read it."""
        names = ("above", "normalised_elo", "elo", "win_share", "score")
        state = self.results.manifest
        return {
            "run": str(self.results.folder) if self.results.folder else None,
            **self.asked.model_dump(),
            "decision": self.decision,
            "verdict": self.verdict,
            "deals": self.deals,
            "games": self.games,
            "looks": len(self.looks),
            "llr": self.llr,
            **{name: asdict(getattr(self, name)) for name in names},
            "trajectory": [asdict(look) for look in self.looks],
            "players": state.players,
            "rules": self.results.rules,
            "seed": state.seed,
            "digest": state.digest,
            "note": state.caution,
        }

    def __str__(self) -> str:
        asked, state = self.asked, self.results.manifest
        seated = {spec for line_up in state.line_ups[: asked.line_ups] for spec in line_up}
        field = sorted(seated - {self.first, self.second})
        among = f", {state.players} at a table, among {', '.join(field)}" if field else ""
        lines = [
            f"{self.first} against {self.second}{among}",
            f"  {self.verdict}",
            f"  {counted(self.deals, 'deal')}, {counted(self.games, 'game')}, {counted(len(self.looks), 'look')}",
        ]
        if self.llr is not None and asked.alpha is not None and asked.beta is not None:
            low, high = sequential.Gsprt(0, 0, asked.alpha, asked.beta).bounds
            lines.append(f"  log-likelihood ratio {self.llr:+.3f}, bounds {low:+.3f} and {high:+.3f}")
        settled = self.decision in ("H0", "H1")
        return "\n".join(
            [
                *lines,
                f"  finishes above, ties half   {self.above.text()}",
                f"  normalised Elo per game     {_elo_text(self.normalised_elo)}",
                f"  Elo                         {_elo_text(self.elo)}",
                f"  win share difference        {self.win_share.text('+')}",
                f"  score difference            {self.score.text('+')}",
                "  intervals of 95 % that hold whenever one stops; docs/compare.md says more",
                *([f"  {state.caution}"] if state.caution else []),
                *([UNSURE] if settled and _holds_half(self.above) else []),
            ]
        )


def _holds_half(share: Interval) -> bool:
    return share.low is not None and share.high is not None and share.low <= 0.5 <= share.high


def _elo_text(value: Interval) -> str:
    if value.value is None and value.low is None and value.high is None:
        return f"not defined: {value.bounds()}"
    low = "no bound" if value.low is None else f"{value.low:+.1f}"
    high = "no bound" if value.high is None else f"{value.high:+.1f}"
    middle = "no bound" if value.value is None else f"{value.value:+.1f}"
    return f"{middle} ({low} to {high})"


def _verdict(asked: ComparisonRecord, decision: str, share: float | None) -> str:
    a, b = asked.first, asked.second
    if decision == "undecided":
        return f"undecided after {counted(asked.max_deals, 'deal')}, the most that were allowed"
    if decision == "precise":
        return f"the interval is at most {asked.until_width:g} percentage points wide"
    elo0, elo1 = asked.elo0 or 0.0, asked.elo1 or 0.0
    lead = 0.0 if share is None else round(share - 0.5, 3)  # to the figure that is printed
    found = "" if share is None else f"; it finished above in {100 * share:.1f} %"
    if decision == "H1":
        accepted, rejected = elo1, elo0
        if elo0 + elo1 >= 0:
            known, more = f"{a} is stronger than {b}", ""
        elif lead > 0:
            known, more = (
                f"{a} is not weaker than {b}",
                f"{found}: to ask whether it is stronger, take 0 as H0",
            )
        else:
            known, more = f"{a} is not weaker than {b} by {-elo0:g}", "; it may be weaker by less"
    else:
        accepted, rejected = elo0, elo1
        if elo0 + elo1 <= 0:
            known, more = f"{a} is weaker than {b}", ""
        elif lead < 0:
            known, more = (
                f"{a} is not stronger than {b}",
                f"{found}: to ask whether {b} is stronger, swap the two",
            )
        else:
            known, more = f"{a} is not stronger than {b} by {elo1:g}", "; it may be stronger by less"
    return f"{known}: {decision} accepted, normalised Elo {accepted:+g} rather than {rejected:+g}{more}"


def report(referee: Referee, results: Results) -> Contest:
    """Return the outcome of a comparison that is over."""
    last, duel, asked = referee.looks[-1], referee.duel, referee.asked
    above = duel.above(last.deals)
    share = duel.share_difference(last.deals)
    return Contest(
        asked=asked,
        decision=str(referee.decision),
        deals=last.deals,
        games=last.deals * duel.games_per_deal,
        llr=last.llr,
        looks=tuple(referee.looks),
        above=Interval(last.share, last.low, last.high),
        normalised_elo=_normalised_elo(above, duel.games_per_deal, asked),
        elo=Interval(sequential.elo(last.share), sequential.elo(last.low), sequential.elo(last.high)),
        win_share=_interval(share, asked, 2.0),
        score=_score(*duel.score_difference(last.deals), asked),
        results=results,
    )


def _interval(values: np.ndarray, asked: ComparisonRecord, span: float) -> Interval:
    low, high = sequence_bounds(values, asked, span)
    return Interval(float(values.mean()), max(low, -span / 2), min(high, span / 2))


def _normalised_elo(scores: np.ndarray, games: int, asked: ComparisonRecord) -> Interval:
    found = sequential.normalised_elo(scores, games)
    if found is None:
        return Interval(None, None, None, alike=len(scores) > 1)
    low, high = sequence_bounds(found[1], asked, 0.0)
    return Interval(found[0], found[0] + low, found[0] + high)


def _score(total: np.ndarray, games: np.ndarray, asked: ComparisonRecord) -> Interval:
    if not games.sum():
        return Interval(None, None, None)
    value = float(total.sum() / games.sum())
    residuals = (total - value * games) / games.mean()
    if float(np.abs(residuals).max()) < 1e-9:
        return Interval(value, None, None, alike=len(residuals) > 1)
    low, high = sequence_bounds(residuals, asked, 0.0)
    return Interval(value, value + low, value + high)
