"""Parameters as a point of the unit cube, and back: every parameter is one side of it, from lowest to highest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arbosim.core.errors import UserError, unknown
from arbosim.core.strategy import Parameter, Strategy, Value

DIGITS = 4
"""Significant digits of a tuned number: more than any number of games could tell apart."""


@dataclass(frozen=True)
class Space:
    """The parameters that are tuned, in the order in which the strategy declares them."""

    parameters: tuple[Parameter, ...]

    @property
    def names(self) -> list[str]:
        """Return the names of the parameters."""
        return [parameter.name for parameter in self.parameters]

    def point(self, values: Mapping[str, Value]) -> np.ndarray:
        """Return where values lie in the unit cube, float64[parameters]."""
        return np.array([_place(one, values[one.name]) for one in self.parameters])

    def values(self, point: Sequence[float] | np.ndarray) -> dict[str, Value]:
        """Return the values at a point: whole ones rounded, others to DIGITS significant digits."""
        pairs = zip(self.parameters, point, strict=True)
        return {parameter.name: _value(parameter, float(place)) for parameter, place in pairs}


def space(strategy: Strategy, names: Sequence[str] | None = None, where: str = "") -> Space:
    """Return the parameters to tune: those that the strategy marks, or those that are named.

    Parameters
    ----------
    where : str
        The flag or key that names parameters, for messages.

    Raises
    ------
    UserError
        There are none, or they cannot be tuned; it tells all mistakes at once.
    """
    numbers = {
        one.name: one
        for one in strategy.parameters
        if one.kind != "switch" and not one.budget and not one.clock
    }
    if names is None:
        chosen = [one.name for one in strategy.parameters if one.tune]
        if not chosen:
            raise UserError(_nothing_marked(strategy, numbers, where))
    else:
        chosen = list(names)
    wrong = [_reason(strategy, name, numbers, where) for name in chosen if name not in numbers]
    wrong += [
        f"{where}: parameter {name!r} has one value only, {numbers[name].format(numbers[name].default)}"
        for name in chosen
        if name in numbers and _cells(numbers[name]) == 1
    ]
    wrong += [f"{where}: {name!r} is named twice" for name in dict.fromkeys(chosen) if chosen.count(name) > 1]
    if not chosen:
        wrong = [f"{where}: no parameter is named"]
    if wrong:
        raise UserError("\n".join(wrong))
    return Space(tuple(one for one in strategy.parameters if one.name in chosen))


def _nothing_marked(strategy: Strategy, numbers: Mapping[str, Parameter], where: str) -> str:
    if not numbers:
        return f"strategy {strategy.name!r} has no parameter that could be tuned"
    return (
        f"strategy {strategy.name!r} marks no parameter with Parameter(..., tune=True); "
        f"{where} names some of: {', '.join(numbers)}"
    )


def _reason(strategy: Strategy, name: str, numbers: Mapping[str, Parameter], where: str) -> str:
    known = {one.name: one for one in strategy.parameters}
    if name not in known:
        return str(unknown(f"parameter of {strategy.name}", name, numbers, where))
    kind = "clock" if known[name].clock else "budget"
    what = "a switch" if known[name].kind == "switch" else f"a {kind}, which is better the larger it is"
    return f"{where}: parameter {name!r} is {what}, and cannot be tuned"


def _cells(parameter: Parameter) -> float:
    """Return how many whole values there are, infinity for numbers; 1 if there is nothing to choose."""
    if parameter.kind == "whole":
        return math.floor(parameter.high) - math.ceil(parameter.low) + 1
    return math.inf if parameter.high > parameter.low else 1


def _place(parameter: Parameter, value: Value) -> float:
    if (
        parameter.kind == "whole"
    ):  # the middle of its part of the side, so that the ends get as much as the others
        return float((value - math.ceil(parameter.low) + 0.5) / _cells(parameter))
    return float((value - parameter.low) / (parameter.high - parameter.low))


def _value(parameter: Parameter, place: float) -> Value:
    if parameter.kind == "whole":
        lowest, highest = math.ceil(parameter.low), math.floor(parameter.high)
        return min(highest, max(lowest, lowest + math.floor(place * _cells(parameter))))
    exact = parameter.low + place * (parameter.high - parameter.low)
    return float(min(parameter.high, max(parameter.low, float(f"{exact:.{DIGITS}g}"))))
