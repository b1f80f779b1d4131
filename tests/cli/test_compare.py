"""`arbosim compare` and `arbosim plan` as people use them: output, exit codes, signals."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import arbosim
from arbosim.cli.main import main

SLOW = '''"""A strategy in plain Python that is as slow as it is told."""
import os
import time
from arbosim.games.arboretum import api

PAUSE = float(os.environ.get("PAUSE", "0"))

class Slow(api.Strategy):
    """Take what comes."""

    def draw(self, view):
        time.sleep(PAUSE)
        return next(iter(view.sources))

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        return view.hand[-1]
'''
ASKED = ("random", "slow.py", "--elo1", "200", "--seed", "2")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("slow.py").write_text(SLOW)
    return tmp_path


def command(capsys, *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_what_is_decided_is_said_and_a_run_is_left(capsys):
    code, out, _ = command(capsys, "compare", "hoarder", "greedy", "-j", "2", "-o", "run")
    assert code == 0
    assert "hoarder is stronger than greedy: H1 accepted, normalised Elo +5 rather than +0" in out
    for word in (
        "log-likelihood ratio",
        "bounds -2.944 and +2.944",
        "finishes above",
        "normalised Elo per game",
    ):
        assert word in out
    assert command(capsys, "compare", "--resume", "run") == (0, out, "")
    assert command(capsys, "standings", "run")[0] == 0
    code, out, _ = command(capsys, "compare", "greedy", "hoarder", "--elo0", "-5", "--elo1", "0", "-j", "1")
    assert (code, "greedy is weaker than hoarder: H0 accepted" in out) == (0, True)
    assert len(list(Path("runs").glob("*-compare-*"))) == 1


def test_json_for_machines_and_a_field(capsys):
    field = ("--field", "random,tempo", "-p", "3", "--until-width", "20%")
    code, out, _ = command(capsys, "compare", "hoarder", "greedy", *field, "--json", "-o", "run", "-j", "1")
    found = json.loads(out)
    assert code == 0
    assert (found["decision"], found["until_width"], found["elo0"]) == ("precise", 20.0, None)
    assert found["games"] == 6 * found["deals"] == 6 * found["trajectory"][-1]["deals"]
    assert found["above"]["high"] - found["above"]["low"] <= 0.2
    assert found["digest"] == arbosim.load("run").digest


def test_undecided_exits_1_and_goes_on_with_more_deals(capsys):
    code, out, _ = command(capsys, "compare", "hoarder", "tempo", "--max-deals", "40", "-j", "1", "-o", "run")
    assert (code, "undecided after 40 deals" in out) == (1, True)
    code, out, _ = command(capsys, "compare", "--resume", "run", "--max-deals", "50", "-j", "1")
    assert (code, "undecided after 50 deals" in out) == (1, True)
    assert command(capsys, "compare", "--resume", "run", "--max-deals", "45", "-j", "1")[0] == 2


def started(pause: str, *arguments: str) -> subprocess.Popen:
    """Start a comparison in a session of its own, and wait until it has finished some games."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arbosim", "compare", *ASKED, "-o", "run", *arguments],
        env=os.environ | {"PAUSE": pause},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not list(Path().glob("run/parts/m*")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    return process


@pytest.fixture(scope="module")
def direct(tmp_path_factory) -> dict:
    folder = tmp_path_factory.mktemp("direct")
    (folder / "slow.py").write_text(SLOW)
    done = subprocess.run(
        [sys.executable, "-m", "arbosim", "compare", *ASKED, "--json", "-j", "1", "-o", "run"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_comparison_goes_on_to_the_same_decision(capsys, direct, how):
    process = started("0.01", "-j", "2")
    os.killpg(process.pid, how)
    out, err = process.communicate(timeout=30)
    if how == signal.SIGINT:
        assert (process.returncode, out) == (130, "")
        assert "Go on with:  arbosim compare --resume run" in err
        assert "Traceback" not in err
        assert arbosim.load("run").manifest.status == "interrupted"
    assert 0 < arbosim.load("run").summary.games < direct["games"]
    code, _, err = command(capsys, "run", "--resume", "run")
    assert (code, "arbosim compare --resume run goes on" in err) == (2, True)
    code, out, _ = command(capsys, "compare", "--resume", "run", "-j", "1", "--json")
    assert code == 0
    assert json.loads(out) == direct


def test_a_terminal_shows_where_the_ratio_is():
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "arbosim", "compare", *ASKED, "-o", "run", "-j", "1"],
        env=os.environ | {"PAUSE": "0.0002", "TERM": "xterm", "COLUMNS": "120"},
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
    assert process.wait(timeout=30) == 0
    text = shown.decode()
    assert re.search(r"\d+ deals", text)
    assert re.search(r"LLR -[3-9]", text)
    assert "H0 -2.94" in text
    assert "games/s" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "random"), "two strategies are compared"),
        (("compare", "random", "greedy", "tempo"), "two strategies are compared"),
        (("compare", "random", "greddy"), "did you mean 'greedy'"),
        (("compare", "random", "random"), "cannot be compared with itself"),
        (("compare", "random", "greedy", "--elo0", "5"), "--elo0 must be less than --elo1"),
        (("compare", "random", "greedy", "--elo1", "many"), "--elo1: 'many' is not a number"),
        (("compare", "random", "greedy", "--alpha", "0.5"), "--alpha: must lie between 0 and 0.5"),
        (("compare", "random", "greedy", "--until-width", "0"), "--until-width: must be between"),
        (
            ("compare", "random", "greedy", "--until-width", "1", "--beta", "0.1"),
            "another way to stop than --beta",
        ),
        (("compare", "random", "greedy", "--field", "tempo"), "--field: belongs to tables"),
        (("compare", "random", "greedy", "-p", "3"), "--field names them"),
        (("compare", "random", "greedy", "-j", "0"), "--jobs: must be at least 1"),
        (("compare", "random", "greedy", "--max-deal", "3"), "did you mean '--max-deals'"),
        (("compare", "--resume"), "Missing argument"),
        (("compare", "--resume", "elsewhere"), "holds no run"),
        (("compare", "--resume", "a", "-o", "b"), "two runs are named: 'a' and, with -o, 'b'"),
        (("plan",), "--effect"),
        (("plan", "--effect", "0"), "--effect: must be above 0"),
        (("plan", "--effect", "51%"), "--effect: must be above 0 and at most 50"),
        (("plan", "--effect", "-1"), "--effect"),
        (("plan", "--effect", "2pt"), "--effect: '2pt' is not a number"),
        (("plan", "--effect", "1", "--pilot", "5"), "--pilot: must be at least 10"),
        (("plan", "--effect", "1", "--power", "1"), "--power: must lie between 0.5 and 1"),
        (("plan", "--effect", "1", "--alpha", "0"), "--alpha: must lie between"),
        (("plan", "--effect", "1", "-s", "random"), "at least 2 different strategies"),
        (("plan", "--effect", "1", "-s", "random,random"), "given twice"),
    ],
)
def test_wrong_input_exits_2_and_writes_nothing(capsys, arguments, message):
    code, out, err = command(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert [path.name for path in Path().iterdir() if path.name != "__pycache__"] == ["slow.py"]


def test_a_plan_as_text_and_for_machines(capsys):
    arguments = ("plan", "--effect", "1%", "-s", "hoarder,greedy", "--pilot", "50", "-j", "1")
    code, out, err = command(capsys, *arguments)
    assert (code, err) == (0, "")
    for word in (
        "51 % rather than 50 %",
        "sd of a deal",
        "fixed size",
        "arbosim compare",
        "duplicate deals",
        "time",
    ):
        assert word in out
    code, out, _ = command(capsys, *arguments, "--json")
    [need] = json.loads(out)["pairs"]
    assert need["deals_low"] < need["deals"] < need["deals_high"]
    assert not Path("runs").exists()


def test_the_folder_of_a_comparison_that_goes_on_may_be_named_twice(capsys):
    asked = ("compare", "hoarder", "tempo", "--max-deals", "32", "-j", "1", "-o", "run")
    assert command(capsys, *asked)[0] == 1
    assert command(capsys, "compare", "--resume", "run", "-o", "run") == command(
        capsys, "compare", "--resume", "run"
    )
