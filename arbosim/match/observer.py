"""Observers: metrics of one's own in plain Python, measured while games are played again."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from arbosim.core.arguments import shown
from arbosim.core.errors import FAILURES, UserError, told
from arbosim.core.game import Position

TAKEN = ("match", "deal", "rotation", "seat", "strategy")
"""What the columns say that stand before the metrics."""


class Observer(ABC):
    """Watch games and measure them; derive from it what you need of the three methods.

    The same object watches one game after the other, so `before` is where counts go back to 0. A position shows
    everything, hands and deck included, and is for looking at: an observer that plays on it is refused.

    Examples
    --------
    >>> class Lowest(Observer):
    ...     def end(self, position):
    ...         return {"lowest": [min(card.value for card in hand) for hand in position.hands]}
    """

    def before(self, position: Position) -> None:  # noqa: B027  # may be left out
        """See the deal, before the first action."""

    def after(self, position: Position, seat: int, action: tuple[Any, ...]) -> None:  # noqa: B027  # likewise
        """See the position after an action of a seat."""

    @abstractmethod
    def end(self, position: Position) -> Mapping[str, float | Sequence[float | None] | None]:
        """Return what was measured in a game, by name: a number, or one number a seat; None is a missing one."""


class Watch:
    """An observer at one game, as a narrator; whatever it does wrong becomes a UserError that names the game.

    Attributes
    ----------
    found : dict
        After the end: what it measured, by name; a float, or a tuple of one float a seat. Missing ones are NaN.
    """

    def __init__(self, observer: Any, game: str) -> None:
        self._observer = observer
        self._game = game
        self.found: dict[str, float | tuple[float, ...]] = {}
        if isinstance(observer, type):
            raise UserError(f"an observer is an object: {observer.__name__}(), not the class itself")
        if not callable(getattr(observer, "end", None)):
            raise UserError(f"{self._name} is no observer: it has no method end(position)")

    def begin(self, position: Position) -> None:
        """Let it see the deal."""
        self._ask("before", position)

    def acted(self, position: Position, seat: int, action: tuple[Any, ...]) -> None:
        """Let it see an action."""
        self._ask("after", position, seat, action)

    def end(self, position: Position) -> None:
        """Take what it has measured."""
        found = self._ask("end", position)
        if not isinstance(found, Mapping):
            raise self._wrong(f"end(position) returned no numbers by name, but {shown(found)}")
        for name, value in found.items():
            if not isinstance(name, str) or not name.isidentifier():
                raise self._wrong(f"a metric is named by an identifier, not {shown(name)}")
            if name in TAKEN:
                raise self._wrong(f"{name!r} is a column already")
            self.found[name] = self._numbers(name, value, position.players)

    @property
    def _name(self) -> str:
        return f"observer {type(self._observer).__name__}"

    def _wrong(self, what: str) -> UserError:
        return UserError(f"{self._name} in game {self._game}: {what}")

    def _ask(self, method: str, position: Position, *given: Any) -> Any:
        known = len(position.actions), position.finished
        ask = getattr(self._observer, method, None)
        try:
            answer = ask(position, *given) if ask is not None else None
        except FAILURES as error:
            raise self._wrong(
                f"{method} failed after {len(position.actions)} actions: {told(error)}"
            ) from error
        if (len(position.actions), position.finished) != known:
            raise self._wrong(f"{method} went on with the game; position.copy() is for trying things")
        return answer

    def _numbers(self, name: str, value: object, players: int) -> float | tuple[float, ...]:
        if _is_number(value):
            return self._number(name, value)
        try:
            values = list(value)  # type: ignore[call-overload]
        except FAILURES:
            values = []
        if (
            isinstance(value, str | bytes | Mapping)
            or len(values) != players
            or not all(map(_is_number, values))
        ):
            raise self._wrong(
                f"{name!r} is a number or a list of {players} numbers, one a seat, not {shown(value)}"
            )
        return tuple(self._number(name, each) for each in values)

    def _number(self, name: str, value: Any) -> float:
        try:
            return math.nan if value is None else float(value)
        except (OverflowError, ValueError, TypeError) as error:
            raise self._wrong(f"{name!r} is no number that fits 64 bits: {shown(value)}") from error


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, Real | np.bool_)
