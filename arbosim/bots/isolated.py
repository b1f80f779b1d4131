"""A plain-Python strategy in a process of its own, where it can hang, crash or eat memory and harm nobody."""

from __future__ import annotations

import base64
import pickle
import sys
from dataclasses import replace
from pathlib import Path

from arbosim.bots.program import Program
from arbosim.bots.serve import own_streams, serve
from arbosim.core import registry
from arbosim.core.aside import aside
from arbosim.core.errors import UserError
from arbosim.core.game import Game
from arbosim.core.strategy import Entrant

DIALECT = "arbosim"
START_UP = 60.0
"""Seconds for loading arbosim: two are enough, but not where the machine is busy or nothing has been compiled yet."""
MEMORY = 2**30
"""Bytes that its process may hold; then it gets a MemoryError."""


def isolated(entrant: Entrant, game: Game) -> Entrant:
    """Return a plain-Python strategy as a program that plays the same games, coin for coin."""
    program = Program(
        name=entrant.strategy.name,
        command=(sys.executable, "-m", "arbosim.bots.isolated"),
        folder=str(Path.cwd()),
        dialect=DIALECT,
        grammar=game.dialects[DIALECT].grammar,
        opening=_packed(entrant),
        memory=MEMORY,
        start_up=START_UP,
        source=entrant.strategy.source_hash,
    )
    return replace(entrant, strategy=replace(entrant.strategy, kind="program", entry=program))


def _packed(entrant: Entrant) -> bytes:
    """Return an entrant as a line, with where modules are found; one that lives in memory alone brings its code."""
    if entrant.location:
        data = pickle.dumps(entrant)
    else:
        import cloudpickle

        data = cloudpickle.dumps(entrant)
    return base64.b64encode(pickle.dumps((sys.path, data))) + b"\n"


def main() -> None:
    """Play the strategy that the first line of standard input holds."""
    lines, out = own_streams()

    def answer(text: str) -> None:
        out.write(f"{text}\n")
        out.flush()

    with aside():
        sys.path, data = pickle.loads(base64.b64decode(lines.readline()))
        try:
            entrant: Entrant = pickle.loads(data)
            listener = registry.game(entrant.strategy.game).dialects[DIALECT].listener(entrant, 0)
        except UserError as error:
            sys.exit(str(error))
        serve(listener, lines, answer)


if __name__ == "__main__":
    main()
