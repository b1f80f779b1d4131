"""Standard output holds the answer of a command and nothing else; what strategies print meanwhile goes aside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TextIO, TypeVar

from arbosim.core.aside import aside

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


def say(text: str) -> None:
    """Print a part of the answer."""
    print(text, file=_answers.get())


def console() -> Console:
    """Return a console for the answer; without colours for a file, a pipe, or NO_COLOR."""
    from rich.console import Console

    class Answer(Console):
        """A console that leaves a closed pipe to `arbosim.cli.main`."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Answer(file=_answers.get(), highlight=False, emoji=False, markup=False)
