"""A headless tournament simulator and strategy laboratory for card games, Arboretum first.

The names below are loaded when they are first used, so that importing the package stays cheap.

>>> import arbosim
>>> results = arbosim.run(["random", "greedy"], deals=1000, seed=1, jobs=-1)  # doctest: +SKIP
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arbosim.contest.compare import compare as compare
    from arbosim.contest.outcome import Contest as Contest
    from arbosim.contest.plan import plan as plan
    from arbosim.core.errors import UserError as UserError
    from arbosim.core.registry import game as game
    from arbosim.core.registry import games as games
    from arbosim.games.arboretum.position import Position as Position
    from arbosim.lab import load as load
    from arbosim.lab import run as run
    from arbosim.match.observer import Observer as Observer
    from arbosim.match.single import play as play
    from arbosim.results import Results as Results
    from arbosim.studies.lab import load_study as load_study
    from arbosim.studies.lab import study as study
    from arbosim.studies.study import Study as Study
    from arbosim.tuning.result import Tuned as Tuned
    from arbosim.tuning.tune import tune as tune

__version__ = "0.1.0"

_HOMES = {
    "Contest": "arbosim.contest.outcome",
    "Observer": "arbosim.match.observer",
    "Position": "arbosim.games.arboretum.position",
    "Results": "arbosim.lab",
    "Study": "arbosim.studies.study",
    "Tuned": "arbosim.tuning.result",
    "UserError": "arbosim.core.errors",
    "compare": "arbosim.contest.compare",
    "game": "arbosim.core.registry",
    "games": "arbosim.core.registry",
    "load": "arbosim.lab",
    "load_study": "arbosim.studies.lab",
    "plan": "arbosim.contest.plan",
    "play": "arbosim.match.single",
    "run": "arbosim.lab",
    "study": "arbosim.studies.lab",
    "tune": "arbosim.tuning.tune",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'arbosim' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
