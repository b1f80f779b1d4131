"""Standard output holds the answer of a command and nothing else; what strategies print meanwhile goes aside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TextIO, TypeVar

from arbosim.core.aside import aside

with suppress(ImportError):  # some systems have none
    import readline as _  # noqa: F401  `input` uses it

if TYPE_CHECKING:
    from rich.console import Console

P = ParamSpec("P")
R = TypeVar("R")

_answers: ContextVar[TextIO] = ContextVar("answers")


def answering(command: Callable[P, R]) -> Callable[P, R]:
    """Decorate a command, so that `say` and `console` alone reach standard output."""

    @wraps(command)
    def answer(*given: P.args, **named: P.kwargs) -> R:
        with _kept_apart():
            return command(*given, **named)

    return answer


@contextmanager
def _kept_apart() -> Iterator[None]:
    token = _answers.set(sys.stdout)
    try:
        with aside():
            yield
    finally:
        _answers.reset(token)


def say(text: str, *, flush: bool = False) -> None:
    """Print a part of the answer; at once if somebody waits for it."""
    print(text, file=_answers.get(), flush=flush)


def ask(prompt: str) -> str:
    """Return the line that a person types after a prompt; EOFError at the end of standard input."""
    answers = _answers.get()
    with redirect_stdout(answers):  # `input` edits lines at a terminal only if that is the standard output
        line = input(prompt)
    if not (sys.stdin.isatty() and answers.isatty()):
        say(line)  # what comes from a file or a program is not seen otherwise
    return line


def console() -> Console:
    """Return a console for the answer; without colours for a file, a pipe, or NO_COLOR."""
    from rich.console import Console

    class Answer(Console):
        """A console that leaves a closed pipe to `arbosim.cli.main`."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Answer(file=_answers.get(), highlight=False, emoji=False, markup=False)
