"""How a game looks to a learner: its decisions as numbers, and its table as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np


class Encoding(Protocol):
    """Observations and actions of a game as numbers, under one rule set and for one number of players.

    A `view` is what one seat sees, as `position.view(seat)` gives it and as a plain-Python strategy is asked with.

    Attributes
    ----------
    actions : int
        How many actions there are; they are numbered from 0, and a number always means the same to the seat that acts.
    highest : int8[size]
        The highest value of each number of an observation; the lowest is 0.
    layout : dict
        The parts of an observation in their order: by name, the shape.
    """

    actions: int
    highest: np.ndarray
    layout: dict[str, tuple[int, ...]]

    def observe(self, view: Any) -> np.ndarray:
        """Return what a seat sees, int8[size]; nothing in it depends on what that seat cannot see."""

    def split(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """Return the parts of an observation by name, each in its shape; they share its memory."""

    def mask(self, view: Any) -> np.ndarray:
        """Return int8[actions]: 1 for each action that the seat may choose now; all 0 if it is not its turn."""

    def action(self, view: Any, number: int) -> tuple[Any, ...]:
        """Return the action that a number stands for, legal or not, as people write it."""

    def number(self, view: Any, action: Sequence[Any]) -> int:
        """Return the number of an action that people write; a UserError if it has none."""


@dataclass(frozen=True)
class Tile:
    """A card to draw: its text, and colours of paper and ink as ``#rrggbb``."""

    text: str
    paper: str
    ink: str


@dataclass(frozen=True)
class Mat:
    """What lies before one seat.

    Parameters
    ----------
    title : str
        Plain text.
    laid : mapping
        Tiles by cell (x, y); y points up.
    rows : tuple
        Tiles that lie in a row, such as a hand, each with its heading.
    """

    title: str
    laid: Mapping[tuple[int, int], Tile]
    rows: tuple[tuple[str, tuple[Tile, ...]], ...]


@dataclass(frozen=True)
class Picture:
    """A table to draw: one mat a seat, and a line of plain text about all of it."""

    title: str
    mats: tuple[Mat, ...]
