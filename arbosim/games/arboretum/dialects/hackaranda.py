"""The dialect `hackaranda`: what bots of the framework of that name speak; two players; see docs/bots.md.

Its facts are those of github.com/IP1llar/Hackaranda, docs/API.md and src/games/arboretum, read in 2026.
"""

from __future__ import annotations

from typing import Any

from arbosim.core.errors import UserError
from arbosim.core.game import GameError, MistakeError
from arbosim.core.outside import NONSENSE, Grammar, Listener, Message
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum import rules as rule_sets
from arbosim.games.arboretum.actions import Action, Cell
from arbosim.games.arboretum.cards import LETTERS, Card, card_of_code, shown
from arbosim.games.arboretum.dialects.speaker import (
    CELLS,
    RANDOM,
    Done,
    Speaker,
    checked_code,
    known_hands,
)
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.state import DECK, DISCARD, DISCARD_ACTION, DRAW, PLAY_ACTION

PLAYERS, DRAWS = 2, 2
SPECIES, VALUES = "JRCMOW", 8
FIRST_DRAW, SECOND_DRAW, PLAY_A_CARD, DISCARD_A_CARD = range(4)
"""The values of subTurn."""
FROM_DECK, FROM_OWN, FROM_OTHER = range(3)
"""Moves that draw a card."""
WIN, LOSS, DRAWN = range(3)
"""The values of result."""
RANDOM_MOVE = "RANDOM"
Area = dict[str, dict[str, tuple[str, int]]]
ROUND = "arbosim"
FARTHEST = 1_000_000
"""How far from (0, 0) a program may lay its first card."""


class HackarandaSpeaker(Speaker):
    """Tells a program the state before every decision of both seats."""

    def __init__(self, rules: Rules, players: int) -> None:
        super().__init__(rules, players)
        self._letters = letters(rules)
        self._species = {letter: code for code, letter in self._letters.items()}
        self._cards = {code: (self._letters[code >> 4], code & 15) for code in rules.card_codes(players)}
        self._begin(0)

    def _begin(self, seat: int) -> None:
        self._me = seat
        self._shown_areas: list[Area] = [{}, {}]
        self._shown_counts = [0, 0]
        self._origin: Cell = (0, 0)
        self._first: tuple[int, Cell] | None = None

    def begin(self, seat: int, number: int, stream: bytes) -> Message:  # noqa: ARG002
        """Tell of a new game."""
        self._begin(seat)
        return new_game(number)

    def decision(self, table: Any, seat: Any, done: Done | None) -> Message:
        """Ask for the decision at hand."""
        return self._state(table, seat, done, True)

    def idle(self, table: Any, seat: Any, done: Done | None) -> Message:
        """Tell the state while the other seat is asked."""
        return self._state(table, seat, done, False)

    def read(self, answer: Message, table: Any, seat: Any) -> int:  # noqa: ARG002
        """Return the number of the action that an answer stands for, or RANDOM."""
        if "move" not in answer:
            raise MistakeError(NONSENSE, f'the answer has no "move": {shown(dict(answer))}')
        move = answer["move"]
        if move == RANDOM_MOVE:
            return RANDOM
        action = self._action(move)
        if action is None:
            raise MistakeError(
                NONSENSE,
                f'{shown(move)} is no move; moves are 0, 1, 2, {{"card": ["J", 3], "coord": [0, 0]}} and ["J", 3]',
            )
        self._first = None
        if action[0] == "play" and not table["board_count"][self._me]:
            origin = action[2], action[3]
            if max(map(abs, origin)) > FARTHEST:
                raise MistakeError(
                    NONSENSE, f"no card lies as far out as ({shown(origin[0])}, {shown(origin[1])})"
                )
            self._first = checked_code(action, table, origin), origin
            return self._first[0]
        return checked_code(action, table, self._origin)

    def done(self, code: int) -> None:
        """Count the cells from where the first card was laid."""
        if self._first is not None and code == self._first[0]:
            self._origin = self._first[1]
        self._first = None

    def end(self, table: Any, hidden: Any, winners: int, error: GameError | None) -> Message:
        """Tell the result, with all cards open."""
        me, other = self._me, 1 - self._me
        scores = hidden["total"].tolist() if error is None else [0, 0]
        hands = [self._shown(hidden["hand"][p][: table["hand_count"][p]]) for p in range(PLAYERS)]
        areas, discards = self._areas(table), self._discards(table)
        over = error is None
        final = {
            "deck": self._shown(hidden["pile"][DECK][: table["pile_count"][DECK]]),
            "handA": hands[0],
            "handB": hands[1],
            "discardA": discards[0],
            "discardB": discards[1],
            "playAreaA": areas[0],
            "playAreaB": areas[1],
            "turn": int(table["turn"]) + over,
            "subTurn": FIRST_DRAW if over else sub_turn(table),
            "currentPlayer": 1 - int(table["current"]) if over else int(table["current"]),
            "opponent": "",
            "previousTurn": self._last_move(table) if over else False,
            "previousTurnMetaData": False,
        }
        result = DRAWN if winners == 3 else WIN if winners >> me & 1 else LOSS
        return {
            "state": {
                "message": "ENDGAME",
                "result": result,
                "score": scores[me],
                "opponentScore": scores[other],
                "finalState": final,
            }
        }

    def _state(self, table: Any, seat: Any, done: Done | None, active: bool) -> Message:
        me, other = self._me, 1 - self._me
        sub = sub_turn(table)
        known = [self._cards[code] for code in known_hands(table, PLAYERS)[other]]
        areas, discards = self._areas(table), self._discards(table)
        return {
            "state": {
                "deck": int(table["pile_count"][DECK]),
                "hand": self._shown(seat["hand"][: seat["hand_count"]]),
                "opponentHand": known + [None] * (int(table["hand_count"][other]) - len(known)),
                "discard": discards[me],
                "opponentDiscard": discards[other],
                "playArea": areas[me],
                "opponentPlayArea": areas[other],
                "turn": int(table["turn"]),
                "subTurn": sub,
                "activeTurn": active,
                "previousTurn": {
                    "move": False if done is None else self._move(done.seat, done.code),
                    "metaData": self._cards[done.card] if done is not None and done.card else False,
                },
                "showPreviousTurn": active == (sub == FIRST_DRAW),
                "opponent": "",
            }
        }

    def _shown(self, codes: Any) -> list[tuple[str, int]]:
        cards = self._cards
        return [cards[code] for code in codes.tolist()]

    def _discards(self, table: Any) -> list[list[tuple[str, int]]]:
        return [self._shown(table["pile"][p][: table["pile_count"][p]]) for p in range(PLAYERS)]

    def _areas(self, table: Any) -> list[Area]:
        """Both play areas; the program's own with the coordinates that it chose. Cards only ever join them."""
        for p, area in enumerate(self._shown_areas):
            shown, count = self._shown_counts[p], int(table["board_count"][p])
            if shown == count:
                continue
            right, up = self._origin_of(p)
            codes, cells = table["board_card"][p][shown:count], table["board_cell"][p][shown:count]
            for code, cell in zip(codes.tolist(), cells.tolist(), strict=True):
                x, y = CELLS[cell]
                area.setdefault(str(x + right), {})[str(y + up)] = self._cards[code]
            self._shown_counts[p] = count
        return self._shown_areas

    def _origin_of(self, seat: int) -> Cell:
        return self._origin if seat == self._me else (0, 0)

    def _move(self, seat: int, code: int) -> object:
        """Return an action as the move of the seat that made it."""
        if code >= PLAY_ACTION:
            (x, y), (right, up) = CELLS[code & 0xFFFF], self._origin_of(seat)
            return {"card": self._cards[code >> 16 & 0xFF], "coord": (x + right, y + up)}
        if code > DECK:
            return self._cards[code & 0xFF]
        return FROM_DECK if code == DECK else FROM_OWN if code == seat else FROM_OTHER

    def _last_move(self, table: Any) -> object:
        """Return the move that ended the game: a discard, or a play where there was nothing to discard."""
        seat = int(table["current"])
        if int(table["phase"]) == DISCARD:
            top = int(table["pile_count"][seat]) - 1
            return self._move(seat, DISCARD_ACTION | int(table["pile"][seat][top]))
        last = int(table["board_count"][seat]) - 1
        card, cell = int(table["board_card"][seat][last]), int(table["board_cell"][seat][last])
        return self._move(seat, PLAY_ACTION | card << 16 | cell)

    def _action(self, move: object) -> Action | None:
        """Return a move as an action; None if it is no move."""
        if is_whole(move) and move in (FROM_DECK, FROM_OWN, FROM_OTHER):
            return ("draw", ("deck", self._me, 1 - self._me)[move])
        if isinstance(move, list | tuple):
            card = self._card(move)
            return None if card is None else ("discard", card)
        if not isinstance(move, dict):
            return None
        card, coord = self._card(move.get("card")), move.get("coord")
        if (
            card is None
            or not isinstance(coord, list | tuple)
            or len(coord) != 2
            or not all(map(is_whole, coord))
        ):
            return None
        return ("play", card, *coord)

    def _card(self, given: object) -> Card | None:
        if not isinstance(given, list | tuple) or len(given) != 2:
            return None
        letter, value = given
        if not isinstance(letter, str) or letter not in self._species or not is_whole(value):
            return None
        return card_of_code(self._species[letter] << 4 | value) if 1 <= value <= VALUES else None


def new_game(number: int) -> Message:
    """Return what tells of a new game."""
    return {"state": {"message": "NEWGAME", "gameNumber": number, "round": ROUND}}


def letters(rules: Rules) -> dict[int, str]:
    """Return what each species of a rule set is called, by its code.

    Those that the dialect has go by their own letters, and others by letters that are left over, in their order.
    """
    codes = rules.species_codes(PLAYERS)
    left = iter(letter for letter in SPECIES if LETTERS.index(letter) not in codes)
    return {code: LETTERS[code] if LETTERS[code] in SPECIES else next(left) for code in codes}


def sub_turn(table: Any) -> int:
    """Return the subTurn of a table."""
    phase = int(table["phase"])
    if phase == DRAW:
        return SECOND_DRAW if table["drawn"] else FIRST_DRAW
    return DISCARD_A_CARD if phase == DISCARD else PLAY_A_CARD


def is_whole(value: object) -> bool:
    """Whether a value of JSON is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


class Hackaranda:
    """The dialect as the other layers see it; see `arbosim.core.outside.Dialect`."""

    name = "hackaranda"
    grammar = Grammar(id_key="messageID", ids="uuid", probe=new_game(0), skips=True)

    def check(self, rules: Rules, players: int) -> None:
        """Refuse, by a UserError, what the dialect has no words for."""
        rule_sets.check(rules, players)
        reasons = []
        if players != PLAYERS:
            reasons.append(f"it has words for {PLAYERS} players, not for {players}")
        elif len(rules.species_codes(players)) > len(SPECIES):
            reasons.append(
                f"it has words for {len(SPECIES)} species, not for {len(rules.species_codes(players))}"
            )
        if rules.draws != DRAWS:
            reasons.append(f"a turn has {DRAWS} draws, not {rules.draws}")
        if rules.values > VALUES:
            reasons.append(f"values go up to {VALUES}, not to {rules.values}")
        if rules.discard_memory != "all":
            reasons.append("discard piles are told whole, so discard_memory must be 'all'")
        if reasons:
            raise UserError("\n".join(f"dialect {self.name!r}: {reason}" for reason in reasons))

    def speaker(self, rules: Rules, players: int) -> Speaker:
        """Return what speaks to one program."""
        return HackarandaSpeaker(rules, players)

    def listener(self, entrant: Entrant, seed: int) -> Listener:
        """Return an entrant as a program."""
        from arbosim.games.arboretum.dialects.hackaranda_listener import HackarandaListener  # stands on this

        return HackarandaListener(entrant, seed)


DIALECT = Hackaranda()
