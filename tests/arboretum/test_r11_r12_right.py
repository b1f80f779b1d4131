"""R11 and R12: who has the right to score a species."""

import pytest

from arbosim.games.arboretum.cards import Card
from tests.arboretum.judges import Judge, cards, row, rules

pytestmark = pytest.mark.jitoff


def right(judge: Judge, *hands: str, **changes: object) -> str:
    """Name the players A, B, C that have the right, from their hands' values of one species."""
    held = [[Card("O", int(value)) for value in hand.split()] for hand in hands]
    score = judge.score([{} for _ in hands], held, rules(species="CDJLGMO", **changes))
    return "".join(name for name, rights in zip("ABCD", score.rights, strict=False) if rights["O"])


@pytest.mark.parametrize(
    ("hands", "holders"),
    [
        (["8", "1", "5"], "C"),
        (["8 1", "", "5"], "A"),
        (["8", "", "7"], "A"),
        (["8 2", "1", "2"], "AC"),
        (["8 3", "1 2"], "AB"),
        (["8 3", "1 2", ""], "AB"),
        (["", "", ""], "ABC"),
        (["3", "3"], "AB"),
        (["", "1"], "B"),
        (["7", "8", "1", ""], "A"),
        (["", "", "", ""], "ABCD"),
    ],
)
def test_r11_r12_golden_rights(judge: Judge, hands: list[str], holders: str) -> None:
    assert right(judge, *hands) == holders


def test_r11_it_is_the_sum_not_the_number_of_cards(judge: Judge) -> None:
    assert right(judge, "1 2 3", "7") == "B"


def test_r11_a_species_that_nobody_holds_is_scored_by_all(judge: Judge) -> None:
    score = judge.score([row("C1 C8"), row("C3 C4")], [[], []])
    assert score.totals == [5, 2]


def test_r12_the_one_still_counts_one(judge: Judge) -> None:
    score = judge.score([{}, {}], [cards("C8"), cards("C1")])
    assert [sums["C"] for sums in score.sums] == [0, 1]


def test_r12_ones_own_1_never_hurts_ones_own_8(judge: Judge) -> None:
    score = judge.score([{}, {}], [cards("C8 C1"), cards("C5")])
    assert [sums["C"] for sums in score.sums] == [9, 5]


def test_r12_a_1_in_an_arboretum_does_nothing(judge: Judge) -> None:
    score = judge.score([{}, row("C1")], [cards("C8"), cards("C7")])
    assert [sums["C"] for sums in score.sums] == [8, 7]


def test_r12_a_1_of_another_species_does_nothing(judge: Judge) -> None:
    score = judge.score([{}, {}], [cards("C8"), cards("M1 C7")])
    assert [sums["C"] for sums in score.sums] == [8, 7]


def test_r12_a_zeroed_8_never_ties_at_0(judge: Judge) -> None:
    assert right(judge, "8", "1", "") == "B"


def test_r12_with_other_values_the_8_is_the_highest_value(judge: Judge) -> None:
    assert right(judge, "10", "1", "5", values=10) == "C"
    assert right(judge, "8", "1", "5", values=10) == "A"
    assert right(judge, "5", "1", "2", values=5) == "C"


def test_r12_variant_the_rule_switched_off(judge: Judge) -> None:
    assert right(judge, "8", "1", "5", eight_rule="off") == "A"


def test_r12_variant_the_8_always_counts_0(judge: Judge) -> None:
    assert right(judge, "8", "", "", eight_rule="always_zero") == "ABC"  # a lone 8 ties with empty hands
    assert right(judge, "8 1", "", "5", eight_rule="always_zero") == "C"
    assert right(judge, "8 1", "", eight_rule="always_zero") == "A"


def test_r11_variant_most_cards(judge: Judge) -> None:
    assert right(judge, "1 2", "8", right="most_cards") == "A"
    assert right(judge, "8", "1", right="most_cards") == "AB"  # the rule for the 8 is about sums
    assert right(judge, "", "", right="most_cards") == "AB"
    score = judge.score([{}, {}], [cards("C8 C2"), cards("C1")], rules(right="most_cards"))
    assert [sums["C"] for sums in score.sums] == [2, 1]  # the sum after the rule for the 8 all the same


def test_r11_variant_always(judge: Judge) -> None:
    assert right(judge, "1 2", "8", "", right="always") == "ABC"
    assert right(judge, "1 2", "8", "", right="always", tied_right="nobody") == "ABC"


def test_r11_variant_of_ties_nobody_scores(judge: Judge) -> None:
    assert right(judge, "3 4", "7", "6", tied_right="nobody") == ""
    assert right(judge, "", "", tied_right="nobody") == "AB"
    assert right(judge, "8", "", tied_right="nobody", eight_rule="always_zero") == ""
    assert right(judge, "8", "", tied_right="all", eight_rule="always_zero") == "AB"
    assert right(judge, "7", "6", "6", tied_right="nobody") == "A"
    assert right(judge, "1 2", "8 3", "", tied_right="nobody", right="most_cards") == ""
