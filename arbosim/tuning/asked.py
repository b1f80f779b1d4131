"""What a tuning is asked to do, checked before anything is played: all mistakes are told at once."""

from __future__ import annotations

import importlib.util
import math
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import arbosim
from arbosim.core import registry, sets
from arbosim.core.arguments import real, shown, whole
from arbosim.core.errors import UserError, placed
from arbosim.core.numbers import counted
from arbosim.core.seeds import master_seed
from arbosim.core.spec import parse, parse_list
from arbosim.core.strategy import Entrant, Strategy, Value
from arbosim.runs import check_players
from arbosim.tournament import config
from arbosim.tournament.command import game_words
from arbosim.tournament.comparison import LARGEST_ELO, MOST_DEALS, TEST
from arbosim.tournament.manifest import StrategyRecord
from arbosim.tuning.objective import Arena
from arbosim.tuning.record import TuningRecord
from arbosim.tuning.space import Space, space

Who = str | Strategy | type | Entrant

FIELD = "field"
BUDGET = 400_000
MOST_GAMES = 10**12
PER_CANDIDATE = 100
"""Deals times tables that a candidate plays: more games for each leave fewer candidates."""
WANTED, FEWEST = 30, 5
"""Generations: with a small budget deals become fewer first, so that there are 30, and then there must be 5."""
SMALLEST, LARGEST = 4, 1000
"""Candidates in a generation."""


@dataclass(frozen=True)
class Asked:
    """A checked tuning: the question as it is kept, and the things that play."""

    record: TuningRecord
    start: Entrant
    space: Space
    arena: Arena
    jobs: int

    def entrant(self, values: Mapping[str, Value]) -> Entrant:
        """Return the strategy with some values other than the start's, all of them written out in its spec."""
        return explicit(self.start, {**self.start.settings, **values})


def explicit(entrant: Entrant, values: Mapping[str, Value]) -> Entrant:
    """Return the strategy of an entrant with these values, and a spec that needs no parameter set."""
    target = parse(entrant.spec).target
    return entrant.strategy.entrant(dict(values), target=target, location=entrant.location)


def check(strategy: Who, given: Mapping[str, Any], flags: bool = False) -> Asked:
    """Check everything about a tuning.

    Parameters
    ----------
    given : mapping
        Settings by name, as `arbosim.tune` takes them; what is missing or None is the usual.
    flags : bool
        Whether they came as flags of a command line; messages name them so.
    """
    if importlib.util.find_spec("cmaes") is None:
        raise UserError("tuning needs the package cmaes: pip install 'arbosim[tune]'")
    given = {name: value for name, value in given.items() if value is not None}

    def place(name: str) -> str:
        return f"--{name.replace('_', '-')}" if flags else name

    game = registry.game(given.get("game"))
    wrong: list[str] = []
    settings = config.Settings()
    with _noted(wrong):
        known = ("players", "seed", "jobs", "rules", "deals_from", "output")
        settings = config.settings({name: given[name] for name in known if name in given}, flags=flags)
    rules = game.rules(None, {})
    with _noted(wrong), placed(settings.place("rules")):
        rules = game.rules(settings.preset, settings.changes)
    with _noted(wrong):
        check_players(game, settings.players)
        if settings.players < 2:
            raise UserError(f"a table of {settings.players} has no opponents to tune against")
        game.check(rules, settings.players)
    seed = 0
    with _noted(wrong):
        seed = master_seed(settings.seed)
    numbers = _numbers(given, place, wrong)
    start, tuned = None, None
    with _noted(wrong):
        start = registry.resolve(strategy, game.name)
        tuned = space(
            start.strategy, _names(given.get("parameters"), place("parameters")), place("parameters")
        )
    with _noted(wrong):
        _check_name(given.get("name"), place("name"))
    field: list[Entrant] = []
    with _noted(wrong):
        field = _field(given.get("against", FIELD), game.name, start, place("against"))
        if len(field) < settings.players - 1:
            raise UserError(
                f"at tables of {settings.players} it takes at least {settings.players - 1} different opponents, "
                f"not {len(field)}",
                where=place("against"),
            )
    if wrong or start is None or tuned is None:
        raise UserError("\n".join(wrong))
    arena = Arena(game, rules, settings.players, tuple(field), seed, settings.deals_from)
    sizes = _sizes(numbers, arena, len(tuned.parameters), place)
    record = TuningRecord(
        arbosim_version=arbosim.__version__,
        game=game.name,
        rules_version=game.rules_version,
        rules=rules.model_dump(mode="json"),
        players=settings.players,
        seed=seed,
        deals_from=settings.deals_from,
        strategy=StrategyRecord.of(start),
        opponents=[StrategyRecord.of(one) for one in field],
        parameters=tuned.names,
        elo1=numbers["elo1"],
        name=given.get("name"),
        command="",
        **sizes,
    )
    record.command = _command(record, given)
    return Asked(record, start, tuned, arena, settings.jobs)


def settings_of(record: TuningRecord) -> dict[str, Any]:
    """Return the settings that a record was made from."""
    names = ("game", "rules", "players", "seed", "deals_from", "parameters", "budget", "population", "deals")
    kept = {name: getattr(record, name) for name in (*names, "confirm", "elo1", "name")}
    return kept | {"against": [one.spec for one in record.opponents]}


def set_file(asked: Asked, name: str) -> Path:
    """Return where a parameter set of the tuned strategy is written."""
    return sets.FOLDER.absolute() / sets.file_name(asked.start.strategy.name, name)


@contextmanager
def _noted(wrong: list[str]) -> Iterator[None]:
    try:
        yield
    except UserError as error:
        wrong.append(str(error))


def _numbers(given: Mapping[str, Any], place: Callable[[str], str], wrong: list[str]) -> dict[str, Any]:
    limits = {
        "budget": (1, MOST_GAMES),
        "population": (SMALLEST, LARGEST),
        "deals": (1, MOST_DEALS),
        "confirm": (1, MOST_DEALS),
    }
    found: dict[str, Any] = {"budget": BUDGET, "elo1": TEST["elo1"]}
    for name, (least, most) in limits.items():
        if name in given:
            with _noted(wrong):
                found[name] = whole(given[name], place(name), least, most)
    if "elo1" in given:
        with _noted(wrong):
            found["elo1"] = real(given["elo1"], place("elo1"))
            if not 0 < found["elo1"] <= LARGEST_ELO:
                raise UserError(
                    f"must be above 0 and at most {LARGEST_ELO}, not {found['elo1']:g}", where=place("elo1")
                )
    return found


def _names(parameters: object, where: str) -> list[str] | None:
    if parameters is None:
        return None
    if isinstance(parameters, str):
        return [name.strip() for name in parameters.split(",")]
    if isinstance(parameters, list | tuple) and all(isinstance(name, str) for name in parameters):
        return list(parameters)
    raise UserError(
        f"must be names, or a text with commas between them, not {shown(parameters)}", where=where
    )


def _check_name(name: object, where: str) -> None:
    if name is not None and not (isinstance(name, str) and re.fullmatch(r"[\w-]+", name)):
        raise UserError(
            f"a parameter set is named by letters, digits, '_' and '-', not {shown(name)}", where=where
        )


def _field(against: object, game: str, start: Entrant | None, where: str) -> list[Entrant]:
    """Return the opponents, in the order of their specs."""
    if isinstance(against, str) and against.strip() == FIELD:
        entry = None if start is None else start.strategy.entry
        others = [name for name, one in registry.quick(game).items() if one.entry is not entry]
        return [registry.resolve(name, game) for name in others]
    if isinstance(against, str):
        against = parse_list(against, where)
    if not isinstance(against, list | tuple):
        raise UserError(
            f"must be {FIELD!r}, a list of strategies, or a text with commas between them, not {shown(against)}",
            where=where,
        )
    found: dict[str, Entrant] = {}
    wrong: list[str] = []
    for one in against:
        with _noted(wrong):
            entrant = registry.resolve(one, game, where if isinstance(one, str) else "")
            if entrant.spec in found:
                raise UserError(f"{entrant.spec!r} is given twice", where=where)
            found[entrant.spec] = entrant
    if wrong:
        raise UserError("\n".join(wrong))
    return [found[spec] for spec in sorted(found)]


def _sizes(
    numbers: Mapping[str, Any], arena: Arena, parameters: int, place: Callable[[str], str]
) -> dict[str, int]:
    """Return how the budget is spent; see docs/tune.md."""
    budget: int = numbers["budget"]
    population: int = numbers.get("population") or 4 + math.floor(3 * math.log(parameters))
    a_deal = arena.games(population, 1)
    deals: int = numbers.get("deals") or max(
        1, min(round(PER_CANDIDATE / arena.tables), budget // (WANTED * a_deal))
    )
    generations = budget // (a_deal * deals)
    if generations < FEWEST:
        raise UserError(
            f"{counted(budget, 'game')} are too few: {FEWEST} generations of {population} candidates with "
            f"{counted(deals, 'deal')} at {counted(arena.tables, 'table')} take {FEWEST * a_deal * deals:,}",
            where=place("budget"),
        )
    confirm = numbers.get("confirm") or max(1, min(MOST_DEALS, budget // arena.games(2, 1)))
    return {
        "budget": budget,
        "population": population,
        "deals": deals,
        "generations": generations,
        "confirm": confirm,
    }


def _command(record: TuningRecord, given: Mapping[str, Any]) -> str:
    """Return the command line that asks for it; defaults of little interest are left out."""
    against = given.get("against", FIELD)
    opponents = FIELD if against == FIELD else ",".join(one.spec for one in record.opponents)
    words = ["arbosim", "tune", record.strategy.spec, "--against", opponents, "-p", str(record.players)]
    words += ["--seed", str(record.seed), "--budget", str(record.budget)]
    words += ["--parameters", ",".join(record.parameters)]
    for name in ("population", "deals", "confirm", "elo1"):
        if name in given:
            words += [
                f"--{name}",
                f"{getattr(record, name):g}" if name == "elo1" else str(getattr(record, name)),
            ]
    if record.deals_from:
        words += ["--deals-from", str(record.deals_from)]
    words += game_words(record.game, record.rules)
    if record.name is not None:
        words += ["--name", record.name]
    return shlex.join(words)
