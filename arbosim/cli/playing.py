"""What commands that play many games share: compiling, a folder, Ctrl-C, and telling of mistakes."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from arbosim.core.errors import UserError
from arbosim.core.game import Game
from arbosim.core.numbers import counted
from arbosim.core.strategy import Entrant

if TYPE_CHECKING:
    from arbosim.prepared import Prepared
    from arbosim.results import Results

INTERRUPTED = 130
GRACE = 5.0
"""Seconds that games may take to end after Ctrl-C, and processes on a busy machine to say so."""


class Watched(Protocol):
    """A run or a study, which sees to Ctrl-C itself from its beginning on."""

    has_begun: bool

    @property
    def manifest(self) -> Any:
        """Return what is played, with its status."""


@contextmanager
def prompt_exit() -> Iterator[list[Watched]]:
    """End the process at once on Ctrl-C, until a run in the list begins, which then sees to it.

    As an exception it would sometimes be swallowed, by an import that is under way.
    """
    watched: list[Watched] = []
    if threading.current_thread() is not threading.main_thread():
        yield watched
        return

    def handle(*_: object) -> None:
        if not any(each.has_begun for each in watched):
            is_whole = any(each.manifest.status == "finished" for each in watched)
            told = "all games are kept" if is_whole else "nothing was written"
            os.write(2, f"Interrupted; {told}.\n".encode())  # not `print`, which may be at work right now
            os._exit(INTERRUPTED)

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield watched
    finally:
        # an interrupted process is about to end; a second Ctrl-C would only spoil its exit code
        over = any(each.manifest.status == "interrupted" for each in watched)
        signal.signal(signal.SIGINT, signal.SIG_IGN if over else before)


def new_folder(prepared: Prepared, kind: str) -> Path:
    """Make a folder for a run, that nothing else has."""
    state = prepared.manifest
    return made_folder(f"{kind}-{len(state.strategies)}x{state.players}p-seed{state.seed}")


def made_folder(label: str) -> Path:
    """Make a folder under runs that nothing else has, not even what begins at the same moment."""
    when = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    base = f"{when}-{label}"
    names = (base if number == 1 else f"{base}-{number}" for number in range(1, 1000))
    for name in names:
        with suppress(FileExistsError):
            (path := Path("runs") / name).mkdir(parents=True)
            return path
    raise UserError(f"there are too many runs like runs/{base}")


@contextmanager
def last_resort(again: str, conclude: Callable[[], None] | None = None) -> Iterator[None]:
    """End the process soon after Ctrl-C even if a compiled strategy never answers.

    No Python code runs any more in a thread that such a strategy holds; the signal itself wakes another thread.

    Parameters
    ----------
    again : str
        The command that goes on.
    conclude : callable, optional
        Writes down that it was interrupted; is called last of all.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    awake, alarm = socket.socketpair()
    alarm.setblocking(False)
    is_over = threading.Event()

    def watch() -> None:
        while received := awake.recv(1):
            if received[0] == signal.SIGINT and not is_over.wait(GRACE):
                if conclude is not None:
                    with suppress(Exception):  # whatever it is, the process has to end
                        conclude()
                print("Interrupted: a strategy does not answer; finished chunks are kept.", file=sys.stderr)
                print(f"Go on with:  {again}", file=sys.stderr, flush=True)
                os._exit(INTERRUPTED)

    before = signal.set_wakeup_fd(alarm.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        signal.set_wakeup_fd(before)
        alarm.close()
        watcher.join()
        awake.close()


class Compiled(Protocol):
    """What has parts that are compiled before it begins."""

    def notice(self) -> str:
        """Return what to tell before; nothing if there is nothing to compile."""

    def compile(self, tell: Callable[[str], None]) -> None:
        """Compile them."""


@dataclass(frozen=True)
class SingleGame:
    """What one game needs compiled that is played decision by decision; advisers are asked and do not play."""

    game: Game
    entrants: Sequence[Entrant]
    advisers: Sequence[Entrant] = ()

    def notice(self) -> str:
        """Return what to tell before; nothing if there is nothing to compile."""
        from arbosim.prepared import compile_notice

        return compile_notice(self.game.uncompiled(self.entrants, None, self.advisers))

    def compile(self, tell: Callable[[str], None]) -> None:
        """Compile it."""
        self.game.compile_all(self.entrants, tell, None, self.advisers)


def compile_first(prepared: Compiled, quiet: bool) -> None:
    """Say what is compiled, because it takes a while and happens once."""
    notice = prepared.notice()
    if not notice or quiet:
        prepared.compile(lambda _name: None)
        return
    from rich.console import Console

    print(notice, file=sys.stderr)
    with Console(stderr=True).status("") as status:  # shows nothing where no one is looking
        prepared.compile(lambda name: status.update(f"compiling {name}"))


@contextmanager
def games_bar(total: int, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """Show games a second and the time left, where someone is looking."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Games a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.0f} games/s")

    columns = (BarColumn(None), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=total)
        yield lambda games: bar.update(task, advance=games)


def tell_errors(results: Results) -> None:
    """Tell of mistakes, if there were any."""
    first = next(results.iter_errors(), None)
    if first is None:
        return
    moves = sum(row.random_moves for row in results.summary.rows)
    costs = [f"{counted(results.manifest.errors, 'game')} forfeited"] if results.manifest.errors else []
    costs += [f"{counted(moves, 'move')} made by chance after mistakes"] if moves else []
    print(
        f"{', '.join(costs)}; the first: {first['strategy']} in game "
        f"{first['game']}, turn {first['turn']}, seat {first['seat']}: {first['message']}\n"
        f"All of them: {results.folder}/errors.jsonl",
        file=sys.stderr,
    )
