"""The command line that plays a run again."""

import json
import shlex

import pytest

import arbosim
from arbosim.cli.main import main


@pytest.mark.parametrize(
    "settings",
    [
        {"strategies": ["random", "greedy"], "seed": "a text", "deals": 2, "deals_from": 3},
        {
            "strategies": ["random", "hoarder:keep=3"],
            "schedule": "gauntlet",
            "focus": "greedy",
            "strict": True,
        },
        {"strategies": ["random"], "schedule": "self-play", "players": 3, "rules": "renegade2018"},
        {"strategies": ["random", "greedy"], "rules": {"hand_size": 6, "eight_rule": "off"}},
    ],
)
def test_it_plays_the_same_games(settings, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    results = arbosim.run(jobs=1, **{"deals": 2, **settings})
    words = shlex.split(results.command)
    assert words[:2] == ["arbosim", "run"]
    capsys.readouterr()
    assert main([*words[1:], "-j", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == results.digest
