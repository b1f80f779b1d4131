"""JSON as people and programs hand it in: one object in a file, or one a line; refused with the reason."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arbosim.core.errors import UserError, nearest


def read(path: str) -> Iterator[tuple[int, object | UserError]]:
    """Yield line number and value of every JSON document of a file, or of standard input for ``-``.

    A ``.jsonl`` file holds a document a line; so does standard input, unless it is one document as a whole.
    A line that cannot be read is yielded as its error, so that the others can still be answered.
    """
    text = _text(path)
    if path != "-" and not path.endswith(".jsonl"):
        yield 1, _value(text)
        return
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    values = [(number, _value(line)) for number, line in lines]
    if len(values) > 1 and isinstance(values[0][1], UserError):
        whole = _value(text)
        if not isinstance(whole, UserError):
            values = [(lines[0][0], whole)]
    if not values:
        raise UserError("there is no JSON in it", where=path)
    yield from values


def _text(path: str) -> str:
    if path == "-":
        data = sys.stdin.buffer.read()
    else:
        file = Path(path)
        if file.is_dir():
            raise UserError("is a folder, not a file", where=path)
        if not file.is_file():
            near = nearest(file.name, [other.name for other in file.parent.glob("*.json*")])
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UserError(f"there is no such file{hint}", where=path)
        data = file.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"is no UTF-8 text (byte {error.start})", where=path) from None


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_without_doubles)
    except UserError as error:
        return error
    except json.JSONDecodeError as error:
        return UserError(f"is no JSON: {error.msg} (line {error.lineno}, column {error.colno})")
    except RecursionError:
        return UserError("is nested too deeply")
    except ValueError:
        return UserError("holds a number with too many digits")


def _no_constant(name: str) -> Any:
    raise UserError(f"{name} is no number that JSON has")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UserError(f"the key {key!r} comes twice in one object")
        found[key] = value
    return found
