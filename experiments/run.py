"""Play the experiments again: at reduced size, to see that they still run, or in full, to renew their folders.

python experiments/run.py             # as `make experiments`: reports and tables in runs/experiments/NAME
python experiments/run.py --full      # at the size of their configurations; tables and figure in experiments/NAME
python experiments/run.py tempo one_draw --full
"""

from __future__ import annotations

import argparse
import sys
import time
import tomllib
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

import arbosim
from arbosim.core.errors import UserError, unknown
from arbosim.report import plots

mpl.use("agg")  # there may be no screen
mpl.rcParams["svg.hashsalt"] = "arbosim"  # the same figure is the same file

HERE = Path(__file__).parent
RUNS = Path("runs") / "experiments"
REDUCED_DEALS, REDUCED_BUDGET = 20, 2000
FIGURES = {
    "eight_one_rule": ("unscored", "denied_share"),
    "starting_discard": ("first_seat", "unequal_turns"),
    "hand_size": ("score", "conversion"),
    "bonuses": ("score", "win_share monochrome"),
    "species": ("score", "unscored"),
    "one_draw": ("conversion", "lead_deals"),
    "discard_memory": ("win_share counter", "ban_cost balanced:counts"),
    "tempo": ("win_share tempo", "ban_cost tempo:hurries"),
    "many_or_few": ("win_share many_small", "win_share monochrome"),
    "seven_or_eight": ("win_share balanced:top=0.875", "win_share balanced:top=1.25"),
}
"""By experiment: the metrics, each with its subject, whose effects the figure of the folder shows."""


def main() -> int:
    """Play the experiments that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("names", nargs="*", help="experiments; all if there is none")
    parser.add_argument("--full", action="store_true", help="at full size")
    parser.add_argument("-j", "--jobs", type=int, default=-1)
    given = parser.parse_args()
    wrong = [str(unknown("experiment", name, FIGURES)) for name in given.names if name not in FIGURES]
    if wrong:
        parser.error("\n".join(wrong))
    for name in given.names or FIGURES:
        started = time.perf_counter()
        try:
            study = play(name, given.jobs, full=given.full)
        except UserError as error:
            parser.error(f"{name}: {error}")
        folder = HERE / name if given.full else RUNS / name
        keep(study, name, folder)
        print(f"{name}: {study.manifest.games:,} games, {time.perf_counter() - started:.0f} s, {folder}")
    return 0


def play(name: str, jobs: int, *, full: bool) -> arbosim.Study:
    """Play one experiment, or go on with it where it was interrupted."""
    asked = tomllib.loads((HERE / name / "config.toml").read_text(encoding="utf-8"))
    if not full:
        asked["deals"] = REDUCED_DEALS
        if "retune" in asked:
            asked["retune"]["budget"] = REDUCED_BUDGET
    return arbosim.study(asked, jobs=jobs, output=RUNS / (f"{name}-full" if full else name), resume=True)


def keep(study: arbosim.Study, name: str, folder: Path) -> None:
    """Write what a study found: tables, and the figure of its folder."""
    study.report(overwrite=True)
    tables = {"metrics": study.metrics, "effects": study.effects}
    if not study.disagreements.empty:
        tables["disagreements"] = study.disagreements
    for table, frame in tables.items():
        frame.to_csv(folder / f"{table}.csv", index=False, float_format="%.5g")
    marks = len(study.effects[["pool", "players", "variant"]].drop_duplicates())
    height = len(FIGURES[name]) * (1.4 + 0.2 * marks)  # inches; a line of text for each mark
    figure, axes = plt.subplots(len(FIGURES[name]), figsize=(8, height), layout="constrained")
    for shown, ax in zip(FIGURES[name], axes, strict=True):
        metric, _, subject = shown.partition(" ")
        plots.effects(study, metric, ax, subject=subject)
    figure.savefig(folder / "figure.svg", metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    sys.exit(main())
