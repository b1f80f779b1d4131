"""Variance components: of made-up results whose truth is known, and of runs."""

import json
from itertools import combinations

import numpy as np
import pytest

import arbosim
from arbosim.analysis import variance as module
from arbosim.analysis.deals import Blocks
from arbosim.analysis.variance import variance
from arbosim.core.errors import UserError
from tests.analysis.made import make_rows, row_dtype

SPECS = ("ant", "bee", "cat")
DEALS = 100


def of(batches, players, deals, seed=7):
    blocks = Blocks([(seed, 0, deals)])
    played = np.ones(blocks.count, bool)
    return variance(((seed, line_up, rows) for line_up, rows in batches), players, blocks, played, seed)


def simulated(players, spread, rng, deals=DEALS):
    """Return rows of all line-ups; a score is 1000 + strategy + seat + deal + rest, rounded.

    ``spread`` holds the strength of SPECS, the value of the seats, and the standard deviations of deal and rest.
    """
    strength, seats, deal_sd, rest_sd = spread
    luck = rng.normal(0, deal_sd, (deals, players))
    made = []
    for line_up in combinations(SPECS, players):
        rows = np.zeros(deals * players, row_dtype(players))
        rows["deal"], rows["rotation"] = np.divmod(np.arange(deals * players), players)
        scores = np.empty((len(rows), players))
        for seat in range(players):
            slot = (seat - rows["rotation"].astype(int)) % players
            mine = np.array([strength[SPECS.index(spec)] for spec in line_up])[slot]
            scores[:, seat] = 1000 + mine + seats[seat] + luck[rows["deal"], seat]
        scores = np.rint(scores + rng.normal(0, rest_sd, scores.shape)).astype(int)
        for seat in range(players):
            rows[f"score_{seat}"] = scores[:, seat]
        best = scores == scores.max(axis=1, keepdims=True)
        rows["winners"] = best @ (1 << np.arange(players))
        made.append((line_up, rows))
    return made


def truth(players, spread):
    """Return the components of the margin: all effects are taken as differences from the mean of their table."""
    strength, seats, deal_sd, rest_sd = spread
    rest_variance = rest_sd**2 + (1 / 12 if rest_sd else 0)
    part = (players - 1) / players
    tables = combinations(strength, players)
    return np.array(
        [
            np.mean([np.var(table) for table in tables]),
            np.var(seats[:players]),
            part * deal_sd**2,
            part * rest_variance,
        ]
    )


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    "spread",
    [([20, 0, -10], [8, 0, 2], 15, 20), ([0, 0, 0], [0, 0, 0], 0, 20), ([5, 0, 0], [0, 0, 0], 40, 5)],
    ids=["all", "rest alone", "mostly cards"],
)
def test_estimates_are_unbiased_and_intervals_hold_the_truth(players, spread):
    """Of 60 samples: means within 4 standard errors, and each 95 % interval misses at most 9 times (P > 0.99)."""
    rng = np.random.default_rng(1)
    expected = truth(players, spread)
    shares = expected / expected.sum()
    found, missed = [], np.zeros(4, int)
    for _ in range(60):
        parts = [
            p for p in of(simulated(players, spread, rng), players, DEALS).parts if p.response == "margin"
        ]
        found.append([part.variance for part in parts])
        missed += [
            not part.low - 1e-9 <= share <= part.high + 1e-9
            for part, share in zip(parts, shares, strict=True)
        ]
        assert sum(part.share for part in parts) == pytest.approx(1)
    error = np.std(found, axis=0) / np.sqrt(60)
    assert np.all(np.abs(np.mean(found, axis=0) - expected) <= 4 * error + 1e-9)
    assert missed.max() <= 9


def test_estimates_below_zero_are_shown_as_zero_and_said_to_be():
    for seed in range(20):
        result = of(simulated(2, ([0, 0, 0], [0, 0, 0], 0, 20), np.random.default_rng(seed), 30), 2, 30)
        below = [part for part in result.parts if part.variance < 0]
        assert all(part.share == 0 for part in below)
        assert str(result).count("estimated below 0") == len(below)
        if below:
            return
    pytest.fail("no estimate was below 0")


def test_duplicates_save_what_the_cards_decide():
    """With two players the ratio is 1 minus the share of the cards, where nothing else is in a deal."""
    spread = ([0, 0, 0], [0, 0, 0], 30, 20)
    result = of(simulated(2, spread, np.random.default_rng(3), 2000), 2, 2000)
    *_, deal, rest = truth(2, spread)
    ratio = result.overall["margin"]
    assert ratio.low < rest / (deal + rest) < ratio.high
    assert ratio.high - ratio.low < 0.1
    rows = result.duplicates[result.duplicates["response"] == "margin"]
    assert list(rows["line_up"]) == ["ant | bee", "ant | cat", "bee | cat"]
    assert rows["ratio"].mean() == pytest.approx(ratio.value, abs=0.02)


def test_the_ratio_is_that_of_the_plain_variances():
    rng = np.random.default_rng(4)
    rows = make_rows(3, 0, 50, rng)
    result = of([(SPECS, rows)], 3, 50)
    scores = np.stack([rows[f"score_{seat}"] for seat in range(3)], axis=1).astype(float)
    margin = (scores - scores.mean(axis=1, keepdims=True)).reshape(50, 3, 3)  # deal, rotation, seat
    by_slot = np.stack(
        [[margin[:, (seat - slot) % 3, seat] for seat in range(3)] for slot in range(3)], axis=0
    )  # slot, seat, deal
    together = by_slot.mean(axis=1).var(axis=1, ddof=1).mean()
    apart = by_slot.var(axis=2, ddof=1).mean() / 3
    row = result.duplicates.set_index("response").loc["margin"]
    assert row["ratio"] == pytest.approx(together / apart)
    assert row["low"] <= row["ratio"] <= row["high"]
    means = by_slot.mean(axis=(1, 2))
    assert row["difference"] == pytest.approx(means.max() - means.min())


def test_the_text_answers_how_much_is_luck():
    made = simulated(2, ([20, 0, -10], [8, 0, 2], 15, 20), np.random.default_rng(8))
    result = of(made, 2, DEALS)
    for response in module.RESPONSES:
        shares = {part.source: part.share for part in result.parts if part.response == response}
        luck = result.unexplained[response]
        assert luck.value == pytest.approx(shares["deal"] + shares["rest"])
        assert luck.low < luck.value < luck.high
        assert f"not explained by who plays and where they sit: {100 * luck.value:.0f} % (" in str(result)
    for gloss in module.GLOSSES.values():
        assert str(result).count(f")   {gloss}") == 2
    assert result.weak == ()
    assert "nearly nothing" not in str(result)


@pytest.mark.parametrize("players", [2, 3])
def test_strategies_that_win_nearly_nothing_are_named(players):
    made = simulated(players, ([20, 0, -200], [0, 0, 0], 15, 20), np.random.default_rng(9))
    result = of(made, players, DEALS)
    assert result.weak == ("cat",)
    assert "cat wins nearly nothing" in str(result)


def test_pieces_and_their_order_change_nothing():
    made = simulated(2, ([9, 0, 0], [1, 0, 0], 5, 9), np.random.default_rng(5))
    pieces = [(line_up, rows[at : at + 26]) for line_up, rows in made for at in range(0, len(rows), 26)]
    assert of(pieces[::-1], 2, DEALS) == of(made, 2, DEALS)


def test_more_deals_than_blocks_are_the_same_estimate():
    rng = np.random.default_rng(6)
    made = simulated(2, ([9, 0, 0], [3, 0, 0], 5, 9), rng, 2500)
    result = of(made, 2, 2500)
    expected = truth(2, ([9, 0, 0], [3, 0, 0], 5, 9))
    for part, variance_ in zip([p for p in result.parts if p.response == "margin"], expected, strict=True):
        assert part.variance == pytest.approx(variance_, abs=4)
        assert part.low <= part.share <= part.high


def test_a_forfeited_game_counts_as_lost_but_has_no_margin():
    rng = np.random.default_rng(7)
    rows = make_rows(2, 0, 40, rng)
    rows["error"][::4], rows["winners"][::4] = 1, 2  # one game of every other deal
    for seat in range(2):
        rows[f"score_{seat}"][::4] = -1
    result = of([(("ant", "bee"), rows)], 2, 40)
    assert list(result.duplicates["deals"]) == [40, 20]
    rows["error"], rows["winners"] = 1 + rows["rotation"], 2 - rows["rotation"]
    result = of([(("ant", "bee"), rows)], 2, 40)
    assert list(result.components["response"].unique()) == ["win"]
    assert "too few deals" in str(result)


@pytest.mark.parametrize("winners", ["ant", "seat 0", "shared"])
@pytest.mark.parametrize("deals", [2, 30])
def test_results_that_never_differ_have_a_plain_answer(winners, deals):
    rows = np.zeros(2 * deals, row_dtype(2))
    rows["deal"], rows["rotation"] = np.divmod(np.arange(2 * deals), 2)
    rows["winners"] = {"ant": 1 + rows["rotation"], "seat 0": 1, "shared": 3}[winners]
    result = of([(("ant", "bee"), rows)], 2, deals)
    shares = {part.source: part.share for part in result.parts if part.response == "win"}
    if winners == "shared":
        assert shares == {}
        assert "win share of a seat in a game: all deals alike" in str(result)
    else:
        assert shares[{"ant": "strategy", "seat 0": "seat"}[winners]] == 1
    assert "nan" not in str(result).lower() + json.dumps(result.to_json()).lower()
    assert ("too few for intervals" in str(result)) == (deals < 10)


def test_one_deal_is_too_few():
    with pytest.raises(UserError, match="too few deals"):
        of([(("ant", "bee"), make_rows(2, 0, 1, np.random.default_rng(1)))], 2, 1)
    with pytest.raises(UserError, match="too few deals"):
        of([], 2, 10)


@pytest.mark.parametrize(("players", "deals"), [(2, 3), (2, 25), (3, 25)])
def test_self_play_of_a_deterministic_strategy_is_the_cards_and_the_seat(players, deals):
    """Whoever sits there plays the same game: the slots differ by exactly 0, on every deal."""
    result = arbosim.run(["hoarder"], deals=deals, players=players, jobs=1, schedule="self-play").variance()
    assert list(result.duplicates["difference"]) == [0.0, 0.0]
    assert list(result.duplicates["ratio"]) == [0.0, 0.0]
    assert result.overall["win"].high == 0
    for response in module.RESPONSES:
        shares = {part.source: part.share for part in result.parts if part.response == response}
        assert shares["strategy"] == shares["rest"] == 0
        assert shares["seat"] + shares["deal"] == pytest.approx(1)
        assert shares["deal"] > 0.5
        for part in result.parts:
            assert (part.low, part.high) == (0, 0) or part.source in ("seat", "deal")
            assert part.high > 0 or part.source in ("strategy", "rest")


def test_self_play_of_a_strategy_with_coins_is_not():
    result = arbosim.run(["greedy"], deals=25, jobs=1, schedule="self-play").variance()
    assert (result.duplicates["ratio"] > 0).all()
    assert all(part.high > 0 for part in result.parts if part.source == "rest")
    assert (result.components.set_index(["response", "source"]).loc[[("margin", "rest")], "share"] > 0).all()


def test_self_play_of_several_strategies_keeps_a_rest():
    result = arbosim.run(["hoarder", "two_species"], deals=5, jobs=1, schedule="self-play").variance()
    for part in result.parts:
        assert (part.high == 0) == (part.source == "strategy")


def test_coins_that_fall_alike_in_a_few_deals_prove_nothing():
    rows = np.zeros(6, row_dtype(2))
    rows["deal"], rows["rotation"] = np.divmod(np.arange(6), 2)
    rows["winners"], rows["score_0"] = 1, 5 + rows["rotation"]
    result = of([(("ant", "ant"), rows)], 2, 3)
    assert all(part.high == 1 for part in result.parts)


def test_a_real_run_has_it(tmp_path, capsys):
    from arbosim.cli.main import main

    folder = tmp_path / "run"
    results = arbosim.run(["random", "greedy", "hoarder"], deals=30, jobs=1, output=folder)
    found = results.variance()
    assert list(found.components.columns) == [column.name for column in module.COMPONENTS]
    assert list(found.duplicates.columns) == [column.name for column in module.DUPLICATES]
    assert found.components.groupby("response")["share"].sum().to_numpy() == pytest.approx([1, 1])
    assert main(["variance", str(folder)]) == 0
    assert capsys.readouterr().out.strip() == str(found)
    assert main(["variance", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 30
    assert arbosim.load(folder).variance() == found
