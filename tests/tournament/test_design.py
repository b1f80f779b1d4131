"""Who meets whom, and how often."""

import math
from itertools import combinations

import pytest

from arbosim.core.errors import UserError
from arbosim.tournament.design import LIMIT, meetings, schedule


def names(count: int) -> list[str]:
    return [f"s{number:03d}" for number in range(count)]


@pytest.mark.parametrize(("count", "players"), [(2, 2), (12, 2), (7, 3), (4, 4), (12, 4)])
def test_a_round_robin_has_every_line_up_of_different_strategies_once(count, players):
    design = schedule(names(count), players)
    assert list(design.line_ups) == list(combinations(range(count), players))
    assert not design.is_sample
    assert not design.note


def test_two_players_are_never_sampled_because_every_pair_must_meet():
    design = schedule(names(60), 2)
    assert len(design.line_ups) == math.comb(60, 2) > LIMIT
    assert not design.is_sample


@pytest.mark.parametrize(
    ("count", "players"),
    [(20, 3), (21, 3), (25, 3), (30, 3), (40, 3), (14, 4), (15, 4), (17, 4), (24, 4), (30, 4)],
)
def test_a_sample_lets_every_pair_meet_equally_often(count, players):
    design = schedule(names(count), players, seed=5)
    fewest, most = meetings(design.line_ups, range(count))
    assert fewest == most >= 1
    assert design.is_sample
    assert len(set(design.line_ups)) == len(design.line_ups) <= LIMIT
    assert all(list(table) == sorted(set(table)) and len(table) == players for table in design.line_ups)
    assert f"each pair meets {most} times" in design.note


def test_where_no_exact_sample_is_found_the_nearest_says_so():
    design = schedule(names(60), 4, seed=3)
    fewest, most = meetings(design.line_ups, range(60))
    assert 1 <= fewest <= most <= fewest + 2
    assert f"{fewest} to {most} times" in design.note


def test_the_seed_decides_the_sample():
    assert schedule(names(20), 3, seed=1) == schedule(names(20), 3, seed=1)
    assert schedule(names(20), 3, seed=1).line_ups != schedule(names(20), 3, seed=2).line_ups


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_focus_of_a_gauntlet_sits_at_every_table(players):
    design = schedule(names(6), players, "gauntlet", ["s003"])
    assert len(design.line_ups) == math.comb(5, players - 1)
    assert all(3 in table and len(set(table)) == players for table in design.line_ups)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_gauntlet_may_have_two_in_its_focus(players):
    design = schedule(names(6), players, "gauntlet", ["s003", "s001"])
    assert len(design.line_ups) == math.comb(4, players - 2)
    assert all({1, 3} <= set(table) and len(set(table)) == players for table in design.line_ups)


def test_a_large_gauntlet_is_sampled_too():
    design = schedule(names(22), 4, "gauntlet", ["s000"], seed=1)
    others = [tuple(entrant for entrant in table if entrant) for table in design.line_ups]
    fewest, most = meetings(others, range(1, 22))
    assert design.is_sample
    assert fewest == most


def test_self_play_seats_one_strategy_everywhere():
    assert schedule(names(2), 3, "self-play").line_ups == ((0, 0, 0), (1, 1, 1))
    assert schedule(names(1), 2, "self-play").line_ups == ((0, 0),)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((names(1), 2), "at least 2 different strategies, not 1"),
        ((names(3), 4), "at least 4 different strategies, not 3"),
        ((names(3), 2, "gauntlet"), "needs focus"),
        ((names(3), 2, "gauntlet", ["s04"]), "did you mean"),
        ((names(3), 2, "gauntlet", ["s000", "s000"]), "different strategies sit at every table"),
        ((names(3), 2, "gauntlet", names(3)), "up to 2 different strategies"),
        ((names(3), 2, "round-robin", ["s001"]), "focus belongs to"),
        ((names(3), 2, "round-robbin"), "did you mean 'round-robin'"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused_with_the_reason(arguments, message):
    with pytest.raises(UserError, match=message):
        schedule(*arguments)
