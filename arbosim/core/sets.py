"""Named parameter sets: files `STRATEGY@NAME.toml` with values for the parameters of a strategy.

A set is looked for in the folder `parameters` of the current folder, then in that beside the strategy's own file. ::

    strategy = "balanced"
    command = "arbosim tune balanced -p 3"  # what made it; may be missing, as may be a note
    [parameters]
    rivals = 1.31
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arbosim.core import toml
from arbosim.core.errors import UserError, unknown
from arbosim.core.strategy import Strategy, Value

FOLDER = Path("parameters")
_KEYS = ("strategy", "command", "note", "parameters")


def file_name(strategy: str, name: str) -> str:
    """Return the name of the file of a set."""
    return f"{strategy}@{name}.toml"


def known(strategy: Strategy) -> dict[str, Path]:
    """Return the sets of a strategy that are found by name, and their files."""
    start, end = f"{strategy.name}@", ".toml"
    found: dict[str, Path] = {}
    for folder in _folders(strategy):
        if folder.is_dir():
            for file in sorted(folder.glob(f"*{end}")):
                if file.name.startswith(start):
                    found[file.name[len(start) : -len(end)]] = file
    return found


def load(strategy: Strategy, name: str, where: str = "") -> dict[str, Value]:
    """Return the values of a set, by parameter: one that is found by name, or a path that ends in `.toml`.

    Raises
    ------
    UserError
        There is no such set, or it is not one of this strategy.
    """
    if name.endswith(".toml"):
        path = Path(name)
    else:
        files = known(strategy)
        if name not in files:
            places = " and in ".join(repr(str(folder)) for folder in reversed(_folders(strategy)))
            looked = f"a set is a file {file_name(strategy.name, name)}, looked for in {places}"
            told = f"unknown parameter set of {strategy.name} {name!r}" + (f" in {where}" if where else "")
            if files:
                told = str(unknown(f"parameter set of {strategy.name}", name, files, where))
            raise UserError(f"{told}; {'' if files else 'none was found; '}{looked}")
        path = files[name]
    return _values(strategy, toml.read(path, where), str(path))


def text(strategy: Strategy, values: Mapping[str, Value], *, command: str = "", note: str = "") -> str:
    """Return the text of the file of a set."""
    facts = {"strategy": strategy.name, "command": command, "note": note}
    lines = [f"{key} = {_quoted(value)}" for key, value in facts.items() if value]
    lines += ["", "[parameters]"]
    lines += [f"{name} = {str(value).lower()}" for name, value in values.items()]
    return "\n".join(lines) + "\n"


def _values(strategy: Strategy, table: dict[str, Any], where: str) -> dict[str, Value]:
    wrong = [str(unknown("key", key, _KEYS, where)) for key in table if key not in _KEYS]
    if table.get("strategy", strategy.name) != strategy.name:
        wrong.append(f"{where}: a set of {table['strategy']!r}, not of {strategy.name!r}")
    given = table.get("parameters")
    if not isinstance(given, dict):
        wrong.append(f"{where}: a table [parameters] is missing")
        given = {}
    parameters = {parameter.name: parameter for parameter in strategy.parameters}
    values: dict[str, Value] = {}
    for name, value in given.items():
        if name not in parameters:
            wrong.append(str(unknown("parameter", name, parameters, where)))
            continue
        try:
            values[name] = parameters[name].check(value, where)
        except UserError as error:
            wrong.append(str(error))
    if wrong:
        raise UserError("\n".join(wrong))
    return values


def _folders(strategy: Strategy) -> list[Path]:
    """Return where sets are looked for; what lies here goes before what came with the strategy, so it is last."""
    beside = _beside(strategy)
    return [FOLDER] if beside is None else [beside, FOLDER]


def _beside(strategy: Strategy) -> Path | None:
    file = getattr(sys.modules.get(strategy.entry.__module__), "__file__", None)
    return Path(file).parent / FOLDER if file else None


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
