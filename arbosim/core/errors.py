"""The one error that a user is meant to see."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_OURS = Path(__file__).parents[1]
FAILURES = (Exception, SystemExit, GeneratorExit)
"""What strange code may raise as its own mistake; Ctrl-C is none."""


class UserError(Exception):
    """Wrong input. Its text is all that is shown; the command line exits with 2.

    Parameters
    ----------
    message : str
        What was given, what is wrong with it, and what would be accepted.
    where : str
        The flag, file or key that held the input; put in front of the message.
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where


@contextmanager
def placed(where: str) -> Iterator[None]:
    """Put in front of each line of an error where it comes from."""
    try:
        yield
    except UserError as error:
        raise UserError("\n".join(f"{where}: {line}" for line in str(error).split("\n"))) from None


def nearest(given: str, accepted: Iterable[str], count: int = 3) -> list[str]:
    """Return the accepted names that look most like the given one, best first."""
    names = {name.lower(): name for name in accepted}
    return [names[low] for low in difflib.get_close_matches(given.lower(), list(names), n=count, cutoff=0.5)]


def unknown(what: str, given: str, accepted: Iterable[str], where: str = "") -> UserError:
    """Return the error for a name that is none of the accepted ones, with the nearest of them."""
    names = sorted(accepted)
    text = f"unknown {what} {given!r}" + (f" in {where}" if where else "")
    close = nearest(given, names)
    if close:
        text += "; did you mean " + " or ".join(repr(name) for name in close) + "?"
    text += f" (accepted: {', '.join(names)})" if names else " (none is accepted here)"
    return UserError(text)


def printable(text: str) -> str:
    """Return a text of a stranger as any terminal, page and file takes it: other characters as Python escapes them."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def told(error: BaseException) -> str:
    """Return an exception's kind and message on one line, whatever its own code does, and where it came from."""
    try:
        message = printable(" ".join(str(error).split()))
    except Exception:
        message = "its message cannot be shown"
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    theirs = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if _OURS not in Path(frame.filename).parents
    ]
    return f"{text} ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else text
