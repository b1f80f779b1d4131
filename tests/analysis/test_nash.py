"""Equilibria: known games, clones, and that no other equilibrium is more even."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from arbosim.analysis.nash import equilibria

ROCK = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def of(game):
    return equilibria(np.asarray(game, float)[None])[0]


def antisymmetric(size, values):
    game = np.zeros((size, size))
    game[np.triu_indices(size, 1)] = values
    return game - game.T


def entropy(mass):
    return -(mass * np.log(np.where(mass > 0, mass, 1))).sum()


@st.composite
def small_games(draw):
    """Games of small whole numbers, of which many have several equilibria."""
    size = draw(st.integers(1, 6))
    pairs = size * (size - 1) // 2
    return antisymmetric(size, draw(st.lists(st.integers(-2, 2), min_size=pairs, max_size=pairs)))


def test_rock_paper_scissors_is_even():
    assert of(ROCK) == pytest.approx([1 / 3] * 3)


def test_a_lopsided_circle_is_played_by_what_the_others_win():
    assert of(antisymmetric(3, [2, -1, 3])) == pytest.approx([3 / 6, 1 / 6, 2 / 6])


def test_a_clone_takes_nothing_from_the_others():
    order = [0, 1, 2, 2, 2]
    assert of(ROCK[np.ix_(order, order)]) == pytest.approx([1 / 3, 1 / 3, 1 / 9, 1 / 9, 1 / 9], abs=1e-6)


def test_what_loses_to_all_is_not_played():
    game = np.zeros((4, 4))
    game[:3, :3] = ROCK
    game[:3, 3], game[3, :3] = 0.01, -0.01
    assert of(game) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert of(antisymmetric(3, [1, 2, 1])) == pytest.approx([1, 0, 0])


def test_where_all_are_equal_all_are_played():
    assert of(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    assert of(np.zeros((1, 1))) == pytest.approx([1])


def test_a_tie_at_the_top_may_be_bounded_by_a_third():
    """Both first strategies are equal, and the third holds if less than half of the first is played."""
    even = of(antisymmetric(3, [0, 1, 1]))
    assert even == pytest.approx([0.5, 0.5, 0], abs=1e-6)
    bounded = of(antisymmetric(3, [0, 1, -3]))
    assert bounded == pytest.approx([0.75, 0.25, 0], abs=1e-6)


def test_sizes_of_numbers_do_not_matter():
    rng = np.random.default_rng(1)
    game = antisymmetric(7, rng.normal(size=21))
    for size in (1e-6, 1e6):
        assert of(game * size) == pytest.approx(of(game), abs=1e-9)


def test_games_side_by_side_are_those_alone():
    rng = np.random.default_rng(2)
    base = antisymmetric(9, rng.normal(size=36))
    games = np.stack([base + antisymmetric(9, 0.3 * rng.normal(size=36)) for _ in range(40)])
    together = equilibria(games)
    assert len({tuple(mass > 1e-9) for mass in together}) > 1
    for game, mass in zip(games, together, strict=True):
        assert of(game) == pytest.approx(mass, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(small_games(), st.randoms(use_true_random=False))
def test_nothing_beats_it_and_names_do_not_matter(game, chance):
    mass = of(game)
    assert mass.sum() == pytest.approx(1)
    assert mass.min() >= 0
    assert (mass @ game).min() > -1e-6
    order = list(range(len(game)))
    chance.shuffle(order)
    assert of(game[np.ix_(order, order)]) == pytest.approx(mass[order], abs=1e-5)


@settings(max_examples=40, deadline=None)
@given(small_games(), st.integers(0, 2**32 - 1))
def test_no_other_equilibrium_is_more_even(game, seed):
    mass, size = of(game), len(game)
    cost = np.random.default_rng(seed).normal(size=size)
    other = linprog(cost, A_ub=-game.T, b_ub=np.zeros(size), A_eq=np.ones((1, size)), b_eq=[1]).x
    for part in (0.01, 0.1, 0.5, 1.0):
        assert entropy(mass) >= entropy((1 - part) * mass + part * other) - 1e-7
