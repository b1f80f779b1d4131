"""Playing a study: all its runs one after the other, kept as they are done, and gone on with where they were left."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from arbosim import launch
from arbosim.core import files
from arbosim.core.errors import UserError
from arbosim.core.strategy import Entrant
from arbosim.prepared import Prepared
from arbosim.results import Results
from arbosim.storage.lock import Lock
from arbosim.studies import folder as folders
from arbosim.studies import restart, retune
from arbosim.studies.folder import FILE, RUNS, TUNINGS, Retuned, StudyManifest
from arbosim.studies.pieces import Piece
from arbosim.studies.plan import StudyPlan
from arbosim.studies.variants import Variant
from arbosim.tournament import config, manifest

Progress = Callable[[int], None]


class Playing:
    """A checked study that has not begun or not ended; nothing has been written so far.

    Attributes
    ----------
    manifest : StudyManifest
    folder : Path or None
        Where it is kept; without one its rows stay in memory.
    has_begun : bool
        Whether it plays at this moment, and so sees to Ctrl-C itself.
    results : dict of str to Results
        Of a study in memory: its runs by name.
    """

    def __init__(
        self, plan: StudyPlan, state: StudyManifest, folder: Path | None, lock: Lock | None = None
    ) -> None:
        self.plan = plan
        self.manifest = state
        self.folder = folder
        self.has_begun = False
        self.results: dict[str, Results] = {}
        self._lock = lock  # of a study that is there; a new one is locked when it begins
        self._here = Path.cwd()  # a strategy may go elsewhere while it plays
        self._prepared = {piece.name: (piece, self._prepare(piece)) for piece in plan.pieces}

    @property
    def prepared(self) -> list[Prepared]:
        """Return the runs with the players as they are given, checked."""
        return [prepared for _, prepared in self._prepared.values()]

    @property
    def games_left(self) -> int:
        """Return how many games are to be played at most; tunings may need fewer than they may take."""
        left = sum(prepared.games_left for prepared in self.prepared)
        if self.plan.tunable:
            tuned = len(self.manifest.tunings) / (len(self.plan.cells) * len(self.plan.tunable))
            left += round(self.plan.games_of_tuning * (1 - tuned))
            left += sum(
                prepared.manifest.games_wanted
                for piece, prepared in self._prepared.values()
                if piece.kind == "pool"
            )
        return left

    def keep_in(self, folder: Path) -> None:
        """Keep a new study in a folder that is empty."""
        self.folder = folder
        for piece, prepared in self._prepared.values():
            prepared.folder = folder / RUNS / piece.name

    def execute(self, progress: Progress | None = None) -> bool:
        """Play what is missing, and tell whether the study is finished; after Ctrl-C it is not.

        Parameters
        ----------
        progress : callable
            Is told after each chunk how many games were finished.
        """
        for prepared in self.prepared:
            prepared.compile(lambda _name: None)  # before anything is written: a strategy may not compile
        interrupts = _Interrupts()
        with interrupts:  # until all is written
            self.has_begun = True
            lock, started = None, time.perf_counter()
            try:
                lock = self._begin()
                started = time.perf_counter()
                self._play_all(progress, interrupts)
            except KeyboardInterrupt:
                interrupts.happened = True
            finally:
                self.manifest.seconds += time.perf_counter() - started
                if lock is not None or self.folder is None:
                    self.conclude()
                if lock is not None:
                    lock.release()
        is_over = self.manifest.status == "finished"
        self.has_begun = not is_over  # after an interruption, another one changes nothing
        return is_over

    def conclude(self) -> None:
        """Write down what has been played, and whether that is all."""
        state = self.manifest
        state.add_up()
        is_over = all(record.status == "finished" for record in state.runs) and self._is_retuned
        state.status = "finished" if is_over else "interrupted"
        state.finished = manifest.now()
        self._save()

    def _play_all(self, progress: Progress | None, interrupts: _Interrupts) -> None:
        for piece, prepared in self._prepared.values():
            self._play(piece, prepared, progress, interrupts)
        for players, variant in self.plan.cells if self.plan.tunable else ():
            self._play_retuned(players, variant, progress, interrupts)

    @property
    def _is_retuned(self) -> bool:
        played = sum(record.pool == "retuned" for record in self.manifest.runs)
        return not self.plan.tunable or played == len(self.plan.cells)

    def _begin(self) -> Lock | None:
        """Make the folder of a new study, and keep others out of it."""
        self.manifest.status, self.manifest.finished = "running", None
        if self.folder is None:
            return None
        place = self._here / self.folder
        lock = self._lock
        try:
            if lock is None:
                place.mkdir(parents=True, exist_ok=True)
                lock = Lock(place)
                check_free(place, self.plan.settings.place)  # another process may have been faster
            self._save()
        except OSError as error:
            raise UserError(f"the folder {str(self.folder)!r} cannot be written: {error.strerror}") from error
        return lock

    def _save(self) -> None:
        if self.folder is not None:
            self.manifest.save(self._here / self.folder)

    def _prepare(self, piece: Piece) -> Prepared:
        """Check one run, new or begun before."""
        given = self.plan.settings_of(piece)
        if self.folder is None:
            return launch.begin(config.settings(given))
        output = self.folder / RUNS / piece.name
        if restart.has_run(output):
            prepared = launch.go_on(output, given)
            for record in self.manifest.runs:
                if record.name == piece.name and prepared.old is not None:
                    record.check(prepared.old, output)
            return prepared
        return launch.begin(config.settings({**given, "output": str(output)}))

    def _play(
        self, piece: Piece, prepared: Prepared, progress: Progress | None, interrupts: _Interrupts
    ) -> None:
        if interrupts.happened:
            raise KeyboardInterrupt
        record = self.manifest.note(piece)
        played = prepared.execute(self.plan.settings.jobs, progress)
        state = prepared.manifest
        record.status, record.games, record.errors, record.digest = (
            state.status,
            state.games,
            state.errors,
            state.digest,
        )
        if self.folder is None:
            self.results[piece.name] = Results.of(played)
        self._save()
        if played.outcome.interrupted:
            raise KeyboardInterrupt

    def _play_retuned(
        self, players: int, variant: Variant, progress: Progress | None, interrupts: _Interrupts
    ) -> None:
        found = [
            self._tuned(players, variant, entrant, progress, interrupts) for entrant in self.plan.tunable
        ]
        piece, notes = retune.piece(
            self.plan, players, variant, {each.strategy: each.values for each in found}
        )
        self.manifest.notes += [note for note in notes if note not in self.manifest.notes]
        self._play(piece, self._prepare(piece), progress, interrupts)

    def _tuned(
        self,
        players: int,
        variant: Variant,
        entrant: Entrant,
        progress: Progress | None,
        interrupts: _Interrupts,
    ) -> Retuned:
        """Return what the tuning of a strategy for a variant found, now or before."""
        for known in self.manifest.tunings:
            if (known.players, known.variant, known.strategy) == (players, variant.name, entrant.spec):
                return known
        number = self.plan.tunable.index(entrant)
        name = f"{players}p-{variant.folder}@{entrant.strategy.name}" + (f".{number + 1}" if number else "")
        output = None if self.folder is None else self._here / self.folder / TUNINGS / name
        if output is not None:
            restart.has_tuning(output)
        with interrupts.raised():
            tuned = retune.tune(self.plan, players, variant, entrant, output, progress)
        found = Retuned(
            players=players,
            variant=variant.name,
            strategy=entrant.spec,
            spec=tuned.spec,
            values=dict(tuned.values),
            helped=tuned.helped,
        )
        self.manifest.tunings.append(found)
        self._save()
        return found


def begin(plan: StudyPlan, folder: Path | None, command: str = "") -> Playing:
    """Check everything about a new study."""
    if folder is not None:
        check_free(folder, plan.settings.place)
    return Playing(plan, StudyManifest.of(plan, command), folder)


def go_on(plan: StudyPlan, folder: Path) -> Playing:
    """Check everything about resuming a study, which must be the same."""
    folders.load(folder)  # which is no answer yet: until the lock is ours, it may change
    lock = Lock(folder)
    try:
        old = folders.load(folder)
        new = StudyManifest.of(plan, old.command)
        reasons = folders.differences(old, new)
        if reasons:
            raise UserError(f"cannot go on with {str(folder)!r}, which has " + "; ".join(reasons))
        old.title, old.question, old.metrics = new.title, new.question, new.metrics
        return Playing(plan, old, folder, lock)
    except BaseException:
        lock.release()
        raise


def check_free(folder: Path, place: Callable[[str], str] = str) -> None:
    """Refuse a folder that holds something already."""
    files.check_new(folder, "study", FILE, place("resume"))


class _Interrupts:
    """Ctrl-C between two runs, which see to it themselves while they play.

    Signals reach the main thread only; elsewhere this does nothing.
    """

    def __init__(self) -> None:
        self.happened = False
        self._raises = False
        self._before: Any = None

    def __enter__(self) -> _Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def raised(self) -> Iterator[None]:
        """Make Ctrl-C a KeyboardInterrupt at once, also one that has happened already."""
        self._raises = True
        try:
            if self.happened:
                raise KeyboardInterrupt
            yield
        finally:
            self._raises = False

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        self.happened = True
        if self._raises:
            raise KeyboardInterrupt
