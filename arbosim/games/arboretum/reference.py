"""The rules again, slow and obvious, for tests alone: plain Python, and every rising path tried.

Nothing here is shared with the kernels. Where the two differ, one of them is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arbosim.games.arboretum.cards import LETTERS, Card
from arbosim.games.arboretum.rules import Rules

Cell = tuple[int, int]
Board = dict[Cell, Card]
Source = str | int
# ("draw", source), ("play", card, x, y) or ("discard", card)
Action = tuple[Any, ...]


@dataclass(frozen=True)
class ReferenceScore:
    """The end of a game: species letters index the inner dictionaries, seats the lists."""

    sums: list[dict[str, int]]
    rights: list[dict[str, bool]]
    points: list[dict[str, int]]
    paths: list[dict[str, list[Cell]]]
    scored: list[dict[str, int]]
    totals: list[int]
    kinds: list[int]
    winners: list[int]


class ReferenceGame:
    """One game from the state after the deal; the deck is given top first."""

    def __init__(
        self,
        players: int,
        rules: Rules,
        deck: Sequence[Card],
        hands: Sequence[Sequence[Card]],
        discards: Sequence[Sequence[Card]],
    ) -> None:
        self.players = players
        self.rules = rules
        self.deck = list(deck)
        self.hands = [list(hand) for hand in hands]
        self.discards = [list(pile) for pile in discards]
        self.boards: list[Board] = [{} for _ in range(players)]
        self.turn = 0
        self.current = 0
        self.phase = "draw"
        self.drawn = 0
        self.finished = False
        self.history: list[tuple[int, int, Action]] = []  # turn, seat and action
        self._skip_impossible_draws()

    @classmethod
    def deal(cls, players: int, rules: Rules, cards: Sequence[Card]) -> ReferenceGame:
        """Deal a shuffled pack, top first: whole hands seat by seat (R3), then starting discards (R4)."""
        rest = list(cards)
        hands: list[list[Card]] = []
        for seat in range(players):
            size = rules.hand_size
            if rules.extra_card == "all":
                size += 1
            if rules.extra_card == "first" and seat == 0:
                size += 1
            if rules.extra_card == "all_but_first" and seat != 0:
                size += 1
            hands.append([rest.pop(0) for _ in range(size)])
        discards: list[list[Card]] = []
        for seat in range(players):
            starts = rules.start_discard == "all" or (rules.start_discard == "all_but_first" and seat != 0)
            discards.append([rest.pop(0)] if starts else [])
        return cls(players, rules, rest, hands, discards)

    # Options and actions, R5 to R10

    def sources(self) -> list[Source]:
        """Give the piles that have a card: the deck first, then discard piles by seat (R5, R6)."""
        deck: list[Source] = ["deck"] if self.deck else []
        return deck + [seat for seat in range(self.players) if self.discards[seat]]

    def open_cells(self, seat: int) -> list[Cell]:
        """Give the empty cells next to a card, each once; on an empty board (0, 0) stands for all (R7)."""
        board = self.boards[seat]
        if not board:
            return [(0, 0)]
        return in_reading_order(
            {cell for card_cell in board for cell in neighbours(card_cell) if cell not in board}
        )

    def options(self) -> list[Action]:
        """Give every action that the rules allow now."""
        if self.finished:
            return []
        hand = self.hands[self.current]
        if self.phase == "draw":
            return [("draw", source) for source in self.sources()]
        if self.phase == "play":
            return [("play", card, x, y) for card in hand for x, y in self.open_cells(self.current)]
        return [("discard", card) for card in hand]

    def apply(self, action: Action) -> None:
        """Do an action; one that is not allowed is an error."""
        first_card = action[0] == "play" and self.phase == "play" and not self.boards[self.current]
        allowed = action[1] in self.hands[self.current] if first_card else action in self.options()
        if not allowed or self.finished:
            raise ValueError(f"{action} is not allowed")
        self.history.append((self.turn, self.current, action))
        hand = self.hands[self.current]
        if action[0] == "draw":
            source = action[1]
            # The deck is kept top first and a pile bottom first, as they are read aloud.
            hand.append(self.deck.pop(0) if source == "deck" else self.discards[int(source)].pop())
            self.drawn += 1
            if self.drawn == self.rules.draws:
                self.phase = "play"
            self._skip_impossible_draws()
        elif action[0] == "play":
            _, card, x, y = action
            hand.remove(card)
            self.boards[self.current][x, y] = card
            self.phase = "discard"
            self._end_turn_if_done()
        else:
            card = action[1]
            hand.remove(card)
            self.discards[self.current].append(card)
            self._end_turn_if_done()

    def _skip_impossible_draws(self) -> None:
        if self.phase == "draw" and not self.sources():
            self.phase = "play"

    def _end_turn_if_done(self) -> None:
        if len(self.hands[self.current]) > self.rules.hand_size:
            return
        last_of_round = self.current == self.players - 1
        self.turn += 1
        if not self.deck and (last_of_round or not self.rules.equal_turns):
            self.finished = True
            return
        self.current = (self.current + 1) % self.players
        self.phase = "draw"
        self.drawn = 0
        self._skip_impossible_draws()

    # Scoring, R11 to R15

    def score(self) -> ReferenceScore:
        """Score the game as it stands."""
        return score(self.players, self.rules, self.boards, self.hands)


def metrics(game: ReferenceGame) -> list[dict[str, int]]:
    """Measure a finished game, seat by seat: what columns.py describes, under the same names."""
    found = []
    end = game.score()
    for seat in range(game.players):
        board = game.boards[seat]
        best = {letter: [board[cell] for cell in cells] for letter, cells in end.paths[seat].items() if cells}
        counting = {letter: path for letter, path in best.items() if end.rights[seat][letter]}
        taken = [
            (turn, action[1])
            for turn, who, action in game.history
            if who == seat and action[0] == "draw" and action[1] != "deck"
        ]
        others = [card for other, hand in enumerate(game.hands) if other != seat for card in hand]
        found.append(
            {
                "rights": sum(end.rights[seat].values()),
                "denied": len(best) - len(counting),
                **path_metrics(list(best.values()), game.rules, ""),
                **path_metrics(list(counting.values()), game.rules, "scored_"),
                "tops_cancelled": sum(
                    game.rules.eight_rule == "one_cancels"
                    and card.value == game.rules.values
                    and Card(card.species, 1) in others
                    for card in game.hands[seat]
                ),
                "taken_own": len([source for _, source in taken if source == seat]),
                "taken_others": len([source for _, source in taken if source != seat]),
                "taken_deep": len(taken) - len(set(taken)),
                "hand_points": sum(card.value for card in game.hands[seat]),
            }
        )
    return found


def path_metrics(paths: Sequence[Sequence[Card]], rules: Rules, prefix: str) -> dict[str, int]:
    """Count paths and what is special about them."""
    return {
        f"{prefix}paths": len(paths),
        f"{prefix}path_cards": sum(len(path) for path in paths),
        f"{prefix}longest": max([len(path) for path in paths], default=0),
        f"{prefix}mono": len([path for path in paths if is_paid_double(path, rules)]),
        f"{prefix}starts_one": len([path for path in paths if path[0].value == 1]),
        f"{prefix}ends_top": len([path for path in paths if path[-1].value == rules.values]),
    }


def neighbours(cell: Cell) -> list[Cell]:
    """Give the four cells that touch a cell."""
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def in_reading_order(cells: Iterable[Cell]) -> list[Cell]:
    """Sort cells from the top row down, each row from the left; y points up."""
    return sorted(cells, key=lambda cell: (-cell[1], cell[0]))


def hand_sum(species: str, seat: int, hands: Sequence[Sequence[Card]], rules: Rules) -> int:
    """Add up the hand cards of a species, the highest value as the rule for the 8 has it (R11, R12)."""
    total = 0
    for card in hands[seat]:
        if card.species != species:
            continue
        if card.value == rules.values:
            others = [other for s, hand in enumerate(hands) if s != seat for other in hand]
            if rules.eight_rule == "always_zero":
                continue
            if rules.eight_rule == "one_cancels" and Card(species, 1) in others:
                continue
        total += card.value
    return total


def rights(species: str, hands: Sequence[Sequence[Card]], rules: Rules) -> list[bool]:
    """Say for each seat whether it has the right to score a species (R11)."""
    if rules.right == "always":
        return [True for _ in hands]
    if rules.right == "most_cards":
        claims = [len([card for card in hand if card.species == species]) for hand in hands]
    else:
        claims = [hand_sum(species, seat, hands, rules) for seat in range(len(hands))]
    highest = [claim == max(claims) for claim in claims]
    is_held = any(card.species == species for hand in hands for card in hand)
    if rules.tied_right == "nobody" and is_held and sum(highest) > 1:
        return [False for _ in hands]
    return highest


def rising_paths(board: Board) -> Iterator[list[Cell]]:
    """Give every way through adjacent cards of strictly increasing value, single cards included (R13)."""

    def go_on(path: list[Cell]) -> Iterator[list[Cell]]:
        yield path
        for cell in neighbours(path[-1]):
            if cell in board and board[cell].value > board[path[-1]].value:
                yield from go_on([*path, cell])

    for cell in board:
        yield from go_on([cell])


def is_paid_double(path: Sequence[Card], rules: Rules) -> bool:
    """Say whether a path is long enough and of one species (R14)."""
    return rules.mono_bonus and len(path) >= rules.mono_min and len({card.species for card in path}) == 1


def path_points(path: Sequence[Card], rules: Rules) -> int:
    """Give the points of one rising path whose ends are of one species (R14)."""
    if len(path) < max(2, rules.min_path):
        return 0
    points = len(path)
    if is_paid_double(path, rules):
        points += len(path)
    if path[0].value == 1:
        points += rules.one_bonus
    if path[-1].value == rules.values:
        points += rules.top_bonus
    return points


def best_path(species: str, board: Board, rules: Rules) -> tuple[int, list[Cell]]:
    """Give the points and cells of the best path of a species.

    Of several the longest; then one that is paid double, one that starts on a 1, one that ends on the highest value;
    then the one whose cells, from its start on, come first in reading order.
    """
    best: tuple[int, list[Cell]] = (0, [])
    best_key: tuple[int, ...] = ()
    for path in rising_paths(board):
        cards = [board[cell] for cell in path]
        if cards[0].species != species or cards[-1].species != species:
            continue
        points = path_points(cards, rules)
        if points == 0:
            continue
        special = (is_paid_double(cards, rules), cards[0].value == 1, cards[-1].value == rules.values)
        key = (points, len(path), *special)
        if key > best_key or (key == best_key and [(-y, x) for x, y in path] < [(-y, x) for x, y in best[1]]):
            best, best_key = (points, path), key
    return best


def score(
    players: int, rules: Rules, boards: Sequence[Board], hands: Sequence[Sequence[Card]]
) -> ReferenceScore:
    """Score arboretums and hands."""
    letters = [LETTERS[code] for code in rules.species_codes(players)]
    seats = range(players)
    who = {letter: rights(letter, hands, rules) for letter in letters}
    best = [{letter: best_path(letter, boards[seat], rules) for letter in letters} for seat in seats]
    scored = [
        {letter: best[seat][letter][0] if who[letter][seat] else 0 for letter in letters} for seat in seats
    ]
    totals = [sum(scored[seat].values()) for seat in seats]
    kinds = [len({card.species for card in boards[seat].values()}) for seat in seats]
    leaders = [seat for seat in seats if totals[seat] == max(totals)]
    winners = [seat for seat in leaders if kinds[seat] == max(kinds[leader] for leader in leaders)]
    return ReferenceScore(
        sums=[{letter: hand_sum(letter, seat, hands, rules) for letter in letters} for seat in seats],
        rights=[{letter: who[letter][seat] for letter in letters} for seat in seats],
        points=[{letter: best[seat][letter][0] for letter in letters} for seat in seats],
        paths=[{letter: best[seat][letter][1] for letter in letters} for seat in seats],
        scored=scored,
        totals=totals,
        kinds=kinds,
        winners=winners,
    )
