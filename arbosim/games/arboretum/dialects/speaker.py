"""The engine's side of a conversation: what a program is told about its game, and what it answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from arbosim.core.game import GameError, MistakeError
from arbosim.core.outside import Message
from arbosim.games.arboretum.actions import Action, Cell, code_of_action
from arbosim.games.arboretum.cards import LETTERS, MAX_VALUE
from arbosim.games.arboretum.kernels import NO_SUCH_SOURCE, NOT_OPEN
from arbosim.games.arboretum.refusal import refusal
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.state import CARD_CODES, CENTRE, GRID, IN_HAND, WIDTH

RANDOM = -2
"""What `Speaker.read` returns where a program asks for a legal action by chance."""
CELLS = [(cell % WIDTH - CENTRE % WIDTH, cell // WIDTH - CENTRE // WIDTH) for cell in range(GRID)]
"""Every cell as (x, y), by its number on the grid."""


@dataclass(frozen=True)
class Done:
    """The decision before the one at hand.

    Parameters
    ----------
    seat : int
        Who made it.
    code : int
        The number of the action that was carried out.
    card : int
        The card drawn; 0 if it was no draw, or if the one who is told may not know it.
    """

    seat: int
    code: int
    card: int


class Speaker(ABC):
    """What one program is told, game after game, and how its answers are understood.

    Its methods are given the engine's own records (state.py), and neither change nor keep them: `table`, and `seat` as
    the record of the seat of the one who is told. Messages carry no id yet.
    """

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules = rules
        self.players = players

    @abstractmethod
    def begin(self, seat: int, number: int, stream: bytes) -> Message:
        """Return what tells of a new game.

        Parameters
        ----------
        seat : int
            The program's own.
        number : int
            Of the game, from 1.
        stream : bytes
            16 of them, as the program's own source of chance: always the same for one seed, deal and slot.
        """

    @abstractmethod
    def decision(self, table: Any, seat: Any, done: Done | None) -> Message:
        """Return what asks for the decision at hand; `done` is None before the first one of a game."""

    @abstractmethod
    def idle(self, table: Any, seat: Any, done: Done | None) -> Message | None:
        """Return what tells that another seat is asked; None if nothing is told then."""

    @abstractmethod
    def read(self, answer: Message, table: Any, seat: Any) -> int:
        """Return the number of the action that an answer stands for, legal or not, or RANDOM.

        A MistakeError tells that it is none.
        """

    def done(self, code: int) -> None:  # noqa: B027  most dialects need not know
        """Take note of what was carried out for this seat in the end: its own answer, or a random action."""

    @abstractmethod
    def end(self, table: Any, hidden: Any, winners: int, error: GameError | None) -> Message:
        """Return what tells the result.

        Parameters
        ----------
        hidden : HIDDEN record
            Scored, unless the game was forfeited.
        winners : int
            Bit s: seat s shares the win.
        error : GameError, optional
            The mistake by which the game was forfeited.
        """


def card_texts() -> list[str | None]:
    """Return every card as text, by its code; None for the codes of no card."""
    return [
        f"{LETTERS[code >> 4]}{code & 15}"
        if code >> 4 < len(LETTERS) and 1 <= code & 15 <= MAX_VALUE
        else None
        for code in range(CARD_CODES)
    ]


def known_hands(table: Any, players: int) -> list[list[int]]:
    """Return the cards that everyone knows each seat to hold, ascending."""
    where = table["where"].tobytes()
    found = []
    for seat in range(players):
        codes: list[int] = []
        code = where.find(IN_HAND + seat)
        while code >= 0:
            codes.append(code)
            code = where.find(IN_HAND + seat, code + 1)
        found.append(codes)
    return found


def checked_code(action: Action, table: Any, origin: Cell = (0, 0)) -> int:
    """Return the number of an action of the current seat; a MistakeError if it is too far out to have one."""
    code = code_of_action(action, origin)
    far = action[0] == "play" and code & 0xFFFF == GRID
    if code >= 0 and not far:
        return code
    raise MistakeError("illegal", refusal(table, NOT_OPEN if far else NO_SUCH_SOURCE, action, code))
