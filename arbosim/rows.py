"""Where the rows of a run lie: in memory here, or in the parts of a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

Actions = Sequence[np.ndarray]
"""Of each game its actions as numbers, int32."""


class Rows(Protocol):
    """Where the rows of a run lie: in memory, or as the parts of a folder."""

    def write(
        self, match: int, rows: np.ndarray, errors: Iterable[Mapping[str, Any]], actions: Actions | None
    ) -> None:
        """Keep rows of consecutive whole deals of one match, the errors in them, and the actions if there are any."""

    def batches(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield match and rows."""

    def count(self) -> int:
        """Return how many there are, which costs no reading."""

    def row(self, match: int, deal: int, rotation: int) -> np.void | None:
        """Return the row of one game, or None if it has not been played."""

    def actions(self, match: int, deal: int, rotation: int) -> np.ndarray | None:
        """Return the actions of one game, int32, or None if none are kept."""

    def errors(self) -> Iterator[dict[str, Any]]:
        """Yield all errors."""

    def cut(self, end: int) -> None:
        """Forget the deals from ``end`` on."""


class Memory:
    """Rows that are not kept on disk."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, np.ndarray]] = []
        self._actions: dict[tuple[int, int, int], np.ndarray] = {}
        self._errors: list[dict[str, Any]] = []

    def write(
        self,
        match: int,
        rows: np.ndarray,
        errors: Iterable[Mapping[str, Any]],
        actions: Actions | None = None,
    ) -> None:
        """Keep rows of consecutive whole deals of one match, the errors in them, and the actions if there are any."""
        if actions is not None:
            for row, acted in zip(rows, actions, strict=True):
                self._actions[match, int(row["deal"]), int(row["rotation"])] = acted
        self._rows.append((match, rows))
        self._errors.extend(dict(error) for error in errors)

    def batches(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield match and rows, in the order of matches and deals."""
        full = [entry for entry in self._rows if len(entry[1])]
        yield from sorted(full, key=lambda entry: (entry[0], int(entry[1]["deal"][0])))

    def count(self) -> int:
        """Return how many there are."""
        return sum(len(rows) for _, rows in self._rows)

    def row(self, match: int, deal: int, rotation: int) -> np.void | None:
        """Return the row of one game, or None if it has not been played."""
        for number, rows in self._rows:
            at = np.flatnonzero((rows["deal"] == deal) & (rows["rotation"] == rotation))
            if number == match and len(at):
                found: np.void = rows[at[0]]
                return found
        return None

    def actions(self, match: int, deal: int, rotation: int) -> np.ndarray | None:
        """Return the actions of one game, int32, or None if none are kept."""
        return self._actions.get((match, deal, rotation))

    def errors(self) -> Iterator[dict[str, Any]]:
        """Yield all errors in the order of their games."""
        yield from sorted(self._errors, key=lambda error: (error["match"], error["deal"], error["rotation"]))

    def cut(self, end: int) -> None:
        """Forget the deals from ``end`` on."""
        self._rows = [(match, rows[rows["deal"] < end]) for match, rows in self._rows]
        self._errors = [error for error in self._errors if error["deal"] < end]
        self._actions = {game: acted for game, acted in self._actions.items() if game[1] < end}
