"""Plain-Python strategies at the compiled engine's table.

The engine calls `ask_plain` for such a seat; compiled code would hand copies of the records to Python, so only the
seat's number goes through, and the view reads the records that `PlainSeats` keeps for this thread.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence
from signal import SIGINT
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from arbosim.core.game import GameError
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum.view import answer_code

if TYPE_CHECKING:
    from arbosim.games.arboretum.buffers import Buffers

_local = threading.local()
NO_ACTION = -1


class PlainSeats:
    """The plain-Python strategies of a line-up: a fresh instance a game, asked through their methods.

    Parameters
    ----------
    progress : int64 array
        Its first number tells the game that the engine plays.

    Attributes
    ----------
    mistakes : list of GameError
        Those of the last game that cost no more than a move.
    """

    def __init__(self, buffers: Buffers, entrants: Sequence[Entrant], progress: np.ndarray) -> None:
        self._buffers = buffers
        self._entrants = entrants
        self._progress = progress
        self._instances: dict[int, Any] = {}
        self._game = -1
        self._failure: BaseException | None = None
        self.mistakes: list[GameError] = []

    def __enter__(self) -> PlainSeats:
        self._outer = getattr(_local, "seats", None)
        _local.seats = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _local.seats = self._outer

    def take_failure(self) -> BaseException | None:
        """Return what a strategy raised since the last call; the user's own interrupt is raised here."""
        failure, self._failure = self._failure, None
        if isinstance(failure, KeyboardInterrupt) and is_from_user():
            raise failure
        return failure

    def decide(self, seat: int) -> int:
        """Return the action of the strategy on a seat, NO_ACTION if it failed."""
        game = int(self._progress[0])
        try:
            if game != self._game:
                self.begin(game)
            return self.ask(self._slot(seat))
        except BaseException as failure:
            self._failure = failure
            return NO_ACTION

    def begin(self, game: int) -> None:
        """Get ready for a game whose cards are dealt."""
        self._game = game
        self._instances.clear()

    def ask(self, slot: int) -> int:
        """Return the action of a strategy."""
        instance = self._instances.get(slot)
        if instance is None:
            entrant = self._entrants[slot]
            kind: Any = entrant.strategy.entry
            instance = kind._start(entrant.settings, self._buffers.seats[slot]["rng"])
            self._instances[slot] = instance
        return answer_code(instance, self._buffers.view(slot))

    def last_game(self, game: int, games: int) -> int:  # noqa: ARG002
        """Return where the engine is to leave off, if nothing happens in between."""
        return games

    def over(self, error: GameError | None) -> None:
        """Take note that the engine has left off: a game is over, or all up to the last."""

    def _slot(self, seat: int) -> int:
        return (seat - self._game) % self._buffers.players  # rotation is game % players


def is_from_user() -> bool:
    """Whether a KeyboardInterrupt can come from Ctrl-C: Python raises it in the main thread, by its own handler."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(SIGINT) is signal.default_int_handler


def _decide_here(seat: int) -> int:
    return _local.seats.decide(seat)  # type: ignore[no-any-return]


def ask_plain(table, seat):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Ask the plain-Python strategy on this seat."""
    number = seat["seat"]
    with numba.objmode(action="int64"):
        action = _decide_here(number)
    return action
