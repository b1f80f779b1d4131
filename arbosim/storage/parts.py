"""The rows of a run on disk: one Parquet file per chunk of deals of one line-up, and the errors beside them.

A file gets its name only when it is complete. So a name in ``parts`` says what has been played, and whatever
has another name was left by a process that died.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from arbosim.core.columns import SCHEMA_VERSION
from arbosim.core.errors import UserError

_NAME = re.compile(r"m(\d{5,})-d(\d{10,})-n(\d+)\.parquet")
_TEMPORARY = ".tmp-"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from writing into a run folder; the lock ends with this process at the latest."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise UserError(f"another process is playing the run {str(folder)!r}") from None
    finally:
        os.close(handle)


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
    """

    def __init__(self, folder: Path, dtype: np.dtype[Any], rotations: int) -> None:
        self.folder = folder
        self.dtype = dtype
        self.rotations = rotations
        self._parts = folder / "parts"
        self._errors = folder / "errors.jsonl"
        self._lock = threading.Lock()

    def create(self) -> None:
        """Make the empty folder and the empty file."""
        import pyarrow.parquet  # noqa: F401  # loaded here, not while the games are timed

        self._parts.mkdir(parents=True)
        self._errors.touch()

    def write(self, match: int, rows: np.ndarray, errors: Iterable[Mapping[str, Any]] = ()) -> None:
        """Keep the rows of consecutive whole deals of one match, and the errors in them."""
        if not len(rows):
            return
        part = Part(match, int(rows["deal"][0]), len(rows) // self.rotations)
        lines = [json.dumps(error, ensure_ascii=False) + "\n" for error in errors]
        temporary = self._parts / f"{_TEMPORARY}{part.file}"
        self._write_table(match, rows, temporary)
        # Errors first: if the process dies in between, the part does not exist and mend() drops its errors.
        if lines:
            with self._lock, self._errors.open("a", encoding="utf-8") as file:
                file.writelines(lines)
        temporary.rename(self._parts / part.file)

    def mend(self) -> None:
        """Remove what a killed process left behind: unfinished files, damaged ones, errors of lost deals."""
        self._parts.mkdir(exist_ok=True)
        for path in self._parts.iterdir():
            part = Part.of_file(path.name)
            if path.name.startswith(_TEMPORARY) or (part is not None and not self._is_whole(part)):
                path.unlink()
        kept = [json.dumps(error, ensure_ascii=False) + "\n" for error in self.errors()]
        temporary = self.folder / f"{_TEMPORARY}errors.jsonl"
        temporary.write_text("".join(kept), encoding="utf-8")
        temporary.replace(self._errors)

    def all(self) -> list[Part]:
        """Return all parts in order.

        Raises
        ------
        UserError
            Two of them hold the same deal.
        """
        paths = self._parts.iterdir() if self._parts.is_dir() else ()
        parts = sorted(part for path in paths if (part := Part.of_file(path.name)))
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

    def read(self, part: Part) -> np.ndarray:
        """Return the rows of a part."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self._parts / part.file
        names = self.dtype.names or ()
        again = f"arbosim run --resume {self.folder} plays it again"
        try:
            with pq.ParquetFile(path) as file:
                table = file.read(list(names))
        except (pa.ArrowException, OSError) as error:
            raise UserError(f"{path} is damaged ({str(error).splitlines()[0]}); {again}") from error
        rows = np.zeros(part.deals * self.rotations, self.dtype)
        if table.num_rows != len(rows) or table.num_columns != len(names):
            raise UserError(f"{path} is damaged: it does not hold what its name says; {again}")
        for name in names:
            # the buffer itself, because to_numpy imports pandas, which takes half a second
            values = table.column(name).combine_chunks().buffers()[1]
            rows[name] = np.frombuffer(values, self.dtype[name], len(rows))
        return rows

    def batches(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the match and the rows of each part, one part at a time."""
        for part in self.all():
            yield part.match, self.read(part)

    def errors(self) -> Iterator[dict[str, Any]]:
        """Yield the errors of all deals that have been played, each once."""
        done = self.done()
        seen = set()
        text = self._errors.read_text(encoding="utf-8") if self._errors.is_file() else ""
        for line in text.splitlines():
            try:
                error = json.loads(line)
            except ValueError:
                continue  # the process died while it wrote this line, so its deal is in no part
            key = error["match"], error["deal"], error["rotation"]
            ranges = done.get(error["match"], ())
            if key not in seen and any(first <= error["deal"] < first + deals for first, deals in ranges):
                seen.add(key)
                yield error

    def _is_whole(self, part: Part) -> bool:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            rows = pq.read_metadata(self._parts / part.file).num_rows
        except (pa.ArrowException, OSError):
            return False
        return bool(rows == part.deals * self.rotations)

    def _write_table(self, match: int, rows: np.ndarray, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = {"match": np.full(len(rows), match, np.int32)}
        columns |= {name: np.ascontiguousarray(rows[name]) for name in self.dtype.names or ()}
        # from_buffers, because pa.array of a numpy array imports pandas, which takes half a second
        arrays = [
            pa.Array.from_buffers(
                pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)]
            )
            for values in columns.values()
        ]
        metadata = {"arbosim.schema_version": str(SCHEMA_VERSION)}
        pq.write_table(pa.table(arrays, list(columns), metadata=metadata), path, compression="zstd")
