"""The dialect `arbosim`: 2 to 4 players, every rule set, and all that a strategy of ours may know; see docs/bots.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from arbosim.core.errors import UserError, unknown
from arbosim.core.game import GameError, MistakeError
from arbosim.core.outside import NONSENSE, Grammar, Listener, Message
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum import rules as rule_sets
from arbosim.games.arboretum.actions import as_action
from arbosim.games.arboretum.cards import LETTERS, Card, shown
from arbosim.games.arboretum.dialects.records import Records, Standing, understood
from arbosim.games.arboretum.dialects.seated import Seated
from arbosim.games.arboretum.dialects.speaker import (
    CELLS,
    RANDOM,
    Done,
    Speaker,
    card_texts,
    checked_code,
    known_hands,
)
from arbosim.games.arboretum.refusal import PHASES
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.state import DECK, PLAY_ACTION

VERSION = 1
LONGEST_ERROR = 500
"""Characters that are kept of what a program tells of its mistakes."""
TEXTS = card_texts()
CODES = {text: code for code, text in enumerate(TEXTS) if text is not None} | {None: 0}
PHASE_CODES = {text: code for code, text in PHASES.items()}


class OwnSpeaker(Speaker):
    """Tells a program everything that a strategy of ours sees, and what happened since it was asked last."""

    def __init__(self, rules: Rules, players: int) -> None:
        super().__init__(rules, players)
        self._rules = rules.model_dump(mode="json")
        self._species = "".join(LETTERS[code] for code in rules.species_codes(players))
        self._since: list[list[Any]] = []

    def begin(self, seat: int, number: int, stream: bytes) -> Message:
        """Tell of a new game."""
        self._since = []
        return {
            "type": "new_game",
            "game": number,
            "players": self.players,
            "seat": seat,
            "rules": self._rules,
            "species": self._species,
            "random": stream.hex(),
        }

    def decision(self, table: Any, seat: Any, done: Done | None) -> Message:
        """Ask for the decision at hand."""
        self._note(done)
        since, self._since = self._since, []
        me = int(seat["seat"])
        state = {
            "phase": PHASES[int(table["phase"])],
            "turn": int(table["turn"]),
            "current": me,
            "draws_left": int(table["draws"]) - int(table["drawn"]),
            "deck": int(table["pile_count"][DECK]),
            "hand": [TEXTS[code] for code in seat["hand"][: seat["hand_count"]].tolist()],
            "hands": table["hand_count"][: self.players].tolist(),
            "known_hands": [[TEXTS[code] for code in hand] for hand in known_hands(table, self.players)],
            "piles": self._piles(table),
            "arboretums": self._arboretums(table),
            "open_cells": [
                CELLS[cell] for cell in table["open_cell"][me][: table["open_count"][me]].tolist()
            ],
            "done": since,
        }
        return {"type": "decide", "state": state}

    def idle(self, table: Any, seat: Any, done: Done | None) -> None:  # noqa: ARG002
        """Tell nothing yet: the next decision tells it."""
        self._note(done)

    def read(self, answer: Message, table: Any, seat: Any) -> int:  # noqa: ARG002
        """Return the number of the action that an answer stands for, or RANDOM."""
        if "error" in answer:
            raise MistakeError("raised", " ".join(str(answer["error"]).split())[:LONGEST_ERROR])
        if "action" not in answer:
            raise MistakeError(NONSENSE, f'the answer has no "action": {shown(dict(answer))}')
        action = answer["action"]
        if action == "random":
            return RANDOM
        try:
            return checked_code(as_action(action), table)
        except UserError as error:
            raise MistakeError(NONSENSE, str(error)) from None

    def end(self, table: Any, hidden: Any, winners: int, error: GameError | None) -> Message:
        """Tell the result, with all cards open."""
        hands = hidden["hand"].tolist()
        counts = table["hand_count"].tolist()
        return {
            "type": "end_game",
            "winners": [seat for seat in range(self.players) if winners >> seat & 1],
            "scores": hidden["total"][: self.players].tolist() if error is None else None,
            "forfeit": None
            if error is None
            else {"seat": error.seat, "kind": error.kind, "message": error.message},
            "hands": [[TEXTS[code] for code in hands[p][: counts[p]]] for p in range(self.players)],
            "piles": self._piles(table),
            "arboretums": self._arboretums(table),
        }

    def _note(self, done: Done | None) -> None:
        if done is not None:
            self._since.append([done.seat, _words(done.code)])

    def _piles(self, table: Any) -> list[list[str | None]]:
        counts = table["pile_count"].tolist()
        return [[TEXTS[code] for code in table["pile"][p][: counts[p]].tolist()] for p in range(self.players)]

    def _arboretums(self, table: Any) -> list[list[tuple[str | None, int, int]]]:
        counts = table["board_count"].tolist()
        cards, cells = table["board_card"], table["board_cell"]
        return [
            [
                (TEXTS[card], *CELLS[cell])
                for card, cell in zip(
                    cards[p][: counts[p]].tolist(), cells[p][: counts[p]].tolist(), strict=True
                )
            ]
            for p in range(self.players)
        ]


def _words(code: int) -> list[Any]:
    if code >= PLAY_ACTION:
        return ["play", TEXTS[code >> 16 & 0xFF], *CELLS[code & 0xFFFF]]
    if code > DECK:
        return ["discard", TEXTS[code & 0xFF]]
    return ["draw", "deck" if code == DECK else code]


class OwnListener:
    """An entrant as a program that speaks the dialect.

    A mistake of the strategy is answered by its text as "error", so that whoever asks can tell it.
    """

    def __init__(self, entrant: Entrant) -> None:
        self._name = entrant.spec
        self._seated = Seated(entrant)
        self._seat: int | None = None
        self._answered: list[Any] = []

    def hear(self, message: Message) -> Message:
        """Return the answer to a message; a UserError if it is none of the dialect."""
        kind = message.get("type")
        if "id" not in message:
            raise UserError(f'a message has an "id": {shown(dict(message))}')
        answer: dict[str, Any] = {"id": message["id"]}
        if kind == "hello":
            answer |= self._greet(message)
        elif kind == "new_game":
            self._begin(message)
        elif kind == "decide":
            try:
                answer["action"] = self._answered = self._decide(message)
            except MistakeError as error:
                answer["error"] = str(error)
                self._answered = []
        elif kind != "end_game":
            raise unknown("type", str(kind), ("hello", "new_game", "decide", "end_game"))
        return answer

    def _greet(self, message: Message) -> dict[str, Any]:
        spoken = {"protocol": Own.name, "version": VERSION}
        for key, value in (spoken | {"game": "arboretum"}).items():
            if message.get(key) != value:
                raise UserError(f"the other side says {shown(message.get(key))}, not {value!r}", where=key)
        return spoken | {"name": self._name}

    def _begin(self, message: Message) -> None:
        with understood("new_game"):
            rules = rule_sets.make_rules(None, message["rules"], text=False)
            players, seat = message["players"], message["seat"]
            rule_sets.check(rules, players)
            if seat not in range(players):
                raise UserError(f"there is no seat {shown(seat)}")
            self._seated.begin(rules, players, seat, bytes.fromhex(message["random"]))
            self._seat = seat

    def _decide(self, message: Message) -> list[Any]:
        if self._seat is None:
            raise UserError("a game begins with new_game")
        with understood("state"):
            standing = _standing(message["state"], self._seated.records)
            mine = [action for seat, action in message["state"]["done"] if seat == self._seat]
        if mine and mine[0] != self._answered:
            self._seated.forget()
        kind, *what = self._seated.decide(standing)
        return [kind, *(str(part) if isinstance(part, Card) else part for part in what)]


def _standing(state: Mapping[str, Any], records: Records) -> Standing:
    def codes(cards: Iterable[str | None]) -> list[int]:
        return [CODES[card] for card in cards]

    return Standing(
        phase=PHASE_CODES[state["phase"]],
        turn=state["turn"],
        current=state["current"],
        drawn=int(records.tables[0]["draws"]) - state["draws_left"],
        deck=state["deck"],
        hand=codes(state["hand"]),
        hand_counts=state["hands"],
        known=[codes(hand) for hand in state["known_hands"]],
        piles=[codes(pile) for pile in state["piles"]],
        boards=[{(x, y): CODES[card] for card, x, y in board} for board in state["arboretums"]],
    )


class Own:
    """The dialect as the other layers see it; see `arbosim.core.outside.Dialect`."""

    name = "arbosim"
    grammar = Grammar(
        id_key="id",
        greeting={"type": "hello", "protocol": name, "version": VERSION, "game": "arboretum"},
        expected={"protocol": name, "version": VERSION},
    )

    def check(self, rules: Rules, players: int) -> None:
        """Refuse what the game itself refuses, and nothing else."""
        rule_sets.check(rules, players)

    def speaker(self, rules: Rules, players: int) -> Speaker:
        """Return what speaks to one program."""
        return OwnSpeaker(rules, players)

    def listener(self, entrant: Entrant, seed: int) -> Listener:  # noqa: ARG002
        """Return an entrant as a program; every game tells it its random stream, so the seed is not needed."""
        return OwnListener(entrant)


DIALECT = Own()
