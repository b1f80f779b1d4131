"""Games in another process: compiler off or with bounds checks, sets in another order, rubbish in unused memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from arbosim.core import jit, registry
from arbosim.core.aside import aside
from arbosim.core.errors import UserError
from arbosim.core.game import Game
from arbosim.core.strategy import Entrant
from arbosim.match.trace import Trace, play_all, settings

RUBBISH = {
    "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.perturb=165",
    "MallocScribble": "1",
    "MallocPreScribble": "1",
}
"""Makes the allocators of glibc and of macOS fill memory before it is used and after it is freed."""


def traces(
    entrants: Sequence[Entrant], count: int, seed: int, **environment: str
) -> dict[str, list[Trace] | str]:
    """Play every entrant against itself in one new process; by spec the games, or why there are none."""
    answers = _ask("traces", entrants, count, seed, environment)
    return {
        spec: answer if isinstance(answer, str) else [Trace(**trace) for trace in answer]
        for spec, answer in answers.items()
    }


def bounds_errors(entrants: Sequence[Entrant], count: int, seed: int) -> dict[str, str]:
    """Play every entrant with bounds checks compiled in; by spec an error, of an index if any is, or nothing."""
    # bounds checks are no part of the key of numba's cache, so code with them needs a cache of its own
    cache = str(jit.cache_root() / "bounds")
    return _ask("bounds", entrants, count, seed, {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": cache})


def _ask(
    task: str, entrants: Sequence[Entrant], count: int, seed: int, environment: dict[str, str]
) -> dict[str, Any]:
    if not entrants:
        return {}
    request = {
        "task": task,
        "game": entrants[0].strategy.game,
        "entrants": [[entrant.location, entrant.spec, entrant.values] for entrant in entrants],
        "count": count,
        "seed": seed,
    }
    done = subprocess.run(
        [sys.executable, "-m", "arbosim.match.elsewhere"],
        input=json.dumps(request),
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        reason = f"the process ended with code {done.returncode}: {last}"
        return {entrant.spec: reason for entrant in entrants}
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    game = registry.game(request["game"])
    count, seed = request["count"], request["seed"]
    answers: dict[str, Any] = {}
    for location, spec, values in request["entrants"]:
        try:
            entrant = registry.restore(location, spec, values, game.name)
            if request["task"] == "bounds":
                answers[spec] = _error(game, entrant, count, seed)
            else:
                answers[spec] = [asdict(trace) for trace in play_all(game, entrant, count, seed)]
        except UserError as error:
            answers[spec] = str(error)
    return answers


def _error(game: Game, entrant: Entrant, count: int, seed: int) -> str:
    messages = []
    for setting in settings(game, count, seed):
        line_up = [entrant] * setting.players
        chunk = game.play_chunk(setting.rules, setting.players, line_up, seed, 0, 4, checked_deals=0)
        messages += [error.message for error in chunk.errors]
    return min(messages, key=lambda message: "IndexError" not in message, default="")


if __name__ == "__main__":
    with aside():
        answer = _answer(json.load(sys.stdin))
    print(json.dumps(answer))  # noqa: T201
