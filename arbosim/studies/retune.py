"""Players that are tuned for each variant, so that an effect is about the rule and not about who was built for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbosim.core import registry
from arbosim.core.errors import UserError, unknown
from arbosim.core.game import Game, Rules
from arbosim.core.strategy import Entrant, Value
from arbosim.studies.config import Retune, Settings
from arbosim.studies.pieces import RETUNED, Piece, name_of
from arbosim.studies.problems import Problems
from arbosim.studies.variants import Variant
from arbosim.tuning.asked import explicit

if TYPE_CHECKING:
    from arbosim.studies.plan import StudyPlan
    from arbosim.tuning.result import Tuned

POOL = "pool"
FIELD = "field"


def tunable(settings: Settings, pool: Sequence[Entrant], game: Game, problems: Problems) -> list[Entrant]:
    """Return the strategies of the pool that are re-tuned, none if nothing is."""
    asked = settings.retune
    if asked is None:
        return []
    able = {one.spec: one for one in pool if any(parameter.tune for parameter in one.strategy.parameters)}
    if not asked.strategies:
        if not able and pool:
            where = settings.place("retune")
            problems.add(UserError("no strategy of the pool has parameters that are tuned", where=where))
        chosen = list(able.values())
    else:
        chosen = []
        for name in asked.strategies:
            where = settings.place("retune.strategies")
            with problems.noted():
                entrant = _chosen(name, pool, able, game, where)
                if entrant in chosen:
                    raise UserError(f"{entrant.spec!r} is there twice", where=where)
                chosen.append(entrant)
    for entrant in chosen:
        if not entrant.location:
            problems.add(f"{entrant.spec!r} is a Python object; only what has a name or a file is re-tuned")
    return sorted(chosen, key=lambda entrant: entrant.spec)  # whatever the order in which they are named


def _chosen(name: str, pool: Sequence[Entrant], able: dict[str, Entrant], game: Game, where: str) -> Entrant:
    specs = [entrant.spec for entrant in pool]
    spec = name if name in specs else registry.resolve(name, game.name, where).spec
    if spec not in specs:
        raise unknown("strategy of the pool", name, specs, where)
    if spec not in able:
        raise UserError(f"{spec!r} has no parameters that are tuned", where=where)
    return able[spec]


def check(
    settings: Settings,
    pool: Sequence[Entrant],
    chosen: Sequence[Entrant],
    players: Sequence[int],
    game: Game,
    base: Rules,
    problems: Problems,
) -> None:
    """Note what is wrong with the tunings, before anything is played."""
    from arbosim.tuning import tune as tuning

    for count in players:
        for entrant in chosen:
            with problems.noted("retune"):
                tuning.begin(entrant, _given(settings, pool, entrant, count, game, base, 0))


def tune(
    plan: StudyPlan,
    players: int,
    variant: Variant,
    entrant: Entrant,
    output: Path | None,
    progress: Callable[[int], None] | None,
) -> Tuned:
    """Tune one strategy for one variant, or take what was found before.

    It is tuned on deals of another seed than the study's, so that no strategy is judged on deals that it has learned.

    Parameters
    ----------
    output : Path, optional
        The folder of the tuning.
    """
    import arbosim

    given = _given(plan.settings, plan.pool, entrant, players, plan.game, variant.rules, plan.seed)
    return arbosim.tune(
        entrant, **given, output=output, resume=output is not None, jobs=plan.settings.jobs, progress=progress
    )


def piece(
    plan: StudyPlan, players: int, variant: Variant, found: Mapping[str, Mapping[str, Value]]
) -> tuple[Piece, list[str]]:
    """Return the run of a variant with its re-tuned players, and what to know about them.

    The others take part as they are. So does a strategy that would be the same player as another one of the pool
    with the values found: the two could not be told apart.

    Parameters
    ----------
    found : mapping
        By the spec of each strategy that was tuned, the values to use.
    """
    tuned = {
        entrant.spec: explicit(entrant, found[entrant.spec])
        for entrant in plan.pool
        if entrant.spec in found and dict(found[entrant.spec]) != entrant.settings
    }
    pool = {entrant.spec: tuned.get(entrant.spec, entrant) for entrant in plan.pool}
    notes = []
    while twins := _twins(pool):
        back, other = twins
        notes.append(
            f"{players}p-{variant.name}: {back} is not re-tuned, as it would be the same as {pool[other].spec}"
        )
        pool[back] = next(entrant for entrant in plan.pool if entrant.spec == back)
    made = Piece(
        name_of(players, variant, RETUNED),
        "pool",
        RETUNED,
        players,
        variant,
        tuple(pool.values()),
        plan.first_deals[variant.name],
        stands_for={new.spec: old for old, new in pool.items() if new.spec != old},
    )
    return made, notes


def _twins(pool: Mapping[str, Entrant]) -> tuple[str, str] | None:
    """Return a strategy that is re-tuned and whom it equals; the first in the order of specs stays if both are."""
    for this, other in combinations(sorted(pool), 2):
        one, two = pool[this], pool[other]
        if one.strategy.entry is two.strategy.entry and one.values == two.values:
            if two.spec != other:
                return other, this
            if one.spec != this:
                return this, other
    return None


def _given(
    settings: Settings,
    pool: Sequence[Entrant],
    entrant: Entrant,
    players: int,
    game: Game,
    rules: Rules,
    seed: int,
) -> dict[str, Any]:
    """Return the settings of a tuning."""
    asked = settings.retune or Retune()
    against: Any = asked.against
    if against == POOL:
        against = [other for other in pool if other.spec != entrant.spec] or FIELD
    return {
        "against": against,
        "players": players,
        "rules": rules,
        "game": game.name,
        "budget": asked.budget,
        "seed": f"tuning of study {seed}",
    }
