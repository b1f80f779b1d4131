"""Ratings: as often right as they say, and silent where too little was played."""

import json
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from arbosim.analysis import frames
from arbosim.analysis.deals import Blocks
from arbosim.analysis.ratings import ELO
from arbosim.analysis.standings import Standings, Totals
from tests.analysis.made import make_rows, play_orders, row_dtype, rows_of

NAMES = ["ant", "bee", "cat", "dog", "eel"]
TIES = np.array([0.0, -2.0, -4.0, -6.0])


def standings(made: list, players: int, deals: int, names: list = NAMES) -> Standings:
    totals = Totals(names, players, Blocks([(7, 0, deals)]))
    for line_up, rows in made:
        totals.add(7, line_up, rows)
    return totals.standings()


def simulated(
    rng: np.random.Generator, strengths: np.ndarray, players: int, deals: int, luck: float
) -> Standings:
    names, seats = NAMES[: len(strengths)], np.linspace(0.15, -0.15, players)
    made = []
    for line_up in combinations(range(len(strengths)), players):
        order = play_orders(rng, line_up, deals, strengths, seats, TIES, luck)
        made.append((tuple(names[one] for one in line_up), rows_of(order)))
    return standings(made, players, deals, names)


def by_name(table: Standings) -> dict:
    return {row.strategy: row for row in table.rows}


@pytest.mark.parametrize(
    ("strengths", "players", "deals", "luck"),
    [
        ((1.0, 0.0, -1.0), 2, 12, 0.0),
        ((1.0, 0.0, -1.0), 2, 40, 1.5),
        ((3.0, 0.0, -3.0), 2, 20, 0.0),  # now and then one of them wins or loses everything
        ((0.8, 0.0, -0.3, -0.5), 3, 12, 1.0),
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(strengths, players, deals, luck):
    """Of 200 simulations; the bounds are passed by chance in 1 of 10,000 cases for each strategy."""
    rng = np.random.default_rng(11)
    truth = np.array(strengths) - np.mean(strengths)
    if luck:  # what the deals do makes strengths count for less: the truth is what very many deals say
        many = by_name(simulated(rng, np.array(strengths), players, 4000, luck))
        truth = np.array([many[name].rating for name in NAMES[: len(truth)]]) / ELO
    held = np.zeros(len(truth))
    for _ in range(200):
        rows = by_name(simulated(rng, np.array(strengths), players, deals, luck))
        for number, value in enumerate(truth * ELO):
            row = rows[NAMES[number]]
            held[number] += row.rating_low <= value <= row.rating_high
    assert (held >= scipy_stats.binom.ppf(1e-4, 200, 0.95)).all()
    assert held.mean() < 199.5  # nor are they so wide that they say nothing


def ranks(table: Standings) -> dict:
    return dict(zip((row.strategy for row in table.rows), table.ratings.ranks, strict=True))


def test_ranks_of_ratings_are_shared_where_the_deals_do_not_decide():
    rng = np.random.default_rng(16)
    strengths = np.array([1.0, 0.0, 0.0, -1.0])
    assert ranks(simulated(rng, strengths, 2, 400, 0.0)) == {"ant": 1, "bee": 2, "cat": 2, "dog": 4}
    assert set(ranks(simulated(rng, strengths, 2, 3, 0.0)).values()) == {1}
    assert set(ranks(simulated(rng, strengths, 2, 1, 0.0)).values()) == {1}


def test_equally_strong_strategies_get_different_ranks_in_at_most_one_of_twenty_runs():
    """Of 200 simulations; more are passed by chance in 1 of 10,000 cases."""
    rng = np.random.default_rng(17)
    wrong = sum(max(ranks(simulated(rng, np.zeros(4), 2, 20, 1.0)).values()) > 1 for _ in range(200))
    assert wrong <= scipy_stats.binom.ppf(1 - 1e-4, 200, 0.05)


def test_a_strategy_with_few_deals_is_ranked_by_them_and_the_others_by_theirs():
    rng = np.random.default_rng(18)
    strengths, seats = np.array([1.0, 0.0, 1.0]), np.zeros(2)

    def played(line_up, deals):
        order = play_orders(rng, line_up, deals, strengths, seats, TIES)
        return tuple(NAMES[one] for one in line_up), rows_of(order)

    table = standings([played((0, 1), 200), played((1, 2), 4)], 2, 200, NAMES[:3])
    found = ranks(table)
    assert (found["ant"], found["bee"], found["cat"]) == (1, 2, 1)


def test_a_seat_that_helps_is_found_and_strategies_in_it_are_not_praised():
    rng = np.random.default_rng(12)
    table = simulated(rng, np.array([0.5, 0.0, -0.5]), 2, 600, 0.0)
    first, second = table.ratings.seats
    assert first.low < 0.15 * ELO < first.high
    assert (second.low, second.value, second.high) == pytest.approx((-first.high, -first.value, -first.low))
    (tie,) = table.ratings.ties
    assert tie.low < math.exp(-2) < tie.high


def test_more_games_of_the_same_kind_leave_ratings_and_narrow_intervals():
    rng = np.random.default_rng(13)
    order = play_orders(rng, (0, 1), 100, np.array([0.4, -0.4]), np.zeros(2), TIES)
    once = standings([(("ant", "bee"), rows_of(order))], 2, 100, NAMES[:2]).rows[0]
    again = standings([(("ant", "bee"), rows_of(np.tile(order, (9, 1, 1))))], 2, 900, NAMES[:2]).rows[0]
    assert again.rating == pytest.approx(once.rating, rel=0.02)
    assert again.rating_high - again.rating == pytest.approx((once.rating_high - once.rating) / 3, rel=0.02)


@pytest.mark.parametrize("deals", [2, 3, 10, 1000])
def test_who_wins_everything_gets_a_finite_and_wide_interval(deals):
    order = np.zeros((deals, 2, 2), int)
    order[..., 0] = 1
    rows = by_name(standings([(("ant", "bee"), rows_of(order))], 2, deals, NAMES[:2]))
    ant, bee = rows["ant"], rows["bee"]
    assert 0 < ant.rating < ant.rating_high < math.inf
    assert (bee.rating, bee.rating_high) == pytest.approx((-ant.rating, -ant.rating_low))
    odds = 10 ** ((ant.rating_low - bee.rating_high) / 400)
    # what the exact interval for so many games without a loss allows is not ruled out either
    lowest = scipy_stats.binomtest(2 * deals, 2 * deals).proportion_ci(method="exact").low
    assert odds < lowest / (1 - lowest)


def test_one_deal_is_too_few():
    rows = by_name(
        standings([(("ant", "bee"), make_rows(2, 0, 1, np.random.default_rng(1)))], 2, 1, NAMES[:2])
    )
    assert rows["ant"].rating is not None
    assert rows["ant"].rating_low is rows["ant"].rating_high is None


def test_a_strategy_with_few_deals_makes_all_intervals_wide():
    """An interrupted run: the pool's mean hangs on it."""
    rng = np.random.default_rng(14)
    full = [(("ant", "bee"), make_rows(2, 0, 40, rng))]
    short = [(("ant", "cat"), make_rows(2, 0, 2, rng))]
    alone, more = (by_name(standings(made, 2, 40, NAMES[:3]))["ant"] for made in (full, full + short))
    assert more.rating_high - more.rating > 2 * (alone.rating_high - alone.rating)
    (one,) = [(("ant", "cat"), make_rows(2, 0, 1, rng))]
    assert by_name(standings([*full, one], 2, 40, NAMES[:3]))["ant"].rating_high is None


def test_only_who_met_others_is_rated():
    rng = np.random.default_rng(15)
    made = [(("ant", "bee"), make_rows(2, 0, 20, rng)), (("cat", "cat"), make_rows(2, 0, 20, rng))]
    rows = by_name(standings(made, 2, 20))
    assert [name for name in NAMES if rows[name].rating is not None] == ["ant", "bee"]
    assert {name for name, rank in ranks(standings(made, 2, 20)).items() if rank} == {"ant", "bee"}
    assert rows["ant"].rating == pytest.approx(-rows["bee"].rating)
    alone = [row for row in standings(made, 2, 20).rows if row.strategy not in ("ant", "bee")]
    assert [row.rank for row in alone] == [
        3
    ] * 3  # who met nobody else is not compared, and comes after all others


def test_groups_that_never_met_are_not_rated():
    rng = np.random.default_rng(16)
    made = [(pair, make_rows(2, 0, 20, rng)) for pair in (("ant", "bee"), ("cat", "dog"))]
    assert [row.rating for row in standings(made, 2, 20, NAMES[:4]).rows] == [None] * 4
    through = [*made, (("bee", "cat"), make_rows(2, 0, 20, rng))]
    assert None not in [row.rating for row in standings(through, 2, 20, NAMES[:4]).rows]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_self_play_rates_the_seats_alone(players):
    rng = np.random.default_rng(17)
    table = standings([(("ant",) * players, make_rows(players, 0, 50, rng))], players, 50, ["ant"])
    assert table.rows[0].rating is None
    assert sum(seat.value for seat in table.ratings.seats) == pytest.approx(0, abs=1e-9)
    assert all(seat.low < 0 < seat.high for seat in table.ratings.seats)


def test_nothing_was_played():
    table = standings([], 2, 5)
    assert [row.rating for row in table.rows] == [None] * 5
    assert len(frames.ratings(table)) == 5
    json.dumps(table.to_json(), allow_nan=False)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("what", ["all tie", "all forfeit", "seat 0 wins"])
def test_monotonous_results_are_rated_without_a_warning(players, what):
    deals = 12
    rows = np.zeros(deals * players, row_dtype(players))
    rows["deal"], rows["rotation"] = np.arange(len(rows)) // players, np.arange(len(rows)) % players
    rows["winners"] = 2**players - 1
    if what == "all forfeit":  # whoever sits on seat 0
        rows["error"] = 1
    if what == "seat 0 wins":
        rows["score_0"] = 1
    names = NAMES[:players]
    table = standings([(tuple(names), rows)], players, deals, names)
    for row in table.rows:
        assert row.rating == pytest.approx(0, abs=1e-6)
        assert row.rating_low < 0 < row.rating_high < 1000
    assert {row.rank for row in table.rows} == {1}


@settings(max_examples=60, deadline=None)
@given(data=st.data(), players=st.integers(2, 4), deals=st.integers(1, 4))
def test_whatever_happened_the_numbers_are_finite_and_add_up(data, players, deals):
    names = NAMES[: players + 1]
    line_ups = data.draw(st.lists(st.sampled_from(list(combinations(names, players))), unique=True))
    places = st.lists(st.integers(0, 2), min_size=deals * players**2, max_size=deals * players**2)
    made = [
        (line_up, rows_of(np.array(data.draw(places)).reshape(deals, players, players)))
        for line_up in line_ups
    ]
    table = standings(made, players, deals, names)
    json.dumps(table.to_json(), allow_nan=False)
    ratings = [row.rating for row in table.rows if row.rating is not None]
    assert sum(ratings) == pytest.approx(0, abs=1e-6)
    for row in table.rows:
        assert row.rating_low is None or row.rating_low < row.rating < row.rating_high
        assert (row.rating_low is None) == (row.rating_high is None)
    for interval in (*table.ratings.seats, *table.ratings.ties):
        assert interval.value is None or math.isfinite(interval.value)
        assert interval.high is None or math.isfinite(interval.high)
    assert frames.ratings(table)["rating"].dropna().is_monotonic_decreasing
    assert not frames.pairs(table.pairs)[["first", "second", "games", "deals"]].isna().any(axis=None)
