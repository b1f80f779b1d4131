"""The sequential test and the confidence sequence: published numbers, error rates, and deals that are all alike."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.analysis.sequential import (
    EXTRA,
    NORMALISED,
    Gsprt,
    confidence_sequence,
    elo,
    log_likelihood_ratio,
    looks,
    most_likely,
    normalised_elo,
    radius,
)

PENTANOMIAL = np.arange(5) / 4


def test_the_vector_that_fishtest_publishes():
    # raw statistics of a test on montytest.muzhen.org, bounds 0 and 4, with the results of fishtest itself
    pairs = np.array([13, 37, 50, 25, 3])
    assert Gsprt(0, 4).llr(PENTANOMIAL, pairs, games=2) == pytest.approx(-0.54912, abs=5e-6)
    found = normalised_elo(np.repeat(PENTANOMIAL, pairs), games=2)
    assert found is not None
    assert found[0] == pytest.approx(-63.97, abs=0.005)


def test_bounds_are_those_of_wald():
    assert Gsprt().bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Gsprt(alpha=0.01, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.99), math.log(80)))


@given(
    weights=st.lists(st.integers(0, 60), min_size=5, max_size=5).filter(any),
    t=st.floats(-2, 2),
)
def test_the_most_likely_distribution_fulfils_the_hypothesis_and_beats_its_neighbours(weights, t):
    shares = (np.array(weights) + 1e-4) / (sum(weights) + 5e-4)
    found = most_likely(PENTANOMIAL, shares, t)
    mean = found @ PENTANOMIAL
    sd = math.sqrt(found @ (PENTANOMIAL - mean) ** 2)
    assert (found > 0).all()
    assert found.sum() == pytest.approx(1)
    assert mean - 0.5 == pytest.approx(t * sd, abs=1e-6)
    # directions that keep sum and constraint to first order must not raise the likelihood to first order
    slope = PENTANOMIAL - 0.5 - 0.5 * t * (sd + (PENTANOMIAL - mean) ** 2 / sd)
    across = np.linalg.svd(np.array([np.ones(5), slope]))[2][2:]
    gradient = shares / found
    assert np.abs(across @ gradient).max() <= 1e-4 * np.abs(gradient).max()


def test_large_samples_agree_with_the_closed_form():
    # N / 2 ln((1 + (t - t0)^2) / (1 + (t - t1)^2)) differs in second order of t only (Van den Bergh 2020)
    deals = np.array([1000, 4000, 5800, 4100, 1100])
    scores = np.repeat(PENTANOMIAL, deals)
    t = (scores.mean() - 0.5) / scores.std()
    t0, t1 = 0.0, 0.02
    closed = deals.sum() / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
    assert log_likelihood_ratio(PENTANOMIAL, deals, t0, t1) == pytest.approx(closed, rel=0.02)


def test_the_second_strategy_sees_the_mirror_image():
    deals = np.array([13, 37, 50, 25, 3])
    there, back = Gsprt(0, 4).llr(PENTANOMIAL, deals, 2), Gsprt(-4, 0).llr(PENTANOMIAL, deals[::-1], 2)
    assert there == pytest.approx(-back)


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_deals_that_are_all_alike_decide_neither_at_once_nor_by_nothing(score):
    ratios = [Gsprt().llr(np.array([score]), np.array([deals]), 2) for deals in (1, 32, 1000, 30_000)]
    low, high = Gsprt().bounds
    assert np.isfinite(ratios).all()
    assert low < ratios[0] < high
    assert low < ratios[1] < high
    # what wins everything is stronger, its equal is not, and both take some deals to show
    assert (ratios[-1] > high) if score == 1 else (ratios[-1] < low)
    assert ratios == sorted(ratios, reverse=score < 1)


def test_a_strategy_against_its_equal_is_midway_between_hypotheses_that_are():
    assert Gsprt(-5, 5).llr(np.array([0.5]), np.array([10**6]), 2) == pytest.approx(0, abs=1e-6)


def decide(rule: Gsprt, truth: np.ndarray, rng: np.random.Generator) -> str:
    """Play deals with these probabilities of the five scores, until the test ends."""
    counts, before = np.zeros(5, np.int64), 0
    low, high = rule.bounds
    for deals in looks(20_000):
        counts += rng.multinomial(deals - before, truth)
        before = deals
        ratio = rule.llr(PENTANOMIAL, counts, games=2)
        if not low < ratio < high:
            return "H1" if ratio >= high else "H0"
    return "undecided"


@pytest.mark.parametrize("shape", [(12, 20, 36, 20, 12), (2, 4, 10, 20, 64), (2, 6, 84, 6, 2)])
@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_errors_are_as_rare_as_was_asked(shape, truth):
    # 200 tests with an error rate of 0.05 err more than 21 times with a probability of 0.0005
    rule = Gsprt(0, 40)
    t = (rule.elo0 if truth == "H0" else rule.elo1) * math.sqrt(2) / NORMALISED
    probabilities = most_likely(PENTANOMIAL, np.array(shape) / sum(shape), t)
    rng = np.random.default_rng(20261130)
    decisions = [decide(rule, probabilities, rng) for _ in range(200)]
    assert sum(decision != truth for decision in decisions) <= 21
    assert "undecided" not in decisions


@pytest.mark.parametrize(
    ("scores", "probabilities"),
    [
        ([0, 0.25, 0.5, 0.75, 1], [0.12, 0.2, 0.36, 0.2, 0.12]),
        ([0, 0.5, 1], [0.02, 0.06, 0.92]),
        ([0, 1], [0.01, 0.99]),
        ([0, 0.5, 1], [0.004, 0.99, 0.006]),
    ],
)
def test_a_confidence_sequence_holds_at_all_times_as_often_as_it_says(scores, probabilities):
    # 400 sequences that fail with a probability of 0.05 fail more than 35 times with a probability of 0.0006
    rng = np.random.default_rng(20261201)
    mean = float(np.dot(scores, probabilities))
    missed = 0
    for _ in range(400):
        low, high = confidence_sequence(rng.choice(scores, size=3000, p=probabilities))
        missed += bool(((mean < low) | (mean > high)).any())
    assert missed <= 35


def test_an_ordinary_interval_does_not_hold_at_all_times():
    # so that the test above can fail: looked at after every deal, an interval for one look misses every third time
    rng = np.random.default_rng(20261202)
    missed = 0
    for _ in range(200):
        values = rng.choice(PENTANOMIAL, size=3000)
        count = np.arange(1, 3001)
        mean = np.cumsum(values) / count
        half = 1.96 * np.sqrt(np.maximum(np.cumsum(values**2) / count - mean**2, 0) / count)
        missed += bool((np.abs(mean - 0.5) > half)[31:].any())
    assert missed > 60


def test_a_confidence_sequence_is_the_published_one_and_is_tightest_where_it_is_tuned():
    values = np.random.default_rng(1).random(5000)
    low, high = confidence_sequence(values, span=0)
    rho2 = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05) + 1)) / 1000
    for n in (2, 100, 5000):
        spread = n * rho2 + 1
        half = values[:n].std() * math.sqrt(2 * spread / (n * n * rho2) * math.log(math.sqrt(spread) / 0.05))
        assert (high[n - 1] - low[n - 1]) / 2 == pytest.approx(half)
    at_1000 = [float(radius(1000, tuned_at=tuned)) for tuned in (200, 500, 1000, 2000, 5000)]
    assert min(at_1000) == at_1000[2]


@pytest.mark.parametrize("score", [0.0, 1 / 3, 0.5, 1.0])
def test_blocks_that_are_all_alike_leave_room_for_what_was_not_seen(score):
    low, high = confidence_sequence(np.full(2000, score))
    count = np.arange(1, 2001)
    assert high - score == pytest.approx(score - low)
    assert (high - low) / 2 == pytest.approx(np.sqrt(EXTRA / 4) / np.sqrt(count) * radius(count))
    # the exact bound for a value that never came in n blocks
    assert ((high - score) >= 1 - 0.05 ** (1 / count)).all()
    assert high[-1] - low[-1] < 0.01


def test_no_values_give_no_bounds():
    low, high = confidence_sequence(np.array([]))
    assert len(low) == len(high) == 0


@given(last=st.integers(1, 10**7))
def test_looks_depend_on_the_number_of_deals_alone_and_end_with_the_last(last):
    found = list(looks(last))
    assert found[-1] == last
    assert found == sorted(set(found))
    assert [deals for deals in looks(10**7) if deals < last] == found[:-1]
    assert len(found) < 260


def test_normalised_elo_has_the_spread_that_its_influences_say():
    # 400 estimates; their sd is known within 10 % (three standard errors), as is the mean of the predicted ones
    rng = np.random.default_rng(3)
    estimates, predicted = [], []
    for _ in range(400):
        found = normalised_elo(rng.choice(PENTANOMIAL, size=500, p=[0.02, 0.04, 0.1, 0.2, 0.64]), games=2)
        assert found is not None
        assert found[1].mean() == pytest.approx(0, abs=1e-9)
        estimates.append(found[0])
        predicted.append(found[1].std() / math.sqrt(500))
    assert np.std(estimates) == pytest.approx(np.mean(predicted), rel=0.12)
    assert normalised_elo(np.ones(20), games=2) is None


def test_elo_has_no_bound_where_everything_is_won():
    assert elo(0.5) == 0
    assert elo(1.0) is None
    assert elo(0.0) is None
    assert elo(10 / 11) == pytest.approx(400)
