"""What a plain-Python strategy sees and does: cards and cells by name instead of numbers."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from operator import index
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from arbosim.core.errors import UserError
from arbosim.core.jit import EntryPoint
from arbosim.core.strategy import Entrant, Parameter, Value, from_class
from arbosim.games.arboretum import paths
from arbosim.games.arboretum.actions import (
    Cell,
    cell_of_code,
    code_of_cell,
    discard_code,
    draw_code,
    play_code,
)
from arbosim.games.arboretum.cards import Card, as_card, card_of_code
from arbosim.games.arboretum.kernels import NOT_OPEN
from arbosim.games.arboretum.lanes import best_points
from arbosim.games.arboretum.refusal import refusal
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.state import ABSENT, DECK, DRAW, IN_HAND, PLAY, SEAT, TABLE, UNSEEN


class View:
    """What one seat sees at one decision.

    Parameters
    ----------
    tables : structured ndarray of 1 TABLE record
    seats : structured ndarray of 1 SEAT record
        Both are the view's own: a strategy may get hold of them, and of nothing else through them.
    """

    def __init__(self, tables: np.ndarray, seats: np.ndarray, rules: Rules) -> None:
        self._table = tables[0]
        self._seat = seats[0]
        self._tables_of: set[int] = set()
        self._gains: dict[tuple[int, Card | str], dict[Cell, int]] = {}
        self.rules = rules

    @cached_property
    def me(self) -> int:
        """My seat; seat 0 starts the game."""
        return int(self._seat["seat"])

    @cached_property
    def players(self) -> int:
        """Number of players."""
        return int(self._table["players"])

    @property
    def turn(self) -> int:
        """Number of this turn, 0 for the first of the game."""
        return int(self._table["turn"])

    @property
    def draws_left(self) -> int:
        """Cards that I may still draw in this turn."""
        return int(self._table["draws"] - self._table["drawn"])

    @property
    def deck_count(self) -> int:
        """Cards in the draw pile."""
        return int(self._table["pile_count"][DECK])

    @cached_property
    def hand(self) -> list[Card]:
        """My cards, by species and value."""
        return _cards(sorted(self._seat["hand"][: self._seat["hand_count"]].tolist()))

    @cached_property
    def hand_counts(self) -> list[int]:
        """How many cards each seat holds."""
        return self._table["hand_count"][: self.players].tolist()  # type: ignore[no-any-return]

    @cached_property
    def piles(self) -> list[list[Card | None]]:
        """The discard pile of each seat, top last; None for a buried card where only the top is remembered."""
        return [
            [
                card_of_code(code) if code else None
                for code in self._table["pile"][p][: self._table["pile_count"][p]].tolist()
            ]
            for p in range(self.players)
        ]

    @cached_property
    def sources(self) -> dict[str | int, Card | None]:
        """What I may draw from: "deck" (its card is None) and the seats whose piles have a top card."""
        found: dict[str | int, Card | None] = {"deck": None} if self.deck_count else {}
        found.update({p: pile[-1] for p, pile in enumerate(self.piles) if pile})
        return found

    @cached_property
    def arboretums(self) -> list[dict[Cell, Card]]:
        """The arboretum of each seat, in order of play."""
        found = []
        for p in range(self.players):
            n = self._table["board_count"][p]
            cells = self._table["board_cell"][p][:n].tolist()
            found.append(
                dict(
                    zip(
                        map(cell_of_code, cells),
                        _cards(self._table["board_card"][p][:n].tolist()),
                        strict=True,
                    )
                )
            )
        return found

    @property
    def open_cells(self) -> list[Cell]:
        """The cells of my arboretum on which I may lay a card."""
        return self.open_cells_of(self.me)

    def open_cells_of(self, seat: int) -> list[Cell]:
        """Return the open cells of a seat's arboretum."""
        self._check_seat(seat)
        return [
            cell_of_code(code)
            for code in self._table["open_cell"][seat][: self._table["open_count"][seat]].tolist()
        ]

    @cached_property
    def known_hands(self) -> list[list[Card]]:
        """The cards that everyone knows each seat to hold, since it took them from a discard pile."""
        return [self._cards_where(IN_HAND + p) for p in range(self.players)]

    @cached_property
    def unseen(self) -> list[Card]:
        """The cards that I have no knowledge of: in the deck or in others' hands."""
        mine = set(self.hand)
        return [card for card in self._cards_where(UNSEEN) if card not in mine]

    def gain(self, card: Card | str, cell: Cell, seat: int | None = None) -> int:
        """Return how much the sum over species of the best path's points grows with a card on an open cell."""
        p = self._seat_or_mine(seat)
        known = self._gains.get((p, card))
        if known is None:
            known = self._gains[p, card] = self._gains_on_all_cells(p, self._code(card))
        if cell not in known:
            raise UserError(f"{cell!r} is no open cell of seat {p}")
        return known[cell]

    def best(self, species: str, seat: int | None = None) -> int:
        """Return the points of the best path of a species in an arboretum (mine by default), whatever the right."""
        p = self._seat_or_mine(seat)
        self._compute_tables(p)
        return int(_best.compiled(self._seat, p, self._code(f"{species}1") >> 4))

    def _gains_on_all_cells(self, p: int, card: int) -> dict[Cell, int]:
        self._compute_tables(p)
        cells = self.open_cells_of(p)
        found = np.empty(len(cells), np.int64)
        _gains.compiled(self._table, self._seat, p, card, found)
        return dict(zip(cells, found.tolist(), strict=True))

    def _compute_tables(self, p: int) -> None:
        if p not in self._tables_of:
            _fill.compiled(self._table, self._seat, p)
            self._tables_of.add(p)

    def _seat_or_mine(self, seat: int | None) -> int:
        if seat is None:
            return self.me
        self._check_seat(seat)
        return seat

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.players:
            raise UserError(f"there is no seat {seat!r}; seats are 0..{self.players - 1}")

    def _code(self, card: Card | str) -> int:
        code = as_card(card).code
        if self._table["where"][code] == ABSENT:
            raise UserError(f"{card} is not in this game")
        return code

    def _cards_where(self, place: int) -> list[Card]:
        return _cards(np.flatnonzero(self._table["where"] == place).tolist())


def _cards(codes: list[int]) -> list[Card]:
    return [card_of_code(code) for code in codes]


def _fill_tables(table, seat, p):  # type: ignore[no-untyped-def]
    paths.fill_tables(table, seat["paths"][p], p, table["mono_bonus"])


def _gains_of(table, seat, p, card, out):  # type: ignore[no-untyped-def]
    for j in range(len(out)):
        paths.aim(table, seat["paths"][p], p, np.int64(table["open_cell"][p][j]))
        out[j] = paths.aimed_gain(table, seat["paths"][p], p, card)


def _best_of(seat, p, species):  # type: ignore[no-untyped-def]
    return best_points(seat["paths"][p], species)


def _entry(function: Any, returns: str, *arguments: str) -> EntryPoint:
    def signature() -> Any:
        import numba

        known = {
            "table": numba.from_dtype(TABLE),
            "seat": numba.from_dtype(SEAT),
            "int64": numba.int64,
            "array": numba.int64[::1],
        }
        return getattr(numba, returns)(*(known[argument] for argument in arguments))

    return EntryPoint(function, signature)


_fill = _entry(_fill_tables, "void", "table", "seat", "int64")
_gains = _entry(_gains_of, "void", "table", "seat", "int64", "int64", "array")
_best = _entry(_best_of, "int64", "seat", "int64", "int64")
ENTRY_POINTS = (_fill, _gains, _best)
"""What views need compiled."""


class Strategy(ABC):
    """A strategy in plain Python: derive from it and write three methods.

    Every game gets a fresh instance. `self.params` holds the values of the declared `parameters` by name;
    `self.rng` is a `random.Random` of one's own, seeded anew for every game: use it and no other.
    """

    __arbosim_game__ = "arboretum"
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    params: SimpleNamespace
    rng: random.Random

    @classmethod
    def with_parameters(cls, **values: Value) -> Entrant:
        """Return this strategy with some of its parameters set, to take part in a run or a game."""
        return from_class(cls).with_parameters(**values)

    @classmethod
    def _start(cls, settings: Mapping[str, object], stream: np.ndarray) -> Strategy:
        self = cls.__new__(cls)
        self.params = SimpleNamespace(**settings)
        self.rng = random.Random(stream.tobytes())
        self.__init__()  # type: ignore[misc]
        return self

    @abstractmethod
    def draw(self, view: View) -> str | int:
        """Return "deck", or the seat whose top discard to take."""

    @abstractmethod
    def play(self, view: View) -> tuple[Card | str, Cell]:
        """Return a hand card and the open cell on which to lay it."""

    @abstractmethod
    def discard(self, view: View) -> Card | str:
        """Return the hand card to discard."""


def answer_code(strategy: Strategy, view: View) -> int:
    """Ask a strategy for the decision at hand; return its action code, or raise a UserError that names the answer."""
    phase = int(view._seat["phase"])
    if phase == DRAW:
        source = strategy.draw(view)
        is_seat = (
            isinstance(source, int | np.integer)
            and not isinstance(source, bool)
            and 0 <= source < view.players
        )
        if source == "deck" or is_seat:
            return draw_code(source)
        raise UserError(f'draw returned {source!r}; accepted: "deck" or a seat, 0..{view.players - 1}')
    if phase == PLAY:
        answer = strategy.play(view)
        try:
            card, (x, y) = answer
            cell = (index(x), index(y))
        except (TypeError, ValueError):
            raise UserError(
                f'play returned {answer!r}; accepted: a card and a cell, such as ("J4", (0, 1))'
            ) from None
        code = play_code(as_card(card, "play"), cell)
        if code_of_cell(cell) < 0:
            raise UserError(refusal(view._table, NOT_OPEN, ("play", card, *cell), code))
        return code
    return discard_code(as_card(strategy.discard(view), "discard"))
