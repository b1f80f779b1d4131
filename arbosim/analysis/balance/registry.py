"""All metrics of balance: those of every game, and those that a game brings along."""

from __future__ import annotations

from arbosim.analysis.balance import play, pool
from arbosim.analysis.balance.draws import Draws, quotient
from arbosim.analysis.balance.metric import Metric, Values
from arbosim.core.game import Game
from arbosim.core.ratios import Ratio

METRICS = {metric.name: metric for metric in (*play.METRICS, *pool.METRICS)}
"""By name, those of every game."""


def metrics(game: Game | None = None) -> dict[str, Metric]:
    """Return all metrics by name, with those of a game if one is given."""
    return METRICS | {ratio.name: _of_game(ratio, game) for ratio in (game.balance if game else ())}


def _of_game(ratio: Ratio, game: Game | None) -> Metric:
    columns = (ratio.above, ratio.below) if ratio.below else (ratio.above,)

    def of(draws: Draws) -> Values:
        above = draws.total(ratio.above)
        if ratio.below:
            below = draws.total(ratio.below)
        else:
            seats = draws.sums.players if ratio.above in draws.sums.of_seats else 1
            below = draws.total("whole") * seats
        return {"": quotient(above, below * draws.each(ratio.each))}

    return Metric(
        ratio.name,
        ratio.title,
        ratio.formula,
        ratio.source,
        ratio.unit,
        needs=_needs(columns, game),
        columns=columns,
        low=ratio.low,
        high=ratio.high,
        group="scores",
        meaning=ratio.meaning,
        of=of,
    )


def _needs(columns: tuple[str, ...], game: Game | None) -> str:
    """Return which measures a run must have kept for these columns."""
    course = {column.name for column in game.game_metrics} if game else set()
    return play.COURSE if course.intersection(columns) else "the metrics of seats (`lean = false`)"
