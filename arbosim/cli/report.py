"""`arbosim report`: a run or a study as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arbosim.cli.output import say
from arbosim.core.errors import UserError


def report(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="A run folder or a study folder, finished or not.")
    ],
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="The file to write. [report.html in the folder]")
    ] = None,
    games: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            help="A game to show besides those that are chosen, as in 3-120-1; may be repeated. Of a run alone.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is no report.")] = False,
) -> int:
    """Write a run as one HTML file: standings, plots, errors, and games to step through; or a study: what each
    variant changes, and how sure that is.

    The file needs nothing else and asks nobody for anything. A report that lies there already is replaced.
    """
    from arbosim import lab
    from arbosim.studies.folder import FILE, RUNS
    from arbosim.studies.lab import load_study

    place = Path(folder)
    if not (place / FILE).exists():
        say(str(lab.load(place).report(output, games=games or (), overwrite=force)))
        return 0
    if games:
        how = f"arbosim report {place / RUNS}/RUN"
        raise UserError(
            f"{folder!r} is a study, and games are shown by the reports of its runs: {how}", where="--game"
        )
    say(str(load_study(place).report(output, overwrite=force)))
    return 0
