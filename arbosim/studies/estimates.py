"""What the runs of a study say: metrics of every variant, their effects, and whether re-tuned players agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from arbosim.core.game import Game
from arbosim.runs import blocks
from arbosim.studies.folder import RunRecord
from arbosim.studies.metrics import BAN_COST, SKILL_TRACE
from arbosim.studies.trace import skill_trace
from arbosim.studies.variants import BASE

if TYPE_CHECKING:
    import pandas as pd

    from arbosim.analysis.balance import Estimates, Metric
    from arbosim.analysis.deals import Blocks
    from arbosim.results import Results

Key = tuple[str, str]


def of_variant(
    runs: Sequence[tuple[RunRecord, Results]], game: Game, names: Sequence[str] | None
) -> Estimates:
    """Return what the runs of one variant, played by one pool, say: one pass over the rows of each.

    Parameters
    ----------
    runs : sequence of (RunRecord, Results)
        That of the pool, and those of bans and traces.
    names : sequence of str, optional
        The metrics that are asked for; all if it is missing.
    """
    from arbosim.analysis.balance import metrics

    [pool] = [results for record, results in runs if record.kind == "pool"]
    [stands_for] = [record.stands_for for record, _ in runs if record.kind == "pool"]
    chosen = None if names is None else [name for name in names if name in metrics(game)]
    found = _of_pool(pool, stands_for, game, chosen)
    own: dict[Key, np.ndarray] = {}
    if names is None or BAN_COST in names:
        for record, results in runs:
            if record.kind == "ban":
                own[BAN_COST, record.subject] = _shares(record, results)[0]
    if names is None or SKILL_TRACE in names:
        traces = [(record, results) for record, results in runs if record.kind == "trace"]
        for subject, some in groupby(traces, lambda run: run[0].subject):
            steps = [_shares(record, results)[1] for record, results in some]
            own[SKILL_TRACE, subject] = skill_trace(np.stack([2 * above - 1 for above in steps], axis=-1))
    own = {key: values for key, values in own.items() if not np.isnan(values[0])}
    return replace(found, values={**found.values, **own})


def _of_pool(
    results: Results, stands_for: Mapping[str, str], game: Game, names: Iterable[str] | None
) -> Estimates:
    """Return the metrics of balance; re-tuned strategies go by the names of those for which they stand."""
    from arbosim.analysis.balance import Sample

    state = results.manifest
    specs = sorted(stands_for.get(spec, spec) for spec in state.specs)
    sample = Sample(specs, state.players, blocks(state), game, game.rules(None, state.rules))
    for seed, line_up, rows in results.checked_batches():
        sample.add(seed, [stands_for.get(spec, spec) for spec in line_up], rows)
    return sample.estimate(names)


def _shares(record: RunRecord, results: Results) -> tuple[np.ndarray, np.ndarray]:
    """Return how the first of two fares against the second at tables where both sit.

    Returns
    -------
    tuple of numpy.ndarray, float64[1 + replicates]
        The difference of the win shares, and the share of games in which the first finishes above, ties half.
        The replicates are those of the other metrics on the same deals.
    """
    from arbosim.analysis.deals import tables, unit

    state = results.manifest
    units = blocks(state)
    games, share, above = np.zeros((3, units.count))
    for seed, line_up, rows in results.checked_batches():
        played = tables(rows, state.players)
        first, second = line_up.index(record.first), line_up.index(record.second)
        at = units.of(seed, played.deals)
        gained = (played.share[..., first] - played.share[..., second]).sum(axis=1)
        higher = (np.sign(played.order[..., first] - played.order[..., second]) + 1).sum(axis=1)
        games += np.bincount(at, minlength=units.count) * state.players
        share += np.bincount(at, gained, units.count)
        above += np.bincount(at, higher, units.count)
    drawn = _weights(units, games > 0)
    total = drawn @ games
    with np.errstate(invalid="ignore"):
        return drawn @ share / unit(state.players) / total, drawn @ above / 2 / total


def _weights(units: Blocks, played: np.ndarray) -> np.ndarray:
    """Return the weights of the blocks, float64[1 + replicates, blocks], which are those of `balance.draws.Draws`."""
    from arbosim.analysis import bootstrap
    from arbosim.analysis.balance.draws import REPLICATES

    source = [number for seed, first, end, _ in units.ranges for number in (seed, first, end)]
    drawn = bootstrap.weights(played, source, REPLICATES)
    return np.vstack([np.ones((1, len(played))), drawn])


def disagreements(
    given: Mapping[str, Estimates],
    retuned: Mapping[str, Estimates],
    effects_given: pd.DataFrame,
    effects_retuned: pd.DataFrame,
    metrics: Mapping[str, Metric],
) -> list[dict[str, object]]:
    """Return the effects about which the players as they are and re-tuned ones disagree.

    Both are significant, with opposite signs; or one of them is, and the difference of the two effects is so as well
    (Holm over all differences).

    Parameters
    ----------
    given, retuned : dict of str to Estimates
        By variant.
    effects_given, effects_retuned : DataFrame
        The effects of one number of players.
    """
    from arbosim.analysis import effects, stats

    keys = ["variant", "metric", "subject"]
    pairs = effects_given.merge(effects_retuned, on=keys, suffixes=("_given", "_retuned"))
    found = []
    for row in pairs.to_dict("records"):
        variant, key = str(row["variant"]), (str(row["metric"]), str(row["subject"]))
        terms = [(1, retuned[variant]), (-1, retuned[BASE]), (-1, given[variant]), (1, given[BASE])]
        found.append((row, effects.contrast(terms, key, metrics[key[0]])))
    corrected = iter(stats.holm([tested.p_value for _, tested in found if tested.p_value is not None]))
    rows: list[dict[str, object]] = []
    for row, tested in found:
        p_holm = None if tested.p_value is None else next(corrected)
        old, new = row["difference_given"], row["difference_retuned"]
        sure = row["significant_given"], row["significant_retuned"]
        differ = p_holm is not None and p_holm < 1 - stats.LEVEL
        if (all(sure) and old * new < 0) or (sum(sure) == 1 and differ):
            rows.append(
                {
                    **{key: row[key] for key in keys},
                    "given": old,
                    "given_significant": sure[0],
                    "retuned": new,
                    "retuned_significant": sure[1],
                    "difference": tested.value,
                    "low": tested.low,
                    "high": tested.high,
                    "p_holm": p_holm,
                }
            )
    return rows
