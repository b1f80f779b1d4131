"""What several commands share: flags, numbers and rules from them, records into a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from arbosim.core import files
from arbosim.core.errors import UserError, placed
from arbosim.core.game import Game, Rules
from arbosim.core.numbers import number, whole


def whole_number(flag: str, least: int | None = None) -> dict[str, Any]:
    """Return the settings of an option that takes a whole number."""

    def parse(value: str | int) -> int:
        try:
            given = whole(value) if isinstance(value, str) else value
        except ValueError:
            raise UserError(f"{value!r} is not a whole number", where=flag) from None
        if least is not None and given < least:
            raise UserError(f"must be at least {least}, not {given}", where=flag)
        return given

    return {"parser": parse, "metavar": "INTEGER"}


def real_number(flag: str, unit: str = "") -> dict[str, Any]:
    """Return the settings of an option that takes a number, which may carry its unit."""

    def parse(value: str | float) -> float:
        try:
            return number(value.removesuffix(unit).rstrip()) if isinstance(value, str) else value
        except ValueError:
            raise UserError(f"{value!r} is not a number", where=flag) from None

    return {"parser": parse, "metavar": "NUMBER"}


Players = Annotated[
    int | None, typer.Option("-p", "--players", help="Players at a table. [2]", **whole_number("--players"))
]
Seed = Annotated[str | None, typer.Option("--seed", help="A whole number or any text. [1]")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "-j", "--jobs", help="Parallel jobs; 1 is serial, -1 all cores. [-1]", **whole_number("--jobs")
    ),
]
Backend = Annotated[
    str | None,
    typer.Option("--backend", help="Who plays: local, or dask for workers elsewhere. [local]"),
]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", help="With --backend dask: its address, as tcp://host:8786.")
]
Output = Annotated[str | None, typer.Option("-o", "--output", help="The run folder. [a new one under runs]")]
RuleSet = Annotated[
    str | None, typer.Option("--rules", help="A named rule set; see `arbosim rules`. [standard]")
]
Changes = Annotated[
    list[str] | None, typer.Option("--set", help="Change one rule, as in hand_size=6; may be repeated.")
]
DealsFrom = Annotated[
    int | None,
    typer.Option("--deals-from", help="Number of the first deal. [0]", **whole_number("--deals-from")),
]
GameName = Annotated[str | None, typer.Option("--game", help="The game. [the first that is installed]")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object for machines.")]


def changed_rules(game: Game, preset: str | None, changes: list[str] | None, place: str = "--rules") -> Rules:
    """Return a named rule set with changes such as ``hand_size=6``; `place` says where the name was given."""
    with placed(place):
        game.rules(preset)
    fields = rule_changes(changes or ())
    with placed("--set"):
        return game.rules(preset, fields)


def rule_changes(texts: Iterable[str]) -> dict[str, str]:
    """Return the values that ``--set`` gives to rules, by name."""
    fields: dict[str, str] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key or not value:
            raise UserError(f"a rule is set as in hand_size=6, not {text!r}", where="--set")
        if key in fields:
            raise UserError(f"{key!r} is given twice", where="--set")
        fields[key] = value
    return fields


def given_rules(preset: str | None, changes: Iterable[str]) -> dict[str, str] | None:
    """Return the named rule set and the changes as fields of settings; None if nothing is given."""
    fields = {} if preset is None else {"preset": preset}
    return fields | rule_changes(changes) or None


def check_file_name(path: str, where: str) -> None:
    """Refuse what no file can be named."""
    if not path:
        raise UserError("give the name of a file, not ''", where=where)
    files.check_name(Path(path), where)


def check_record_file(path: str | None) -> None:
    """Refuse a file that records cannot be added to, before anything is played."""
    if path is None:
        return
    check_file_name(path, "--record")
    if Path(path).is_dir():
        raise UserError(f"{path!r} is a folder, not a file", where="--record")
    if not Path(path).absolute().parent.is_dir():
        raise UserError(f"there is no folder {str(Path(path).parent)!r}", where="--record")


def write_records(path: str, records: Iterable[Mapping[str, Any]]) -> None:
    """Add records to a file, one a line."""
    check_record_file(path)
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
    except OSError as error:
        raise UserError(f"{path!r} cannot be written: {error.strerror}", where="--record") from error
