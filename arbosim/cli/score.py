"""`arbosim score`: what a table is worth."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from arbosim.cli.options import GameName
from arbosim.cli.output import console, say
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.game import Game
from arbosim.match import documents
from arbosim.match.replay import refusal

REFUSED = 2


def score(
    file: Annotated[str, typer.Argument(help="A .json file, a .jsonl file, or - for standard input.")],
    game: GameName = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line for machines.")
    ] = False,
) -> int:
    """Score a table as it lies: hands, rights, best paths, open cells, sources and winners.

    A table is written as {"players": 2, "arboretums": [[["J4",0,0],["L5",0,1]],[]],
    "hands": [["J1"],["J8","L2"]]}; "rules", "discards" and "deck" may be added.
    """
    try:
        return _score(file, registry.game(game), as_json)
    except UserError as error:
        if as_json:
            say(json.dumps(refusal(error)))
        raise


def _score(file: str, playing: Game, as_json: bool) -> int:
    refused = False
    for place, given in documents.read(file):
        try:
            if isinstance(given, UserError):
                raise given
            position = playing.notation.read_position(given)
        except UserError as error:
            refused = True
            if as_json:
                say(json.dumps(refusal(error)))
            else:
                told = error if error is given else f"{place}: {error}"
                typer.echo(f"arbosim: {told}", err=True)
            continue
        if as_json:
            say(json.dumps(playing.notation.score_object(position)))
        else:
            playing.show_position(console(), position)
    return REFUSED if refused else 0
