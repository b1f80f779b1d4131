"""The rating model: likelihood from first principles, fit against statsmodels, spread against resampling."""

import copy
from itertools import combinations, permutations

import numpy as np
import pytest

from arbosim.analysis.davidson_luce import PSEUDO, _Model, fit
from arbosim.analysis.orders import Orders, shape
from tests.analysis.made import play_orders

TIES = np.array([0.0, -1.0, -2.0, -3.0])


def simulated(players: int, strengths: np.ndarray, deals: int, seed: int, luck: float = 0.0) -> tuple:
    """Return the sums over a round robin, and its games as (line-up, orders)."""
    rng = np.random.default_rng(seed)
    orders = Orders(len(strengths), players, deals, 1)
    seats = np.linspace(0.2, -0.2, players)
    games = []
    for line_up in combinations(range(len(strengths)), players):
        order = play_orders(rng, line_up, deals, strengths, seats, TIES, luck)
        orders.add(line_up, order, np.arange(deals), np.arange(deals))
        games.append((line_up, order))
    return orders, games


def plain_log_likelihood(games: list, values: np.ndarray, strategies: int, players: int) -> float:
    """Choose the best of what is left, game by game."""
    strengths, seats = values[:strategies], values[strategies : strategies + players]
    ties = [0.0, *values[strategies + players :]]
    total = 0.0
    for line_up, orders in games:
        for order in orders:
            for rotation, ends in enumerate(order):
                worth = [
                    strengths[one] + seats[(slot + rotation) % players] for slot, one in enumerate(line_up)
                ]
                left = set(range(players))
                while len(left) > 1:
                    best = {slot for slot in left if ends[slot] == max(ends[other] for other in left)}
                    weights = {
                        some: np.exp(ties[len(some) - 1] + np.mean([worth[slot] for slot in some]))
                        for size in range(1, len(left) + 1)
                        for some in combinations(sorted(left), size)
                    }
                    total += np.log(weights[tuple(sorted(best))] / sum(weights.values()))
                    left -= best
    return total


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_likelihood_is_that_of_choosing_the_best_again_and_again(players):
    orders, games = simulated(players, np.array([0.5, 0.2, -0.3, -0.4]), 6, seed=1)
    rng = np.random.default_rng(2)
    model = _Model(orders)
    here, there = rng.normal(size=(2, model.size))
    made_up = [PSEUDO * (values - 2 * np.log1p(np.exp(values))).sum() for values in (here, there)]
    plain = [plain_log_likelihood(games, values, 4, players) for values in (here, there)]
    assert model.height(here) == pytest.approx(plain[0] + made_up[0])
    assert model.height(there) == pytest.approx(plain[1] + made_up[1])
    steps = 1e-5 * np.eye(model.size)
    slope = [(model.height(here + step) - model.height(here - step)) / 2e-5 for step in steps]
    assert model.slope(here) == pytest.approx(np.array(slope), abs=1e-5)
    bend = [(model.slope(here - step) - model.slope(here + step)) / 2e-5 for step in steps]
    assert model.curvature(here) == pytest.approx(np.array(bend), abs=1e-5)
    by_block = model.by_block(here).sum(axis=0)
    won = 1 / (1 + np.exp(-here))
    assert by_block + PSEUDO * (1 - 2 * won) == pytest.approx(model.slope(here))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chances_of_all_orders_add_up_to_one(players):
    rng = np.random.default_rng(3)
    values = rng.normal(size=2 * players + players - 1)
    line_up = tuple(range(players))
    orders = {
        tuple(sorted(set(order)).index(place) for place in order)
        for some in np.ndindex(*(players,) * players)
        for order in permutations(some)
    }
    assert len(orders) == {2: 3, 3: 13, 4: 75}[players]
    chances = []
    for order in orders:
        ends = np.zeros((1, 1, players), int) + order
        chances.append(np.exp(plain_log_likelihood([(line_up, ends)], values, players, players)))
    assert sum(chances) == pytest.approx(1)


def test_for_two_players_statsmodels_finds_the_same():
    """The model of Davidson is a log-linear one: counts with one free level for each pair in each seating."""
    import statsmodels.api as sm

    strategies, players = 4, 2
    orders, games = simulated(players, np.array([1.0, 0.3, -0.2, -1.1]), 50, seed=4)
    found = fit(orders)
    size = len(found.values)
    counts: list[float] = []
    features: list[np.ndarray] = []
    levels: list[int] = []
    for (one, other), order in games:
        for rotation in range(2):
            lead = np.sign(order[:, rotation, 0] - order[:, rotation, 1])
            mine, theirs = np.zeros(size), np.zeros(size)
            mine[[one, strategies + rotation]] = 1
            theirs[[other, strategies + 1 - rotation]] = 1
            tied = (mine + theirs) / 2
            tied[-1] = 1
            level = max(levels, default=-1) + 1
            for sign, feature in ((1, mine), (-1, theirs), (0, tied)):
                counts.append((lead == sign).sum())
                features.append(feature)
                levels.append(level)
    for parameter in np.eye(size):  # the made-up observations: a win and a loss, each half a game
        level = max(levels) + 1
        counts += [PSEUDO, PSEUDO]
        features += [parameter, np.zeros(size)]
        levels += [level, level]
    design = np.hstack([features, np.eye(max(levels) + 1)[levels]])
    result = sm.GLM(counts, design, family=sm.families.Poisson()).fit(tol=1e-12)
    assert found.values == pytest.approx(result.params[:size], abs=1e-6)


@pytest.mark.parametrize("players", [3, 4])
def test_a_simulated_truth_is_found_again(players):
    strengths = np.array([0.9, 0.3, 0.0, -0.4, -0.8])
    orders, _ = simulated(players, strengths, 400, seed=5)
    found = fit(orders)
    error = np.sqrt(np.diag(found.covariance))
    centre = np.eye(5) - 1 / 5
    spread = np.sqrt(np.diag(centre @ found.covariance[:5, :5] @ centre))
    assert np.abs(centre @ found.values[:5] - strengths).max() < 4 * spread.max() < 0.5
    seats = found.values[5 : 5 + players]
    assert seats - seats.mean() == pytest.approx(np.linspace(0.2, -0.2, players), abs=0.15)
    tied = slice(5 + players, 4 + 2 * players)
    assert (np.abs(found.values[tied] - TIES[1:players]) < 4 * error[tied]).all()


@pytest.mark.parametrize("players", [2, 3])
def test_the_spread_is_that_of_resampled_deals(players):
    """300 replicates know a standard deviation to 4 %; 4 times that has an error rate below 1e-4."""
    deals = 150
    orders, _ = simulated(players, np.array([0.8, 0.0, -0.8]), deals, seed=6, luck=1.0)
    found = fit(orders)
    rng = np.random.default_rng(7)
    estimates = []
    for _ in range(300):
        weights = rng.multinomial(deals, np.full(deals, 1 / deals))
        again = copy.copy(orders)
        again.of_strategies = orders.of_strategies * weights
        again.of_seats = orders.of_seats * weights
        again.of_sizes = orders.of_sizes * weights
        again.alternatives = {key: held * weights for key, held in orders.alternatives.items()}
        estimates.append(_Model(again).best())
    contrasts = np.zeros((3, len(found.values)))
    contrasts[0, [0, 1]] = contrasts[1, [1, 2]] = contrasts[2, [3, 4]] = 1, -1
    resampled = (np.array(estimates) @ contrasts.T).std(axis=0)
    closed = np.sqrt(np.diag(contrasts @ found.covariance @ contrasts.T))
    assert closed == pytest.approx(resampled, rel=4 / np.sqrt(2 * 300))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_order_has_its_code(players):
    form = shape(players)
    used = np.flatnonzero(form.table[:, form.of_sizes].any(axis=1))
    assert len(used) == {2: 3, 3: 13, 4: 75}[players]
    # whatever happens, all slots but a last one alone are chosen once, and the first choice is among all
    chosen = form.table[used, form.of_sizes] @ np.arange(1, players + 1)
    assert set(chosen) == {players - 1, players}
    assert (form.table[used, form.of_sets][:, -1] == 1).all()


@pytest.mark.parametrize("size", [5, 300])
def test_larger_blocks_give_the_same_estimate_and_about_the_same_spread(size):
    """Of 300 and more deals in a block, too many for one byte, as well."""
    strengths, deals = np.array([0.6, 0.0, -0.6]), size * 60
    single, games = simulated(3, strengths, deals, seed=8, luck=1.0)
    coarse = Orders(3, 3, 60, size)
    for line_up, order in games:
        coarse.add(line_up, order, np.arange(60) * size, np.arange(60))
    one, other = fit(single), fit(coarse)
    assert other.values == pytest.approx(one.values, abs=1e-6)
    contrast = np.eye(len(one.values))[0] - np.eye(len(one.values))[2]
    spreads = [contrast @ found.covariance @ contrast for found in (one, other)]
    # 60 blocks know a variance to 18 %; 4 times that has an error rate below 1e-4
    assert spreads[1] == pytest.approx(spreads[0], rel=4 * np.sqrt(2 / 60))
