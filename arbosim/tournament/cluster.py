"""The workers of a dask cluster: reaching them, asking whether they play the same, and joblib's way to them.

A worker plays what this process would play only with the same arbosim and the same strategies. So all are asked
before the first game, and every task asks again: a worker may join later.
"""

from __future__ import annotations

import logging
import pickle
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from arbosim.core import registry
from arbosim.core.errors import FAILURES, UserError, told
from arbosim.core.hook import Hook
from arbosim.core.measures import Measures
from arbosim.core.numbers import counted
from arbosim.core.strategy import Entrant, Parameter, Value

WAIT = 10.0
"""Seconds for a scheduler to answer, and for a first worker to be there."""
MOST_SHOWN = 10
PLAYING = ("core", "games", "match", "tournament")
"""The parts of arbosim that decide what is played."""
_MATTERS = ("arbosim", "joblib")
_NOTED = ("python", "numba", "numpy")

T = TypeVar("T")
_loading = threading.Lock()  # several threads of one worker would load one strategy file at once


@contextmanager
def connected(address: str, where: str = "") -> Iterator[Any]:
    """Yield the client of a scheduler that has workers.

    Raises
    ------
    UserError
        The package `distributed` is missing, no scheduler answers, or it has no workers.
    """
    try:
        import distributed
    except ImportError:
        raise UserError('needs the package distributed: pip install "arbosim[dask]"', where=where) from None
    with _silent("distributed.client"):  # what goes wrong is told here, in one line
        try:
            client = distributed.Client(address, timeout=WAIT, set_as_default=False)
        except (OSError, TimeoutError):
            raise UserError(
                f"no scheduler answers at {address} within {WAIT:.0f} seconds; `dask scheduler` starts one and "
                "tells its address",
                where=where,
            ) from None
        try:
            _wait_for_one(client, address, where)
            yield client
        finally:
            with suppress(TimeoutError, OSError):  # a scheduler that is gone cannot be told
                client.close(timeout=WAIT)


def _wait_for_one(client: Any, address: str, where: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except TimeoutError:
        raise UserError(
            f"the scheduler at {address} has no workers; `dask worker {address}` starts some, on any machine",
            where=where,
        ) from None


@contextmanager
def _silent(logger: str) -> Iterator[None]:
    log = logging.getLogger(logger)
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        log.setLevel(before)


def backend(client: Any) -> Any:
    """Return joblib's own backend for dask, over the workers of a client, with two things put right.

    What dask gives up (a task whose workers died again and again, or a scheduler that is gone) is an error of the
    task here; joblib 1.6 would wait for it for ever. And it would play in this process if there is one worker alone.
    """
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):  # type: ignore[misc]
        def effective_n_jobs(self, n_jobs: int) -> int:  # noqa: ARG002
            return max(2, cores(client))

        def submit(self, func: Any, callback: Callable[[Any], None]) -> Any:
            def tell(future: Any) -> None:
                if future.exception() is not None:
                    callback(_given_up(future.exception()))

            future = super().submit(func, callback)
            future.add_done_callback(tell)
            return future

        def retrieve_result_callback(self, out: Any) -> Any:
            if isinstance(out, CancelledError):
                raise _given_up(out)
            return super().retrieve_result_callback(out)

    return Backend(client=client, wait_for_workers_timeout=WAIT)


def _given_up(error: BaseException) -> UserError:
    why = "its scheduler is gone" if "scheduler-connection-lost" in str(error) else told(error).split(". ")[0]
    return UserError(
        f"the cluster gave up a chunk of games ({why}); a run folder keeps what is finished, and "
        "`arbosim run --resume` with its name goes on"
    )


def cores(client: Any) -> int:
    """Return how many tasks the workers play at once."""
    return sum(client.ncores().values())


def call(source: str, function: Callable[..., T], *given: Any) -> T:
    """Call a function on a worker whose arbosim is the one that asks."""
    import distributed

    try:
        if source_of_playing() != source:
            raise UserError("it has another version of arbosim")
        return function(*given)
    except UserError as error:
        raise UserError(f"worker {distributed.get_worker().address}: {error}") from None


def packed(entrant: Entrant) -> bytes:
    """Return what a worker unpacks; what lives in memory only travels whole."""
    import cloudpickle

    return bytes(cloudpickle.dumps(entrant))


def unpacked(line_up: Sequence[bytes]) -> list[Entrant]:
    """Return the strategies of a line-up on a worker."""
    with _loading:
        return [pickle.loads(each) for each in line_up]


@cache
def source_of_playing() -> str:
    """Return the hash of the source of all that decides what is played; a version does not tell of edits."""
    digest = blake2b(digest_size=16)
    root = Path(__file__).parents[1]
    for path in sorted(path for part in PLAYING for path in (root / part).rglob("*.py")):
        digest.update(str(path.relative_to(root).as_posix()).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@dataclass(frozen=True)
class Questions:
    """What a worker is asked before any game.

    Parameters
    ----------
    found : tuple
        Spec, location, values, declared parameters and hash of the source of each strategy that has a location.
    carried : tuple
        Spec and pickle of those that live in memory only.
    metric : tuple, optional
        Location and hash of the source of the compiled metric, or None and its pickle.
    """

    game: str
    found: tuple[tuple[str, str, tuple[Value, ...], tuple[Parameter, ...], str], ...]
    carried: tuple[tuple[str, bytes], ...]
    metric: tuple[str, str] | bytes | None
    metrics: bool
    course: bool

    @classmethod
    def about(cls, game: str, entrants: Sequence[Entrant], measures: Measures) -> Questions:
        """Return what to ask about some strategies and what is measured of them."""
        import cloudpickle

        hook = measures.hook
        if hook is not None:
            metric = (hook.location, hook.source_hash) if hook.location else cloudpickle.dumps(hook)
        return cls(
            game,
            tuple(
                (each.spec, each.location, each.values, each.strategy.parameters, each.strategy.source_hash)
                for each in entrants
                if each.location
            ),
            tuple((each.spec, packed(each)) for each in entrants if not each.location),
            None if hook is None else metric,
            measures.metrics,
            measures.course,
        )


@dataclass(frozen=True)
class Answer:
    """What a worker lacks or has otherwise, and what it would have to compile."""

    problems: tuple[str, ...]
    uncompiled: tuple[str, ...]


def answer(asked: Questions) -> Answer:
    """Answer on a worker."""
    problems: list[str] = []
    entrants: list[Entrant] = []
    for spec, location, values, parameters, source_hash in asked.found:
        with _noted(problems, f"strategy {spec!r}"):
            entrant = registry.restore(location, spec, values, asked.game)
            if entrant.strategy.source_hash != source_hash:
                raise UserError("another source: its file differs")
            if entrant.strategy.parameters != parameters:
                raise UserError("other parameters")
            entrants.append(entrant)
    for spec, carried in asked.carried:
        with _noted(problems, f"strategy {spec!r}, which lives in memory only"):
            entrants.append(pickle.loads(carried))
    hook: Hook | None = None
    if isinstance(asked.metric, bytes):
        with _noted(problems, "the metric, which lives in memory only"):
            hook = pickle.loads(asked.metric)
    elif asked.metric is not None:
        location, source_hash = asked.metric
        with _noted(problems, f"metric {location!r}"):
            hook = registry.hook(location, asked.game)
            if hook.source_hash != source_hash:
                raise UserError("another source: its file differs")
    if problems:
        return Answer(tuple(problems), ())
    measures = Measures(asked.metrics, asked.course, hook)
    return Answer((), tuple(registry.game(asked.game).uncompiled(entrants, measures)))


@contextmanager
def _noted(problems: list[str], what: str) -> Iterator[None]:
    try:
        yield
    except FAILURES as error:
        problems.append(f"{what}: {error if isinstance(error, UserError) else told(error)}")


def check(address: str, game: str, entrants: Sequence[Entrant], measures: Measures, where: str = "") -> str:
    """Ask all workers; return what the user should know before the games begin, nothing if there is nothing.

    Parameters
    ----------
    entrants, measures
        The strategies of a run, and what is measured of their games.
    where : str
        The flag or key that holds the address, for messages.

    Raises
    ------
    UserError
        Some workers lack a strategy, or have another version of it or of arbosim; all of them are named.
    """
    with connected(address, where) as client:
        asked = Questions.about(game, entrants, measures)
        workers = {
            each: f"worker {_name(each, known['name'])}"
            for each, known in client.scheduler_info(n_workers=-1)["workers"].items()
        }
        versions = client.get_versions(packages=[*_MATTERS, *_NOTED])
        here = versions["client"]["packages"]
        there = {each: known["packages"] for each, known in versions["workers"].items() if each in workers}
        problems = [
            f"{workers[each]}: {_other(package, packages.get(package), here[package])}"
            for each, packages in there.items()
            for package in _MATTERS
            if (packages.get(package) is None)
            or (package == "arbosim" and packages[package] != here[package])
        ]
        _refuse(problems, len(workers), where)
        problems = [
            f"{workers[each]}: another source of arbosim {here['arbosim']}: its files differ, or did when it began"
            for each, source in _ask(client, source_of_playing).items()
            if source != source_of_playing()
        ]
        problems += _other_python(asked, workers, there, here)
        _refuse(problems, len(workers), where)
        answers = _ask(client, answer, asked)
        problems = []
        for each, given in answers.items():
            found = given.problems if isinstance(given, Answer) else (f"it cannot be asked ({told(given)})",)
            problems += [f"{workers.get(each, each)}: {problem}" for problem in found]
        _refuse(problems, len(workers), where)
    notes = [
        f"{workers[each]} has {_other(package, packages.get(package), here[package])}; "
        "strategies that depend on it may play otherwise there"
        for each, packages in there.items()
        for package in _NOTED
        if packages.get(package) != here[package]
    ]
    waiting = [each.uncompiled for each in answers.values() if isinstance(each, Answer) and each.uncompiled]
    if waiting:
        names = list(dict.fromkeys(name for names in waiting for name in names))
        notes.append(
            f"{counted(len(waiting), 'worker')} of {len(workers)} will compile {', '.join(names)} first, "
            "which takes up to a minute each; later runs start at once."
        )
    return "\n".join(_first(notes))


def _ask(client: Any, function: Callable[..., T], *given: Any) -> Mapping[str, T | Exception]:
    found: Mapping[str, T | Exception] = client.run(function, *given, on_error="return")
    return found


def _name(address: str, name: object) -> str:
    return address if str(name) == address else f"{name} ({address})"


def _other(package: str, found: str | None, here: str | None) -> str:
    what = "Python" if package == "python" else package
    return f"no {what}" if found is None else f"{what} {found}, not {here} as here"


def _other_python(
    asked: Questions,
    workers: Mapping[str, str],
    there: Mapping[str, Mapping[str, str | None]],
    here: Mapping[str, str | None],
) -> list[str]:
    """Return which workers cannot read what lives in memory only: it travels as the code of one Python."""
    carried = [f"strategy {spec!r}" for spec, _ in asked.carried]
    carried += ["the metric"] if isinstance(asked.metric, bytes) else []
    if not carried:
        return []
    return [
        f"{workers[each]}: {_other('python', packages['python'], here['python'])}, which {carried[0]} needs, "
        "because it lives in memory only"
        for each, packages in there.items()
        if _minor(packages["python"]) != _minor(here["python"])
    ]


def _minor(version: str | None) -> list[str]:
    return (version or "").split(".")[:2]


def _refuse(problems: Sequence[str], workers: int, where: str) -> None:
    if problems:
        raise UserError(
            "\n".join(
                [
                    f"not all of the {counted(workers, 'worker')} would play the same; nothing has been played",
                    *_first(problems),
                ]
            ),
            where=where,
        )


def _first(lines: Sequence[str]) -> list[str]:
    """Return some lines, and how many more there are."""
    left = len(lines) - MOST_SHOWN
    return [*lines[:MOST_SHOWN], *([f"and {left:,} more"] if left > 0 else [])]
