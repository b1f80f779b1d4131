"""`arbosim run` and `arbosim standings` as people use them: output, exit codes, signals."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arbosim.cli.main import main
from arbosim.lab import load

SLOW = '''"""A slow strategy in plain Python."""
import time
from arbosim.games.arboretum import api

class Slow(api.Strategy):
    """Think."""

    def draw(self, view):
        time.sleep(0.001)
        return next(iter(view.sources))

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        if {mistake}:
            raise RuntimeError("no idea")
        return view.hand[-1]
'''


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("slow.py").write_text(SLOW.format(mistake="False"))
    Path("clumsy.py").write_text(SLOW.format(mistake="view.turn > 24"))
    return tmp_path


def arbosim(capsys, *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_a_run_prints_its_standings_and_standings_prints_them_again(capsys):
    names = ("-s", "random,greedy", "-s", "hoarder")
    code, out, err = arbosim(capsys, "run", *names, "-n", "30", "-p", "2", "--seed", "7", "-o", "runs/first")
    assert code == 0
    assert err == "" or err.startswith("Compiling")  # which it does if nothing has been played here before
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["1", "2", "3"]
    for word in (
        "95 % interval",
        "first seat",
        "180 games of 2 players on 30 deals",
        "rules        standard\n",
        "seed         7",
        "digest",
        "runs/first",
    ):
        assert word in out
    code, again, _ = arbosim(capsys, "standings", "runs/first")
    assert code == 0
    assert again.rstrip("\n") in out


def test_json_for_machines(capsys):
    code, out, _ = arbosim(capsys, "run", "-s", "random,greedy", "-n", "20", "-j", "1", "-o", "run", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["run"], data["games"], data["errors"], data["seed"]) == ("run", 40, 0, 1)
    first = data["standings"][0]
    assert first["strategy"] == "greedy"
    assert first["low"] <= first["win_share"] <= first["high"]
    assert data["matrix"]["greedy"]["random"] == first["win_share"]
    assert data["first_seat"]["low"] <= data["first_seat"]["share"] <= data["first_seat"]["high"]
    again = json.loads(arbosim(capsys, "standings", "run", "--json")[1])
    assert again == data


def test_without_an_output_folder_the_run_gets_a_new_one(capsys):
    for _ in range(2):
        assert arbosim(capsys, "run", "-s", "random,greedy", "-n", "2", "-j", "1", "--quiet")[:2] == (0, "")
    assert len(list(Path("runs").iterdir())) == 2


def test_a_config_file_and_flags_over_it(capsys):
    Path("run.toml").write_text(
        'strategies = ["random", "greedy"]\ndeals = 5\nseed = 3\n[rules]\nhand_size = 6\n'
    )
    assert arbosim(capsys, "run", "--config", "run.toml", "-n", "4", "--set", "draws=1", "-o", "run")[0] == 0
    state = load("run").manifest
    assert (state.deals, state.seed, state.rules["hand_size"], state.rules["draws"]) == (4, 3, 6, 1)


def test_resume_and_extend_by_name_or_with_o(capsys):
    assert arbosim(capsys, "run", "-s", "random,greedy", "-n", "10", "-j", "1", "-o", "run")[0] == 0
    assert arbosim(capsys, "run", "--resume", "run")[0] == 0
    assert arbosim(capsys, "run", "-s", "random,greedy", "-n", "10", "-o", "run", "--resume")[0] == 0
    assert arbosim(capsys, "run", "--extend", "run", "-n", "20")[0] == 0
    assert arbosim(capsys, "run", "run", "--add", "hoarder", "-j", "1")[0] == 0
    assert (
        arbosim(capsys, "run", "-s", "hoarder,random,greedy", "-n", "20", "-j", "1", "-o", "direct")[0] == 0
    )
    assert load("run").digest == load("direct").digest


def test_mistakes_are_told_and_exit_1(capsys):
    code, out, err = arbosim(capsys, "run", "-s", "random,clumsy.py", "-n", "10", "-j", "1", "-o", "run")
    assert code == 1
    assert "forfeited; the first: clumsy.py in game 0-" in err
    assert "RuntimeError: no idea" in err
    assert "errors" in out
    code, _, err = arbosim(
        capsys, "run", "-s", "random,clumsy.py", "-n", "50", "-j", "1", "-o", "stopped", "--on-error", "stop"
    )
    assert code == 1
    assert "arbosim run --resume stopped goes on" in err
    assert arbosim(capsys, "run", "--resume", "run")[0] == 1


def test_every_nth_game_can_be_recorded(capsys):
    arguments = (
        "run",
        "-s",
        "random,greedy",
        "-n",
        "10",
        "-j",
        "2",
        "--record",
        "games.jsonl",
        "--record-every",
        "5",
    )
    assert arbosim(capsys, *arguments)[0] == 0
    records = [json.loads(line) for line in Path("games.jsonl").read_text().splitlines()]
    assert sorted(record["deal"] for record in records) == [0, 2, 5, 7]
    code, out, _ = arbosim(capsys, "replay", "games.jsonl")
    assert code == 0
    assert all(json.loads(line)["finished"] for line in out.splitlines())


RUN = ("run", "-s", "random,greedy", "-o", "run")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "-s", "random,greddy"), "did you mean 'greedy'"),
        (("run", "-s", "random,hoarder:kep=3"), "did you mean 'keep'"),
        (("run", "-s", "random"), "at least 2 different strategies, not 1"),
        (("run", "-s", "random,greedy,random"), "'random' is given twice"),
        (("run", "-s", "random,,greedy"), "a strategy is expected here"),
        (("run", "-s", ""), "a strategy is expected here"),
        (("run",), "no strategies are given"),
        ((*RUN, "-n", "0"), "--deals: must be greater than or equal to 1, not 0"),
        ((*RUN, "-n", "-5"), "--deals"),
        ((*RUN, "-n", "ten"), "--deals: 'ten' is not a whole number"),
        ((*RUN, "-p", "5"), "Arboretum is for 2 to 4 players, not 5"),
        ((*RUN, "-p", "1"), "2 to 4 players, not 1"),
        ((*RUN, "-j", "0"), "--jobs: must be at least 1, or -1"),
        ((*RUN, "--seed", "-1"), "a seed is"),
        ((*RUN, "--set", "hand_sice=6"), "did you mean 'hand_size'"),
        ((*RUN, "--set", "hand_size"), "--set"),
        ((*RUN, "--set", "hand_size=600"), "--rules or --set: hand_size is 600"),
        (
            (*RUN, "--rules", "standart"),
            "--rules or --set: unknown preset 'standart'; did you mean 'standard'",
        ),
        (("run", "-s", "random,greedy", "-o", "a" * 300), "--output: a name takes 250 bytes"),
        (("standings", "notes.py"), "'notes.py' holds no run: it is a file, not a folder"),
        ((*RUN, "--schedule", "gauntlett"), "did you mean 'gauntlet'"),
        ((*RUN, "--schedule", "gauntlet"), "needs --focus"),
        ((*RUN, "--schedule", "gauntlet", "--focus", "greddy"), "did you mean 'greedy'"),
        ((*RUN, "--on-error", "ignore"), "--on-error: unknown value 'ignore'"),
        ((*RUN, "--deal", "3"), "did you mean '--deals'"),
        ((*RUN, "--game", "arboretun"), "did you mean 'arboretum'"),
        ((*RUN, "--config", "run.toml"), "there is no file 'run.toml'"),
        ((*RUN, "--record", "."), "is a folder"),
        ((*RUN, "--record-every", "0"), "--record-every"),
        ((*RUN, "--deals-from", "-1"), "--deals-from"),
        (("run", "-s", "random,no.py", "-o", "run"), "there is no file 'no.py'"),
        (("run", "-s", "random,notes.py", "-o", "run"), "holds no strategy"),
        (("run", "-s", "random,slow.py", "-o", "slow.py"), "is a file, not a folder"),
        (("run", "elsewhere"), "unexpected argument 'elsewhere'"),
        (("run", "--resume"), "which run?"),
        (("run", "--resume", "elsewhere"), "holds no run"),
        (("run", "--extend", "a", "-o", "b", "-n", "5"), "two runs are named"),
        (("standings", "elsewhere"), "'elsewhere' holds no run"),
    ],
)
def test_wrong_input_exits_2_and_writes_nothing(capsys, arguments, message):
    Path("notes.py").write_text("x = 1\n")
    before = sorted(Path().rglob("*"))
    code, out, err = arbosim(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    after = sorted(path for path in Path().rglob("*") if "__pycache__" not in path.parts)
    assert after == [path for path in before if "__pycache__" not in path.parts]


def test_a_strategy_that_does_not_compile_is_refused_before_anything_is_written(capsys):
    Path("odd.py").write_text(
        "from arbosim.games.arboretum import api\n\n"
        '@api.strategy(name="odd")\ndef decide(table, seat):\n    """Odd."""\n    return {}["x"]\n'
    )
    code, out, err = arbosim(capsys, "run", "-s", "random,odd.py", "-o", "run", "-j", "1")
    assert (code, out) == (2, "")
    assert "strategy 'odd' cannot be compiled" in err
    assert not Path("run").exists()


def test_what_is_compiled_is_said_once(capsys):
    Path("new.py").write_text(
        "from arbosim.games.arboretum import api\n\n"
        f'@api.strategy(name="new")\ndef decide(table, seat):\n    """New {time.time()}."""\n'
        "    if api.phase(seat) == api.DRAW:\n        return api.draw(api.source(table, 0))\n"
        "    card = api.hand_card(seat, 0)\n    if api.phase(seat) == api.PLAY:\n"
        "        return api.play(card, api.open_cell(table, api.me(seat), 0))\n    return api.discard(card)\n"
    )
    arguments = ("run", "-s", "random,new.py", "-n", "3", "-j", "1")
    first = arbosim(capsys, *arguments)[2]
    assert "new" in first
    assert "which takes " in first
    assert "later runs start at once" in first
    assert arbosim(capsys, *arguments)[2] == ""


def test_a_second_run_into_the_same_folder_is_refused(capsys):
    assert arbosim(capsys, *RUN, "-n", "2", "-j", "1", "--quiet")[0] == 0
    before = {path: path.stat().st_mtime_ns for path in Path("run").rglob("*")}
    code, _, err = arbosim(capsys, *RUN, "-n", "2")
    assert code == 2
    assert "--resume or --extend" in err
    assert before == {path: path.stat().st_mtime_ns for path in Path("run").rglob("*")}


def started(*arguments: str) -> subprocess.Popen:
    """Start a run of its own in a new session, and wait until it has finished some games."""
    command = [sys.executable, "-m", "arbosim", "run", *arguments, "-o", "run"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not list(Path().glob("run/parts/m*")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    return process


@pytest.mark.parametrize(
    ("jobs", "strategies", "more"),
    [
        ("1", "random,greedy", 0.0),
        ("2", "random,greedy", 0.0),
        ("1", "random,slow.py", 0.0),
        ("2", "random,slow.py", 3.0),
    ],
)
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(capsys, jobs, strategies, more):
    process = started("-s", strategies, "-n", "100000000", "-j", jobs)
    time.sleep(more)  # until processes play
    pressed = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert time.monotonic() - pressed < 2.0
    assert "arbosim run --resume run" in err
    assert "Traceback" not in err
    results = load("run")
    assert results.manifest.status == "interrupted"
    assert results.summary.games == results.manifest.games > 0
    assert results.digest == results.manifest.digest
    assert not list(Path("run").rglob(".tmp-*"))
    code, out, _ = arbosim(capsys, "standings", "run")
    assert code == 0
    assert "unfinished" in out


def test_a_killed_run_resumes_to_the_digest_of_an_uninterrupted_one(capsys):
    process = started("-s", "random,slow.py,greedy", "-n", "40", "-j", "2")
    process.kill()
    process.communicate(timeout=30)
    assert load("run").manifest.status == "running"
    assert load("run").summary.games < 40 * 6
    Path("run/parts/.tmp-1-m00000-d0000000030-n9.parquet").write_bytes(b"half")
    assert arbosim(capsys, "run", "--resume", "run", "-j", "1")[0] == 0
    assert (
        arbosim(capsys, "run", "-s", "random,slow.py,greedy", "-n", "40", "-j", "1", "-o", "direct")[0] == 0
    )
    assert load("run").digest == load("direct").digest
    assert load("run").manifest.status == "finished"


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_a_run_whose_compiled_strategy_never_answers(tmp_path: Path, jobs: int) -> None:
    (tmp_path / "endless.py").write_text(
        "from arbosim.games.arboretum import api\n\n\n"
        '@api.strategy(name="endless")\n'
        "def decide(table, seat):\n"
        '    """Never answers."""\n'
        "    x = 0\n"
        "    while api.players(table) > 0:\n"
        "        x += 1\n"
        "    return api.draw(x)\n"
    )
    command = [
        sys.executable,
        "-m",
        "arbosim",
        "run",
        "-s",
        "random,endless.py",
        "-n",
        "5",
        "-j",
        str(jobs),
        "-o",
        "r",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "r" / "run.json").exists():
            time.sleep(0.05)
        time.sleep(1)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert "arbosim run --resume" in told
    assert time.monotonic() - start < 10  # it never ends by itself
