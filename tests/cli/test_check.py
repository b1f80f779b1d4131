import json

from arbosim.cli.main import USER_ERROR, main
from arbosim.cli.new import template

ILLEGAL = '''
from arbosim.games.arboretum import api

class Stubborn(api.Strategy):
    """Draws from a pile that is not there."""

    def draw(self, view):
        return 3

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
    shown = capsys.readouterr().out
    assert "FAIL  legal" in shown
    assert shown.splitlines()[-1].startswith("stubborn.py fails ")


def test_what_is_no_strategy_is_refused_before_any_work(capsys):
    assert main(["check", "nowhere.py"]) == USER_ERROR
    assert main(["check", "random", "-n", "0"]) == USER_ERROR
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "no file 'nowhere.py'" in shown.err
