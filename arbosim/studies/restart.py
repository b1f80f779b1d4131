"""Runs and tunings of a study whose own file is lost: without games they begin anew, with games they are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arbosim.core import files
from arbosim.core.errors import UserError
from arbosim.storage.parts import Part
from arbosim.tournament import manifest
from arbosim.tuning import record


def has_run(folder: Path) -> bool:
    """Tell whether a run lies in a folder, to go on with; a file that cannot be read, of a run without games, goes.

    Raises
    ------
    UserError
        There are games, and nothing that says of what.
    """
    parts = folder / "parts"
    games = parts.is_dir() and any(Part.of_file(path.name) for path in parts.iterdir())
    return _has(folder, manifest.FILE, manifest.load, games, "run")


def has_tuning(folder: Path) -> bool:
    """Tell the same of a tuning."""
    journals = (folder / record.GENERATIONS, folder / record.LOOKS)
    games = any(journal.is_file() and journal.stat().st_size for journal in journals)
    return _has(folder, record.FILE, record.load, games, "tuning")


def _has(folder: Path, file: str, load: Callable[[Path], object], games: bool, what: str) -> bool:
    try:
        load(folder)
    except UserError as error:
        if games or not (files.is_new(folder) or (folder / file).is_file()):
            raise UserError(
                f"{error}; delete the folder {str(folder)!r}, and this {what} begins anew"
            ) from error
        (folder / file).unlink(missing_ok=True)
        return False
    return True
