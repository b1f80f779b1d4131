"""A played game as a page shows it: turn by turn, with boards, hands and piles, and the score explained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from arbosim.core.game import Step, Walkthrough
from arbosim.core.numbers import counted
from arbosim.games.arboretum.cards import Card
from arbosim.games.arboretum.explanation import Score
from arbosim.games.arboretum.html import score_table
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.render import action_in_words, forfeit_in_words, winners_in_words
from arbosim.games.arboretum.svg import board_svg, cards_svg, path_lines

Part = tuple[str, str]


def walkthrough(position: Position, names: Sequence[str]) -> Walkthrough:
    """Return a played game step by step; names are those of the seats, empty where there is none."""
    if position.dealt is None:
        raise ValueError("a table that was laid out has no turns")
    deck, hands, discards = position.dealt
    table = Position.start(deck, hands, discards, position.rules)
    steps = [_step(table, "The cards are dealt.", None)]
    told: list[str] = []
    laid = None
    for action in position.actions:
        seat = table.current
        table.play(action)
        told.append(action_in_words(table, seat, action).plain)
        laid = action[2:] if action[0] == "play" else laid
        if table.finished or table.current != seat:
            number = len(steps)
            steps.append(_step(table, f"Turn {number}, {_seat(seat, names)}: {', '.join(told)}.", seat, laid))
            told, laid = [], None
    if position.forfeited:
        seat = position.forfeited.seat
        turn = f"Turn {position.forfeited.turn}, {_seat(seat, names)}: {', '.join([*told, 'forfeits'])}."
        steps.append(_step(table, turn, seat, laid))
        result = forfeit_in_words(position.forfeited, position.players, names)
        return Walkthrough(tuple(steps), f"<p>{escape(result)}</p>", result)
    score = position.score()
    result = winners_in_words(score)
    steps.append(_end(position, score, f"The game is over after {counted(position.turn, 'turn')}. {result}"))
    return Walkthrough(tuple(steps), score_table(position, score, names), result)


def _step(table: Position, caption: str, seat: int | None, laid: tuple[int, int] | None = None) -> Step:
    seats = []
    for player, board in enumerate(table.arboretums):
        cards = [(str(card), x, y) for (x, y), card in board.items()]
        marked = laid if player == seat else None
        seats.append(
            _parts(table, player, board_svg(cards, marked=marked, title=f"Arboretum of seat {player}"))
        )
    return Step(caption, tuple(seats), _deck(table), seat)


def _end(position: Position, score: Score, caption: str) -> Step:
    """Return the last step, in which the paths are drawn."""
    seats = []
    for player, board in enumerate(position.arboretums):
        cards = [(str(card), x, y) for (x, y), card in board.items()]
        drawn = board_svg(cards, path_lines(score.players[player]), title=f"Arboretum of seat {player}")
        seats.append(_parts(position, player, drawn))
    return Step(caption, tuple(seats), _deck(position))


def _parts(table: Position, seat: int, board: str) -> tuple[Part, ...]:
    return (
        ("Arboretum", board),
        ("Hand", _row(table.hands[seat], "Hand")),
        ("Discard pile, its top last", _row(table.discards[seat], "Discard pile")),
    )


def _deck(table: Position) -> tuple[Part, ...]:
    return (("Deck", f"<p>{counted(table.deck_count, 'card')}</p>"),)


def _row(cards: Iterable[Card], title: str) -> str:
    return cards_svg([str(card) for card in cards], title)


def _seat(seat: int, names: Sequence[str]) -> str:
    return f"seat {seat} {names[seat]}" if names[seat] else f"seat {seat}"
