"""`arbosim tune`: better values for a strategy's parameters."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arbosim.cli.options import (
    AsJson,
    Changes,
    DealsFrom,
    GameName,
    Jobs,
    Output,
    Players,
    RuleSet,
    Seed,
    given_rules,
    real_number,
    whole_number,
)
from arbosim.cli.output import say
from arbosim.cli.playing import INTERRUPTED, compile_first, last_resort, made_folder, prompt_exit
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted
from arbosim.core.spec import parse

if TYPE_CHECKING:
    from arbosim.tuning.result import Tuned
    from arbosim.tuning.tune import Tuning


def tune(
    strategy: Annotated[
        str, typer.Argument(help="The strategy, with values to start from; with --resume, a tuning folder.")
    ],
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            help="Opponents with commas between them; all others if missing, or by the word field.",
        ),
    ] = None,
    players: Players = None,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget", help="Games to tune with, confirmation apart. [400000]", **whole_number("--budget")
        ),
    ] = None,
    parameters: Annotated[
        str | None,
        typer.Option(
            "--parameters",
            help="What is tuned, with commas between them; what the strategy marks if missing.",
        ),
    ] = None,
    population: Annotated[
        int | None,
        typer.Option(
            "--population",
            help="Candidates in a generation; it follows from the parameters if missing.",
            **whole_number("--population"),
        ),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "-n",
            "--deals",
            help="Deals in a generation; 100 over the number of tables if missing, or fewer.",
            **whole_number("--deals"),
        ),
    ] = None,
    confirm: Annotated[
        int | None,
        typer.Option(
            "--confirm",
            help="Deals of the confirmation at most; as many as the budget pays for if missing.",
            **whole_number("--confirm"),
        ),
    ] = None,
    elo1: Annotated[
        float | None,
        typer.Option(
            "--elo1", help="H1 of the confirmation, in normalised Elo; H0 is 0. [5]", **real_number("--elo1")
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="Of the parameter set that is written; tuned-2p or the like if missing."),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Write the set also if tuning did not help.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write it also over a set of that name.")] = False,
    seed: Seed = None,
    jobs: Jobs = None,
    output: Output = None,
    rules: RuleSet = None,
    changes: Changes = None,
    deals_from: DealsFrom = None,
    game: GameName = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a tuning that was interrupted.")
    ] = False,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print neither progress nor the summary.")] = False,
) -> int:
    """Look for better values of a strategy's parameters, and confirm them on new deals.

    If they win more, a parameter set is written, which -s STRATEGY@NAME
    uses; if they do not, it says so and writes none.

    Exit codes: 0 done, whether it helped or not; 2 wrong input;
    130 after Ctrl-C, where finished generations are kept.
    """
    given: dict[str, Any] = {
        "against": None if against is None else ",".join(against),
        "players": players,
        "budget": budget,
        "parameters": parameters,
        "population": population,
        "deals": deals,
        "confirm": confirm,
        "elo1": elo1,
        "name": name,
        "seed": seed,
        "jobs": jobs,
        "rules": given_rules(rules, changes or []),
        "deals_from": deals_from,
        "game": game,
        "output": output,
    }
    with prompt_exit():
        tuning = _prepared(strategy, given, resume, force)
        compile_first(tuning, quiet)
    if tuning.folder is None:
        state = tuning.asked.record
        tuning.folder = made_folder(f"tune-{state.strategy.name}-{state.players}p-seed{state.seed}")
    tuned = _execute(tuning, quiet)
    return INTERRUPTED if tuned is None else _tell(tuned, keep, force, as_json, quiet)


def _prepared(strategy: str, given: dict[str, Any], resume: bool, force: bool) -> Tuning:
    from arbosim.tuning.tune import begin, go_on

    if not resume:
        if given["name"] is None:
            given["name"] = _usual_name(given["players"] or 2)
        return begin(strategy, given, force=force, flags=True)
    folder = given.pop("output")
    if folder not in (None, strategy):
        raise UserError(f"two tunings are named: {strategy!r} and, with -o, {folder!r}")
    return go_on(Path(strategy), given, force=force, flags=True)


def _usual_name(players: int) -> str:
    """Return the name of a parameter set that is given none."""
    return f"tuned-{players}p"


def _execute(tuning: Tuning, quiet: bool) -> Tuned | None:
    """Play; None after Ctrl-C."""
    try:
        with last_resort(tuning.again), _progress(tuning, quiet) as progress:
            return tuning.execute(tuning.asked.jobs, progress)
    except KeyboardInterrupt:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would only spoil the exit code
    kept = counted(len(tuning.generations.lines), "generation")
    print(f"Interrupted: {kept} of {tuning.asked.record.generations} kept.", file=sys.stderr)
    print(f"Go on with:  {tuning.again}", file=sys.stderr)
    return None


def _tell(tuned: Tuned, keep: bool, force: bool, as_json: bool, quiet: bool) -> int:
    path, name = None, tuned.record.name or _usual_name(tuned.record.players)
    if tuned.helped or keep:
        path = tuned.save(name, keep=keep, force=force)
    if as_json:
        say(json.dumps({**tuned.to_json(), "written": None if path is None else str(path)}, indent=1))
    elif not quiet:
        say(str(tuned))
        if path is not None:
            say(
                f"  written to {path.parent.name}/{path.name}: -s {parse(tuned.strategy).target}@{name} uses it"
            )
        else:
            say("  no parameter set was written; --keep writes it all the same")
        say(f"  tuning {tuned.folder}")
    if tuned.errors:
        print(f"arbosim: warning: {tuned.mistakes()}", file=sys.stderr)
    return 0


@contextmanager
def _progress(tuning: Tuning, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """Show how far it is, games a second and the time left, where someone is looking."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    started, games = time.monotonic(), 0
    columns = (TextColumn("{task.description}"), BarColumn(None), TextColumn("{task.fields[rate]}"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(tuning.progress(), total=tuning.games_left, rate="")

        def show(finished: int) -> None:
            nonlocal games
            games += finished
            rate = f"{games / max(time.monotonic() - started, 1e-3):,.0f} games/s"
            # how long the confirmation takes is not known: it ends when it is decided
            total = None if tuning.seen is not None else bar.tasks[task].total
            bar.update(task, description=tuning.progress(), advance=finished, total=total, rate=rate)

        yield show
