"""A strategy of ours as a bot for the framework Hackaranda."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from arbosim.core.errors import UserError
from arbosim.core.outside import Message
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum.actions import Cell
from arbosim.games.arboretum.cards import LETTERS, Card, shown
from arbosim.games.arboretum.dialects.hackaranda import (
    DRAWS,
    FROM_DECK,
    FROM_OTHER,
    FROM_OWN,
    PLAYERS,
    SECOND_DRAW,
    SPECIES,
    VALUES,
)
from arbosim.games.arboretum.dialects.records import Standing, understood
from arbosim.games.arboretum.dialects.seated import Seated
from arbosim.games.arboretum.position import connected_order
from arbosim.games.arboretum.rules import make_rules
from arbosim.games.arboretum.state import DISCARD, DRAW, PLAY

RULES = make_rules("renegade2018", {"species": SPECIES, "values": VALUES, "draws": DRAWS})
"""What the framework plays; its messages do not tell."""
PHASE_OF = (DRAW, DRAW, PLAY, DISCARD)
ANYTHING = FROM_DECK
"""The answer to a message that needs none."""


class HackarandaListener:
    """An entrant as a bot: it follows the states of both seats, and answers its own."""

    def __init__(self, entrant: Entrant, seed: int) -> None:
        self._seated = Seated(entrant)
        self._seed = seed
        self._games = 0
        self._game: Followed | None = None
        self._answered: object = None

    def hear(self, message: Message) -> Message:
        """Return the answer to a message; a UserError if it is none of the dialect.

        A MistakeError tells that the strategy makes no decision.
        """
        if "messageID" not in message or not isinstance(message.get("state"), dict):
            raise UserError(f'a message has a "state" and a "messageID": {shown(dict(message))}')
        state = message["state"]
        move: object = ANYTHING
        if "message" in state:
            self._game = None
            self._answered = None
        else:
            with understood("state"):
                game, standing = self._follow(state)
                # meant for displays, so a framework may lack it
                done = state.get("previousTurn", {}).get("move", self._answered)
            if self._answered not in (None, done):
                self._seated.forget()
            self._answered = None
            if state["activeTurn"]:
                move = self._answered = game.move(self._seated.decide(standing))
        return {"move": move, "messageID": message["messageID"]}

    def _follow(self, state: Mapping[str, Any]) -> tuple[Followed, Standing]:
        if self._game is None:
            self._games += 1
            self._game = Followed(state)
            stream = np.random.SeedSequence([self._seed, self._games]).generate_state(2, np.uint64)
            self._seated.begin(RULES, PLAYERS, self._game.me, stream.tobytes())
        return self._game, self._game.standing(state)


class Followed:
    """One game, from state to state: the order of play and where one's own cards are from are told by none of them.

    Attributes
    ----------
    me : int
        One's own seat.
    """

    def __init__(self, state: Mapping[str, Any]) -> None:
        current = state["turn"] % PLAYERS
        self.me = current if state["activeTurn"] else 1 - current
        self._boards: list[dict[Cell, int]] = [{}, {}]
        self._piled: set[int] = set()
        self._taken: set[int] = set()
        self._turn, self._sub_turn, self._drawn = -1, 0, 0

    def standing(self, state: Mapping[str, Any]) -> Standing:
        """Return where the game stands; to be called with every state, in order."""
        me, other = self.me, 1 - self.me
        hand, hers = _codes(state["hand"]), state["opponentHand"]
        piles = _by_seat(me, _codes(state["discard"]), _codes(state["opponentDiscard"]))
        areas = _by_seat(me, _area(state["playArea"]), _area(state["opponentPlayArea"]))
        self._boards = [_in_order(board, area) for board, area in zip(self._boards, areas, strict=True)]
        self._taken = (self._taken | self._piled) & set(hand)
        self._piled = {card for pile in piles for card in pile}
        self._count_draws(state["turn"], state["subTurn"])
        return Standing(
            phase=PHASE_OF[state["subTurn"]],
            turn=state["turn"],
            current=me if state["activeTurn"] else other,
            drawn=self._drawn,
            deck=state["deck"],
            hand=hand,
            hand_counts=_by_seat(me, len(hand), len(hers)),
            known=_by_seat(me, list(self._taken), _codes(card for card in hers if card is not None)),
            piles=piles,
            boards=[_from_first_card(board) for board in self._boards],
            apart=[
                [card for cell, card in area.items() if cell not in board]
                for board, area in zip(self._boards, areas, strict=True)
            ],
        )

    def _count_draws(self, turn: int, sub_turn: int) -> None:
        if sub_turn <= SECOND_DRAW:
            self._drawn = sub_turn
        elif turn != self._turn:
            self._drawn = 0  # nothing lay anywhere to be drawn
        elif self._sub_turn <= SECOND_DRAW:
            self._drawn = self._sub_turn + 1
        self._turn, self._sub_turn = turn, sub_turn

    def move(self, action: Sequence[Any]) -> object:
        """Return an action of one's own as a move, with the coordinates of the play area."""
        kind, *what = action
        if kind == "draw":
            return FROM_DECK if what[0] == "deck" else FROM_OWN if what[0] == self.me else FROM_OTHER
        if kind == "discard":
            return _shown(what[0])
        x, y = next(iter(self._boards[self.me]), (0, 0))
        return {"card": _shown(what[0]), "coord": [what[1] + x, what[2] + y]}


def _by_seat(me: int, mine: Any, other: Any) -> list[Any]:
    return [other, mine] if me else [mine, other]


def _code(card: Sequence[Any]) -> int:
    letter, value = card
    if letter not in SPECIES or value not in range(1, VALUES + 1):
        raise UserError(f"{shown(card)} is no card")
    return LETTERS.index(letter) << 4 | int(value)


def _codes(cards: Iterable[Sequence[Any]]) -> list[int]:
    return [_code(card) for card in cards]


def _area(columns: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[Cell, int]:
    return {(int(x), int(y)): _code(card) for x, column in columns.items() for y, card in column.items()}


def _in_order(board: dict[Cell, int], area: dict[Cell, int]) -> dict[Cell, int]:
    """Return the connected cards of a play area in an order of play: a known one goes on if one card is new."""
    new = {cell: card for cell, card in area.items() if cell not in board}
    if len(new) <= 1 and len(area) == len(board) + len(new):
        grown = {cell: area[cell] for cell in board} | new
        if len(connected_order(grown)) == len(area):
            return grown
    return {cell: area[cell] for cell in connected_order(area)}


def _from_first_card(board: dict[Cell, int]) -> dict[Cell, int]:
    x, y = next(iter(board), (0, 0))
    return {(right - x, up - y): card for (right, up), card in board.items()}


def _shown(card: Card) -> list[Any]:
    return [card.species, card.value]
