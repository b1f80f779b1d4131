"""One face for everything that knows the rules, so that a golden value is written once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from arbosim.games.arboretum.cards import Card, parse_card
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

    finished: bool
    current: int
    turn: int
    phase: str
    hands: list[list[Card]]
    discards: list[list[Card]]
    boards: list[Board]
    deck: list[Card]

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
