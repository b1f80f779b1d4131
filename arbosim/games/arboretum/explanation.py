"""A score taken apart for people: sums, rights, points, and the cells of one best path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from arbosim.games.arboretum.cards import Card
from arbosim.games.arboretum.rules import Rules

Cell = tuple[int, int]
Board = Mapping[Cell, Card]


@dataclass(frozen=True)
class SpeciesScore:
    """What one seat has of one species.

    Attributes
    ----------
    hand : int
        Sum of the hand cards after the rule for the 8 (R12).
    right : bool
        Whether the seat may score the species (R11).
    points : int
        Points of the best path, whatever the right (R14).
    scored : int
        The points that count.
    path : tuple of cells
        One best path, lowest card first: of several the longest; then one that is paid double, one that starts
        on a 1, one that ends on the highest value; then the one whose cells, from its start on, come first in
        reading order. Empty where there is none.
    """

    hand: int
    right: bool
    points: int
    scored: int
    path: tuple[Cell, ...]


@dataclass(frozen=True)
class SeatScore:
    """What one seat has: its total, the species in its arboretum (R15), and every species that takes part.

    The total is missing in a forfeited game, and no species scores.
    """

    total: int | None
    kinds: int
    species: Mapping[str, SpeciesScore]


@dataclass(frozen=True)
class Score:
    """The score of a position; several winners share the win."""

    players: tuple[SeatScore, ...]
    winners: tuple[int, ...]

    @property
    def totals(self) -> tuple[int | None, ...]:
        """The total of each seat."""
        return tuple(player.total for player in self.players)


def in_reading_order(cells: Iterable[Cell]) -> list[Cell]:
    """Sort cells as one reads a board: from the top row down, each row from the left; y points up."""
    return sorted(cells, key=_reading_key)


def best_paths(board: Board, rules: Rules, points: Mapping[str, int]) -> dict[str, tuple[Cell, ...]]:
    """Find a path for every species that is worth its points; no path for 0 points."""
    found: dict[str, tuple[Cell, ...]] = {}
    for start, first in board.items():
        for path in _rising(board, (start,)):
            species = board[path[-1]].species
            if species != first.species or len(path) < rules.min_path:
                continue
            if path_points([board[cell] for cell in path], rules) == points[species]:
                preference = partial(_preference, board, rules)
                found[species] = min(found.get(species, path), path, key=preference)
    return {species: found.get(species, ()) for species in points}


def path_points(path: list[Card], rules: Rules) -> int:
    """Count the points of a path, card by card and bonus by bonus (R14)."""
    return (
        len(path) * (2 if _is_paid_double(path, rules) else 1)
        + (rules.one_bonus if path[0].value == 1 else 0)
        + (rules.top_bonus if path[-1].value == rules.values else 0)
    )


def _rising(board: Board, path: tuple[Cell, ...]) -> Iterator[tuple[Cell, ...]]:
    yield path
    x, y = path[-1]
    for cell in ((x, y + 1), (x - 1, y), (x + 1, y), (x, y - 1)):
        if cell in board and board[cell].value > board[path[-1]].value:
            yield from _rising(board, (*path, cell))


def _is_paid_double(path: list[Card], rules: Rules) -> bool:
    is_mono = all(card.species == path[0].species for card in path)
    return rules.mono_bonus and is_mono and len(path) >= rules.mono_min


def _preference(board: Board, rules: Rules, path: tuple[Cell, ...]) -> tuple[object, ...]:
    cards = [board[cell] for cell in path]
    ends = cards[0].value != 1, cards[-1].value != rules.values
    return -len(path), not _is_paid_double(cards, rules), *ends, [_reading_key(cell) for cell in path]


def _reading_key(cell: Cell) -> Cell:
    x, y = cell
    return -y, x
