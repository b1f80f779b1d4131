"""A game at a terminal for a person on one seat, who is shown what that seat may see and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.text import Text

from arbosim.core.numbers import counted
from arbosim.games.arboretum.actions import Action
from arbosim.games.arboretum.cards import Card
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.render import (
    action_in_words,
    board_text,
    capital,
    card_text,
    cards_text,
    print_text,
    show_score,
)
from arbosim.games.arboretum.typed import labels, read_action

SHOWN_OPTIONS = 8
SHOWN_CELLS = 6
HELP = {
    "draw": """Draw: `deck` or `d`; `mine` for your own discard pile; `pile 1` or `p1` for that of seat 1;
the card on top of a pile, such as C3; or the number of the list.""",
    "play": """Lay a card: the card and the letter of a cell, such as `O5 b`, or its coordinates, such as `O5 1 0`;
the first card needs no cell. Cells with a small letter are open; y points up.""",
    "discard": """Discard: a card of your hand, such as `C3`.""",
}
ALWAYS = """A card is the letter of its species, or its name, and its value: O5 is the oak 5.
`table` shows the table again, `piles` all cards of the discard piles."""


class Host:
    """Shows a game to a person on one seat, and understands what is typed.

    Parameters
    ----------
    names : sequence of str
        The players by seat.
    seat : int
        Where the person sits.
    """

    def __init__(self, console: Console, names: Sequence[str], seat: int) -> None:
        self._console = console
        self._names = names
        self._seat = seat
        self._listed: list[Sequence[Action]] = []
        self._turn_shown = -1
        self._done: list[Text] = []

    def begin(self, position: Position) -> None:
        """Print who sits where."""
        for seat in range(position.players):
            self._print(f"Seat {seat}: {'you' if seat == self._seat else self._names[seat]}")

    def ask(self, position: Position) -> None:
        """Print the table at the start of a turn, and what is to be decided."""
        self._listed = []
        if self._turn_shown != position.turn:
            self._turn_shown = position.turn
            self._print(Text(f"\nTurn {position.turn + 1}, yours", style="bold"))
            self._show_table(position)
        if position.phase == "draw":
            self._listed = [[action] for action in position.legal_actions]
            drawn = position.rules.draws - position.view(self._seat).draws_left + 1
            options = [
                f"{i}) {self._source(position, action[1])}" for i, [action] in enumerate(self._listed, 1)
            ]
            self._print(f"Draw card {drawn} of {position.rules.draws}:  {'   '.join(options)}")
            return
        hand = Text("Your hand: ") + cards_text(position.view(self._seat).hand)
        if position.phase == "play":
            self._show_own_board(position)
            self._print(
                hand + Text("  Lay a card, and say where." if self._board(position) else "  Lay a card.")
            )
        else:
            self._print(hand + Text("  Discard a card."))

    def acted(self, position: Position, seat: int, action: Action) -> None:
        """Print what the person did, or what another seat did in its turn, as far as the person sees it."""
        done = action_in_words(position, seat, action, is_open=seat == self._seat)
        if seat == self._seat:
            if action[0] == "draw":
                self._print(Text("You: ") + done)
            return
        self._done.append(done)
        if position.finished or position.current != seat:
            self._print_turn(position.turn, seat)

    def end(self, position: Position) -> None:
        """Print the arboretums, and the score species by species."""
        if self._done:  # of a turn in which a mistake ended the game
            self._print_turn(position.turn, position.current)
        if not position.forfeited:
            self._print(Text(f"\nThe game is over after {counted(position.turn, 'turn')}.", style="bold"))
            for seat, board in enumerate(position.arboretums):
                self._print(f"Arboretum of {self._name(seat)}")
                self._print(board_text(board))
        names = ["you" if seat == self._seat else name for seat, name in enumerate(self._names)]
        show_score(self._console, position, names)

    def help(self, position: Position) -> None:
        """Print what may be typed here."""
        self._print(f"{HELP[position.phase]}\n{ALWAYS}")

    def read(self, position: Position, text: str) -> Action | None:
        """Return the legal action that a text stands for; None if it only asked to be shown something."""
        word = text.strip().lower()
        if word in ("table", "t", "board"):
            self._show_table(position)
            if position.phase == "play":
                self._show_own_board(position)
            return None
        if word in ("piles", "discards"):
            self._show_piles(position)
            return None
        return read_action(position, self._names, self._listed, text)

    def advise(self, position: Position, adviser: str, appraised: Sequence[tuple[Action, float]]) -> None:
        """Print the options that an adviser expects most of, with numbers; alike cells of a card share a line."""
        cells = labels(position.open_cells)

        def kind(option: tuple[Action, float]) -> tuple[Action, float]:
            return option[0][:2], round(option[1], 9)

        by_kind = sorted(appraised, key=lambda option: (-round(option[1], 9), str(option[0][1])))
        groups = [list(group) for _, group in groupby(by_kind, key=kind)][:SHOWN_OPTIONS]
        options = [[action for action, _ in group] for group in groups]
        self._listed = [actions[:SHOWN_CELLS] for actions in options]
        self._print(f"What {adviser} expects, in points ahead of the strongest rival at the end:")
        lines = [self._option(position, actions, cells) for actions in options]
        width = max(len(line) for line in lines)
        best = round(groups[0][0][1], 1)
        for i, (line, group) in enumerate(zip(lines, groups, strict=True), 1):
            value = round(group[0][1], 1)  # the difference is that of the numbers that are shown
            behind = f"  {_signed(value - best):>6}" if i > 1 else ""
            self._print(f"  {i}  {line:<{width}}  {_signed(value):>6}{behind}")

    def words(self, action: Sequence[Any]) -> str:
        """Return an action in words."""
        kind, *what = action
        if kind == "play":
            return f"play {what[0]} on ({what[1]}, {what[2]})"
        if kind == "discard":
            return f"discard {what[0]}"
        if what[0] == "deck":
            return "draw from the deck"
        return "draw from your pile" if what[0] == self._seat else f"draw from the pile of seat {what[0]}"

    def _print_turn(self, number: int, seat: int) -> None:
        self._print(Text(f"\nTurn {number}, {self._name(seat)}: ") + Text(", ").join(self._done))
        self._done = []

    def _show_table(self, position: Position) -> None:
        view = position.view(self._seat)
        others = [(self._seat + i) % position.players for i in range(1, position.players)]
        for seat in others:
            self._print(Text(capital(self._name(seat)), style="bold"))
            self._print(board_text(position.arboretums[seat]))
            known = view.known_hands[seat]
            hand = Text(f"  hand: {counted(view.hand_counts[seat], 'card')}")
            if known:
                hand += Text(", among them ") + cards_text(known)
            self._print(hand + Text("; ") + self._pile(view.piles[seat]))
        self._print(Text("You", style="bold"))
        if position.phase != "play":
            self._print(board_text(self._board(position)))
        self._print(
            Text("  hand: ") + cards_text(view.hand) + Text("; ") + self._pile(view.piles[self._seat])
        )
        self._print(f"{counted(view.deck_count, 'card')} in the deck")

    def _show_own_board(self, position: Position) -> None:
        board = self._board(position)
        if board:
            self._print(board_text(board, labels(position.open_cells)))

    def _show_piles(self, position: Position) -> None:
        for seat, pile in enumerate(position.view(self._seat).piles):
            cards = (
                Text(" ").join(card_text(card) if card else Text("?") for card in pile) if pile else Text("-")
            )
            self._print(Text(f"Discard pile of {self._name(seat)}, the top last: ") + cards)

    def _pile(self, pile: Sequence[Card | None]) -> Text:
        if not pile or pile[-1] is None:
            return Text("no discards")
        return Text(f"{counted(len(pile), 'discard')}, on top ") + card_text(pile[-1])

    def _source(self, position: Position, source: str | int) -> str:
        if source == "deck":
            return f"deck ({position.deck_count} left)"
        top = position.view(self._seat).sources[source]
        return f"mine: {top}" if source == self._seat else f"pile {source}: {top}"

    def _option(self, position: Position, actions: Sequence[Action], cells: dict[Any, str]) -> str:
        kind, what, *_ = actions[0]
        if kind == "draw":
            return self._source(position, what)
        if kind == "discard" or not self._board(position):
            return str(what)
        named = [cells[x, y] for _, _, x, y in actions]
        return f"{what} {' '.join(named[:SHOWN_CELLS])}" + (" ..." if len(named) > SHOWN_CELLS else "")

    def _board(self, position: Position) -> dict[Any, Card]:
        return position.arboretums[self._seat]

    def _name(self, seat: int) -> str:
        return "you" if seat == self._seat else f"seat {seat} {self._names[seat]}"

    def _print(self, text: str | Text) -> None:
        print_text(self._console, Text(text) if isinstance(text, str) else text)


def _signed(value: float) -> str:
    return f"{round(value, 1) + 0.0:+.1f}"  # adding 0 makes -0.0 a plain 0
