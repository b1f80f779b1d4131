"""No bot outlives its arbosim, however that ends: small programs that start bots and end in all ways."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.programs import BOTS, PYTHON_BOT, state, wait_for_the_end

ROOT = Path(__file__).parents[2]
START = """
import os, signal, sys, threading, time
from arbosim.bots import program, reaper
from arbosim.bots.program import Program
from arbosim.core.outside import Grammar

def play(name, *deeds, log=""):
    talk = Program(name, tuple(sys.argv[1:]), ".", "dialect", Grammar("id"), log=log, start_up=20.0).talk()
    pid = talk.ask({"do": "who"}, 20.0)["pid"]
    for deed in deeds:
        talk.tell({"do": deed}, 20.0)
    return pid
"""
TWO_BOTS = "print(play('one', 'hang'), play('two', 'deaf'), reaper._helper.pid, flush=True)\n"


def run(code, command):
    """Start a small arbosim and return it with the numbers that it prints first."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", START + code, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    return process, [int(word) for word in process.stdout.readline().split()]


def finish(process):
    """Wait for its end and return its exit code and its standard error."""
    errors = process.communicate(timeout=60)[1]
    return process.returncode, errors


@pytest.mark.parametrize("command", BOTS)
def test_bots_of_one_that_is_killed_are_gone(command):
    process, pids = run(TWO_BOTS + "time.sleep(600)", command)
    os.kill(process.pid, signal.SIGKILL)
    assert finish(process) == (-signal.SIGKILL, "")
    assert len(pids) == 3
    for pid in pids:
        wait_for_the_end(pid)


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("os._exit(7)", 7),
        ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
        ("sys.exit(5)", 5),
        ("pass", 0),
    ],
)
def test_bots_of_one_that_ends_are_gone(end, code):
    process, pids = run(TWO_BOTS + end, PYTHON_BOT)
    assert finish(process) == (code, "")
    for pid in pids:
        wait_for_the_end(pid)


def test_a_helper_that_was_killed_is_replaced():
    code = """
first = play("one", "hang")
os.kill(reaper._helper.pid, signal.SIGKILL)
reaper._helper.wait()
print(first, play("two", "hang"), flush=True)
os._exit(0)
"""
    process, pids = run(code, PYTHON_BOT)
    assert finish(process) == (0, "")
    for pid in pids:
        wait_for_the_end(pid)


def test_a_forked_child_has_bots_of_its_own():
    code = """
mine, helper = play("one"), reaper._helper.pid
read, write = os.pipe()
child = os.fork()
if child == 0:
    os.write(write, f"{play('one')} {reaper._helper.pid}".encode())
    os._exit(0)
os.waitpid(child, 0)
assert play("one") == mine
print(mine, helper, *map(int, os.read(read, 100).split()), flush=True)
"""
    process, pids = run(code, PYTHON_BOT)
    assert finish(process) == (0, "")
    assert len(set(pids)) == 4
    for pid in pids:
        wait_for_the_end(pid)


def test_each_thread_has_bots_of_its_own_and_takes_them_with_it():
    code = """
pids = [play("one")]
thread = threading.Thread(target=lambda: pids.append(play("one", "hang")))
thread.start()
thread.join()
print(*pids, play("one"), flush=True)
time.sleep(600)
"""
    process, (mine, other, again) = run(code, PYTHON_BOT)
    assert mine == again
    assert state(mine)
    assert state(other) == ""
    process.kill()
    assert finish(process) == (-signal.SIGKILL, "")


@pytest.mark.parametrize("command", BOTS)
def test_at_the_end_they_are_let_go_first(command, tmp_path):
    log = tmp_path / "log"
    process, (pid,) = run(f"print(play('one', log={str(log)!r}), flush=True)", command)
    assert finish(process) == (0, "")
    assert state(pid) == ""
    assert log.read_text() == "goodbye\n"


def test_all_are_closed_at_once():
    process, pids = run(
        TWO_BOTS + "program.close_all()\nprint('closed', flush=True)\ntime.sleep(600)", PYTHON_BOT
    )
    assert process.stdout.readline() == "closed\n"
    assert [state(pid) for pid in pids[:2]] == ["", ""]
    process.kill()
    assert finish(process) == (-signal.SIGKILL, "")


def test_the_bots_hold_none_of_our_files():
    code = """
print(play("one"), play("two"), flush=True)
time.sleep(600)
"""
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("only Linux has /proc")
    process, pids = run(code, PYTHON_BOT)
    try:
        for pid in pids:
            assert {int(file.name) for file in Path(f"/proc/{pid}/fd").iterdir()} == {0, 1, 2}
    finally:
        process.kill()
        process.communicate()
