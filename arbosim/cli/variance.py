"""`arbosim variance`: whose doing the results of a run are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from arbosim.cli.options import AsJson
from arbosim.cli.output import say


def variance(
    run: Annotated[str, typer.Argument(help="A run folder.")],
    as_json: AsJson = False,
) -> int:
    """Show how much of the results is owed to strategies, seats and cards, and what duplicate deals save."""
    from arbosim import lab

    found = lab.load(Path(run)).variance()
    say(json.dumps(found.to_json(), indent=1) if as_json else str(found))
    return 0
