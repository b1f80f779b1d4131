"""Comparing two strategies: everything is checked before anything is played, and it goes on where it was left."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arbosim import guests, launch
from arbosim.contest.outcome import Contest, report
from arbosim.contest.referee import Referee
from arbosim.core import files, registry
from arbosim.core.arguments import real, shown, whole
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted
from arbosim.core.seeds import master_seed
from arbosim.core.spec import parse_list
from arbosim.core.strategy import Entrant, Strategy
from arbosim.lab import load
from arbosim.prepared import Prepared
from arbosim.results import Results
from arbosim.runs import check_players
from arbosim.tournament import config, manifest
from arbosim.tournament.comparison import MOST_DEALS, TEST, ComparisonRecord, check_rule
from arbosim.tournament.manifest import Manifest

Who = str | Strategy | type | Entrant

MAX_DEALS = 100_000


@dataclass
class Contested:
    """A checked comparison that has not ended; nothing has been written so far if it is new."""

    prepared: Prepared
    referee: Referee

    def execute(self, jobs: int = -1, progress: Callable[[int], None] | None = None) -> Contest | None:
        """Play until it is decided; None after Ctrl-C, where what is done lies in the run folder."""
        played = self.prepared.execute(jobs, progress)
        return report(self.referee, Results.of(played)) if self.referee.decision is not None else None

    @property
    def again(self) -> str:
        """Return the command that goes on with it."""
        return f"arbosim compare --resume {shlex.quote(str(self.prepared.folder))}"


def begin(
    first: Who,
    second: Who,
    given: Mapping[str, Any],
    *,
    field: Sequence[Who] | str = (),
    rule: Mapping[str, float | None] | None = None,
    max_deals: int | None = None,
    flags: bool = False,
) -> Contested:
    """Check everything about a new comparison.

    Parameters
    ----------
    given : mapping
        Settings of a run: players, seed, jobs, backend, scheduler, rules, game, deals_from, output.
    rule : mapping
        Some of elo0, elo1, alpha, beta, or until_width.
    """
    asked = _asked(rule or {}, max_deals, flags)
    settings, names = _settings(first, second, field, given, asked["max_deals"], flags)
    prepared = launch.begin(settings)
    state = prepared.manifest
    state.comparison = ComparisonRecord(**{**asked, **names, "line_ups": len(state.line_ups)})
    prepared.judge = referee = Referee(state.comparison, state)
    return Contested(prepared, referee)


def go_on(
    folder: Path,
    given: Mapping[str, Any] | None = None,
    *,
    pair: tuple[Who, Who] | None = None,
    field: Sequence[Who] | str = (),
    rule: Mapping[str, float | None] | None = None,
    max_deals: int | None = None,
    flags: bool = False,
) -> Contested | Contest:
    """Check everything about resuming a comparison; one that was decided is not played, but told again.

    What is given must agree with what was asked; only ``max_deals`` may be more than before.
    """
    results = load(folder)
    state = results.manifest
    old = state.comparison
    if old is None:
        raise UserError(f"{str(folder)!r} is a run, but no comparison of two strategies")
    asked = _go_on_asking(old, rule or {}, max_deals, folder, flags)
    bots = {name: bot.model_dump() for name, bot in state.bots.items()}
    settings = {"players": state.players, "game": state.game, "bots": bots, **(given or {})}
    if field and pair is None:
        raise UserError("belongs to two strategies, which are not given", where=_place(flags)("field"))
    if pair is not None:
        made, names = _settings(*pair, field, settings, asked.max_deals, flags)
        settings |= {"strategies": made.strategies, "schedule": made.schedule, "focus": made.focus}
        settings = {key: value for key, value in settings.items() if value is not None}
        if names != {"first": old.first, "second": old.second}:
            raise UserError(f"{str(folder)!r} compares {old.first} with {old.second}, in this order")
    settings.pop("output", None)
    settings["deals"] = asked.max_deals
    if old.decision is not None and (old.decision != "undecided" or asked.max_deals == old.max_deals):
        _check_same(state, settings, folder, flags)
        return _told_again(old, results)
    if old.decision is not None and (state.deals, len(state.line_ups)) != (old.deals, old.line_ups):
        raise UserError(f"{str(folder)!r} has been extended since it was compared, so its comparison is over")
    prepared = launch.go_on(folder, settings, extend=True, flags=flags, compares=True)
    prepared.manifest.comparison = asked
    prepared.judge = referee = Referee(asked, prepared.manifest)
    return Contested(prepared, referee)


def _check_same(state: Manifest, given: Mapping[str, Any], folder: Path, flags: bool) -> None:
    """Refuse settings that are not those of a run; its strategies and deals may be more by now."""
    kept = {name: getattr(state, name) for name in ("game", "players", "seed", "deals_from", "rules")}
    asked = {name: value for name, value in given.items() if name in (*kept, "jobs", "backend", "scheduler")}
    made = config.settings(asked, None, flags, kept, str(folder / manifest.FILE))
    rules = registry.game(made.game).rules(made.preset, made.changes)
    wanted = {"players": made.players, "seed": master_seed(made.seed), "deals_from": made.deals_from}
    wanted["rules"] = rules.model_dump()
    differing = [name for name, value in wanted.items() if getattr(state, name) != value]
    if differing:
        raise UserError(f"{str(folder)!r} was played with other {', '.join(differing).replace('_', ' ')}")


def _told_again(old: ComparisonRecord, results: Results) -> Contest:
    state = results.manifest
    referee = Referee(old, state)
    results.check()
    for _, line_up, rows in results.batches():
        referee.see(state.line_ups.index(line_up), rows[rows["deal"] < state.deals_from + old.deals])
    if not referee.is_over():
        raise UserError(
            f"{str(results.folder)!r} has lost games that were compared; arbosim run --resume {results.folder} "
            "plays them again"
        )
    return report(referee, results)


def _place(flags: bool) -> Callable[[str], str]:
    return (lambda key: f"--{key.replace('_', '-')}") if flags else str


def _asked(rule: Mapping[str, float | None], max_deals: int | None, flags: bool) -> dict[str, Any]:
    """Return the question, checked."""
    place = _place(flags)
    given = {name: real(value, place(name)) for name, value in rule.items() if value is not None}
    most = MAX_DEALS if max_deals is None else whole(max_deals, place("max_deals"), 1, MOST_DEALS)
    usual = dict.fromkeys(TEST) if "until_width" in given else TEST
    made: dict[str, Any] = {**usual, "until_width": None, **given}
    check_rule(made, place)
    return made | {"max_deals": most}


def _go_on_asking(
    old: ComparisonRecord, rule: Mapping[str, float | None], max_deals: int | None, folder: Path, flags: bool
) -> ComparisonRecord:
    place = _place(flags)
    given = {name: value for name, value in rule.items() if value is not None}
    if given:
        new = _asked(rule, max_deals, flags)
        differing = [name for name in (*TEST, "until_width") if getattr(old, name) != new[name]]
        if differing:
            what = ", ".join(f"{place(name)} {getattr(old, name)}, not {new[name]}" for name in differing)
            raise UserError(f"{str(folder)!r} is a comparison with {what}")
    most = old.max_deals if max_deals is None else int(_asked({}, max_deals, flags)["max_deals"])
    if most < old.max_deals:
        raise UserError(
            f"{str(folder)!r} may play {counted(old.max_deals, 'deal')}, more than {most}",
            where=place("max_deals"),
        )
    return old.model_copy(update={"max_deals": most, "decision": None, "deals": 0, "looks": 0, "llr": None})


def _settings(
    first: Who, second: Who, others: Sequence[Who] | str, given: Mapping[str, Any], deals: int, flags: bool
) -> tuple[config.Settings, dict[str, str]]:
    """Return the settings of the run, and who is the first and the second."""
    place = _place(flags)
    game = registry.game(given.get("game")).name
    others = _listed(others, place("field"))
    known = config.settings({"bots": given.get("bots") or {}}, flags=flags)
    if given.get("on_error") == "stop":
        raise UserError("a comparison goes on until it is decided", where=place("on_error"))
    bots = guests.bots(known.bots, registry.game(game), known.place("bots"))
    a, b = (guests.resolve(one, bots, game) for one in (first, second))
    field = [
        guests.resolve(one, bots, game, place("field") if isinstance(one, str) else "") for one in others
    ]
    idle = sorted(bots.keys() - {one.spec for one in (a, b, *field)})
    if idle:
        raise UserError(
            f"{idle[0]!r} is given, but is none of those that are compared", where=known.place("bots")
        )
    if a.spec == b.spec:
        raise UserError(f"{a.spec!r} cannot be compared with itself")
    for one in field:
        if one.spec in (a.spec, b.spec):
            raise UserError(f"{one.spec!r} is one of the two that are compared", where=place("field"))
    players = given.get("players") or 2
    if isinstance(players, int):
        check_players(registry.game(game), players)
        if len(field) < players - 2:
            raise UserError(
                f"at tables of {players} the two need at least {counted(players - 2, 'other')}, not {len(field)}; "
                f"{place('field')} names them"
            )
    if field and players == 2:
        raise UserError(
            f"belongs to tables of more than 2; {place('players')} says how many", where=place("field")
        )
    made = {
        **{name: value for name, value in given.items() if value is not None},
        "strategies": [a, b, *field],
        "deals": deals,
        **({"schedule": "gauntlet", "focus": f"{a.spec},{b.spec}"} if field else {}),
    }
    return config.settings(made, flags=flags), {"first": a.spec, "second": b.spec}


def _listed(others: object, where: str) -> Sequence[Who]:
    """Return the names in a text with commas between them, or what is a list already."""
    if isinstance(others, str):
        return parse_list(others, where)
    if not isinstance(others, list | tuple):
        raise UserError(
            f"must be a list of strategies, or a text with commas between them, not {shown(others)}",
            where=where,
        )
    return others


def compare(
    first: Who,
    second: Who,
    *,
    field: Sequence[Who] | str = (),
    elo0: float | None = None,
    elo1: float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    until_width: float | None = None,
    max_deals: int | None = None,
    players: int = 2,
    seed: int | str = 1,
    jobs: int = -1,
    backend: str = "local",
    scheduler: str | None = None,
    rules: str | Mapping[str, object] | Any = None,
    game: str | None = None,
    deals_from: int = 0,
    on_error: str = "forfeit",
    bots: Mapping[str, Mapping[str, object]] | None = None,
    move_timeout: float | None = None,
    isolate: bool = False,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Contest:
    """Let two strategies play until it is decided which is stronger, and no longer.

    Results are read in the order of deals at fixed numbers of them, so the outcome depends neither on the number of
    jobs nor on how fast a strategy is, and the run holds exactly the deals that decided.

    Parameters
    ----------
    first, second : str, Strategy, type or Entrant
    field : sequence, or text with commas
        The others at a table of 3 or 4; each deal is played with all combinations of them.
    elo0, elo1 : float
        The hypotheses H0 and H1 in normalised Elo of the first per game; 0 and 5 if missing.
    alpha, beta : float
        How often H1 is accepted though H0 is true, and H0 though H1 is true; 0.05 if missing.
    until_width : float
        Instead of the test: stop when the interval of the share of games in which the first finishes above the second
        (for two players, its win share) is so many percentage points wide from its lower to its upper bound.
    max_deals : int
        After so many it stays undecided; 100,000 if missing.
    backend, scheduler : str
        Who plays, as in `arbosim.run`.
    on_error, bots, move_timeout, isolate
        As in `arbosim.run`; a comparison does not stop on errors.
    resume : bool
        Go on with the comparison that lies in the output folder, if there is one; it must be this comparison.
    progress : callable
        Is told after each chunk how many games were finished.

    Raises
    ------
    UserError
        Something in the arguments is wrong; nothing has been played or written.
    KeyboardInterrupt
        After Ctrl-C; what is done lies in the output folder, if there is one.
    """
    given: dict[str, Any] = {
        "players": players,
        "seed": seed,
        "jobs": jobs,
        "backend": backend,
        "scheduler": scheduler,
        "rules": rules,
        "game": game,
        "deals_from": deals_from,
        "on_error": on_error,
        **({"bots": bots} if bots else {}),
        "move_timeout": move_timeout,
        "isolate": isolate,
        "output": files.given(output, "output"),
    }
    rule = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "until_width": until_width}
    there = launch.to_resume(output) if resume else None
    contested: Contested | Contest
    if there is not None:
        contested = go_on(there, given, pair=(first, second), field=field, rule=rule, max_deals=max_deals)
        if isinstance(contested, Contest):
            return contested
    else:
        contested = begin(first, second, given, field=field, rule=rule, max_deals=max_deals)
    notice = contested.prepared.notice()
    if notice:
        print(notice, file=sys.stderr)  # noqa: T201
    contest = contested.execute(contested.prepared.settings.jobs, progress)
    if contest is None:
        raise KeyboardInterrupt("what was played is kept" if output else "nothing is kept without output")
    contest.results.warn_of_errors()
    return contest
