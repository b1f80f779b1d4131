"""One game of any kind, decision by decision, with someone watching."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from typing import Any

from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.game import Game, GameError, MistakeError, Narrator, Position, Rules, Table
from arbosim.core.seeds import master_seed
from arbosim.core.strategy import Entrant, Strategy
from arbosim.match.observer import Observer, Watch


@dataclass(frozen=True)
class Seats:
    """Who sits where in one game.

    Parameters
    ----------
    entrants : tuple of Entrant
        By seat.
    slots : tuple of int
        By seat: the slot of the line-up, which decides the random stream.
    """

    entrants: tuple[Entrant, ...]
    slots: tuple[int, ...]

    @classmethod
    def of_line_up(cls, line_up: Sequence[Entrant], rotation: int) -> Seats:
        """Seat a line-up as a tournament does: slot i on seat (i + rotation) % players."""
        slots = tuple((seat - rotation) % len(line_up) for seat in range(len(line_up)))
        return cls(tuple(line_up[slot] for slot in slots), slots)

    @classmethod
    def in_order(cls, entrants: Sequence[Entrant]) -> Seats:
        """Seat entrants as they are given; slots are in the order of specs, as in a tournament."""
        return cls(tuple(entrants), slots_in_order([entrant.spec for entrant in entrants]))

    @property
    def names(self) -> tuple[str, ...]:
        """Return who sits where, by seat."""
        return tuple(entrant.spec for entrant in self.entrants)


def slots_in_order(names: Sequence[str]) -> tuple[int, ...]:
    """Return by seat the slot of each player: slots are in the order of names."""
    order = sorted(range(len(names)), key=lambda seat: names[seat])
    return tuple(order.index(seat) for seat in range(len(names)))


@dataclass(frozen=True, repr=False)
class Played:
    """A game that was played decision by decision; printing it shows it turn by turn, with its score explained.

    A notebook shows the boards at the end, with the paths that scored.

    Attributes
    ----------
    position
        Where the game ended; its `score()` explains the result.
    names : tuple of str
        Who sat where, by seat.
    seats : Seats or None
        The strategies that played; None where kept actions did.
    error : GameError or None
        The mistake for which a strategy forfeited the game.
    result : dict
        The fields of a result row; only turns, winners and error count if it was forfeited.
    observed : dict
        What the observer measured, if there was one: by name, a float, or a tuple of one float a seat.
    """

    game: Game
    position: Position
    names: tuple[str, ...]
    seats: Seats | None
    seed: int
    deal: int
    error: GameError | None
    result: dict[str, int]
    observed: Mapping[str, float | tuple[float, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return (
            f"<Played: {', '.join(self.names)}; seed {self.seed}, deal {self.deal}; print() shows the game>"
        )

    def __str__(self) -> str:
        from rich.console import Console

        from arbosim.match.replay import replay_record  # which stands on this module

        console = Console(file=StringIO(), width=100, highlight=False, emoji=False, markup=False)
        with console.capture() as capture:
            replay_record(self.game, self.record(), partial(self.game.narrator, console))
        return capture.get()

    def _repr_html_(self) -> str:
        return self.game.position_html(self.position, self.names)

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the seats that share the win."""
        return tuple(seat for seat in range(len(self.names)) if self.result["winners"] >> seat & 1)

    def record(self) -> dict[str, Any]:
        """Return the game as a record, which `arbosim replay` checks and scores."""
        notes: dict[str, object] = {
            "seed": self.seed,
            "deal": self.deal,
            "strategies": list(self.names),
        }
        if self.error is not None:
            notes["forfeit"] = {
                "seat": self.error.seat,
                "turn": self.error.turn,
                "reason": self.error.message,
            }
        return self.game.notation.record_object(self.position, notes)


def play(
    strategies: Sequence[str | Strategy | type | Entrant],
    *,
    seed: int | str = 1,
    deal: int = 0,
    rules: Rules | None = None,
    game: str | None = None,
    narrator: Narrator | None = None,
    observer: Observer | None = None,
) -> Played:
    """Play one game; the strategies sit in the given order, and seat 0 starts.

    Parameters
    ----------
    strategies : sequence
        Names as on the command line, strategy objects or classes, one a seat.
    seed : int or str
    deal : int
        Together with the seed it decides the cards, as in a tournament.
    observer : Observer
        Watches the game; `Played.observed` has what it measured.
    """
    played_game = registry.game(game)
    chosen = played_game.rules() if rules is None else rules
    entrants = line_up(played_game, chosen, strategies, deal)
    seats = Seats.in_order(entrants)
    if observer is None:
        return play_seats(played_game, chosen, seats, master_seed(seed), deal, narrator)
    watch = Watch(observer, f"of seed {seed}, deal {deal}")
    played = play_seats(played_game, chosen, seats, master_seed(seed), deal, narrator, watch)
    return replace(played, observed=watch.found)


def line_up(
    game: Game,
    rules: Rules,
    strategies: Sequence[str | Strategy | type | Entrant],
    deal: int,
    people: int = 0,
    where: str = "",
) -> list[Entrant]:
    """Return the entrants of a game with so many people at the table, or raise a UserError if it cannot be.

    Parameters
    ----------
    where : str
        Where the strategies were given, for messages.
    """
    players = len(strategies) + people
    if not game.min_players <= players <= game.max_players:
        most = f"{game.min_players - people} to {game.max_players - people}"
        against = " against a person" if people else ""
        raise UserError(f"{game.title} is played by {most} strategies{against}, not {len(strategies)}")
    if deal < 0:
        raise UserError(f"deals are numbered from 0, not {deal}")
    game.check(rules, players)
    return [registry.resolve(strategy, game.name, where) for strategy in strategies]


def play_seats(
    game: Game, rules: Rules, seats: Seats, seed: int, deal: int, *narrators: Narrator | None
) -> Played:
    """Play one game with everything decided; always strict."""
    table = game.seat(rules, seats.entrants, seats.slots, seed, deal)
    error, result = play_out(table, table.advance, seats.names, seats.slots, deal, narrators)
    return Played(game, table.position, seats.names, seats, seed, deal, error, result)


def play_out(
    table: Table,
    advance: Callable[[], tuple[Any, ...]],
    names: Sequence[str],
    slots: Sequence[int],
    deal: int,
    narrators: Sequence[Narrator | None],
) -> tuple[GameError | None, dict[str, int]]:
    """Play a game to its end before narrators; return the mistake that ended it, and the fields of its row.

    Parameters
    ----------
    advance : callable
        Carries out the next action at the table and returns it, or raises a MistakeError.
    names, slots : sequence
        By seat: who sits there, and which slot of the line-up that is.
    """
    watching = [narrator for narrator in narrators if narrator is not None]
    position = table.position
    for narrator in watching:
        narrator.begin(position)
    error = None
    while not position.finished and error is None:
        seat = position.current
        try:
            action = advance()
        except MistakeError as mistake:
            rotation = (seat - slots[seat]) % len(slots)
            error = GameError(
                names[seat], deal, rotation, position.turn + 1, seat, mistake.kind, str(mistake)
            )
            position.forfeit(error.message)
            break
        for narrator in watching:
            narrator.acted(position, seat, action)
    for narrator in watching:
        narrator.end(position)
    if error is None:
        return None, table.result()
    everyone = (1 << len(slots)) - 1
    result = {"turns": error.turn, "winners": everyone & ~(1 << error.seat), "error": error.seat + 1}
    return error, result
