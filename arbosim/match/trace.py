"""Games of one strategy against itself, decision by decision, for comparing them."""

from __future__ import annotations

import contextlib
import math
import random
import re
from dataclasses import dataclass, field
from typing import Any

from arbosim.core import jit
from arbosim.core.errors import UserError
from arbosim.core.game import Game, MistakeError, Probe
from arbosim.core.strategy import Entrant

_PLACE = re.compile(r" \([^()]*, line \d+\)$")

BEGINNING = 8
"""Decisions of a game that is only begun."""


@dataclass(frozen=True)
class Setting:
    """A rule set for a number of players."""

    rules: Any
    players: int


@dataclass
class Trace:
    """One game: its decisions in words, and the mistake that ended it, if one did."""

    decisions: list[str] = field(default_factory=list)
    mistake: str = ""


def settings(game: Game, count: int, seed: int) -> list[Setting]:
    """Return the usual rules for every number of players, then rule sets by chance, `count` in all."""
    rng = random.Random(seed)
    sizes = range(game.min_players, game.max_players + 1)
    found = [Setting(game.rules(), players) for players in sizes]
    while len(found) < count:
        players = rng.choice(sizes)
        found.append(Setting(game.random_rules(players, rng), players))
    return found[:count]


def new_probe(game: Game, entrant: Entrant, setting: Setting, seed: int, deal: int) -> Probe:
    """Return the start of a game of a strategy against itself."""
    seats = range(setting.players)
    return game.probe(setting.rules, [entrant] * setting.players, seats, seed, deal)


def decide(probe: Probe) -> int:
    """Return the current seat's decision after carrying it out; a MistakeError if it is wrong."""
    decision = probe.ask()
    try:
        probe.carry_out(decision)
    except UserError as error:
        raise MistakeError("illegal", str(error)) from None
    return decision


def play(
    game: Game, entrant: Entrant, setting: Setting, seed: int, deal: int, donor: Probe | None = None
) -> Trace:
    """Play one game.

    With the compiler off, a compiled strategy with a budget only begins its games: it plays whole games in its mind,
    and one decision takes a second or so, however little it thinks.

    Parameters
    ----------
    donor : Probe, optional
        Another game, played on beside this one: before every decision its scratch replaces the seat's own.
    """
    probe = new_probe(game, entrant, setting, seed, deal)
    is_slow = not jit.JIT and entrant.strategy.kind == "compiled" and entrant.strategy.budgets
    longest = BEGINNING if is_slow else math.inf
    trace = Trace()
    try:
        while not probe.position.finished and len(trace.decisions) < longest:
            if donor is not None:
                probe.foul(donor)
                _go_on(donor)
            trace.decisions.append(probe.words(decide(probe)))
    except MistakeError as mistake:
        trace.mistake = f"{mistake.kind}: {mistake}"
    return trace


def _go_on(donor: Probe) -> None:
    """Let a game go on for one decision, if it can."""
    if not donor.position.finished:
        with contextlib.suppress(MistakeError):
            decide(donor)


def play_all(game: Game, entrant: Entrant, count: int, seed: int) -> list[Trace]:
    """Play `count` games, each with a setting of its own."""
    return [
        play(game, entrant, setting, seed, deal) for deal, setting in enumerate(settings(game, count, seed))
    ]


def difference(a: Trace, b: Trace) -> str:
    """Return where two games part, in words; nothing if they are the same game."""
    for i, (one, other) in enumerate(zip(a.decisions, b.decisions, strict=False)):
        if one != other:
            return f"decision {i + 1} is {one!r} and {other!r}"
    # with the compiler off an error also tells the line that it is from
    if _PLACE.sub("", a.mistake) != _PLACE.sub("", b.mistake):
        last = min(len(a.decisions), len(b.decisions))
        return f"after decision {last} one game ends with {a.mistake!r}, the other with {b.mistake!r}"
    if len(a.decisions) != len(b.decisions):
        return f"one game has {len(a.decisions)} decisions, the other {len(b.decisions)}"
    return ""
