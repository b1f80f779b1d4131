"""What a metric of balance is: a name, a formula with its source, and how it follows from sums over games."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from arbosim.analysis.balance.draws import Draws

Values = Mapping[str, np.ndarray]
"""By subject, float64[1 + replicates]; NaN where there is nothing to divide by."""


Group = Literal["fairness", "skill", "scores", "strategies", "tension", "length"]
"""What a metric is about."""
GROUPS: tuple[Group, ...] = get_args(Group)
"""In the order of their weight for whoever asks whether a rule is good."""


@dataclass(frozen=True)
class Metric:
    """One number that describes a rule set, as played by a pool of strategies.

    Parameters
    ----------
    name : str
    title : str
        The name in plain words, of which "is higher" can be said.
    formula : str
        How it follows from result rows.
    source : str
        Where it is from; "own" if from nowhere else.
    unit : str
    needs : str
        What a run must have beside results, in words; empty if nothing.
    per : str
        "table" for one value, "strategy" for one of each strategy, the subject.
    columns : tuple of str
        The columns of result rows whose sums it needs, without the seat at their end.
    low, high : float
        What is possible.
    group : str
        One of GROUPS. What comes from elsewhere is about strategies unless it says otherwise.
    meaning : str
        What it tells, in a plain sentence without the names of columns.
    of : callable, optional
        Returns the values by subject; none of them if the games do not tell. A metric without it comes from elsewhere.
    """

    name: str
    title: str
    formula: str
    source: str
    unit: str
    needs: str = ""
    per: Literal["table", "strategy"] = "table"
    columns: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    group: Group = "strategies"
    meaning: str = ""
    of: Callable[[Draws], Values] | None = None
