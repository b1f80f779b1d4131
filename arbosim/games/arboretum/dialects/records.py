"""The engine's records of a game that is played elsewhere, rebuilt from what a program is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import types

from arbosim.core.errors import UserError
from arbosim.core.jit import EntryPoint
from arbosim.games.arboretum import kernels
from arbosim.games.arboretum.actions import Cell, code_of_cell
from arbosim.games.arboretum.buffers import TABLE_RECORD, Buffers
from arbosim.games.arboretum.cards import card_of_code
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.state import (
    ABSENT,
    DECK,
    DISCARD,
    DRAW,
    IN_ARBORETUM,
    IN_HAND,
    IN_PILE,
    MAX_BOARD,
    MAX_HAND,
    MAX_PLAYERS,
    OPEN,
)

ALL_LIE = -1


@dataclass
class Standing:
    """Where a game stands, as one seat sees it; cards are codes, seats count from 0.

    Parameters
    ----------
    hand : list
        One's own, in the order in which it is held.
    hand_counts : list
        Cards that each seat holds.
    known : list of lists
        By seat: cards that everyone knows it to hold.
    piles : list of lists
        By seat, the top last; 0 for a card that is not remembered.
    boards : list of dict
        By seat: cards by their cells, in order of play; the first card lies on (0, 0).
    apart : list of lists
        By seat: cards that lie in an arboretum and touch none of it, which our rules forbid.
    """

    phase: int
    turn: int
    current: int
    drawn: int
    deck: int
    hand: list[int]
    hand_counts: list[int]
    known: list[list[int]]
    piles: list[list[int]]
    boards: list[dict[Cell, int]]
    apart: list[list[int]] = field(default_factory=list)


class Records:
    """A table as the engine would hand it to a strategy.

    Attributes
    ----------
    tables : structured ndarray of 1 TABLE record
    """

    def __init__(self, rules: Rules, players: int) -> None:
        self.tables = Buffers(rules, players).tables
        self._players = players
        self._where = self.tables[0]["where"].copy()
        self._cards = np.zeros((MAX_PLAYERS, MAX_BOARD), np.int64)
        self._cells = np.zeros((MAX_PLAYERS, MAX_BOARD), np.int64)
        self._counts = np.zeros(MAX_PLAYERS, np.int64)

    def show(self, standing: Standing) -> None:
        """Lay the table out as a game stands; a UserError if it cannot stand so."""
        table: Any = self.tables[0]
        self._check(standing)
        table["where"] = self._where
        self._lay(standing.boards)
        table["pile_count"][DECK] = standing.deck
        for p in range(self._players):
            pile = standing.piles[p]
            table["pile"][p][: len(pile)] = pile
            table["pile_count"][p] = len(pile)
            table["where"][[card for card in pile if card]] = IN_PILE + p
            table["where"][standing.known[p]] = IN_HAND + p
        for p, cards in enumerate(standing.apart):
            table["where"][cards] = IN_ARBORETUM + p
        table["hand_count"][: self._players] = standing.hand_counts
        table["source_count"] = np.count_nonzero(table["pile_count"])
        for name in ("phase", "turn", "current", "drawn"):
            table[name] = getattr(standing, name)

    def _lay(self, boards: list[dict[Cell, int]]) -> None:
        for p, board in enumerate(boards):
            self._counts[p] = len(board)
            self._cards[p, : len(board)] = list(board.values())
            self._cells[p, : len(board)] = [code_of_cell(cell) for cell in board]
        seat = lay.compiled(self.tables[0], self._counts, self._cards, self._cells)
        if seat != ALL_LIE:
            raise UserError(f"the arboretum of seat {seat} falls apart")

    def _check(self, standing: Standing) -> None:
        lists = (standing.hand_counts, standing.known, standing.piles, standing.boards)
        if any(len(by_seat) != self._players for by_seat in lists):
            raise UserError(f"what belongs to the seats is a list of {self._players}, one for each")
        if not (0 <= standing.current < self._players and DRAW <= standing.phase <= DISCARD):
            raise UserError("there is no such seat, or no such phase")
        if len(standing.hand) > MAX_HAND or any(len(board) >= MAX_BOARD for board in standing.boards):
            raise UserError("nobody holds so many cards, or no arboretum has so many")
        seen = [card for cards in standing.piles for card in cards if card]
        seen += [card for board in standing.boards for card in board.values()]
        seen += [card for cards in standing.apart for card in cards] + standing.hand
        known = [card for cards in standing.known for card in cards]
        strange = [card for card in seen + known if self._where[card] == ABSENT]
        if strange:
            raise UserError(f"{card_of_code(strange[0])} is not in this game")
        if len(set(seen)) < len(seen):
            raise UserError("a card lies in two places")


@contextmanager
def understood(what: str) -> Iterator[None]:
    """Turn whatever goes wrong while a message is taken apart into a UserError."""
    try:
        yield
    except UserError as error:
        raise UserError(error.message, where=what) from None
    except KeyError as error:
        raise UserError(f"{error} is missing, or unknown", where=what) from error
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise UserError(f"{type(error).__name__}: {error}", where=what) from error


def _lay(table, counts, cards, cells):  # type: ignore[no-untyped-def]
    """Clear a table and lay out arboretums in order of play; return the seat whose cells are wrong, or ALL_LIE.

    Parameters
    ----------
    counts : int64[MAX_PLAYERS]
    cards, cells : int64[MAX_PLAYERS, MAX_BOARD]
    """
    kernels.clear(table)
    for p in range(table["players"]):
        for k in range(counts[p]):
            cell = cells[p, k]
            if cell < 0 or table["grid"][p][cell] < OPEN:
                return p
            kernels.place_card(table, p, cards[p, k], cell)
    return ALL_LIE


lay = EntryPoint(
    _lay, lambda: types.int64(TABLE_RECORD, types.int64[::1], types.int64[:, ::1], types.int64[:, ::1])
)
