"""`arbosim bot`: a strategy as a program that other frameworks can start."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from arbosim.cli.options import GameName
from arbosim.cli.output import say
from arbosim.cli.playing import SingleGame, compile_first
from arbosim.core import registry
from arbosim.core.errors import unknown
from arbosim.core.game import MistakeError

FAILED = 1
DEFAULT_SEED = "1"


def bot(
    strategy: Annotated[str, typer.Argument(help="A file.py, a registered name, or py=module:attribute.")],
    protocol: Annotated[
        str, typer.Option("--protocol", help="How it is spoken to, arbosim or hackaranda; see docs/bots.md.")
    ],
    seed: Annotated[
        str,
        typer.Option("--seed", help="For its chance where the protocol tells none: a number or any text."),
    ] = DEFAULT_SEED,
    game: GameName = None,
) -> None:
    """Answer the messages of a framework, one JSON object a line, until there are no more.

    Exit code 2 if a line is no message of the protocol. A mistake of the strategy is told in the answer if the
    protocol has words for it, and ends the program with exit code 1 otherwise.
    """
    from arbosim.bots.serve import serve
    from arbosim.core.seeds import master_seed

    playing = registry.game(game)
    dialect = playing.dialects.get(protocol)
    if dialect is None:
        raise unknown("protocol", protocol, playing.dialects, where="--protocol")
    number = master_seed(seed)
    entrant = registry.resolve(strategy, playing.name, where="STRATEGY")
    compile_first(SingleGame(playing, [entrant]), quiet=False)
    listener = dialect.listener(entrant, number)
    try:
        serve(listener, sys.stdin, lambda text: say(text, flush=True))
    except MistakeError as error:
        typer.echo(f"arbosim: {entrant.spec} makes no move: {error}", err=True)
        raise typer.Exit(FAILED) from None
