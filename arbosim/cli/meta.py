"""`arbosim meta`: what the strategies of a run are among each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from arbosim.cli.options import AsJson
from arbosim.cli.output import say


def meta(
    run: Annotated[str, typer.Argument(help="A run folder.")],
    alpha: Annotated[float, typer.Option(help="Selection pressure of alpha-rank.")] = 10.0,
    population: Annotated[int, typer.Option(help="Population size of alpha-rank.")] = 50,
    as_json: AsJson = False,
) -> int:
    """Show which strategies no other makes pointless, and which beat each other in cycles."""
    from arbosim import lab

    found = lab.load(Path(run)).meta(alpha=alpha, population=population)
    say(json.dumps(found.to_json(), indent=1) if as_json else str(found))
    return 0
