"""Games played again: a row of a run by its strategies or its kept actions, move for move, or a record."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from arbosim.core.arguments import is_whole, shown
from arbosim.core.errors import UserError
from arbosim.core.game import Game, GameError, MistakeError, Narrator, Position, Rules
from arbosim.core.strategy import Entrant
from arbosim.match.notes import read_notes
from arbosim.match.observer import Observer, Watch
from arbosim.match.single import Played, Seats, play_out, play_seats

_GAME_ID = re.compile(r"(\d{1,18})-(\d{1,18})-(\d{1,18})", re.ASCII)


class GameId(NamedTuple):
    """Which game of a run: the number of the line-up, the deal, and the rotation; written ``3-120-1``."""

    match: int
    deal: int
    rotation: int

    def __str__(self) -> str:
        return f"{self.match}-{self.deal}-{self.rotation}"


def parse_game_id(text: str, where: str = "GAME_ID") -> GameId:
    """Read ``MATCH-DEAL-ROTATION``."""
    found = _GAME_ID.fullmatch(text)
    if found is None:
        raise UserError(f"a game is named MATCH-DEAL-ROTATION, as in 3-120-1, not {text!r}", where=where)
    return GameId(*map(int, found.groups()))


def named_game(given: object, where: str = "game") -> GameId:
    """Return which game is meant by ``"3-120-1"`` or ``(3, 120, 1)``."""
    if isinstance(given, str):
        return parse_game_id(given, where)
    if not isinstance(given, list | tuple) or len(given) != 3 or not all(map(is_whole, given)):
        raise UserError(
            f"is match, deal and rotation, as in '3-120-1' or (3, 120, 1), not {shown(given)}", where=where
        )
    return GameId(*map(int, given))


@dataclass(frozen=True)
class Kept:
    """What was kept of a game that does not repeat by seed.

    Parameters
    ----------
    line_up : tuple of str
        Who played it, by slot.
    actions : numpy.ndarray
        What was done, as the game's numbers, int32.
    error : GameError, optional
        The mistake for which it was forfeited after them.
    """

    line_up: tuple[str, ...]
    actions: np.ndarray
    error: GameError | None = None

    def names(self, rotation: int) -> tuple[str, ...]:
        """Return who sat where, by seat: slot i on seat (i + rotation) % players."""
        return tuple(self.line_up[(seat - rotation) % len(self.line_up)] for seat in range(len(self.line_up)))


def play_kept(
    game: Game, rules: Rules, kept: Kept, seed: int, which: GameId, *narrators: Narrator | None
) -> Played:
    """Play one game by its actions, without its strategies; a UserError if they cannot be those of the game."""
    players = len(kept.line_up)
    table = game.table(rules, players, seed, which.deal)
    actions = iter(kept.actions)

    def refused(why: object) -> UserError:
        return UserError(f"the actions that were kept of game {which} cannot be its own: {why}")

    def advance() -> tuple[Any, ...]:
        action = next(actions, None)
        if action is not None:
            try:
                return table.carry_out(int(action))
            except UserError as error:
                raise refused(error) from None
        if kept.error is None:
            raise refused("they end before it does")
        raise MistakeError(kept.error.kind, kept.error.message)

    names = kept.names(which.rotation)
    slots = [(seat - which.rotation) % players for seat in range(players)]
    error, result = play_out(table, advance, names, slots, which.deal, narrators)
    if next(actions, None) is not None:
        raise refused("they go on after its end")
    return Played(game, table.position, names, None, seed, which.deal, error, result)


def differences(played: Played, row: Mapping[str, int]) -> list[str]:
    """Say in which fields a game that was played again differs from its row, as far as that has them."""
    return [
        f"{name}: {value} now, {int(row[name])} in the run"
        for name, value in played.result.items()
        if name in row and int(row[name]) != value
    ]


@dataclass(frozen=True)
class PlayedRow:
    """A game of a run: which one, what plays it again, and its row.

    Parameters
    ----------
    by : tuple of Entrant, or Kept
        Its strategies by slot, or what was kept of a game that does not repeat by seed.
    """

    id: GameId
    by: tuple[Entrant, ...] | Kept
    row: Mapping[str, int]

    def play(self, game: Game, rules: Rules, seed: int, *narrators: Narrator | None) -> Played:
        """Play the game again, whether it is the same or not; `differences` tells."""
        if isinstance(self.by, Kept):
            return play_kept(game, rules, self.by, seed, self.id, *narrators)
        seats = Seats.of_line_up(self.by, self.id.rotation)
        return play_seats(game, rules, seats, seed, self.id.deal, *narrators)

    def replay(self, game: Game, rules: Rules, seed: int, *narrators: Narrator) -> Played:
        """Play the game again; a UserError if it is another one now."""
        played = self.play(game, rules, seed, *narrators)
        wrong = differences(played, self.row)
        if wrong:
            raise UserError(f"game {self.id} is another one now: {'; '.join(wrong)}")
        return played


def observe(
    game: Game, rules: Rules, seed: int, rows: Sequence[PlayedRow], observer: Observer
) -> list[dict[str, object]]:
    """Play games of a run again before an observer; return a row a seat, where numbers of the game are repeated."""
    found: list[dict[str, object]] = []
    for row in rows:
        watch = Watch(observer, str(row.id))
        played = row.replay(game, rules, seed, watch)
        for seat, name in enumerate(played.names):
            numbers = {
                name: value[seat] if isinstance(value, tuple) else value
                for name, value in watch.found.items()
            }
            found.append({**row.id._asdict(), "seat": seat, "strategy": name, **numbers})
    return found


def replay_record(
    game: Game, record: Any, narrate: Callable[[Sequence[str]], Narrator] | None = None
) -> Position:
    """Play a recorded game; a UserError with an index `action` tells the first action that cannot be.

    Parameters
    ----------
    narrate : callable, optional
        Makes a narrator from the strategies by seat; empty texts where the record names none.
    """
    notation = game.notation
    position, actions = notation.read_record(record)
    notes = read_notes(record, position.players)
    narrator = None if narrate is None else narrate(notes.strategies)
    if narrator is not None:
        narrator.begin(position)
    for index, action in enumerate(actions):
        seat = position.current
        done = notation.replay_action(position, action, index)
        if narrator is not None:
            narrator.acted(position, seat, done)
    if notes.forfeit is not None:
        notes.forfeit.apply(position)
    if narrator is not None:
        narrator.end(position)
    return position


def refusal(error: UserError) -> dict[str, Any]:
    """Return the error object that stands for a refused position or record."""
    action = getattr(error, "action", None)
    if action is not None:
        return {"error": {"action": action, "reason": error.message}}
    return {"error": {"reason": str(error)}}
