"""`arbosim plan`: how many deals a question needs."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from arbosim.cli.options import (
    AsJson,
    Changes,
    DealsFrom,
    GameName,
    Jobs,
    Players,
    RuleSet,
    Seed,
    given_rules,
    real_number,
    whole_number,
)
from arbosim.cli.output import say
from arbosim.cli.playing import compile_first, prompt_exit
from arbosim.core.spec import parse_list


def plan(
    effect: Annotated[
        float,
        typer.Option(
            "--effect",
            help="Percentage points of win share above one half, as in 1%.",
            **real_number("--effect", "%"),
        ),
    ],
    strategies: Annotated[
        list[str] | None,
        typer.Option(
            "-s",
            "--strategies",
            help="Two or more, with commas between them; may be repeated. [all that have no budget]",
        ),
    ] = None,
    players: Players = None,
    pilot: Annotated[
        int, typer.Option("--pilot", help="Deals of the pilot.", **whole_number("--pilot"))
    ] = 500,
    power: Annotated[
        float,
        typer.Option("--power", help="How often the effect is to be seen.", **real_number("--power")),
    ] = 0.9,
    alpha: Annotated[
        float,
        typer.Option(
            "--alpha", help="How often it may be seen where there is none.", **real_number("--alpha")
        ),
    ] = 0.05,
    seed: Seed = None,
    jobs: Jobs = None,
    rules: RuleSet = None,
    changes: Changes = None,
    deals_from: DealsFrom = None,
    game: GameName = None,
    as_json: AsJson = False,
) -> int:
    """Play a pilot, and say how many deals it takes to see a difference of some size."""
    from arbosim import launch
    from arbosim.contest.plan import check, needs
    from arbosim.core import registry
    from arbosim.results import Results
    from arbosim.tournament import config

    check(effect, pilot, power, alpha, lambda key: f"--{key}")
    playing = registry.game(game).name
    names = [name for text in strategies or () for name in parse_list(text, "--strategies")]
    given: dict[str, Any] = {
        "strategies": names or list(registry.quick(playing)),
        "deals": pilot,
        "players": players,
        "seed": seed,
        "jobs": jobs,
        "rules": given_rules(rules, changes or []),
        "deals_from": deals_from,
        "game": playing,
    }
    given = {key: value for key, value in given.items() if value is not None}
    with prompt_exit() as watched:
        prepared = launch.begin(config.settings(given, flags=True))
        compile_first(prepared, as_json)
        watched.append(prepared)
        played = prepared.execute(prepared.settings.jobs)
    if played.outcome.interrupted:
        raise KeyboardInterrupt
    results = Results.of(played)
    results.warn_of_errors()
    found = needs(results, effect, power, alpha)
    say(json.dumps(found.to_json(), indent=1) if as_json else str(found))
    return 0
