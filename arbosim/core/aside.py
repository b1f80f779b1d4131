"""What strategies print goes to standard error: standard output belongs to the results."""

from __future__ import annotations

import contextlib
import io
import sys


class Aside(io.TextIOBase):
    """A stream that passes on to standard error, and that a strategy may close to no effect."""

    def write(self, text: str) -> int:
        """Pass a text on, as far as there is anyone to read it."""
        if sys.stderr is not None:
            with contextlib.suppress(OSError):
                sys.stderr.write(text)
        return len(text)

    def writable(self) -> bool:
        """Return that it takes text."""
        return True

    def close(self) -> None:
        """Stay open."""


def aside() -> contextlib.redirect_stdout[Aside]:
    """Return a context in which what is printed goes to standard error."""
    return contextlib.redirect_stdout(Aside())
