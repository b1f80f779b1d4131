import json

import pytest

from arbosim.cli.main import USER_ERROR, main
from arbosim.core import registry


def test_all_strategies_are_listed(capsys):
    assert main(["strategies"]) == 0
    shown = capsys.readouterr().out
    for name in registry.strategies("arboretum"):
        assert name in shown


def test_the_names_alone(capsys):
    assert main(["strategies", "--names"]) == 0
    assert capsys.readouterr().out == ",".join(registry.strategies("arboretum")) + "\n"


def test_the_list_for_machines(capsys):
    assert main(["strategies", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [strategy["name"] for strategy in listed] == list(registry.strategies("arboretum"))
    for strategy in listed:
        assert strategy["idea"]
        assert strategy["status"] in ("verified", "experimental")
        for parameter in strategy["parameters"]:
            assert parameter["meaning"]
            assert parameter["kind"] in ("switch", "whole", "number")


@pytest.mark.parametrize("flag", ["--plain", "--compiled"])
def test_a_new_strategy_is_one_at_once(flag, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "long_walk", flag]) == 0
    text = (tmp_path / "long_walk.py").read_text()
    assert "my_idea" not in text
    assert "MyIdea" not in text
    entrant = registry.resolve("long_walk.py:keep=3", "arboretum")
    assert (entrant.strategy.name, entrant.spec) == ("long_walk", "long_walk.py:keep=3")
    assert entrant.strategy.kind == ("python" if flag == "--plain" else "compiled")
    capsys.readouterr()
    assert main(["strategies", "long_walk.py"]) == 0
    shown = capsys.readouterr().out
    assert "keep=2  cards of my strongest species that stay in hand; a whole number from 0 to 10" in shown


def test_nothing_is_overwritten(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("precious")
    assert main(["new", "mine"]) == USER_ERROR
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "mine.py").read_text() == "precious"


@pytest.mark.parametrize(
    "name", ["my-idea", "3_steps", "../mine", "", "class", "_", "_mine", "random", "numpy", "é"]
)
def test_a_name_that_would_not_work_is_refused(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", name]) == USER_ERROR
    assert repr(name) in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
