"""Frames as a study has them, made up by hand: any number of variants with names of any kind, degenerate ones too."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from arbosim.analysis import balance
from arbosim.report import study_page
from tests.report import made

EFFECTS = [
    "players", "pool", "variant", "metric", "subject", "base", "value", "difference", "low", "high",
    "p_value", "p_holm", "significant", "deals",
]  # fmt: skip
VALUES = ["players", "pool", "variant", "metric", "subject", "value", "low", "high", "unit", "deals"]


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
    """Return rows of values and of effects of one number of players and pool; retuned players reverse the first seat."""
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


class MadeStudy:
    """A study as `arbosim.studies.study.Study` has it, with frames made by hand."""

    folder = None
    command = "arbosim study config.toml --seed 7"

    def __init__(self, players=(2, 3), pools=("given", "retuned"), deals=1000):
        both = [metric_rows(count, pool, deals) for count in players for pool in pools]
        self.title, self.question = f"Eights {HOSTILE}", f"Does the 8/1 rule matter? {HOSTILE}"
        self.metrics = pd.DataFrame([row for values, _ in both for row in values], columns=VALUES)
        self.effects = pd.DataFrame([row for _, compared in both for row in compared], columns=EFFECTS)
        self.variants = pd.DataFrame(
            [("base", "", "standard")] + [(name, "hand_size=9", "standard with <b>") for name in VARIANTS],
            columns=["variant", "changed", "rules"],
        )
        shares = [0.5, 0.3, 0.2]
        self.strategies = pd.DataFrame(
            [
                (count, pool, variant, name, share, share - 0.01, share + 0.01, *nash)
                for count in players
                for pool in pools
                for variant in ["base", *VARIANTS]
                for name, share, nash in zip(
                    STRATEGIES, shares, [(1.0, 0.4, 1.0), (0.0, 0.0, 0.6), (np.nan,) * 3], strict=True
                )
            ],
            columns=["players", "pool", "variant", "strategy", "win_share", "low", "high", "nash", "nash_low", "nash_high"],
        )  # fmt: skip
        found = [
            (count, VARIANTS[0], "first_seat", "", 0.024, 0.014, 0.034) for count in players if len(pools) > 1
        ]
        self.disagreements = pd.DataFrame(
            found, columns=["players", "variant", "metric", "subject", "difference", "low", "high"]
        )
        self.described = balance.METRICS
        self.game = SimpleNamespace(title="Arboretum")
        record = SimpleNamespace(
            name="2p-base", players=2, variant="base", pool="given", kind="pool", subject="", status="finished",
            games=6000, errors=0, digest="ab12",
        )  # fmt: skip
        self.manifest = SimpleNamespace(
            players=list(players), variants=[None] * 4, strategies=[SimpleNamespace(spec=name) for name in STRATEGIES],
            games=48000, runs=[record], deals=deals, deals_from=0, status="running", errors=3, paired=True,
            retune={} if len(pools) > 1 else None, schedule="round-robin", seed=7, digest="cd34", notes=[HOSTILE],
            started="2026-01-01T10:00:00+00:00", finished=None, arbosim_version="0.1.0", rules_version=2,
        )  # fmt: skip

    def report(self, path=None, *, overwrite=False):
        return study_page.write(self, path, overwrite=overwrite)
