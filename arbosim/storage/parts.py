"""The rows of a run on disk: one Parquet file per chunk of deals of one line-up, and the errors beside them.

Line-ups whose games do not repeat by seed have the actions of every game in one more column.

A file gets its name only when it is complete. So a name in ``parts`` says what has been played, and whatever
has another name was left by a process that died.
"""

from __future__ import annotations

import json
import re
import threading
import warnings
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from arbosim.core.errors import UserError
from arbosim.core.files import TEMPORARY
from arbosim.storage import tables

T = TypeVar("T")
_NAME = re.compile(r"m(\d{5,})-d(\d{10,})-n(\d+)\.parquet")
ERROR_FIELDS = {
    "game": str,
    "match": int,
    "strategy": str,
    "deal": int,
    "rotation": int,
    "turn": int,
    "seat": int,
    "kind": str,
    "message": str,
    "penalty": str,
    "number": int,
}
"""What a line of errors.jsonl holds."""
ADDED = {"penalty": "forfeit", "number": 1}
"""What lines of run folders before version 5 say by saying nothing."""


@dataclass(frozen=True, order=True)
class Part:
    """One file: the deals ``first`` to ``first + deals - 1`` of a match (the number of a line-up)."""

    match: int
    first: int
    deals: int

    @property
    def file(self) -> str:
        """Return the name of the file."""
        return f"m{self.match:05d}-d{self.first:010d}-n{self.deals}.parquet"

    @classmethod
    def of_file(cls, name: str) -> Part | None:
        """Return the part that a file name stands for, None if it is no such name."""
        found = _NAME.fullmatch(name)
        return cls(*map(int, found.groups())) if found else None


class Parts:
    """The folder ``parts`` and the file ``errors.jsonl`` of a run.

    Parameters
    ----------
    folder : Path
        The run folder.
    dtype : numpy.dtype
        The structured dtype of a row.
    rotations : int
        Rows per deal.
    matches : int
        Line-ups of the run.
    deals : range
        Deals of the run.
    with_actions : container of int
        The matches whose games keep their actions.
    """

    def __init__(
        self,
        folder: Path,
        dtype: np.dtype[Any],
        rotations: int,
        matches: int,
        deals: range,
        with_actions: Container[int] = (),
    ) -> None:
        self.folder = folder
        self.dtype = dtype
        self.rotations = rotations
        self.matches = matches
        self.deals = deals
        self._parts = folder / "parts"
        self._errors = folder / "errors.jsonl"
        self._with_actions = with_actions
        self._last: tuple[Part, list[np.ndarray]] | None = None  # the part whose actions were read last
        self._lock = threading.Lock()

    def create(self) -> None:
        """Make the empty folder and the empty file."""
        import pyarrow.parquet  # noqa: F401  # loaded here, not while the games are timed

        self._parts.mkdir(exist_ok=True)  # with no more in it than a killed process left
        self._remove_unfinished()
        self._errors.touch()

    def remove_if_empty(self) -> bool:
        """Remove folder and file if there are no rows and none are being written, and say so."""
        if any(self._parts.iterdir()):
            return False
        self._errors.unlink(missing_ok=True)
        self._parts.rmdir()
        return True

    def write(
        self,
        match: int,
        rows: np.ndarray,
        errors: Iterable[Mapping[str, Any]] = (),
        actions: Sequence[np.ndarray] | None = None,
    ) -> None:
        """Keep the rows of consecutive whole deals of one match, the errors in them, and the actions if any."""
        if not len(rows):
            return
        part = Part(match, int(rows["deal"][0]), len(rows) // self.rotations)
        lines = [json.dumps(error) + "\n" for error in errors]
        temporary = self._parts / f"{TEMPORARY}{part.file}"
        with _kept_in(self.folder):
            tables.write(temporary, match, rows, actions)
            # Errors first: if the process dies in between, the part does not exist and mend() drops its errors.
            if lines:
                with self._lock, self._errors.open("a", encoding="utf-8") as file:
                    file.writelines(lines)
            temporary.rename(self._parts / part.file)

    def mend(self) -> None:
        """Remove what a killed process left behind: unfinished files, damaged ones, errors of lost deals."""
        list(self.errors())  # first of all, because it may refuse
        self._parts.mkdir(exist_ok=True)
        self._remove_unfinished()
        for part in self.all():
            try:
                self.read(part)
                self._actions(part)
            except DamagedError as error:
                warnings.warn(f"{error.damage}; its deals are played again", stacklevel=2)
                (self._parts / part.file).unlink()
        self._keep_errors(list(self.errors()))

    def cut(self, end: int) -> None:
        """Forget the deals from ``end`` on; a process that is killed meanwhile leaves what can be mended."""
        for part in self.all():
            if part.first + part.deals <= end:
                continue
            left = max(0, end - part.first) * self.rotations
            rows, actions = self.read(part)[:left], self._actions(part)
            (self._parts / part.file).unlink()  # first, because two parts may not hold the same deal
            self.write(part.match, rows, actions=None if actions is None else actions[:left])
        self.deals = range(self.deals.start, end)
        self._keep_errors(list(self.errors()))

    def all(self) -> list[Part]:
        """Return all parts in order.

        Raises
        ------
        UserError
            Two of them hold the same deal, or one holds deals that the run does not have.
        """
        paths = self._parts.iterdir() if self._parts.is_dir() else ()
        parts = sorted(part for path in paths if (part := Part.of_file(path.name)))
        for part in parts:
            if part.match >= self.matches or not (
                self.deals.start <= part.first < part.first + part.deals <= self.deals.stop
            ):
                raise UserError(
                    f"{self._parts / part.file} does not belong to the run, which has the matches 0 to "
                    f"{self.matches - 1} and the deals {self.deals.start} to {self.deals.stop - 1}"
                )
        for before, after in pairwise(parts):
            if before.match == after.match and before.first + before.deals > after.first:
                raise UserError(f"{self._parts / after.file} holds deals that {before.file} holds as well")
        return parts

    def done(self) -> dict[int, list[tuple[int, int]]]:
        """Return per match the ranges (first deal, number of deals) that have been played."""
        ranges: dict[int, list[tuple[int, int]]] = {}
        for part in self.all():
            ranges.setdefault(part.match, []).append((part.first, part.deals))
        return ranges

    def count(self) -> int:
        """Return how many rows there are, by the names of the files."""
        return sum(part.deals for part in self.all()) * self.rotations

    def read(self, part: Part) -> np.ndarray:
        """Return the rows of a part.

        Raises
        ------
        DamagedError
            The file is none, or holds something else than its name says.
        """
        return self._checked(part, self._rows(part))

    def _table(self, part: Part, columns: Iterable[str]) -> Any:
        """Return some columns of a part, if it has those that it should have and no others."""
        import pyarrow.parquet as pq

        path = self._parts / part.file
        try:
            # an open file, because a name may look like an address to pyarrow
            with path.open("rb") as opened, pq.ParquetFile(opened) as file:
                expected = tables.schema(self.dtype, part.match in self._with_actions)
                return file.read(list(columns)) if file.schema_arrow.equals(expected) else None
        except Exception as error:  # what pyarrow raises depends on which byte is wrong
            raise DamagedError(f"{path} is damaged ({_first_line(error)})", self._again) from error

    def _checked(self, part: Part, found: T | None) -> T:
        if found is None:
            path = self._parts / part.file
            raise DamagedError(f"{path} is damaged: it does not hold what its name says", self._again)
        return found

    @property
    def _again(self) -> str:
        return f"arbosim run --resume {self.folder}"

    def batches(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the match and the rows of each part, one part at a time."""
        for part in self.all():
            yield part.match, self.read(part)

    def row(self, match: int, deal: int, rotation: int) -> np.void | None:
        """Return the row of one game, or None if it has not been played."""
        part = self._part_of(match, deal, rotation)
        return None if part is None else self.read(part)[(deal - part.first) * self.rotations + rotation]

    def actions(self, match: int, deal: int, rotation: int) -> np.ndarray | None:
        """Return the actions of one game, int32, or None if none are kept."""
        part = self._part_of(match, deal, rotation)
        found = None if part is None else self._actions(part)
        return (
            None if part is None or found is None else found[(deal - part.first) * self.rotations + rotation]
        )

    def _part_of(self, match: int, deal: int, rotation: int) -> Part | None:
        """Return where a game is, or None if it has not been played."""
        for part in self.all() if rotation < self.rotations else ():
            if part.match == match and part.first <= deal < part.first + part.deals:
                return part
        return None

    def _actions(self, part: Part) -> list[np.ndarray] | None:
        """Return the actions of each game of a part, or None if none are kept."""
        if part.match not in self._with_actions:
            return None
        if self._last is None or self._last[0] != part:
            table = self._table(part, [tables.ACTIONS])
            lists = None if table is None else tables.lists(table)
            is_whole = lists is not None and len(lists) == part.deals * self.rotations
            self._last = part, self._checked(part, lists if is_whole else None)
        return self._last[1]

    def errors(self) -> Iterator[dict[str, Any]]:
        """Yield the errors of all deals that have been played, each once.

        Raises
        ------
        UserError
            A line is none that was written here. An unfinished last line is: the process died while it wrote it,
            so its deal is in no part.
        """
        if not self._errors.is_file():
            return
        done = self.done()
        seen = set()
        with self._errors.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    return
                error = self._error(number, line)
                key = error["match"], error["deal"], error["rotation"], error["number"]
                ranges = done.get(error["match"], ())
                if key not in seen and any(first <= error["deal"] < first + deals for first, deals in ranges):
                    seen.add(key)
                    yield error

    def _remove_unfinished(self) -> None:
        for path in self._parts.iterdir():
            if path.name.startswith(TEMPORARY):
                path.unlink()

    def _keep_errors(self, errors: Iterable[Mapping[str, Any]]) -> None:
        temporary = self.folder / f"{TEMPORARY}errors.jsonl"
        temporary.write_text("".join(json.dumps(error) + "\n" for error in errors), encoding="utf-8")
        temporary.replace(self._errors)

    def _rows(self, part: Part) -> np.ndarray | None:
        """Return the rows of a part, None if it holds others."""
        table = self._table(part, tables.columns(self.dtype))
        rows = None if table is None else tables.rows(table, self.dtype)
        if rows is None or len(rows) != part.deals * self.rotations:
            return None
        deals, rotations = np.divmod(np.arange(len(rows)), self.rotations)
        expected = {"match": part.match, "deal": part.first + deals, "rotation": rotations}
        if not all((rows[name] == values).all() for name, values in expected.items()):
            return None
        return rows[list(self.dtype.names or ())].astype(self.dtype)

    def _error(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            error = json.loads(line)
        except (ValueError, RecursionError):
            error = None
        if isinstance(error, dict):
            error = {**error, **{key: value for key, value in ADDED.items() if key not in error}}
        if (
            not isinstance(error, dict)
            or {name: type(value) for name, value in error.items()} != ERROR_FIELDS
        ):
            raise UserError(f"{self._errors}, line {number} is no record of a mistake; was it edited?")
        return error


class DamagedError(UserError):
    """A part cannot be used; its deals can be played again."""

    def __init__(self, message: str, again: str) -> None:
        super().__init__(f"{message}; {again} plays its deals again")
        self.damage = message


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """Say which folder cannot take more, and that what it has is safe."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"the run {str(folder)!r} cannot be written: {error.strerror}; what it has is kept"
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
