"""Intervals: against other implementations, and where the usual formula would lie."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from arbosim.analysis import stats


def test_equal_blocks_give_the_t_interval_of_their_means():
    rng = np.random.default_rng(1)
    wins = rng.integers(0, 5, 50)
    games = np.full(50, 4)
    found = stats.share(wins, games, deals=50)
    means = wins / games
    low, high = scipy_stats.t.interval(0.95, 49, means.mean(), scipy_stats.sem(means))
    assert (found.value, found.low, found.high) == pytest.approx((means.mean(), low, high))


def test_blocks_of_different_size_are_weighted_by_their_games():
    found = stats.share(np.array([2.0, 1.0, 0.5]), np.array([4, 2, 1]), deals=3)
    assert found.value == pytest.approx(0.5)
    skewed = stats.share(np.array([4.0, 0.0, 0.0]), np.array([4, 1, 1]), deals=3)
    assert skewed.value == pytest.approx(4 / 6)


def test_blocks_without_games_do_not_count():
    some = stats.share(np.array([1.0, 0, 2.0, 0]), np.array([2, 0, 2, 0]), deals=2)
    assert some == stats.share(np.array([1.0, 2.0]), np.array([2, 2]), deals=2)


@pytest.mark.parametrize("deals", [1, 2, 10, 1000])
@pytest.mark.parametrize("wins", [0.0, 1.0])
def test_where_all_is_won_or_lost_the_exact_binomial_interval_stands_in(deals, wins):
    found = stats.share(np.full(deals, 2 * wins), np.full(deals, 2), deals)
    expected = scipy_stats.binomtest(int(wins * deals), deals).proportion_ci(method="exact")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_a_share_that_is_the_same_in_all_deals_is_off_by_what_unseen_deals_could_add():
    # one chance in 40 to see none of 2.43 % otherwise in 150 deals; those would be won or lost altogether
    unseen = 1 - 0.025 ** (1 / 150)
    half = stats.share(np.ones(150), np.full(150, 2), 150)
    assert (half.low, half.high) == pytest.approx((0.5 - 0.5 * unseen, 0.5 + 0.5 * unseen))
    none = stats.difference(np.ones(150), np.full(150, 2), np.ones(150), np.full(150, 2), 150)
    assert (none.value, none.low, none.high) == pytest.approx((0, -unseen, unseen))
    one = stats.share(np.ones(1), np.full(1, 2), 1)
    assert (one.low, one.high) == pytest.approx((0.0125, 0.9875))
    # a thousand blocks of many deals each: deals might make up for each other within a block, unless all is won
    blocks = (np.full(1000, 5000.0), np.full(1000, 10_000))
    assert stats.share(*blocks, 5_000_000).high == pytest.approx(0.5 + 0.5 * (1 - 0.025 ** (1 / 1000)))
    assert stats.share(blocks[1], blocks[1], 5_000_000).low == pytest.approx(0.025 ** (1 / 5_000_000))


def test_the_interval_of_what_is_alike_covers_the_truth():
    # the worst case: deals that are 0.5, and a few of 1, as many as 20 deals are likely to miss
    rng = np.random.default_rng(5)
    for odd in (0.1, 0.2):
        covered = 0
        for _ in range(300):
            won = np.where(rng.random(20) < odd, 1.0, 0.5)
            if (won == 0.5).all():
                found = stats.share(won, np.ones(20), 20)
                covered += found.low <= 0.5 + odd / 2 <= found.high
            else:
                covered += 1
        assert covered / 300 > 0.95


def test_no_games_give_no_estimate():
    nothing = stats.Interval(None, None, None)
    assert stats.share(np.zeros(3), np.zeros(3), deals=0) == nothing
    assert stats.mean(np.zeros(3), np.zeros(3)) == nothing
    assert stats.difference(np.zeros(3), np.zeros(3), np.ones(3), np.ones(3), 3) == nothing


def test_an_unbounded_mean_without_spread_has_no_bounds():
    one = stats.mean(np.array([3.0]), np.array([2]))
    many = stats.mean(np.full(50, 3.0), np.full(50, 2))
    assert (one, many) == (
        stats.Interval(1.5, None, None),
        stats.Interval(1.5, None, None, alike=True),
    )
    assert (one.text(), many.text()) == ("1.5000 (too few deals)", "1.5000 (all deals alike)")


def test_a_difference_is_paired_block_by_block():
    rng = np.random.default_rng(2)
    luck = rng.random(200)
    a, b, games = luck + 0.1, luck, np.ones(200)
    a = a + rng.normal(0, 0.001, 200)
    paired = stats.difference(a, games, b, games, 200)
    assert paired.value == pytest.approx(0.1, abs=0.001)
    assert paired.high - paired.low < 0.001  # the luck that both share is gone
    low, high = scipy_stats.t.interval(0.95, 199, (a - b).mean(), scipy_stats.sem(a - b))
    assert (paired.low, paired.high) == pytest.approx((low, high))


def test_the_interval_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        # two games a deal that depend on each other through its luck
        chance = np.clip(rng.normal(0.6, 0.25, 40), 0, 1)
        wins = (rng.random((2, 40)) < chance).sum(axis=0)
        found = stats.share(wins, np.full(40, 2), 40)
        covered += found.low <= 0.588 <= found.high
    assert 0.90 < covered / 400 < 0.99


def test_quantiles_are_those_of_student():
    for freedom in (1, 2, 10, 999):
        assert stats.t_quantile(freedom) == pytest.approx(scipy_stats.t.ppf(0.975, freedom))
    assert not math.isnan(stats.t_quantile(1))
