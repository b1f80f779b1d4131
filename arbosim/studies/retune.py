"""Players that are tuned for each variant, so that an effect is about the rule and not about who was built for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from arbosim.core import registry
from arbosim.core.strategy import Entrant
from arbosim.studies.config import Retune
from arbosim.studies.folder import TuningRecord
from arbosim.studies.pieces import RETUNED, Piece, name_of
from arbosim.studies.plan import StudyPlan
from arbosim.studies.variants import Variant

POOL = "pool"
FIELD = "field"


def tune(
    plan: StudyPlan,
    players: int,
    variant: Variant,
    entrant: Entrant,
    output: Path | None,
    progress: Callable[[int], None] | None,
) -> TuningRecord:
    """Tune one strategy for one variant, or take what was found before.

    It is tuned on deals of another seed than the study's, so that no strategy is judged on deals that it has learned.

    Parameters
    ----------
    output : Path, optional
        The folder of the tuning.
    """
    import arbosim

    asked = plan.settings.retune or Retune()
    tuned = arbosim.tune(
        entrant.spec,
        against=_against(plan, asked, entrant),
        players=players,
        rules=variant.rules,
        game=plan.game.name,
        budget=asked.budget,
        seed=f"tuning for study {plan.seed}",
        jobs=plan.settings.jobs,
        output=output,
        resume=output is not None,
        progress=progress,
    )
    return TuningRecord(
        players=players,
        variant=variant.name,
        strategy=entrant.spec,
        spec=tuned.spec,
        values=dict(tuned.values),
        helped=tuned.helped,
    )


def piece(plan: StudyPlan, players: int, variant: Variant, tunings: list[TuningRecord]) -> Piece:
    """Return the run of a variant with its re-tuned players; the others take part as they are."""
    by_strategy = {each.strategy: each.spec for each in tunings}
    pool, stands_for = [], {}
    for entrant in plan.pool:
        spec = by_strategy.get(entrant.spec)
        pool.append(entrant if spec is None else registry.resolve(spec, plan.game.name))
        stands_for[pool[-1].spec] = entrant.spec
    return Piece(
        name_of(players, variant, RETUNED),
        "pool",
        RETUNED,
        players,
        variant,
        tuple(pool),
        plan.first_deals[variant.name],
        stands_for={new: old for new, old in stands_for.items() if new != old},
    )


def _against(plan: StudyPlan, asked: Retune, entrant: Entrant) -> Any:
    if asked.against != POOL:
        return list(asked.against) if isinstance(asked.against, tuple) else asked.against
    return [other.spec for other in plan.pool if other.spec != entrant.spec] or FIELD
