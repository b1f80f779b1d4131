"""One process at a time writes into a run folder."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from pathlib import Path

from arbosim.core.errors import UserError


class Lock:
    """The right to write into a folder, until it is released or forgotten; it ends with the process at the latest.

    Raises
    ------
    UserError
        Somebody else has it; this does not wait.
    """

    release: Callable[[], object]

    def __init__(self, folder: Path) -> None:
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            self.release = weakref.finalize(self, lambda: None)
            return
        handle = os.open(folder, os.O_RDONLY)
        self.release = weakref.finalize(self, os.close, handle)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise UserError(
                f"another process is playing the run {str(folder)!r}; wait for it, or stop it"
            ) from None
