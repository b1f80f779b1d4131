"""`arbosim score`: what a table is worth."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from arbosim.cli.options import console
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.match import documents
from arbosim.match.replay import refusal

REFUSED = 2


def score(
    file: Annotated[str, typer.Argument(help="A .json file, a .jsonl file, or - for standard input.")],
    game: Annotated[
        str | None, typer.Option("--game", help="The game. [the first that is installed]")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line for machines.")
    ] = False,
) -> int:
    """Score a table as it lies: hands, rights, best paths, open cells, sources and winners.

    A table is written as {"players": 2, "arboretums": [[["J4",0,0],["L5",0,1]],[]],
    "hands": [["J1"],["J8","L2"]]}; "rules", "discards" and "deck" may be added.
    """
    playing = registry.game(game)
    refused = False
    for line, given in documents.read(file):
        try:
            if isinstance(given, UserError):
                raise given
            position = playing.notation.read_position(given)
        except UserError as error:
            refused = True
            place = f"{file}, line {line}" if file == "-" or file.endswith(".jsonl") else file
            if as_json:
                typer.echo(json.dumps(refusal(error)))
            else:
                typer.echo(f"arbosim: {place}: {error}", err=True)
            continue
        if as_json:
            typer.echo(json.dumps(playing.notation.score_object(position)))
        else:
            playing.show_position(console(), position)
    return REFUSED if refused else 0
