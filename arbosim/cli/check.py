"""`arbosim check`: does a strategy play by all rules?"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from arbosim.cli.options import AsJson, whole_number
from arbosim.cli.output import say
from arbosim.core import registry


def check(
    strategy: Annotated[str, typer.Argument(help="A file.py, a registered name, or py=module:attribute.")],
    games: Annotated[
        int, typer.Option("--games", "-n", help="About how many games to play.", **whole_number("--games", 1))
    ] = 200,
    seed: Annotated[str, typer.Option(help="A whole number or any text.")] = "1",
    as_json: AsJson = False,
) -> None:
    """Play a strategy through the conformance suite and say in plain words what is wrong.

    Exit code 1 if any check fails.
    """
    from arbosim.core.seeds import master_seed
    from arbosim.match.conformance import run_checks

    entrant = registry.resolve(strategy, registry.game().name, where="STRATEGY")
    typer.echo(f"checking {entrant.spec}, which takes a few minutes", err=True)
    from rich.console import Console

    with Console(stderr=True).status("") as status:  # shows nothing where no one is looking
        results = run_checks(entrant, games=games, seed=master_seed(seed), tell=status.update)
    passed = all(result.ok for result in results)
    if as_json:
        checks = [asdict(result) for result in results]
        say(json.dumps({"strategy": entrant.spec, "ok": passed, "checks": checks}, indent=2))
    else:
        width = max(len(result.name) for result in results)
        for result in results:
            mark = ("ok" if result.made else "-") if result.ok else "FAIL"
            say(f"{mark:4}  {result.name:{width}}  {result.message}".rstrip())
        failed = sum(not result.ok for result in results)
        say(
            f"{entrant.spec} passes all checks"
            if passed
            else f"{entrant.spec} fails {failed} of {len(results)}"
        )
    raise typer.Exit(0 if passed else 1)
