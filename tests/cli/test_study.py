"""`arbosim study` as people use it: output, exit codes, signals."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import arbosim
from arbosim.cli.main import main

STUDY = """
title = "Eights"
question = "Does the 8/1 rule matter?"
strategies = ["random", "greedy", "hoarder"]
deals = 30
seed = 7
metrics = ["score", "turns", "ban_cost"]
restricted = ["hoarder:discards"]

[variants]
"no eights" = { eight_rule = "off" }

[sweep]
draws = [1, 2]
"""
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
        return view.hand[-1]
'''


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("eights.toml").write_text(STUDY)
    return tmp_path


def study(capsys, *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["study", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_study_tells_what_changed_and_where_it_lies(capsys):
    code, out, err = study(capsys, "eights.toml", "-o", "runs/eights", "-j", "2")
    assert code == 0
    assert err == "" or err.startswith("Compiling")
    lines = out.splitlines()
    assert lines[:2] == ["Eights", "Does the 8/1 rule matter?"]
    for words in (
        "standard with eight_rule=off",
        "2 players, players as they are: ",
        "of 6 effects significant (5 %, Holm)",
        "1,200 in 6 runs".replace("1,200", f"{30 * 2 * (3 * 3 + 3):,}"),
        "30 deals, the same for each variant",
        "seed         7",
        "study        runs/eights",
        "As a page:   arbosim report runs/eights",
    ):
        assert words in out, words
    assert [line.split()[:2] for line in lines if line.startswith("draws=1  ")] == [
        ["draws=1", "standard"],
        ["draws=1", "score"],
        ["draws=1", "turns"],
    ]
    found = arbosim.load_study("runs/eights")
    assert found.command == "arbosim study eights.toml"
    code, again, _ = study(capsys, "--resume", "runs/eights")
    assert (code, again) == (0, out)


def test_json_for_machines(capsys):
    code, out, _ = study(capsys, "eights.toml", "-n", "10", "-p", "2,3", "--seed", "x", "-o", "s", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["study"], data["players"], data["deals"]) == ("s", [2, 3], 10)
    assert {(row["players"], row["variant"]) for row in data["effects"]} == {
        (players, variant) for players in (2, 3) for variant in ("no eights", "draws=1")
    }
    assert data["digest"] == arbosim.load_study("s").digest


def test_a_study_without_a_folder_is_named_after_its_file(capsys):
    assert study(capsys, "eights.toml", "-n", "2", "--quiet") == (0, "", "")
    [folder] = Path("runs").iterdir()
    assert folder.name.endswith("-eights-seed7")
    assert arbosim.load_study(folder).manifest.status == "finished"
    Path("droughts").mkdir()
    Path("eights.toml").rename("droughts/config.toml")
    assert study(capsys, "droughts/config.toml", "-n", "2", "--quiet")[0] == 0
    assert [path for path in Path("runs").iterdir() if path.name.endswith("-droughts-seed7")]


def test_flags_change_the_base_and_are_kept(capsys):
    flags = (
        "-n",
        "3",
        "-s",
        "random,greedy",
        "-s",
        "hoarder",
        "--rules",
        "renegade2018",
        "--set",
        "hand_size=6",
    )
    assert study(capsys, "eights.toml", *flags, "--deals-from", "5", "-o", "s", "--quiet")[0] == 0
    found = arbosim.load_study("s")
    assert found.variants["rules"].tolist() == [
        "renegade2018 with hand_size=6",
        "renegade2018 with hand_size=6, eight_rule=off",
        "renegade2018 with hand_size=6, draws=1",
    ]
    assert found.command == (
        "arbosim study eights.toml -n 3 --deals-from 5 -s random,greedy,hoarder --rules renegade2018 "
        "--set hand_size=6"
    )


def test_wrong_input_is_told_all_at_once_and_nothing_is_written(capsys):
    before = sorted(Path().rglob("*"))
    flags = ("-p", "2,9", "-s", "gredy,random", "--set", "hand_sise=5", "-n", "0", "--retune")
    code, out, err = study(capsys, "eights.toml", *flags)
    assert (code, out) == (2, "")
    for words in (
        "--deals: must be greater",
        "not 9",
        "unknown strategy 'gredy' in --strategies",
        "unknown rule 'hand_sise'",
        "--retune: no strategy of the pool",
    ):
        assert words in err, words
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "which study?"),
        (("none.toml",), "there is no file 'none.toml'"),
        (("eights.toml", "-p", "two"), "--players"),
        (("--resume", "none"), "holds no study"),
        (("--resume", "none", "-o", "other"), "two studies are named"),
        (("eights.toml", "--jobs", "0"), "--jobs: must be at least 1"),
    ],
)
def test_other_mistakes(capsys, arguments, words):
    code, out, err = study(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_a_file_names_itself_in_messages(capsys):
    Path("eights.toml").write_text(STUDY.replace("deals = 30", "deals = 0").replace("[1, 2]", "[]"))
    code, _, err = study(capsys, "eights.toml")
    assert code == 2
    assert "eights.toml, deals: must be" in err
    assert "eights.toml, sweep: 'draws' has no values" in err


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(capsys):
    Path("slow.py").write_text(SLOW)
    Path("slow.toml").write_text('strategies = ["random", "slow.py"]\ndeals = 20\nsweep.draws = [1, 2, 3]\n')
    command = [sys.executable, "-m", "arbosim", "study", "slow.toml", "-j", "1", "-o", "s"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not list(Path().glob("s/runs/*/parts/m*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Go on with:  arbosim study --resume s" in err
    assert "Traceback" not in err
    found = arbosim.load_study("s")
    assert found.manifest.status == "interrupted"
    assert 0 < found.manifest.games < 3 * 20 * 2
    assert "interrupted" in str(found)
    assert study(capsys, "--resume", "s", "-j", "2", "--quiet")[0] == 0
    whole = arbosim.load_study("s")
    assert whole.manifest.status == "finished"
    assert arbosim.study("slow.toml", jobs=2).digest == whole.digest


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "arbosim", "study", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(pattern: str) -> None:
    deadline = time.monotonic() + 60
    while not list(Path().glob(pattern)) and time.monotonic() < deadline:
        time.sleep(0.02)


def test_ctrl_c_before_anything_is_written_says_so():
    Path("slow.py").write_text(
        f"from pathlib import Path\nimport time\nPath('begun').touch()\ntime.sleep(9)\n{SLOW}"
    )
    Path("slow.toml").write_text('strategies = ["random", "slow.py"]\nsweep.draws = [1]\n')
    process = started("slow.toml", "-o", "s")
    wait_for("begun")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "Interrupted; nothing was written." in err
    assert not Path("s").exists()


def test_a_study_whose_strategy_never_answers_is_interrupted_all_the_same(capsys):
    Path("endless.py").write_text(
        "from arbosim.games.arboretum import api\n\n\n"
        '@api.strategy(name="endless")\n'
        "def decide(table, seat):\n"
        '    """Never answers."""\n'
        "    x = 0\n"
        "    while api.players(table) > 0:\n"
        "        x += 1\n"
        "    return api.draw(x)\n"
    )
    Path("endless.toml").write_text('strategies = ["random", "endless.py"]\ndeals = 2\nsweep.draws = [1]\n')
    process = started("endless.toml", "-j", "1", "-o", "s")
    wait_for("s/runs/*/run.json")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Go on with:  arbosim study --resume s" in err
    assert arbosim.load_study("s").manifest.status == "interrupted"


@pytest.mark.parametrize(
    "command", ["standings", "meta", "variance", "replay", "compare --resume", "run --resume"]
)
def test_a_study_where_a_run_is_asked_for_names_its_runs(capsys, command):
    assert study(capsys, "eights.toml", "-n", "2", "-o", "s", "--quiet")[0] == 0
    more = ["0-0-0"] if command == "replay" else []
    code = main([*command.split(), "s", *more])
    err = capsys.readouterr().err
    assert code == 2
    assert "'s' is a study, not a run; its runs are s/runs/2p-base, " in err


def test_keys_below_a_table_are_told_where_they_belong(capsys):
    Path("below.toml").write_text('strategies = ["random", "greedy"]\n[sweep]\ndraws = [1]\ndeals = 30\n')
    code, out, err = study(capsys, "below.toml")
    assert (code, out) == (2, "")
    assert (
        err
        == "arbosim: below.toml, sweep: 'deals' is a key of the study, and belongs above the first table\n"
    )
