"""What several commands share: flags, numbers and rules from them, records into a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from arbosim.core import files
from arbosim.core.errors import UserError, placed, unknown
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
BotCommands = Annotated[
    list[str] | None,
    typer.Option(
        "--bot", help='A program that plays: NAME="command"; may be repeated.', metavar="NAME=COMMAND"
    ),
]
BotDirs = Annotated[
    list[str] | None,
    typer.Option("--bot-dir", help="The folder in which it is started. [this one]", metavar="NAME=DIR"),
]
BotProtocols = Annotated[
    list[str] | None,
    typer.Option("--protocol", help="What it speaks; see docs/bots.md. [arbosim]", metavar="NAME=PROTOCOL"),
]
BotShells = Annotated[
    list[str] | None,
    typer.Option("--bot-shell", help="Have its command read by a shell; otherwise none is.", metavar="NAME"),
]
MoveTimeout = Annotated[
    float | None,
    typer.Option(
        "--move-timeout",
        help="Seconds for a decision of a bot or, isolated then, of a plain-Python strategy. [2]",
        **real_number("--move-timeout", "s"),
    ),
]
Isolate = Annotated[
    bool,
    typer.Option("--isolate", help="Run each plain-Python strategy in a process of its own, by the clock."),
]
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


def given_bots(
    commands: Iterable[str], dirs: Iterable[str], protocols: Iterable[str], shells: Iterable[str]
) -> dict[str, dict[str, Any]] | None:
    """Return the bots that flags describe, as settings hold them; None if there are none."""
    bots: dict[str, dict[str, Any]] = {
        name: {"command": command} for name, command in _by_name("--bot", commands, "command").items()
    }
    for flag, key, texts in (("--bot-dir", "dir", dirs), ("--protocol", "protocol", protocols)):
        for name, value in _by_name(flag, texts, key).items():
            _known_bot(bots, name, flag)[key] = value
    for name in shells:
        _known_bot(bots, name, "--bot-shell")["shell"] = True
    return bots or None


def _by_name(flag: str, texts: Iterable[str], what: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name or not value:
            raise UserError(f"is written NAME={what}, not {text!r}", where=flag)
        if name in found:
            raise UserError(f"{name!r} is given twice", where=flag)
        found[name] = value
    return found


def _known_bot(bots: dict[str, dict[str, Any]], name: str, flag: str) -> dict[str, Any]:
    if name not in bots:
        raise unknown("bot", name, bots, where=flag)
    return bots[name]


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
