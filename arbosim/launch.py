"""Beginning, resuming and extending a run: everything is checked before anything is played or written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import arbosim
from arbosim import guests
from arbosim.analysis import frames
from arbosim.core import registry
from arbosim.core.errors import UserError, placed
from arbosim.core.game import Game
from arbosim.core.hook import Hook, fields
from arbosim.core.measures import Measures
from arbosim.core.seeds import master_seed
from arbosim.core.spec import parse_list
from arbosim.core.strategy import Entrant, Strategy
from arbosim.prepared import Prepared, check_free
from arbosim.runs import check_players, opened
from arbosim.storage.lock import Lock
from arbosim.tournament import cluster, config, design, manifest
from arbosim.tournament.manifest import Manifest, MetricRecord, StrategyRecord
from arbosim.tournament.run import Plan

_SETTINGS = (
    "game",
    "players",
    "deals",
    "deals_from",
    "seed",
    "schedule",
    "focus",
    "rules",
    "strict",
    "lean",
    "course",
    "on_error",
    "bots",
    "move_timeout",
    "isolate",
)


def begin(settings: config.Settings) -> Prepared:
    """Check everything about a new run."""
    prepared = _prepare(settings)
    if settings.output is not None:
        folder = Path(settings.output)
        check_free(folder, settings)
        prepared.folder = folder
    _ask_others(prepared)
    return prepared


def _ask_others(prepared: Prepared) -> None:
    """Refuse bots that do not answer, and a cluster that would not play the same as this process.

    This is last of all: bots are strange code, and workers take their time.
    """
    settings, plan = prepared.settings, prepared.plan
    guests.check(settings.bots, prepared.entrants())
    if settings.scheduler is not None:
        entrants = list(prepared.entrants().values())
        where = settings.place("scheduler")
        alone = [each.spec for each in entrants if each.strategy.kind == "program"]
        if alone:
            raise UserError(
                f"{alone[0]!r} plays in a process of its own, as a bot or isolated, and that runs on this machine only",
                where=where,
            )
        prepared.remarks = cluster.check(settings.scheduler, plan.game.name, entrants, plan.measures, where)


def to_resume(output: str | Path | None) -> Path | None:
    """Return the output folder if a run lies in it, None if it is to begin there.

    Raises
    ------
    UserError
        There is no output folder.
    """
    if output is None:
        raise UserError("names a run folder, so it needs output", where="resume")
    folder = Path(output)
    return folder if (folder / manifest.FILE).exists() else None


def go_on(
    folder: Path,
    given: Mapping[str, Any] | None = None,
    *,
    config_file: Path | None = None,
    extend: bool = False,
    add: Sequence[str | Strategy | type | Entrant] = (),
    flags: bool = False,
    compares: bool = False,
) -> Prepared:
    """Check everything about resuming a run, or extending it by deals or strategies.

    Parameters
    ----------
    given : mapping
        Settings as of a new run; they must agree with the run, apart from what is extended.
    config_file : Path, optional
        A TOML file with more of them.
    extend : bool
        Whether there may be more deals, of which ``given["deals"]`` is the number afterwards.
    add : sequence
        Strategies that take part from now on.
    compares : bool
        Whether a comparison goes on, which ends when it is decided; nothing else may go on with it until then.
    """
    manifest.load(folder)  # which is no answer yet: until the lock is ours, it may change
    lock = Lock(folder)
    try:
        begun = manifest.load(folder).comparison
        if begun is not None and begun.decision is None and not compares:
            raise UserError(
                f"{str(folder)!r} holds a comparison that is not decided; arbosim compare --resume {folder} goes on"
            )
        prepared = _go_on(folder, given or {}, config_file, extend, add, flags)
        _ask_others(prepared)
    except BaseException:
        lock.release()
        raise
    prepared.lock = lock
    return prepared


def _go_on(
    folder: Path,
    given: Mapping[str, Any],
    config_file: Path | None,
    extend: bool,
    add: Sequence[str | Strategy | type | Entrant],
    flags: bool,
) -> Prepared:
    old, _ = opened(folder)
    named = given.get("strategies", old.specs)
    in_memory = [record.spec for record in old.strategies if not record.location and record.spec in named]
    if in_memory:
        raise UserError(
            f"{str(folder)!r} has a strategy that was a Python object and cannot be found: {in_memory[0]}"
        )
    kept = {"strategies": old.specs, **{name: getattr(old, name) for name in _SETTINGS}}
    if old.metric is not None:
        kept["metric"] = old.metric.location or None  # an object is given again, or missed
    settings = config.settings(given, config_file, flags, kept, str(folder / manifest.FILE))
    prepared = _prepare(settings, add)
    new = prepared.manifest
    reasons = manifest.differences(old, new, settings.place, extend=extend or bool(add))
    missing = [line_up for line_up in old.line_ups if line_up not in new.line_ups]
    if missing and not reasons:
        reasons = ["a sample of line-ups, which another strategy would change altogether"]
    if reasons:
        raise UserError(f"cannot go on with {str(folder)!r}, which has " + "; ".join(reasons))
    # matches keep their numbers, so that games keep their names
    new.line_ups = old.line_ups + [line_up for line_up in new.line_ups if line_up not in old.line_ups]
    new.started, new.seconds, new.comparison = old.started, old.seconds, old.comparison
    entrants = prepared.entrants()
    line_ups = tuple(tuple(entrants[spec] for spec in line_up) for line_up in new.line_ups)
    return Prepared(replace(prepared.plan, line_ups=line_ups), new, settings, folder, old)


def _prepare(settings: config.Settings, add: Sequence[str | Strategy | type | Entrant] = ()) -> Prepared:
    game = registry.game(settings.game)
    players = settings.players
    check_players(game, players)
    with placed(settings.place("rules")):
        rules = game.rules(settings.preset, settings.changes)
    game.check(rules, players)
    seed = master_seed(settings.seed)
    entrants = guests.settled(_resolve(settings, game, add), settings, game, rules)
    specs = sorted(entrants)
    focus = [one.spec for one in _focus(settings, game.name, entrants)]
    schedule = design.schedule(specs, players, settings.schedule, focus, seed, settings.place)
    line_ups = tuple(tuple(entrants[specs[number]] for number in line_up) for line_up in schedule.line_ups)
    hook = _hook(settings, game)
    plan = Plan(
        game=game,
        rules=rules,
        players=players,
        line_ups=line_ups,
        seed=seed,
        deals_from=settings.deals_from,
        deals=settings.deals,
        checked_deals=manifest.CHECKED_DEALS,
        strict=settings.strict,
        measures=Measures(not settings.lean, settings.course, hook),
        stop_on_error=settings.on_error == "stop",
        keep_actions=True,
    )
    record = Manifest(
        arbosim_version=arbosim.__version__,
        game=game.name,
        rules_version=game.rules_version,
        rules=rules.model_dump(mode="json"),
        players=players,
        schedule=settings.schedule,
        focus=",".join(focus) or None,
        seed=seed,
        deals_from=settings.deals_from,
        deals=settings.deals,
        strict=settings.strict,
        lean=settings.lean,
        course=settings.course,
        metric=MetricRecord.of(hook),
        on_error=settings.on_error,
        bots=settings.bots,
        move_timeout=settings.move_timeout,
        isolate=settings.isolate,
        strategies=[StrategyRecord.of(entrants[spec]) for spec in specs],
        line_ups=[list(line_up) for line_up in plan.ids],
        note=schedule.note,
        started=manifest.now(),
    )
    return Prepared(plan, record, settings)


def _hook(settings: config.Settings, game: Game) -> Hook | None:
    """Return the compiled metric of a run, whose columns must have names of their own."""
    if settings.metric is None:
        return None
    where = settings.place("metric")
    hook = registry.hook(settings.metric, game.name, where if isinstance(settings.metric, str) else "")
    others = [
        column.name for column in (*frames.GAMES, *frames.SEATS, *game.seat_metrics, *game.game_metrics)
    ]
    taken = {*others, *(game.row_dtype(settings.players).names or ())}
    added = {*hook.names, *(name for name, _ in fields(hook.names, hook.per, settings.players))}
    if taken & added:
        raise UserError(f"{min(taken & added)!r} is a column already; name it otherwise", where=where)
    return hook


def _resolve(
    settings: config.Settings, game: Game, add: Sequence[str | Strategy | type | Entrant]
) -> dict[str, Entrant]:
    """Return the entrants by spec; bots and the focus of a gauntlet need not be listed."""
    bots = guests.bots(settings.bots, game, settings.place("bots"))
    if not settings.strategies and not bots:
        known = ", ".join(registry.strategies(game.name))
        raise UserError(f"no strategies are given; {settings.place('strategies')} names some of: {known}")
    entrants: dict[str, Entrant] = {}
    listed = [(what, settings.place("strategies")) for what in settings.strategies]
    for what, where in [*listed, *((what, settings.place("add")) for what in add)]:
        entrant = guests.resolve(what, bots, game.name, where if isinstance(what, str) else "")
        if entrant.spec in entrants:
            raise UserError(f"strategy {entrant.spec!r} is given twice; it would be one and the same entrant")
        entrants[entrant.spec] = entrant
    for name, entrant in bots.items():
        entrants.setdefault(name, entrant)
    if settings.schedule == "gauntlet":
        for entrant in _focus(settings, game.name, entrants):
            entrants.setdefault(entrant.spec, entrant)
    return entrants


def _focus(settings: config.Settings, game: str, entrants: Mapping[str, Entrant]) -> list[Entrant]:
    """Return who sits at every table; what is listed need not be found again."""
    where = settings.place("focus")
    names = parse_list(settings.focus, where) if settings.focus else []
    return [entrants[name] if name in entrants else registry.resolve(name, game, where) for name in names]
