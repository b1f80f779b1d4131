"""One game, one decision at a time: by given actions, or by strategies with the engine's own records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numba import types

from arbosim.core.errors import UserError, told
from arbosim.core.game import MistakeError
from arbosim.core.jit import EntryPoint
from arbosim.core.rng import STREAM_SLOT, seed_stream
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum import advice, buffers, deciders
from arbosim.games.arboretum.actions import Action
from arbosim.games.arboretum.plain import is_from_user
from arbosim.games.arboretum.position import IllegalActionError, Position
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.state import NO_TABLES
from arbosim.games.arboretum.view import answer_code


class Table:
    """One deal, played by actions that come from elsewhere."""

    def __init__(self, rules: Rules, players: int, seed: int, deal: int) -> None:
        self.position = Position.deal(players, rules, seed, deal)

    def carry_out(self, action: int) -> tuple[Any, ...]:
        """Carry out an action and give it in words; an IllegalActionError says why not."""
        return self.position.play_code(action)

    def result(self) -> dict[str, int]:
        """Return the fields of a result row from the game as it stands."""
        score = self.position.score()
        row = {"turns": self.position.turn, "winners": sum(1 << seat for seat in score.winners)}
        for seat, player in enumerate(score.players):
            row[f"score_{seat}"] = -1 if player.total is None else player.total
            row[f"points_{seat}"] = sum(entry.points for entry in player.species.values())
            row[f"kinds_{seat}"] = player.kinds
        return row | self.position.metrics()


class Seating(Table):
    """Strategies that play one deal, decision by decision, exactly as the engine would play it.

    Parameters
    ----------
    entrants : sequence of Entrant, or None
        The strategies by seat; None for a person, whose actions `position.play` carries out.
    slots : sequence of int
        The slot of the line-up that each seat belongs to; it decides the random stream.
    """

    def __init__(
        self, rules: Rules, entrants: Sequence[Entrant | None], slots: Sequence[int], seed: int, deal: int
    ) -> None:
        super().__init__(rules, len(entrants), seed, deal)
        self._entrants = entrants
        self._plain: dict[int, Any] = {}
        self._buffers = self.position._buffers
        self._buffers.set_parameters(entrants)
        for entrant in entrants:
            if entrant is not None:
                deciders.compiled(entrant.strategy)  # what numba refuses is refused before anything is played
        for record, slot in zip(self._buffers.seats, slots, strict=True):
            _seed_stream.compiled(record["rng"], np.uint64(seed), deal, STREAM_SLOT + slot)

    def advance(self) -> tuple[Any, ...]:
        """Ask the current seat, carry out its decision and give it in words, or raise a MistakeError."""
        code = self._ask(self.position.current)
        try:
            return self.carry_out(code)
        except IllegalActionError as error:
            raise MistakeError("illegal", str(error)) from None

    def follow(self, action: Sequence[Any]) -> bool:
        """Ask the current seat, carry out a recorded action whatever it answers, and return whether they agree."""
        memory = self._buffers.seats[self.position.current]["memory"]
        decided: tuple[Any, ...] = ()
        with suppress(MistakeError, IllegalActionError):
            decided = self.position.copy().play_code(self._ask(self.position.current))
        self.position.play(action)
        agrees = decided == self.position.actions[-1]
        if not agrees:
            memory[:] = 0  # a plan that it keeps would not fit what was done
        return agrees

    def appraise(self, adviser: Entrant, *, strict: bool = False) -> list[tuple[Action, float]]:
        """Return what a strategy on the current seat expects of each of its actions, and leave the game alone."""
        position = self.position
        actions = position.legal_actions
        codes = [position.code_of(action) for action in actions]
        found = advice.expected(self._buffers, position.current, adviser, codes, strict=strict)
        return list(zip(actions, found, strict=True))

    def _ask(self, seat: int) -> int:
        record = self._buffers.seats[seat]
        entrant = self._entrants[seat]
        if entrant is None:
            raise UserError(f"a person sits on seat {seat}, whom only people can ask")
        strategy = entrant.strategy
        record["phase"] = self._buffers.tables[0]["phase"]
        record["tables_of"] = NO_TABLES
        record["overlooks_mono"] = 0
        record["tabled"] = NO_TABLES
        before = self._buffers.table_bytes.copy()
        with mistakes():
            if strategy.kind == "python":
                code = self._ask_plain(seat, entrant)
            else:
                code = int(deciders.compiled(strategy)(self._buffers.tables[0], record))
        if not np.array_equal(before, self._buffers.table_bytes):
            self._buffers.table_bytes[:] = before
            raise MistakeError("wrote", "changed the table")
        return code

    def _ask_plain(self, seat: int, entrant: Entrant) -> int:
        record = self._buffers.seats[seat]
        if seat not in self._plain:
            kind: Any = entrant.strategy.entry
            self._plain[seat] = kind._start(entrant.settings, record["rng"])
        return answer_code(self._plain[seat], self._buffers.view(seat))


@contextmanager
def mistakes() -> Iterator[None]:
    """Turn whatever a strategy raises into a MistakeError; the user's own interrupt stays one."""
    try:
        yield
    except UserError as error:
        raise MistakeError("illegal", str(error)) from error
    except (Exception, SystemExit, GeneratorExit, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt) and is_from_user():
            raise
        raise MistakeError("raised", told(error)) from error


def _seed(state, seed, deal, stream):  # type: ignore[no-untyped-def]
    seed_stream(state, seed, deal, stream)


_seed_stream = EntryPoint(
    _seed, lambda: types.void(types.uint64[::1], types.uint64, types.int64, types.int64)
)

PARTS = (_seed_stream, buffers.deal_game, buffers.step, buffers.score, buffers.measure)
"""What a game needs compiled that is played decision by decision, besides its strategies."""
