"""The search: CMA-ES with an adapted learning rate, which takes noise for what it is.

LRA-CMA-ES: Nomura, Akimoto and Ono, CMA-ES with Learning Rate Adaptation (GECCO 2023; arXiv 2401.15876).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from arbosim.core.errors import UserError
from arbosim.core.strategy import Value
from arbosim.tuning.record import Generation, Journal

if TYPE_CHECKING:
    from arbosim.tuning.asked import Asked

STEP = 0.2
"""Standard deviation of the first generation, as a part of each parameter's range."""


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
    for number in range(record.generations):
        if number and cma.should_stop():  # as where the parameters change nothing
            break
        points = [cma.ask() for _ in range(record.population)]
        candidates = [space.values(point) for point in points]
        deals_from = record.deals_from + number * record.deals
        values = [list(candidate.values()) for candidate in candidates]
        if number < len(journal.lines):
            line = journal.lines[number]
            if (line.generation, line.deals_from, line.candidates) != (number + 1, deals_from, values):
                raise UserError(
                    f"generation {number + 1} of the journal had other candidates: it was made by another version of "
                    "arbosim or cmaes, or on another kind of machine; begin a new tuning"
                )
            won, full, errors = line.won, line.full, line.errors
        else:
            entrants = [asked.entrant(candidate) for candidate in candidates]
            wins = asked.arena.play(entrants, range(deals_from, deals_from + record.deals), number, jobs, progress)
            won = [int(each) for each in wins.won.sum(axis=1)]
            full, errors = asked.arena.full * record.deals, wins.errors
        cma.tell([(point, -each / full) for point, each in zip(points, won, strict=True)])
        if number >= len(journal.lines):
            mean = list(space.values(cma.mean).values())
            journal.append(
                Generation(
                    generation=number + 1,
                    deals_from=deals_from,
                    deals=record.deals,
                    candidates=values,
                    won=won,
                    full=full,
                    errors=errors,
                    mean=mean,
                )
            )
    return space.values(cma.mean)
