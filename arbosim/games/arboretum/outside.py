"""Programs at the compiled engine's table.

At a table with a program every seat is asked through Python, because dialects tell programs about the decisions of
others too. The engine plays one game a call there: at its end the records still hold it, and it can be told.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from arbosim.core.game import GameError, MistakeError
from arbosim.core.outside import CRASHED, SILENT, Message, Program, Talk
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum import buffers, deciders
from arbosim.games.arboretum.actions import action_of_code
from arbosim.games.arboretum.dialects import DIALECTS
from arbosim.games.arboretum.dialects.speaker import RANDOM, Done, Speaker
from arbosim.games.arboretum.kernels import LEGAL
from arbosim.games.arboretum.plain import PlainSeats
from arbosim.games.arboretum.refusal import refusal
from arbosim.games.arboretum.state import DECK, DISCARD, DISCARD_ACTION, DRAW, PLAY_ACTION, SOURCES

if TYPE_CHECKING:
    from arbosim.games.arboretum.buffers import Buffers


class StoppedError(Exception):
    """The run is to end, and a game with a program takes too long to wait for."""


@dataclass
class _Guest:
    """A program at the table, in the game under way."""

    program: Program
    talk: Talk
    speaker: Speaker
    chance: random.Random = field(default_factory=random.Random)
    told: int = 0
    """Which of its processes knows of this game; 0 for none."""
    owed: MistakeError | None = None
    """What went wrong while another seat decided."""


class OutsideSeats(PlainSeats):
    """The strategies of a line-up with programs.

    Parameters
    ----------
    stop : int64 array of 1
        Anything but 0 ends the game under way.
    """

    def __init__(
        self,
        bufs: Buffers,
        entrants: Sequence[Entrant],
        progress: np.ndarray,
        first_deal: int,
        stop: np.ndarray,
    ) -> None:
        super().__init__(bufs, entrants, progress)
        self._stop = stop
        self._first_deal = first_deal
        self._last: tuple[int, int] | None = None  # seat and action of the decision before
        self._decide: dict[int, Any] = {}
        self._guests: dict[int, _Guest] = {}
        for slot, entrant in enumerate(entrants):
            program = entrant.strategy.program
            if program is not None:
                speaker = DIALECTS[program.dialect].speaker(bufs.rules, bufs.players)
                copy = sum(other.strategy.program == program for other in entrants[:slot])
                self._guests[slot] = _Guest(program, program.talk(copy), speaker)
            elif entrant.strategy.kind == "compiled":
                self._decide[slot] = deciders.compiled(entrant.strategy)

    def last_game(self, game: int, games: int) -> int:
        """Return where the engine is to leave off: after one game."""
        return min(game + 1, games)

    def begin(self, game: int) -> None:
        """Get ready for a game whose cards are dealt."""
        super().begin(game)
        self._last = None
        self.mistakes = []
        for slot, guest in self._guests.items():
            guest.chance = random.Random(self._stream(slot))
            guest.told, guest.owed = 0, None
            self._try(guest, lambda guest=guest, slot=slot: self._begin_with(guest, slot))

    def ask(self, slot: int) -> int:
        """Return the action of a strategy, after all programs that want to know have been told that it is asked."""
        if self._stop[0]:
            raise StoppedError
        table, seats = self._buffers.tables[0], self._buffers.seats
        for other, guest in self._guests.items():
            if other != slot:
                message = guest.speaker.idle(table, seats[other], self._done(other))
                if message is not None and guest.owed is None:
                    self._try(guest, lambda guest=guest, message=message: self._tell(guest, message))
        if slot in self._guests:
            code = self._ask_program(slot, self._guests[slot])
        elif slot in self._decide:
            code = int(self._decide[slot](table, seats[slot]))
        else:
            code = super().ask(slot)
        self._last = int(table["current"]), code
        return code

    def over(self, error: GameError | None) -> None:
        """Tell the programs that their game is over."""
        table, hidden = self._buffers.tables[0], self._buffers.hiddens[0]
        everyone = (1 << self._buffers.players) - 1
        winners = int(hidden["winners"]) if error is None else everyone & ~(1 << error.seat)
        for guest in self._guests.values():
            if not guest.told:
                continue
            message = guest.speaker.end(table, hidden, winners, error)
            self._try(guest, lambda guest=guest, message=message: guest.talk.tell(message, None))

    def _ask_program(self, slot: int, guest: _Guest) -> int:
        table, seat = self._buffers.tables[0], self._buffers.seats[slot]
        code = RANDOM
        owed, guest.owed = guest.owed, None
        if owed is not None:
            self._charge(slot, guest, owed)
        try:
            before = guest.told
            self._introduce(guest, slot)
            if before and guest.told != before:
                raise MistakeError(CRASHED, "ended after its last answer")
            message = guest.speaker.decision(table, seat, self._done(slot))
            answer = guest.talk.ask(message, guest.program.seconds)
            code = guest.speaker.read(answer, table, seat)
            if code != RANDOM and guest.program.policy == "random-move":
                self._check(table, slot, code)  # otherwise the engine refuses it, in the same words
        except MistakeError as mistake:
            self._charge(slot, guest, mistake)
            code = RANDOM
        if code == RANDOM:
            code = guest.chance.choice(legal_codes(table, seat))
        guest.speaker.done(code)
        return code

    def _begin_with(self, guest: _Guest, slot: int) -> None:
        """Tell a program of a new game; what its process did after the last one costs no more than a new process."""
        has_played = not guest.talk.is_new()
        try:
            self._introduce(guest, slot)
        except MistakeError:
            if not has_played:
                raise
            guest.talk.drop()
            self._introduce(guest, slot)

    def _introduce(self, guest: _Guest, slot: int) -> None:
        """Tell a process of the game, if it does not know."""
        before = guest.told
        guest.told = 0  # until it has answered
        running = guest.talk.ready()
        if running != before:
            # twice, because nobody has waited for the answer to the end of the game before
            guest.talk.ask(self._beginning(guest, slot), 2 * guest.program.seconds)
        guest.told = running

    def _beginning(self, guest: _Guest, slot: int) -> Message:
        seat = int(self._buffers.seats[slot]["seat"])
        return guest.speaker.begin(
            seat, self._first_deal * self._buffers.players + self._game + 1, self._stream(slot)
        )

    def _tell(self, guest: _Guest, message: Message) -> None:
        if guest.told and guest.told == guest.talk.ready():
            guest.talk.tell(message, guest.program.seconds)

    def _try(self, guest: _Guest, call: Any) -> None:
        """Do what may fail while it is not the program's turn; it answers for it when it is."""
        try:
            call()
        except MistakeError as mistake:
            guest.owed = mistake
            self._has_failed(guest, mistake)

    def _charge(self, slot: int, guest: _Guest, mistake: MistakeError) -> None:
        """Take note of a mistake, or raise it, as the program's policy has it."""
        self._has_failed(guest, mistake)
        if guest.program.policy == "forfeit":
            raise mistake
        game, players = self._game, self._buffers.players
        self.mistakes.append(
            GameError(
                strategy=self._entrants[slot].spec,
                deal=self._first_deal + game // players,
                rotation=game % players,
                turn=int(self._buffers.tables[0]["turn"]) + 1,
                seat=int(self._buffers.seats[slot]["seat"]),
                kind=mistake.kind,
                message=str(mistake),
                penalty="random-move",
                number=len(self.mistakes) + 1,
            )
        )

    def _has_failed(self, guest: _Guest, mistake: MistakeError) -> None:
        if mistake.kind == SILENT and guest.program.policy == "forfeit":
            guest.talk.drop()  # who knows when it would come back
        if guest.talk.is_new():
            guest.told = 0

    def _done(self, slot: int) -> Done | None:
        """Return the decision before this one, as the strategy of a slot may know it."""
        if self._last is None:
            return None
        seat, code = self._last
        card = 0
        mover = self._slot(seat)
        if code < DECK or (code == DECK and mover == slot):
            held = self._buffers.seats[mover]
            card = int(held["hand"][int(held["hand_count"]) - 1])  # a card that was drawn is the last
        return Done(seat, code, card)

    def _check(self, table: Any, slot: int, code: int) -> None:
        """Raise a MistakeError if the rules forbid an action."""
        if code not in legal_codes(table, self._buffers.seats[slot]):
            reason = buffers.step.compiled(table, self._buffers.seats[slot], self._buffers.hiddens[0], code)
            assert reason != LEGAL
            raise MistakeError("illegal", refusal(table, reason, action_of_code(code), code))

    def _stream(self, slot: int) -> bytes:
        return self._buffers.seats[slot]["rng"].tobytes()  # type: ignore[no-any-return]


def legal_codes(table: Any, seat: Any) -> list[int]:
    """Return all actions that the seat to decide may choose, as numbers."""
    phase = int(table["phase"])
    if phase == DRAW:
        return [source for source in range(SOURCES) if table["pile_count"][source]]
    hand = seat["hand"][: seat["hand_count"]].tolist()
    if phase == DISCARD:
        return [DISCARD_ACTION | card for card in hand]
    p = int(table["current"])
    cells = table["open_cell"][p][: table["open_count"][p]].tolist()
    return [PLAY_ACTION | card << 16 | cell for card in hand for cell in cells]
