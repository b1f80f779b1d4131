"""The metrics of a study: those of balance, and those for which it plays runs of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbosim.core.game import Game

if TYPE_CHECKING:
    from arbosim.analysis.balance import Metric

BAN_COST = "ban_cost"
SKILL_TRACE = "skill_trace"


def known_metrics(game: Game) -> dict[str, Metric]:
    """Return all metrics of a study by name: those of balance, and those that have runs of their own."""
    from arbosim.analysis.balance import Metric, metrics

    own = (
        Metric(
            BAN_COST,
            "cost of a ban",
            "win share of a strategy less that of the one without the ability, at tables where both sit",
            "restricted play: Jaffe et al. 2012",
            "win share",
            needs="restricted",
            per="strategy",
            low=-1.0,
            high=1.0,
            meaning="What a strategy wins more than the same strategy with one ability switched off, at tables where "
            "both sit: what a ban of it would cost.",
        ),
        Metric(
            SKILL_TRACE,
            "skill trace",
            "y* + (1 - y*) mean of max(y, 0); y: games above less games below, of twice the budget against once; "
            "y*: linear forecast of y, 0 to 1",
            "Ludii, SkillTrace (Stephenson and Soemers)",
            "",
            needs="trace",
            per="strategy",
            low=0.0,
            high=1.0,
            group="skill",
            meaning="How far a strategy that searches gains by thinking twice as long, again and again: high where "
            "there is much to find out.",
        ),
    )
    return {**metrics(game), **{metric.name: metric for metric in own}}
