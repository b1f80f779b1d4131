"""`arbosim standings`: the standings of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from arbosim.cli.options import AsJson
from arbosim.cli.output import say


def standings(
    runs: Annotated[
        list[str], typer.Argument(help="Run folders; several are taken together where they fit.")
    ],
    as_json: AsJson = False,
) -> int:
    """Show the standings of one run again, or of several together."""
    from arbosim.lab import load
    from arbosim.report import text
    from arbosim.results import together

    results = [load(Path(run)) for run in runs]
    table = results[0].summary if len(results) == 1 else together(results)
    say(json.dumps(text.as_dict(table, results), indent=1) if as_json else text.as_text(table, results))
    return 0
