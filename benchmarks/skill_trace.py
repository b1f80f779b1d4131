"""Play every doubling of the rollouts of `search` against itself with half as many, and renew table and figure.

    python benchmarks/skill_trace.py             # benchmarks/skill_trace.csv and docs/skill_trace.svg
    python benchmarks/skill_trace.py --deals 5   # with fewer deals, to see how it goes: renews nothing
    python benchmarks/skill_trace.py --draw      # draws the table that is there

The runs stay in runs/skill_trace; one that was interrupted goes on with them.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import arbosim
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.studies.trace import skill_trace

mpl.use("agg")  # there may be no screen
mpl.rcParams["svg.hashsalt"] = "arbosim"  # the same figure is the same file

ROOT = Path(__file__).parents[1]
RUNS = Path("runs") / "skill_trace"
TABLE = ROOT / "benchmarks" / "skill_trace.csv"
FIGURE = ROOT / "docs" / "skill_trace.svg"
BUDGETS = tuple(16 * 2**step for step in range(6))
DEALS = 50
SEED = "skill trace"
GAME = "arboretum"


def main() -> int:
    """Play the trace, or draw the one that is there."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--deals", type=int, help=f"[{DEALS}]")
    parser.add_argument("--draw", action="store_true", help="play nothing")
    parser.add_argument("-j", "--jobs", type=int, default=-1)
    given = parser.parse_args()
    if given.draw and given.deals is not None:
        parser.error("--draw plays no deals: give it or --deals")
    deals = DEALS if given.deals is None else given.deals
    try:
        table = pd.read_csv(TABLE) if given.draw else play(deals, given.jobs)
    except UserError as error:
        parser.error(str(error))
    if deals == DEALS:
        table.to_csv(TABLE, index=False)
        draw(table)
    trace = float(skill_trace(2 * table["win_share"].to_numpy() - 1))
    print(f"{table.to_string(index=False)}\nskill trace {trace:.3f}")
    return 0


def play(deals: int, jobs: int) -> pd.DataFrame:
    """Return by number of rollouts the win share against half as many, with its interval."""
    rows = []
    for less, more in pairwise(BUDGETS):
        names = [f"search:rollouts={rollouts}" for rollouts in (more, less)]
        results = arbosim.run(
            names, deals=deals, seed=SEED, jobs=jobs, output=RUNS / f"{more}-{deals}", resume=True
        )
        found = results.standings().set_index("strategy").loc[registry.resolve(names[0], GAME).spec]
        rows.append((more, found["win_share"], found["low"], found["high"], found["games"]))
    return pd.DataFrame(rows, columns=["rollouts", "win_share", "low", "high", "games"]).round(4)


def draw(table: pd.DataFrame) -> None:
    """Draw the win share of every doubling with its interval."""
    figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
    middle = table["win_share"]
    axes.errorbar(
        np.arange(len(table)),
        middle,
        yerr=[middle - table["low"], table["high"] - middle],
        fmt="o",
        capsize=3,
    )
    axes.axhline(0.5, linewidth=0.8, linestyle="--", color="grey")
    axes.set_xticks(
        np.arange(len(table)), [f"{rollouts}\nagainst {rollouts // 2}" for rollouts in table["rollouts"]]
    )
    axes.set_xlabel("rollouts a decision")
    axes.set_ylabel("win share of the larger number")
    figure.savefig(FIGURE, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    sys.exit(main())
