"""What is measured of a game besides its result."""

from __future__ import annotations

from dataclasses import dataclass

from arbosim.core.hook import Hook


@dataclass(frozen=True)
class Measures:
    """What the engine of a game measures while it plays, and by which columns a result row grows.

    Parameters
    ----------
    metrics : bool
        The metrics of every seat, which cost little.
    course : bool
        How the game went: where everyone stands after each turn, which costs more.
    hook : Hook, optional
        A compiled metric of one's own.
    actions : bool
        All actions of every game, beside its row: games that do not repeat by seed are replayed by them.
    """

    metrics: bool = True
    course: bool = False
    hook: Hook | None = None
    actions: bool = False


RESULTS_ALONE = Measures(metrics=False)
"""Rows of results alone are lean ones; they are what a digest covers."""
METRICS = Measures()
"""What is measured unless something else is asked for."""
