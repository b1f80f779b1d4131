"""What a game offers to everything that plays, stores and analyses games without knowing which one it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self

from arbosim.core.columns import Column
from arbosim.core.encoding import Encoding, Picture
from arbosim.core.errors import UserError, printable
from arbosim.core.measures import METRICS, Measures
from arbosim.core.outside import Dialect, Policy
from arbosim.core.ratios import Ratio
from arbosim.core.strategy import Entrant

if TYPE_CHECKING:
    import random

    import numpy as np

Rules = Any  # each game has its own frozen pydantic model
Position = Any  # each game has its own friendly class for one game under way
ENGINE = "the engine"
"""What `Game.uncompiled` calls the part that all games of all strategies share."""


@dataclass(frozen=True)
class GameError:
    """A strategy's mistake, for which it forfeited a game.

    Parameters
    ----------
    turn : int
        Number of the turn, 1 for the first of the game: the `turns` of the row.
    kind : str
        "raised", "illegal" (an action that the rules forbid) or "wrote" (changed the table); of a program also
        "silent", "crashed", "nonsense" or "flood".
    penalty : {"forfeit", "random-move"}
        What it cost: the game, or a move that was chosen for it by chance.
    number : int
        1 for the first mistake of the game, and so on: only one that costs no more than a move has others after it.
    """

    strategy: str
    deal: int
    rotation: int
    turn: int
    seat: int
    kind: str
    message: str
    penalty: Policy = "forfeit"
    number: int = 1


@dataclass
class Chunk:
    """The games of a range of deals of one line-up.

    Parameters
    ----------
    rows : numpy.ndarray
        One structured row per game in the order of deal and rotation; whole deals only.
    deals_done : int
        How many deals of the range are in it; fewer than asked for after a stop.
    actions : list of numpy.ndarray, optional
        The actions of each game as numbers, int32, if asked for; of a forfeited game those before the mistake.
    """

    rows: np.ndarray
    errors: list[GameError] = field(default_factory=list)
    deals_done: int = 0
    actions: list[np.ndarray] | None = None

    @property
    def forfeits(self) -> list[GameError]:
        """Return the mistakes that cost the game."""
        return [error for error in self.errors if error.penalty == "forfeit"]


class MistakeError(Exception):
    """A strategy's mistake while its game is played decision by decision; `kind` is that of a GameError."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(printable(message))
        self.kind = kind


class Table(Protocol):
    """One game, played by actions that come from elsewhere."""

    @property
    def position(self) -> Position:
        """Return where the game stands; whatever the game, it has `players`, `rules`, `finished`, `current`, `turn`
        and `actions`, and a `copy`.

        Its `play(action)` carries out an action of the current seat that somebody else decided, or raises a UserError;
        its `forfeit(reason)` ends the game by a mistake of the current seat; its `view(seat)` is what a seat sees.
        """

    def carry_out(self, action: int) -> tuple[Any, ...]:
        """Carry out an action, a number, and return it as people write it; a UserError if the rules forbid it."""

    def result(self) -> dict[str, int]:
        """Return the fields of a result row from the game as it stands: turns, winners, and those by seat."""


class Seating(Table, Protocol):
    """Strategies at the seats of one game, exactly as in a tournament but one decision at a time."""

    def advance(self) -> tuple[Any, ...]:
        """Carry out the decision of the current seat and return it; raise a MistakeError if it is wrong."""

    def follow(self, action: Sequence[Any]) -> bool:
        """Ask the current seat, carry out a recorded action whatever it answers, and return whether they agree.

        Where they do not, what the strategy keeps for its next decisions is emptied: it need not fit any more.
        """

    def appraise(self, adviser: Entrant) -> list[tuple[tuple[Any, ...], float]]:
        """Return what a strategy expects of each action that the current seat may choose; leave the game alone.

        The adviser is given copies of what that seat sees, its own parameters, and no memory of earlier decisions.
        A UserError tells that it cannot.
        """


class Probe(Protocol):
    """A game of strategies under the microscope, for checks of what they are given and what they do with it."""

    @property
    def position(self) -> Position:
        """Return where the game stands."""

    @property
    def order(self) -> list[int]:
        """Return the deal that the game started from."""

    def ask(self) -> int:
        """Return the current seat's decision and leave the game alone; a MistakeError if it makes none."""

    def appraise(self, adviser: Entrant, *, strict: bool = False) -> list[tuple[tuple[Any, ...], float]]:
        """Return what a strategy expects of each action, as `Seating.appraise` does.

        Parameters
        ----------
        strict : bool
            A UserError tells as well that it changes the table that it is given, or what the seat holds and remembers.
        """

    def carry_out(self, action: int) -> tuple[Any, ...]:
        """Carry out a decision of the current seat and return it in words; a UserError if the rules forbid it."""

    def words(self, decision: int) -> str:
        """Return a decision in words."""

    def given(self) -> bytes:
        """Return everything that the current seat is given for its decision."""

    def hide_differently(self, rng: random.Random) -> list[int]:
        """Return another deal in which the current seat would have seen the same so far."""

    def deal_again(self, order: Sequence[int]) -> None:
        """Go back to the start with another deal."""

    def foul(self, donor: Self) -> None:
        """Fill the current seat's scratch space with what another game left in one."""


class Narrator(Protocol):
    """Someone who shows a game while it is played."""

    def begin(self, position: Position) -> None:
        """Show the start."""

    def acted(self, position: Position, seat: int, action: tuple[Any, ...]) -> None:
        """Show an action that has just been carried out."""

    def end(self, position: Position) -> None:
        """Show the end, with the score explained."""


class NotUnderstoodError(UserError):
    """What a person typed is no word that the game knows; other refusals tell of words that it knows."""


class Host(Narrator, Protocol):
    """Serves a person at one seat: shows what that seat may see and nothing else, and understands what is typed."""

    def ask(self, position: Position) -> None:
        """Show where the game stands, and what the person is to decide."""

    def help(self, position: Position) -> None:
        """Show what may be typed here."""

    def read(self, position: Position, text: str) -> tuple[Any, ...] | None:
        """Return the legal action that a text stands for, or None if it only asked to be shown something.

        A UserError says what was given, and what would be accepted; a NotUnderstoodError if it is nothing at all.
        """

    def advise(
        self, position: Position, adviser: str, appraised: Sequence[tuple[tuple[Any, ...], float]]
    ) -> None:
        """Show what an adviser expects of each action, best first; `appraised` is what `Seating.appraise` gives."""

    def words(self, action: Sequence[Any]) -> str:
        """Return an action in words, as in "play J4 on (1, 0)"."""


@dataclass(frozen=True)
class Step:
    """One step of a game on a page: what has just happened, and what lies where after it.

    Parameters
    ----------
    caption : str
        Plain text.
    seats : tuple
        By seat: the parts of its table, each a heading and HTML.
    table : tuple
        What belongs to no seat, in the same form.
    seat : int, optional
        Whose step it was.
    """

    caption: str
    seats: tuple[tuple[tuple[str, str], ...], ...]
    table: tuple[tuple[str, str], ...] = ()
    seat: int | None = None


@dataclass(frozen=True)
class Walkthrough:
    """A played game for a page; all HTML in it is well-formed, escaped, without ids and without scripts.

    Parameters
    ----------
    steps : tuple of Step
        The start, then one a turn; the last one shows the end.
    score : str
        HTML that explains the score.
    result : str
        Who won, in plain text.
    """

    steps: tuple[Step, ...]
    score: str
    result: str


class Notation(Protocol):
    """How a game writes its positions and records as JSON objects; wrong ones raise a UserError."""

    def read_position(self, given: object) -> Position:
        """Return the table that an object describes."""

    def read_record(self, given: object) -> tuple[Position, list[Any]]:
        """Return the start of a recorded game, and its actions."""

    def replay_action(self, position: Position, action: Any, index: int) -> tuple[Any, ...]:
        """Carry out one action of a record; the error has its index as `action`."""

    def score_object(self, position: Position) -> dict[str, Any]:
        """Return the score of a position."""

    def replay_object(self, position: Position) -> dict[str, Any]:
        """Return the score of a replayed game, with its turns and whether it is over."""

    def record_object(self, position: Position, notes: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Return a game as a record."""


@dataclass(frozen=True)
class RuleField:
    """One field of a game's rule sets, in words."""

    name: str
    accepted: str
    meaning: str


class Game(Protocol):
    """A game, found through the entry points of the group ``arbosim.games``; light to import."""

    name: str
    title: str
    rules_version: int
    min_players: int
    max_players: int

    @property
    def seat_metrics(self) -> tuple[Column, ...]:
        """Return the whole-number fields of a row that each seat has besides its score; a lean row has some of them."""

    def presets(self) -> Mapping[str, Rules]:
        """Return the named rule sets."""

    def preset_meaning(self, name: str) -> str:
        """Return what a named rule set is, in one line."""

    @property
    def rule_fields(self) -> tuple[RuleField, ...]:
        """Return all fields of a rule set in words."""

    @property
    def letters(self) -> Mapping[str, str]:
        """Return what the letters stand for by which cards are written."""

    @property
    def notation(self) -> Notation:
        """Return the reading and writing of positions and records."""

    @property
    def dialects(self) -> Mapping[str, Dialect]:
        """Return the ways in which programs are told about a game, by name."""

    def seat(
        self, rules: Rules, entrants: Sequence[Entrant | None], slots: Sequence[int], seed: int, deal: int
    ) -> Seating:
        """Seat strategies for one game.

        Parameters
        ----------
        entrants, slots : sequence
            By seat: who sits there, None for a person, and which slot of the line-up that is.
        """

    def table(self, rules: Rules, players: int, seed: int, deal: int) -> Table:
        """Deal one game that no strategy plays; its actions are those that the engine kept."""

    def probe(
        self, rules: Rules, entrants: Sequence[Entrant], slots: Sequence[int], seed: int, deal: int
    ) -> Probe:
        """Seat strategies for one game under the microscope; the parameters are those of `seat`."""

    def encoding(self, rules: Rules, players: int) -> Encoding:
        """Return how the decisions of games look as numbers; a UserError if the rules do not fit the players."""

    def picture(self, position: Position, names: Sequence[str]) -> Picture:
        """Return a table to draw, with everything open; names are those of the seats."""

    def random_rules(self, players: int, rng: random.Random) -> Rules:
        """Return a rule set that makes sense for that many players, chosen by chance."""

    def narrator(self, console: Any, names: Sequence[str]) -> Narrator:
        """Return a narrator that prints on a rich console; names are those of the seats."""

    def host(self, console: Any, names: Sequence[str], seat: int) -> Host:
        """Return a host for a person on a seat, who prints on a rich console; names are those of the seats."""

    def show_position(self, console: Any, position: Position) -> None:
        """Print a table as it lies, and its score explained."""

    def position_html(self, position: Position, names: Sequence[str] = ()) -> str:
        """Return a fragment of HTML that shows a table and its score; names are those of the seats, if known."""

    def walkthrough(self, position: Position, names: Sequence[str]) -> Walkthrough:
        """Return a played game step by step for a page; names are those of the seats."""

    def rules(self, preset: str | None = None, changes: Mapping[str, object] | None = None) -> Rules:
        """Return a rule set: a preset with some fields changed; values may be texts."""

    def check(self, rules: Rules, players: int) -> None:
        """Raise a UserError with the reason if the rules make no sense for that many players."""

    def effective(self, rules: Rules, players: int) -> Mapping[str, object]:
        """Return what a rule set comes to for that many players: two that are equal here are the same game."""

    @property
    def game_metrics(self) -> tuple[Column, ...]:
        """Return the whole-number fields of a row that tell the course of its game."""

    @property
    def balance(self) -> tuple[Ratio, ...]:
        """Return what tells whether a rule set is balanced, beside what is asked of every game."""

    def row_dtype(self, players: int, measures: Measures = METRICS) -> np.dtype[Any]:
        """Return the structured dtype of a result row.

        Parameters
        ----------
        measures : Measures
            Without any a row has what decides and explains the result, which is also what a digest covers.
        """

    def uncompiled(
        self,
        entrants: Sequence[Entrant],
        measures: Measures | None = METRICS,
        advisers: Sequence[Entrant] = (),
    ) -> list[str]:
        """Return the parts that the next games of these strategies would have to compile first.

        Parameters
        ----------
        measures : Measures, optional
            None stands for games that are played decision by decision.
        advisers : sequence of Entrant
            Strategies that are asked what they expect and do not play.
        """

    def compile_all(
        self,
        entrants: Sequence[Entrant],
        tell: Callable[[str], None],
        measures: Measures | None = METRICS,
        advisers: Sequence[Entrant] = (),
    ) -> None:
        """Compile or load everything that games of these strategies need; the parameters are those of `uncompiled`.

        Parameters
        ----------
        tell : callable
            Is told the name of a part before it is compiled, which takes seconds.

        Raises
        ------
        UserError
            A strategy cannot be compiled.
        """

    def play_chunk(
        self,
        rules: Rules,
        players: int,
        entrants: Sequence[Entrant],
        seed: int,
        first_deal: int,
        n_deals: int,
        *,
        checked_deals: int = 8,
        strict: bool = False,
        measures: Measures = METRICS,
        stop: np.ndarray | None = None,
    ) -> Chunk:
        """Play a range of deals, each in all cyclic seat rotations.

        Parameters
        ----------
        entrants : sequence of Entrant
            The line-up by slot, ordered by spec; rotation r puts slot i on seat (i + r) % players.
        checked_deals : int
            Deals with a lower index are played strictly: the table is compared after each decision.
        strict : bool
            Play all deals strictly.
        measures : Measures
            What the rows hold besides the results, and whether the chunk has the actions. A UserError tells of
            mistakes of a compiled metric.
        stop : numpy.ndarray, int64[1], optional
            Nonzero makes the engine leave after the current game.
        """


def rule_text(value: object) -> str:
    """Return the value of a rule as it is set: true, false and none are written small."""
    return str(value).lower() if isinstance(value, bool | None) else str(value)


def nearest_rules(game: Game, rules: Mapping[str, object]) -> tuple[str, dict[str, str]]:
    """Return the named rule set that is nearest to a rule set (as JSON values), and what differs from it."""
    changes = {
        name: {
            field: rule_text(value)
            for field, value in rules.items()
            if value != known.get(field) or field not in known
        }
        for name, preset in game.presets().items()
        for known in [preset.model_dump(mode="json")]
    }
    nearest = min(changes, key=lambda name: len(changes[name]))
    return nearest, changes[nearest]


def rules_in_words(game: Game, rules: Mapping[str, object]) -> str:
    """Return the named rule set that is nearest to a rule set (as JSON values), and what differs from it."""
    nearest, changes = nearest_rules(game, rules)
    fields = ", ".join(f"{field}={value}" for field, value in changes.items())
    return f"{nearest} with {fields}" if fields else nearest
