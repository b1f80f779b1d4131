"""The rows of a study's frames as plain objects, in which what is unknown is None."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import pandas as pd

BASE = "base"
"""What the variant is called to which all others are compared."""
GIVEN, RETUNED = "given", "retuned"
"""The pools: strategies as they were given, and tuned again for each variant."""
POOLS = {GIVEN: "", RETUNED: "re-tuned"}
"""What is said of players of a pool."""


@dataclass(frozen=True)
class Value:
    """What a metric is under one variant."""

    players: int
    pool: str
    variant: str
    metric: str
    subject: str
    value: float | None
    low: float | None
    high: float | None
    unit: str
    deals: int

    @property
    def key(self) -> tuple[str, str]:
        """Return what was measured: the metric, and of whom."""
        return self.metric, self.subject

    @property
    def family(self) -> tuple[int, str]:
        """Return number of players and pool."""
        return self.players, self.pool


@dataclass(frozen=True)
class Effect:
    """What a variant changes of a metric: its value minus that of the base."""

    players: int
    pool: str
    variant: str
    metric: str
    subject: str
    base: float | None
    value: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_holm: float | None
    significant: bool
    deals: int

    @property
    def key(self) -> tuple[str, str]:
        """Return what was measured: the metric, and of whom."""
        return self.metric, self.subject

    @property
    def family(self) -> tuple[int, str]:
        """Return within what p-values are corrected: number of players and pool."""
        return self.players, self.pool

    @property
    def is_known(self) -> bool:
        """Return whether the deals were enough for an interval."""
        return self.difference is not None and self.low is not None and self.high is not None

    @property
    def is_nothing(self) -> bool:
        """Return whether the variant changed nothing at all, in no deal."""
        return self.difference == 0 and self.low == 0 and self.high == 0

    @property
    def clearness(self) -> float:
        """Return the difference in units of half its interval, without its sign; 0 where that is not known."""
        if self.difference is None or self.low is None or self.high is None:
            return 0.0
        half = (self.high - self.low) / 2
        return abs(self.difference) / half if half > 0 else float("inf") if self.difference else 0.0


@dataclass(frozen=True)
class Standing:
    """How a strategy of the pool stands under one variant."""

    players: int
    pool: str
    variant: str
    strategy: str
    win_share: float | None
    low: float | None
    high: float | None
    nash: float | None
    nash_low: float | None
    nash_high: float | None


Row = TypeVar("Row", Value, Effect, Standing)


def read(frame: pd.DataFrame, kind: type[Row]) -> list[Row]:
    """Return the rows of a frame as objects of a kind."""
    names = [field.name for field in fields(kind)]
    rows = frame[names].itertuples(index=False, name=None)
    return [kind(**dict(zip(names, map(known, row), strict=True))) for row in rows]


def known(given: Any) -> Any:
    """Return something of a frame as Python has it, None for what is missing."""
    import pandas as pd

    return None if pd.isna(given) else given.item() if hasattr(given, "item") else given


def at_tables(players: int, pool: str = GIVEN) -> str:
    """Return for whom something holds, in words.

    >>> at_tables(2), at_tables(3, RETUNED)
    ('2 players', '3 players, re-tuned')
    """
    return ", ".join(filter(None, [f"{players} players", POOLS[pool]]))


def families(rows: Sequence[Value | Effect | Standing]) -> list[tuple[int, str]]:
    """Return the numbers of players and pools that there are, players first, given strategies before re-tuned ones."""
    return sorted({(row.players, row.pool) for row in rows}, key=lambda each: (each[0], each[1] != GIVEN))
