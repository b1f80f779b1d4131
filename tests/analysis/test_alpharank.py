"""alpha-rank: a chain worked out by hand, another way to solve it, and no selection pressure that breaks it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arbosim.analysis.alpharank import alpha_rank, stationary

LADDER = np.array([[0.5, 1, 1], [0, 0.5, 1], [0, 0, 0.5]])


def directly(payoffs, alpha, population):
    """Write the chain down as the paper does, and take the eigenvector of eigenvalue 1."""
    size = len(payoffs)
    chain = np.zeros((size, size))
    for resident in range(size):
        for mutant in range(size):
            if mutant != resident:
                u = alpha * (payoffs[mutant, resident] - payoffs[resident, mutant])
                fixed = 1 / population if u == 0 else (1 - np.exp(-u)) / (1 - np.exp(-population * u))
                chain[resident, mutant] = fixed / (size - 1)
        chain[resident, resident] = 1 - chain[resident].sum()
    values, vectors = np.linalg.eig(chain.T)
    mass = np.real(vectors[:, np.argmin(np.abs(values - 1))])
    return mass / mass.sum()


def test_a_ladder_of_three_is_what_it_is_by_hand():
    """In a population of two a mutant takes over with 1 / (1 + exp(-u)): 3/4 upwards and 1/4 downwards.

    So a : 1/2 a = 3/4 (b + c) gives a = 3/5, and b = 1/4 a + 3/4 c gives b = 9/35.
    """
    found = alpha_rank(LADDER, alpha=np.log(3), population=2)
    assert found == pytest.approx([21 / 35, 9 / 35, 5 / 35], rel=1e-12)


def test_two_strategies_share_time_by_their_advantage():
    u = 10 * (0.505 - 0.495)
    strong, weak = alpha_rank(np.array([[0.5, 0.505], [0.495, 0.5]]), alpha=10, population=50)
    assert strong / weak == pytest.approx(np.exp(49 * u))
    assert strong / weak == pytest.approx(134, abs=1)


@pytest.mark.parametrize("alpha", [0.01, 1, 5])
def test_it_is_the_eigenvector_of_the_chain(alpha):
    rng = np.random.default_rng(1)
    payoffs = rng.uniform(0.3, 0.7, (8, 8))
    payoffs[2, 3] = payoffs[3, 2] = 0.5
    assert alpha_rank(payoffs, alpha, 20) == pytest.approx(directly(payoffs, alpha, 20), abs=1e-9)


@pytest.mark.parametrize("alpha", [100, 1e4, 1e6])
def test_it_is_finite_under_any_pressure(alpha):
    assert alpha_rank(LADDER, alpha) == pytest.approx([1, 0, 0])
    circle = np.array([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]])
    assert alpha_rank(circle, alpha) == pytest.approx([1 / 3] * 3)
    many = np.random.default_rng(2).uniform(0, 1, (3, 20, 20))
    assert np.isfinite(alpha_rank(many, alpha)).all()


def test_problems_side_by_side_are_those_alone():
    several = np.random.default_rng(3).uniform(0, 1, (4, 6, 6))
    together = alpha_rank(several)
    for payoffs, mass in zip(several, together, strict=True):
        assert alpha_rank(payoffs) == pytest.approx(mass)


def test_one_state_is_always_there():
    assert stationary(np.zeros((1, 1))) == [1.0]


@settings(max_examples=60, deadline=None)
@given(
    arrays(float, (5, 5), elements=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])),
    st.permutations(range(5)),
    st.sampled_from([0.1, 10.0, 100.0]),
)
def test_masses_sum_to_one_and_names_do_not_matter(payoffs, order, alpha):
    mass = alpha_rank(payoffs, alpha)
    assert mass.sum() == pytest.approx(1)
    assert mass.min() >= 0
    assert alpha_rank(payoffs[np.ix_(order, order)], alpha) == pytest.approx(mass[order], abs=1e-9)
