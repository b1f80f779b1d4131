"""Tables as files for other programs, with a description of every column beside them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from arbosim.core.columns import SCHEMA_VERSION, Column
from arbosim.core.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

FILE = "schema.json"


def export(
    tables: Mapping[str, tuple[pd.DataFrame, Sequence[Column]]],
    run: Mapping[str, Any],
    folder: str | Path,
    form: Literal["csv", "parquet"],
) -> None:
    """Write tables and `schema.json` into a folder, which is there whole or not at all.

    Parameters
    ----------
    tables : mapping
        By name, each with what its columns mean.
    run : mapping
        What `run.json` says about the run.
    folder : path
        A new or an empty one.
    """
    path = Path(folder)
    check(path)
    temporary = path.with_name(f".tmp-{path.name}")
    try:
        temporary.mkdir(parents=True)
        try:
            for name, (frame, _) in tables.items():
                _write(frame, temporary / f"{name}.{form}", form)
            described = {name: _described(*table) for name, table in tables.items()}
            schema = {"schema_version": SCHEMA_VERSION, "format": form, "tables": described, "run": run}
            (temporary / FILE).write_text(json.dumps(schema, indent=1) + "\n", encoding="utf-8")
            temporary.replace(path)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be written: {error.strerror}", where="folder") from error


def check(folder: Path) -> None:
    """Raise a UserError if there is something at this place already."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists():
        raise UserError(
            f"{str(folder)!r} is there already; name a new folder, or an empty one", where="folder"
        )


def _write(frame: pd.DataFrame, path: Path, form: Literal["csv", "parquet"]) -> None:
    if form == "parquet":
        frame.to_parquet(path, index=False)
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        frame.to_csv(file, index=False, lineterminator="\r\n")  # RFC 4180; so a lone \r is quoted too


def _described(frame: pd.DataFrame, columns: Sequence[Column]) -> dict[str, Any]:
    known = {column.name: column for column in columns}
    return {
        "rows": len(frame),
        "columns": [
            {
                "name": name,
                "dtype": str(frame[name].dtype),
                "unit": known[name].unit,
                "meaning": known[name].meaning,
            }
            for name in frame.columns
        ],
    }
