"""What strategies are among each other, from sums by block and from runs."""

import json

import numpy as np
import pytest

import arbosim
from arbosim.analysis import cycles
from arbosim.analysis import meta as module
from arbosim.analysis.deals import Blocks
from arbosim.analysis.meta import meta
from arbosim.core.errors import UserError
from tests.analysis.made import ladder, pairs

CIRCLE = np.array([[0.5, 0.6, 0.4], [0.4, 0.5, 0.6], [0.6, 0.4, 0.5]])


def of(share, blocks=400, seed=1, names=None, **given):
    above, met = pairs(np.asarray(share), blocks, np.random.default_rng(seed))
    names = names or [chr(97 + number) for number in range(len(share))]
    return meta(names, above, met, Blocks([(7, 0, blocks)]), 7, **{"alpha": 10.0, "population": 50} | given)


def masses(frame):
    return dict(zip(frame["strategy"], frame["mass"], strict=True))


def test_rock_paper_scissors_is_one_circle_of_three():
    found = of(CIRCLE, 1000)
    for frame in (found.alpha_rank, found.nash, found.lottery):
        assert frame["mass"].sum() == pytest.approx(1)
        assert frame["mass"].to_numpy() == pytest.approx([1 / 3] * 3, abs=0.1)
        assert (frame["support"] == 1).all()
        assert (frame["low"] < frame["mean"]).all()
        assert (frame["mean"] < frame["high"]).all()
    assert found.cyclic.low > 0.9
    assert found.effective.value == pytest.approx(3, abs=0.1)
    assert len(found.cycles) == 1
    assert tuple(found.cycles.loc[0, ["first", "second", "third"]]) == ("a", "b", "c")
    assert "a > b > c > a" in str(found)


def test_a_ladder_looks_cyclic_only_until_the_noise_is_taken_off():
    """The interval holds 0 in each of 5 ladders, and the mean share falls to a quarter at most."""
    found = [of(ladder(7, 0.2), 100, seed) for seed in range(5)]
    raw = np.mean([each.raw_cyclic for each in found])
    corrected = np.mean([each.cyclic.value for each in found])
    assert raw > 0.02
    assert corrected < raw / 4
    assert all(each.cyclic.low == 0 for each in found)
    assert all(each.found == () for each in found)


def test_what_dominates_is_all_there_is():
    found = of(ladder(5, 1.0))
    for frame in (found.alpha_rank, found.nash, found.lottery):
        assert masses(frame)["a"] == pytest.approx(1)
        assert frame["strategy"][0] == "a"
        assert frame["low"][0] > 0.99
    assert (found.effective.value, found.effective.low, found.effective.high) == pytest.approx((1, 1, 1))


def test_a_clone_shares_what_its_original_had():
    above, met = pairs(CIRCLE, 400, np.random.default_rng(2))
    order = [0, 1, 2, 2]
    above, met = above[np.ix_(order, order)], met[np.ix_(order, order)]
    above[2, 3] = above[3, 2] = met[2, 3] = met[3, 2] = 2
    alone = of(CIRCLE, 400, 2)
    found = meta(["a", "b", "c", "d"], above, met, Blocks([(7, 0, 400)]), 7, alpha=10, population=50)
    for name in ("nash", "lottery"):
        before, after = masses(getattr(alone, name)), masses(getattr(found, name))
        assert after["c"] == pytest.approx(after["d"], abs=1e-5)
        assert after["c"] + after["d"] == pytest.approx(before["c"], abs=1e-5)
        assert after["a"] == pytest.approx(before["a"], abs=1e-5)


def test_names_do_not_matter():
    above, met = pairs(ladder(5, 0.05), 400, np.random.default_rng(3))
    names, order = np.array(list("abcde")), np.array([3, 0, 4, 2, 1])
    given = {"blocks": Blocks([(7, 0, 400)]), "seed": 7, "alpha": 10.0, "population": 50}
    one = meta(list(names), above, met, **given)
    other = meta(list(names[order]), above[np.ix_(order, order)], met[np.ix_(order, order)], **given)
    for name in ("alpha_rank", "nash", "lottery"):
        left = getattr(one, name).set_index("strategy").sort_index()
        right = getattr(other, name).set_index("strategy").sort_index()
        assert left.to_numpy() == pytest.approx(right.to_numpy(), abs=1e-6)
    assert one.cyclic.value == pytest.approx(other.cyclic.value)


def test_an_interval_holds_the_truth_about_as_often_as_it_says():
    """A lopsided circle, its masses and cyclic share: of 40 intervals at most 6 miss (P > 0.99 in all)."""
    share = np.array([[0.5, 0.65, 0.4], [0.35, 0.5, 0.6], [0.6, 0.4, 0.5]])
    odds = np.log(share / (1 - share))
    truth = dict(zip("abc", np.array([odds[1, 2], odds[2, 0], odds[0, 1]]), strict=True))
    truth = {name: mass / sum(truth.values()) for name, mass in truth.items()}
    ladder_part, cyclic_part = cycles.split(odds)
    missed = dict.fromkeys(["a", "b", "c", "cyclic"], 0)
    for seed in range(40):
        found = of(share, 300, seed)
        for row in found.masses["nash"]:
            missed[row.strategy] += not row.low <= truth[row.strategy] <= row.high
        expected = cyclic_part / (ladder_part + cyclic_part)
        missed["cyclic"] += not found.cyclic.low <= expected <= found.cyclic.high
    assert max(missed.values()) <= 6


@pytest.mark.parametrize("won", [0, 2, 4])
@pytest.mark.parametrize("blocks", [1, 2, 50])
def test_two_strategies_and_few_deals_give_finite_numbers(won, blocks):
    above, met = np.zeros((2, 2, blocks), int), np.zeros((2, 2, blocks), int)
    above[0, 1], above[1, 0], met[0, 1], met[1, 0] = won, 4 - won, 2, 2
    found = meta(["a", "b"], above, met, Blocks([(7, 0, blocks)]), 7, alpha=100.0, population=50)
    text = str(found)
    assert "nan" not in text + json.dumps(found.to_json()).lower()
    assert found.cyclic.value == 0
    for frame in (found.alpha_rank, found.nash, found.lottery):
        assert frame["mass"].sum() == pytest.approx(1)
        assert frame.notna().all().all()
    row = found.nash.iloc[0]
    if blocks < 10:
        assert (row["low"], row["high"]) == (0, 1)
        assert "too few for intervals" in text
    if won == 2:
        assert row["mass"] == pytest.approx(0.5)
    assert ("won every game" in text) == (won != 2)


def test_the_same_results_give_the_same_intervals():
    assert of(ladder(5, 0.05)) == of(ladder(5, 0.05))


def test_pairs_that_never_met_are_named():
    above, met = pairs(CIRCLE, 20, np.random.default_rng(1))
    met[1, 2] = met[2, 1] = 0
    with pytest.raises(UserError, match=r"1 of 3 never did: b and c .*gauntlet"):
        meta(["a", "b", "c"], above, met, Blocks([(7, 0, 20)]), 7, alpha=10, population=50)
    with pytest.raises(UserError, match="takes two strategies"):
        meta(["a"], above[:1, :1], met[:1, :1], Blocks([(7, 0, 20)]), 7, alpha=10, population=50)


@pytest.mark.parametrize(
    "given", [{"alpha": 0}, {"alpha": float("nan")}, {"alpha": 1e9}, {"population": 1}], ids=str
)
def test_parameters_that_make_no_sense_are_refused(given):
    with pytest.raises(UserError, match=next(iter(given))):
        of(CIRCLE, 20, **given)


def test_a_real_run_has_it(tmp_path, capsys):
    from arbosim.cli.main import main

    folder = tmp_path / "run"
    results = arbosim.run(["random", "greedy", "hoarder"], deals=30, jobs=1, output=folder)
    found = results.meta()
    assert found.nash.loc[0, "strategy"] == "hoarder"
    assert set(found.nash.columns) == {column.name for column in module.MASSES}
    assert list(found.cycles.columns) == [column.name for column in module.CYCLES]
    assert main(["meta", str(folder)]) == 0
    assert capsys.readouterr().out.strip() == str(found)
    assert main(["meta", str(folder), "--json", "--alpha", "5"]) == 0
    assert json.loads(capsys.readouterr().out)["alpha"] == 5
    assert arbosim.load(folder).meta() == found


@pytest.mark.parametrize("schedule", ["gauntlet", "self-play"])
def test_runs_without_all_pairs_say_so(schedule):
    focus = "random" if schedule == "gauntlet" else None
    results = arbosim.run(["random", "greedy", "hoarder"], deals=3, jobs=1, schedule=schedule, focus=focus)
    with pytest.raises(UserError, match="never did: greedy and hoarder"):
        results.meta()


def test_a_run_of_one_deal_has_the_widest_intervals():
    found = arbosim.run(["random", "greedy", "hoarder"], deals=1, players=3, jobs=1).meta()
    assert (found.nash["low"] == 0).all()
    assert (found.nash["high"] == 1).all()
    assert (found.cyclic.low, found.cyclic.high) == (0, 1)
    assert found.cycles.empty
    assert "too few for intervals" in repr(found)
