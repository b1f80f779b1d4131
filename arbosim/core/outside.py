"""Players that are programs of their own: what a game says to one, and what carries its words.

A game knows dialects: which objects a program is sent, and how its answers are understood. The layer `arbosim.bots`
knows processes, deadlines and lines, and nothing of any game. They meet here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Message = Mapping[str, Any]
"""A JSON object."""
Policy = Literal["forfeit", "random-move"]
"""What a mistake of a program costs: the game, or a move that is chosen for it by chance."""

SILENT, CRASHED, NONSENSE, FLOOD = "silent", "crashed", "nonsense", "flood"
"""Kinds of mistakes that only programs make, as in a `MistakeError`: no answer in time, the end of the process, an
answer that is none, and more output than anyone reads. An answer that the rules forbid is "illegal", as everywhere."""


@dataclass(frozen=True)
class Grammar:
    """How a dialect wraps its messages: one JSON object a line, each answered by one that carries the same id.

    Parameters
    ----------
    id_key : str
        The key of the id, in messages and in answers.
    ids : {"number", "uuid"}
        Ids are 1, 2, 3 ..., or texts in the form of a UUID.
    greeting : mapping
        What a process that has just been started is sent first, with the id added; nothing if it is empty.
    expected : mapping
        What its answer must hold.
    probe : mapping
        What a program is asked besides before a run, to see whether it speaks the dialect at all, where there is no
        greeting to tell; nothing if it is empty.
    skips : bool
        Whether lines that are no answers (no JSON object, no id, one that was never sent) are passed over until the
        deadline. Otherwise the first such line is a mistake. Late and second answers are passed over in any case.
    """

    id_key: str
    ids: Literal["number", "uuid"] = "number"
    greeting: Message = field(default_factory=dict)
    expected: Message = field(default_factory=dict)
    probe: Message = field(default_factory=dict)
    skips: bool = False


class Talk(Protocol):
    """The conversation with one program, whose process is started when it is needed and again after it has ended."""

    def ready(self) -> int:
        """Make sure that a process runs and has been greeted; return how many have been started so far.

        A `MistakeError` ("crashed", "silent", "nonsense") tells that none can be had.
        """

    def is_new(self) -> bool:
        """Tell whether the process that runs has been sent nothing but its greeting; true if none runs."""

    def ask(self, message: Message, seconds: float) -> Message:
        """Send a message and return its answer; a process that has yet to answer anything has longer for it.

        A `MistakeError` of a kind above tells why there is none. After "crashed" and "flood", and after a second
        silence in a row, the process is gone.
        """

    def tell(self, message: Message, seconds: float | None) -> None:
        """Send a message without waiting; its answer is waited for before the next message is sent, and dropped.

        If it does not come in that time, the next call raises the `MistakeError`, and has sent nothing. Without a time
        nobody waits for it at all.
        """

    def drop(self) -> None:
        """End the process, if there is one."""


class Program(Protocol):
    """A program as the entry of a strategy of kind "program"; it travels to other processes by pickle."""

    @property
    def dialect(self) -> str:
        """Return in which of the game's dialects it speaks."""

    @property
    def seconds(self) -> float:
        """Return how long it may think about a decision."""

    @property
    def policy(self) -> Policy:
        """Return what its mistakes cost."""

    @property
    def source_hash(self) -> str:
        """Return a hash, as text, of what decides how it plays, as far as that is known."""

    def talk(self, copy: int = 0) -> Talk:
        """Return the conversation of this thread with it, or with another copy where it sits on several seats."""


class Listener(Protocol):
    """A strategy that answers the messages of a dialect, which makes it a program for others."""

    def hear(self, message: Message) -> Message:
        """Return the answer to a message, its id included; a UserError if it is none of the dialect."""


class Dialect(Protocol):
    """One way in which programs are told about a game.

    Attributes
    ----------
    name : str
    grammar : Grammar
    """

    name: str
    grammar: Grammar

    def check(self, rules: Any, players: int) -> None:
        """Raise a UserError if the dialect has no words for these rules or so many players."""

    def listener(self, entrant: Any, seed: int) -> Listener:
        """Return an entrant as a program: it answers what it hears; the seed is for its coins where it is told none."""
