"""Players that are tuned for each variant, so that an effect is about the rule and not about who was built for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbosim.core import registry
from arbosim.core.errors import UserError, unknown
from arbosim.core.game import Game, Rules
from arbosim.core.strategy import Entrant
from arbosim.studies.config import Retune, Settings
from arbosim.studies.pieces import RETUNED, Piece, name_of
from arbosim.studies.problems import Problems
from arbosim.studies.variants import Variant

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
            with problems.noted():
                chosen.append(_chosen(name, pool, able, game, settings.place("retune.strategies")))
    for entrant in chosen:
        if not entrant.location:
            problems.add(f"{entrant.spec!r} is a Python object; only what has a name or a file is re-tuned")
    return chosen


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


def piece(plan: StudyPlan, players: int, variant: Variant, specs: dict[str, str]) -> Piece:
    """Return the run of a variant with its re-tuned players; the others take part as they are.

    Parameters
    ----------
    specs : dict
        The re-tuned spec of each strategy that was tuned.
    """
    pool = {
        entrant.spec: registry.resolve(specs[entrant.spec], plan.game.name)
        if entrant.spec in specs
        else entrant
        for entrant in plan.pool
    }
    return Piece(
        name_of(players, variant, RETUNED),
        "pool",
        RETUNED,
        players,
        variant,
        tuple(pool.values()),
        plan.first_deals[variant.name],
        stands_for={new.spec: old for old, new in pool.items() if new.spec != old},
    )


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
