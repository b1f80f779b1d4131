"""Programs of both dialects, each a process of its own: the example bots, and `arbosim bot`."""

import json
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arbosim.cli.main import INTERRUPTED, USER_ERROR, main
from arbosim.games.arboretum.dialects import DIALECTS
from arbosim.games.arboretum.probe import random_rules
from arbosim.games.arboretum.rules import Rules, make_rules
from arbosim.games.arboretum.seating import Seating
from tests.dialects.talks import Talk, engine_game, entrant

ROOT = Path(__file__).parents[2]
PYTHON_BOT, NODE_BOT = ROOT / "docs" / "bots" / "random_bot.py", ROOT / "docs" / "bots" / "random_bot.js"
PROGRAMS = ROOT / "tests" / "programs"
ANYONE = entrant("random")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="install node")


class Process:
    """A program that is asked line by line, and waited for."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        with self.process:  # closes its pipes
            pass

    def hear(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            if line.startswith("{"):  # other lines are passed over, as hackaranda does
                return json.loads(line)

    def end(self):
        _, told = self.process.communicate(timeout=20)
        return self.process.returncode, told


def bot(name, protocol):
    return Process(sys.executable, "-m", "arbosim", "bot", name, "--protocol", protocol)


def started(path):
    return Process(sys.executable if path.suffix == ".py" else "node", path)


def play(dialect, rules, hearers, deal=0):
    players = len(hearers)
    return Talk(dialect, rules, hearers, Seating(rules, [ANYONE] * players, range(players), 1, deal)).play()


@pytest.mark.parametrize("path", [PYTHON_BOT, pytest.param(NODE_BOT, marks=needs_node)])
@pytest.mark.parametrize("players", [2, 4])
def test_example_bots_play_by_any_rules(path, players):
    rng = random.Random(players)
    with started(path) as process:
        others = [DIALECTS["arbosim"].listener(entrant("greedy"), 0) for _ in range(players - 1)]
        for deal, rules in enumerate([Rules(), random_rules(players, rng), random_rules(players, rng)]):
            assert play("arbosim", rules, [process, *others], deal).finished
        assert play("arbosim", Rules(), [process] * players).finished
        assert process.end() == (0, "")


def test_the_example_in_python_repeats():
    games = []
    for _ in range(2):
        with started(PYTHON_BOT) as process:
            games.append(play("arbosim", Rules(), [process, process]).actions)
    assert games[0] == games[1]


@pytest.mark.parametrize("name", ["hackaranda_bot.py", pytest.param("hackaranda_bot.js", marks=needs_node)])
def test_bots_of_hackaranda_play(name):
    with started(PROGRAMS / name) as process, started(PROGRAMS / name) as other:
        for deal in range(3):
            assert play("hackaranda", Rules(), [process, other], deal).finished


def test_a_strategy_as_a_program_plays_the_engines_game():
    rules = make_rules(None, {"hand_size": 6})
    entrants = [entrant("greedy"), entrant("expert")]
    with bot("greedy", "arbosim") as process:
        other = DIALECTS["arbosim"].listener(entrants[1], 0)
        for deal in range(2):
            seating = Seating(rules, entrants, range(2), 1, deal)
            spoken = Talk("arbosim", rules, [process, other], seating).play()
            assert spoken.actions == engine_game(rules, entrants, deal=deal).actions
        assert process.end() == (0, "")


def test_a_strategy_as_a_bot_of_hackaranda_plays_whole_games():
    with bot("expert", "hackaranda") as process, started(PROGRAMS / "hackaranda_bot.py") as other:
        for deal in range(2):
            assert play("hackaranda", make_rules("renegade2018"), [process, other], deal).finished
        assert process.end() == (0, "")


HELLO = '{"type": "hello", "protocol": "arbosim", "version": 1, "game": "arboretum", "id": 1}\n'


def test_interrupts_and_closed_pipes_end_it_quietly():
    with bot("greedy", "arbosim") as process:
        process.hear(json.loads(HELLO))
        process.process.send_signal(signal.SIGINT)
        assert process.end() == (INTERRUPTED, "")
    with bot("greedy", "arbosim") as process:
        process.hear(json.loads(HELLO))
        process.process.stdout.close()
        process.process.stdin.write(HELLO)
        process.process.stdin.close()
        assert process.process.wait(timeout=20) == 1
        assert process.process.stderr.read() == ""


PRINTER = '''
from arbosim.games.arboretum import api


class Printer(api.Strategy):
    """Prints, and fails to play."""

    def draw(self, view):
        print("I draw")
        return "deck"

    def play(self, view):
        raise ValueError("no idea")

    def discard(self, view):
        return view.hand[0]
'''
IDLE = '{"state": {"message": "NEWGAME", "gameNumber": 1, "round": ""}, "messageID": "a"}\n'
HAND = [["J", value] for value in range(1, 9)] + [["C", 1]]
STATE = {
    "deck": 20,
    "hand": HAND,
    "opponentHand": [None] * 7,
    "discard": [],
    "opponentDiscard": [],
    "playArea": {},
    "opponentPlayArea": {},
    "turn": 0,
    "activeTurn": True,
}


def state(sub_turn):
    return json.dumps({"state": STATE | {"subTurn": sub_turn}, "messageID": f"{sub_turn}"}) + "\n"


@pytest.fixture
def run_bot(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "printer.py").write_text(PRINTER)

    def run(lines, *args):
        (tmp_path / "lines").write_text(lines)
        with (tmp_path / "lines").open() as file:
            monkeypatch.setattr(sys, "stdin", file)
            code = main(["bot", *args])
        told = capsys.readouterr()
        return code, [json.loads(line) for line in told.out.splitlines()], told.err

    return run


def test_what_a_strategy_prints_does_not_reach_the_framework(run_bot):
    code, answers, told = run_bot(IDLE + state(0), "printer.py", "--protocol", "hackaranda")
    assert (code, answers) == (0, [{"move": 0, "messageID": "a"}, {"move": 0, "messageID": "0"}])
    assert told == "I draw\n"


def test_a_failing_strategy_ends_a_bot_of_hackaranda(run_bot):
    code, answers, told = run_bot(IDLE + state(2), "printer.py", "--protocol", "hackaranda")
    assert (code, len(answers)) == (1, 1)
    assert told == "arbosim: printer.py makes no move: ValueError: no idea (printer.py, line 13)\n"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("hello\n", "line 1: no JSON object: Expecting value"),
        (HELLO + "\n[1]\n", "line 3: a message is a JSON object, not list"),
        (HELLO + '{"type": "helo", "id": 2}\n', "line 2: unknown type 'helo'; did you mean 'hello'?"),
        (HELLO.replace("1,", "7,"), "line 1: version: the other side says 7, not 1"),
        ("[" * 100_000 + "\n", "line 1: no JSON object: "),
    ],
)
def test_a_line_that_is_no_message_ends_it(run_bot, lines, reason):
    code, answers, told = run_bot(lines, "greedy", "--protocol", "arbosim")
    assert code == USER_ERROR
    assert told.startswith(f"arbosim: {reason}")
    assert len(answers) == lines.startswith(HELLO)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["greedy", "--protocol", "hackarand"], "unknown protocol 'hackarand' in --protocol; did you mean"),
        (["greedi", "--protocol", "arbosim"], "unknown strategy 'greedi' in STRATEGY; did you mean 'greedy'"),
        (["greedy", "--protocol", "arbosim", "--seed", "-1"], "a seed is"),
    ],
)  # fmt: skip
def test_wrong_settings_are_refused(run_bot, args, reason):
    code, answers, told = run_bot(HELLO, *args)
    assert (code, answers) == (USER_ERROR, [])
    assert reason in told


def test_the_seed_decides_the_chance_of_a_bot_of_hackaranda(run_bot):
    lines = "".join(IDLE + state(2) for _ in range(8))
    first, again, other = (
        run_bot(lines, "random", "--protocol", "hackaranda", "--seed", s)[1] for s in "112"
    )
    assert first == again != other
    assert len({json.dumps(answer["move"]) for answer in first}) > 2, "every game has a stream of its own"
