import json
import re
from pathlib import Path

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


@pytest.fixture
def thinker(monkeypatch):
    """Let a strategy with a budget be one of those that are known."""
    found = registry.resolve(
        str(Path(__file__).parents[1] / "studies/planted/thinker.py"), "arboretum"
    ).strategy
    known = {**registry.strategies("arboretum"), found.name: found}
    monkeypatch.setattr(registry, "strategies", lambda game: known)
    return found.name


def test_the_quick_ones_alone(thinker, capsys):
    assert main(["strategies", "--names"]) == 0
    assert thinker in capsys.readouterr().out.strip().split(",")
    quick = [name for name, each in registry.strategies("arboretum").items() if not each.budgets]
    assert thinker not in quick
    assert main(["strategies", "--names", "--quick"]) == 0
    assert capsys.readouterr().out == ",".join(quick) + "\n"
    assert main(["strategies", "--json", "--quick"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)] == quick


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


def test_a_file_is_told_with_what_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some").mkdir()
    monkeypatch.chdir("some")
    assert main(["new", "orchard", "--plain"]) == 0
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parameters").mkdir()
    (tmp_path / "parameters" / "orchard@mine.toml").write_text("[parameters]\nkeep = 4\n")
    capsys.readouterr()
    assert main(["strategies", "some/orchard.py"]) == 0
    shown = capsys.readouterr().out
    examples = re.findall(r"(?:set|taken) as in (\S+)", shown)
    assert examples == ["some/orchard.py:keep=2", "some/orchard.py@mine"]
    specs = [registry.resolve(example, "arboretum").settings for example in examples]
    assert [settings["keep"] for settings in specs] == [2, 4]


def test_a_broken_set_spoils_nothing_else(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parameters").mkdir()
    (tmp_path / "parameters" / "balanced@broken.toml").write_text("[parameters]\nrivals = 'many'\n")
    (tmp_path / "parameters" / "balanced@sound.toml").write_text("[parameters]\nrivals = 1.5\n")
    assert main(["strategies", "balanced"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"    broken  cannot be used: .*balanced@broken.toml", shown)
    assert "    sound  rivals=1.5" in shown
    assert main(["strategies", "--json"]) == 0
    [balanced] = [each for each in json.loads(capsys.readouterr().out) if each["name"] == "balanced"]
    assert "balanced@broken.toml" in balanced["sets"]["broken"]["error"]
    assert balanced["sets"]["sound"] == {"rivals": 1.5}


def test_a_file_with_a_mistake_says_once_where_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text("import no_such_module\n")
    assert main(["strategies", "broken.py"]) == USER_ERROR
    assert capsys.readouterr().err.count("(broken.py, line 1)") == 1


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
