"""Games of a run played again, move for move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from arbosim.core import registry
from arbosim.core.arguments import is_whole, shown
from arbosim.core.errors import UserError
from arbosim.core.game import Game, GameError, Walkthrough
from arbosim.core.strategy import Entrant
from arbosim.match import single
from arbosim.match.observer import Observer, Watch
from arbosim.match.replay import GameId, Kept, PlayedRow, named_game, observe
from arbosim.match.single import Played
from arbosim.rows import Rows
from arbosim.tournament.manifest import Manifest

TOGETHER = 50
"""Games that one job observes at a time."""
Named = str | tuple[int, int, int]
"""Match, deal and rotation of a game, as in ``"3-120-1"`` or ``(3, 120, 1)``."""


def kept_of(state: Manifest, rows: Rows, game: GameId, row: Mapping[str, int] | np.void) -> Kept | None:
    """Return what a run has kept of a game that does not repeat by seed; None if the game does."""
    if game.match not in state.keeps_actions:
        return None
    actions = rows.actions(*game)
    if actions is None:
        raise UserError(f"the actions of game {game} were not kept, and it does not repeat by seed")
    mistakes = (
        error
        for error in rows.errors()
        if row["error"] and error["game"] == str(game) and error["penalty"] == "forfeit"
    )
    told = {name: value for name, value in next(mistakes, {}).items() if name not in ("game", "match")}
    return Kept(tuple(state.line_ups[game.match]), actions, GameError(**told) if told else None)


class Replays:
    """The games of a run, each found by its name or its number and played again.

    Parameters
    ----------
    entrants : mapping
        Strategies by spec that are known already; others are found by their location, if they are unchanged.
    """

    def __init__(self, manifest: Manifest, game: Game, rows: Rows, entrants: Mapping[str, Entrant]) -> None:
        self.entrants = dict(entrants)
        self._manifest = manifest
        self._game = game
        self._rows = rows

    def names(self, game: Named) -> list[str]:
        """Return who sits where, by seat."""
        match, _, rotation = self._id(game)
        line_up = self._manifest.line_ups[match]
        return [line_up[(seat - rotation) % len(line_up)] for seat in range(len(line_up))]

    def check(self, game: Named) -> None:
        """Raise a UserError if a game is none of the run, or has not been played yet."""
        self._row(self._id(game))

    def replay(self, game: Named) -> Played:
        """Play a game again."""
        found = self._id(game)
        if found.match in self._manifest.keeps_actions:
            return self._again(self._played_row(found, self._row(found)))
        line_up = [self._entrant(spec) for spec in self._manifest.line_ups[found.match]]
        seats = single.Seats.of_line_up(line_up, found.rotation)
        return single.play_seats(self._game, self._rules(), seats, self._manifest.seed, found.deal)

    def walkthrough(self, game: Named) -> Walkthrough:
        """Play a game again, compare it with its row, and return it step by step for a page."""
        found = self._id(game)
        played = self._again(self._played_row(found, self._row(found)))
        return self._game.walkthrough(played.position, self.names(game))

    def species(self, numbers: Sequence[int]) -> list[dict[str, object]]:
        """Return a row per species and seat of some games, by their numbers in the order of the run."""
        return [
            row for game in self._numbered(numbers) for row in self._species_rows(game.id, self._again(game))
        ]

    def observe(self, observer: Observer, numbers: Sequence[int], jobs: int) -> list[dict[str, object]]:
        """Let an observer watch some games, by their numbers in the order of the run; see `Results.observe`."""
        import joblib

        Watch(observer, "")  # what is no observer is refused before anything is played
        if not is_whole(jobs) or (jobs < 1 and jobs != -1):
            raise UserError(f"must be at least 1, or -1 for all cores, not {shown(jobs)}", where="jobs")
        chosen = list(self._numbered(numbers))
        size = len(chosen) if jobs == 1 else TOGETHER
        tasks = (
            joblib.delayed(observe)(
                self._game, self._rules(), self._manifest.seed, chosen[first : first + size], observer
            )
            for first in range(0, len(chosen), max(size, 1))
        )
        return [row for found in joblib.Parallel(n_jobs=jobs)(tasks) for row in found]

    def _rules(self) -> Any:
        return self._game.rules(None, self._manifest.rules)

    def _again(self, game: PlayedRow) -> Played:
        return game.replay(self._game, self._rules(), self._manifest.seed)

    def _numbered(self, numbers: Sequence[int]) -> Iterator[PlayedRow]:
        chosen = iter(numbers)
        following = next(chosen, None)
        number = 0
        for match, batch in self._rows.batches():
            while following is not None and following < number + len(batch):
                row = batch[following - number]
                yield self._played_row(GameId(match, int(row["deal"]), int(row["rotation"])), row)
                following = next(chosen, None)
            number += len(batch)

    def _id(self, game: Named) -> GameId:
        state = self._manifest
        found = named_game(game, "game")
        last = state.deals_from + state.deals - 1
        if (
            not 0 <= found.match < len(state.line_ups)
            or not state.deals_from <= found.deal <= last
            or not 0 <= found.rotation < state.players
        ):
            raise UserError(
                f"the run has no game {found}: it has matches 0 to {len(state.line_ups) - 1}, "
                f"deals {state.deals_from} to {last}, rotations 0 to {state.players - 1}",
                where="game",
            )
        return found

    def _row(self, game: GameId) -> np.void:
        row = self._rows.row(*game)
        if row is None:
            raise UserError(f"game {game} has not been played yet", where="game")
        return row

    def _played_row(self, game: GameId, row: np.void) -> PlayedRow:
        by: tuple[Entrant, ...] | Kept | None = kept_of(self._manifest, self._rows, game, row)
        if by is None:
            by = tuple(self._entrant(spec) for spec in self._manifest.line_ups[game.match])
        return PlayedRow(game, by, {name: row[name].item() for name in row.dtype.names or ()})

    def _entrant(self, spec: str) -> Entrant:
        if spec not in self.entrants:
            record = next(record for record in self._manifest.strategies if record.spec == spec)
            if not record.location:
                raise UserError(f"{spec!r} was an object of the program that played the run, and is gone")
            entrant = registry.resolve(spec, self._manifest.game)
            if entrant.strategy.source_hash != record.source_hash:
                raise UserError(f"{spec!r} has changed since the run, so its games cannot be played again")
            self.entrants[spec] = entrant
        return self.entrants[spec]

    def _species_rows(self, game: GameId, played: Played) -> list[dict[str, object]]:
        score = self._game.notation.score_object(played.position)
        return [
            {
                **game._asdict(),
                "seat": seat,
                "strategy": played.names[seat],
                "species": name,
                "hand": part["hand"],
                "right": part["right"],
                "points": part["points"],
                "scored": part["scored"],
                "length": len(part["path"]),
            }
            for seat, player in enumerate(score["players"])
            for name, part in player["species"].items()
            if played.error is None
        ]
