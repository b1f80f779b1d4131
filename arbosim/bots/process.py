"""One child process that is spoken to by lines, none of which is waited for longer than its time."""

from __future__ import annotations

import contextlib
import math
import os
import resource
import select
import signal
import subprocess
import time
import weakref
from pathlib import Path

from arbosim.bots import reaper
from arbosim.core.errors import UserError
from arbosim.core.game import MistakeError
from arbosim.core.outside import CRASHED, FLOOD

LINE = 2**20
"""Bytes of the longest line that is read."""
OUTPUT = 2**22
"""Bytes that are read after a message, whatever the lines."""
LOG = 2**24
"""Bytes of the largest log; what a program writes to standard error beyond that is lost."""
LAST_WORDS = 1024
"""Bytes of standard error that are kept for messages."""
SHOWN_WORDS = 300
"""Characters of them in a message."""
GRACE = 0.25
"""Seconds in which a program may end by itself when its input has ended."""
_CHUNK = 2**16
_LONGEST_WAIT = 86_400.0  # seconds that poll takes

_opened: weakref.WeakSet[Process] = weakref.WeakSet()


class Process:
    """A `Transport` to a real process, which leads a session of its own.

    So it does not see our Ctrl-C, and what it starts is ended with it.

    Parameters
    ----------
    command : tuple of str, or str
        The program and its arguments; a text is given to a shell.
    folder : str
        Where it runs.
    log : str
        The file that its standard error is appended to, or "".
    memory : int, optional
        Bytes of data that it may hold; kept to on Linux alone.
    """

    def __init__(
        self, command: tuple[str, ...] | str, folder: str = ".", log: str = "", memory: int | None = None
    ) -> None:
        self._command = command
        self._folder = folder
        self._log_path = log
        self._memory = memory
        self._popen: subprocess.Popen[bytes] | None = None
        self._mark = ""
        self._poll = select.poll()
        self._in = self._out = self._err = self._log = -1
        self._unsent = memoryview(b"")
        self._buffer = bytearray()
        self._searched = 0
        self._received = 0
        self._looked = -math.inf  # the last deadline after which the pipes have been looked at
        self._last_words = b""

    def __del__(self) -> None:
        self.close()

    def now(self) -> float:
        """Return the time in seconds."""
        return time.monotonic()

    def open(self) -> None:
        """Start the process; a `MistakeError` if it cannot be."""
        self.close()
        self._unsent = memoryview(b"")
        self._buffer.clear()
        self._searched = self._received = 0
        self._last_words = b""
        self._open_log()
        reaper.ready()
        self._mark = reaper.new_mark()
        try:
            popen = subprocess.Popen(
                self._command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                shell=isinstance(self._command, str),
                cwd=self._folder,
                env={**os.environ, "PYTHONUNBUFFERED": "1", reaper.MARK: self._mark},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._close_log()
            raise MistakeError(CRASHED, f"could not be started: {error}") from None
        self._popen = popen
        reaper.watch(popen.pid)
        _opened.add(self)
        self._in, self._out, self._err = (pipe.fileno() for pipe in reaper.pipes(popen))
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        if self._memory is not None and hasattr(resource, "prlimit"):
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(popen.pid, resource.RLIMIT_DATA, (self._memory, self._memory))

    def running(self) -> bool:
        """Tell whether it was started and has not ended."""
        return self._popen is not None and self._popen.poll() is None

    def send(self, line: bytes) -> None:
        """Write as much of a line as it takes at once, and keep the rest for `receive`."""
        self._received = 0
        if self._unsent:
            self._unsent = memoryview(bytes(self._unsent) + line)
            return
        self._unsent = memoryview(line)
        self._write()
        if self._unsent:
            self._poll.register(self._in, select.POLLOUT)

    def receive(self, deadline: float) -> bytes | None:
        """Return the next line without its end, or None if there is none at that time; see `Transport`."""
        late = deadline == self._looked
        while True:
            line = self._line()
            if line is not None:
                return line
            if self._received > OUTPUT:
                raise self._flooded(f"put out more than {OUTPUT:,} bytes after one message")
            if late:
                break
            left = deadline - time.monotonic()
            if left <= 0:  # one look at what has come meanwhile, and no more: it could go on and on
                late = True
                self._looked = deadline
            if self._serve(self._poll.poll(0 if late else min(left, _LONGEST_WAIT) * 1000)):
                raise self._ended()
        if not self.running():  # what it has started holds its pipes open
            raise self._ended()
        return None

    def close(self, grace: float = GRACE) -> None:
        """End the process and all that it has started; first by the end of its input, which it may obey."""
        popen = self._popen
        if popen is None:
            return
        try:
            reaper.pipes(popen)[0].close()
            self._watch_it_end(popen, grace)
        finally:
            reaper.kill(popen.pid)
            reaper.sweep(self._mark)
            popen.wait()
            reaper.forget(popen.pid)
            reaper.close_pipes(popen)
            self._close_log()
            self._popen = None

    def forsake(self) -> None:
        """Let go of our parent's process, after a fork."""
        if self._popen is not None:
            reaper.forsake(self._popen)
            self._close_log()
            self._popen = None

    def _line(self) -> bytes | None:
        """Take the first line from what has been received, if it is complete."""
        buffer = self._buffer
        end = buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(buffer)
            if len(buffer) > LINE:
                raise self._flooded(f"put out a line of more than {LINE:,} bytes")
            return None
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        self._searched = 0
        return line

    def _write(self) -> None:
        try:
            taken = os.write(self._in, self._unsent)
        except BlockingIOError:
            return
        except BrokenPipeError:
            taken = len(self._unsent)  # it reads no more; what comes in place of an answer tells why
        self._unsent = self._unsent[taken:]

    def _serve(self, events: list[tuple[int, int]]) -> bool:
        """Do what the pipes are ready for; return whether standard output has ended."""
        ended = False
        for pipe, _ in events:
            if pipe == self._in:
                self._write()
                if not self._unsent:
                    self._poll.unregister(pipe)
                continue
            data = os.read(pipe, _CHUNK)
            if not data:
                self._poll.unregister(pipe)
            if pipe == self._err:
                self._overhear(data)
            else:
                self._buffer += data
                self._received += len(data)
                ended = not data
        return ended

    def _watch_it_end(self, popen: subprocess.Popen[bytes], grace: float) -> None:
        """Wait for its end, but not for long, and listen to its last words."""
        deadline = time.monotonic() + grace
        poll = select.poll()
        pipes = {self._out, self._err}
        for pipe in pipes:
            poll.register(pipe, select.POLLIN)
        while pipes and (left := deadline - time.monotonic()) > 0:
            for pipe, _ in poll.poll(left * 1000):
                data = os.read(pipe, _CHUNK)
                if not data:
                    poll.unregister(pipe)
                    pipes.discard(pipe)
                elif pipe == self._err:
                    self._overhear(data)
        with contextlib.suppress(subprocess.TimeoutExpired):
            popen.wait(max(deadline - time.monotonic(), 0))

    def _ended(self) -> MistakeError:
        """Clear up after a process whose output has ended, and return what is told of it."""
        popen = self._popen
        assert popen is not None
        self._watch_it_end(popen, GRACE)
        code = popen.poll()
        self.close(grace=0)
        if code is None:
            text = "closed its output"
        elif code < 0:
            text = f"was ended by {_signal(-code)}"
        else:
            text = f"ended with code {code}"
        if self._buffer:
            text += " in the middle of a line"
        return MistakeError(CRASHED, text + self._final())

    def _flooded(self, text: str) -> MistakeError:
        self.close(grace=0)
        return MistakeError(FLOOD, text + self._final())

    def _final(self) -> str:
        words = " ".join(self._last_words.decode(errors="replace").split())
        shown = words if len(words) <= SHOWN_WORDS else f"...{words[-SHOWN_WORDS:]}"
        return f"; its last words: {shown}" if words else ""

    def note(self, line: bytes) -> None:
        """Write a line that was passed over to the log."""
        if self._log >= 0:
            with contextlib.suppress(OSError):  # a full disk is no mistake of the program
                os.write(self._log, line[: max(LOG - os.fstat(self._log).st_size, 0)])

    def _overhear(self, data: bytes) -> None:
        """Keep what it writes to standard error."""
        self._last_words = (self._last_words + data)[-LAST_WORDS:]
        self.note(data)

    def _open_log(self) -> None:
        if not self._log_path:
            return
        try:
            Path(self._log_path).parent.mkdir(parents=True, exist_ok=True)
            self._log = os.open(self._log_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        except OSError as error:
            raise UserError(f"the log {self._log_path!r} cannot be written: {error.strerror}") from None

    def _close_log(self) -> None:
        if self._log >= 0:
            os.close(self._log)
            self._log = -1


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # real-time signals have numbers alone
        return f"signal {number}"


def _forked() -> None:
    for process in list(_opened):
        process.forsake()


os.register_at_fork(after_in_child=_forked)
