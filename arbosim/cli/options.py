"""What several commands share: rules from flags, a console, records into a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbosim.core.errors import UserError
from arbosim.core.game import Game, Rules

if TYPE_CHECKING:
    from rich.console import Console


def changed_rules(game: Game, preset: str | None, changes: list[str] | None) -> Rules:
    """Return a named rule set with changes such as ``hand_size=6``."""
    fields: dict[str, object] = {}
    for text in changes or ():
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise UserError(f"a rule is set as in hand_size=6, not {text!r}", where="--set")
        fields[key.strip()] = value.strip()
    return game.rules(preset, fields)


def console() -> Console:
    """Return a console on standard output; without colours for a file, a pipe, or NO_COLOR."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False)


def check_record_file(path: str | None) -> None:
    """Refuse a file that records cannot be added to, before anything is played."""
    if path is not None and Path(path).is_dir():
        raise UserError(f"{path!r} is a folder, not a file", where="--record")
    if path is not None and not Path(path).absolute().parent.is_dir():
        raise UserError(f"there is no folder {str(Path(path).parent)!r}", where="--record")


def write_records(path: str, records: Iterable[Mapping[str, Any]]) -> None:
    """Add records to a file, one a line."""
    check_record_file(path)
    with Path(path).open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
