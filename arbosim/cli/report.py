"""`arbosim report`: a run as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arbosim.cli.output import say


def report(
    folder: Annotated[str, typer.Argument(metavar="RUN", help="A run folder, finished or not.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="The file to write. [report.html in the run folder]")
    ] = None,
    games: Annotated[
        list[str] | None,
        typer.Option(
            "--game", help="A game to show besides those that are chosen, as in 3-120-1; may be repeated."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is no report.")] = False,
) -> int:
    """Write a run as one HTML file: standings, plots, errors, and games to step through.

    The file needs nothing else and asks nobody for anything. A report that lies there already is replaced.
    """
    from arbosim import lab

    results = lab.load(Path(folder))
    say(str(results.report(output, games=games or (), overwrite=force)))
    return 0
