"""What a comparison of two strategies asks and answers, and which questions make sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from arbosim.core.arguments import real, whole
from arbosim.core.errors import UserError, unknown

MOST_DEALS = 10_000_000
"""A comparison keeps six numbers a deal in memory."""
LARGEST_ELO = 1000
"""Of either hypothesis, in normalised Elo per game."""
TEST = {"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05}
"""What is tested unless something else is asked."""


class ComparisonRecord(BaseModel):
    """What a comparison of two strategies asked, and its answer, as run.json keeps it; see docs/compare.md."""

    model_config = ConfigDict(extra="forbid", strict=True)

    first: str
    second: str
    elo0: float | None
    elo1: float | None
    alpha: float | None
    beta: float | None
    until_width: float | None
    line_ups: Annotated[int, Field(ge=1)]
    max_deals: int
    decision: Literal["H0", "H1", "precise", "undecided"] | None = None
    deals: Annotated[int, Field(ge=0)] = 0
    looks: Annotated[int, Field(ge=0)] = 0
    llr: float | None = None

    def check(self, line_ups: Sequence[Sequence[str]], deals: int, place: Callable[[str], str] = str) -> None:
        """Refuse what cannot be a comparison in a run with these line-ups and so many deals."""
        check_rule(self.model_dump(), place)
        most = whole(self.max_deals, place("max_deals"), 1, MOST_DEALS)
        if self.line_ups > len(line_ups):
            raise UserError(f"the run has {len(line_ups)}, not {self.line_ups}", where=place("line_ups"))
        if self.first == self.second:
            raise UserError(f"{self.first!r} cannot be compared with itself", where=place("second"))
        known = {spec for line_up in line_ups for spec in line_up}
        for name, spec in (("first", self.first), ("second", self.second)):
            if spec not in known:
                raise unknown("strategy", spec, known, where=place(name))
            if not all(spec in line_up for line_up in line_ups[: self.line_ups]):
                raise UserError(f"{spec!r} does not sit in every line-up that is compared", where=place(name))
        accepted = ("undecided", "H0", "H1") if self.until_width is None else ("undecided", "precise")
        if self.decision is not None and self.decision not in accepted:
            raise unknown("decision", self.decision, accepted, where=place("decision"))
        if self.decision is not None:
            whole(self.deals, place("deals"), 1, min(most, deals))
        else:
            whole(self.deals, place("deals"), 0, most)


def check_rule(asked: Mapping[str, Any], place: Callable[[str], str] = str) -> None:
    """Refuse a rule that cannot end a comparison: elo0, elo1, alpha and beta, or until_width alone.

    Parameters
    ----------
    asked : mapping
        All five; None is what is not asked.
    place : callable
        Says by which name a setting is given, for messages.
    """
    given = {
        name: real(asked[name], place(name)) for name in (*TEST, "until_width") if asked[name] is not None
    }
    width = given.pop("until_width", None)
    if width is not None:
        if given:
            others = ", ".join(map(place, given))
            raise UserError(
                f"{place('until_width')} is another way to stop than {others}; give one of the two"
            )
        if not 0 < width < 100:
            raise UserError(
                f"must be between 0 and 100 percentage points, not {width:g}", where=place("until_width")
            )
        return
    for name in TEST:
        if name not in given:
            raise UserError(f"must be a number, unless there is {place('until_width')}", where=place(name))
    for name in ("alpha", "beta"):
        if not 0 < given[name] < 0.5:
            raise UserError(f"must lie between 0 and 0.5, not {given[name]:g}", where=place(name))
    for name in ("elo0", "elo1"):
        if abs(given[name]) > LARGEST_ELO:
            raise UserError(
                f"must lie between -{LARGEST_ELO} and {LARGEST_ELO}, not {given[name]:g}", where=place(name)
            )
    if not given["elo0"] < given["elo1"]:
        raise UserError(
            f"{place('elo0')} must be less than {place('elo1')}, but is {given['elo0']:g} "
            f"and not below {given['elo1']:g}"
        )
