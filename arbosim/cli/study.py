"""`arbosim study`: what changes of the rules do to the game."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arbosim.cli.options import (
    AsJson,
    Changes,
    DealsFrom,
    Jobs,
    RuleSet,
    Seed,
    given_rules,
    whole_number,
)
from arbosim.cli.output import say
from arbosim.cli.playing import (
    INTERRUPTED,
    compile_first,
    games_bar,
    last_resort,
    made_folder,
    prompt_exit,
)
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted, whole
from arbosim.core.spec import parse_list

if TYPE_CHECKING:
    from arbosim.studies.play import Playing

FORFEITS = 1


def study(
    config: Annotated[
        str,
        typer.Argument(help="A TOML file that says what is studied; with --resume it may be missing."),
    ] = "",
    deals: Annotated[
        int | None,
        typer.Option(
            "-n", "--deals", help="Deals per line-up and variant. [1000]", **whole_number("--deals")
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option("-p", "--players", help="Players at a table, or several: 2,3. [2]")
    ] = None,
    strategies: Annotated[
        list[str] | None,
        typer.Option("-s", "--strategies", help="Strategies with commas between them; may be repeated."),
    ] = None,
    seed: Seed = None,
    jobs: Jobs = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="The study folder. [a new one under runs]")
    ] = None,
    rules: RuleSet = None,
    changes: Changes = None,
    deals_from: DealsFrom = None,
    retune: Annotated[
        bool | None,
        typer.Option(
            "--retune/--no-retune", help="Tune strategies for each variant, and compare with them as well."
        ),
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", help="Play what the study in this folder still lacks.")
    ] = None,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print neither progress nor effects.")] = False,
) -> int:
    """Play the same deals under a rule set and variants of it, and show what they change.

    --rules and --set change the base, and so all variants.
    """
    given: dict[str, Any] = {
        "deals": deals,
        "players": None if players is None else _counts(players),
        "strategies": [name for text in strategies or () for name in parse_list(text, "--strategies")]
        or None,
        "seed": seed,
        "base": given_rules(rules, changes or []),
        "deals_from": deals_from,
        "retune": retune,
        "jobs": jobs,
    }
    given = {key: value for key, value in given.items() if value is not None}
    with prompt_exit() as watched:
        from arbosim.studies.lab import prepare

        if resume is not None and output not in (None, resume):
            raise UserError(f"two studies are named: {resume!r} and, with -o, {output!r}")
        if resume is None and not config:
            raise UserError("which study? Name its file, as in arbosim study my_study.toml")
        if resume is not None:
            _check_there(resume)
        playing = prepare(
            config or None,
            given,
            output=output if resume is None else resume,
            resume=resume is not None,
            flags=True,
            command=_command(config, given),
        )
        watched.append(playing)
        return _execute(playing, config, as_json, quiet)


def _execute(playing: Playing, config: str, as_json: bool, quiet: bool) -> int:
    from arbosim.studies.study import Study

    for prepared in playing.prepared:
        compile_first(prepared, quiet)
    if playing.folder is None:
        playing.keep_in(made_folder(f"{_name(config)}-seed{playing.manifest.seed}"))
    state, folder = playing.manifest, shlex.quote(str(playing.folder))
    again = f"arbosim study --resume {folder}"
    with last_resort(again, playing.conclude), games_bar(playing.games_left, quiet) as progress:
        finished = playing.execute(progress)
    if not finished:
        begun = sum(record.games > 0 for record in state.runs)
        kept = f"{counted(state.games, 'game')} in {counted(begun, 'run')}"
        print(f"Interrupted: {kept} kept.", file=sys.stderr)
        print(f"Go on with:  {again}", file=sys.stderr)
        return INTERRUPTED
    found = Study(state, playing.folder)
    if as_json:
        say(json.dumps(found.to_json(), indent=1))
    elif not quiet:
        say(str(found))
        say(f"study        {playing.folder}")
        say(f"As a page:   arbosim report {folder}")
    if state.errors:
        guilty = next(record for record in state.runs if record.errors)
        errors = f"{playing.folder}/runs/{guilty.name}/errors.jsonl"
        print(f"{counted(state.errors, 'game')} forfeited; the first of them: {errors}", file=sys.stderr)
    return FORFEITS if state.errors else 0


def _counts(text: str) -> list[int]:
    try:
        return [whole(part.strip()) for part in text.split(",")]
    except ValueError:
        raise UserError(
            f"{text!r} is no number of players, nor several with commas", where="--players"
        ) from None


def _check_there(folder: str) -> None:
    from arbosim.studies import folder as folders

    folders.load(Path(folder))  # with the reason if there is none


def _name(config: str) -> str:
    """Return what a study is called after its file, or after the folder of a config.toml."""
    path = Path(config).absolute()
    return path.parent.name if path.stem in ("config", "study") else path.stem


def _command(config: str, given: dict[str, Any]) -> str:
    """Return the command line that plays the study again."""
    words = ["arbosim", "study", config]
    for flag, key in (("-n", "deals"), ("--seed", "seed"), ("--deals-from", "deals_from")):
        words += [flag, str(given[key])] if key in given else []
    for flag, key in (("-p", "players"), ("-s", "strategies")):
        words += [flag, ",".join(map(str, given[key]))] if key in given else []
    for field, value in given.get("base", {}).items():
        words += ["--rules", value] if field == "preset" else ["--set", f"{field}={value}"]
    if "retune" in given:
        words += ["--retune" if given["retune"] else "--no-retune"]
    return shlex.join(words) if config else ""
