"""Who plays in a process of its own: programs from outside, and plain-Python strategies that are not trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from arbosim.bots.isolated import isolated
from arbosim.bots.program import Program, parse_command
from arbosim.core import registry
from arbosim.core.errors import UserError, placed, unknown
from arbosim.core.game import Game, Rules
from arbosim.core.outside import Policy
from arbosim.core.strategy import Entrant, Strategy
from arbosim.tournament.bots import MOVE_SECONDS, RANDOM_MOVE, Bot
from arbosim.tournament.config import Settings

LOGS = "bots"
"""The folder of a run in which each program has a log of what it wrote to standard error."""
Who = str | Strategy | type | Entrant


def bots(given: Mapping[str, Bot], game: Game, where: str = "") -> dict[str, Entrant]:
    """Return programs as entrants by name; a UserError if one is named or given wrongly."""
    found = {}
    for name, bot in given.items():
        if name in registry.strategies(game.name):
            raise UserError(f"the name {name!r} is taken by a registered strategy", where=where)
        if bot.protocol not in game.dialects:
            raise unknown("protocol", bot.protocol, game.dialects, where=_bot(name))
        command = bot.command if bot.shell else parse_command(bot.command, bot.dir, _bot(name))
        program = Program(name, command, bot.dir, bot.protocol, game.dialects[bot.protocol].grammar)
        idea = f"the program {bot.command!r}, which speaks {bot.protocol}"
        found[name] = Strategy(name, game.name, "program", program, idea=idea).entrant(location=name)
    return found


def resolve(what: Who, known: Mapping[str, Entrant], game: str, where: str = "") -> Entrant:
    """Return the entrant that is meant, by the name of a bot or as `registry.resolve` does."""
    if isinstance(what, str) and what in known:
        return known[what]
    return registry.resolve(what, game, where)


def settled(
    entrants: Mapping[str, Entrant], settings: Settings, game: Game, rules: Rules
) -> dict[str, Entrant]:
    """Return the entrants as they are to play: programs on the terms of the settings, and others isolated if asked for.

    Raises
    ------
    UserError
        A bot cannot play this game, or nobody is there for whom a setting holds.
    """
    seconds = settings.move_timeout
    isolates = settings.isolate or seconds is not None
    policy: Policy = RANDOM_MOVE if settings.on_error == RANDOM_MOVE else "forfeit"
    found = dict(entrants)
    for spec, entrant in entrants.items():
        program = _program(entrant)
        if program is not None:
            with placed(_bot(spec)):
                game.dialects[program.dialect].check(rules, settings.players)
        elif isolates and entrant.strategy.kind == "python":
            found[spec] = isolated(entrant, game)
    programs = {spec: program for spec, each in found.items() if (program := _program(each)) is not None}
    if not programs:
        _check_needless(settings)
    for spec, program in programs.items():
        on_terms = replace(program, seconds=float(seconds or MOVE_SECONDS), policy=policy)
        found[spec] = _with(found[spec], on_terms)
    return found


def check(names: Iterable[str], entrants: Mapping[str, Entrant]) -> None:
    """Start bots once and see whether they answer; a UserError if one does not."""
    for name in names:
        program = _program(entrants[name])
        if program is not None:
            with placed(_bot(name)):
                program.check()


def logged(line_up: Sequence[Entrant], folder: Path) -> tuple[Entrant, ...]:
    """Return a line-up whose programs write their standard error to logs in a run folder."""
    made = []
    for entrant in line_up:
        program = _program(entrant)
        if program is not None:
            log = (folder / LOGS / f"{entrant.strategy.name}.log").absolute()
            entrant = _with(entrant, replace(program, log=str(log)))
        made.append(entrant)
    return tuple(made)


def _bot(name: str) -> str:
    return f"bot {name!r}"


def _program(entrant: Entrant) -> Program | None:
    return cast(Program | None, entrant.strategy.program)


def _with(entrant: Entrant, program: Program) -> Entrant:
    return replace(entrant, strategy=replace(entrant.strategy, entry=program))


def _check_needless(settings: Settings) -> None:
    """Refuse what is asked for players in processes of their own, where there are none."""
    asked = {
        "isolate": settings.isolate,
        "move_timeout": settings.move_timeout is not None,
        "on_error": settings.on_error == RANDOM_MOVE,
    }
    for key, is_asked in asked.items():
        if is_asked:
            raise UserError(
                "is about players in processes of their own, which are bots and plain-Python strategies; "
                "there is none here",
                where=settings.place(key),
            )
