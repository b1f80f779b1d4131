"""Cycles: known circles are found, ladders have none, and what chance adds is taken off."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arbosim.analysis import cycles
from arbosim.analysis.deals import Blocks
from tests.analysis.made import ladder, pairs


def test_logits_are_antisymmetric_and_finite():
    above = np.array([[0, 20, 5], [0, 0, 10], [15, 10, 0]])
    met = np.full((3, 3), 10)
    found = cycles.logits(above, met)
    assert found[0, 1] == pytest.approx(np.log(10.5 / 0.5))
    assert found[1, 2] == 0
    assert found == pytest.approx(-found.T)


@settings(max_examples=50, deadline=None)
@given(arrays(float, (5, 5), elements=st.floats(-5, 5)))
def test_the_parts_are_those_of_the_definition(values):
    game = np.triu(values, 1) - np.triu(values, 1).T
    means = game.mean(axis=1)
    steps = means[:, None] - means
    ladder_part, cyclic_part = cycles.split(game)
    assert ladder_part == pytest.approx((steps**2).sum(), abs=1e-9)
    assert cyclic_part == pytest.approx(((game - steps) ** 2).sum(), abs=1e-9)


def test_the_noise_is_what_chance_adds_on_average():
    """Over 100 samples the mean of what chance added is within 4 standard errors of the mean estimate."""
    rng = np.random.default_rng(1)
    share = ladder(6, 0.3)
    truth = cycles.split(np.log(share / (1 - share)))
    added, expected = [], []
    for _ in range(100):
        above, met = pairs(share, 200, rng)
        parts = cycles.split(cycles.logits(above.sum(axis=2), met.sum(axis=2)))
        added.append(np.subtract(parts, truth))
        expected.append(cycles.noise(above, met))
    error = np.std(added, axis=0) / 10
    assert np.all(np.abs(np.mean(added, axis=0) - np.mean(expected, axis=0)) < 4 * error)


def test_a_share_of_nothing_is_nothing():
    assert cycles.cyclic_share(np.zeros((3, 3)), 0, 0) == 0
    assert cycles.cyclic_share(np.ones((2, 2)) - 1, 1, 1) == 0


def test_ladders_have_no_cycles():
    """60 ladders of equal or nearly equal strategies: a cycle in at most one of twenty, so in 8 or fewer (P > 0.99)."""
    rng = np.random.default_rng(2)
    names = list("abcdef")
    wrong = 0
    for number in range(60):
        above, met = pairs(ladder(6, 0.05 * (number % 3)), 100, rng)
        wrong += bool(cycles.significant_cycles(names, above, met, Blocks([(7, 0, 100)])))
    assert wrong <= 8


def test_two_circles_are_found_once_each_the_clearest_first():
    share = np.full((6, 6), 0.5)
    for a, b, value in [(0, 1, 0.7), (1, 2, 0.7), (2, 0, 0.7), (3, 5, 0.8), (5, 4, 0.8), (4, 3, 0.8)]:
        share[a, b], share[b, a] = value, 1 - value
    above, met = pairs(share, 400, np.random.default_rng(3))
    found = cycles.significant_cycles(list("abcdef"), above, met, Blocks([(7, 0, 400)]))
    assert [(each.first, each.second, each.third) for each in found] == [("d", "f", "e"), ("a", "b", "c")]
    assert found[0].above == pytest.approx((0.8, 0.8, 0.8), abs=0.05)
    assert found[0].p_holm < 1e-6
