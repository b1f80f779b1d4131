"""What a record says of a game besides its cards and actions: seed, deal, strategies, and who forfeited it."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arbosim.core.errors import UserError, unknown
from arbosim.core.game import Position
from arbosim.core.seeds import master_seed

# More than any run can play; it is what a column of a run folder holds.
LAST_DEAL = 2**63 - 1
FORFEIT_KEYS = ("seat", "turn", "reason")


@dataclass(frozen=True)
class Forfeit:
    """A mistake for which a seat forfeited a game; turns count from 1, and none is known if it is not told."""

    seat: int
    reason: str
    turn: int | None = None

    def apply(self, position: Position) -> None:
        """End a game that was played up to the mistake, or raise a UserError if it cannot be this one's."""
        wrong = ""
        if position.finished:
            wrong = "the actions play the game to its end, so that nobody forfeits it"
        elif position.current != self.seat:
            wrong = f"seat {self.seat} cannot forfeit, as seat {position.current} is to decide then"
        elif self.turn not in (None, position.turn + 1):
            wrong = f"the actions end in turn {position.turn + 1}, not {self.turn}"
        if wrong:
            raise UserError(wrong, where="forfeit")
        position.forfeit(self.reason)


@dataclass(frozen=True)
class Notes:
    """What a record says of a game besides its cards and actions, as far as its replay needs it."""

    strategies: tuple[str, ...]
    forfeit: Forfeit | None


def read_notes(record: Mapping[str, Any], players: int) -> Notes:
    """Check the notes of a record, all of which may be missing; strategies are empty texts then."""
    if "seed" in record:
        seed = record["seed"]
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise UserError(f"give a whole number or a text, not {reprlib.repr(seed)}", where="seed")
        master_seed(seed)
    if "deal" in record:
        _whole(record["deal"], 0, LAST_DEAL, "deal")
    names = record.get("strategies", [""] * players)
    if (
        not isinstance(names, list)
        or len(names) != players
        or not all(isinstance(name, str) for name in names)
    ):
        raise UserError(
            f"give the {players} strategies by seat, as texts, not {reprlib.repr(names)}", where="strategies"
        )
    forfeit = _forfeit(record["forfeit"], players) if "forfeit" in record else None
    return Notes(tuple(names), forfeit)


def _forfeit(given: object, players: int) -> Forfeit:
    if not isinstance(given, dict):
        raise UserError(
            f'give an object such as {{"seat": 1, "turn": 6, "reason": "..."}}, not {reprlib.repr(given)}',
            where="forfeit",
        )
    for key in given:
        if key not in FORFEIT_KEYS:
            raise unknown("key", key, FORFEIT_KEYS, "forfeit")
    missing = [key for key in ("seat", "reason") if key not in given]
    if missing:
        raise UserError(f"missing: {', '.join(missing)}", where="forfeit")
    if not isinstance(given["reason"], str):
        raise UserError(f"give a text, not {reprlib.repr(given['reason'])}", where="forfeit.reason")
    seat = _whole(given["seat"], 0, players - 1, "forfeit.seat")
    turn = _whole(given["turn"], 1, LAST_DEAL, "forfeit.turn") if "turn" in given else None
    return Forfeit(seat, given["reason"], turn)


def _whole(given: object, low: int, high: int, where: str) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
        raise UserError(f"give a whole number, {low} to {high}, not {reprlib.repr(given)}", where=where)
    return given
