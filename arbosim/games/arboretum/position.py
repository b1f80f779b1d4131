"""One game for people: cards and cells by name over the records and kernels of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from arbosim.core.errors import UserError
from arbosim.games.arboretum import buffers, kernels
from arbosim.games.arboretum.actions import (
    Action,
    Cell,
    action_of_code,
    as_action,
    cell_of_code,
    code_of_action,
    code_of_cell,
)
from arbosim.games.arboretum.cards import LETTERS, Card, as_card, card_of_code, shown
from arbosim.games.arboretum.columns import METRICS
from arbosim.games.arboretum.explanation import Score, SeatScore, SpeciesScore, best_paths, in_reading_order
from arbosim.games.arboretum.refusal import PHASES, refusal
from arbosim.games.arboretum.rules import Rules, check
from arbosim.games.arboretum.state import (
    CENTRE,
    DECK,
    DRAW,
    IN_PILE,
    OPEN,
    PLAY,
    UNSEEN,
)
from arbosim.games.arboretum.view import View

Source = str | int
# What a person lays on a table; the grid of the kernels has room for it in every direction.
MAX_ARBORETUM = 60


class IllegalActionError(UserError):
    """An action that the rules forbid here; the text says why."""


class Forfeit(NamedTuple):
    """A mistake that ended a game: the seat that made it, in which turn, from 1, and what it was."""

    seat: int
    turn: int
    reason: str


class Position:
    """A game under way, or a table as it lies, with everything open.

    Make one with `deal`, `start` or `lay_out`. Cells are in the player's own coordinates: wherever the first
    card was put, later ones lie relative to it; y points up.

    Attributes
    ----------
    rules, players
        The rule set and the number of seats.
    actions : list of actions
        All that has been done since the deal.
    dealt : (deck, hands, discards), or None for a table that was laid out
        The cards after the deal; the deck's top first.
    forfeited : Forfeit, or None
        The mistake that ended the game; the other seats share the win then, and no points count.

    Examples
    --------
    >>> position = Position.deal(seed=7, deal=3)
    >>> position.sources
    ['deck', 1]
    >>> position.play(("draw", "deck"))
    >>> position.phase
    'draw'
    """

    def __init__(self, rules: Rules, players: int) -> None:
        check(rules, players)
        self.rules = rules
        self.players = players
        self.actions: list[Action] = []
        self.dealt: tuple[list[Card], list[list[Card]], list[list[Card]]] | None = None
        self.forfeited: Forfeit | None = None
        self._buffers = buffers.Buffers(rules, players)
        self._origins: list[Cell] = [(0, 0)] * players

    # Three ways to a position

    @classmethod
    def deal(cls, players: int = 2, rules: Rules | None = None, seed: int = 0, deal: int = 0) -> Self:
        """Start the game of a seed and a deal, with the cards that a tournament gives them."""
        position = cls(rules or Rules(), players)
        position._buffers.deal(seed, deal)
        position.dealt = (position.deck, position.hands, position.discards)
        return position

    @classmethod
    def start(
        cls,
        deck: Sequence[Card | str],
        hands: Sequence[Sequence[Card | str]],
        discards: Sequence[Sequence[Card | str]],
        rules: Rules | None = None,
    ) -> Self:
        """Start a game from the cards after the deal; the deck's top comes first, a pile's last."""
        position = cls(rules or Rules(), len(hands))
        position._put([], hands, discards)
        cards = [as_card(card) for card in deck]
        position._hidden["pile"][DECK][: len(cards)] = [card.code for card in reversed(cards)]
        position._hidden["deck_size"] = len(cards)
        position._set_deck(len(cards))
        position._table["phase"] = DRAW if position.sources else PLAY
        position.dealt = (position.deck, position.hands, position.discards)
        return position

    @classmethod
    def lay_out(
        cls,
        arboretums: Sequence[Mapping[Cell, Card]],
        hands: Sequence[Sequence[Card | str]],
        discards: Sequence[Sequence[Card | str]] = (),
        deck: int = 0,
        rules: Rules | None = None,
    ) -> Self:
        """Lay out a table to look at and to score; whose turn it is is not known, so nothing can be played.

        Parameters
        ----------
        arboretums
            For each seat its cards by cell, connected, in any order and anywhere.
        deck
            The number of cards in the draw pile.
        """
        position = cls(rules or Rules(), len(arboretums))
        position._put(arboretums, hands, discards)
        position._set_deck(deck)
        position._table["finished"] = 1
        return position

    def _repr_html_(self) -> str:
        from arbosim.games.arboretum.html import position_html  # which stands on this module

        return position_html(self)

    def copy(self) -> Self:
        """Give a position of its own that stands where this one does."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.actions = list(self.actions)
        other._origins = list(self._origins)
        other._buffers = buffers.Buffers(self.rules, self.players)
        for name in ("tables", "seats", "hiddens"):
            getattr(other._buffers, name)[:] = getattr(self._buffers, name)
        return other

    # What lies where

    @property
    def current(self) -> int:
        """The seat to decide; seat 0 starts the game."""
        return int(self._table["current"])

    @property
    def turn(self) -> int:
        """How many turns are completed."""
        return int(self._table["turn"]) + int(self.finished and self.dealt is not None)

    @property
    def phase(self) -> str:
        """Which decision is asked for: "draw", "play" or "discard"; "over" at the end."""
        return "over" if self.finished else PHASES[int(self._table["phase"])]

    @property
    def finished(self) -> bool:
        """Whether nothing more can be played."""
        return bool(self._table["finished"])

    @property
    def deck_count(self) -> int:
        """Cards in the draw pile."""
        return int(self._table["pile_count"][DECK])

    @property
    def deck(self) -> list[Card]:
        """The draw pile, the top first; empty for a table that was laid out."""
        count = min(self.deck_count, int(self._hidden["deck_size"]))
        return _cards(self._hidden["pile"][DECK][:count][::-1])

    @property
    def last_drawn(self) -> Card | None:
        """The card that the current seat has drawn last in this turn."""
        if self.finished or not self._table["drawn"] or self.phase == "discard":
            return None
        count = int(self._table["hand_count"][self.current])
        return card_of_code(self._hidden["hand"][self.current][count - 1])

    @property
    def hands(self) -> list[list[Card]]:
        """The hand of each seat, by species and value."""
        counts = self._table["hand_count"]
        return [_cards(np.sort(self._hidden["hand"][p][: counts[p]])) for p in range(self.players)]

    @property
    def discards(self) -> list[list[Card]]:
        """The discard pile of each seat, the top last; every card, whatever the seats remember."""
        counts = self._table["pile_count"]
        return [_cards(self._hidden["pile"][p][: counts[p]]) for p in range(self.players)]

    @property
    def arboretums(self) -> list[dict[Cell, Card]]:
        """The arboretum of each seat, in order of play."""
        found = []
        for p in range(self.players):
            count = int(self._table["board_count"][p])
            cells = [self._to_user(p, code) for code in self._table["board_cell"][p][:count]]
            found.append(dict(zip(cells, _cards(self._table["board_card"][p][:count]), strict=True)))
        return found

    # What can be done

    @property
    def sources(self) -> list[Source]:
        """What can be drawn from: "deck" and the seats with a discard pile."""
        deck: list[Source] = ["deck"] if self.deck_count else []
        return deck + [p for p in range(self.players) if self._table["pile_count"][p]]

    @property
    def open_cells(self) -> list[Cell]:
        """The cells on which the current seat may lay a card, in reading order."""
        return self.open_cells_of(self.current)

    def open_cells_of(self, seat: int) -> list[Cell]:
        """Give the empty cells next to a seat's arboretum; if it is empty, (0, 0) stands for all."""
        count = self._table["open_count"][seat]
        return in_reading_order(self._to_user(seat, code) for code in self._table["open_cell"][seat][:count])

    @property
    def legal_actions(self) -> list[Action]:
        """Everything that the current seat may do; the first card of an arboretum may lie anywhere."""
        if self.finished:
            return []
        if self.phase == "draw":
            return [("draw", source) for source in self.sources]
        hand = self.hands[self.current]
        if self.phase == "play":
            return [("play", card, x, y) for card in hand for x, y in self.open_cells]
        return [("discard", card) for card in hand]

    def code_of(self, action: Sequence[Any]) -> int:
        """Give the engine's number of an action of the current seat."""
        return code_of_action(as_action(action), self._origins[self.current])

    def play(self, action: Sequence[Any]) -> None:
        """Carry out an action of the current seat; an IllegalActionError says why not."""
        given = as_action(action)
        seat = self.current
        is_first = given[0] == "play" and not self._table["board_count"][seat]
        origin = (given[2], given[3]) if is_first else self._origins[seat]
        self._step(code_of_action(given, origin), given)
        self._origins[seat] = origin

    def can_play(self, action: Sequence[Any]) -> bool:
        """Say whether `play` would carry out an action."""
        try:
            self.check_play(action)
        except IllegalActionError:
            return False
        return True

    def check_play(self, action: Sequence[Any]) -> None:
        """Raise the error that `play` would raise, and leave the position alone."""
        self.copy().play(action)

    def play_code(self, code: int) -> Action:
        """Carry out an action of the engine, a number, and give it in words."""
        action = _action(code, self._origins[self.current])
        self._step(code, action)
        return action

    def forfeit(self, reason: str) -> None:
        """End the game by a mistake of the current seat."""
        if self.finished:
            raise UserError("the game is over, so nobody can forfeit it")
        self.forfeited = Forfeit(self.current, self.turn + 1, reason)
        self._table["finished"] = 1

    def _step(self, code: int, action: Action) -> None:
        reason = buffers.step.compiled(self._table, self._buffers.seats[self.current], self._hidden, code)
        if reason != kernels.LEGAL:
            raise IllegalActionError(refusal(self._table, reason, action, code))
        self.actions.append(action)

    # What it is worth, and what one seat sees of it

    def score(self) -> Score:
        """Score the position as it stands (R11 to R15), with everything that explains it."""
        buffers.score.compiled(self._table, self._hidden)
        hidden = self._hidden
        sums = self._hand_sums()
        codes = self.rules.species_codes(self.players)
        players = []
        for p, board in enumerate(self.arboretums):
            points = {LETTERS[s]: int(hidden["points"][p][s]) for s in codes}
            paths = best_paths(board, self.rules, points)
            species = {
                LETTERS[s]: SpeciesScore(
                    hand=int(sums[p][s]),
                    right=bool(hidden["rights"][p][s]),
                    points=points[LETTERS[s]],
                    scored=points[LETTERS[s]] if hidden["rights"][p][s] and self.forfeited is None else 0,
                    path=paths[LETTERS[s]],
                )
                for s in codes
            }
            total = int(hidden["total"][p]) if self.forfeited is None else None
            players.append(SeatScore(total, int(hidden["kinds"][p]), species))
        if self.forfeited is None:
            winners = tuple(p for p in range(self.players) if int(hidden["winners"]) >> p & 1)
        else:
            winners = tuple(p for p in range(self.players) if p != self.forfeited.seat)
        return Score(tuple(players), winners)

    def metrics(self) -> dict[str, int]:
        """Measure the position as it stands: the metrics of a result row, by their names there."""
        buffers.score.compiled(self._table, self._hidden)
        found = np.zeros(len(METRICS) * self.players, np.uint8)
        buffers.measure.compiled(self._table, self._hidden, found)
        names = [f"{metric.name}_{seat}" for metric in METRICS for seat in range(self.players)]
        return dict(zip(names, map(int, found), strict=True))

    def _hand_sums(self) -> np.ndarray:
        """Give the sums after the rule for the 8, also where the right goes by the number of cards."""
        if self.rules.right != "most_cards":
            return self._hidden["sums"]  # type: ignore[no-any-return]
        by_sum = Rules.model_validate(self.rules.model_dump() | {"right": "highest_sum"})
        other = Position(by_sum, self.players)
        other._put([], self.hands, [])
        buffers.score.compiled(other._table, other._hidden)
        return other._hidden["sums"]  # type: ignore[no-any-return]

    def view(self, seat: int) -> View:
        """Give what a seat sees, as a plain-Python strategy gets it: its cells count from the first card."""
        if seat not in range(self.players):
            raise UserError(f"there is no seat {shown(seat)}; seats are 0 to {self.players - 1}")
        seats = self._buffers.seats[seat : seat + 1].copy()
        seats["seat"] = seat
        seats["phase"] = self._table["phase"]
        return View(self._buffers.tables.copy(), seats, self.rules)

    # The records below

    @property
    def _table(self) -> Any:
        return self._buffers.tables[0]

    @property
    def _hidden(self) -> Any:
        return self._buffers.hiddens[0]

    def _to_user(self, seat: int, code: int) -> Cell:
        x, y = cell_of_code(code)
        return x + self._origins[seat][0], y + self._origins[seat][1]

    def _set_deck(self, count: int) -> None:
        self._table["pile_count"][DECK] = count
        self._table["source_count"] = np.count_nonzero(self._table["pile_count"])

    def _put(
        self,
        arboretums: Sequence[Mapping[Cell, Card]],
        hands: Sequence[Sequence[Card | str]],
        discards: Sequence[Sequence[Card | str]],
    ) -> None:
        """Lay cards on the empty records."""
        table, hidden = self._table, self._hidden
        for p in range(self.players):
            table["open_count"][p] = 1
            table["open_cell"][p][0] = CENTRE
            table["grid"][p][CENTRE] = OPEN
        for p, hand in enumerate(hands):
            codes = [as_card(card).code for card in hand]
            hidden["hand"][p][: len(codes)] = codes
            hidden["place"][codes] = range(len(codes))
            table["hand_count"][p] = len(codes)
            seat = self._buffers.seats[p]
            seat["seat"] = p
            seat["hand"][: len(codes)] = codes
            seat["hand_count"] = len(codes)
        for p, pile in enumerate(discards):
            codes = [as_card(card).code for card in pile]
            hidden["pile"][p][: len(codes)] = codes
            table["pile_count"][p] = len(codes)
            hides_buried = self.rules.discard_memory == "top_only"
            for i, code in enumerate(codes):
                is_hidden = hides_buried and i < len(codes) - 1
                table["pile"][p][i] = 0 if is_hidden else code
                table["where"][code] = UNSEEN if is_hidden else IN_PILE + p
        for p, board in enumerate(arboretums):
            order = connected_order(board)
            if len(order) < len(board) or len(board) > MAX_ARBORETUM:
                raise UserError(
                    f"the arboretum of seat {p} is not connected or has more than {MAX_ARBORETUM} cards"
                )
            if order:
                self._origins[p] = order[0]
            for cell in order:
                code = code_of_cell((cell[0] - order[0][0], cell[1] - order[0][1]))
                buffers.place_card.compiled(table, p, as_card(board[cell]).code, code)


def connected_order(board: Mapping[Cell, Any]) -> list[Cell]:
    """Order cells so that each touches an earlier one; cells that the first does not reach are left out."""
    order = list(board)[:1]
    reached = set(order)
    for x, y in order:
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if cell in board and cell not in reached:
                reached.add(cell)
                order.append(cell)
    return order


def _action(code: int, origin: Cell) -> Action:
    kind, *what = action_of_code(code)
    return ("play", what[0], what[1] + origin[0], what[2] + origin[1]) if kind == "play" else (kind, *what)


def _cards(codes: np.ndarray) -> list[Card]:
    return [card_of_code(code) for code in codes]
