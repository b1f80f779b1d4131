"""What a strategy expects of its actions, asked for in the middle of a game that it must not change."""

from __future__ import annotations

import random

from arbosim.core.errors import UserError
from arbosim.core.game import Game, MistakeError
from arbosim.core.strategy import Entrant
from arbosim.match.trace import Setting, Trace, decide, difference, new_probe

ASKED = 0.1
"""Part of the decisions before which advice is asked for, on every action."""


def play(
    game: Game,
    entrant: Entrant,
    setting: Setting,
    seed: int,
    deal: int,
    rng: random.Random,
    wanted: Trace | None,
) -> tuple[str, int]:
    """Play a game and ask for advice now and then; return what is wrong, if anything, and how many actions had some.

    Parameters
    ----------
    wanted : Trace, optional
        The same game, nobody asked.
    """
    probe = new_probe(game, entrant, setting, seed, deal)
    trace = Trace()
    asked = 0
    try:
        while not probe.position.finished:
            if rng.random() < ASKED:
                before = probe.given()
                asked += len(probe.appraise(entrant, strict=True))
                if probe.given() != before:
                    return f"asked before decision {len(trace.decisions) + 1}, it changes the game", asked
            trace.decisions.append(probe.words(decide(probe)))
    except UserError as error:
        return f"before decision {len(trace.decisions) + 1}, {error}", asked
    except MistakeError as mistake:
        trace.mistake = f"{mistake.kind}: {mistake}"
    where = "" if wanted is None else difference(wanted, trace)
    return where and f"it decides otherwise where it is asked for advice: {where}", asked
