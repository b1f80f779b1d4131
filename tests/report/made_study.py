"""Frames as a study has them, made up by hand: any number of variants with names of any kind, degenerate ones too."""

import numpy as np
import pandas as pd

from arbosim.studies import study
from arbosim.studies.folder import Retuned, RunRecord, StudyManifest, VariantRecord
from arbosim.studies.study import Study
from arbosim.tournament.manifest import StrategyRecord
from tests.report import made

EFFECTS = [column.name for column in study.EFFECTS]
VALUES = [column.name for column in study.METRICS]


def effect(players, pool, variant, metric, subject, base, value, half, p_holm, deals=1000):
    """Return one row of effects; without `half` the deals were too few for an interval."""
    difference = value - base
    known = half is not None
    return (
        players, pool, variant, metric, subject, base, value, difference,
        difference - half if known else np.nan, difference + half if known else np.nan,
        p_holm / 20 if known else np.nan, p_holm if known else np.nan, known and p_holm < 0.05, deals,
    )  # fmt: skip


def effects(variants, metric="first_seat", players=(2,), pools=("given",), subject=""):
    """Return made-up effects, every third significant, every seventh without an interval."""
    rng = np.random.default_rng(variants)
    rows = []
    for number, name in enumerate(made.names(variants)):
        for count in players:
            for pool in pools:
                change = rng.uniform(-0.05, 0.05)
                p_holm = 0.001 if number % 3 == 0 else 0.4
                half = None if number % 7 == 6 else abs(change) * (0.5 if p_holm < 0.05 else 2)
                rows.append(effect(count, pool, name, metric, subject, 0.53, 0.53 + change, half, p_holm))
    return pd.DataFrame(rows, columns=EFFECTS)


HOSTILE = '<script>alert(1)</script> & "quoted" <img src=x onerror=alert(2)>'
STRATEGIES = ["balanced", "greedy", "<b>odd</b>.py:keep=3"]
METRICS = {
    # name: (unit, base, changes of three variants, half of the interval, corrected p-values)
    "first_seat": ("win share", 0.031, (-0.012, 0.004, 0.0), 0.007, (0.0021, 1.0, 1.0)),
    "ties": ("0 to 1", 0.002, (0.0001, 0.0004, 0.0), 0.0009, (1.0, 0.9, 1.0)),
    "score": ("points", 23.4, (4.31, -1.2, 0.0), 0.21, (0.00001, 0.0004, 1.0)),
    "turns": ("turns", 38.0, (0.0, 0.0, 0.0), 0.0, (1.0, 1.0, 1.0)),
    "effective_strategies": ("strategies", 1.2, (0.4, 0.1, 0.0), 0.5, (0.2, 0.8, 1.0)),
    "cyclic_share": ("0 to 1", 0.01, (0.02, 0.0, 0.0), None, (1.0, 1.0, 1.0)),
    "lead_deals": ("deals", 61.0, (np.nan, 14.0, 0.0), 9.0, (1.0, 0.03, 1.0)),
}
VARIANTS = ["without 8/1", "hand_size=9", "relabelled"]


def metric_rows(players, pool, deals=1000):
    """Return values and effects of one number of players and pool; re-tuned ones reverse the first seat."""
    values, compared = [], []
    single = {
        ("win_share", name): ("0 to 1", 0.3 + 0.1 * at, (0.02, -0.03, 0.0), 0.004, (0.001, 0.0002, 1.0))
        for at, name in enumerate(STRATEGIES)
    }
    bans = {
        ("ban_cost", f"balanced:{name}"): ("win share", 0.11, (-0.06, 0.01, 0.0), 0.02, (0.004, 0.7, 1.0))
        for name in ("discards", "denies")
    }
    trace = {("skill_trace", "search"): ("", 0.7, (-0.1, 0.1, 0.0), 0.2, (0.8, 0.8, 1.0))}
    everything = {(name, ""): given for name, given in METRICS.items()} | single | bans | trace
    for (metric, subject), (unit, base, changes, half, p_values) in everything.items():
        here = (players, pool)
        spread = 0.01 if half is None else half
        values.append((*here, "base", metric, subject, base, base - spread, base + spread, unit, deals))
        for name, change, p_holm in zip(VARIANTS, changes, p_values, strict=True):
            if pool == "retuned" and metric == "first_seat":
                change = -change
            if np.isnan(change):
                continue
            known = None if half is None or deals < 10 else 0.0 if name == "relabelled" else half
            value = base + change
            values.append((*here, name, metric, subject, value, value - spread, value + spread, unit, deals))
            compared.append(effect(*here, name, metric, subject, base, value, known, p_holm, deals))
    return values, compared


def manifest(players, pools, deals):
    """Return what study.json would hold, with texts that no page likes."""
    rules = {"base": {}} | {name: {"hand_size": 9} for name in VARIANTS}
    return StudyManifest(
        arbosim_version="0.1.0", title=f"Eights {HOSTILE}", question=f"Does the 8/1 rule matter? {HOSTILE}",
        command="arbosim study config.toml --seed 7", game="arboretum", rules_version=2, players=list(players),
        schedule="round-robin", deals=deals, deals_from=0, seed=7, paired=True, metrics=None, restricted=[], trace=0,
        retune={} if "retuned" in pools else None, notes=[HOSTILE], digest="cd34", games=48000, errors=3,
        started="2026-01-01T10:00:00+00:00",
        variants=[VariantRecord(name=name, rules=changed, changed=changed) for name, changed in rules.items()],
        strategies=[
            StrategyRecord(
                spec=name, name=name, kind="python", parameters={}, source_hash="ef56", status="experimental",
                location="x",
            )
            for name in STRATEGIES
        ],
        tunings=[
            Retuned(
                players=2, variant=VARIANTS[0], strategy=STRATEGIES[at], spec="x", values={"keep": 2.5}, helped=not at
            )
            for at in range(2)
        ],
        runs=[
            RunRecord(
                name="2p-base", kind="pool", pool="given", players=2, variant="base", status="finished", games=6000,
                errors=3, digest="ab12",
            )
        ],
    )  # fmt: skip


class MadeStudy(Study):
    """A study whose frames are made by hand."""

    def __init__(self, players=(2, 3), pools=("given", "retuned"), deals=1000):
        super().__init__(manifest(players, pools, deals))
        self.incomplete = {}
        both = [metric_rows(count, pool, deals) for count in players for pool in pools]
        self.metrics = pd.DataFrame([row for values, _ in both for row in values], columns=VALUES)
        self.effects = pd.DataFrame([row for _, compared in both for row in compared], columns=EFFECTS)
        mixtures = [(1.0, 0.4, 1.0), (0.0, 0.0, 0.6), (np.nan,) * 3]
        self.strategies = pd.DataFrame(
            [
                (count, pool, variant, name, share, share - 0.01, share + 0.01, *nash)
                for count in players
                for pool in pools
                for variant in ["base", *VARIANTS]
                for name, share, nash in zip(STRATEGIES, (0.5, 0.3, 0.2), mixtures, strict=True)
            ],
            columns=[column.name for column in study.STRATEGIES],
        )
        self.disagreements = pd.DataFrame(
            [
                (count, VARIANTS[0], "first_seat", "", -0.012, True, 0.012, True, 0.024, 0.014, 0.034, 0.001)
                for count in players
                if len(pools) > 1
            ],
            columns=[column.name for column in study.DISAGREEMENTS],
        )
