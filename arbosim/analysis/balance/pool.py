"""Metrics of what the strategies are among each other: luck against skill, diversity, cycles."""

from __future__ import annotations

import numpy as np

from arbosim.analysis import components, cycles
from arbosim.analysis.balance.draws import Draws, quotient
from arbosim.analysis.balance.metric import Metric, Values
from arbosim.analysis.deals import unit
from arbosim.analysis.nash import effective_number, equilibria

POOL_REPLICATES = 200
"""So many serve here, where each costs more."""
BLUR = 4
"""Equilibria are those of so many times fewer deals."""
LEADS = 1.645
"""Standard errors above 0 at which a mean is positive with 95 %."""
MOST_DEALS = 1e6
"""More deals than these are as good as none at all that would do."""
PAIRS = "two strategies that met"
ALL_PAIRS = "two strategies, every pair of which met (not a gauntlet or self-play)"


def _deal_share(draws: Draws) -> Values:
    sums = draws.sums
    scale = unit(sums.players)
    by_line_up = [cells for _, cells in sorted(sums.cells.items()) if cells[:, 0].sum() >= 2]
    if not by_line_up:
        return {}
    draws = draws.again(POOL_REPLICATES)
    weighted = np.stack([draws.weighted(cells.T) for cells in by_line_up], axis=1)
    of_line_ups = components.summed(weighted, sums.players, scale)
    cells = np.sum(by_line_up, axis=0)
    seats = cells[:, 1:-3].reshape(-1, sums.players, sums.players).sum(axis=1)
    noise = components.seat_noise(seats / scale, cells[:, 0] * sums.players)
    found = components.estimate(of_line_ups, noise, int((cells[:, 0] > 0).sum()))
    deal = found[:, components.SOURCES.index("deal")]
    floored = np.maximum(found[0], 0)
    # of replicates, what is below 0 stays: a floor would narrow their spread
    whole = np.concatenate([[floored.sum()], found[1:].sum(axis=1)])
    share = np.divide(deal, whole, out=np.full(len(deal), np.nan), where=whole > 0)
    share[0] = max(share[0], 0.0)
    return {"": share}


def _lead_deals(draws: Draws) -> Values:
    sums = draws.sums
    pairs = np.nonzero(np.asarray(sums.lead_deals.sum(axis=2) >= 2))
    if not len(pairs[0]):
        return {}
    draws = draws.again(POOL_REPLICATES)
    lead, squares, deals = (
        draws.weighted(each[pairs]) for each in (sums.lead, sums.lead_squares, sums.lead_deals)
    )
    mean = quotient(lead, deals)
    by_block = sums.lead[pairs] - mean[0][:, None] * sums.lead_deals[pairs]
    blocks = (sums.lead_deals[pairs] > 0).sum(axis=1)
    noise = (by_block**2).sum(axis=1) / deals[0] ** 2 * blocks / np.maximum(blocks - 1, 1)
    # a replicate has the noise of the sample and that of its own drawing
    noises = np.where(np.arange(len(mean)) == 0, 1, 2)[:, None] * noise
    # a pair without any difference in any deal says that there is nothing to lead by
    skill = np.nan_to_num(quotient(mean**2 - noises, quotient(squares, deals))).mean(axis=1)
    skill = np.clip(skill, LEADS**2 / (LEADS**2 + MOST_DEALS), LEADS**2 / (LEADS**2 + 1))
    return {"": LEADS**2 * (1 - skill) / skill}


def _odds(draws: Draws) -> np.ndarray:
    """Return the log odds of who finishes above whom, float64[1 + replicates, n, n]."""
    return cycles.logits(draws.weighted(draws.sums.above), draws.weighted(draws.sums.met))


def _all_met(draws: Draws, fewest: int) -> bool:
    """Tell whether there are so many strategies, every pair of which met."""
    size = len(draws.sums.specs)
    met = np.asarray(draws.sums.met.any(axis=2))
    return size >= fewest and bool(met[np.triu_indices(size, 1)].all())


def _effective_strategies(draws: Draws) -> Values:
    if not _all_met(draws, 2):
        return {}
    # where two are equally good the equilibrium jumps from one to the other: only a mean over samples of fewer
    # deals changes steadily, and only as wide a spread as theirs holds the jump
    found = effective_number(equilibria(_odds(draws.again(POOL_REPLICATES, part=BLUR))))
    if len(found) > 1:
        found[0] = found[1:].mean()
    return {"": found}


def _cyclic_share(draws: Draws) -> Values:
    if not _all_met(draws, 3):
        return {}
    odds = _odds(draws.again(POOL_REPLICATES))
    ladder, cyclic = cycles.noise(draws.sums.above, draws.sums.met)
    sample = cycles.cyclic_share(odds[:1], ladder, cyclic)
    # a replicate has the noise of the sample and that of its own drawing
    replicates = cycles.cyclic_share(odds[1:], 2 * ladder, 2 * cyclic)
    return {"": np.concatenate([sample, replicates])}


METRICS = (
    Metric(
        "deal_share",
        "luck of the deal",
        "share of the variance of a seat's win share that the games of a deal have in common on a seat",
        "method of moments: Searle, Casella and McCulloch 1992; after Duersch, Lambrecht and Oechssler 2020",
        "0 to 1",
        needs="a line-up with two deals that differ",
        low=0.0,
        high=1.0,
        group="skill",
        meaning="How much of who wins is owed to the cards that a seat is dealt, rather than to who sits there: at 30 "
        "%, three tenths of the variance.",
        of=_deal_share,
    ),
    Metric(
        "lead_deals",
        "number of deals until the better one leads",
        "1.645^2 (1 - r) / r, r being the mean over pairs of mean^2 / mean square of what one wins more in a deal",
        "own; for one pair 1.645^2 / t^2, t being mean / standard deviation: after so many deals it leads with 95 %",
        "deals",
        needs=PAIRS,
        low=1.0,
        group="skill",
        meaning="How many deals two players need until the better one has most likely won more of them: few where "
        "skill shows soon.",
        of=_lead_deals,
    ),
    Metric(
        "effective_strategies",
        "effective number of strategies",
        "exp of the entropy of the maximum-entropy Nash equilibrium of the log odds, mean over samples of a quarter",
        "Balduzzi et al. 2018; mean over samples: Breiman 1996",
        "strategies",
        needs=ALL_PAIRS,
        low=1.0,
        group="strategies",
        meaning="How many strategies are worth playing: 1 where one answers all others, 3 where three hold each other "
        "in balance.",
        of=_effective_strategies,
    ),
    Metric(
        "cyclic_share",
        "cyclic share",
        "share of the log odds' sum of squares that no ladder explains, less what noise adds",
        "Jiang, Lim, Yao and Ye 2011; Balduzzi et al. 2018",
        "0 to 1",
        needs="three strategies, every pair of which met (not a gauntlet or self-play)",
        low=0.0,
        high=1.0,
        group="strategies",
        meaning="How far strategies beat each other in a circle, as rock, paper and scissors do, instead of standing "
        "on a ladder from best to worst.",
        of=_cyclic_share,
    ),
)
