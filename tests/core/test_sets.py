"""Named parameter sets: files that stand for values, wherever a strategy can be named."""

import json
import pickle
from pathlib import Path

import pytest

import arbosim
from arbosim.cli.main import main
from arbosim.core import registry, sets
from arbosim.core.errors import UserError

TEXT = """strategy = "hoarder"
note = "a test"
[parameters]
keep = 4
grip = 0.75
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("parameters").mkdir()
    Path("parameters/hoarder@tight.toml").write_text(TEXT)
    return tmp_path


def resolve(text):
    return registry.resolve(text, "arboretum", "-s")


def test_a_set_stands_for_its_values_and_settings_go_before_it():
    plain, tight, wide = (
        resolve(text) for text in ("hoarder", "hoarder@tight", "hoarder@tight:keep=5:safe=5")
    )
    assert tight.settings == plain.settings | {"keep": 4, "grip": 0.75}
    assert tight.spec == "hoarder@tight"
    assert wide.settings == plain.settings | {"keep": 5, "grip": 0.75}
    assert wide.spec == "hoarder@tight:keep=5"  # what is as in the set is left out


def test_a_path_names_a_set_too():
    Path("mine.toml").write_text(TEXT)
    assert resolve("hoarder@mine.toml").values == resolve("hoarder@tight").values


def test_what_is_written_is_read_again():
    strategy = resolve("hoarder").strategy
    values = {"keep": 3, "grip": 0.123456, "discards": False}
    text = sets.text(strategy, values, command='arbosim tune "x"', note="two\nlines")
    Path("parameters", sets.file_name("hoarder", "again")).write_text(text)
    assert sets.load(strategy, "again") == values
    assert set(sets.known(strategy)) == {"again", "tight"}


def test_an_entrant_keeps_its_values_without_the_file():
    tight = resolve("hoarder@tight")
    packed = pickle.dumps(tight)
    Path("parameters/hoarder@tight.toml").unlink()
    assert pickle.loads(packed).values == tight.values


@pytest.mark.parametrize(
    ("text", "given", "reason"),
    [
        ("hoarder@tigth", None, "unknown parameter set of hoarder 'tigth' in -s; did you mean 'tight'"),
        (
            "greedy@tight",
            None,
            "unknown parameter set of greedy 'tight' in -s; none was found; a set is a file greedy@tight.toml, "
            "looked for in 'parameters' and in '",
        ),
        ("hoarder@other.toml", None, "there is no file 'other.toml'"),
        ("hoarder@", None, "the name of a parameter set"),
        ("hoarder@tight", "[parameters]\nkep = 3\n", "did you mean 'keep'"),
        ("hoarder@tight", "[parameters]\nkeep = 300\n", "from 1 to 12, not 300"),
        ("hoarder@tight", 'strategy = "greedy"\n[parameters]\n', "a set of 'greedy', not of 'hoarder'"),
        ("hoarder@tight", "keep = 3\n", "unknown key 'keep'"),
        ("hoarder@tight", "[parameters\n", "is not valid TOML"),
        ("hoarder@tight", "parameters = 3\n", "a table [parameters] is missing"),
    ],
)
def test_wrong_sets_are_refused(text, given, reason, capsys):
    if given is not None:
        Path("parameters/hoarder@tight.toml").write_text(given)
    with pytest.raises(UserError) as error:
        resolve(text)
    assert reason in str(error.value)
    assert main(["run", "-s", f"random,{text}", "-n", "1", "-o", "run"]) == 2
    assert not Path("run").exists()


def test_a_run_names_the_set_and_goes_on_with_it_only():
    results = arbosim.run(["random", "hoarder@tight", "hoarder"], deals=4, jobs=1, output="run")
    records = json.loads(Path("run/run.json").read_text())["strategies"]
    values = {record["spec"]: record["parameters"] for record in records}
    assert values["hoarder@tight"]["keep"] == 4
    assert set(results.standings()["strategy"]) == {"random", "hoarder@tight", "hoarder"}
    assert results.extend(6, jobs=2).summary.games == 36
    spelt_out = arbosim.run(["random", "hoarder:keep=4:grip=0.75", "hoarder"], deals=6, jobs=1)
    assert results.extend(6).seats["score"].sum() == spelt_out.seats["score"].sum()
    Path("parameters/hoarder@tight.toml").write_text(TEXT.replace("4", "5"))
    with pytest.raises(UserError, match="its parameter set has changed since"):
        arbosim.load("run").extend(8)


def test_the_command_line_shows_the_sets(capsys):
    assert main(["strategies", "hoarder"]) == 0
    assert "tight  keep=4 grip=0.75" in capsys.readouterr().out
    assert main(["strategies", "hoarder", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sets"]["tight"] == {"keep": 4, "grip": 0.75}
