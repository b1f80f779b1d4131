"""`arbosim tune` as people use it: output, parameter sets, exit codes, signals."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arbosim.cli.main import main

DIAL = Path(__file__).parents[1] / "tuning" / "planted" / "dial.py"
QUICK = ("--against", "random", "--budget", "2400", "--population", "4", "-n", "20", "--confirm", "256")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("dial.py").symlink_to(DIAL)  # compiled once, wherever it is
    return tmp_path


def command(capsys, *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_a_set_is_written_that_a_run_uses(capsys):
    code, out, _ = command(capsys, "tune", "dial.py", *QUICK, "--elo1", "20", "-o", "mine")
    assert code == 0
    assert "15 generations of 4 candidates, 20 deals at 1 table each: 2,400 games" in out
    assert "tuning helped: +" in out
    assert "written to parameters/dial@tuned-2p.toml: -s dial.py@tuned-2p uses it" in out
    assert out.endswith("tuning mine\n")
    assert command(capsys, "run", "-s", "dial.py@tuned-2p,random", "-n", "10", "-o", "run")[0] == 0
    assert command(capsys, "tune", "--resume", "mine") == (0, out, "")
    again = json.loads(command(capsys, "tune", "--resume", "mine", "--json")[1])
    assert again["helped"] is True
    assert again["values"] == again["found"] != again["start"]
    code, _, err = command(capsys, "tune", "dial.py", *QUICK)
    assert (code, "dial@tuned-2p.toml exists already; --force replaces it" in err) == (2, True)
    # the command in the set makes the same set
    made = Path("parameters/dial@tuned-2p.toml")
    text = made.read_text()
    line = next(line for line in text.splitlines() if line.startswith("command"))
    made.unlink()
    assert command(capsys, *json.loads(line.partition(" = ")[2]).split()[1:])[0] == 0
    assert made.read_text() == text
    assert len(list(Path("runs").glob("*-tune-dial-2p-seed1"))) == 1


def test_it_says_plainly_that_it_did_not_help(capsys):
    start = "dial.py:aim=0.3:steps=4"
    code, out, _ = command(capsys, "tune", start, *QUICK, "--elo1", "200", "-o", "run")
    assert code == 0
    assert "tuning did not help" in out
    assert "no parameter set was written; --keep writes it all the same" in out
    assert not Path("parameters").exists()
    code, out, _ = command(capsys, "tune", "--resume", "run", "--keep", "--name", "all-the-same")
    assert (code, "-s dial.py@all-the-same uses it" in out) == (0, True)
    assert (
        'note = "2 players, standard rules: tuning did not help'
        in Path("parameters/dial@all-the-same.toml").read_text()
    )


def test_wrong_input_is_told_in_flags_at_once(capsys):
    code, out, err = command(
        capsys,
        "tune",
        "dial.py",
        "--parameters",
        "bold,ami",
        "--against",
        "randon",
        "--budget",
        "0",
        "-p",
        "9",
    )
    assert (code, out) == (2, "")
    for part in (
        "--parameters: parameter 'bold' is a switch",
        "'aim'",
        "in --against; did you mean 'random'?",
        "--budget: must be a whole number",
        "2 to 4 players, not 9",
    ):
        assert part in err
    code, _, err = command(capsys, "tune", "random", "--budget", "1000")
    assert (code, "no parameter that could be tuned" in err) == (2, True)
    code, _, err = command(capsys, "tune", "--resume", "nowhere")
    assert (code, "holds no tuning" in err) == (2, True)
    for name in ("", "x" * 300):
        code, _, err = command(capsys, "tune", "dial.py", "--name", name)
        assert (code, "--name: a" in err) == (2, True)
    assert [path.name for path in Path().iterdir()] == ["dial.py"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_tuning_goes_on_to_the_same_result(capsys, how):
    asked = ("tune", "dial.py", "--against", "random", "--budget", "20000", "--confirm", "64", "-j", "2")
    process = subprocess.Popen(
        [sys.executable, "-m", "arbosim", *asked, "-o", "part"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    log = Path("part/generations.jsonl")
    until = time.monotonic() + 100
    while not log.exists() or log.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < until
        assert process.poll() is None
        time.sleep(0.005)
    os.killpg(process.pid, how)
    out, err = process.communicate(timeout=30)
    if how == signal.SIGINT:
        assert (process.returncode, out) == (130, "")
        assert "Go on with:  arbosim tune --resume part" in err
        assert "Traceback" not in err
    kept = log.read_bytes()
    code, out, err = command(capsys, "tune", "--resume", "part", "--json", "-j", "1", "--keep")
    assert (code, err) == (0, "")
    assert log.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    code, whole, _ = command(capsys, *asked, "--json", "--keep", "--force", "-o", "whole")
    assert code == 0
    different = ("folder", "command")
    ours, theirs = (
        {key: value for key, value in json.loads(text).items() if key not in different}
        for text in (out, whole)
    )
    assert ours == theirs
    assert log.read_bytes() == Path("whole/generations.jsonl").read_bytes()


def test_a_terminal_shows_how_far_it_is():
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "arbosim", "tune", "dial.py", *QUICK, "-o", "run", "-j", "1"],
        env=os.environ | {"TERM": "xterm", "COLUMNS": "120"},
        stdout=subprocess.DEVNULL,
        stderr=follower,
    )
    os.close(follower)
    shown = b""
    with os.fdopen(leader, "rb", buffering=0) as terminal:
        try:
            while some := terminal.read(4096):
                shown += some
        except OSError:  # the other end is closed
            pass
    assert process.wait() == 0
    for part in (b"generation", b"of 15", b"games/s", b"confirming"):
        assert part in shown
