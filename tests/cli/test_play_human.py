"""`arbosim play --human`, as a person at a terminal and as a script through a pipe."""

import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arbosim.cli.main import main

ADVISER = Path(__file__).parents[1] / "match" / "planted" / "adviser.py"
GAME = ["greedy", "--adviser", str(ADVISER), "--seed", "5", "--set", "species=5", "--record", "game.json"]
ANY = "?\n1\n" * 200
CONTROLLING = """import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"""
"""A program that makes its standard input the terminal whose keys interrupt it."""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def play(*args, given=b""):
    done = subprocess.run([sys.executable, "-m", "arbosim", "play", *args], input=given, capture_output=True)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err
    return done.returncode, out, err


def record():
    return json.loads(Path("game.json").read_text())


class Terminal:
    """A game at a terminal."""

    def __init__(self, *args):
        self.seen = ""
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", CONTROLLING, "-m", "arbosim", "play", *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
        )
        os.close(slave)

    def wait_for(self, text, count=1, seconds=120):
        """Read until a text has been shown so many times."""
        end = time.monotonic() + seconds
        while self.seen.count(text) < count:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, self.seen
            try:
                self.seen += os.read(self.master, 4096).decode(errors="replace")
            except OSError:  # the other side is closed
                break
        return self.seen

    def type(self, keys):
        os.write(self.master, keys.encode())

    def end(self):
        self.wait_for("\0")  # which never comes
        os.close(self.master)
        return self.process.wait(timeout=60)


def test_a_whole_game_with_hints_and_review():
    code, out, err = play("--human", *GAME, given=ANY.encode())
    assert code == 0
    assert err == "" or err.startswith("Compiling")
    assert out.startswith("Seed 5, deal 0. The game is kept in game.json.\n")
    assert "\x1b" not in out
    assert "> ?\nWhat " in out  # what is typed is seen in a transcript
    assert re.search(r"Seat 0 you: \d+ points?, \d species", out)
    assert "would have chosen as you did" in out
    kept = record()
    assert (kept["seed"], kept["strategies"]) == (5, ["human", "greedy"])
    done = subprocess.run(
        [sys.executable, "-m", "arbosim", "replay", "game.json"], capture_output=True, check=True
    )
    assert json.loads(done.stdout)["finished"]
    # a finished game is shown once more, with its review
    code, again, _ = play("--resume", "game.json", "--adviser", str(ADVISER))
    assert code == 0
    end = out.index("The game is over")
    assert again.endswith(out[end:])
    assert record() == kept


def test_wrong_moves_are_found_in_the_review():
    worst = "".join(f"?\n{number}\n" for number in (8, 7, 6, 5, 4, 3, 2, 1)) * 150
    code, out, _ = play("--human", *GAME, given=worst.encode())
    assert code == 0
    told = out[out.index("The result that it expected dropped most") :]
    turns = re.findall(r"^  turn (\d+): -(\d+\.\d)$", told, re.MULTILINE)
    assert len(turns) == 3
    costs = [float(cost) for _, cost in turns]
    assert costs == sorted(costs, reverse=True)
    assert re.search(r"^    you: .+; \S*adviser.py: .+ \(-\d+\.\d\)$", told, re.MULTILINE)
    rows = re.findall(r"^ +\d+ +([+-]\S+) +([+-]\S+) +([+-]\S+)$", out, re.MULTILINE)
    expected = [float(row[0]) for row in rows] + [float(re.search(r"^   end +(\S+)$", out, re.MULTILINE)[1])]
    for (before, choices, others), after in zip(rows, expected[1:], strict=True):
        assert float(before) + float(choices) + float(others) == pytest.approx(after)  # as it is shown
    total = float(re.search(r"your choices cost (\d+\.\d) points in all", out)[1])
    assert total >= sum(costs) - 0.2


def test_a_game_left_in_several_ways_goes_on_to_the_same_end():
    play("--human", *GAME, given=ANY.encode())
    whole = record()
    Path("game.json").unlink()
    code, out, _ = play("--human", *GAME, given=b"?\n1\nquit\n")
    assert code == 0
    assert out.endswith("The game is kept. Go on with:  arbosim play --resume game.json\n")
    assert len(record()["actions"]) == 1
    code, out, _ = play("--resume", "game.json", "--adviser", str(ADVISER), given=b"?\n1\n?\n1\n?\n1\n")
    assert code == 0
    assert "nothing more to read; the game is kept" in out
    done = len(record()["actions"])
    assert done == 8  # the other one has had its turn
    code, out, err = play("--resume", "game.json", "--adviser", str(ADVISER), given=ANY.encode())
    assert (code, err) == (0, "")
    assert "Turn 2, seat 1 greedy: " in out
    assert record() == whole


def test_garbage_never_ends_or_changes_the_game():
    rng = random.Random(3)
    letters = [byte for byte in range(256) if byte not in b"\r\n"]
    lines = [bytes(rng.choices(letters, k=rng.randint(12, 60))) for _ in range(300)]
    lines += [
        b"play",
        b"undo",
        b"1" * 400,
        b"C1 9999999999999999999 0",
        b"[red]",
        b"\0",
        b"help",
        b"deck deck",
    ]
    code, out, _ = play("--human", *GAME, given=b"\n".join(lines) + b"\n")
    assert code == 0
    assert "Nothing can be taken back" in out
    assert record()["actions"] == []
    # and the game can still be played
    code, out, _ = play("--resume", "game.json", "--adviser", str(ADVISER), given=ANY.encode())
    assert code == 0
    assert "The game is over" in out


def test_ctrl_c_and_ctrl_d_at_a_terminal_keep_the_game():
    terminal = Terminal("--human", *GAME)
    terminal.wait_for("> ")
    terminal.type("deck\n")
    terminal.wait_for("> ", count=2)
    assert "\x1b[" in terminal.seen  # in colour
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "Interrupted; the game is kept. Go on with:  arbosim play --resume game.json" in terminal.seen
    assert record()["actions"] == [["draw", "deck"]]
    terminal = Terminal("--resume", "game.json", "--adviser", str(ADVISER))
    terminal.wait_for("> ")
    terminal.type("?\n")
    terminal.wait_for("What ")
    terminal.wait_for("> ", count=2)
    terminal.type("\x04")
    assert terminal.end() == 0
    assert record()["actions"] == [["draw", "deck"]]


def test_a_killed_game_is_kept():
    terminal = Terminal("--human", *GAME)
    terminal.wait_for("> ")
    terminal.type("deck\n")
    terminal.wait_for("> ", count=2)
    os.kill(terminal.process.pid, signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL
    assert record()["actions"] == [["draw", "deck"]]


CHEAT = """from arbosim.games.arboretum import api


class Cheat(api.Strategy):
    \"\"\"Lay what it does not hold.\"\"\"

    def draw(self, view):
        return "deck"

    def play(self, view):
        return view.unseen[0], view.open_cells[0]

    def discard(self, view):
        return view.hand[0]
"""


def test_a_mistake_of_a_strategy_ends_the_game_and_is_explained():
    Path("cheat.py").write_text(CHEAT)
    code, out, _ = play("--human", "cheat.py", *GAME[1:], given=ANY.encode())
    assert code == 1
    assert "Turn 2, seat 1 cheat.py: draws a card from the deck, draws a card from the deck\n" in out
    assert "Seat 1 cheat.py forfeits the game in turn 2: " in out
    assert record()["forfeit"]["turn"] == 2
    assert play("--resume", "game.json", "--adviser", str(ADVISER))[0] == 1


SILENT = CHEAT.replace("return view.unseen[0], view.open_cells[0]", "return None")


@pytest.mark.parametrize("others", [["silent.py"], ["random", "silent.py"]])
def test_a_mistake_before_the_first_decision_of_the_person(others):
    Path("silent.py").write_text(SILENT)
    seat = str(len(others))
    code, out, err = play("--human", *others, "--seat", seat, *GAME[1:], given=b"d\nquit\n")
    assert (code, "Traceback" in err) == (1, False)
    assert re.search(r"silent.py forfeits the game in turn \d: ", out)
    assert "No review: the game ended before you had anything to decide." in out
    code, again, err = play("--resume", "game.json", "--adviser", str(ADVISER))
    assert (code, err) == (1, "")
    assert "No review: the game ended before you had anything to decide." in again


def test_commands_are_offered_for_words_that_mean_nothing_alone():
    _, out, _ = play("--human", *GAME, given=b"mine\nhnt\nquit\n")
    assert "> mine\nyour discard pile is empty; type deck or pile 1\n" in out
    assert re.search(r"^'hnt' is no place to draw from;.*; or did you mean `hint`\?$", out, re.MULTILINE)


@pytest.mark.parametrize("resumed", [False, True])
def test_nothing_is_promised_where_nothing_can_be_written(resumed):
    args = ["--human", *GAME]
    if resumed:
        play(*args, given=b"d\nquit\n")
        args = ["--resume", "game.json", "--adviser", str(ADVISER)]
    Path(".tmp-game.json").mkdir()  # in the way of the file that becomes the record
    code, out, err = play(*args, given=b"d\n")
    assert (code, out) == (2, "")
    assert "arbosim: game.json: this cannot be written: " in err


def test_what_could_not_be_written_is_not_called_kept():
    ruin = CHEAT.replace(
        'return "deck"', 'Path(".tmp-game.json").mkdir(exist_ok=True)\n        return "deck"'
    )
    Path("ruin.py").write_text(f"from pathlib import Path\n{ruin}".replace("view.unseen", "view.hand"))
    code, out, err = play("--human", "ruin.py", "--seat", "1", *GAME[1:], given=b"quit\n")
    assert code == 0
    assert "warning: the game is not kept: game.json: this cannot be written" in err
    assert out.endswith("kept as far as it could be written. Go on with:  arbosim play --resume game.json\n")
    assert record()["actions"] == []


def test_a_dangling_link_is_no_folder_for_games():
    Path("games").symlink_to("nowhere")
    code, out, err = play("--human", "greedy")
    assert (code, out) == (2, "")
    assert "--record: 'games' is no folder" in err


def test_every_game_is_another_one_and_has_a_file_of_its_own():
    seeds = {
        re.match(r"Seed (\d+)", play("--human", "greedy", "random", "--seat", "2")[1])[1] for _ in range(2)
    }
    assert len(seeds) == 2
    files = list(Path("games").iterdir())
    assert len(files) == 2
    assert {str(json.loads(file.read_text())["seed"]) for file in files} == seeds
    assert json.loads(files[0].read_text())["strategies"] == ["greedy", "random", "human"]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--human"], "STRATEGIES: name the strategies"),
        (["--human", "gredy"], "unknown strategy 'gredy' in STRATEGIES; did you mean 'greedy'"),
        (["greedy", "gredy"], "unknown strategy 'gredy' in STRATEGIES; did you mean 'greedy'"),
        (["--human", "greedy", "--set", "hand_size=99"], "--set: hand_size is 99; accepted"),
        (["greedy", "greedy", "--set", "handsize=6"], "--set: unknown rule 'handsize'"),
        (["--human", "greedy", "--rules", "renegade"], "--rules: unknown preset 'renegade'"),
        (["--human", "greedy", "--record", ""], "--record: give the name of a file, not ''"),
        (["greedy", "greedy", "--record", ""], "--record: give the name of a file, not ''"),
        (["--resume", ""], "--resume: give the name of a file, not ''"),
        (["--human", "greedy", "--record", "a" * 300], "--record: a name takes 250 bytes"),
        (["greedy", "greedy", "--record", "a/" * 3000], "--record: a path of 5,999 bytes is too long"),
        (["--resume", "a" * 300], "--resume: a name takes 250 bytes"),
        (["--human", *["greedy"] * 4], "1 to 3 strategies against a person, not 4"),
        (["--human", "greedy", "--json"], "--json: "),
        (["--human", "greedy", "--seat", "2"], "--seat: seats are 0 to 1 here, not 2"),
        (["--human", "greedy", "--adviser", "random"], "--adviser: 'random' does not say what it expects"),
        (["--human", "greedy", "--record", "nowhere/game.json"], "there is no folder 'nowhere'"),
        (["--human", "greedy", "--record", "there.json"], "'there.json' is there already"),
        (["greedy", "random", "--seat", "1"], "--seat: this belongs to --human"),
        (["--resume", "there.json", "--seed", "3"], "--seed: --resume goes on with the game as it is"),
        (["--resume", "there.json"], "there.json"),
        (["--resume", "gone.json"], "there is no such file"),
        ([], "STRATEGIES: name the strategies"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(args, reason, capsys):
    Path("there.json").write_text("{}")
    code = main(["play", *args])
    shown = capsys.readouterr()
    assert (code, shown.out) == (2, "")
    assert reason in shown.err
    assert [path.name for path in Path().iterdir()] == ["there.json"]
