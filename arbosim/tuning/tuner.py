"""The search: CMA-ES with an adapted learning rate, which takes noise for what it is.

LRA-CMA-ES: Nomura, Akimoto and Ono, CMA-ES with Learning Rate Adaptation (GECCO 2023; arXiv 2401.15876).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from arbosim.core.errors import UserError
from arbosim.core.strategy import Value
from arbosim.tuning.record import GENERATIONS, Generation, Journal

if TYPE_CHECKING:
    from arbosim.tuning.asked import Asked

STEP = 0.2
"""Standard deviation of the first generation, as a part of each parameter's range."""
IDLE = 10
"""After so many generations in a row in which all candidates won the same, the parameters change nothing."""


def search(
    asked: Asked,
    journal: Journal[Generation],
    jobs: int,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Value]:
    """Return the mean of the distribution after all generations; those in the journal are not played again.

    The mean it is, because the best candidate of all is the one that was luckiest.
    """
    import numpy as np
    from cmaes import CMA

    space, record = asked.space, asked.record
    cma = CMA(
        mean=space.point(asked.start.settings),
        sigma=STEP,
        bounds=np.array([(0.0, 1.0)] * len(space.parameters)),
        seed=int(np.random.SeedSequence(record.seed).generate_state(1)[0]),
        population_size=record.population,
        lr_adapt=True,
    )
    idle = 0
    for number in range(record.generations):
        if idle == IDLE or cma.should_stop():
            break
        points = [cma.ask() for _ in range(record.population)]
        candidates = [space.values(point) for point in points]
        is_new = number == len(journal.lines)
        if is_new:
            line = _play(asked, number, candidates, jobs, progress)
        else:
            line = _kept(journal.lines[number], asked, number, candidates)
        idle = idle + 1 if len(set(line.won)) == 1 else 0
        if not idle:  # the order of equal candidates would only make the mean wander
            cma.tell([(point, -won / line.full) for point, won in zip(points, line.won, strict=True)])
        if is_new:
            journal.append(line.model_copy(update={"mean": list(space.values(cma.mean).values())}))
    return space.values(cma.mean)


def _play(
    asked: Asked,
    number: int,
    candidates: Sequence[Mapping[str, Value]],
    jobs: int,
    progress: Callable[[int], None] | None,
) -> Generation:
    """Return what candidates won; the mean is not known yet."""
    deals = _deals(asked, number)
    wins = asked.arena.play([asked.entrant(one) for one in candidates], deals, number, jobs, progress)
    return Generation(
        generation=number + 1,
        deals_from=deals.start,
        deals=len(deals),
        candidates=[list(one.values()) for one in candidates],
        won=[int(won) for won in wins.won.sum(axis=1)],
        full=asked.arena.full * len(deals),
        errors=wins.errors,
        mean=[],
    )


def _kept(
    line: Generation, asked: Asked, number: int, candidates: Sequence[Mapping[str, Value]]
) -> Generation:
    """Return a line of the journal, which must tell of these candidates."""
    due = number + 1, _deals(asked, number).start, [list(one.values()) for one in candidates]
    if (line.generation, line.deals_from, line.candidates) != due:
        raise UserError(
            f"generation {number + 1} in {GENERATIONS} had other candidates: another version of arbosim or cmaes made "
            "it, or another kind of machine; begin a new tuning"
        )
    return line


def _deals(asked: Asked, number: int) -> range:
    """Return the deals of a generation, which no other generation plays."""
    first = asked.record.deals_from + number * asked.record.deals
    return range(first, first + asked.record.deals)
