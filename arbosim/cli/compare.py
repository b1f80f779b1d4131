"""`arbosim compare`: two strategies until it is decided."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arbosim.cli.options import (
    AsJson,
    Backend,
    BotCommands,
    BotDirs,
    BotProtocols,
    BotShells,
    Changes,
    DealsFrom,
    GameName,
    Isolate,
    Jobs,
    MoveTimeout,
    Output,
    Players,
    RuleSet,
    Scheduler,
    Seed,
    given_bots,
    given_rules,
    real_number,
    whole_number,
)
from arbosim.cli.output import say
from arbosim.cli.playing import (
    INTERRUPTED,
    compile_first,
    last_resort,
    new_folder,
    prompt_exit,
    tell_errors,
)
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted
from arbosim.core.spec import parse_list

if TYPE_CHECKING:
    from arbosim.contest.compare import Contested
    from arbosim.contest.outcome import Contest

UNDECIDED = 1


def compare(
    strategies: Annotated[
        list[str], typer.Argument(help="The two strategies; with --resume, a run folder instead.")
    ],
    elo0: Annotated[
        float | None,
        typer.Option(
            "--elo0",
            help="H0: so much stronger is the first, in normalised Elo per game. [0]",
            **real_number("--elo0"),
        ),
    ] = None,
    elo1: Annotated[
        float | None, typer.Option("--elo1", help="H1: so much. [5]", **real_number("--elo1"))
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option("--alpha", help="How often H1 wins though H0 is true. [0.05]", **real_number("--alpha")),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option("--beta", help="How often H0 wins though H1 is true. [0.05]", **real_number("--beta")),
    ] = None,
    until_width: Annotated[
        float | None,
        typer.Option(
            "--until-width",
            help="Instead: stop when the interval of the win share is so many percentage points wide in all.",
            **real_number("--until-width", "%"),
        ),
    ] = None,
    max_deals: Annotated[
        int | None,
        typer.Option("--max-deals", help="Then it stays undecided. [100000]", **whole_number("--max-deals")),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            "--field",
            help="The others at tables of 3 or 4, with commas between them; all combinations of them play.",
        ),
    ] = None,
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    output: Output = None,
    rules: RuleSet = None,
    changes: Changes = None,
    deals_from: DealsFrom = None,
    game: GameName = None,
    bot: BotCommands = None,
    bot_dir: BotDirs = None,
    protocol: BotProtocols = None,
    bot_shell: BotShells = None,
    on_error: Annotated[
        str | None,
        typer.Option(
            "--on-error",
            help="After a mistake: forfeit, or random-move (of those in processes of their own). [forfeit]",
        ),
    ] = None,
    move_timeout: MoveTimeout = None,
    isolate: Isolate = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a comparison, possibly with more --max-deals.")
    ] = False,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print neither progress nor the summary.")] = False,
) -> int:
    """Let two strategies play until it is decided which is stronger, and no longer.

    Exit codes: 0 decided, whichever way; 1 undecided after --max-deals;
    2 wrong input; 130 after Ctrl-C.

    Normalised Elo is how far the mean result is from one half, in standard
    deviations of a game, times 347.4. At two players about 7 of it are one
    percentage point of win share. For a slow strategy, as in plain Python,
    take --elo1 50 (some 7 points) or set --max-deals.
    """
    given: dict[str, Any] = {
        "players": players,
        "seed": seed,
        "jobs": jobs,
        "backend": backend,
        "scheduler": scheduler,
        "output": output,
        "rules": given_rules(rules, changes or []),
        "deals_from": deals_from,
        "game": game,
        "bots": given_bots(bot or (), bot_dir or (), protocol or (), bot_shell or ()),
        "on_error": on_error,
        "move_timeout": move_timeout,
        "isolate": isolate or None,
    }
    asked: dict[str, Any] = {
        "field": [name for text in field or () for name in parse_list(text, "--field")],
        "rule": {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "until_width": until_width},
        "max_deals": max_deals,
    }
    given = {key: value for key, value in given.items() if value is not None}
    with prompt_exit() as watched:
        contested, contest = (_go_on if resume else _begin)(strategies, given, asked)
        if contested is not None:
            watched.append(contested.prepared)
            contest = _execute(contested, quiet)
        return INTERRUPTED if contest is None else _tell(contest, as_json, quiet)


def _begin(
    strategies: list[str], given: dict[str, Any], asked: dict[str, Any]
) -> tuple[Contested | None, Contest | None]:
    from arbosim.contest.compare import begin

    if len(strategies) != 2:
        raise UserError(
            f"two strategies are compared, as in arbosim compare random greedy, not {len(strategies)}"
        )
    first, second = strategies
    return begin(first, second, given, **asked, flags=True), None


def _go_on(
    strategies: list[str], given: dict[str, Any], asked: dict[str, Any]
) -> tuple[Contested | None, Contest | None]:
    """Return what is to be played, or the outcome of what is over."""
    from arbosim.contest.compare import Contested, go_on

    folder = given.pop("output", None)
    if len(strategies) == 1 and folder in (None, *strategies):
        [folder], strategies = strategies, []
    if len(strategies) == 1:
        raise UserError(f"two runs are named: {strategies[0]!r} and, with -o, {folder!r}")
    if len(strategies) not in (0, 2) or folder is None:
        raise UserError("which run? Name its folder, as in arbosim compare --resume runs/first")
    pair = (strategies[0], strategies[1]) if strategies else None
    found = go_on(Path(folder), given, pair=pair, **asked, flags=True)
    return (found, None) if isinstance(found, Contested) else (None, found)


def _execute(contested: Contested, quiet: bool) -> Contest | None:
    prepared = contested.prepared
    compile_first(prepared, quiet)
    if prepared.folder is None:
        prepared.folder = new_folder(prepared, "compare")
    with last_resort(contested.again), _progress(contested, quiet) as progress:
        contest = contested.execute(prepared.settings.jobs, progress)
    if contest is None:
        known = counted(contested.referee.duel.known, "deal")
        print(f"Interrupted, undecided after {known}; what was played is kept.", file=sys.stderr)
        print(f"Go on with:  {contested.again}", file=sys.stderr)
    return contest


def _tell(contest: Contest, as_json: bool, quiet: bool) -> int:
    if as_json:
        say(json.dumps(contest.to_json(), indent=1))
    elif not quiet:
        say(str(contest))
        say(f"  run {contest.results.folder}, digest {contest.results.manifest.digest}")
    tell_errors(contest.results)
    return UNDECIDED if contest.decision == "undecided" else 0


@contextmanager
def _progress(contested: Contested, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """Show where the log-likelihood ratio is between its bounds, or how wide the interval is, where someone looks."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    referee, started, games = contested.referee, time.monotonic(), 0
    columns = [TextColumn("{task.fields[deals]}"), TextColumn("{task.fields[low]}"), BarColumn(None)]
    columns += [
        TextColumn("{task.fields[high]}"),
        TextColumn("{task.fields[at]}"),
        TextColumn("{task.fields[rate]}"),
    ]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0, deals="", low="", high="", at="", rate="")

        def show(finished: int) -> None:
            nonlocal games
            games += finished
            deals = counted(referee.duel.known, "deal")
            rate = f"{games / max(time.monotonic() - started, 1e-3):,.0f} games/s"
            bar.update(task, deals=deals, rate=rate, **_gauge(contested))

        yield show


def _gauge(contested: Contested) -> dict[str, Any]:
    """Return how far it is to a decision, as the fields of a bar."""
    referee = contested.referee
    if not referee.looks:
        return {"completed": 0.0}
    look = referee.looks[-1]
    if referee.rule is not None and look.llr is not None:
        low, high = referee.rule.bounds
        done = min(1.0, max(0.0, (look.llr - low) / (high - low)))
        return {
            "completed": done,
            "low": f"H0 {low:.2f}",
            "high": f"{high:+.2f} H1",
            "at": f"LLR {look.llr:+.2f}",
        }
    wanted, width = (referee.asked.until_width or 0.0) / 100, look.high - look.low
    return {"completed": min(1.0, wanted / width), "high": f"{wanted:.2%}", "at": f"width {width:.2%}"}
