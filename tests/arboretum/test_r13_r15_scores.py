"""R13 to R15: paths, their points, and who wins."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbosim.games.arboretum.cards import LETTERS, Card
from arbosim.games.arboretum.reference import Board, ReferenceScore, neighbours
from tests.arboretum.judges import Judge, cards, points, row, rules

pytestmark = pytest.mark.jitoff

GOLDEN_ROWS = [
    ("O1 M3 C4 O7", 5),
    ("O1 O2 O3 O4 O5 O6 O7 O8", 19),
    ("O1 O3 O4 O8", 11),
    ("O3 O4 O6 O7", 8),
    ("O3 O4 O7", 3),
    ("O3 C4 O6 O7", 4),
    ("O1 O8", 5),
    ("O1 C2 J3 C4 J5 C6 J7 O8", 11),
    ("O5", 0),
    ("O5 C5 O6", 0),
    ("O1 O4", 3),
]


@pytest.mark.parametrize(("line", "worth"), GOLDEN_ROWS)
def test_r14_golden_rows(judge: Judge, line: str, worth: int) -> None:
    forward = row(line)
    # four species of eight cards beside C, J and M, so that every golden row is a board of a game of two
    variant = rules(species="CJMO")
    for board in [
        forward,
        {(-x, y): card for (x, y), card in forward.items()},
        {(y, x): card for (x, y), card in forward.items()},
        {(y, -x): card for (x, y), card in forward.items()},
    ]:
        assert points(judge, "O", board, variant) == worth


def test_r14_the_longest_path_is_not_always_the_best(judge: Judge) -> None:
    board = row("O2 C3 J4 C5 J6 O7") | {(0, 1): Card("O", 3), (0, 2): Card("O", 4), (0, 3): Card("O", 5)}
    score = judge.score([board, {}], [[], []], rules(species="CJO"))
    assert score.points[0]["O"] == 8
    assert score.paths[0]["O"] == [(0, 0), (0, 1), (0, 2), (0, 3)]


def test_r13_diagonal_neighbours_do_not_touch(judge: Judge) -> None:
    board = {(0, 0): Card("O", 1), (1, 0): Card("C", 8), (1, 1): Card("O", 2)}
    assert points(judge, "O", board, rules(species="CO")) == 0


def test_r13_a_path_may_turn_and_skip_values(judge: Judge) -> None:
    board = {(0, 0): Card("O", 1), (0, 1): Card("C", 3), (1, 1): Card("J", 6), (1, 0): Card("O", 7)}
    assert points(judge, "O", board, rules(species="CJO")) == 5


def test_r13_values_rise_strictly(judge: Judge) -> None:
    assert points(judge, "O", row("O2 C2 O3"), rules(species="CO")) == 0
    assert points(judge, "O", row("O3 C2 O4"), rules(species="CO")) == 0


def test_r13_first_and_last_card_are_of_the_species(judge: Judge) -> None:
    score = judge.score([row("C1 O2 O3 J8"), {}], [[], []], rules(species="CJO"))
    assert {letter: score.points[0][letter] for letter in "CJO"} == {"C": 0, "J": 0, "O": 2}


def test_r13_a_1_alone_and_an_8_alone_are_no_paths(judge: Judge) -> None:
    assert points(judge, "C", row("C1")) == 0
    assert points(judge, "C", row("C8")) == 0


def test_r14_a_card_may_serve_several_species(judge: Judge) -> None:
    score = judge.score([row("C1 D2 C3 D4"), {}], [[], []])
    assert score.points[0]["C"] == 4
    assert score.points[0]["D"] == 3


def test_r14_the_right_without_a_path_scores_0_and_still_denies(judge: Judge) -> None:
    score = judge.score([row("C1 C2"), {}], [[], cards("C5")])
    assert score.scored[0]["C"] == 0
    assert score.points[0]["C"] == 3
    assert score.rights[1]["C"]
    assert score.totals == [0, 0]


def test_r14_no_right_anywhere_and_no_path_is_no_crash(judge: Judge) -> None:
    hands = [[], cards("C8 D8 J8 L8 G8 M8")]
    score = judge.score([row("C1 C2"), {}], hands)
    assert score.totals == [0, 0]
    assert not any(score.rights[0].values())


def test_r14_the_rulebook_example(judge: Judge) -> None:
    clark: Board = {
        (-1, 0): Card("J", 8),
        (-1, 1): Card("O", 6),
        (0, 0): Card("R", 2),
        (0, 1): Card("O", 5),
        (1, -1): Card("R", 6),
        (1, 0): Card("J", 3),
        (1, 1): Card("O", 4),
        (2, 0): Card("M", 6),
        (2, 1): Card("O", 1),
        (-1, -1): Card("W", 2),
    }
    hands = [
        cards("J7 L6 L7 O3 O8 R1 R5"),
        cards("J2 J5 L4 L5 R3 W7 C6"),
        cards("C5 O2 O7 R8 W1 W3 W8"),
    ]
    variant = rules(species="CJLMORW")
    score = judge.score([clark, {}, {}], hands, variant)
    holders = {s: "".join(n for n, r in zip("CJM", score.rights, strict=True) if r[s]) for s in "JLORWC"}
    assert holders == {"J": "CJ", "L": "C", "O": "C", "R": "C", "W": "M", "C": "J"}
    assert [sums["J"] for sums in score.sums] == [7, 7, 0]
    assert [sums["L"] for sums in score.sums] == [13, 9, 0]
    assert [sums["O"] for sums in score.sums] == [11, 0, 9]
    assert [sums["R"] for sums in score.sums] == [6, 3, 0]
    assert score.sums[2]["W"] == 12
    assert {s: score.scored[0][s] for s in "OJR"} == {"O": 9, "J": 7, "R": 3}
    assert score.totals[0] == 19


def test_r14_variants_of_bonuses(judge: Judge) -> None:
    line = row("O1 O3 O4 O8")
    assert points(judge, "O", line, rules(species="CO", mono_bonus=False)) == 7
    assert points(judge, "O", line, rules(species="CO", mono_min=5)) == 7
    assert points(judge, "O", line, rules(species="CO", one_bonus=5, top_bonus=0)) == 13
    assert points(judge, "O", row("O1 O3"), rules(species="CO", mono_min=2)) == 5
    assert points(judge, "O", line, rules(species="CO", values=10)) == 9  # an 8 is not the highest there
    assert points(judge, "O", row("O1 O2 O3 O4 O5 O6 O7 O8 O9 O10"), rules(species="CO", values=10)) == 23


def test_r14_mono_bonus_from_exactly_four_cards(judge: Judge) -> None:
    assert points(judge, "O", row("O2 O3 O4"), rules(species="CO")) == 3
    assert points(judge, "O", row("O2 O3 O4 O5"), rules(species="CO")) == 8


def test_r13_variant_minimum_path_length(judge: Judge) -> None:
    variant = rules(species="CDO", min_path=3)
    assert points(judge, "O", row("O1 O8"), variant) == 0
    assert points(judge, "O", row("O1 C4 O8"), variant) == 6
    # a longer way round counts where the short cut is too short
    board = {(0, 0): Card("O", 1), (1, 0): Card("O", 5), (0, 1): Card("C", 2), (1, 1): Card("D", 3)}
    assert points(judge, "O", board, variant) == 5
    assert points(judge, "O", board, rules(species="CDO", min_path=5)) == 0
    assert points(judge, "O", row("O1 O2 O3 O4"), rules(species="CDO", min_path=5)) == 0


def test_r13_a_long_arboretum_leaves_no_grid(judge: Judge) -> None:
    variant = rules(species=12, values=10)
    line = [Card(letter, value) for letter in LETTERS[:6] for value in range(1, 11)]
    for board in [
        {(i, 0): card for i, card in enumerate(line)},
        {(-i, 0): card for i, card in enumerate(line)},
        {(0, i): card for i, card in enumerate(line)},
        {(1000, 5000 - i): card for i, card in enumerate(line)},
    ]:
        score = judge.score([board, {}], [[], []], variant)
        assert score.totals[0] == 6 * 23


@pytest.mark.parametrize(
    ("boards", "winners"),
    [
        (["C1 C2", "D1 D2 D3"], [1]),  # the highest total
        (["C1 C2", "D1 D2"], [0, 1]),  # equal in everything: a shared win
        (["C1 C2 J1", "D1 D2"], [0]),  # more species in the arboretum
        (["C1 C2", "D1 D2 J8"], [1]),
        (["C1 C2 J5", "D1 D2 J3", "L1 L2"], [0, 1]),
        (["C1 C2", "D3 J1 G1 L1", "L1 L2"], [0, 2]),  # kinds count among the tied only
    ],
)
def test_r15_highest_total_then_most_species(judge: Judge, boards: list[str], winners: list[int]) -> None:
    score = judge.score([row(board) for board in boards], [[] for _ in boards])
    assert score.winners == winners


def test_r15_the_species_in_hand_do_not_break_ties(judge: Judge) -> None:
    score = judge.score([row("C1 C2"), row("D1 D2")], [cards("J8 L8 G8 M8"), []])
    assert score.winners == [0, 1]
    assert score.kinds == [1, 1]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Board], list[list[Card]]]:
    """Draw two arboretums and hands of a standard game."""
    shuffled = draw(st.permutations([Card(letter, value) for letter in "CDJLGM" for value in range(1, 9)]))
    rng = draw(st.randoms(use_true_random=False))
    boards = []
    taken = 0
    for _ in range(2):
        size = draw(st.integers(0, 17))
        boards.append(grow(list(shuffled[taken : taken + size]), rng))
        taken += size
    return boards, [list(shuffled[taken : taken + 7]), list(shuffled[taken + 7 : taken + 14])]


def grow(some: list[Card], rng: random.Random) -> Board:
    """Lay cards at random, as crowded as chance has it."""
    board: Board = {}
    for card in some:
        cells = sorted({c for cell in board for c in neighbours(cell) if c not in board}) or [(0, 0)]
        board[rng.choice(cells)] = card
    return board


def outcome(score: ReferenceScore) -> object:
    return score.totals, score.kinds, score.winners


@given(tables(), st.permutations("CDJLGM"))
@settings(max_examples=60, deadline=None)
def test_r1_relabelling_species_changes_nothing(
    judge: Judge, table: tuple[list[Board], list[list[Card]]], letters: list[str]
) -> None:
    boards, hands = table
    new = dict(zip("CDJLGM", letters, strict=True))
    again = judge.score(
        [{cell: Card(new[card.species], card.value) for cell, card in board.items()} for board in boards],
        [[Card(new[card.species], card.value) for card in hand] for hand in hands],
    )
    before = judge.score(boards, hands)
    assert outcome(again) == outcome(before)
    assert [{new[s]: p for s, p in points.items()} for points in before.points] == again.points


@given(tables(), st.integers(-30, 30), st.integers(-30, 30), st.booleans())
@settings(max_examples=60, deadline=None)
def test_r13_moving_or_turning_an_arboretum_changes_nothing(
    judge: Judge, table: tuple[list[Board], list[list[Card]]], dx: int, dy: int, turn: bool
) -> None:
    boards, hands = table
    moved = [
        {((y + dx, -x + dy) if turn else (x + dx, y + dy)): card for (x, y), card in board.items()}
        for board in boards
    ]
    assert judge.score(moved, hands).points == judge.score(boards, hands).points


@given(tables())
@settings(max_examples=60, deadline=None)
def test_r14_no_path_is_worth_more_than_19(judge: Judge, table: tuple[list[Board], list[list[Card]]]) -> None:
    boards, hands = table
    score = judge.score(boards, hands)
    assert max(max(points.values()) for points in score.points) <= 19
    for seat in range(2):
        assert score.totals[seat] == sum(score.scored[seat].values())
        for species, path in score.paths[seat].items():
            assert bool(path) == (score.points[seat][species] > 0)


@given(tables())
@settings(max_examples=60, deadline=None)
def test_r12_where_an_8_is_zeroed_somebody_has_more_than_0(
    judge: Judge, table: tuple[list[Board], list[list[Card]]]
) -> None:
    boards, hands = table
    score = judge.score(boards, hands)
    for species in "CDJLGM":
        for me, other in [(0, 1), (1, 0)]:
            if Card(species, 8) in hands[me] and Card(species, 1) in hands[other]:
                assert score.sums[other][species] >= 1
                assert score.sums[me][species] == sum(c.value for c in hands[me] if c.species == species) - 8
