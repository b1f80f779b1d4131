"""Quotients of sums over games by which a game says how balanced a rule set is, beyond what all games have."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ratio:
    """A metric of a whole run: the sum of one column over its games and seats, divided by another sum.

    Parameters
    ----------
    name, title, formula, source, unit, meaning : str
        As in `arbosim.analysis.balance.Metric`.
    above : str
        The column of result rows that is summed: of a game, or of every seat of it.
    below : str
        The column whose sum divides it; if it is empty, the number of values that were summed does.
    each : callable, optional
        From rules and number of players: by what a single value is divided further, such as the species that there
        are.
    low, high : float
        What is possible.
    """

    name: str
    title: str
    formula: str
    source: str
    unit: str
    above: str
    below: str = ""
    each: Callable[[Any, int], float] | None = None
    low: float = 0.0
    high: float = math.inf
    meaning: str = ""
