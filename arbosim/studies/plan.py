"""What a study is going to play: everything about it is checked before anything is played or written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from arbosim.core import registry
from arbosim.core.errors import UserError, placed, unknown
from arbosim.core.game import Game
from arbosim.core.seeds import master_seed
from arbosim.core.strategy import Entrant
from arbosim.runs import check_players
from arbosim.studies import restricted, retune, trace
from arbosim.studies.config import Settings
from arbosim.studies.metrics import BAN_COST, SKILL_TRACE, known_metrics
from arbosim.studies.pieces import Duel, Piece, pieces
from arbosim.studies.problems import Problems
from arbosim.studies.variants import Variant, expand
from arbosim.tournament.kinds import MOST_DEALS

if TYPE_CHECKING:
    from arbosim.analysis.balance import Metric


@dataclass(frozen=True)
class StudyPlan:
    """A checked study.

    Attributes
    ----------
    players : tuple of int
    variants : tuple of Variant
        The base first.
    pool : tuple of Entrant
    duels : tuple of Duel
        Of restricted play and of the skill trace.
    tunable : tuple of Entrant
        The strategies of the pool that are re-tuned for each variant.
    notes : tuple of str
        What to know about restricted play, and which variant is the base for how many players.
    """

    settings: Settings
    game: Game
    seed: int
    players: tuple[int, ...]
    variants: tuple[Variant, ...]
    pool: tuple[Entrant, ...]
    duels: tuple[Duel, ...]
    tunable: tuple[Entrant, ...]
    metrics: tuple[str, ...] | None
    notes: tuple[str, ...]

    @property
    def first_deals(self) -> dict[str, int]:
        """Return the first deal of each variant: the same for all of a paired study, else none in common."""
        step = 0 if self.settings.paired else self.settings.deals
        return {
            variant.name: self.settings.deals_from + number * step
            for number, variant in enumerate(self.variants)
        }

    @property
    def cells(self) -> list[tuple[int, Variant]]:
        """Return numbers of players and variants that are played."""
        return [(count, each) for count in self.players for each in self.variants if count not in each.idle]

    @property
    def pieces(self) -> list[Piece]:
        """Return the runs with the players as they are given."""
        return list(pieces(self.cells, self.pool, self.duels, self.first_deals))

    @property
    def games_of_tuning(self) -> int:
        """Return how many games all tunings may take together."""
        budget = 0 if self.settings.retune is None else self.settings.retune.budget
        return budget * len(self.tunable) * len(self.cells)

    def settings_of(self, piece: Piece) -> dict[str, Any]:
        """Return the settings of one run, as `arbosim.run` takes them."""
        given: dict[str, Any] = {
            "strategies": piece.strategies,
            "players": piece.players,
            "rules": piece.variant.rules,
            "game": self.game.name,
            "deals": self.settings.deals,
            "deals_from": piece.deals_from,
            "seed": self.seed,
            "jobs": self.settings.jobs,
            "schedule": self.settings.schedule,
            "course": True,
        }
        if piece.duel is not None:
            focus = f"{piece.duel.first.spec},{piece.duel.second.spec}"
            given |= {"schedule": "gauntlet", "focus": focus}
        return given


def plan(settings: Settings, problems: Problems) -> StudyPlan:
    """Check a study, and return what it is going to play.

    Parameters
    ----------
    problems : Problems
        What was wrong with the settings; told together with what else there is.

    Raises
    ------
    UserError
        Everything that is wrong.
    """
    place = settings.place
    try:
        game = registry.game(settings.game)
    except UserError as error:
        problems.add(error)
        problems.tell()
        raise
    players = _players(settings, game, problems)
    variants = expand(settings, game, players, problems)
    seed = 0
    with problems.noted("seed"), placed(place("seed")):
        seed = master_seed(settings.seed)
    pool = _pool(settings, game, problems)
    _check_size(settings, pool, players, problems)
    bans, notes = restricted.duels(pool, settings.restricted, game.name, place("restricted"), problems)
    traces = trace.duels(pool, settings.trace, place("trace"), problems) if pool else []
    duels = _named_apart([*bans, *traces])
    _check_tables(duels, pool, players, problems)
    tunable = retune.tunable(settings, pool, game, problems)
    if "base" not in problems.keys:
        retune.check(settings, pool, tunable, players, game, variants[0].rules, problems)
    known = known_metrics(game)
    _check_metrics(settings, known, problems)
    if settings.deals_from + len(variants) * settings.deals > MOST_DEALS:
        problems.add(f"{place('deals')}: no study has so many deals")
    problems.tell()
    idle = [
        f"{each.name} is the base for {' and '.join(map(str, sorted(each.idle)))} players"
        for each in variants
        if each.idle
    ]
    return StudyPlan(
        settings,
        game,
        seed,
        players,
        tuple(variants),
        tuple(pool),
        tuple(duels),
        tuple(tunable),
        settings.metrics,
        (*notes, *idle),
    )


def _players(settings: Settings, game: Game, problems: Problems) -> tuple[int, ...]:
    """Return the numbers of players that the game is for."""
    found = []
    for count in settings.players:
        with problems.noted("players"), placed(settings.place("players")):
            check_players(game, count)
            found.append(count)
    return tuple(found)


def _check_metrics(settings: Settings, known: Mapping[str, Metric], problems: Problems) -> None:
    """Refuse metrics that there are not, or for which nothing is played."""
    place = settings.place
    if settings.metrics is not None and not settings.metrics:
        problems.add(f"{place('metrics')}: names no metric; without the key there are all")
    for name, times in Counter(settings.metrics or ()).items():
        if name not in known:
            problems.add(unknown("metric", name, known, place("metrics")))
        if times > 1:
            problems.add(f"{place('metrics')}: {name!r} is there twice")
        needed = {BAN_COST: "restricted", SKILL_TRACE: "trace"}.get(name)
        if needed is not None and not getattr(settings, needed) and needed not in problems.keys:
            problems.add(f"{place('metrics')}: {name} is measured only with {needed}")


def _pool(settings: Settings, game: Game, problems: Problems) -> list[Entrant]:
    where = settings.place("strategies")
    pool: dict[str, Entrant] = {}
    for what in settings.strategies:
        with problems.noted("strategies"):
            entrant = registry.resolve(what, game.name, where if isinstance(what, str) else "")
            if entrant.spec in pool:
                told = f"strategy {entrant.spec!r} is given twice; it would be one and the same entrant"
                raise UserError(told, where=where)
            pool[entrant.spec] = entrant
    if not settings.strategies and "strategies" not in problems.keys:
        known = ", ".join(registry.strategies(game.name))
        problems.add(f"no strategies are given; {where} names some of: {known}", "strategies")
    return [pool[spec] for spec in sorted(pool)]


def _check_size(
    settings: Settings, pool: Sequence[Entrant], players: Sequence[int], problems: Problems
) -> None:
    most = max(players, default=0)
    if settings.schedule == "round-robin" and len(pool) < most and "strategies" not in problems.keys:
        problems.add(
            f"tables of {most} need a pool of at least {most} different strategies, not {len(pool)} "
            f"({settings.place('schedule')} self-play seats one strategy everywhere)"
        )


def _check_tables(
    duels: Sequence[Duel], pool: Sequence[Entrant], players: Sequence[int], problems: Problems
) -> None:
    """Refuse duels at tables that the rest of the pool cannot fill."""
    most = max(players, default=0)
    for duel in duels:
        others = [one for one in pool if one.spec not in (duel.first.spec, duel.second.spec)]
        if len(others) < most - 2:
            problems.add(
                f"{duel.subject}: at tables of {most}, {duel.first.spec} and {duel.second.spec} need "
                f"{most - 2} others of the pool, and there are {len(others)}"
            )


def _named_apart(duels: Sequence[Duel]) -> list[Duel]:
    """Return duels whose names are their own; those of two entrants of one strategy would be the same."""
    seen: Counter[str] = Counter()
    found = []
    for duel in duels:
        seen[duel.name] += 1
        again = seen[duel.name]
        found.append(duel if again == 1 else replace(duel, name=f"{duel.name}.{again}"))
    return found
