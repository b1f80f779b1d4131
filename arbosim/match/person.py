"""A game of one person against strategies: kept in a file after every action, so that it can be gone on with."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from arbosim.core import files, registry
from arbosim.core.errors import UserError, placed
from arbosim.core.game import Game, MistakeError, Position, Rules, Seating
from arbosim.core.seeds import master_seed
from arbosim.core.strategy import Entrant
from arbosim.match import documents
from arbosim.match.notes import read_notes
from arbosim.match.single import line_up, slots_in_order

PERSON = "human"
"""What a record calls the person among its strategies."""
Action = tuple[Any, ...]


class PersonGame:
    """A game of one person against strategies, decision by decision.

    Make one with `begin` or `resume`, and `start` it before anything else; then `catch_up` with what was played.

    Attributes
    ----------
    seat : int
        Where the person sits.
    names : list of str
        Who sits where, by seat.
    entrants : list of Entrant
        The strategies at the table.
    position
        Where the game stands.
    path : Path
        The record, a JSON object: the whole game, with all hidden cards.
    is_kept : bool
        Whether the file has all that was done when it was last to be written.
    """

    position: Position

    def __init__(
        self,
        game: Game,
        rules: Rules,
        entrants: Sequence[Entrant | None],
        seed: int,
        deal: int,
        path: Path,
        record: dict[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.seat = list(entrants).index(None)
        self.names = [PERSON if entrant is None else entrant.spec for entrant in entrants]
        self.seed = seed
        self.deal = deal
        self.path = path
        self.entrants = [entrant for entrant in entrants if entrant is not None]
        self._rules = rules
        self._by_seat = entrants
        self._record = record
        self.is_kept = False
        self._forfeit: dict[str, object] | None = None

    @classmethod
    def begin(
        cls,
        game: Game,
        rules: Rules,
        strategies: Sequence[str | Entrant],
        seat: int,
        seed: int | str,
        deal: int,
        path: Path,
    ) -> Self:
        """Deal a new game; the strategies sit in the given order around the person. Nothing is written yet.

        Raises
        ------
        UserError
            The game cannot be, or the file is there already.
        """
        others: list[Entrant | None] = [*line_up(game, rules, strategies, deal, 1, "STRATEGIES")]
        if not 0 <= seat <= len(others):
            raise UserError(f"seats are 0 to {len(others)} here, not {seat}", where="--seat")
        check_new(path)
        return cls(game, rules, [*others[:seat], None, *others[seat:]], master_seed(seed), deal, path)

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Return the game of a file, which `catch_up` plays to where it was left."""
        record = _read(path)
        with placed(str(path)):
            game = registry.game(record.get("game"))
            start, _ = game.notation.read_record(record)
            notes = read_notes(record, start.players)
            if notes.strategies.count(PERSON) != 1 or not {"seed", "deal"} <= record.keys():
                raise UserError("this is no game of a person against strategies, of a known seed")
            others = [name for name in notes.strategies if name != PERSON]
            entrants: list[Entrant | None] = [registry.resolve(name, game.name) for name in others]
        entrants.insert(notes.strategies.index(PERSON), None)
        return cls(game, start.rules, entrants, master_seed(record["seed"]), record["deal"], path, record)

    def start(self) -> None:
        """Deal; a UserError if the cards of a record are not those of its seed and deal."""
        self._table = self.seated()
        self.position = self._table.position
        if self._record is not None:
            notation = self.game.notation
            dealt, _ = notation.read_record(self._record)
            if notation.record_object(dealt) != notation.record_object(self.position):
                raise UserError("its cards are not those of its seed and deal", where=str(self.path))

    def catch_up(self, tell: Callable[[int, Action], None]) -> str:
        """Do what a record has; return a sentence if a strategy decides otherwise now, which changes nothing.

        Strategies are asked again, so that they know what they knew; one by the clock is not, as it would spend all its
        time once more and answer something else. It goes on like one that sits down in the middle of a game.

        Parameters
        ----------
        tell : callable
            Is told seat and action after each one that was done since the person's last decision.
        """
        record = self._record
        if record is None:
            return ""
        notation, position = self.game.notation, self.position
        trial, given = notation.read_record(record)
        forfeit = read_notes(record, position.players).forfeit
        with placed(str(self.path)):
            done = [
                (trial.current, notation.replay_action(trial, action, i)) for i, action in enumerate(given)
            ]
            if forfeit is not None:
                forfeit.apply(trial)
        last = max((i for i, (seat, _) in enumerate(done) if seat == self.seat), default=-1)
        changed = ""
        for i, (seat, action) in enumerate(done):
            entrant = self._by_seat[seat]
            if entrant is None or not entrant.repeats:
                position.play(action)
            elif not self._table.follow(action) and not changed:
                changed = (
                    f"{self.names[seat]} decides otherwise now than it did; the game stays as it was played"
                )
            if i > last:
                tell(seat, action)
        if forfeit is not None:
            forfeit.apply(position)
            self._forfeit = record["forfeit"]
        self._record = None
        return changed

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is to decide."""
        return not self.position.finished and self.position.current == self.seat

    def decide(self, action: Action) -> None:
        """Carry out a decision of the person."""
        self.position.play(action)

    def advance(self) -> Action | None:
        """Carry out the decision of a strategy and return it; None if its mistake ends the game."""
        position = self.position
        try:
            return self._table.advance()
        except MistakeError as mistake:
            self._forfeit = {"seat": position.current, "turn": position.turn + 1, "reason": str(mistake)}
            position.forfeit(str(mistake))
            return None

    def appraise(self, adviser: Entrant) -> list[tuple[tuple[Any, ...], float]]:
        """Return what an adviser in the person's place expects of each option; the game is left alone."""
        return self._table.appraise(adviser)

    def seated(self) -> Seating:
        """Return the same deal with the same players at its start."""
        slots = slots_in_order(self.names)
        return self.game.seat(self._rules, self._by_seat, slots, self.seed, self.deal)

    def record(self) -> dict[str, Any]:
        """Return the game so far as a record, which `arbosim replay` checks and scores; as read before `catch_up`."""
        if self._record is not None:
            return self._record
        notes: dict[str, object] = {"seed": self.seed, "deal": self.deal, "strategies": self.names}
        if self._forfeit is not None:
            notes["forfeit"] = self._forfeit
        return self.game.notation.record_object(self.position, notes)

    def save(self) -> None:
        """Write the record; at any moment the file holds a whole one. A UserError if it cannot be written."""
        self.is_kept = False
        try:
            self.path.parent.mkdir(exist_ok=True)
            files.replace(self.path, json.dumps(self.record()) + "\n")
        except OSError as error:
            raise UserError(f"this cannot be written: {error.strerror}", where=str(self.path)) from error
        self.is_kept = True


def check_new(path: Path) -> None:
    """Refuse a file for a new game that is there already."""
    files.check_name(path, "--record")
    if os.path.lexists(path.parent) and not path.parent.is_dir():
        raise UserError(f"{str(path.parent)!r} is no folder; a game is kept in one", where="--record")
    if path.is_dir():
        raise UserError(f"{str(path)!r} is a folder, not a file", where="--record")
    if path.exists():
        raise UserError(f"{str(path)!r} is there already; --resume goes on with a game", where="--record")


def _read(path: Path) -> dict[str, Any]:
    found = list(documents.read(str(path)))
    if len(found) != 1:
        raise UserError(f"a file of {len(found)} records; --resume takes a single game", where=str(path))
    value = found[0][1]
    if isinstance(value, UserError):
        raise value
    if not isinstance(value, dict):
        raise UserError("this is no record of a game", where=str(path))
    return value
