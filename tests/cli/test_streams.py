"""Standard streams that are closed, full or narrow, names that are no text, and strategies that print."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

NOISY = '''"""A strategy that talks."""
from arbosim.games.arboretum import api

print("noise")


class Noisy(api.Strategy):
    """Talk."""

    def draw(self, view):
        print("noise")
        return next(iter(view.sources))

    def play(self, view):
        import sys
        sys.stdout.close()
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        return view.hand[-1]
'''
RUN = "run -s random,greedy -n 1 -j 1"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("noisy.py").write_text(NOISY)
    return tmp_path


def shell(line: str, **environment: str) -> subprocess.CompletedProcess:
    """Run a shell line in which `arbosim` is the command."""
    command = f'arbosim() {{ "{sys.executable}" -m arbosim "$@"; }}; {line}'
    done = subprocess.run(
        ["bash", "-c", command],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        errors="replace",
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("arbosim strategies >&-", 0, ""),
        (f"arbosim {RUN} <&- >&- 2>&-", 0, ""),
        ("arbosim score - <&-", 2, "there is no JSON in it"),
        ("arbosim frob 2>&-", 2, ""),
        ("arbosim frob 2>/dev/full", 2, ""),
        ("arbosim strategies >/dev/full", 2, "standard output cannot be written: No space left on device"),
        ("arbosim play random greedy >/dev/full", 2, "standard output cannot be written"),
        (f"arbosim {RUN} >/dev/full", 2, "standard output cannot be written"),
        ("arbosim play random greedy | true; exit ${PIPESTATUS[0]}", 1, ""),
        (f"arbosim {RUN} -o /proc/x", 2, "the folder '/proc/x' cannot be written"),
        (f"arbosim {RUN} -o noisy.py/x", 2, "the folder 'noisy.py/x' cannot be written: Not a directory"),
        (f"arbosim {RUN} --record /dev/full", 2, "--record: '/dev/full' cannot be written"),
        (f"arbosim {RUN} --record /proc/x", 2, "--record: '/proc/x' cannot be written"),
        ("arbosim replay /proc/self/mem", 2, "cannot be read"),
        (f"ulimit -f 0; arbosim {RUN} -o run", 2, "the folder 'run' cannot be written: File too large"),
    ],
)
def test_streams_and_places_that_take_nothing(line, code, message):
    done = shell(line)
    assert done.returncode == code
    assert message in done.stderr


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}])
@pytest.mark.parametrize("name", ["$'o\\xff'", "ü", "a:b", "s3:/x", "'~'"])
def test_a_run_folder_may_have_any_name(name, locale):
    assert shell(f"arbosim {RUN} -o {name}", **locale).returncode == 0
    assert shell(f"arbosim run --resume {name}", **locale).returncode == 0
    done = shell(f"arbosim standings --json {name}", **locale)
    assert json.loads(done.stdout)["status"] == "finished"


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}])
def test_a_strategy_file_may_have_any_name(locale):
    assert (
        shell(
            "cp noisy.py $'n\\xff.py'; arbosim run -s random,$'n\\xff.py' -n 1 -j 1 -o run", **locale
        ).returncode
        == 0
    )
    assert shell("arbosim run --resume run", **locale).returncode == 0
    assert shell("arbosim play random $'n\\xff.py'", **locale).returncode == 0


def test_a_seed_that_is_no_text_is_refused():
    done = shell(f"arbosim {RUN} --seed $'\\xff' -o run")
    assert done.returncode == 2
    assert "has bytes that are no character" in done.stderr
    assert not Path("run").exists()


@pytest.mark.parametrize("columns", ["0", "1", "20"])
def test_tables_and_help_can_be_read_in_a_narrow_place(columns):
    lines = shell("arbosim strategies", COLUMNS=columns).stdout.splitlines()
    assert any(line.startswith("monochrome") and "verified" in line for line in lines)
    assert "--deals-from" in shell("arbosim run --help", COLUMNS=columns).stdout
    assert "Seat 0" in shell("arbosim play random greedy", COLUMNS=columns).stdout


@pytest.mark.parametrize(
    "line",
    [
        "play noisy.py random --json",
        "run -s noisy.py,random -n 2 -j 1 --json",
        "bench -s noisy.py -p 2 --seconds 0.05 --json",
        "strategies noisy.py --json",
    ],
)
def test_what_strategies_print_is_no_part_of_an_answer(line):
    done = shell(f"arbosim {line}")
    assert done.returncode == 0
    assert json.loads(done.stdout)
    assert "noise" in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("run -n ten", "--deals: 'ten' is not a whole number"),
        ("run -n ٣", "--deals: '٣' is not a whole number"),
        ("run -j 1_0", "--jobs: '1_0' is not a whole number"),
        ("bench -p x", "--players: 'x' is not a whole number"),
        ("check greedy -n 0", "--games: must be at least 1, not 0"),
        ("play random greedy --deal -1", "--deal: must be at least 0, not -1"),
        ("run -s random,hoarder:keep=1_0", "parameter 'keep' takes a whole number"),
        ("run -s random,hoarder:keep=٣", "parameter 'keep' takes a whole number"),
        ("run -s random,greedy --seed 1_0", "a seed is"),
        ("rules --set hand_size=٣", "hand_size is '٣'"),
        ("run -s random,greedy -o ''", "--output: must be the name of a folder"),
    ],
)
def test_numbers_are_refused_by_flag_and_value(line, message):
    done = shell(f"arbosim {line}", PYTHONUTF8="1")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_strategy_is_refused_where_it_was_given():
    assert shell("arbosim run -s random,noisy.py -n 1 -j 1 -o run").returncode == 0
    assert "--add: there is no file 'frob.py'" in shell("arbosim run run --add frob.py").stderr
    assert "unknown strategy 'frob' in --add" in shell("arbosim run run --add frob").stderr
    Path("run.toml").write_text("strategies = ['random', 'frob']")
    assert "'frob' in run.toml, strategies" in shell("arbosim run --config run.toml").stderr
    Path("noisy.py").unlink()
    assert "run/run.json, strategies: there is no file 'noisy.py'" in shell("arbosim run --resume run").stderr


def test_a_second_process_is_refused_at_once():
    first = subprocess.Popen(
        [sys.executable, "-m", "arbosim", *RUN.replace("-n 1 ", "-n 100000000 ").split(), "-o", "run"]
    )
    try:
        while not list(Path().glob("run/parts/m*")):
            assert first.poll() is None
            time.sleep(0.05)
        done = shell(
            "timeout 20 arbosim run run --add hoarder".replace("arbosim", f"{sys.executable} -m arbosim", 1)
        )
    finally:
        first.kill()
        first.wait()
    assert done.returncode == 2
    assert "another process is playing the run 'run'" in done.stderr
