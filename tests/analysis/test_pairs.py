"""Pairs and ranks: against scipy and statsmodels, and as seldom wrong as they say."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from arbosim.analysis.deals import Blocks
from arbosim.analysis.pairs import ranks
from arbosim.analysis.standings import Standings, Totals
from arbosim.analysis.stats import difference, difference_p, holm
from tests.analysis.made import make_rows, play_orders, rows_of

NAMES = ["ant", "bee", "cat", "dog"]
TIES = np.array([0.0, -2.0, -4.0, -6.0])


def simulated(rng: np.random.Generator, strengths: np.ndarray, deals: int, players: int = 2) -> Standings:
    totals = Totals(NAMES, players, Blocks([(7, 0, deals)]))
    for line_up in combinations(range(4), players):
        order = play_orders(rng, line_up, deals, strengths, np.zeros(players), TIES, luck=0.7)
        totals.add(7, [NAMES[one] for one in line_up], rows_of(order))
    return totals.standings()


def test_holm_is_that_of_statsmodels():
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(6)
    for count in (1, 2, 5, 30):
        p_values = list(np.round(rng.random(count) ** 3, 2))  # small ones, and some that are equal
        assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


def test_the_p_value_is_that_of_the_t_test_over_deals():
    rng = np.random.default_rng(1)
    a, b, games = rng.integers(0, 5, 60), rng.integers(0, 4, 60), np.full(60, 4)
    expected = scipy_stats.ttest_rel(a / 4, b / 4).pvalue
    assert difference_p(a, games, b, games, 60) == pytest.approx(expected)


@pytest.mark.parametrize("deals", [1, 2, 6, 40])
def test_without_spread_it_is_that_of_the_sign_test(deals):
    won, lost, games = np.full(deals, 2), np.zeros(deals), np.full(deals, 2)
    assert difference_p(won, games, lost, games, deals) == pytest.approx(
        scipy_stats.binomtest(deals, deals).pvalue
    )
    assert difference_p(won, games, won, games, deals) == 1
    # and says the same as the interval
    interval = difference(won, games, lost, games, deals)
    assert (interval.low > 0) == (difference_p(won, games, lost, games, deals) < 0.05)


@pytest.mark.parametrize("deals", [3, 5, 9, 10, 12, 40])
@pytest.mark.parametrize("lead", [0.1, 0.25, 0.5, 1.0])
def test_without_spread_p_value_and_interval_agree_whatever_the_lead(deals, lead):
    won, lost, games = np.full(deals, 1 + lead), np.full(deals, 1 - lead), np.full(deals, 2)
    interval, p_value = (tell(won, games, lost, games, deals) for tell in (difference, difference_p))
    assert (interval.low > 0) == (p_value < 0.05)


def test_a_few_deals_that_are_nearly_alike_prove_nothing():
    won, lost, games = np.array([2, 2, 1.99]), np.zeros(3), np.full(3, 2)
    assert difference_p(won, games, lost, games, 3) == 0.25


def test_no_games_no_p_value():
    nothing, games = np.zeros(3), np.ones(3)
    assert difference_p(nothing, nothing, games, games, 3) is None
    assert holm([]) == []


@pytest.mark.parametrize("players", [2, 3])
def test_equal_strategies_share_a_rank_but_for_five_in_a_hundred_cases(players):
    """Of 150 simulations; where the true rate is 5 %, the bound is passed by chance in 1 of 10,000 cases."""
    rng = np.random.default_rng(2)
    wrong = sum(
        any(row.rank > 1 for row in simulated(rng, np.zeros(4), 25, players).rows) for _ in range(150)
    )
    assert wrong <= scipy_stats.binom.isf(1e-4, 150, 0.05)


def test_ranks_follow_from_who_is_better():
    table = simulated(np.random.default_rng(3), np.array([2.0, 0.0, 0.0, -2.0]), 100)
    assert [row.strategy for row in table.rows][::3] == ["ant", "dog"]
    assert [row.rank for row in table.rows] == [1, 2, 2, 4]
    decided = {(pair.first, pair.second) for pair in table.pairs if pair.is_decided}
    for row in table.rows:
        assert row.rank == 1 + sum(second == row.strategy for _, second in decided)
    shares = [row.win_share for row in table.rows]
    assert shares == sorted(shares, reverse=True)


def test_pairs_agree_with_matrix_and_standings():
    table = simulated(np.random.default_rng(4), np.array([0.5, 0.2, 0.0, -0.7]), 30, 3)
    share = {row.strategy: row.win_share for row in table.rows}
    assert len(table.pairs) == 6
    for pair in table.pairs:
        assert pair.difference == pytest.approx(share[pair.first] - share[pair.second])
        assert pair.difference >= 0
        assert pair.above.value == pytest.approx(table.matrix[pair.first][pair.second])
        assert pair.above.low < pair.above.value < pair.above.high
        assert (pair.games, pair.deals) == (30 * 3 * 2, 30)
        assert pair.p_value <= pair.p_holm <= 1


def test_those_who_never_met_are_compared_by_win_share_alone():
    rng = np.random.default_rng(5)
    totals = Totals(NAMES, 2, Blocks([(7, 0, 20)]))
    for other in NAMES[1:3]:  # a gauntlet; the dog has not played yet
        totals.add(7, ["ant", other], make_rows(2, 0, 20, rng))
    pairs = {frozenset((pair.first, pair.second)): pair for pair in totals.standings().pairs}
    between = pairs[frozenset(("bee", "cat"))]
    assert (between.games, between.deals, between.above.value) == (0, 0, None)
    assert 0 < between.p_value < 1
    absent = pairs[frozenset(("ant", "dog"))]
    assert (absent.difference, absent.p_value, absent.p_holm) == (None, None, None)
    assert totals.standings().rows[-1].strategy == "dog"
    assert totals.standings().rows[-1].rank == 4


def test_one_alone_has_rank_one():
    assert ranks(["ant"], []) == {"ant": 1}


def test_those_with_other_opponents_and_those_who_met_themselves_alone_are_not_compared():
    rng = np.random.default_rng(6)
    totals = Totals(NAMES, 2, Blocks([(7, 0, 200)]))
    totals.add(7, ["ant", "bee"], make_rows(2, 0, 200, rng))
    totals.add(7, ["cat", "cat"], make_rows(2, 0, 200, rng))
    table = totals.standings()
    pairs = {frozenset((pair.first, pair.second)): pair for pair in table.pairs}
    assert pairs[frozenset(("ant", "bee"))].p_value is not None
    assert all(pair.p_value is None for names, pair in pairs.items() if "cat" in names or "dog" in names)
    assert [row.strategy for row in table.rows[2:]] == ["cat", "dog"]
    assert [row.rank for row in table.rows[2:]] == [3, 3]
