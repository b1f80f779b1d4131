"""Rows and actions as Parquet files, and back; by their buffers, because numpy in pyarrow's way imports pandas."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from arbosim.core.columns import SCHEMA_VERSION

ACTIONS = "actions"
"""The column of actions, a list of int32 for every game."""


def columns(dtype: np.dtype[Any]) -> dict[str, np.dtype[Any]]:
    """Return the columns that every file has: the match, and the fields of a row."""
    return {"match": np.dtype(np.int32)} | {name: dtype[name] for name in dtype.names or ()}


def schema(dtype: np.dtype[Any], with_actions: bool) -> Any:
    """Return the schema of a file."""
    import pyarrow as pa

    fields = [(name, pa.from_numpy_dtype(each)) for name, each in columns(dtype).items()]
    return pa.schema([*fields, *([(ACTIONS, pa.list_(pa.int32()))] if with_actions else [])])


def write(path: Path, match: int, rows: np.ndarray, actions: Sequence[np.ndarray] | None) -> None:
    """Write the rows of one match, and the actions if there are any."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = {"match": _array(np.full(len(rows), match, np.int32))}
    arrays |= {name: _array(np.ascontiguousarray(rows[name])) for name in rows.dtype.names or ()}
    if actions is not None:
        ends = np.cumsum([0, *map(len, actions)], dtype=np.int32)
        arrays[ACTIONS] = pa.ListArray.from_arrays(_array(ends), _array(np.concatenate(actions)))
    metadata = {"arbosim.schema_version": str(SCHEMA_VERSION)}
    with path.open("wb") as file:
        pq.write_table(pa.table(arrays, metadata=metadata), file, compression="zstd")


def rows(table: Any, dtype: np.dtype[Any]) -> np.ndarray | None:
    """Return the rows in a table, the match first; None if a number is missing."""
    found = np.zeros(len(table), list(columns(dtype).items()))
    for name, each in columns(dtype).items():
        values = table.column(name).combine_chunks()
        if values.null_count:
            return None
        found[name] = np.frombuffer(values.buffers()[1], each, len(found))
    return found


def lists(table: Any) -> list[np.ndarray] | None:
    """Return the actions of every game in a table, int32; None if one is missing."""
    found = table.column(ACTIONS).combine_chunks()
    if found.null_count or found.values.null_count:
        return None
    ends = np.frombuffer(found.buffers()[1], np.int32, len(found) + 1)
    numbers = np.frombuffer(found.values.buffers()[1], np.int32, len(found.values))
    return [numbers[start:end] for start, end in pairwise(ends)]


def _array(values: np.ndarray) -> Any:
    import pyarrow as pa

    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])
