"""Positions, records and scores as JSON objects: reading with every refusal in words, and writing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arbosim.core.errors import UserError, unknown
from arbosim.core.numbers import counted
from arbosim.games.arboretum.actions import Action, Cell, as_action
from arbosim.games.arboretum.cards import LETTERS, Card, parse_card, shown
from arbosim.games.arboretum.position import (
    MAX_ARBORETUM,
    IllegalActionError,
    Position,
    connected_order,
)
from arbosim.games.arboretum.rules import Rules, check, make_rules

GAME = "arboretum"
# No table is larger; the bound keeps absurd numbers out of sums of coordinates.
MAX_COORDINATE = 1_000_000
POSITION_KEYS = ("players", "arboretums", "hands")
POSITION_OPTIONS = ("game", "rules", "discards", "deck")
RECORD_KEYS = ("players", "deck", "hands", "discards", "actions")
RECORD_OPTIONS = ("game", "rules", "seed", "deal", "strategies", "forfeit")


class RefusedActionError(UserError):
    """An action of a record that cannot be; `action` is its index, from 0."""

    def __init__(self, action: int, reason: str) -> None:
        super().__init__(reason, where=f"actions[{action}]")
        self.action = action


def read_position(given: object) -> Position:
    """Read a table that people look at, or raise a UserError that says what cannot be and where.

    Parameters
    ----------
    given
        ``{"players": 2, "rules": {}, "arboretums": [[["J4", 0, 0]], []], "hands": [["J1"], []],
        "discards": [[], ["C1"]], "deck": 20}``; rules, discards and deck may be missing (standard, none,
        0), hands may be incomplete.
    """
    table = _table(given, POSITION_KEYS, POSITION_OPTIONS)
    rules, players = _rules_of(table)
    seen = _Seen(rules, players)
    arboretums = [
        _arboretum(seen, cards, f"arboretums[{seat}]")
        for seat, cards in enumerate(_by_seat(table["arboretums"], players, "arboretums"))
    ]
    hands = _piles(seen, table["hands"], "hands")
    discards = _piles(seen, table.get("discards", [[]] * players), "discards")
    for seat, hand in enumerate(hands):
        most = rules.dealt_hand(seat) + rules.draws
        if len(hand) > most:
            raise UserError(
                f"{counted(len(hand), 'card')}, but nobody ever holds more than {most}",
                where=f"hands[{seat}]",
            )
    deck = _whole(table.get("deck", 0), 0, len(rules.card_codes(players)), "deck")
    unseen = len(rules.card_codes(players)) - len(seen.places)
    if deck > unseen:
        raise UserError(
            f"{counted(deck, 'card')}, but only {unseen} of the game lie nowhere else", where="deck"
        )
    return Position.lay_out(arboretums, hands, discards, deck, rules)


def read_record(given: object) -> tuple[Position, list[Any]]:
    """Read a recorded game: its start, and its actions, which are not looked at yet."""
    table = _table(given, RECORD_KEYS, RECORD_OPTIONS)
    rules, players = _rules_of(table)
    seen = _Seen(rules, players)
    deck = [seen.add(card, f"deck[{i}]") for i, card in enumerate(_list(table["deck"], "deck"))]
    hands = _piles(seen, table["hands"], "hands")
    discards = _piles(seen, table["discards"], "discards")
    for seat in range(players):
        _same_count(hands[seat], rules.dealt_hand(seat), f"hands[{seat}]")
        _same_count(discards[seat], int(rules.has_start_discard(seat)), f"discards[{seat}]")
    missing = [_name(code) for code in rules.card_codes(players) if code not in seen.places]
    if missing:
        some = ", ".join(missing[:6]) + (", ..." if len(missing) > 6 else "")
        raise UserError(f"the cards are not the rule set's: {some} missing")
    return Position.start(deck, hands, discards, rules), _list(table["actions"], "actions")


def replay(given: object) -> Position:
    """Play a recorded game; a RefusedActionError tells the first action that cannot be."""
    position, actions = read_record(given)
    for index, action in enumerate(actions):
        replay_action(position, action, index)
    return position


def replay_action(position: Position, action: object, index: int) -> Action:
    """Carry out one action of a record."""
    try:
        read = as_action(action if isinstance(action, list) else [])
        if read[0] == "play":
            _whole(read[2], -MAX_COORDINATE, MAX_COORDINATE, "x")
            _whole(read[3], -MAX_COORDINATE, MAX_COORDINATE, "y")
        position.play(read)
    except IllegalActionError as error:
        raise RefusedActionError(index, str(error)) from None
    except UserError as error:
        text = (
            str(error) if isinstance(action, list) else f'{shown(action)} is no list such as ["draw", "deck"]'
        )
        raise RefusedActionError(index, text) from None
    return read


def score_object(position: Position) -> dict[str, Any]:
    """Give the score of a position for machines; `read_position` explains the words."""
    score = position.score()
    return {
        "players": [
            {
                "total": player.total,
                "kinds": player.kinds,
                "open_cells": [list(cell) for cell in position.open_cells_of(seat)],
                "species": {
                    species: {
                        "hand": entry.hand,
                        "right": entry.right,
                        "points": entry.points,
                        "scored": entry.scored,
                        "path": [list(cell) for cell in entry.path],
                    }
                    for species, entry in player.species.items()
                },
            }
            for seat, player in enumerate(score.players)
        ],
        "winners": list(score.winners),
        "sources": position.sources,
    }


def replay_object(position: Position) -> dict[str, Any]:
    """Give the score of a replayed game, with its turns, whether it is over, and who forfeited it, if one did."""
    answer = score_object(position) | {"turns": position.turn, "finished": position.finished}
    if position.forfeited is not None:
        answer["forfeit"] = position.forfeited._asdict()
    return answer


def position_object(position: Position) -> dict[str, Any]:
    """Write a position so that `read_position` reads it."""
    return {
        "game": GAME,
        "players": position.players,
        "rules": _changes(position.rules),
        "arboretums": [[[str(card), *cell] for cell, card in board.items()] for board in position.arboretums],
        "hands": _texts(position.hands),
        "discards": _texts(position.discards),
        "deck": position.deck_count,
    }


def record_object(position: Position, notes: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Write a game so that `read_record` reads it; notes are seed, deal, strategies by seat, or forfeit."""
    if position.dealt is None:
        raise UserError("a table that was laid out has no deal, so it is no record of a game")
    deck, hands, discards = position.dealt
    return {
        "game": GAME,
        "players": position.players,
        "rules": _changes(position.rules),
        **(notes or {}),
        "deck": [str(card) for card in deck],
        "hands": _texts(hands),
        "discards": _texts(discards),
        "actions": [[str(part) if isinstance(part, Card) else part for part in a] for a in position.actions],
    }


class _Seen:
    """The cards met so far, and where; each may lie in one place only."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules = rules
        self.players = players
        self.codes = frozenset(rules.card_codes(players))
        self.places: dict[int, str] = {}

    def add(self, given: object, where: str) -> Card:
        card = parse_card(given, where)
        if card.code not in self.codes:
            letters = " ".join(LETTERS[code] for code in self.rules.species_codes(self.players))
            raise UserError(
                f"{card} is not in this game: its species are {letters}, its values 1 to {self.rules.values}",
                where=where,
            )
        if card.code in self.places:
            raise UserError(f"{card} lies in {self.places[card.code]} as well", where=where)
        self.places[card.code] = where
        return card


def _table(given: object, keys: Sequence[str], options: Sequence[str]) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise UserError(f"give one JSON object, not {shown(given)}")
    for key in given:
        if key not in keys and key not in options:
            raise unknown("key", str(key), [*keys, *options])
    missing = [key for key in keys if key not in given]
    if missing:
        raise UserError(f"missing: {', '.join(missing)}")
    if given.get("game", GAME) != GAME:
        raise UserError(f"{shown(given['game'])} is not {GAME!r}", where="game")
    return given


def _rules_of(table: Mapping[str, Any]) -> tuple[Rules, int]:
    changes = table.get("rules", {})
    if not isinstance(changes, dict):
        raise UserError(
            f"give an object of rules that differ from the standard, not {shown(changes)}", where="rules"
        )
    rules = make_rules(None, changes, text=False, where="rules")
    check(rules, table["players"])
    return rules, table["players"]


def _arboretum(seen: _Seen, given: object, where: str) -> dict[Cell, Card]:
    board: dict[Cell, Card] = {}
    cards = _list(given, where)
    if len(cards) > MAX_ARBORETUM:
        raise UserError(f"{len(cards)} cards; an arboretum has at most {MAX_ARBORETUM}", where=where)
    for i, entry in enumerate(cards):
        place = f"{where}[{i}]"
        if not isinstance(entry, list) or len(entry) != 3:
            raise UserError(f'a card lies as ["J4", x, y], not {shown(entry)}', where=place)
        card = seen.add(entry[0], place)
        x, y = (_whole(number, -MAX_COORDINATE, MAX_COORDINATE, place) for number in entry[1:])
        if (x, y) in board:
            raise UserError(f"{board[x, y]} and {card} both lie on ({x}, {y})", where=place)
        board[x, y] = card
    reached = set(connected_order(board))
    for i, ((x, y), card) in enumerate(board.items()):
        if (x, y) not in reached:
            first = next(iter(board.values()))
            raise UserError(
                f"{card} on ({x}, {y}) is not connected with {first}: the arboretum falls apart",
                where=f"{where}[{i}]",
            )
    return board


def _piles(seen: _Seen, given: object, where: str) -> list[list[Card]]:
    return [
        [seen.add(card, f"{where}[{seat}][{i}]") for i, card in enumerate(_list(cards, f"{where}[{seat}]"))]
        for seat, cards in enumerate(_by_seat(given, seen.players, where))
    ]


def _by_seat(given: object, players: int, where: str) -> list[Any]:
    lists = _list(given, where)
    if len(lists) != players:
        raise UserError(f"{len(lists)} lists for {players} players", where=where)
    return lists


def _same_count(cards: Sequence[Card], count: int, where: str) -> None:
    if len(cards) != count:
        raise UserError(f"{counted(len(cards), 'card')}, but the rules deal {count} there", where=where)


def _list(given: object, where: str) -> list[Any]:
    if not isinstance(given, list):
        raise UserError(f"give a list, not {shown(given)}", where=where)
    return given


def _whole(given: object, low: int, high: int, where: str) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
        raise UserError(f"give a whole number, {low} to {high}, not {shown(given)}", where=where)
    return given


def _changes(rules: Rules) -> dict[str, Any]:
    return rules.model_dump(exclude_defaults=True)


def _texts(piles: Iterable[Iterable[Card]]) -> list[list[str]]:
    return [[str(card) for card in pile] for pile in piles]


def _name(code: int) -> str:
    return f"{LETTERS[code >> 4]}{code & 15}"
