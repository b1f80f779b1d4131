"""Many games: chunks of deals over threads, processes or the workers of a cluster, into a sink.

Results depend on the plan alone: a chunk is a range of deals of one line-up, and neither its size nor its
order nor who plays it changes a row.
"""

from __future__ import annotations

import heapq
import math
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from arbosim.core.aside import Aside
from arbosim.core.game import Chunk, Game, Rules
from arbosim.core.measures import METRICS, Measures
from arbosim.core.strategy import Entrant

CHUNK_SECONDS = (
    0.3  # short enough that an interrupt is answered, long enough that starting a task costs nothing
)
CLUSTER_SECONDS = 3.0  # because a task costs a cluster some hundredths of a second
CHUNKS = 10_000  # about so many in a long run, since each becomes a file; so they may take longer there
LONGEST = 10.0  # seconds
MOST_GAMES = 100_000  # in a chunk; some megabytes, held in memory and perhaps sent
SPARE = 64  # chunks that may wait to be written; while there are more, a cluster gets no new ones
FIRST_COMPILED, FIRST_PLAIN = 64, 4  # deals in a chunk, while nothing is known about a strategy's speed
FIRST_SLOW = 1  # the same where one may think for as long as it is told to
GROWTH = 8
PATIENCE = 1.0  # seconds; processes take one to three to start, so less work than that is played here
WORTHWHILE = 2.0

T = TypeVar("T")
Range = tuple[int, int]  # first deal, number of deals


class Sink(Protocol):
    """Where finished chunks go."""

    def write(self, match: int, chunk: Chunk) -> None:
        """Keep whole deals of one match.

        The thread that has played a chunk writes it, several at a time. So none plays on while its rows wait,
        and memory stays flat, however slow the sink is.
        """


@dataclass(frozen=True)
class Plan:
    """Everything that decides the results of a run.

    Parameters
    ----------
    keep_actions : bool
        Whether line-ups whose games do not repeat by seed have the actions in their chunks.
    """

    game: Game
    rules: Rules
    players: int
    line_ups: tuple[tuple[Entrant, ...], ...]
    seed: int
    deals_from: int
    deals: int
    checked_deals: int = 8
    strict: bool = False
    measures: Measures = METRICS
    stop_on_error: bool = False
    keep_actions: bool = False

    @cached_property
    def ids(self) -> list[tuple[str, ...]]:
        """Return the line-ups as specs."""
        return [tuple(entrant.spec for entrant in line_up) for line_up in self.line_ups]

    def measures_of(self, line_up: Sequence[Entrant]) -> Measures:
        """Return what is measured of the games of a line-up."""
        repeats = all(entrant.repeats for entrant in line_up)
        return replace(self.measures, actions=self.keep_actions and not repeats)

    def missing(self, done: Mapping[int, Sequence[Range]]) -> dict[int, list[Range]]:
        """Return per match the ranges of deals that are left to play."""
        return {
            match: gaps(self.deals_from, self.deals, done.get(match, ()))
            for match in range(len(self.line_ups))
        }


@dataclass
class Outcome:
    """What one call of `play` did."""

    games: int = 0
    errors: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    stopped: bool = False


def gaps(first: int, count: int, done: Sequence[Range]) -> list[Range]:
    """Return the ranges of ``count`` deals from ``first`` that are not done.

    >>> gaps(0, 10, [(2, 3), (5, 1)])
    [(0, 2), (6, 4)]
    """
    left, at, end = [], first, first + count
    for start, length in sorted(done):
        if start > at:
            left.append((at, min(start, end) - at))
        at = max(at, start + length)
        if at >= end:
            return left
    left.append((at, end - at))
    return left


def play(
    plan: Plan,
    sink: Sink,
    *,
    jobs: int = 1,
    done: Mapping[int, Sequence[Range]] | None = None,
    progress: Callable[[int], None] | None = None,
    stop: Callable[[], bool] | None = None,
    scheduler: str | None = None,
) -> Outcome:
    """Play what is missing of a plan, early deals first.

    Parameters
    ----------
    jobs : int
        1 plays in the calling thread, -1 uses all cores; compiled strategies play in threads, others in
        processes.
    done : mapping
        Per match the ranges of deals that are there already.
    progress : callable
        Is told how many games were finished.
    stop : callable
        Is asked at the beginning and after each chunk whether enough has been played. All line-ups then go through
        the deals side by side, compiled or not.
    scheduler : str, optional
        The address of a dask scheduler, whose workers then play everything; ``jobs`` counts nothing there.

    Returns
    -------
    Outcome
        After Ctrl-C, a stop, or an error where the plan stops on errors, what was finished until then.
    """
    outcome = Outcome()
    if stop is not None and stop():
        return outcome
    with _Interrupt() as interrupt, _current_folder_kept():
        left = plan.missing(done or {})
        player = _Player(plan, sink, left, jobs, interrupt, stop is not None, scheduler)
        started = time.perf_counter()
        for finished in player.finished():
            games = finished.deals * plan.players
            outcome.games += games
            outcome.errors += finished.errors
            if finished.errors and plan.stop_on_error:
                outcome.stopped = True
                interrupt.stop[0] = 1
            if stop is not None and stop():
                interrupt.stop[0] = 1
            if progress is not None:
                progress(games)
        outcome.seconds = time.perf_counter() - started
        outcome.interrupted = interrupt.happened
    return outcome


@contextmanager
def _current_folder_kept() -> Iterator[None]:
    """Come back to the current folder at the end: a strategy may go elsewhere while it plays."""
    here = Path.cwd()
    try:
        yield
    finally:
        os.chdir(here)


@dataclass(frozen=True)
class _Task:
    match: int
    first: int
    deals: int


@dataclass(frozen=True)
class _Finished:
    """A chunk that has been played and written."""

    match: int
    deals: int
    errors: int
    seconds: float


_Result = tuple[_Task, Chunk, float]


class _Interrupt:
    """Ctrl-C as a flag that the engine reads after each game; as an exception, once, where that is too late.

    Signals reach the main thread only; elsewhere this does nothing.
    """

    def __init__(self) -> None:
        self.stop = np.zeros(1, np.int64)
        self.happened = False
        self.raises = False
        self._before: Any = None

    def __enter__(self) -> _Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def cuts(self, wait: Callable[[], T]) -> T | None:
        """Return what is waited for; None after Ctrl-C, which does not wait."""
        try:
            self.raises = True
            return None if self.happened else wait()
        except KeyboardInterrupt:
            if not self.happened:
                raise
            return None
        finally:
            self.raises = False

    def _handle(self, *_: object) -> None:
        first, self.happened = not self.happened, True
        self.stop[0] = 1
        if first and self.raises:
            raise KeyboardInterrupt


class _Chunks:
    """The tasks that are left, early deals first, each as long as it should take at the speed measured so far."""

    def __init__(
        self,
        matches: Sequence[int],
        plan: Plan,
        missing: Mapping[int, list[Range]],
        start: int,
        stop: np.ndarray,
        seconds: float = CHUNK_SECONDS,
    ) -> None:
        self._ids = plan.ids
        self._players = plan.players
        self._ranges = [(first, match, left) for match in matches for first, left in missing[match]]
        heapq.heapify(self._ranges)
        self._starts = {
            match: FIRST_SLOW if _is_told_how_long(plan.line_ups[match]) else start for match in matches
        }
        self._stop = stop
        self._chunk_seconds = seconds
        self._usual = sum(left for _, _, left in self._ranges) // CHUNKS  # deals
        self._most = max(1, MOST_GAMES // plan.players)
        self._of_match: dict[int, float] = {}  # seconds a deal
        self._of_strategy: dict[str, float] = {}
        self._largest: dict[int, int] = {}

    def __iter__(self) -> _Chunks:
        return self

    def __next__(self) -> _Task:
        if self.is_over():
            raise StopIteration
        first, match, left = heapq.heappop(self._ranges)
        deals = min(left, self._size(match))
        if deals < left:
            heapq.heappush(self._ranges, (first + deals, match, left - deals))
        return _Task(match, first, deals)

    def is_over(self) -> bool:
        """Tell whether no task is left, or none is wanted any more."""
        return not self._ranges or bool(self._stop[0])

    def learn(self, match: int, deals: int, seconds: float) -> None:
        """Take note of how long a chunk took."""
        if deals:
            self._of_match[match] = seconds / deals
            self._largest[match] = max(deals, self._largest.get(match, 0))
            for spec in self._ids[match]:
                self._of_strategy[spec] = seconds / deals

    def seconds_left(self) -> float:
        """Estimate how long the rest takes one core; infinite while nothing is known."""
        unknown = max(self._of_match.values(), default=math.inf)
        return sum(left * (self._seconds(match) or unknown) for _, match, left in self._ranges)

    def _size(self, match: int) -> int:
        seconds = self._seconds(match)
        if seconds is None:
            return self._starts[match]
        size = max(int(self._chunk_seconds / seconds), min(self._usual, int(LONGEST / seconds)))
        size = min(max(size, 1), self._most)
        # a first measure may be of a few short games: so not too much at once
        if match in self._largest:
            size = min(size, GROWTH * max(self._starts[match], self._largest[match]))
        return size

    def _seconds(self, match: int) -> float | None:
        if match in self._of_match:
            return self._of_match[match]
        known = [self._of_strategy.get(spec) for spec in self._ids[match]]
        return None if None in known else max(seconds for seconds in known if seconds is not None)


def _is_told_how_long(line_up: Sequence[Entrant]) -> bool:
    """Tell whether one of the strategies may think for long: by its budget or its clock, or as a program."""
    if _has_program(line_up):
        return True
    parameters = (parameter for entrant in line_up for parameter in entrant.strategy.parameters)
    return any(parameter.budget or parameter.clock for parameter in parameters)


def _has_program(line_up: Sequence[Entrant]) -> bool:
    return any(entrant.strategy.kind == "program" for entrant in line_up)


@dataclass
class _Player:
    plan: Plan
    sink: Sink
    missing: Mapping[int, list[Range]]
    jobs: int
    interrupt: _Interrupt
    side_by_side: bool
    scheduler: str | None
    _chunks: _Chunks = field(init=False)
    _unkept: int = 0  # chunks that a cluster was given and that are not written yet

    def finished(self) -> Iterator[_Finished]:
        """Yield what has been played and written, in any order."""
        if self.scheduler is not None:
            yield from self._on_workers(self.scheduler)
            return
        for plain, play in ((False, self._in_threads), (True, self._in_processes)):
            matches, first = self._matches(plain), FIRST_PLAIN if plain else FIRST_COMPILED
            self._chunks = _Chunks(matches, self.plan, self.missing, first, self.interrupt.stop)
            for finished in self._here() if self.jobs == 1 else play():
                self._chunks.learn(finished.match, finished.deals, finished.seconds)
                yield finished

    def _matches(self, plain: bool) -> list[int]:
        """Return the line-ups whose strategies are asked through Python, which holds the GIL, or the others."""
        holds = [any(entrant.strategy.kind != "compiled" for entrant in each) for each in self.plan.line_ups]
        if self.side_by_side:
            holds = [any(holds)] * len(holds)
        return [match for match, held in enumerate(holds) if held == plain]

    def _has_programs(self) -> bool:
        return any(_has_program(line_up) for line_up in self.plan.line_ups)

    def _here(self) -> Iterator[_Finished]:
        for task in self._chunks:
            yield self._play_and_keep(task)

    def _play_and_keep(self, task: _Task) -> _Finished:
        return self._keep(_play(self.plan, self.plan.line_ups[task.match], task, self.interrupt.stop))

    def _keep(self, result: _Result) -> _Finished:
        task, chunk, seconds = result
        self.sink.write(task.match, chunk)
        return _Finished(task.match, chunk.deals_done, len(chunk.forfeits), seconds)

    def _in_threads(self) -> Iterator[_Finished]:
        if not self._chunks.is_over():
            yield from self._parallel((self._play_and_keep, task) for task in self._chunks)

    def _in_processes(self) -> Iterator[_Finished]:
        started = time.perf_counter()
        # a program may think for minutes in its first game, and others side by side with it
        for finished in () if self._has_programs() else self._here():
            yield finished
            if time.perf_counter() - started > PATIENCE and self._chunks.seconds_left() > WORTHWHILE:
                break
        if self._chunks.is_over():
            return
        from joblib.externals.loky import get_reusable_executor

        alone, line_ups = self._apart(_packed)
        tasks = ((_play_elsewhere, alone, line_ups[task.match], task) for task in self._chunks)
        # a process that outlives this one would go on playing for nobody
        results = self._parallel(tasks, backend="loky", initializer=_follow, initargs=(os.getpid(),))
        try:
            yield from self._kept(results)
        finally:
            if self._has_programs():
                # processes are kept for the next run, but not those that have programs to themselves
                get_reusable_executor(reuse=True).shutdown(wait=False)

    def _on_workers(self, scheduler: str) -> Iterator[_Finished]:
        from arbosim.tournament import cluster

        matches = range(len(self.plan.line_ups))
        self._chunks = _Chunks(
            matches, self.plan, self.missing, FIRST_PLAIN, self.interrupt.stop, CLUSTER_SECONDS
        )
        with cluster.connected(scheduler) as client:
            alone, line_ups = self._apart(cluster.packed)
            called = cluster.call, cluster.source_of_playing(), _play_on_worker, alone
            # as long as chunks are written as fast as they come, this is one round
            while not self._chunks.is_over():
                tasks = self._tasks(2 * cluster.cores(client) + SPARE)
                calls = ((*called, line_ups[task.match], task) for task in tasks)
                for finished in self._kept(self._parallel(calls, backend=cluster.backend(client))):
                    self._unkept -= 1
                    self._chunks.learn(finished.match, finished.deals, finished.seconds)
                    yield finished
                    if self.interrupt.stop[0]:  # which does not reach a worker
                        return

    def _tasks(self, most: int) -> Iterator[_Task]:
        """Yield tasks for a cluster, until so many are not written."""
        while self._unkept < most and (task := next(self._chunks, None)) is not None:
            self._unkept += 1
            yield task

    def _apart(self, pack: Callable[[Entrant], T]) -> tuple[Plan, list[list[T]]]:
        """Return the plan without its line-ups, which would be copied with every task, and these."""
        line_ups = [[pack(entrant) for entrant in line_up] for line_up in self.plan.line_ups]
        return replace(self.plan, line_ups=()), line_ups

    def _kept(self, results: Generator[_Result, None, None]) -> Iterator[_Finished]:
        """Keep what others have played; Ctrl-C, and who wants no more, give up the rest."""
        try:
            while (result := self.interrupt.cuts(partial(next, results, None))) is not None:
                yield self._keep(result)
        finally:
            with warnings.catch_warnings(action="ignore"):  # joblib complains about what is given up here
                results.close()

    def _parallel(
        self, calls: Iterator[tuple[Any, ...]], backend: str = "threading", **settings: Any
    ) -> Generator[Any, None, None]:
        import joblib

        parallel = joblib.Parallel(
            n_jobs=self.jobs,
            backend=backend,
            return_as="generator_unordered",
            batch_size=1,
            pre_dispatch="2*n_jobs",
            **settings,
        )
        with _unsignalled():
            results = parallel(joblib.delayed(function)(*given) for function, *given in calls)
        yield from results


def _follow(parent: int) -> None:
    """Leave Ctrl-C and standard output to the parent process, and die with it; runs first in every process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = Aside()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _unsignalled() -> Iterator[None]:
    """Block Ctrl-C; processes started meanwhile never see it, and here it arrives afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it unblocks Ctrl-C when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _packed(entrant: Entrant) -> Entrant | bytes:
    """Return what another process unpacks, where a strategy that cannot be had is an error like any other."""
    return pickle.dumps(entrant) if entrant.location else entrant


def _play_elsewhere(plan: Plan, line_up: Sequence[Entrant | bytes], task: _Task) -> _Result:
    found = [pickle.loads(packed) if isinstance(packed, bytes) else packed for packed in line_up]
    return _play(plan, found, task, None)


def _play_on_worker(plan: Plan, line_up: Sequence[bytes], task: _Task) -> _Result:
    from arbosim.tournament import cluster

    found = cluster.unpacked(line_up)
    plan.game.compile_all(found, lambda _name: None, plan.measures_of(found))  # which is no time of games
    return _play(plan, found, task, None)


def _play(plan: Plan, line_up: Sequence[Entrant], task: _Task, stop: np.ndarray | None) -> _Result:
    started = time.perf_counter()
    chunk = plan.game.play_chunk(
        plan.rules,
        plan.players,
        line_up,
        plan.seed,
        task.first,
        task.deals,
        checked_deals=plan.deals_from + plan.checked_deals,
        strict=plan.strict,
        measures=plan.measures_of(line_up),
        stop=stop,
    )
    return task, chunk, time.perf_counter() - started
