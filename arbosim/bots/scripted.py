"""A program that follows a script, for tests of conversations: no process, no sleeping, exact times."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from arbosim.core.game import MistakeError
from arbosim.core.outside import CRASHED, Message


@dataclass(frozen=True)
class Says:
    """A line that it puts out, `after` seconds after the message; an object is written as JSON, a text as it is."""

    line: Message | str | bytes
    after: float = 0.0


@dataclass(frozen=True)
class Fails:
    """Its end, as the transport tells of it: "crashed" or "flood"."""

    kind: str = CRASHED
    text: str = "ended with code 1"
    after: float = 0.0


@dataclass(frozen=True)
class Hears:
    """A message that it must be sent next, or a line that is no message, and what it does then."""

    message: Message | bytes
    does: tuple[Says | Fails, ...] = ()


class ScriptError(AssertionError):
    """It was sent what its script does not say."""


class Scripted:
    """A `Transport` (see `arbosim.bots.talk`) to a program that follows a script.

    Parameters
    ----------
    processes : sequence of Hears
        What each process of it hears and does, in order of their starts.

    Attributes
    ----------
    time : float
        Seconds since the beginning; passes only where one waits.
    notes : list of bytes
        Lines that were passed over.
    """

    def __init__(self, *processes: Sequence[Hears]) -> None:
        self._scripts = deque(processes)
        self._script: deque[Hears] = deque()
        self._coming: list[tuple[float, Says | Fails]] = []
        self._runs = False
        self.time = 0.0
        self.notes: list[bytes] = []

    def open(self) -> None:
        """Begin the next script; without one it cannot be started."""
        self.close()
        if not self._scripts:
            raise MistakeError(CRASHED, "could not be started: there is no script left")
        self._script = deque(self._scripts.popleft())
        self._runs = True

    def close(self) -> None:
        """Break the script off."""
        self._script.clear()
        self._coming.clear()
        self._runs = False

    def running(self) -> bool:
        """Tell whether it goes on."""
        self._coming.sort(key=lambda event: event[0])
        return self._runs and not any(
            isinstance(does, Fails) and time <= self.time for time, does in self._coming
        )

    def now(self) -> float:
        """Return the time."""
        return self.time

    def send(self, line: bytes) -> None:
        """Go on in the script, if this is what it says."""
        due = self._script[0].message if self._script else "nothing more"
        if not line.endswith(b"\n") or due != (line if isinstance(due, bytes) else json.loads(line)):
            raise ScriptError(f"sent {line!r}, where the script says {due!r}")
        self._coming += ((self.time + does.after, does) for does in self._script.popleft().does)

    def note(self, line: bytes) -> None:
        """Keep a line that was passed over in `notes`."""
        self.notes.append(line)

    def receive(self, deadline: float) -> bytes | None:
        """Return the next line of the script, or let the time pass until the deadline."""
        self._coming.sort(key=lambda event: event[0])
        if not self._coming or self._coming[0][0] > deadline:
            self.time = max(self.time, deadline)
            return None
        time, does = self._coming.pop(0)
        self.time = max(self.time, time)
        if isinstance(does, Fails):
            self.close()
            raise MistakeError(does.kind, does.text)
        if isinstance(does.line, bytes):
            return does.line
        return (does.line if isinstance(does.line, str) else json.dumps(does.line)).encode()

    def is_over(self) -> bool:
        """Tell whether all has been heard that the scripts say."""
        return not self._script and not self._scripts


def says(*lines: Message | str | bytes, after: float = 0.0) -> tuple[Says, ...]:
    """Return lines that it puts out together."""
    return tuple(Says(line, after) for line in lines)
