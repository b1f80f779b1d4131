"""Effects of variants: none is found where there is none, a known one is, and interval and p-value agree."""

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest

import arbosim
from arbosim.analysis import effects
from arbosim.analysis.balance import METRICS, Estimates, Sample, metrics
from arbosim.analysis.deals import Blocks
from tests.analysis.made import ladder, rows_of
from tests.analysis.test_balance import GAME, sample

ALL = metrics(GAME)
STUDIES, DEALS = 200, 20


@pytest.fixture(scope="module")
def null_effects():
    """200 studies of a variant that changes nothing, each on 20 fresh deals for either rule set."""
    results = arbosim.run(
        ["greedy", "hoarder", "random"], deals=2 * STUDIES * DEALS, seed=5, jobs=1, course=True
    )
    state = results.manifest
    samples = [
        Sample(
            state.specs,
            2,
            Blocks([(state.seed, first, DEALS)]),
            GAME,
            GAME.rules(None, state.rules),
        )
        for first in range(0, state.deals, DEALS)
    ]
    for seed, line_up, rows in results.batches():
        at = rows["deal"] // DEALS
        for number in np.unique(at):
            samples[number].add(seed, line_up, rows[at == number])
    estimates = [each.estimate() for each in samples]
    return [
        effects.compare({"base": one, "other": other}, ALL)
        for one, other in zip(estimates[::2], estimates[1::2], strict=True)
    ]


def test_on_fresh_deals_nothing_is_found_more_often_than_the_level_says(null_effects):
    """Of 200 studies at most 20 find anything at 5 % (P > 0.998), after Holm over all metrics of a study."""
    assert {each.metric for each in null_effects[0]} == set(ALL)
    assert sum(any(each.significant for each in study) for study in null_effects) <= 20


def test_no_single_metric_is_found_more_often_than_the_level_says(null_effects):
    """Of 200 tests at 5 % at most 24 reject; P > 0.999 for all metrics and subjects together."""
    found = Counter(
        (each.metric, each.subject) for study in null_effects for each in study if each.p_value < 0.05
    )
    assert len(found) > 10
    assert max(found.values()) <= 24
    strict = Counter(
        (each.metric, each.subject) for study in null_effects for each in study if each.p_value < 0.01
    )
    assert max(strict.values()) <= 10  # of 200 at 1 %: P > 0.999 for all of them together


def test_interval_and_p_value_agree(null_effects):
    for study in null_effects:
        for each in study:
            assert each.low <= each.difference <= each.high
            assert (each.low <= 0 <= each.high) == (each.p_value >= 0.05), each


def test_a_relabelled_rule_set_differs_by_exactly_0_on_the_same_deals():
    run = {"deals": 30, "seed": 2, "jobs": 1, "course": True}
    names = ["greedy", "hoarder", "random"]
    base = sample(arbosim.run(names, **run)).estimate()
    same = sample(arbosim.run(names, rules={"species": "CDJMOR"}, **run)).estimate()
    found = effects.compare({"base": base, "same": same}, ALL)
    assert {each.metric for each in found} == set(ALL)
    for each in found:
        assert (each.difference, each.low, each.high, each.p_value) == (0, 0, 0, 1)
        assert (each.p_holm, each.significant) == (1, False)


@cache
def self_play(extra_card, deals, deals_from=0):
    """Return estimates of hoarder against itself, with one more card for some seats."""
    rules = {"extra_card": extra_card}
    results = arbosim.run(
        ["hoarder"], deals=deals, deals_from=deals_from, seed=3, jobs=1, schedule="self-play", rules=rules
    )
    return sample(results).estimate(["first_seat", "turns"])


@pytest.mark.parametrize("deals_from", [0, 1500], ids=["same deals", "other deals"])
def test_a_card_more_for_the_second_seat_is_found_with_its_sign(deals_from):
    """By some 11 points the first seat wins less; 1500 deals have a standard error of 2 points."""
    runs = {"base": self_play("none", 1500), "second": self_play("all_but_first", 1500, deals_from)}
    effect = {each.metric: each for each in effects.compare(runs, ALL)}
    assert effect["first_seat"].high < 0
    assert effect["first_seat"].significant
    assert effect["turns"].high < 0  # as the deck is shorter


def test_a_card_more_is_found_on_the_seat_that_has_it():
    """With as short a deck for either, the first seat wins 3 to 4 points more for it; the standard error is 1."""
    runs = {seats: self_play(seats, 4000) for seats in ("all_but_first", "first")}
    first_seat, turns = effects.compare(runs, ALL, base="all_but_first")
    assert first_seat.low > 0
    assert first_seat.significant
    assert not turns.significant


def of_shares(share, deals, first):
    """Return estimates of three strategies that finish above each other in such shares of games."""
    rng = np.random.default_rng(first)
    found = Sample("abc", 2, Blocks([(1, first, deals)]))
    for one, other in combinations(range(3), 2):
        above = rng.random((deals, 2)) < share[one][other]
        order = np.stack([above, ~above], axis=2).astype(int)
        found.add(1, ["abc"[one], "abc"[other]], rows_of(order, first))
    return found.estimate(["effective_strategies", "cyclic_share", "lead_deals"])


@pytest.mark.parametrize("first", [0, 1000], ids=["same deals", "other deals"])
def test_a_circle_instead_of_a_ladder_is_found(first):
    runs = {
        "base": of_shares(ladder(3, 0.8), 1000, 0),
        "circle": of_shares([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]], 1000, first),
    }
    effective, cyclic, lead = effects.compare(runs, METRICS)
    assert (effective.base, effective.value) == pytest.approx((1, 3), abs=0.1)
    assert (cyclic.base, cyclic.value) == pytest.approx((0, 1), abs=0.05)
    assert effective.significant
    assert cyclic.significant
    # one wins 0.4 more a game, two games a deal, each with a variance of 1 - 0.4^2
    expected = 1.645**2 * (2 * (1 - 0.4**2)) / (2 * 0.4) ** 2
    assert lead.value == pytest.approx(expected, rel=0.15)


def made(values, source=((1, 0, 100),), blocks=100, seed=0, spread=1.0):
    """Return estimates of a metric whose replicates have that spread."""
    noise = np.random.default_rng(seed).normal(0, spread, 1000)
    drawn = {("margin", ""): np.concatenate([[values], values + noise])} if blocks >= 10 else {
        ("margin", ""): np.array([values])
    }  # fmt: skip
    return Estimates(drawn, {}, source, blocks, blocks)


def test_samples_on_the_same_deals_are_paired_and_others_are_not():
    one, same, other = made(5.0), made(6.0), made(6.0, ((1, 100, 200),), seed=1)
    paired = effects.compare({"base": one, "v": same}, METRICS)[0]
    apart = effects.compare({"base": one, "v": other}, METRICS)[0]
    assert (paired.low, paired.high) == (1, 1)
    assert paired.p_value == 0.5**99
    width = 2 * 1.984 * np.sqrt(2) * np.sqrt(100 / 99)
    assert apart.high - apart.low == pytest.approx(width, rel=0.1)


def test_effects_of_effects_add_up():
    base, one = made(5.0), made(6.0)
    again, other = made(3.0, seed=2), made(7.0, seed=3)
    terms = [(1, one), (-1, base), (-1, other), (1, again)]
    assert effects.contrast(terms, ("margin", ""), METRICS["margin"]).value == pytest.approx(-3)


def test_deals_that_are_shared_in_part_are_refused():
    with pytest.raises(ValueError, match="or none in common"):
        effects.compare({"base": made(5.0), "v": made(6.0, ((1, 50, 150),))}, METRICS)


def test_too_few_deals_give_neither_bounds_nor_p_values():
    few = {"base": made(5.0, ((1, 0, 9),), 9), "v": made(6.0, ((1, 0, 9),), 9)}
    effect = effects.compare(few, METRICS)[0]
    assert effect.difference == 1
    assert (effect.low, effect.high, effect.p_value, effect.p_holm) == (None,) * 4
    assert not effect.significant
    value = effects.values(few, METRICS)[0]
    assert (value.value, value.low, value.high) == (5, None, None)


def test_bounds_are_never_beyond_what_is_possible():
    base, variant = made(0.1), made(0.3, ((2, 0, 100),), seed=1)
    value = effects.values({"base": base}, METRICS)[0]
    assert value.low == 0
    assert value.high > 1
    shares = {
        name: Estimates({("ties", ""): each.values["margin", ""]}, {}, each.source, 100, 100)
        for name, each in {"base": base, "v": variant}.items()
    }
    effect = effects.compare(shares, METRICS)[0]
    assert (effect.low, effect.high) == (-1, 1)


def test_a_share_that_is_the_same_in_all_deals_has_the_exact_interval():
    never = Estimates({("ties", ""): np.zeros(1001)}, {}, ((1, 0, 100),), 100, 100)
    value = effects.values({"base": never}, METRICS)[0]
    assert (value.value, value.low) == (0, 0)
    assert value.high == pytest.approx(1 - 0.025 ** (1 / 100))


def test_holm_counts_all_effects_with_a_p_value():
    found = effects.compare({"base": made(5.0), "v": made(5.0), "w": made(5.0, ((2, 0, 9),), 9)}, METRICS)
    assert [each.p_holm for each in found] == [1, None]
    several = effects.holm([effects.Effect("v", "m", "", 0, 1, 1, 0, 2, p, 100) for p in (0.02, 0.03, 0.6)])
    assert [each.p_holm for each in several] == pytest.approx([0.06, 0.06, 0.6])
