"""Bots and isolation on the command line and in TOML files: flags, exit codes, Ctrl-C, and the way back."""

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arbosim.cli.main import main
from arbosim.lab import load
from tests import what_comes

ROGUE = Path(__file__).parents[1] / "programs" / "rogue.py"
COMMAND = f"{sys.executable} rogue.py"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bots").mkdir()
    Path("bots/rogue.py").write_text(ROGUE.read_text())
    Path("lazy.py").write_text(what_comes.text())
    return tmp_path


def arbosim(capsys, *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def flags(how: str = "", protocol: str = "hackaranda") -> list[str]:
    command = f"maple={COMMAND} {protocol} {how}"
    return ["--bot", command, "--bot-dir", "maple=bots", "--protocol", f"maple={protocol}"]


def test_flags_and_a_file_say_the_same(capsys):
    code, out, _ = arbosim(
        capsys, "run", "-s", "hoarder", *flags(), "-n", "3", "-j", "1", "-o", "one", "--json"
    )
    assert code == 0
    Path("two.toml").write_text(
        f"""
        strategies = ["hoarder"]
        deals = 3
        jobs = 1
        output = "two"
        move_timeout = 2
        [bots.maple]
        command = "{COMMAND} hackaranda"
        dir = "bots"
        protocol = "hackaranda"
        """
    )
    assert arbosim(capsys, "run", "--config", "two.toml")[0] == 0
    one, two = load("one"), load("two")
    assert json.loads(out)["digest"] == one.digest
    assert one.manifest.bots == two.manifest.bots
    assert one.manifest.line_ups == two.manifest.line_ups == [["hoarder", "maple"]]
    again = shlex.split(one.command)
    assert main([*again[1:], "-j", "1", "-o", "three"]) == 0
    assert load("three").manifest.bots == one.manifest.bots


def test_standings_replays_and_reports_know_bots(capsys):
    assert (
        arbosim(capsys, "run", "-s", "hoarder", *flags("die 30"), "-n", "2", "-j", "1", "-o", "run")[0] == 1
    )
    code, out, _ = arbosim(capsys, "standings", "run")
    assert code == 0
    assert "maple" in out
    assert "were played by processes of their own" in out
    results = load("run")
    forfeited = results.errors[0]["game"]
    code, out, _ = arbosim(capsys, "replay", "run", forfeited)
    assert code == 0
    assert "ended with code 3" in out
    assert arbosim(capsys, "report", "run")[0] == 0
    page = Path("run/report.html").read_text()
    assert "ended with code 3" in page
    assert "crashed" in page


def test_random_moves_are_told_and_are_no_failure(capsys):
    given = ["-n", "1", "-j", "1", "-o", "run", "--on-error", "random-move", "--move-timeout", "5s"]
    code, out, err = arbosim(capsys, "run", "-s", "hoarder", *flags("illegal 5"), *given)
    assert code == 0
    assert "random" in out
    assert "made by chance after mistakes; the first: maple in game 0-0-0" in err
    code, out, _ = arbosim(capsys, "standings", "run", "--json")
    rows = {row["strategy"]: row for row in json.loads(out)["standings"]}
    assert rows["maple"]["random_moves"] == len(load("run").errors) > 0
    assert rows["hoarder"]["random_moves"] == 0


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (["--bot", "maple"], "--bot: is written NAME=command, not 'maple'"),
        (["--bot", "maple=", "-s", "random"], "--bot: is written NAME=command"),
        (["--bot-dir", "maple=bots"], "unknown bot 'maple' in --bot-dir"),
        ([*flags(), "--protocol", "mapel=arbosim"], "did you mean 'maple'"),
        ([*flags(), "--bot", "maple=python3"], "--bot: 'maple' is given twice"),
        ([*flags(), "--bot-shell", "oak"], "unknown bot 'oak' in --bot-shell"),
        (
            [*flags(protocol="hackarnda")],
            "unknown protocol 'hackarnda' in bot 'maple'; did you mean 'hackaranda'",
        ),
        ([*flags(), "-p", "3", "-s", "greedy"], "2 players"),
        ([*flags(), "--set", "draws=1"], "a turn has 2 draws, not 1"),
        ([*flags(), "--move-timeout", "0"], "--move-timeout"),
        ([*flags(), "--move-timeout", "soon"], "--move-timeout: 'soon' is not a number"),
        ([*flags(), "--on-error", "random"], "did you mean 'random-move'"),
        (["--bot", f"maple={sys.executable} -c 'import sys; sys.exit(4)'"], "ended with code 4"),
        (["--bot", "maple=python3 'x"], "no closing quotation"),
        (["-s", "greedy", "--isolate"], "--isolate: is about players in processes of their own"),
    ],
)
def test_wrong_flags_are_refused(capsys, here, wrong, text):
    before = sorted(here.rglob("*"))
    code, out, err = arbosim(capsys, "run", "-s", "random", *wrong, "-n", "1", "-o", "run")
    assert code == 2
    assert text in err
    assert out == ""
    assert sorted(here.rglob("*")) == before


def test_no_shell_reads_a_command_unless_it_is_to(capsys):
    command = f"oak={COMMAND} arbosim fine 1 > /dev/null; echo $HOME"
    assert (
        arbosim(capsys, "run", "-s", "random", "--bot", command, "--bot-dir", "oak=bots", "-n", "1")[0] == 0
    )
    command = f"oak=exec {COMMAND} arbosim fine $((1 + 1))"
    given = ["--bot", command, "--bot-dir", "oak=bots", "--bot-shell", "oak", "-o", "run", "-j", "1"]
    assert arbosim(capsys, "run", "-s", "random", *given, "-n", "1")[0] == 0
    assert load("run").manifest.bots["oak"].shell


def test_a_changed_bot_does_not_go_on_with_a_run(capsys):
    assert arbosim(capsys, "run", "-s", "hoarder", *flags(), "-n", "1", "-j", "1", "-o", "run")[0] == 0
    assert arbosim(capsys, "run", "--extend", "run", "-n", "2", "-j", "1")[0] == 0
    with Path("bots/rogue.py").open("a") as file:
        file.write("# another one\n")
    code, _, err = arbosim(capsys, "run", "--extend", "run", "-n", "3", "-j", "1")
    assert code == 2
    assert "another source of strategy 'maple'" in err
    assert load("run").manifest.games == 4


def test_what_goes_on_must_be_what_began(capsys):
    assert arbosim(capsys, "run", "-s", "hoarder", *flags(), "-n", "1", "-j", "1", "-o", "run")[0] == 0
    before = Path("run/run.json").read_text()
    for change, text in (
        (["--move-timeout", "1"], "move timeout None, not 1.0"),
        (["--isolate"], "isolate False, not True"),
        (["--on-error", "random-move"], "on error 'forfeit', not 'random-move'"),
    ):
        code, _, err = arbosim(capsys, "run", "--extend", "run", "-n", "2", "-j", "1", *change)
        assert code == 2
        assert text in err
    assert Path("run/run.json").read_text() == before


def test_more_bots_join_and_the_run_knows_the_others(capsys):
    assert arbosim(capsys, "run", "-s", "hoarder", *flags(), "-n", "1", "-j", "1", "-o", "run")[0] == 0
    command = ["--add", "oak", "--bot", f"oak={COMMAND} arbosim", "--bot-dir", "oak=bots"]
    assert arbosim(capsys, "run", "run", *command, "-j", "1")[0] == 0
    assert load("run").manifest.bots.keys() == {"maple", "oak"}
    assert load("run").manifest.games == 6


def test_a_command_that_was_edited_is_refused_and_not_run(capsys, here):
    assert arbosim(capsys, "run", "-s", "hoarder", *flags(), "-n", "1", "-j", "1", "-o", "run")[0] == 0
    path = Path("run/run.json")
    path.write_text(path.read_text().replace(f"{COMMAND} hackaranda", "touch bad"))
    code, _, err = arbosim(capsys, "run", "--extend", "run", "-n", "2", "-j", "1")
    assert code == 2
    assert "its command or a file of it has changed since" in err
    assert not (here / "bots/bad").exists()


def test_a_file_that_is_a_bot_is_no_strategy(capsys, monkeypatch):
    code, _, err = arbosim(capsys, "run", "-s", "bots/loop.py,random", "-n", "1")
    assert code == 2
    Path("bots/loop.py").write_text("import sys\nfor line in sys.stdin:\n    print(line)\n")
    code, _, err = arbosim(capsys, "run", "-s", "bots/loop.py,random", "-n", "1")
    assert code == 2
    assert """a program that plays is given as --bot NAME="python bots/loop.py\"""" in err


def test_a_bot_joins_a_run(capsys):
    assert arbosim(capsys, "run", "-s", "hoarder,random", "-n", "1", "-j", "1", "-o", "run")[0] == 0
    code, _, err = arbosim(capsys, "run", "--add", "maple", *flags(), "run", "-n", "1", "-j", "1")
    assert (code, err) == (0, "")
    assert load("run").manifest.line_ups == [["hoarder", "random"], ["hoarder", "maple"], ["maple", "random"]]
    assert load("run").manifest.keeps_actions == {1, 2}


def test_ctrl_c_ends_a_run_and_its_bots_and_it_goes_on(here):
    """The bot hangs after its first deal, which is some 100 decisions, with ten minutes to think."""
    Path("bots/since").write_text("130")
    command = ["run", "-s", "hoarder", *flags("file"), "-n", "3", "-j", "1", "-o", "run"]
    run = subprocess.Popen(
        [sys.executable, "-m", "arbosim", *command, "--move-timeout", "600"],
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while run.poll() is None and not list(here.glob("run/parts/m*")) and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(1)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "arbosim run --resume run" in err
    assert load("run").manifest.status in ("interrupted", "running")
    until = time.monotonic() + 10
    while _alive(here):
        assert time.monotonic() < until, "its bots are gone as well"
        time.sleep(0.1)
    Path("bots/since").write_text("1000000")
    assert main(["run", "--resume", "run", "-j", "1"]) == 0
    assert load("run").manifest.games == 6


def _alive(folder: Path) -> bool:
    """Tell whether a process runs in a folder."""
    for process in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if process.readlink() == folder / "bots":
                return True
        except OSError:
            continue
    return False
