"""JSON as people and programs hand it in: one object in a file, or one a line; refused with the reason."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arbosim.core.errors import UserError, nearest

BOM = b"\xef\xbb\xbf"


def read(path: str) -> Iterator[tuple[str, object | UserError]]:
    """Yield place and value of every JSON document of a file, or of standard input for ``-``.

    A ``.jsonl`` file holds a document a line; so does standard input, unless it is one document as a whole.
    A line that cannot be read is yielded as its error, so that the others can still be answered; a file that
    cannot be read at all raises it.
    """
    data = _data(path)
    source = "standard input" if path == "-" else path
    if not data.removeprefix(BOM).strip():
        raise UserError("there is no JSON in it", where=source)
    if path != "-" and not path.endswith(".jsonl"):
        yield source, _value(data, source)
        return
    lines = [
        (f"{source}, line {number}", line)
        for number, line in enumerate(data.split(b"\n"), start=1)
        if line.strip()
    ]
    values = [(place, _value(line, place)) for place, line in lines]
    if len(values) > 1 and isinstance(values[0][1], UserError):
        whole = _value(data, source)
        if not isinstance(whole, UserError):
            values = [(source, whole)]
    yield from values


def _data(path: str) -> bytes:
    if path == "-":
        with _told("standard input"):
            return sys.stdin.buffer.read()
    file = Path(path)
    if file.is_dir():
        raise UserError("this is a folder, not a file", where=path)
    if not file.is_file():
        near = nearest(file.name, [other.name for other in file.parent.glob("*.json*")])
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UserError(f"there is no such file{hint}", where=path)
    with _told(path):
        return file.read_bytes()


@contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(f"this cannot be read: {error.strerror}", where=path) from None


def _value(data: bytes, where: str) -> Any:
    try:
        text = data.decode("utf-8-sig")
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_without_doubles)
    except UserError as error:
        wrong = error.message
    except UnicodeDecodeError as error:
        wrong = f"this is no UTF-8 text (byte {error.start})"
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if "\n" in text else f"column {error.colno}"
        wrong = f"this is no JSON: {error.msg} ({place})"
    except RecursionError:
        wrong = "this is nested too deeply"
    except ValueError:
        wrong = "this holds a number with too many digits"
    return UserError(wrong, where=where)


def _no_constant(name: str) -> Any:
    raise UserError(f"{name} is no number that JSON has")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UserError(f"the key {key!r} comes twice in one object")
        found[key] = value
    return found
