"""Play the ladder, all strategies of the zoo at 2, 3 and 4 players, and renew its table and its page.

    python benchmarks/ladder.py             # as `make ladder`: benchmarks/ladder.csv and docs/ladder.md
    python benchmarks/ladder.py --size 0.1  # a tenth of the deals: shows the tables, and renews nothing
    python benchmarks/ladder.py --reduced   # benchmarks/ladder_reduced.csv, which the tests play again

docs/ladder.md says who plays whom on which deals, and why. The runs stay in runs/ladder, those of another size in a
folder such as runs/ladder-0.1; an interrupted ladder goes on with them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

import arbosim
from arbosim.analysis.standings import Standings
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.game import Chunk
from arbosim.core.measures import RESULTS_ALONE
from arbosim.core.strategy import Entrant
from arbosim.results import Results, together
from arbosim.studies.pieces import altered

ROOT = Path(__file__).parents[1]
RUNS = Path("runs") / "ladder"
TABLE, REDUCED_TABLE = ROOT / "benchmarks" / "ladder.csv", ROOT / "benchmarks" / "ladder_reduced.csv"
PAGE = ROOT / "docs" / "ladder.md"
BEGIN, END = "<!-- tables, drawn by benchmarks/ladder.py -->\n", "<!-- end of the tables -->\n"
SEED = 1
PARTNERS = ("gardener", "spite")
"""They are in every pool; the strongest of the round robin fill it up."""
DIGITS = {
    "rating": 1,
    "rating_low": 1,
    "rating_high": 1,
    "win_share": 4,
    "low": 4,
    "high": 4,
    "mean_score": 3,
}


@dataclass(frozen=True)
class Size:
    """How much is played, by number of players.

    Parameters
    ----------
    deals : dict
        Of the round robin of all strategies without a budget.
    budget_deals : dict
        The first so many of them, for each strategy with a budget against the pool.
    pool : dict
        Strategies in the pool.
    timed_deals : int
        Of the self-play that takes the time of a decision; a strategy with a budget gets one. 0 takes no time, and
        lets strategies with a budget play with the smallest one.
    """

    deals: dict[int, int]
    budget_deals: dict[int, int]
    pool: dict[int, int]
    timed_deals: int

    def times(self, factor: float) -> Size:
        """Return a size with so many times the deals, but at least two."""
        deals, budget_deals = (
            {players: max(2, round(count * factor)) for players, count in counts.items()}
            for counts in (self.deals, self.budget_deals)
        )
        return Size(deals, budget_deals, self.pool, self.timed_deals)


FULL = Size({2: 600, 3: 120, 4: 40}, {2: 30, 3: 16, 4: 16}, {2: 6, 3: 4, 4: 4}, 60)
REDUCED = Size({2: 10, 3: 3}, {2: 5, 3: 2}, {2: 3, 3: 3}, 0)


def main() -> int:
    """Play the ladder that is asked for, and write its files or show its tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--reduced", action="store_true", help="the reduced form, without time per decision")
    parser.add_argument("--size", type=float, help="how many times the usual deals [1]")
    parser.add_argument("-j", "--jobs", type=int, default=-1)
    given = parser.parse_args()
    if given.reduced and given.size is not None:
        parser.error("--reduced has a size of its own: give it or --size")
    factor = 1.0 if given.size is None else given.size
    if not 0 < factor <= 1000:
        parser.error(f"--size is above 0 and at most 1000, not {factor:g}")
    started = time.perf_counter()
    names = list(registry.strategies(registry.game().name))
    try:
        if given.reduced:
            write(play(names, REDUCED, given.jobs), REDUCED_TABLE)
            return 0
        table = play(names, FULL.times(factor), given.jobs, runs_of(factor))
    except UserError as error:
        began_otherwise = str(error).startswith("cannot go on with")
        hint = f"\nwhat began otherwise lies in {runs_of(factor)}: remove it to begin anew"
        parser.error(f"{error}{hint if began_otherwise else ''}")
    if factor == 1:
        write(table, TABLE)
        PAGE.write_text(drawn(PAGE.read_text(encoding="utf-8"), read(TABLE)), encoding="utf-8")
        told = f"{TABLE.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}"
    else:
        print("\n" + sections(table).rstrip())
        told = f"\nThese are not the tables of {PAGE.relative_to(ROOT)}: only the full size, --size 1, renews them"
    print(f"{told}: {time.perf_counter() - started:.0f} s")
    return 0


def runs_of(factor: float) -> Path:
    """Return where the runs of a ladder stay that has so many times the usual deals."""
    return RUNS if factor == 1 else RUNS.with_name(f"{RUNS.name}-{factor:.15g}")


def play(specs: Sequence[str], size: Size, jobs: int, folder: Path | None = None) -> pd.DataFrame:
    """Play a ladder and return its table, by number of players and rating.

    Parameters
    ----------
    folder : Path, optional
        Where the runs stay, and are gone on with; in memory if it is missing.
    """
    game = registry.game()
    entrants = [registry.resolve(spec, game.name) for spec in specs]
    rows: list[dict[str, object]] = []
    for players in size.deals:
        rows += _rungs(entrants, players, size, jobs, folder)
    table = pd.DataFrame(rows).sort_values(["players", "rating"], ascending=[True, False], kind="stable")
    return table.round(DIGITS)


def _rungs(
    entrants: Sequence[Entrant], players: int, size: Size, jobs: int, folder: Path | None
) -> Iterator[dict[str, object]]:
    """Yield the lines of the table for one number of players."""

    def run(strategies: Sequence[Entrant], deals: int, focus: Entrant | None = None) -> Results:
        name = f"{players}p-{focus.strategy.name}" if focus else f"{players}p"
        started = time.perf_counter()
        found = arbosim.run(
            strategies,
            deals=deals,
            players=players,
            seed=SEED,
            jobs=jobs,
            schedule="gauntlet" if focus else "round-robin",
            focus=focus and focus.spec,
            lean=True,
            output=folder and folder / name,
            resume=folder is not None,
        )
        if folder:
            print(
                f"{name}: {found.manifest.games:,} games, {time.perf_counter() - started:.0f} s", flush=True
            )
        return found

    quick = [entrant for entrant in entrants if not entrant.strategy.budgets]
    slow = [entrant for entrant in entrants if entrant.strategy.budgets]
    if not size.timed_deals:
        slow = [smallest(entrant) for entrant in slow]
    round_robin = run(quick, size.deals[players])
    pool = pool_of(round_robin.summary, size.pool[players])
    runs = {each.spec: round_robin for each in quick}
    for each in slow:
        partners = [entrant for entrant in quick if entrant.spec in pool]
        runs[each.spec] = run([each, *partners], size.budget_deals[players], each)
    joint = together(list({id(found): found for found in runs.values()}.values()))
    ranks = dict(zip((row.strategy for row in joint.rows), joint.ratings.ranks, strict=True))
    ratings = {row.strategy: row for row in joint.rows}
    for each in (*quick, *slow):
        [own] = [row for row in runs[each.spec].summary.rows if row.strategy == each.spec]
        rated = ratings[each.spec]
        line: dict[str, object] = {
            "players": players,
            "rank": ranks[each.spec],
            "strategy": each.spec,
            "rating": rated.rating,
            "rating_low": rated.rating_low,
            "rating_high": rated.rating_high,
            "win_share": own.win_share,
            "low": own.low,
            "high": own.high,
            "mean_score": own.mean_score,
        }
        if size.timed_deals:
            line["microseconds"] = float(f"{microseconds(each, players, size.timed_deals):.3g}")
        line |= {"games": own.games, "deals": runs[each.spec].manifest.deals}
        yield line | {"against": " ".join(pool) if each in slow else "all"}


def pool_of(table: Standings, size: int) -> list[str]:
    """Return whom strategies with a budget meet: the partners, and the highest rated of the others."""
    rated = sorted(table.rows, key=lambda row: (-(row.rating or 0.0), row.strategy))
    others = [row.strategy for row in rated if row.strategy not in PARTNERS]
    partners = [row.strategy for row in rated if row.strategy in PARTNERS]
    return sorted([*partners, *others[: size - len(partners)]])


def smallest(entrant: Entrant) -> Entrant:
    """Return an entrant that thinks as little as it can."""
    return altered(entrant, **{parameter.name: int(parameter.low) for parameter in entrant.strategy.budgets})


def microseconds(entrant: Entrant, players: int, deals: int) -> float:
    """Return the time of a core that a decision takes, in games of a strategy with itself."""
    game = registry.game(entrant.strategy.game)
    rules = game.rules()

    def alone(who: Entrant, count: int) -> Chunk:
        return game.play_chunk(rules, players, [who] * players, SEED, 0, count, measures=RESULTS_ALONE)

    alone(smallest(entrant), 1)  # compiles
    start = time.thread_time()
    rows = alone(entrant, 1 if entrant.strategy.budgets else deals).rows
    seconds = time.thread_time() - start
    # in each turn the draws, a play and a discard
    return seconds / (int(rows["turns"].sum()) * (int(rules.model_dump()["draws"]) + 2)) * 1e6


def write(table: pd.DataFrame, path: Path) -> None:
    """Write a table as CSV."""
    table.to_csv(path, index=False, lineterminator="\n")


def read(path: Path) -> pd.DataFrame:
    """Read a table as it was written."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def drawn(page: str, table: pd.DataFrame) -> str:
    """Return the page with the tables of a ladder in place of those that it has."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{sections(table)}{END}{after}"


def sections(table: pd.DataFrame) -> str:
    """Return the tables of a ladder, by number of players, as the page shows them."""
    return "".join(_section(int(players), rungs) for players, rungs in table.groupby("players"))


def _section(players: int, rungs: pd.DataFrame) -> str:
    lines = [
        f"### {players} players\n",
        "| rank | strategy | rating | win share | mean score | time per decision | games |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rungs.itertuples():
        half = (row.rating_high - row.rating_low) / 2
        lines.append(
            f"| {row.rank} | `{row.strategy}` | {row.rating:+.0f} ± {half:.0f} "
            f"| {row.win_share:.1%} ({row.low:.1%} to {row.high:.1%}) | {row.mean_score:.2f} "
            f"| {_duration(row.microseconds)} | {row.games:,} |"
        )
    deals = rungs.loc[rungs["against"] == "all", "deals"].iloc[0]
    lines.append(f"\nRound robin on deals 0 to {deals - 1}.")
    for row in rungs[rungs["against"] != "all"].itertuples():
        pool = ", ".join(f"`{name}`" for name in row.against.split())
        lines.append(f"`{row.strategy}` met {pool} on deals 0 to {row.deals - 1}.")
    return "\n".join(lines).replace("%", " %") + "\n\n"


def _duration(microseconds: float) -> str:
    return f"{microseconds / 1000:.3g} ms" if microseconds >= 1000 else f"{microseconds:.3g} µs"


if __name__ == "__main__":
    sys.exit(main())
