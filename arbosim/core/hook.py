"""Compiled metrics of one's own: what a hook is, and the columns that it adds to result rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

from arbosim.core.columns import Column
from arbosim.core.errors import UserError, unknown
from arbosim.core.strategy import source_of

if TYPE_CHECKING:
    import numpy as np

Per = Literal["seat", "game"]


@dataclass(frozen=True)
class Hook:
    """A function that the engine of a game calls before, during and after each game, to measure it.

    Parameters
    ----------
    names : tuple of str
        The numbers that it measures; they become float64 columns.
    per : {"seat", "game"}
        Whether there is one of each number a seat, or one a game.
    spec, location : str
        By which name it was found, and where another process finds it; empty for an object that lives in memory.
    """

    game: str
    names: tuple[str, ...]
    per: Per
    entry: Callable[..., Any]
    meaning: str = ""
    spec: str = ""
    location: str = ""

    def __post_init__(self) -> None:
        if self.per not in ("seat", "game"):
            raise unknown("per", str(self.per), ("seat", "game"), where="metric")
        if not self.names or len(set(self.names)) < len(self.names):
            raise UserError("a metric has one or more names, each once", where="metric")
        for name in self.names:
            if not isinstance(name, str) or not name.isidentifier():
                raise UserError(f"is named by an identifier, not {name!r}", where="metric")

    @cached_property
    def source_hash(self) -> str:
        """Hash of the source text of its file, or of its own where it has none."""
        return blake2b(source_of(self.entry), digest_size=16).hexdigest()

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return its numbers as columns of a frame."""
        return tuple(Column(name, "float64", "", self.meaning) for name in self.names)

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.location:
            return Hook, (self.game, self.names, self.per, self.entry, self.meaning)
        return _found_again, (self.location, self.game, self.source_hash)


def fields(names: Sequence[str], per: str, players: int) -> list[tuple[str, str]]:
    """Return the fields by which a hook's numbers follow the others in a result row."""
    if per == "game":
        return [(name, "f8") for name in names]
    return [(f"{name}_{seat}", "f8") for name in names for seat in range(players)]


def extended(dtype: np.dtype[Any], added: Sequence[tuple[str, str]]) -> np.dtype[Any]:
    """Return the dtype of a row with more fields at its end."""
    import numpy as np

    return np.dtype([*((name, dtype[name]) for name in dtype.names or ()), *added])


def _found_again(location: str, game: str, source_hash: str) -> Hook:
    from arbosim.core import registry  # the registry stands on this module

    found = registry.hook(location, game)
    if found.source_hash != source_hash:
        raise UserError(
            f"the source of the metric {location!r} has changed while it measures; put the old one back"
        )
    return found
