"""Whether a plain-Python strategy answers at all: found out in a process of its own, which can be ended."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from arbosim.bots.isolated import isolated
from arbosim.bots.program import Program, close_all
from arbosim.core.game import Game
from arbosim.core.outside import CRASHED, SILENT
from arbosim.core.strategy import Entrant

SECONDS = 10.0
"""How long a decision may take here; far more than any check of it allows on average."""
DEALS = 2


def failure(game: Game, entrant: Entrant, seed: int) -> str:
    """Return how a strategy ends or hangs its process in some games against itself; nothing if it does not."""
    if entrant.strategy.kind != "python":
        return ""  # compiled code cannot be ended, and runs here alone
    alone = isolated(entrant, game)
    program = replace(cast(Program, alone.strategy.program), seconds=SECONDS)
    alone = replace(alone, strategy=replace(alone.strategy, entry=program))
    try:
        for players in range(game.min_players, game.max_players + 1):
            chunk = game.play_chunk(game.rules(), players, [alone] * players, seed, 0, DEALS)
            for error in chunk.errors:
                if error.kind in (SILENT, CRASHED):
                    return f"{error.message} (turn {error.turn} of a game of {players})"
    finally:
        close_all()
    return ""
