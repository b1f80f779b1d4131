"""`arbosim run`: a tournament."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
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
    whole_number,
    write_records,
)
from arbosim.cli.output import say
from arbosim.cli.playing import (
    INTERRUPTED,
    compile_first,
    games_bar,
    last_resort,
    new_folder,
    prompt_exit,
    tell_errors,
)
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted
from arbosim.core.spec import parse_list

if TYPE_CHECKING:
    from arbosim.core.game import Chunk
    from arbosim.core.strategy import Entrant
    from arbosim.prepared import Prepared

FORFEITS = 1


def run(
    folder: Annotated[str, typer.Argument(help="An existing run, for --resume, --extend and --add.")] = "",
    strategies: Annotated[
        list[str] | None,
        typer.Option("-s", "--strategies", help="Strategies with commas between them; may be repeated."),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "-n",
            "--deals",
            help="Deals per line-up, each in all rotations. [1000]",
            **whole_number("--deals"),
        ),
    ] = None,
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    output: Output = None,
    schedule: Annotated[
        str | None, typer.Option("--schedule", help="round-robin, gauntlet or self-play. [round-robin]")
    ] = None,
    focus: Annotated[
        str | None,
        typer.Option("--focus", help="The strategy at every table of a gauntlet, or several with commas."),
    ] = None,
    rules: RuleSet = None,
    changes: Changes = None,
    config: Annotated[
        str | None, typer.Option("--config", help="A TOML file with any of these; the command line wins.")
    ] = None,
    deals_from: DealsFrom = None,
    resume: Annotated[bool, typer.Option("--resume", help="Play what an existing run still lacks.")] = False,
    extend: Annotated[
        bool, typer.Option("--extend", help="Give an existing run more deals: -n is their number afterwards.")
    ] = False,
    add: Annotated[
        list[str] | None,
        typer.Option("--add", help="Give an existing run one more strategy; may be repeated."),
    ] = None,
    on_error: Annotated[
        str | None,
        typer.Option(
            "--on-error",
            help="After a mistake: forfeit, stop, or random-move (of those in processes of their own). [forfeit]",
        ),
    ] = None,
    bot: BotCommands = None,
    bot_dir: BotDirs = None,
    protocol: BotProtocols = None,
    bot_shell: BotShells = None,
    move_timeout: MoveTimeout = None,
    isolate: Isolate = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Watch in all deals for writing to the table, not in the first 8."),
    ] = False,
    lean: Annotated[
        bool, typer.Option("--lean", help="Keep the results alone, without the metrics of every game.")
    ] = False,
    course: Annotated[
        bool,
        typer.Option("--course", help="Keep how every game went: lead changes, drama, when it was settled."),
    ] = False,
    metric: Annotated[
        str | None,
        typer.Option("--metric", help="A compiled metric: path/to/file.py or py=module:attribute."),
    ] = None,
    record: Annotated[
        str | None, typer.Option("--record", help="Add the games to a .jsonl file as records.")
    ] = None,
    record_every: Annotated[
        int | None,
        typer.Option(
            "--record-every",
            help="With --record: every n-th game of a line-up. [1]",
            **whole_number("--record-every"),
        ),
    ] = None,
    game: GameName = None,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print neither progress nor standings.")] = False,
) -> int:
    """Play a tournament and show its standings.

    A strategy is written NAME[:key=value]..., path/to/file.py or py=module:attribute.
    """
    given: dict[str, Any] = {
        "strategies": [name for text in strategies or () for name in parse_list(text, "--strategies")]
        or None,
        "deals": deals,
        "players": players,
        "seed": seed,
        "jobs": jobs,
        "backend": backend,
        "scheduler": scheduler,
        "output": output,
        "schedule": schedule,
        "focus": focus,
        "rules": given_rules(rules, changes or []),
        "deals_from": deals_from,
        "on_error": on_error,
        "bots": given_bots(bot or (), bot_dir or (), protocol or (), bot_shell or ()),
        "move_timeout": move_timeout,
        "isolate": isolate or None,
        "strict": strict or None,
        "lean": lean or None,
        "course": course or None,
        "metric": metric,
        "game": game,
        "record": record,
        "record_every": record_every,
    }
    given = {key: value for key, value in given.items() if value is not None}
    file = None if config is None else Path(config)
    added = [name for text in add or () for name in parse_list(text, "--add")]
    with prompt_exit() as watched:
        if resume or extend or added:
            prepared = _go_on(folder, given, file, extend, added)
        else:
            prepared = _begin(folder, given, file)
        watched.append(prepared)
        return _execute(prepared, as_json, quiet)


def _begin(folder: str, given: dict[str, Any], file: Path | None) -> Prepared:
    from arbosim import launch
    from arbosim.tournament import config

    if folder:
        raise UserError(f"unexpected argument {folder!r}; an existing run is named with --resume or --extend")
    settings = config.settings(given, file, flags=True)
    return launch.begin(settings)


def _go_on(folder: str, given: dict[str, Any], file: Path | None, extend: bool, added: list[str]) -> Prepared:
    from arbosim import launch

    output = given.pop("output", "")
    if folder and output and folder != output:
        raise UserError(f"two runs are named: {folder!r} and, with -o, {output!r}")
    if not folder and not output:
        raise UserError("which run? Name its folder, as in arbosim run --resume runs/first")
    return launch.go_on(Path(folder or output), given, config_file=file, extend=extend, add=added, flags=True)


def _execute(prepared: Prepared, as_json: bool, quiet: bool) -> int:
    from arbosim.report.text import as_dict, as_text
    from arbosim.results import Results

    compile_first(prepared, quiet)
    if prepared.folder is None:
        prepared.folder = new_folder(prepared, prepared.manifest.schedule)
    watch = _recorder(prepared)
    state = prepared.manifest
    again = f"arbosim run --resume {shlex.quote(str(prepared.folder))}"
    with last_resort(again), games_bar(prepared.games_left, quiet) as progress:
        played = prepared.execute(prepared.settings.jobs, progress, watch)
    if played.outcome.interrupted:
        print(f"Interrupted: {state.games:,} of {counted(state.games_wanted, 'game')} kept.", file=sys.stderr)
        print(f"Go on with:  {again}", file=sys.stderr)
        return INTERRUPTED
    results = Results.of(played)
    if as_json:
        say(json.dumps(as_dict(results.summary, [results]), indent=1))
    elif not quiet:
        say(as_text(results.summary, [results]))
        say(f"run          {prepared.folder}")
    tell_errors(results)
    if played.outcome.stopped and state.status != "finished":
        print(f"Stopped at the first error; {again} goes on.", file=sys.stderr)
    return FORFEITS if state.errors else 0


def _recorder(prepared: Prepared) -> Callable[[int, Chunk], None] | None:
    """Return what plays the games of finished chunks again, move for move, and keeps them as records."""
    from arbosim.match.replay import GameId, Kept, PlayedRow

    path, every, plan = prepared.settings.record, prepared.settings.record_every, prepared.plan
    if path is None:
        return None
    path = str(Path(path).absolute())  # a strategy may go to another folder while it plays
    write_records(path, [])  # a file that cannot be written is an error now, not after an hour

    def watch(match: int, chunk: Chunk) -> None:
        mistakes = {(error.deal, error.rotation): error for error in chunk.forfeits}
        for index, row in enumerate(chunk.rows):
            deal, rotation = int(row["deal"]), int(row["rotation"])
            if ((deal - plan.deals_from) * plan.players + rotation) % every:
                continue
            by: tuple[Entrant, ...] | Kept = plan.line_ups[match]
            if chunk.actions is not None:
                by = Kept(plan.ids[match], chunk.actions[index], mistakes.get((deal, rotation)))
            played = PlayedRow(GameId(match, deal, rotation), by, {}).play(plan.game, plan.rules, plan.seed)
            write_records(path, [played.record()])

    return watch
