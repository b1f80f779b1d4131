"""The bots of these tests, which do what their messages say, in Python and in JavaScript."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arbosim.bots.process import Process
from arbosim.bots.talk import Conversation
from arbosim.core.game import MistakeError
from arbosim.core.outside import Grammar

HERE = Path(__file__).parent
NODE = shutil.which("node")
PYTHON_BOT = (sys.executable, "-I", "-S", str(HERE / "bot.py"))
NODE_BOT = (NODE or "node", str(HERE / "bot.js"))
BOTS = [
    pytest.param(PYTHON_BOT, id="python"),
    pytest.param(NODE_BOT, id="node", marks=pytest.mark.skipif(NODE is None, reason="install node")),
]
SHORT = 0.2
"""Seconds for what never comes."""
LONG = 20.0
"""Seconds for what comes, however busy the machine is."""


def conversation(command, *, skips=False, log="", memory=None):
    """Return a conversation whose process has answered once, so that short times hold from now on."""
    talk = Conversation(Process(command, log=log, memory=memory), Grammar("id", skips=skips), start_up=LONG)
    do(talk, "answer")
    return talk


def do(talk, deed, seconds=LONG, **more):
    """Ask a bot to do something."""
    return talk.ask({"do": deed, **more}, seconds)


def mistake(talk, deed, seconds=LONG, **more):
    """Return kind and text of the mistake that something is."""
    with pytest.raises(MistakeError) as caught:
        do(talk, deed, seconds, **more)
    return caught.value.kind, str(caught.value)


def wait_for_the_end(pid, seconds=LONG):
    """Wait until a process has gone; one that has ended and that nobody has waited for counts as gone."""
    deadline = time.monotonic() + seconds
    while lives(pid):
        assert time.monotonic() < deadline, f"{pid} lives on"
        time.sleep(0.02)


def lives(pid):
    """Tell whether a process runs."""
    return state(pid)[:1] not in ("", "Z")


def state(pid):
    """Return the state of a process, "" if there is none."""
    return subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True
    ).stdout.strip()
