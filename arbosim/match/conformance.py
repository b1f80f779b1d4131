"""What every strategy must keep to, ours or a user's: the checks behind ``arbosim check`` and the test suite.

They ask whether the code is right, not whether it plays well. So a strategy with a budget thinks as little as it can,
or a game would take minutes; how long it thinks is measured with the budget that it is given.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from arbosim.core import jit, registry
from arbosim.core.errors import UserError
from arbosim.core.game import Game, GameError, rules_in_words
from arbosim.core.strategy import Entrant
from arbosim.match import advised, answering, elsewhere, peeking
from arbosim.match.trace import Setting, Trace, difference, new_probe, play, play_all, settings

Tell = Callable[[str], None]
"""Is told what is done next, which takes seconds."""

PARTNER = "random"
"""Sits at some tables beside the strategy, if it is registered: it makes positions that good play never sees."""
SETTINGS = 12
"""Rule sets and numbers of players for the checks that play whole chunks of games."""
TRACED = 6
"""Games that are compared decision by decision; with the compiler off one takes up to a second."""
REPEATING = ("reproducible", "no peeking", "no state kept", "same without the compiler")
"""Checks that compare a game with the same game again."""
COMPILED = ("within its records", "same without the compiler")
"""Checks of what can only go wrong in compiled code."""
DOES_NOT_APPLY, NOT_CHECKED = "does not apply: ", "not checked: "
"""How the reasons begin why a check is not made."""
SLOWEST = 0.1
"""Seconds of a core that a decision may take on average: a game of 70 decisions then takes 7 seconds."""


@dataclass(frozen=True)
class CheckResult:
    """The outcome of one check in plain words.

    Parameters
    ----------
    ok : bool
        Whether nothing is wrong.
    message : str
        What is wrong, what was found to be right, or why the check was not made.
    made : bool
        False where it does not apply, or there was nothing to check.
    """

    name: str
    ok: bool
    message: str
    made: bool = True


def _nobody(what: str) -> None:
    """Tell nobody."""


def run_checks(
    entrant: Entrant | str, *, games: int = 200, seed: int = 1, tell: Tell = _nobody
) -> list[CheckResult]:
    """Check one strategy; `games` is about how many games the cheap checks play."""
    if isinstance(entrant, str):
        entrant = registry.resolve(entrant, registry.game().name)
    tell("playing in a process of its own")
    stuck = answering.failure(registry.game(entrant.strategy.game), entrant, seed)
    if stuck:  # in this process all that follows would wait for it, or end with it
        return [CheckResult("answers", False, f"{stuck}; nothing else was checked")]
    return run_all_checks([entrant], games=games, seed=seed, tell=tell)[entrant.spec]


def run_all_checks(
    entrants: Sequence[Entrant], *, games: int = 200, seed: int = 1, tell: Tell = _nobody
) -> dict[str, list[CheckResult]]:
    """Check several strategies of one game, by spec; together they need fewer processes than one by one."""
    game = registry.game(entrants[0].strategy.game)
    there = _play_elsewhere(
        [_thinking_least(entrant) for entrant in entrants if entrant.location], seed, tell
    )
    return {entrant.spec: _Suite(game, entrant, games, seed, there).results(tell) for entrant in entrants}


def _play_elsewhere(entrants: Sequence[Entrant], seed: int, tell: Tell) -> _Elsewhere:
    """Play in other processes, side by side, for most of them spend their time compiling."""
    compiled = [entrant for entrant in entrants if entrant.strategy.kind == "compiled"]
    seeded = [entrant for entrant in compiled if entrant.repeats]
    plain = [entrant for entrant in entrants if entrant.strategy.kind == "python" and entrant.repeats]
    if compiled:
        tell("playing elsewhere: with every index looked at, rubbish in unused memory, the compiler off")
    elif plain:
        tell("playing elsewhere, with sets in another order")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        bounds = pool.submit(elsewhere.bounds_errors, compiled, SETTINGS, seed)

        def games(some: Sequence[Entrant], **environment: str) -> Future[dict[str, list[Trace] | str]]:
            return pool.submit(elsewhere.traces, some, TRACED, seed, **environment)

        rubbish = games(seeded, **elsewhere.RUBBISH)
        interpreted = games(compiled, NUMBA_DISABLE_JIT="1")
        hashed, hashed_anew = games(plain, PYTHONHASHSEED="1"), games(plain, PYTHONHASHSEED="2")
        return _Elsewhere(
            bounds=bounds.result(),
            interpreted=interpreted.result(),
            rubbish=rubbish.result(),
            hashed=hashed.result(),
            hashed_anew=hashed_anew.result(),
        )


def _thinking_least(entrant: Entrant) -> Entrant:
    """Return an entrant, by its old spec, with its budgets at their lowest; not at 0, or it might not think at all."""
    pairs = zip(entrant.strategy.parameters, entrant.values, strict=True)
    least = [
        min(value, max(1, int(parameter.low))) if parameter.budget else value for parameter, value in pairs
    ]
    return replace(entrant, values=tuple(least))


@dataclass(frozen=True)
class _Elsewhere:
    """What other processes found, by spec."""

    bounds: dict[str, str]
    interpreted: dict[str, list[Trace] | str]
    rubbish: dict[str, list[Trace] | str]
    hashed: dict[str, list[Trace] | str]
    hashed_anew: dict[str, list[Trace] | str]


class _Suite:
    """All checks of one strategy: of `given` as it is, or of `entrant`, the same with the least to think."""

    def __init__(self, game: Game, given: Entrant, games: int, seed: int, there: _Elsewhere) -> None:
        self.game = game
        self.given = given
        self.entrant = _thinking_least(given)
        self.games = games
        self.seed = seed
        self.there = there
        self.is_compiled = given.strategy.kind == "compiled"
        self.traces: list[Trace] = []
        self.is_legal = True

    def results(self, tell: Tell) -> list[CheckResult]:
        """Run every check; if the strategy cannot be compiled there is but one result."""
        tell("playing games decision by decision")
        try:
            self.traces = play_all(self.game, self.entrant, TRACED, self.seed)
        except UserError as error:
            return [CheckResult("compiles", False, str(error))]
        checks = {
            "legal": self.legal,
            "reproducible": self.reproducible,
            "no peeking": self.no_peeking,
            "table untouched": self.table_untouched,
            "within its records": self.within_records,
            "no state kept": self.no_state_kept,
            "same without the compiler": self.same_interpreted,
            "advice": self.advice,
            "time": self.time,
        }
        found: list[CheckResult] = []
        for name, check in checks.items():
            tell(f"checking: {name}")
            excuse = self._excuse(name)
            wrong, fine = ("", excuse) if excuse else check()
            made = bool(wrong) or not fine.startswith((DOES_NOT_APPLY, NOT_CHECKED))
            lowered = self._lowered if made and name != "time" else ""
            found.append(CheckResult(name, not wrong, (wrong or fine) + lowered, made))
        return found

    def _excuse(self, check: str) -> str:
        """Say why a check is not made, if it is not."""
        if check in REPEATING and not self.entrant.repeats:
            return f"{DOES_NOT_APPLY}it thinks by the clock, so that no game repeats; check it with the clock at 0"
        if check in COMPILED and not self.is_compiled:
            return f"{DOES_NOT_APPLY}plain Python is not compiled"
        if check == "advice" and self.entrant.strategy.appraise is None:
            return f"{DOES_NOT_APPLY}it does not say what it expects of an action"
        if check in COMPILED and not self.entrant.location:
            return f"{NOT_CHECKED}the strategy lies in no file that another process could load"
        if check == "same without the compiler" and not jit.JIT:
            return f"{NOT_CHECKED}the compiler is off already"
        if check in REPEATING and not any(trace.decisions for trace in self.traces):
            return f"{NOT_CHECKED}no game gets beyond its first decision; {self.traces[0].mistake}"
        return ""

    @property
    def _lowered(self) -> str:
        """Say which budgets are lower than given."""
        pairs = zip(self.entrant.settings.items(), self.given.values, strict=True)
        lower = [f"{name}={value}" for (name, value), given in pairs if value != given]
        return f" (with {', '.join(lower)})" if lower else ""

    # Every check returns what is wrong, if anything, and what to say if nothing is.

    def legal(self) -> tuple[str, str]:
        played = 0
        for setting in settings(self.game, SETTINGS, self.seed):
            for line_up in self._line_ups(setting):
                deals = max(1, self.games // (2 * SETTINGS * setting.players))
                chunk = self.game.play_chunk(
                    setting.rules, setting.players, line_up, self.seed, 0, deals, checked_deals=0
                )
                played += len(chunk.rows)
                for error in chunk.errors:
                    if error.strategy == self.entrant.spec:
                        self.is_legal = False
                        return self._told(setting, error), ""
        return "", f"{played} games with {SETTINGS} rule sets and {self._sizes()} players"

    def reproducible(self) -> tuple[str, str]:
        if not self.entrant.location:
            other = play_all(self.game, self.entrant, TRACED, self.seed)
            wrong = self._compared(self.traces, other, "the same seed gave two games")
            return wrong, "the same seed gives the same games"
        if self.is_compiled:
            return self._same_among_rubbish()
        one, two = self.there.hashed[self.entrant.spec], self.there.hashed_anew[self.entrant.spec]
        if isinstance(one, str) or isinstance(two, str):
            return f"it does not play in a process of its own: {one if isinstance(one, str) else two}", ""
        wrong = self._compared(one, two, "the same seed gave two games in two processes")
        hint = "; the order of a set, hash() and random without a seed change from process to process"
        return wrong and wrong + hint, "the same seed gives the same games in two processes"

    def _same_among_rubbish(self) -> tuple[str, str]:
        other = self.there.rubbish[self.entrant.spec]
        if isinstance(other, str):
            return f"it does not play in a process of its own: {other}", ""
        wrong = self._compared(self.traces, other, "the same seed gave two games in two processes")
        hint = "; it may read what was never written, as from np.empty, or a record whose array is no longer used"
        return wrong and wrong + hint, "the same seed gives the same games, whatever lies in unused memory"

    def no_peeking(self) -> tuple[str, str]:
        rng = random.Random(self.seed)
        compared = 0
        for deal, setting in enumerate(settings(self.game, TRACED, self.seed)):
            wrong, replayed = peeking.replayed(self.game, self.entrant, setting, self.seed, deal, rng)
            compared += replayed
            if wrong:
                return wrong, ""
        if not compared:
            return "", f"{NOT_CHECKED}no game lasts until a decision is asked for again"
        return "", f"{compared} decisions stay the same when the cards that it cannot see are others"

    def table_untouched(self) -> tuple[str, str]:
        forfeited = games = 0
        for setting in settings(self.game, SETTINGS, self.seed):
            line_up = [self.entrant] * setting.players
            rules, players = setting.rules, setting.players
            chunk = self.game.play_chunk(rules, players, line_up, self.seed, 0, 2, strict=True)
            for error in chunk.errors:
                if error.kind == "wrote":
                    where = f"turn {error.turn} of deal {error.deal}"
                    return f"it {error.message} in {where}; the table is for reading", ""
            forfeited, games = forfeited + len(chunk.errors), games + len(chunk.rows)
        if forfeited == games:
            return "", f"{NOT_CHECKED}every game is forfeited"
        return "", "the table is the same after every decision"

    def within_records(self) -> tuple[str, str]:
        error = self.there.bounds[self.entrant.spec]
        interpreted = self.there.interpreted[self.entrant.spec]
        if not error and not isinstance(interpreted, str):
            error = next((trace.mistake for trace in interpreted if "IndexError" in trace.mistake), "")
        if "IndexError" in error:
            return f"it reads or writes beyond the end of a field of its records ({error})", ""
        if error:
            return "", f"{NOT_CHECKED}with every index looked at, its games end before their end; {error}"
        return "", "no index beyond the end of a field"

    def no_state_kept(self) -> tuple[str, str]:
        wanted = list(enumerate(settings(self.game, TRACED, self.seed)))
        backwards = [
            play(self.game, self.entrant, setting, self.seed, deal) for deal, setting in reversed(wanted)
        ]
        wrong = self._compared(self.traces, backwards[::-1], "the games depend on those before them")
        if wrong or not self.is_compiled:
            return wrong, "no game depends on those before it"
        for deal, setting in wanted:
            donor = new_probe(self.game, self.entrant, setting, self.seed, deal + TRACED)
            fouled = play(self.game, self.entrant, setting, self.seed, deal, donor)
            wrong = difference(self.traces[deal], fouled)
            if wrong:
                return f"it relies on what an earlier decision left in its scratch space: {wrong}", ""
            if not self._stands_alone(setting):
                return "a game comes out differently after other games: it left something in its records", ""
        return "", "no game depends on those before it, no decision on what lies in the scratch space"

    def same_interpreted(self) -> tuple[str, str]:
        interpreted = self.there.interpreted[self.entrant.spec]
        if isinstance(interpreted, str):
            return f"it does not play with the compiler off: {interpreted}", ""
        pairs = [
            # a game may only have been begun there
            (a if b.mistake else Trace(a.decisions[: len(b.decisions)]), b)
            for a, b in zip(self.traces, interpreted, strict=True)
            if "IndexError" not in b.mistake
        ]
        wrong = self._compared(
            [a for a, _ in pairs],
            [b for _, b in pairs],
            "compiled and with the compiler off the games differ",
        )
        hint = (
            "; read the records through the functions of the api, which return whole numbers that never wrap"
        )
        compared = sum(len(b.decisions) for _, b in pairs)
        if not wrong and not compared:
            mistake = next(trace.mistake for trace in interpreted)
            return "", f"{NOT_CHECKED}with the compiler off no game gets beyond its first decision; {mistake}"
        return wrong and wrong + hint, f"{compared} decisions are the same with the compiler off"

    def advice(self) -> tuple[str, str]:
        rng = random.Random(self.seed)
        asked = 0
        for deal, setting in enumerate(settings(self.game, TRACED, self.seed)):
            wanted = self.traces[deal] if self.entrant.repeats else None
            wrong, actions = advised.play(self.game, self.entrant, setting, self.seed, deal, rng, wanted)
            asked += actions
            if wrong:
                return f"{wrong} (game {deal})", ""
        if not asked:
            return "", f"{NOT_CHECKED}no game lasts until it is asked; {self.traces[0].mistake}"
        return "", f"{asked} actions have a finite number of points, and asking changes nothing"

    def time(self) -> tuple[str, str]:
        setting = settings(self.game, 1, self.seed)[0]
        line_up = [self.given] * setting.players
        deals, seconds = 0, 0.0
        while seconds < 0.1 and deals < 1000:
            deals = max(1, 2 * deals)
            start = time.thread_time()
            chunk = self.game.play_chunk(
                setting.rules, setting.players, line_up, self.seed, 0, deals, checked_deals=0
            )
            seconds = time.thread_time() - start
            if chunk.errors and not self.is_legal:
                return "", f"{NOT_CHECKED}its games are forfeited"
            if chunk.errors:
                given = "with the budget that it is given, " if self._lowered else ""
                return f"{given}{self._told(setting, chunk.errors[0])}", ""
        decisions = max(1, len(self.traces[0].decisions)) * deals * setting.players
        each = seconds / decisions
        text = (
            f"{each * 1e6:.3g} microseconds a decision" if each < 0.001 else f"{each:.3g} seconds a decision"
        )
        return (f"{text}, more than {SLOWEST:g} seconds" if each > SLOWEST else ""), text

    def _told(self, setting: Setting, error: GameError) -> str:
        where = f"deal {error.deal}, turn {error.turn}, seat {error.seat} of {setting.players}"
        rules = rules_in_words(self.game, setting.rules.model_dump(mode="json"))
        return f"{error.kind}: {error.message} ({where}; rules: {rules})"

    def _line_ups(self, setting: Setting) -> list[list[Entrant]]:
        alone = [[self.entrant] * setting.players]
        partner = registry.strategies(self.game.name).get(PARTNER)
        if partner is None or partner.name == self.entrant.strategy.name:
            return alone
        mixed = [self.entrant, *[partner.entrant(location=partner.name)] * (setting.players - 1)]
        return [*alone, sorted(mixed, key=lambda entrant: entrant.spec)]

    def _sizes(self) -> str:
        return f"{self.game.min_players} to {self.game.max_players}"

    def _compared(self, one: Sequence[Trace], other: Sequence[Trace], what: str) -> str:
        for deal, (a, b) in enumerate(zip(one, other, strict=True)):
            where = difference(a, b)
            if where:
                return f"{what} (game {deal}: {where})"
        return ""

    def _stands_alone(self, setting: Setting) -> bool:
        """Whether the games of one chunk come out as they do each in a chunk of its own."""
        line_up = [self.entrant] * setting.players
        rules, players = setting.rules, setting.players
        together = self.game.play_chunk(rules, players, line_up, self.seed, 0, 4, checked_deals=0).rows
        for deal in range(4):
            alone = self.game.play_chunk(rules, players, line_up, self.seed, deal, 1, checked_deals=0).rows
            if alone.tobytes() != together[deal * players : (deal + 1) * players].tobytes():
                return False
        return True
