"""The skill trace: how much a search strategy gains each time its budget is doubled (Ludii, SkillTrace)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from arbosim.core.errors import UserError
from arbosim.core.strategy import Entrant
from arbosim.studies.pieces import Duel, altered
from arbosim.studies.problems import Problems


def duels(pool: Sequence[Entrant], doublings: int, where: str, problems: Problems) -> list[Duel]:
    """Return the duels of every strategy that has a budget, with 2 b against b, 4 b against 2 b, and so on."""
    if not doublings:
        return []
    found: list[Duel] = []
    for entrant in pool:
        budgets = entrant.strategy.budgets
        if not budgets:
            continue
        with problems.noted(where):
            if len(budgets) > 1:
                names = ", ".join(parameter.name for parameter in budgets)
                raise UserError(
                    f"{entrant.spec!r} has several budgets ({names}), and one is doubled", where=where
                )
            [budget] = budgets
            start = int(entrant.settings[budget.name])
            most = start * 2**doublings
            if start < 1 or most > budget.high:
                raise UserError(
                    f"{entrant.spec!r} cannot double {budget.name}={start} {doublings} times: "
                    f"it takes {budget.accepted}",
                    where=where,
                )
            steps = [altered(entrant, **{budget.name: start * 2**step}) for step in range(doublings + 1)]
            found += [
                Duel("trace", entrant.spec, f"doubled-{entrant.strategy.name}-{step}", more, less)
                for step, (less, more) in enumerate(pairwise(steps))
            ]
    if not found and where not in problems.keys:
        problems.add(UserError("no strategy of the pool declares a budget that can be doubled", where=where))
    return found


def skill_trace(results: np.ndarray) -> np.ndarray:
    """Return the skill trace of the results of successive doublings.

    y* + (1 - y*) mean max(y, 0) with the results y, from -1 for always losing to 1 for always winning, and their
    linear forecast y* at the point n + 1 where the results lie at 0 to n - 1, cut to 0..1: the class `SkillTrace` of
    Ludii (Stephenson and Soemers) as it is since it divides by the number of doublings; its first version added the
    squares of max(y, 0) instead, and could exceed 1.

    Parameters
    ----------
    results : numpy.ndarray, float[..., n]
        At least 2 doublings.

    Returns
    -------
    numpy.ndarray, float64[...]
        0 (nothing is gained) to 1.
    """
    count = results.shape[-1]
    at = np.arange(count) - (count - 1) / 2
    slope = results @ at / (at @ at)
    forecast = results.mean(axis=-1) + slope * (count + 1 - (count - 1) / 2)
    forecast = np.clip(forecast, 0.0, 1.0)
    area = np.maximum(results, 0.0).mean(axis=-1)
    return np.asarray(forecast + (1 - forecast) * area)
