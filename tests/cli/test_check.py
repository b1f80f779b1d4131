import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arbosim.cli.main import USER_ERROR, main
from arbosim.cli.new import template
from arbosim.match import answering
from arbosim.match.conformance import run_checks
from tests import what_comes

ILLEGAL = '''
from arbosim.games.arboretum import api

class Stubborn(api.Strategy):
    """Draws from a pile that is not there."""

    def draw(self, view):
        return 9

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        return view.hand[0]
'''


def test_a_new_strategy_passes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(template("mine", "plain"))
    assert main(["check", "mine.py", "-n", "5", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["strategy"] == "mine.py"
    assert answer["ok"]
    assert all(check["ok"] for check in answer["checks"])


def test_a_mistake_is_told_in_words(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stubborn.py").write_text(ILLEGAL)
    assert main(["check", "stubborn.py", "-n", "5"]) == 1
    told = capsys.readouterr()
    # nothing moves where no one looks
    assert told.err == "checking stubborn.py, which takes a few minutes\n"
    shown = told.out
    assert "FAIL  legal" in shown
    assert shown.splitlines()[-1].startswith("stubborn.py fails ")
    for name in ("reproducible", "no peeking", "no state kept", "table untouched", "time"):
        assert re.search(rf"^-     {name} +not checked: ", shown, re.MULTILINE)
    for name in ("within its records", "advice"):
        assert re.search(rf"^-     {name} +does not apply: ", shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [("while True: pass", "gave no answer within 2 s"), ("import os; os._exit(3)", "ended with code 3")],
)
def test_who_never_answers_is_found_out_and_waited_for_no_longer(tmp_path, monkeypatch, capsys, wrong, text):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(answering, "SECONDS", 2.0)
    (tmp_path / "stuck.py").write_text(what_comes.text(f"{wrong}\n        return view.hand[-1]"))
    assert main(["check", "stuck.py"]) == 1
    shown = capsys.readouterr().out
    assert re.match(rf"FAIL  answers  {text}.* \(turn 1 of a game of 2\); nothing else was checked", shown)


def test_what_is_being_done_is_told(tmp_path):
    (tmp_path / "stubborn.py").write_text(ILLEGAL)
    told = []
    results = run_checks(str(tmp_path / "stubborn.py"), games=2, tell=told.append)
    assert told[0] == "playing in a process of its own"
    assert told[1] == "playing elsewhere, with sets in another order"
    assert told[-len(results) :] == [f"checking: {result.name}" for result in results]


def test_an_illegal_action_in_a_world_ends_the_game_and_not_the_patience(tmp_path):
    """Without the error a loop until the game in a world is over would never end."""
    page = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
    [ahead] = re.findall(r"^```python\n(# ahead\.py\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert ahead.count("return api.discard(lowest)") == 1
    (tmp_path / "ahead.py").write_text(ahead.replace("return api.discard(lowest)", "return api.discard(0)"))

    def shell(line):
        command = [sys.executable, "-m", "arbosim", *line.split()]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)

    reason = "ValueError: api.carry_out: the world does not allow this action"
    run = shell("run -s ahead.py:rollouts=1,random -n 1 -p 2 -j 1 -o run")
    assert run.returncode == 1
    assert "2 games forfeited; the first: ahead.py:rollouts=1" in run.stderr
    assert reason in run.stderr
    check = shell("check ahead.py:rollouts=1 -n 5 --json")
    assert check.returncode == 1
    found = {result["name"]: result for result in json.loads(check.stdout)["checks"]}
    assert [name for name, result in found.items() if not result["ok"]] == ["legal"]
    assert reason in found["legal"]["message"]
    assert not found["same without the compiler"]["made"]
    assert not found["within its records"]["made"]


def test_what_is_no_strategy_is_refused_before_any_work(capsys):
    assert main(["check", "nowhere.py"]) == USER_ERROR
    assert main(["check", "random", "-n", "0"]) == USER_ERROR
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "no file 'nowhere.py'" in shown.err
