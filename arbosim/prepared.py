"""A checked run: compiling it, playing what is missing, and keeping it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal, Protocol

import numpy as np

from arbosim import guests
from arbosim.analysis.standings import Totals
from arbosim.bots.program import close_all
from arbosim.core import digest, files
from arbosim.core.errors import UserError
from arbosim.core.game import ENGINE, Chunk
from arbosim.core.measures import Measures
from arbosim.core.strategy import Entrant
from arbosim.rows import Memory, Rows
from arbosim.runs import check_digest, parts_of, sums
from arbosim.storage.lock import Lock
from arbosim.storage.parts import Parts
from arbosim.tournament import config, manifest
from arbosim.tournament.manifest import Manifest
from arbosim.tournament.run import Outcome, Plan, Range, gaps, play

Watch = Callable[[int, Chunk], None]


class Judge(Protocol):
    """Who reads rows while a run is played, and ends it."""

    def see(self, match: int, rows: np.ndarray) -> None:
        """Take note of rows of consecutive whole deals of one match; they come in any order."""

    def is_over(self) -> bool:
        """Tell whether enough has been seen."""

    def settle(self, state: Manifest) -> None:
        """Write into run.json what was found, and the number of deals that the run has now: those that were needed."""


@dataclass
class Prepared:
    """A checked run that has not begun or not ended; nothing has been written so far."""

    plan: Plan
    manifest: Manifest
    settings: config.Settings
    folder: Path | None = None
    old: Manifest | None = None  # of a run that is there already
    lock: Lock | None = None  # of the same; a new one is locked when it begins
    judge: Judge | None = None  # may end it before all deals are played
    remarks: str = ""  # about workers elsewhere, to be told before it begins
    has_begun: bool = False
    _here: Path = field(default_factory=Path.cwd)  # a strategy may go elsewhere while it plays

    def execute(
        self,
        jobs: int = -1,
        progress: Callable[[int], None] | None = None,
        watch: Watch | None = None,
    ) -> Played:
        """Play what is missing, and keep it.

        Parameters
        ----------
        progress : callable
            Is told after each chunk how many games were finished.
        watch : callable
            Is given each chunk, with its match.
        """
        self.compile(lambda _name: None)  # before anything is written: a strategy may not compile
        if self.folder is None:
            return self._play(Memory(), {}, jobs, progress, watch)
        line_ups = tuple(guests.logged(line_up, self._place) for line_up in self.plan.line_ups)
        self.plan = replace(self.plan, line_ups=line_ups)
        parts = self._parts()
        is_made = not self._place.exists()
        lock = self.lock or self._create(parts)
        try:
            if not self.is_new:
                parts.mend()
            return self._play(parts, parts.done(), jobs, progress, watch)
        except UserError:
            if self.is_new and parts.remove_if_empty():  # as after wrong input, which a failing metric is
                (self._place / manifest.FILE).unlink()
                if is_made:
                    with suppress(OSError):  # bots may have left their logs
                        self._place.rmdir()
            raise
        finally:
            lock.release()

    @property
    def is_new(self) -> bool:
        """Return whether there is no run yet."""
        return self.old is None

    @property
    def _place(self) -> Path:
        return self._here / (self.folder or "")

    def _parts(self) -> Parts:
        return parts_of(self._place, self.manifest, self.plan.game)

    def _create(self, parts: Parts) -> Lock:
        """Make the folder of a new run, and keep others out of it."""
        try:
            self._place.mkdir(parents=True, exist_ok=True)
            lock = Lock(self._place)
            check_free(self._place, self.settings)  # another process may have been faster
            parts.create()
            self._save()
        except OSError as error:
            raise UserError(f"the folder {str(self.folder)!r} cannot be written: {error.strerror}") from error
        return lock

    @property
    def games_left(self) -> int:
        """Return how many games are to be played."""
        missing = self._missing().values()
        return sum(deals for ranges in missing for _, deals in ranges) * self.plan.players

    def uncompiled(self) -> list[str]:
        """Return the parts that have to be compiled before the first game."""
        found = [
            self.plan.game.uncompiled(entrants, measures) for measures, entrants in self._playing().items()
        ]
        return list(dict.fromkeys(name for names in found for name in names))

    def notice(self) -> str:
        """Return what to tell before they are compiled, because it takes a while; nothing if there is nothing."""
        return "\n".join(text for text in (self.remarks, compile_notice(self.uncompiled())) if text)

    def compile(self, tell: Callable[[str], None]) -> None:
        """Compile them; `tell` is told each name before."""
        for measures, entrants in self._playing().items():
            self.plan.game.compile_all(entrants, tell, measures)

    def _missing(self) -> dict[int, list[Range]]:
        done = {}
        if self.folder is not None and not self.is_new:
            done = self._parts().done()
        return self.plan.missing(done)

    def _playing(self) -> dict[Measures, list[Entrant]]:
        """Return the strategies of line-ups that lack games, by what is measured of these."""
        found: dict[Measures, dict[str, Entrant]] = {}
        for match, ranges in self._missing().items():
            if ranges:
                line_up = self.plan.line_ups[match]
                some = found.setdefault(self.plan.measures_of(line_up), {})
                some.update({entrant.spec: entrant for entrant in line_up})
        return {measures: list(entrants.values()) for measures, entrants in found.items()}

    def _play(
        self,
        rows: Rows,
        done: Mapping[int, Sequence[Range]],
        jobs: int,
        progress: Callable[[int], None] | None,
        watch: Watch | None,
    ) -> Played:
        state = self.manifest
        totals = sums(state, rows)  # of what is there already
        if self.old is not None:
            check_digest(self.old, totals, self._place)
            self._check_decided(self.old, done)
        self.has_begun = True
        state.status, state.finished = "running", None
        self._save()
        keeper = _Keeper(self.plan, rows, totals, [each for each in (watch, self._judged(rows)) if each])
        stop = None if self.judge is None else self.judge.is_over
        outcome = None
        try:
            outcome = play(
                self.plan,
                keeper,
                jobs=jobs,
                done=done,
                progress=progress,
                stop=stop,
                scheduler=self.settings.scheduler,
            )
            state.seconds += outcome.seconds
            if self.judge is not None and self.judge.is_over():
                self.judge.settle(state)
                rows.cut(state.deals_from + state.deals)
                self.plan = replace(self.plan, deals=state.deals)
                played, totals = totals.games, sums(state, rows)
                state.seconds *= totals.games / played  # what is forgotten is not counted as time either
        finally:
            state.games, state.errors = totals.games, totals.errors
            state.digest = digest.to_text(totals.digest)
            state.status = _status(state, outcome)
            state.finished = manifest.now()
            self._save()
            close_all()  # the bots that have played here
        if self.old is not None and self.old.status == "finished" and not self.old.keeps_actions:
            self._check_again(self.old, totals)
        return Played(self, rows, totals, outcome)

    def _check_decided(self, old: Manifest, done: Mapping[int, Sequence[Range]]) -> None:
        """Refuse to play others instead of lost games that do not repeat, where a comparison was decided by them."""
        asked = old.comparison
        if asked is None or asked.decision is None:
            return
        for match in range(asked.line_ups):
            if match in old.keeps_actions and gaps(old.deals_from, asked.deals, done.get(match, ())):
                raise UserError(
                    f"{str(self.folder)!r} has lost games by which its comparison was decided, and {old.caution}"
                )

    def _check_again(self, old: Manifest, totals: Totals) -> None:
        """Refuse rows of which some were lost, and which together with those played again are not what they were."""
        try:
            check_digest(old, totals, self._place)
        except UserError:
            old.save(self._place)
            raise

    def _judged(self, rows: Rows) -> Watch | None:
        """Return what shows rows to the judge, who has seen those that are there already."""
        judge = self.judge
        if judge is None:
            return None
        for match, some in rows.batches():
            judge.see(match, some)
        return lambda match, chunk: judge.see(match, chunk.rows)

    def entrants(self) -> dict[str, Entrant]:
        """Return the entrants by spec."""
        return {entrant.spec: entrant for line_up in self.plan.line_ups for entrant in line_up}

    def _save(self) -> None:
        if self.folder is None:
            return
        try:
            self.manifest.save(self._place)
        except OSError as error:
            kept = "; what it has is kept" if self.has_begun else ""
            what = f"the folder {str(self.folder)!r} cannot be written: {error.strerror}{kept}"
            raise UserError(what) from error


@dataclass
class Played:
    """A run after it was played, or as much of it as was."""

    prepared: Prepared
    rows: Rows
    totals: Totals
    outcome: Outcome


def _status(state: Manifest, outcome: Outcome | None) -> Literal["finished", "stopped", "interrupted"]:
    if state.games == state.games_wanted:
        return "finished"
    return "stopped" if outcome is not None and outcome.stopped else "interrupted"


class _Keeper:
    """The sink of a run: rows to where they are kept, and into the sums."""

    def __init__(self, plan: Plan, rows: Rows, totals: Totals, watching: Sequence[Watch]) -> None:
        self._plan = plan
        self._rows = rows
        self._totals = totals
        self._watching = watching
        self._lock = threading.Lock()

    def write(self, match: int, chunk: Chunk) -> None:
        """Keep one chunk."""
        lines = [
            {"game": f"{match}-{error.deal}-{error.rotation}", "match": match, **asdict(error)}
            for error in chunk.errors
        ]
        self._rows.write(match, chunk.rows, lines, chunk.actions)
        with self._lock:
            self._totals.add(self._plan.seed, self._plan.ids[match], chunk.rows)
            self._totals.add_errors(lines)
            for watch in self._watching:
                watch(match, chunk)


def compile_notice(names: Sequence[str]) -> str:
    """Return what to tell before these parts are compiled; nothing if there are none."""
    what = f"{', '.join(names[:3])} and {len(names) - 3} more" if len(names) > 4 else ", ".join(names)
    needed = "a minute or two" if ENGINE in names else "from seconds to a minute each"
    return f"Compiling {what}, which takes {needed}; later runs start at once." if names else ""


def check_free(folder: Path, settings: config.Settings) -> None:
    """Refuse a folder that holds something already."""
    again = f"{settings.place('resume')} or {settings.place('extend')}"
    files.check_name(folder, settings.place("output"))
    files.check_new(folder, "run", manifest.FILE, again, settings.output or "")
