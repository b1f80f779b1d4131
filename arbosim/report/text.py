"""Standings as people and machines read them: what the command line prints and `Results.show` shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from arbosim.analysis.stats import Interval
from arbosim.core.numbers import counted

if TYPE_CHECKING:
    from arbosim.analysis.standings import Standing, Standings
    from arbosim.results import Results


def as_dict(table: Standings, results: list[Results]) -> dict[str, Any]:
    """Return standings as machines read them."""
    states = [each.manifest for each in results]
    folders = [str(each.folder) if each.folder else None for each in results]
    seeds = [state.seed for state in states]
    return {
        "run": folders[0] if len(folders) == 1 else folders,
        **table.to_json(),
        "players": table.players,
        "rules": states[0].rules,
        "seed": seeds[0] if len(seeds) == 1 else seeds,
        "games_per_second": _rate(results),
        "status": states[0].status if len(states) == 1 else [state.status for state in states],
        "note": "; ".join(dict.fromkeys(note for each in results for note in _notes(each))),
    }


def _notes(results: Results) -> list[str]:
    caution = f"comparison {results.caution}" if results.caution else ""
    return [note for note in (results.manifest.note, results.manifest.caution, caution) if note]


def as_text(table: Standings, results: list[Results]) -> str:
    """Return standings, matrix and what belongs to them as text."""
    parts = [_render(_standings_table(table))]
    if len(table.rows) > 1 and any(
        value is not None for row in table.matrix.values() for value in row.values()
    ):
        parts.append("share of common games in which the row finishes above the column, ties half\n")
        parts[-1] += _render(_matrix_table(table))
    return "\n\n".join([*parts, "\n".join(_facts(table, results))])


def _standings_table(table: Standings) -> Any:
    from rich.table import Table

    grid = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    grid.add_column("rank", justify="right", no_wrap=True, vertical="bottom")
    columns = standings_columns(table)
    for name in columns:
        # the table fits into 110 columns
        heading = name.replace("win ", "win\n").replace("mean ", "mean\n").replace("random ", "random\n")
        justify: Literal["left", "right"] = "left" if name == "strategy" else "right"
        grid.add_column(heading, justify=justify, no_wrap=True, vertical="bottom")
    for row in table.rows:
        grid.add_row(str(row.rank), *(cell(row) for cell in columns.values()))
    return grid


def _rating(row: Standing) -> str:
    if row.rating is None:
        return "-"
    if row.rating_high is None:
        return "too few deals"
    return f"{row.rating:+.0f} ± {row.rating_high - row.rating:.0f}"


def standings_columns(table: Standings) -> dict[str, Callable[[Standing], str]]:
    """Return the columns of the standings after the rank, and how they are written."""
    has_random_moves = any(row.random_moves for row in table.rows)
    return {name: cell for name, cell in _STANDINGS.items() if name != "random moves" or has_random_moves}


_STANDINGS: dict[str, Callable[[Standing], str]] = {
    "strategy": lambda row: row.strategy,
    "games": lambda row: f"{row.games:,}",
    "win share": lambda row: _number(row.win_share, 4),
    "95 % interval": lambda row: Interval(row.win_share, row.low, row.high).bounds(),
    "rating": _rating,
    "mean score": lambda row: _number(row.mean_score, 2),
    "margin": lambda row: _number(row.margin, 2, "+"),
    "points": lambda row: _number(row.points, 2),
    "scored": lambda row: _number(row.scored, 3),
    "ties": lambda row: f"{row.ties:,}",
    "errors": lambda row: f"{row.errors:,}",
    "random moves": lambda row: f"{row.random_moves:,}",
}


def _matrix_table(table: Standings) -> Any:
    from rich.table import Table

    names = [row.strategy for row in table.rows]
    grid = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    grid.add_column("", justify="right", no_wrap=True)
    grid.add_column("", no_wrap=True)
    for number in range(1, len(names) + 1):
        grid.add_column(str(number), justify="right", no_wrap=True)
    for number, name in enumerate(names, start=1):
        cells = [_number(table.matrix[name].get(other), 3, missing="") for other in names]
        grid.add_row(str(number), name, *cells)
    return grid


def _facts(table: Standings, results: list[Results]) -> list[str]:
    states = [each.manifest for each in results]
    first = table.first_seat
    lines = []
    if first.value is not None:
        lines.append(f"first seat   wins {first.text()}; no advantage would be {1 / table.players:.4f}")
    if all(state.schedule == "self-play" for state in states):
        lines.append(
            "self-play    each strategy meets itself alone, so win shares say nothing about strength, and there "
            "are no ratings"
        )
    elif table.games:
        lines += _about_ranks(table)
    rate = _rate(results)
    speed = f", {rate:,.0f} a second" if rate else ""
    games, deals = counted(table.games, "game"), counted(table.deals, "deal")
    lines.append(f"played       {games} of {table.players} players on {deals}{speed}")
    lines.append(f"rules        {results[0].rules}")
    lines.append(
        f"seed         {', '.join(str(seed) for seed in dict.fromkeys(state.seed for state in states))}"
    )
    lines.append(f"digest       {table.digest}")
    lines += [f"line-ups     {note}" for note in dict.fromkeys(state.note for state in states) if note]
    lines += [
        f"repeats      not all: {note}" for note in dict.fromkeys(state.caution for state in states) if note
    ]
    lines += [f"comparison   {each.caution}" for each in results if each.caution]
    for each in results:
        state = each.manifest
        if state.status != "finished":
            done = f"{each.summary.games:,} of {counted(state.games_wanted, 'game')}"
            lines.append(f"unfinished   {each.folder or 'this run'} has {done} ({state.status})")
    return lines


def _about_ranks(table: Standings) -> list[str]:
    lines = [
        "ranks        shared where the deals do not decide who is better (Holm over all pairs, 5 % in all)",
        "ratings      Elo: 400 above another is ten wins to one loss; the mean is 0",
    ]
    if all(row.rating is None for row in table.rows):
        lines[1] = "ratings      none, because there are strategies that never met, not even through others"
    return lines


def _render(grid: Any) -> str:
    from rich.console import Console

    # wide enough for any table: the terminal may wrap a line, but nothing is cut off
    console = Console(width=10_000, markup=False, highlight=False, force_terminal=False)
    with console.capture() as capture:
        console.print(grid)
    return "\n".join(line.rstrip() for line in capture.get().rstrip("\n").split("\n"))


def _rate(results: list[Results]) -> float | None:
    seconds = sum(each.manifest.seconds for each in results)
    return sum(each.manifest.games for each in results) / seconds if seconds > 0 else None


def _number(value: float | None, digits: int, sign: str = "", missing: str = "-") -> str:
    return missing if value is None else f"{value:{sign}.{digits}f}"
