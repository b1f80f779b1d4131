"""How many deals a question needs: against numbers from simulation and the plainest formula."""

import math
from dataclasses import replace

import numpy as np
import pytest

import arbosim
from arbosim.analysis.sequential import NORMALISED, Gsprt, looks, most_likely
from arbosim.contest import plan as planning
from arbosim.core.errors import UserError


@pytest.fixture(scope="module")
def needs() -> planning.Needs:
    return arbosim.plan(2, ["hoarder", "greedy"], pilot=200, jobs=1)


def test_the_fixed_size_follows_from_the_deals_of_the_pilot(needs):
    results = arbosim.run(["hoarder", "greedy"], deals=200, jobs=1)
    seats = results.seats[results.seats["strategy"] == "hoarder"]
    scores = seats.groupby("deal")["win"].mean()
    [need] = needs.pairs
    assert need.sd == pytest.approx(scores.std())
    # z(0.975) + z(0.9) = 1.959964 + 1.281552
    assert need.deals == math.ceil((3.241516 * need.sd / 0.02) ** 2)
    assert need.deals_low < need.deals < need.deals_high
    assert need.saved == pytest.approx(1 - 2 * scores.var() / seats["win"].var(ddof=0))
    assert need.normalised_elo == pytest.approx(0.02 / need.sd / math.sqrt(2) * NORMALISED)
    assert list(needs.frame["deals"]) == [need.deals]


def test_a_sequential_test_takes_about_the_deals_that_were_planned(needs):
    # the mean of 150 lengths has a standard error of 5 %; what it overshoots comes on top of Wald's approximation
    [need] = needs.pairs
    scores = np.arange(5) / 4
    rng = np.random.default_rng(12)
    rule = Gsprt(0, 40, 0.05, 0.1)
    t = 40 * math.sqrt(2) / NORMALISED
    truth = most_likely(scores, np.array([0.1, 0.2, 0.4, 0.2, 0.1]), t)
    low, high = rule.bounds
    expected = (0.9 * high + 0.1 * low) / (t**2 / 2)
    lengths = []
    for _ in range(150):
        counts, before = np.zeros(5, np.int64), 0
        for deals in looks(20_000):
            counts += rng.multinomial(deals - before, truth)
            before = deals
            if not low < rule.llr(scores, counts, 2) < high:
                break
        lengths.append(deals)
    assert 0.9 * expected < np.mean(lengths) < 1.35 * expected
    # and the plan scales it to its effect by the same law
    assert need.deals_if_effect == math.ceil((0.9 * high + 0.1 * low) * 2 * (need.sd / 0.02) ** 2)


def test_the_interval_covers_the_spread_of_other_pilots():
    # a 95 % interval of 60 pilots misses more than 8 times with a probability of 0.005
    wide = arbosim.run(["hoarder", "greedy"], deals=6000, jobs=1).seats
    wins = wide[wide["strategy"] == "hoarder"].groupby("deal")["win"].mean().to_numpy()
    missed = 0
    for pilot in wins.reshape(60, 100):
        low, high = planning._sd_interval(pilot)
        missed += not low < wins.std() < high
    assert missed <= 8


def test_all_pairs_are_planned_for_at_larger_tables():
    needs = arbosim.plan(5, ["random", "greedy", "hoarder", "tempo"], players=3, pilot=20, jobs=1)
    assert len(needs.pairs) == 6
    assert {need.games_per_deal for need in needs.pairs} == {6}
    assert [need.deals for need in needs.pairs] == sorted((need.deals for need in needs.pairs), reverse=True)
    assert str(needs).count("against") == 7


def test_a_pilot_whose_deals_are_all_alike_tells_too_little(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clumsy.py").write_text(
        "from arbosim.games.arboretum import api\n\n\nclass Clumsy(api.Strategy):\n"
        '    """Fail."""\n\n    def draw(self, view):\n        raise RuntimeError("no idea")\n\n'
        "    def play(self, view):\n        raise RuntimeError\n\n"
        "    def discard(self, view):\n        raise RuntimeError\n"
    )
    with pytest.warns(UserWarning, match="forfeited"):
        needs = arbosim.plan(1, ["greedy", "clumsy.py"], pilot=10, jobs=1)
    assert (needs.pairs, needs.alike) == ((), (("clumsy.py", "greedy"),))
    assert "all deals of the pilot came out alike" in str(needs)
    assert needs.frame.empty


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"effect": 0}, "effect: must be above 0"),
        ({"effect": 50.1}, "at most 50"),
        ({"effect": 1e-9}, "effect: must be at least 0.01 percentage points, not 1e-09"),
        ({"effect": "2%"}, "effect: must be a number, not '2%'"),
        ({"effect": None}, "effect: must be a number, not None"),
        ({"effect": 10**400}, "effect: must be a number, not 1000"),
        ({"effect": math.nan}, "effect: must be a number, not nan"),
        ({"pilot": "20"}, "pilot: must be at least 10 deals, not '20'"),
        ({"pilot": 20.5}, "pilot: must be at least 10 deals, not 20.5"),
        ({"power": "a"}, "power: must be a number, not 'a'"),
        ({"alpha": None}, "alpha: must be a number, not None"),
        ({"pilot": 9}, "pilot: must be at least 10"),
        ({"power": 0.5}, "power: must lie between"),
        ({"alpha": 0.5}, "alpha: must lie between"),
        ({"strategies": ["greddy", "random"]}, "did you mean 'greedy'"),
    ],
)
def test_wrong_input_is_refused(given, message):
    with pytest.raises(UserError, match=message):
        arbosim.plan(**{"effect": 1, "strategies": ["random", "greedy"], **given})


def test_the_least_effect_is_told_with_all_its_digits_and_what_a_comparison_may_have():
    text = str(arbosim.plan(0.0123, ["hoarder", "greedy"], pilot=20, jobs=1))
    assert "0.0123 percentage points of win share (50.0123 % rather than 50 %)" in text
    assert "no comparison has more than 10,000,000 deals" in text
    assert "two-sided, alpha 0.05" in text
    assert "if there is none; one-sided" in text


def test_the_flags_are_such_as_a_comparison_takes(needs):
    [need] = needs.pairs
    text = str(replace(needs, pairs=(replace(need, normalised_elo=1234.5),)))
    assert "--elo0 0 --elo1 1000 --alpha" in text
    assert "the effect is 1,234 normalised Elo, but --elo1 takes at most 1000" in text
    assert "takes at most" not in str(needs)
