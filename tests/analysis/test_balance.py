"""Metrics of balance against the plainest way to compute them, game by game, and their replicates against refits."""

import math
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

import arbosim
from arbosim.analysis.balance import METRICS, Sample, metrics
from arbosim.analysis.balance.draws import Draws
from arbosim.analysis.balance.pool import BLUR, POOL_REPLICATES
from arbosim.analysis.bootstrap import weights
from arbosim.analysis.deals import Blocks
from arbosim.analysis.nash import equilibria
from arbosim.core.errors import UserError
from arbosim.core.ratios import Ratio
from tests.analysis.made import make_rows, plainly

GAME = arbosim.game("arboretum")
NAMES = ["greedy", "hoarder", "random"]
SMOOTH = [
    name
    for name in metrics(GAME)
    if name not in ("deal_share", "lead_deals", "effective_strategies", "cyclic_share")
]


def sample(results, blocks=None):
    state = results.manifest
    rules = GAME.rules(None, state.rules)
    blocks = blocks or Blocks([(state.seed, state.deals_from, state.deals)])
    found = Sample(state.specs, state.players, blocks, GAME, rules)
    for batch in results.batches():
        found.add(*batch)
    return found


@pytest.fixture(scope="module", params=[2, 3])
def results(request):
    return arbosim.run(NAMES, players=request.param, deals=24, seed=4, jobs=1, course=True)


def values(estimates):
    return {key: float(found[0]) for key, found in estimates.values.items()}


def oracle(results):
    """Return what the frames say, by the formulas of the documents."""
    games, seats, players = results.games, results.seats, results.manifest.players
    by_seat = seats.groupby("seat")["win"].mean()
    species = {2: 6, 3: 8}[players]
    found = {
        "first_seat": by_seat[0] - 1 / players,
        "seat_balance": 1 - (by_seat.max() - by_seat.min()),
        "ties": (games["winners"] > 1).mean(),
        "tie_breaks": games["tie_break"].mean(),
        "score": seats["score"].mean(),
        "score_sd": seats["score"].astype(float).std(ddof=0),
        "margin": games["margin"].mean(),
        "turns": games["turns"].mean(),
        "unequal_turns": games["unequal_turns"].mean(),
        "lead_changes": games["lead_changes"].mean(),
        "drama": games["behind"].sum() / games["turns"].sum(),
        "decisiveness": 1 - games["settled"].sum() / games["turns"].sum(),
        "conversion": seats["score"].sum() / seats["points"].sum(),
        "unscored": games["unscored"].mean() / species,
        "denied": seats["denied"].mean(),
        "denied_share": seats["denied"].sum() / seats["paths"].sum(),
    }
    of_strategies = seats.groupby("strategy", observed=True)["win"].mean()
    return {(name, ""): float(value) for name, value in found.items()} | {
        ("win_share", name): float(of_strategies[name]) for name in NAMES
    }


def lead_deals(results):
    """Return the number of deals by which the better one leads, pair by pair."""
    shares = results.seats.groupby(["match", "deal", "strategy"], observed=True)["win"].sum().unstack()
    skills = []
    for one, other in combinations(NAMES, 2):
        gap = (shares[one] - shares[other]).dropna()
        mean = gap.mean()
        # blocks are deals, in each of which the line-ups with both are added up
        residuals = (gap - mean).groupby("deal").sum() / len(gap)
        noise = (residuals**2).sum() * len(residuals) / (len(residuals) - 1)
        squares = (gap**2).mean()
        skills.append((mean**2 - noise) / squares if squares else 0.0)
    skill = min(max(np.mean(skills), 1.645**2 / (1.645**2 + 1e6)), 1.645**2 / (1.645**2 + 1))
    return 1.645**2 * (1 - skill) / skill


def test_every_metric_is_what_the_frames_say(results):
    found = values(sample(results).estimate())
    expected = oracle(results)
    variance, meta = results.variance(), results.meta()
    expected["deal_share", ""] = variance.components.set_index(["response", "source"]).loc[
        ("win", "deal"), "share"
    ]
    expected["cyclic_share", ""] = meta.cyclic.value
    expected["lead_deals", ""] = lead_deals(results)
    effective = found.pop(("effective_strategies", ""))
    assert 1 <= effective <= len(NAMES)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert {name for name, _ in found} | {"effective_strategies"} == set(metrics(GAME))


def test_the_effective_number_is_the_mean_over_samples_of_fewer_deals(results):
    found = sample(results)
    totals, blocks = results.totals, found._sums.blocks
    drawn = weights(np.ones(24, bool), [4, 0, 24], POOL_REPLICATES, BLUR)
    assert (drawn.sum(axis=1) == 24 / BLUR).all()
    numbers = []
    for each in drawn[:40]:
        won, met = totals.pair_above @ each, totals.pair_met @ each
        odds = np.log((won + 1) / (2 * met - won + 1))
        np.fill_diagonal(odds, 0)
        mass = equilibria(odds[None])[0]
        numbers.append(math.exp(-sum(part * math.log(part) for part in mass if part > 0)))
    replicates = found.estimate(["effective_strategies"]).values["effective_strategies", ""]
    assert blocks.count == 24
    assert replicates[1:41] == pytest.approx(numbers, abs=1e-6)
    assert replicates[0] == pytest.approx(replicates[1:].mean())


def test_a_replicate_is_what_its_deals_say(results):
    """The deals of one replicate, each as often as it was drawn, are the sample of another run."""
    whole = sample(results)
    estimates = whole.estimate(SMOOTH, replicates=5)
    drawn = Draws(whole._sums, replicates=5)._weights[3].astype(int)
    state = results.manifest
    again = Sample(
        state.specs, state.players, Blocks([(state.seed, 0, 24)]), GAME, GAME.rules(None, state.rules)
    )
    for seed, line_up, rows in results.batches():
        by_deal = rows.reshape(-1, state.players)
        for copy in range(drawn.max()):
            more = by_deal[drawn[by_deal["deal"][:, 0]] > copy]
            for deal in more:  # one deal at a time: those that are left lie in no single range
                again.add(seed, line_up, deal)
    refitted = values(again.estimate(SMOOTH))
    # the seats whose gap counts are those of the sample
    refitted.pop(("seat_balance", ""))
    assert len(refitted) > 15
    for key, value in refitted.items():
        assert estimates.values[key][3] == pytest.approx(value, rel=1e-12), key


def test_neither_order_nor_pieces_matter(results):
    state = results.manifest
    pieces = [
        (seed, line_up, rows[at : at + state.players])
        for seed, line_up, rows in results.batches()
        for at in range(0, len(rows), state.players)
    ]
    other = Sample(
        state.specs, state.players, Blocks([(state.seed, 0, 24)]), GAME, GAME.rules(None, state.rules)
    )
    for number in np.random.default_rng(1).permutation(len(pieces)):
        other.add(*pieces[number])
    one, again = sample(results).estimate(), other.estimate()
    assert one.values.keys() == again.values.keys()
    for key, found in one.values.items():
        assert (found == again.values[key]).all(), key


@pytest.mark.parametrize("players", [2, 3, 4])
def test_forfeited_games_count_as_in_standings(players):
    rng = np.random.default_rng(players)
    line_ups = list(combinations("abcde", players))
    batches = [(line_up, make_rows(players, 3, 15, rng, errors=0.2)) for line_up in line_ups]
    found = Sample("abcde", players, Blocks([(9, 3, 15)]))
    for line_up, rows in batches:
        found.add(9, line_up, rows)
    estimates = found.estimate()
    plain = plainly(batches, players)
    got = values(estimates)
    assert got["first_seat", ""] == pytest.approx(plain["first_seat"] - 1 / players)
    whole = sum(mine["whole"] for mine in plain["strategies"].values())
    assert got["score", ""] == pytest.approx(
        sum(mine["score"] for mine in plain["strategies"].values()) / whole
    )
    for name, mine in plain["strategies"].items():
        assert got["win_share", name] == pytest.approx(mine["wins"] / mine["games"])
    games = np.concatenate([rows[rows["error"] == 0] for _, rows in batches])
    assert got["turns", ""] == pytest.approx(games["turns"].mean())
    shared = np.array([int(bits).bit_count() > 1 for bits in games["winners"]])
    assert got["ties", ""] == pytest.approx(shared.mean())
    assert set(estimates.missing) == {"lead_changes", "drama", "decisiveness"}
    assert "`course = true`" in estimates.missing["drama"]


def test_what_lean_rows_lack_is_left_out_with_the_reason():
    lean = arbosim.run(["random", "hoarder"], deals=12, seed=1, jobs=1, lean=True)
    estimates = sample(lean).estimate()
    assert set(estimates.missing) == {
        "lead_changes", "drama", "decisiveness", "unscored", "denied", "denied_share", "cyclic_share",
    }  # fmt: skip
    assert "lean = false" in estimates.missing["denied"]
    assert "course = true" in estimates.missing["unscored"]
    assert "three strategies" in estimates.missing["cyclic_share"]


def test_self_play_has_no_metrics_of_a_pool():
    alone = arbosim.run(["hoarder"], deals=12, seed=1, jobs=1, schedule="self-play")
    estimates = sample(alone).estimate()
    assert {"win_share", "lead_deals", "effective_strategies", "cyclic_share"} <= set(estimates.missing)
    assert "met others" in estimates.missing["win_share"]


@pytest.mark.parametrize("deals", [1, 2, 11])
@pytest.mark.parametrize("result", ["won by the first seat", "tied", "forfeited"])
def test_extreme_results_give_finite_numbers(deals, result):
    rng = np.random.default_rng(1)
    rows = make_rows(2, 0, deals, rng, errors=1.0 if result == "forfeited" else 0.0)
    if result != "forfeited":
        rows["score_0"] = rows["points_0"] = rows["score_1"] = rows["points_1"] = 0
        rows["winners"] = 3
    if result == "won by the first seat":
        rows["score_0"], rows["winners"] = 5, 1
    found = Sample(("a", "b"), 2, Blocks([(1, 0, deals)]))
    found.add(1, ("a", "b"), rows)
    estimates = found.estimate()
    assert all(np.isfinite(each).all() for each in estimates.values.values())
    assert ("score" in estimates.missing) == (result == "forfeited")
    assert ("first_seat", "") in estimates.values
    if result == "tied":
        assert values(estimates).get(("lead_deals", "")) == (pytest.approx(1e6) if deals > 1 else None)


def test_without_games_every_metric_is_missing():
    estimates = Sample(("a", "b"), 2, Blocks([(1, 0, 5)])).estimate()
    assert not estimates.values
    assert set(estimates.missing) == set(METRICS)
    assert (estimates.deals, estimates.blocks) == (0, 0)


def test_an_unknown_metric_is_named_with_the_nearest_one():
    with pytest.raises(UserError, match="did you mean 'first_seat'"):
        Sample(("a", "b"), 2, Blocks([(1, 0, 5)])).estimate(["first_seats"])


def test_another_game_brings_ratios_of_its_own():
    rows = make_rows(2, 0, 12, np.random.default_rng(2))
    kinds = Ratio(
        "kinds", "kinds", "mean of kinds", "own", "kinds", above="kinds", each=lambda rules, n: rules
    )
    other = SimpleNamespace(balance=(kinds,), game_metrics=())
    found = Sample(("a", "b"), 2, Blocks([(1, 0, 12)]), other, 4)
    found.add(1, ("a", "b"), rows)
    got = values(found.estimate(["kinds"]))["kinds", ""]
    assert got == pytest.approx((rows["kinds_0"].mean() + rows["kinds_1"].mean()) / 8)
    with pytest.raises(ValueError, match="need its rules"):
        Sample(("a", "b"), 2, Blocks([(1, 0, 12)]), other)
