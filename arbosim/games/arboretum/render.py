"""Games and scores as text for a terminal: boards in colour, turn by turn, every species explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from arbosim.core.numbers import counted
from arbosim.games.arboretum.cards import LETTERS, SPECIES, Card
from arbosim.games.arboretum.explanation import Score
from arbosim.games.arboretum.position import Forfeit, Position

Cell = tuple[int, int]

# One colour a species, distinct on dark and on light ground as far as twelve can be.
COLOURS = {
    "C": "yellow",
    "D": "bright_magenta",
    "J": "blue_violet",
    "L": "medium_purple1",
    "G": "hot_pink",
    "M": "red",
    "O": "dark_goldenrod",
    "V": "olive_drab",
    "R": "dark_orange",
    "W": "green",
    "A": "grey62",
    "B": "cyan",
}


def card_text(card: Card) -> Text:
    """Write a card in the colour of its species."""
    return Text(str(card), style=COLOURS[card.species])


def cards_text(cards: Sequence[Card]) -> Text:
    """Write cards in a row; a dash for none."""
    return Text(" ").join(card_text(card) for card in cards) if cards else Text("-")


def board_text(board: Mapping[Cell, Card], marks: Mapping[Cell, str] | None = None) -> Text:
    """Draw an arboretum with its coordinates; y points up. Marks stand on cells without a card."""
    if not board:
        return Text("  (no cards)")
    marks = marks or {}
    cells = [*board, *marks]
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    rows = range(max(y for _, y in cells), min(y for _, y in cells) - 1, -1)
    width = max(len(str(number)) for number in (columns[0], columns[-1], rows[0], rows[-1], 100))
    lines = []
    for y in rows:
        line = Text.assemble(
            (f"{y:>{width + 2}} ", "dim")
        )  # a style of the whole text would dim the cards as well
        for x in columns:
            card = board.get((x, y))
            mark = marks.get((x, y))
            text = card_text(card) if card else Text(mark) if mark else Text(".", style="dim")
            line += Text(" " * (width + 1 - len(text))) + text
        lines.append(line)
    lines.append(Text(" " * (width + 3) + "".join(f"{x:>{width + 1}}" for x in columns), style="dim"))
    return Text("\n").join(lines)


class Narrator:
    """Prints a game while it is played: one paragraph and one board a turn, then the score.

    Parameters
    ----------
    names : sequence of str
        The strategies by seat.
    """

    def __init__(self, console: Console, names: Sequence[str]) -> None:
        self._console = console
        self._names = names
        self._turn: list[Text] = []

    def begin(self, position: Position) -> None:
        """Print who sits where and the cards after the deal."""
        print_text(self._console, Text(f"{counted(position.deck_count, 'card')} in the deck"))
        for seat, hand in enumerate(position.hands):
            line = Text(f"{self._seat(seat)}: hand ") + cards_text(hand)
            if position.discards[seat]:
                line += Text(", discard pile ") + cards_text(position.discards[seat])
            print_text(self._console, line)

    def acted(self, position: Position, seat: int, action: tuple[Any, ...]) -> None:
        """Note an action; print the turn when it is complete."""
        if not self._turn:
            number = position.turn if position.finished or position.current != seat else position.turn + 1
            self._turn = [Text(f"\nTurn {number}, {self._seat(seat)}:", style="bold")]
        self._turn.append(action_in_words(position, seat, action))
        if position.finished or position.current != seat:
            print_text(self._console, self._turn[0] + Text(" ") + Text(", ").join(self._turn[1:]))
            print_text(self._console, board_text(position.arboretums[seat]))
            self._turn = []

    def end(self, position: Position) -> None:
        """Print the score, species by species."""
        if self._turn:
            print_text(self._console, self._turn[0] + Text(" ") + Text(", ").join(self._turn[1:]))
        if position.forfeited:
            print_text(self._console, Text())
        elif position.finished:
            print_text(
                self._console,
                Text(f"\nThe game is over after {counted(position.turn, 'turn')}.", style="bold"),
            )
        else:
            print_text(
                self._console,
                Text(f"\nThe game stands after {counted(position.turn, 'turn')}.", style="bold"),
            )
        show_score(self._console, position, self._names)

    def _seat(self, seat: int) -> str:
        return f"seat {seat} {self._names[seat]}" if self._names[seat] else f"seat {seat}"


def action_in_words(position: Position, seat: int, action: tuple[Any, ...], is_open: bool = True) -> Text:
    """Say what a seat has just done; unless everything is open, a card from the deck is its secret."""
    kind, *what = action
    if kind == "play":
        return Text("plays ") + card_text(what[0]) + Text(f" on ({what[1]}, {what[2]})")
    if kind == "discard":
        return Text("discards ") + card_text(what[0])
    is_seen = is_open or what[0] != "deck"
    card = card_text(position.last_drawn) if is_seen and position.last_drawn else Text("a card")
    if what[0] == "deck":
        return Text("draws ") + card + Text(" from the deck")
    whose = "the own pile" if what[0] == seat else f"the pile of seat {what[0]}"
    return Text("takes ") + card + Text(f" from {whose}")


def show_position(console: Console, position: Position) -> None:
    """Print a table as it lies, and its score explained."""
    names = [""] * position.players
    for seat, board in enumerate(position.arboretums):
        print_text(console, Text(f"Seat {seat}", style="bold"))
        print_text(console, board_text(board))
        cells = " ".join(f"({x}, {y})" for x, y in position.open_cells_of(seat))
        print_text(console, Text(f"  open cells: {cells}", style="dim"))
        print_text(console, Text("  hand: ") + cards_text(position.hands[seat]))
        if position.discards[seat]:
            print_text(console, Text("  discard pile: ") + cards_text(position.discards[seat]))
    sources = ["the deck" if source == "deck" else f"pile of seat {source}" for source in position.sources]
    print_text(console, Text(f"Deck: {position.deck_count}; sources: {', '.join(sources) or 'none'}"))
    show_score(console, position, names)


def show_score(console: Console, position: Position, names: Sequence[str]) -> None:
    """Print every species: the hands, who has the right and why, the best paths; then totals and winners.

    Of a forfeited game only the mistake and the winners are printed, as no points count.
    """
    if position.forfeited:
        print_text(console, Text(forfeit_in_words(position.forfeited, position.players, names), style="bold"))
        return
    score = position.score()
    hands = position.hands
    boards = position.arboretums
    for species in score.players[0].species:
        name = SPECIES[LETTERS.index(species)].name
        print_text(console, Text(f"\n{name} ({species})", style=f"bold {COLOURS[species]}"))
        print_text(console, Text(f"  {right_in_words(position, score, species)}"))
        for seat, player in enumerate(score.players):
            entry = player.species[species]
            held = [card for card in hands[seat] if card.species == species]
            line = Text(f"  seat {seat}: hand ") + cards_text(held) + Text(f" = {entry.hand}; ")
            if entry.path:
                line += Text("path ") + cards_text([boards[seat][cell] for cell in entry.path])
                line += Text(f" = {entry.points}")
            else:
                line += Text("no path")
            line += Text(f", scores {entry.scored}" if entry.right else ", no right")
            print_text(console, line)
    print_text(console, Text())
    for seat, player in enumerate(score.players):
        name = f" {names[seat]}" if names[seat] else ""
        print_text(
            console,
            Text(f"Seat {seat}{name}: {_points(player.total)}, {player.kinds} species in the arboretum"),
        )
    print_text(console, Text(winners_in_words(score), style="bold"))


def right_in_words(position: Position, score: Score, species: str) -> str:
    """Say who has the right to score a species, and why."""
    rules = position.rules
    holders = [seat for seat, player in enumerate(score.players) if player.species[species].right]
    if rules.right == "always":
        return "everybody has the right by the rules"
    if rules.right == "most_cards":
        claims = [sum(card.species == species for card in hand) for hand in position.hands]
        what = "cards"
    else:
        claims = [player.species[species].hand for player in score.players]
        what = "hand sums"
    numbers = " to ".join(str(claim) for claim in claims)
    zeroed = _zeroed(position, species)
    why = f"{what} {numbers}" + (f" ({zeroed})" if zeroed else "")
    if not holders:
        return f"nobody has the right: a tie, {why}"
    if len(holders) == position.players and not any(claims):
        return (
            "everybody has the right: nobody holds the species"
            if not zeroed
            else f"everybody has the right: {why}"
        )
    who = _seats(holders)
    return f"{who} {'has' if len(holders) == 1 else 'have'} the right: {why}"


def winners_in_words(score: Score) -> str:
    """Say who wins, and how a tie was broken."""
    best = score.totals[score.winners[0]]
    tied = [seat for seat, total in enumerate(score.totals) if total == best]
    who = _seats(list(score.winners))
    if len(tied) == 1:
        return f"{capital(who)} wins with {_points(best)}."
    if len(score.winners) == 1:
        others = _seats([seat for seat in tied if seat not in score.winners])
        return f"{capital(who)} wins: {_points(best)} like {others}, but more species."
    return f"{capital(who)} share the win with {_points(best)}."


def forfeit_in_words(forfeit: Forfeit, players: int, names: Sequence[str]) -> str:
    """Say who forfeited a game, when, why, and who wins it therefore."""
    seat, turn, reason = forfeit
    winners = [other for other in range(players) if other != seat]
    name = f" {names[seat]}" if names[seat] else ""
    wins = "wins" if len(winners) == 1 else "share the win"
    return (
        f"Seat {seat}{name} forfeits the game in turn {turn}: {reason}.\n"
        f"{capital(_seats(winners))} {wins}; a forfeited game has no scores."
    )


def _zeroed(position: Position, species: str) -> str:
    """Say which top card counts 0, if one does."""
    rules = position.rules
    top, one = Card(species, rules.values), Card(species, 1)
    holder = next((seat for seat, hand in enumerate(position.hands) if top in hand), None)
    if holder is None or rules.eight_rule == "off" or rules.right == "most_cards":
        return ""
    if rules.eight_rule == "always_zero":
        return f"{top} counts 0"
    other = next((seat for seat, hand in enumerate(position.hands) if one in hand and seat != holder), None)
    return "" if other is None else f"{top} of seat {holder} counts 0: seat {other} holds {one}"


def _seats(seats: Sequence[int]) -> str:
    names = [str(seat) for seat in seats]
    if len(names) == 1:
        return f"seat {names[0]}"
    return f"seats {', '.join(names[:-1])} and {names[-1]}"


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[0].upper() + text[1:]


def print_text(console: Console, text: Text) -> None:
    """Print text whose lines are not to be folded."""
    # a board that is wider than the window must not be folded into another board
    console.print(text, no_wrap=True, overflow="ignore", crop=False, soft_wrap=True, highlight=False)


def _points(total: int | None) -> str:
    return "no score" if total is None else counted(total, "point")
