"""One face for everything that knows the rules, so that a golden value is written once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from arbosim.games.arboretum.cards import Card, parse_card
from arbosim.games.arboretum.explanation import Score
from arbosim.games.arboretum.position import IllegalActionError, Position
from arbosim.games.arboretum.reference import Board, Cell, ReferenceGame, ReferenceScore
from arbosim.games.arboretum.reference import score as reference_score
from arbosim.games.arboretum.rules import Rules, make_rules

STANDARD = Rules()


def cards(text: str) -> list[Card]:
    """Read cards parted by blanks: ``cards("J4 C1")``."""
    return [parse_card(word) for word in text.split()]


def row(text: str, x: int = 0, y: int = 0) -> Board:
    """Lay cards in a straight line to the right."""
    return {(x + i, y): card for i, card in enumerate(cards(text))}


def rules(**changes: Any) -> Rules:
    """Give the standard rules with changes."""
    return make_rules(None, changes)


class Game(Protocol):
    """A game under way, as the tests look at it."""

    @property
    def finished(self) -> bool: ...
    @property
    def current(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def hands(self) -> list[list[Card]]: ...
    @property
    def discards(self) -> list[list[Card]]: ...
    @property
    def boards(self) -> list[Board]: ...
    @property
    def deck(self) -> list[Card]: ...
    def sources(self) -> list[str | int]: ...
    def open_cells(self, seat: int) -> list[Cell]: ...
    def options(self) -> list[Any]: ...
    def apply(self, action: Any) -> None: ...
    def score(self) -> ReferenceScore: ...


class Judge(Protocol):
    """Something that knows the rules."""

    def score(
        self, boards: Sequence[Board], hands: Sequence[Sequence[Card]], rules: Rules = STANDARD
    ) -> ReferenceScore: ...

    def start(
        self,
        deck: Sequence[Card],
        hands: Sequence[Sequence[Card]],
        discards: Sequence[Sequence[Card]],
        rules: Rules = STANDARD,
    ) -> Game: ...


class ReferenceJudge:
    """The slow implementation."""

    def score(
        self, boards: Sequence[Board], hands: Sequence[Sequence[Card]], rules: Rules = STANDARD
    ) -> ReferenceScore:
        return reference_score(len(boards), rules, boards, hands)

    def start(
        self,
        deck: Sequence[Card],
        hands: Sequence[Sequence[Card]],
        discards: Sequence[Sequence[Card]],
        rules: Rules = STANDARD,
    ) -> Game:
        return ReferenceGame(len(hands), rules, deck, hands, discards)


def points(judge: Judge, species: str, board: Mapping[Cell, Card], rules: Rules = STANDARD) -> int:
    """Give the best path points of one species on a board, in a game of two."""
    return judge.score([dict(board), {}], [[], []], rules).points[0][species]


class PositionGame:
    """A game of the kernels, in the words of the reference."""

    def __init__(self, position: Position) -> None:
        self.position = position

    @property
    def finished(self) -> bool:
        return self.position.finished

    @property
    def current(self) -> int:
        return self.position.current

    @property
    def turn(self) -> int:
        return self.position.turn

    @property
    def phase(self) -> str:
        return self.position.phase

    @property
    def hands(self) -> list[list[Card]]:
        return self.position.hands

    @property
    def discards(self) -> list[list[Card]]:
        return self.position.discards

    @property
    def deck(self) -> list[Card]:
        return self.position.deck

    @property
    def boards(self) -> list[Board]:
        return self.position.arboretums

    def sources(self) -> list[str | int]:
        return self.position.sources

    def open_cells(self, seat: int) -> list[Cell]:
        return self.position.open_cells_of(seat)

    def options(self) -> list[Any]:
        return self.position.legal_actions

    def apply(self, action: Any) -> None:
        try:
            self.position.play(action)
        except IllegalActionError as error:
            raise ValueError(f"{action} is not allowed") from error

    def score(self) -> ReferenceScore:
        return as_reference(self.position.score())


class PositionJudge:
    """The kernels, through `Position`."""

    def score(
        self, boards: Sequence[Board], hands: Sequence[Sequence[Card]], rules: Rules = STANDARD
    ) -> ReferenceScore:
        return as_reference(Position.lay_out(boards, hands, rules=rules).score())

    def start(
        self,
        deck: Sequence[Card],
        hands: Sequence[Sequence[Card]],
        discards: Sequence[Sequence[Card]],
        rules: Rules = STANDARD,
    ) -> Game:
        return PositionGame(Position.start(deck, hands, discards, rules))


def as_reference(score: Score) -> ReferenceScore:
    """Give a score in the form of the reference."""

    def by_species(field: str) -> list[dict[str, Any]]:
        return [{s: getattr(entry, field) for s, entry in player.species.items()} for player in score.players]

    return ReferenceScore(
        sums=by_species("hand"),
        rights=by_species("right"),
        points=by_species("points"),
        paths=[{s: list(path) for s, path in paths.items()} for paths in by_species("path")],
        scored=by_species("scored"),
        totals=list(score.totals),
        kinds=[player.kinds for player in score.players],
        winners=list(score.winners),
    )
