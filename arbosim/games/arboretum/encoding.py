"""Arboretum as numbers for a learner: what a seat sees as one vector, its actions as 0, 1, 2 and so on.

Seats are counted from one's own on: 0 is me, 1 the next to play. A card has its place in a list of all cards of the
game, by species and value. A cell has a row and a column in a window that moves with its arboretum: column 0 lies
left of the leftmost card and row 0 below the lowest, so the first card lies on row 1, column 1, every open cell is
inside, and the window is as small as the longest game allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from arbosim.core.errors import UserError
from arbosim.games.arboretum.actions import Action, as_action
from arbosim.games.arboretum.cards import Card, as_card, card_of_code, shown
from arbosim.games.arboretum.rules import Rules, check
from arbosim.games.arboretum.state import (
    CARD_CODES,
    CENTRE,
    DECK,
    DISCARD,
    DRAW,
    IN_ARBORETUM,
    IN_HAND,
    IN_PILE,
    PLAY,
    UNSEEN,
    WIDTH,
)

if TYPE_CHECKING:
    from arbosim.games.arboretum.view import View

PHASES = 3


def widest(rules: Rules, players: int) -> int:
    """Return the number of cards in the largest arboretum that a game can end with.

    Before every round the hands are full, the deck has a card, and where cards are discarded so has a pile; all
    other cards may lie in arboretums, equally many before each seat.
    """
    elsewhere = players * rules.hand_size + (1 if rules.draws == 1 else 2)
    return max(0, len(rules.card_codes(players)) - elsewhere) // players + 1


class Encoding:
    """The observations and actions of one rule set for one number of players; `encoding` gives it.

    Attributes
    ----------
    cards : list of Card
        All cards of the game in their order here.
    side : int
        Rows and columns of the window.
    draws, plays, discards : slice
        Where the numbers of these actions lie: 1 + players draws, from the deck and then from the pile of each seat
        from mine on; plays in the order of a C array of shape (cards, side, side), by card, row and column;
        discards, one a card.
    actions : int
        How many there are together.
    layout : dict
        The parts of an observation, by name, with their shapes.
    highest : int8[size]
        The highest value of each number of an observation; the lowest is 0.
    """

    def __init__(self, rules: Rules, players: int) -> None:
        check(rules, players)
        self.rules = rules
        self.players = players
        codes = np.array(rules.card_codes(players))
        self.cards = [card_of_code(code) for code in codes]
        self.side = widest(rules, players) + 1
        self.draws = slice(0, 1 + players)
        self.plays = slice(self.draws.stop, self.draws.stop + len(codes) * self.side**2)
        self.discards = slice(self.plays.stop, self.plays.stop + len(codes))
        self.actions: int = self.discards.stop
        self.layout: dict[str, tuple[int, ...]] = {
            "phase": (PHASES,),
            "current": (players,),
            "seat": (players,),
            "turn": (1,),
            "draws_left": (1,),
            "deck": (1,),
            "hands": (players,),
            "cards": (len(codes), 3 * players + 3),
            "boards": (players, 2, self.side, self.side),
        }
        ends = np.cumsum([0, *map(prod, self.layout.values())])
        self._parts = [
            (name, slice(first, end), shape)
            for (name, shape), (first, end) in zip(self.layout.items(), pairwise(ends), strict=True)
        ]
        self._codes = codes
        self._species = np.zeros(CARD_CODES >> 4, np.int8)
        self._species[np.array(rules.species_codes(players))] = range(
            1, len(rules.species_codes(players)) + 1
        )
        self._place = np.full(CARD_CODES, -1)
        self._place[codes] = range(len(codes))
        self._rows = np.arange(len(codes))
        self._columns = [self._columns_for(me) for me in range(players)]
        self.highest = self._highest(int(ends[-1]))

    def __reduce__(self) -> tuple[Any, ...]:
        return encoding, (self.rules, self.players)

    def _columns_for(self, me: int) -> np.ndarray:
        """Return which column of "cards" is 1 for a card by where the table says that it is."""
        found = np.zeros(CARD_CODES, np.int64)
        found[UNSEEN] = 3 * self.players + 1
        for number, place in enumerate((IN_HAND, IN_PILE, IN_ARBORETUM)):
            for seat in range(self.players):
                found[place + seat] = 1 + number * self.players + (seat - me) % self.players
        return found

    def _highest(self, size: int) -> np.ndarray:
        found = np.ones(size, np.int8)
        parts = self.split(found)
        for name in ("turn", "deck", "hands"):
            parts[name][:] = len(self.cards)
        parts["draws_left"][:] = self.rules.draws
        parts["cards"][:, -1] = len(self.cards)
        parts["boards"][:, 0] = self._species.max()
        parts["boards"][:, 1] = self.rules.values
        found.flags.writeable = False
        return found

    def observe(self, view: View) -> np.ndarray:
        """Return what a seat sees at any time, int8[size]; from the public table and its own hand alone."""
        self._check(view)
        found = np.zeros(len(self.highest), np.int8)
        parts = self.split(found)
        table, players, me = view._table, self.players, view.me
        seats = [(me + i) % players for i in range(players)]
        if not table["finished"]:
            parts["phase"][table["phase"]] = 1
            parts["current"][(table["current"] - me) % players] = 1
        parts["seat"][me] = 1
        parts["turn"][0] = table["turn"]
        parts["draws_left"][0] = table["draws"] - table["drawn"]
        parts["deck"][0] = table["pile_count"][DECK]
        parts["hands"][:] = table["hand_count"][seats]
        self._write_cards(parts["cards"], view, seats)
        for board, seat in zip(parts["boards"], seats, strict=True):
            count = table["board_count"][seat]
            if count:
                cards = table["board_card"][seat][:count]
                y, x = np.divmod(table["board_cell"][seat][:count], WIDTH)
                rows, columns = y - y.min() + 1, x - x.min() + 1
                board[0, rows, columns] = self._species[cards >> 4]
                board[1, rows, columns] = cards & 15
        return found

    def _write_cards(self, found: np.ndarray, view: View, seats: Sequence[int]) -> None:
        table = view._table
        held = self._hand(view)
        found[self._rows, self._columns[view.me][table["where"][self._codes]]] = 1
        found[held, 0] = 1
        found[held, -2] = 0
        for seat in seats:
            pile = table["pile"][seat][: table["pile_count"][seat]][::-1]
            depths = np.flatnonzero(pile)  # a buried card is 0 where only the top is remembered
            found[self._place[pile[depths]], -1] = depths + 1

    def split(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """Return the parts of an observation by name, each in its shape; they share its memory."""
        return {name: observation[part].reshape(shape) for name, part, shape in self._parts}

    def mask(self, view: View) -> np.ndarray:
        """Return int8[actions]: 1 for each action that the seat may choose now; all 0 if it is not its turn."""
        self._check(view)
        found = np.zeros(self.actions, np.int8)
        table, me = view._table, view.me
        if table["finished"] or table["current"] != me:
            return found
        if table["phase"] == DRAW:
            sources = [DECK, *((me + i) % self.players for i in range(self.players))]
            found[self.draws] = table["pile_count"][sources] > 0
        elif table["phase"] == PLAY:
            x, y = self._corner(table, me)
            rows, columns = np.divmod(table["open_cell"][me][: table["open_count"][me]], WIDTH)
            plays = found[self.plays].reshape(-1, self.side, self.side)
            plays[self._hand(view)[:, None], rows - y, columns - x] = 1
        elif table["phase"] == DISCARD:
            found[self.discards][self._hand(view)] = 1
        return found

    def action(self, view: View, number: int) -> Action:
        """Return the action that a number stands for in the seat's own arboretum, legal or not."""
        self._check(view)
        whole = int(number)
        if not 0 <= whole < self.actions:
            raise UserError(f"actions are numbered 0 to {self.actions - 1}, not {shown(number)}")
        if whole == 0:
            return ("draw", "deck")
        if whole < self.draws.stop:
            return ("draw", (view.me + whole - 1) % self.players)
        if whole >= self.discards.start:
            return ("discard", self.cards[whole - self.discards.start])
        place, cell = divmod(whole - self.plays.start, self.side**2)
        row, column = divmod(cell, self.side)
        x, y = self._corner(view._table, view.me)
        return ("play", self.cards[place], column + x - CENTRE % WIDTH, row + y - CENTRE // WIDTH)

    def number(self, view: View, action: Sequence[Any]) -> int:
        """Return the number of an action, legal or not; a UserError if it has none."""
        self._check(view)
        kind, what, *cell = as_action(action)
        if kind == "draw":
            if what == "deck":
                return 0
            if not 0 <= what < self.players:
                raise UserError(f"there is no seat {what}; seats are 0 to {self.players - 1}")
            return 1 + int(what - view.me) % self.players
        place = self._place_of(what)
        if kind == "discard":
            return self.discards.start + place
        x, y = self._corner(view._table, view.me)
        column, row = cell[0] - x + CENTRE % WIDTH, cell[1] - y + CENTRE // WIDTH
        if not (0 <= row < self.side and 0 <= column < self.side):
            raise UserError(f"({cell[0]}, {cell[1]}) lies outside the window of the arboretum")
        return self.plays.start + (place * self.side + int(row)) * self.side + int(column)

    def _place_of(self, card: Card) -> int:
        place = int(self._place[as_card(card).code])
        if place < 0:
            raise UserError(f"{card} is not in this game")
        return place

    def _hand(self, view: View) -> np.ndarray:
        """The places of the cards in the seat's hand."""
        found: np.ndarray = self._place[view._seat["hand"][: view._seat["hand_count"]]]
        return found

    def _corner(self, table: Any, seat: int) -> tuple[int, int]:
        """Return column and row on the grid of the window's first cell."""
        cells = table["board_cell"][seat][: table["board_count"][seat]]
        if not len(cells):
            return CENTRE % WIDTH - 1, CENTRE // WIDTH - 1
        return int((cells % WIDTH).min()) - 1, int((cells // WIDTH).min()) - 1

    def _check(self, view: View) -> None:
        if view.players != self.players or (view.rules is not self.rules and view.rules != self.rules):
            raise UserError("this encoding belongs to other rules or another number of players than the view")


@lru_cache(maxsize=64)
def encoding(rules: Rules, players: int) -> Encoding:
    """Return the encoding of a rule set for a number of players; a UserError if they do not go together."""
    return Encoding(rules, players)
