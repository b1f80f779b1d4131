"""A strategy as a program: it answers the lines of whoever leads the game."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import TextIO

from arbosim.core.errors import UserError
from arbosim.core.outside import Listener


def own_streams() -> tuple[TextIO, TextIO]:
    """Return standard input and output for ourselves alone: a strategy reads nothing, and writes to standard error.

    So does what it starts: ours are not inherited.
    """
    sys.stdout.flush()
    lines = os.fdopen(os.dup(0), encoding="utf-8", errors="replace")
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return lines, out


def serve(listener: Listener, lines: Iterable[str], answer: Callable[[str], None]) -> None:
    """Answer every line until there are no more; a UserError tells which one is no message of the dialect.

    Parameters
    ----------
    lines : iterable of str
        One JSON object each; empty ones are passed over.
    answer : callable
        Is given the text of each answer, without an end of line.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UserError(f"no JSON object: {error}", where=where) from None
        if not isinstance(message, dict):
            raise UserError(f"a message is a JSON object, not {type(message).__name__}", where=where)
        try:
            heard = listener.hear(message)
        except UserError as error:
            raise UserError(str(error), where=where) from None
        answer(json.dumps(heard, separators=(",", ":")))
