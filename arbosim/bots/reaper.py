"""No bot outlives us, however we end: a small process of its own sees our end and kills what is left.

Each arbosim process starts one helper before its first bot, this very file as a program. It holds the read end of a
pipe whose write end we alone hold, hears of process groups that begin and end, and kills the others when the pipe
ends, as it does even after SIGKILL. Every bot has a mark in its environment, which its children inherit: on Linux they
are found by it where they have left the group.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import signal
import subprocess
import sys
import threading
from typing import IO

_PATIENCE = 2.0  # seconds
MARK = "ARBOSIM_PROGRAM"
"""The variable that holds the mark."""
_PROCESSES = "/proc"

_lock = threading.Lock()
_groups: set[int] = set()
_helper: subprocess.Popen[bytes] | None = None
_owner = secrets.token_hex(8)
_marks = itertools.count(1)


def ready() -> None:
    """Have a helper that sees our end, whenever it comes."""
    with _lock:
        if _helper is None or _helper.poll() is not None:
            _start()


def new_mark() -> str:
    """Return a mark for one process and its children."""
    return f"{_owner}-{next(_marks)};"


def sweep(mark: str) -> None:
    """Kill every process whose mark begins so; only Linux tells."""
    wanted = f"{MARK}={mark}".encode()
    for name in os.listdir(_PROCESSES) if os.path.isdir(_PROCESSES) else ():  # noqa: PTH112, PTH208
        if name.isdigit() and int(name) != os.getpid():
            with contextlib.suppress(OSError), open(f"{_PROCESSES}/{name}/environ", "rb") as file:  # noqa: PTH123
                if wanted in file.read():
                    os.kill(int(name), signal.SIGKILL)


def watch(group: int) -> None:
    """Have a process group killed when this process ends."""
    with _lock:
        _groups.add(group)
        if _helper is None or not _tell(f"+{group}\n"):
            _start()


def forget(group: int) -> None:
    """Leave a process group that has ended alone from now on."""
    with _lock:
        _groups.discard(group)
        _tell(f"-{group}\n")


def kill(group: int) -> None:
    """Kill what is left of a process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def pipes(process: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    """Return those of its input, output and standard error that are pipes."""
    return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]


def close_pipes(process: subprocess.Popen[bytes]) -> None:
    """Close our ends of its pipes."""
    for pipe in pipes(process):
        pipe.close()


def forsake(process: subprocess.Popen[bytes]) -> None:
    """Let go of a process that belongs to our parent, after a fork."""
    close_pipes(process)
    process.returncode = 0  # we cannot wait for it, and need not be warned that it runs


def _start() -> None:
    """Start a helper, the first or in place of one that was killed, and tell it all."""
    global _helper
    _stop()
    _helper = subprocess.Popen(
        [sys.executable, "-I", "-S", __file__, _owner],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )
    for group in _groups:
        _tell(f"+{group}\n")


def _tell(line: str) -> bool:
    """Tell the helper, and return whether it heard."""
    if _helper is None:
        return False
    try:
        os.write(pipes(_helper)[0].fileno(), line.encode())
    except BrokenPipeError:
        return False
    return True


def _stop() -> None:
    global _helper
    if _helper is not None:
        close_pipes(_helper)
        try:
            _helper.wait(_PATIENCE)
        except subprocess.TimeoutExpired:  # something that this process has forked holds the pipe as well
            _helper.kill()
            _helper.wait()
        _helper = None


def _forked() -> None:
    """In a forked child: groups and helper are the parent's."""
    global _lock, _helper, _owner
    _lock = threading.Lock()
    _owner = secrets.token_hex(8)
    _groups.clear()
    if _helper is not None:
        forsake(_helper)
        _helper = None


def _help() -> None:
    """Be the helper."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups = set()
    for line in sys.stdin:
        if line.startswith("+"):
            groups.add(int(line[1:]))
        else:
            groups.discard(int(line[1:]))
    for group in groups:
        kill(group)
    sweep(f"{sys.argv[1]}-")


if __name__ == "__main__":
    _help()
else:
    import atexit

    atexit.register(_stop)
    os.register_at_fork(after_in_child=_forked)
