"""Tournaments from Python: play them and load them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from arbosim.core import files
from arbosim.core.hook import Hook
from arbosim.core.strategy import Entrant, Strategy
from arbosim.launch import begin, go_on, to_resume
from arbosim.results import Results
from arbosim.runs import opened, parts_of
from arbosim.tournament import config


def run(
    strategies: Sequence[str | Strategy | type | Entrant] | str,
    *,
    deals: int = 1000,
    players: int = 2,
    seed: int | str = 1,
    jobs: int = -1,
    backend: str = "local",
    scheduler: str | None = None,
    schedule: str = "round-robin",
    focus: str | None = None,
    rules: str | Mapping[str, object] | Any = None,
    game: str | None = None,
    deals_from: int = 0,
    strict: bool = False,
    lean: bool = False,
    course: bool = False,
    metric: str | Hook | None = None,
    on_error: str = "forfeit",
    bots: Mapping[str, Mapping[str, object]] | None = None,
    move_timeout: float | None = None,
    isolate: bool = False,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play a tournament.

    It warns of games that a strategy forfeited by a mistake; `Results.errors` tells them.

    Parameters
    ----------
    strategies : sequence
        Names as on the command line, strategy objects, or classes; a strategy of a notebook cell works too.
    deals : int
        Deals per line-up; each is played in all cyclic seat rotations.
    seed : int or str
    jobs : int
        1 plays in the calling thread, -1 uses all cores. Results do not depend on it.
    backend : {"local", "dask"}
        Who plays: this machine, or the workers of a dask cluster; see docs/scale.md. Results do not depend on it.
    scheduler : str, optional
        The address of that cluster's scheduler, as ``tcp://192.168.0.2:8786``.
    schedule : {"round-robin", "gauntlet", "self-play"}
    focus : str
        The strategy at every table of a gauntlet, or several with commas between them.
    rules : str, mapping or rules model
        A preset, or fields (one of them may be ``preset``), or a rule set of the game.
    lean : bool
        Keep the results alone, not the metrics of every game: less to store, and a little faster.
    course : bool
        Keep how every game went as well: lead changes, drama, and when it was settled; see docs/metrics.md.
    metric : str or Hook, optional
        A compiled metric of one's own, or where it is found: ``path/to/file.py`` or ``py=module:attribute``; see
        docs/metrics.md.
    on_error : {"forfeit", "stop", "random-move"}
        What a mistake costs: the game, the game and all that would follow, or a move that is chosen by chance, which
        only players in processes of their own can be given.
    bots : mapping, optional
        Programs that play, by name: what `arbosim.tournament.bots.Bot` has, as in ``{"command": "python3 index.py",
        "dir": "bots/maple", "protocol": "hackaranda"}``; see docs/bots.md.
    move_timeout : float, optional
        Seconds that a bot may think about a decision; 2 if missing. If given, plain-Python strategies are isolated.
    isolate : bool
        Run each plain-Python strategy in a process of its own, by the same clock.
    output : path, optional
        The run folder to write; without it the rows stay in memory.
    resume : bool
        Go on with the run that lies in the output folder, if there is one; it must be this run.
    progress : callable
        Is told after each chunk how many games were finished.

    Raises
    ------
    UserError
        Something in the arguments is wrong; nothing has been played or written.
    KeyboardInterrupt
        After Ctrl-C; what is done lies in the output folder, if there is one.
    """
    given = {
        "strategies": strategies,
        "deals": deals,
        "players": players,
        "seed": seed,
        "jobs": jobs,
        "backend": backend,
        "scheduler": scheduler,
        "schedule": schedule,
        "focus": focus,
        "rules": rules,
        "game": game,
        "deals_from": deals_from,
        "strict": strict,
        "lean": lean,
        "course": course,
        "metric": metric,
        "on_error": on_error,
        **({"bots": bots} if bots else {}),
        "move_timeout": move_timeout,
        "isolate": isolate,
        "output": files.given(output, "output"),
    }
    there = to_resume(output) if resume else None
    if there is not None:
        return Results.play(go_on(there, given), progress)
    return Results.play(begin(config.settings(given)), progress)


def load(folder: str | Path) -> Results:
    """Open a run folder, finished or not."""
    path = Path(folder)
    found, game = opened(path)
    return Results(found, game, parts_of(path, found, game), folder=path)
