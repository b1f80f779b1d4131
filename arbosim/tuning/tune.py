"""Tuning from Python: everything is checked before anything is played, and it goes on where it was left."""

from __future__ import annotations

import shlex
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from arbosim.core import files
from arbosim.core.errors import UserError
from arbosim.core.measures import RESULTS_ALONE
from arbosim.core.numbers import counted
from arbosim.core.strategy import Entrant
from arbosim.prepared import compile_notice
from arbosim.storage.lock import Lock
from arbosim.tournament.manifest import now
from arbosim.tuning import record
from arbosim.tuning.asked import BUDGET, FIELD, Asked, Who, check, set_file, settings_of
from arbosim.tuning.confirm import Confirmation, confirm
from arbosim.tuning.record import Generation, Journal, Look
from arbosim.tuning.result import Tuned, taken
from arbosim.tuning.tuner import search


class Tuning:
    """A checked tuning that has not ended; nothing has been written so far if it is new.

    Attributes
    ----------
    generations, looks : Journal
        What has been played.
    seen : Confirmation or None
        What the confirmation knows so far.
    """

    def __init__(self, asked: Asked, folder: Path | None, lock: Lock | None = None) -> None:
        self.asked = asked
        self.folder = folder
        self.generations: Journal[Generation] = Journal(Generation)
        self.looks: Journal[Look] = Journal(Look)
        self.seen: Confirmation | None = None
        self._place: Path | None = None
        self._lock = lock
        if lock is not None:
            self._open()

    def execute(self, jobs: int = -1, progress: Callable[[int], None] | None = None) -> Tuned:
        """Play what is missing.

        Parameters
        ----------
        progress : callable
            Is told after each chunk how many games were finished.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C; finished generations and looks lie in the folder, if there is one.
        """
        self.compile(lambda _name: None)
        self._begin()
        state = self.asked.record
        try:
            values = search(self.asked, self.generations, jobs, progress)
            found = self.asked.entrant(values)
            seen = confirm(self.asked, found, self.looks, jobs, progress, self._see)
            state.result = {"found": found.settings, "confirmation": asdict(seen)}
            state.status = "finished"
        finally:
            if state.status != "finished":
                state.status = "interrupted"
            state.finished = now()
            self._save()
            if self._lock is not None:
                self._lock.release()
        return Tuned(
            self.asked.start.settings,
            found.settings,
            seen,
            tuple(self.generations.lines),
            self.asked,
            self.folder,
        )

    @property
    def again(self) -> str:
        """Return the command that goes on with it."""
        return f"arbosim tune --resume {shlex.quote(str(self.folder))}"

    @property
    def games_left(self) -> int:
        """Return how many games are to be played at most, confirmation apart."""
        state = self.asked.record
        left = state.generations - len(self.generations.lines)
        return self.asked.arena.games(state.population, left * state.deals)

    def progress(self) -> str:
        """Return in a few words how far it is."""
        state, done = self.asked.record, len(self.generations.lines)
        if self.seen is not None:
            return f"confirming, {counted(self.seen.deals, 'deal')}, LLR {self.seen.llr:+.2f}"
        return f"generation {min(done + 1, state.generations)} of {state.generations}"

    def notice(self) -> str:
        """Return what to tell before anything is compiled, because it takes a while; nothing if nothing is."""
        return compile_notice(self.asked.arena.game.uncompiled(self._playing(), RESULTS_ALONE))

    def compile(self, tell: Callable[[str], None]) -> None:
        """Compile what will play; `tell` is told each name before."""
        self.asked.arena.game.compile_all(self._playing(), tell, RESULTS_ALONE)

    def _playing(self) -> list[Entrant]:
        return [self.asked.start, *self.asked.arena.field]

    def _see(self, seen: Confirmation) -> None:
        self.seen = seen

    def _begin(self) -> None:
        state = self.asked.record
        if self.folder is not None and self._lock is None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                self._lock = Lock(self.folder)
                check_free(self.folder)  # another process may have been faster
                state.started = now()
                self._open()
                self._save()
            except OSError as error:
                raise UserError(
                    f"the folder {str(self.folder)!r} cannot be written: {error.strerror}"
                ) from error

    def _open(self) -> None:
        if self.folder is not None:
            self._place = self.folder.absolute()  # a strategy may go elsewhere while it plays
            self.generations.open(self._place / record.GENERATIONS)
            self.looks.open(self._place / record.LOOKS)

    def _save(self) -> None:
        if self._place is not None:
            self.asked.record.save(self._place)


def begin(strategy: Who, given: Mapping[str, Any], *, force: bool = False, flags: bool = False) -> Tuning:
    """Check everything about a new tuning.

    Parameters
    ----------
    given : mapping
        Settings by name, as `tune` takes them.
    force : bool
        Whether a parameter set of the same name may be there.
    """
    asked = check(strategy, given, flags)
    _check_set(asked, force, flags)
    output = files.given(given.get("output"), "--output" if flags else "output")
    folder = None if output is None else Path(output)
    if folder is not None:
        check_free(folder, "--resume" if flags else "resume")
    return Tuning(asked, folder)


def go_on(
    folder: Path,
    given: Mapping[str, Any],
    strategy: Who | None = None,
    *,
    force: bool = False,
    flags: bool = False,
) -> Tuning:
    """Check everything about resuming a tuning; what is given must agree with what was asked."""
    record.load(folder)  # which is no answer yet: until the lock is ours, it may change
    lock = Lock(folder)
    try:
        old = record.load(folder)
        if strategy is None:
            if not old.strategy.location:
                raise UserError(
                    f"{old.strategy.spec!r} cannot be found by name; resume it from Python, where it is an object"
                )
            strategy = old.strategy.spec
        settings = settings_of(old) | {name: value for name, value in given.items() if value is not None}
        settings.pop("output", None)
        asked = check(strategy, settings, flags)
        reasons = old.differences(asked.record)
        if reasons:
            raise UserError(f"cannot go on with {str(folder)!r}, which has " + "; ".join(reasons))
        if old.status != "finished":
            _check_set(asked, force, flags)
        kept = old.model_copy(update={"name": asked.record.name, "status": "running", "finished": None})
        return Tuning(replace(asked, record=kept), folder, lock)
    except BaseException:
        lock.release()
        raise


def _check_set(asked: Asked, force: bool, flags: bool) -> None:
    """Refuse a name that a parameter set has already, before anything is played."""
    name = asked.record.name
    if name is None:
        return
    path = set_file(asked, name)
    files.check_name(path, "--name" if flags else "name")
    if not force and path.exists():
        raise taken(path, "--force" if flags else "force")


def check_free(folder: Path, resume: str = "resume") -> None:
    """Refuse a folder that holds something already."""
    files.check_new(folder, "tuning", record.FILE, resume)


def tune(
    strategy: Who,
    *,
    against: Sequence[Who] | str = FIELD,
    players: int = 2,
    rules: str | Mapping[str, object] | Any = None,
    budget: int = BUDGET,
    parameters: Sequence[str] | str | None = None,
    population: int | None = None,
    deals: int | None = None,
    confirm: int | None = None,
    elo1: float | None = None,
    seed: int | str = 1,
    jobs: int = -1,
    game: str | None = None,
    deals_from: int = 0,
    name: str | None = None,
    keep: bool = False,
    force: bool = False,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Tuned:
    """Look for better values of a strategy's parameters, and confirm on new deals that they are better.

    It warns of games that a strategy forfeited by a mistake.

    CMA-ES with an adapted learning rate (Nomura, Akimoto and Ono, 2023) looks for the values that win most against
    a field; the mean of its last distribution is what was found. It is then played against the start on deals that
    nothing was tuned on, until a sequential test decides. The outcome does not depend on the number of jobs.

    Parameters
    ----------
    strategy : str, Strategy, type or Entrant
        Where to start; a spec may set some values.
    against : sequence, or text with commas
        The field; "field" stands for all strategies that come with the game, other than this one.
    rules : str, mapping or rules model
        A preset, or fields (one of them may be ``preset``), or a rule set of the game.
    budget : int
        Games to tune with, at most; those of the confirmation are not among them.
    parameters : sequence, or text with commas
        What is tuned; if missing, the parameters that the strategy marks by ``tune=True``.
    population, deals : int
        Candidates in a generation, and deals for each; if missing, they follow from the parameters and the budget.
    confirm : int
        Deals of the confirmation at most; as many as the budget pays for if missing.
    elo1 : float
        H1 of the confirmation against H0 = 0, in normalised Elo; 5 if missing.
    name : str
        Write a parameter set of this name if tuning helped, which ``-s STRATEGY@name`` uses.
    keep, force : bool
        Write it also if tuning did not help, and also over another set of that name.
    output : path, optional
        The tuning folder to write.
    resume : bool
        Go on with the tuning that lies in the output folder, if there is one; it must be this tuning.
    progress : callable
        Is told after each chunk how many games were finished.

    Raises
    ------
    UserError
        Something in the arguments is wrong, or cmaes is not installed; nothing has been played or written.
    KeyboardInterrupt
        After Ctrl-C; finished generations lie in the output folder, if there is one.
    """
    given = {
        "against": against,
        "players": players,
        "rules": rules,
        "budget": budget,
        "parameters": parameters,
        "population": population,
        "deals": deals,
        "confirm": confirm,
        "elo1": elo1,
        "seed": seed,
        "jobs": jobs,
        "game": game,
        "deals_from": deals_from,
        "name": name,
        "output": files.given(output, "output"),
    }
    if resume and output is None:
        raise UserError("names a tuning folder, so it needs output", where="resume")
    if resume and output is not None and (Path(output) / record.FILE).exists():
        tuning = go_on(Path(output), given, strategy, force=force)
    else:
        tuning = begin(strategy, given, force=force)
    notice = tuning.notice()
    if notice:
        print(notice, file=sys.stderr)  # noqa: T201
    tuned = tuning.execute(tuning.asked.jobs, progress)
    if name is not None and (tuned.helped or keep):
        tuned.save(name, keep=keep, force=force)
    if tuned.errors:
        warnings.warn(tuned.mistakes(), stacklevel=2)
    return tuned
