"""A conversation with a program: which line answers which message, and what becomes of those that answer none."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from arbosim.core.game import MistakeError
from arbosim.core.outside import NONSENSE, SILENT, Grammar, Message

GIVEN_UP = 5
"""So many processes in a row that never answer anything, and no other is started."""
START_UP = 10.0
"""Seconds in which a process answers its first message, if it is given less: interpreters take their time to start."""
MOST_NOTED = 100
"""Lines before one answer that are kept where they are passed over."""
_SHOWN = 60  # characters of a line in messages
_UUID = "00000000-0000-4000-8000-{:012x}"


class Transport(Protocol):
    """What carries lines to a program, which can be started again and again, and back from it."""

    def open(self) -> None:
        """Start the program, after the end of one that runs; a `MistakeError` ("crashed") if it cannot be."""

    def close(self) -> None:
        """End it, if it runs."""

    def running(self) -> bool:
        """Tell whether it was started and has not ended."""

    def now(self) -> float:
        """Return the time in seconds, from any beginning."""

    def send(self, line: bytes) -> None:
        """Begin to send a line, its end included; `receive` goes on where the program does not take it at once."""

    def note(self, line: bytes) -> None:
        """Keep a line that was passed over with what it writes to standard error."""

    def receive(self, deadline: float) -> bytes | None:
        """Return the next line without its end, or None if there is none at that time.

        Raises
        ------
        MistakeError
            "crashed": the program has ended or closed its output. "flood": since the last `send` it has put out more
            than anyone reads. Nothing runs any more after either.
        """


@dataclass(frozen=True, slots=True)
class _Sent:
    """A message that waits for its answer: number, when it was sent and is to be answered, and which it was."""

    number: int
    start: float
    deadline: float
    name: str = ""

    def __str__(self) -> str:
        return f" to {self.name}" if self.name else ""


class Conversation:
    """The `Talk` of arbosim.core.outside, over whatever carries its lines.

    A process that has not answered anything yet is given `start_up` seconds from its start, whatever a call allows it.

    Parameters
    ----------
    transport : Transport
    grammar : Grammar
    opening : bytes
        What each new process is sent before its greeting; it is not answered.
    start_up : float
        Seconds.
    """

    def __init__(
        self, transport: Transport, grammar: Grammar, *, opening: bytes = b"", start_up: float = START_UP
    ) -> None:
        self._transport = transport
        self._grammar = grammar
        self._opening = opening
        self._start_up = start_up
        self._started = 0
        self._mute = 0  # processes in a row that have answered nothing in their time
        self._number = 0
        self._owed: _Sent | None = None
        self._forget()

    def ready(self) -> int:
        """Make sure that a process runs and has been greeted; return how many have been started so far.

        A process that has ended since the last call is replaced without a word, and owes no answer any more.
        """
        if not (self._alive and self._transport.running()):
            self._start()
        return self._started

    def is_new(self) -> bool:
        """Tell whether the process that runs has been sent nothing but its greeting; true if none runs."""
        return not self._is_used

    def ask(self, message: Message, seconds: float) -> Message:
        """Send a message and return its answer; see `Talk`."""
        try:
            self._settle()
            sent = self._say(message, seconds)
            self._is_used = True
            return self._hear(sent)
        except MistakeError:
            raise
        except BaseException:  # Ctrl-C above all: a message may have gone halfway
            self.drop()
            raise

    def tell(self, message: Message, seconds: float | None) -> None:
        """Send a message without waiting; see `Talk`."""
        try:
            self._settle()
            sent = self._say(message, seconds or 0, named=True)
            self._is_used = True
            self._owed = None if seconds is None else sent
        except MistakeError:
            raise
        except BaseException:
            self.drop()
            raise

    def drop(self) -> None:
        """End the process, if there is one."""
        self._forget()
        self._transport.close()

    def watch(self, seconds: float) -> None:
        """Pass over what it says unasked in that time; a `MistakeError` if it ends."""
        deadline = self._transport.now() + seconds
        while self._receive(deadline) is not None:
            pass

    def _forget(self) -> None:
        """Know nothing of a process."""
        self._alive = False
        self._is_used = False
        self._littered = False
        self._silences = 0
        self._patience = -math.inf
        self._owed = None

    def _start(self) -> None:
        self._forget()
        if self._mute >= GIVEN_UP:
            raise MistakeError(SILENT, f"gave no answer in {GIVEN_UP} processes in a row and is given up")
        self._transport.open()
        self._alive = True
        self._started += 1
        self._patience = self._transport.now() + self._start_up
        try:
            if self._opening:
                self._transport.send(self._opening)
            if self._grammar.greeting:
                self._greet()
        except BaseException:
            self.drop()
            raise

    def _greet(self) -> None:
        answer = self._hear(self._say(self._grammar.greeting, self._start_up, named=True))
        for key, value in self._grammar.expected.items():
            if answer.get(key) != value:
                text = f"answered its greeting with {_shortened(json.dumps(answer))}"
                raise MistakeError(NONSENSE, f"{text}, where {key!r} should be {value!r}")

    def _say(self, message: Message, seconds: float, named: bool = False) -> _Sent:
        if not self._alive:
            self._start()
        if self._littered:  # what follows a line that was no answer need not be one either
            self._littered = False
            self.watch(0)
        self._number += 1
        text = _encode({**message, self._grammar.id_key: self._id(self._number)})
        start = self._transport.now()
        self._transport.send(f"{text}\n".encode())
        name = _shortened(text) if named else ""
        return _Sent(self._number, start, max(start + seconds, self._patience), name)

    def _settle(self) -> None:
        """Wait for the answer to what it was told before."""
        owed, self._owed = self._owed, None
        if owed is not None:
            self._hear(owed)

    def _hear(self, sent: _Sent) -> dict[str, Any]:
        """Return the answer to a message."""
        passed = ""
        noted = 0
        while (line := self._receive(sent.deadline)) is not None:
            try:
                answer = _decode(line.decode())
            except (ValueError, RecursionError):
                answer = None
            fault = self._fault(answer, sent.number)
            if fault is None:
                self._silences = self._mute = 0
                self._patience = -math.inf
                assert isinstance(answer, dict)
                return answer
            if not fault:
                continue
            passed = f"answered {_shortened(line.decode(errors='replace'))}{sent}, {fault}"
            if self._grammar.skips:
                noted += 1
                if noted <= MOST_NOTED:
                    self._transport.note(line + b"\n")
            else:
                self._silences = 0
                self._littered = True
                raise MistakeError(NONSENSE, passed)
        self._fall_silent(sent, passed)

    def _fault(self, answer: object, number: int) -> str | None:
        """Return why a line does not answer a message, None if it does, "" if it answers an earlier one."""
        key = self._grammar.id_key
        if not isinstance(answer, dict):
            return "which is no JSON object"
        if key not in answer:
            return f"which has no {key!r}"
        given = answer[key]
        if type(given) in (int, str):
            if given == self._id(number):
                return None
            if self._was_sent(given, number):
                return ""
        return f"whose {key!r} belongs to no message"

    def _fall_silent(self, sent: _Sent, passed: str) -> NoReturn:
        seconds = round(sent.deadline - sent.start, 2)
        text = f"gave no answer{sent} within {seconds:g} s"
        if passed:
            text += f", but {passed}"
        self._silences += 1
        if self._silences == 1 and self._patience > -math.inf:
            self._mute += 1
        if self._silences == 2:
            text += "; it was silent twice in a row and is ended"
            self.drop()
        raise MistakeError(SILENT, text)

    def _receive(self, deadline: float) -> bytes | None:
        try:
            return self._transport.receive(deadline)
        except MistakeError:
            self.drop()
            raise

    def _id(self, number: int) -> int | str:
        return number if self._grammar.ids == "number" else _UUID.format(number)

    def _was_sent(self, given: int | str, number: int) -> bool:
        """Tell whether an id is that of a message before this one."""
        if isinstance(given, str):
            try:
                sent = int(given[-12:], 16)
            except ValueError:
                return False
        else:
            sent = given
        return 1 <= sent < number and self._id(sent) == given


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False).encode
_decode = json.JSONDecoder(parse_constant=_refuse).decode


def _shortened(text: str) -> str:
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}..."
