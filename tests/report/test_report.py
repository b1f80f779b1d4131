"""`arbosim report` and `Results.report`: which file they write, and which they leave alone."""

import base64
import hashlib
import json
import re
import shlex
import shutil
from html import unescape
from importlib.resources import files

import pytest

import arbosim
from arbosim.cli.main import USER_ERROR, main
from arbosim.core.errors import UserError
from arbosim.report import replays
from tests.report.nasty import NASTY, SOURCE

MEGABYTE = 1_000_000


def copied(run, folder):
    shutil.copytree(run, folder, ignore=shutil.ignore_patterns("report.html"))
    return folder


def test_it_lies_in_the_run_folder_unless_told_otherwise(run, results, tmp_path, capsys):
    folder = copied(run, tmp_path / "run")
    assert main(["report", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder / 'report.html'}\n"
    assert results.report(tmp_path / "mine.html") == tmp_path / "mine.html"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.html", "run"]


def test_it_replaces_a_report_but_no_other_file(run, results, tmp_path, capsys):
    path = tmp_path / "index.html"
    path.write_text("<p>mine</p>")
    with pytest.raises(UserError, match="is no report"):
        results.report(path)
    assert path.read_text() == "<p>mine</p>"
    assert main(["report", str(run), "-o", str(path)]) == USER_ERROR
    assert main(["report", str(run), "-o", str(path), "--force"]) == 0
    assert main(["report", str(run), "-o", str(path)]) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "there is no such folder"),
        (["RUN", "--game", "0-99-0"], "the run has no game 0-99-0"),
        (["RUN", "--game", "third"], "MATCH-DEAL-ROTATION"),
        (["RUN", "-o", "."], "is a folder"),
        (["RUN", "-o", "missing/report.html"], "there is no folder 'missing'"),
    ],
)
def test_a_mistake_exits_2_and_writes_nothing(arguments, told, run, tmp_path, monkeypatch, capsys):
    folder = copied(run, tmp_path / "run")
    monkeypatch.chdir(tmp_path)
    assert main(["report", *(str(folder) if word == "RUN" else word for word in arguments)]) == USER_ERROR
    shown = capsys.readouterr()
    assert shown.out == ""
    assert told in shown.err
    assert not (folder / "report.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_results_in_memory_need_a_path(tmp_path):
    results = arbosim.run(["random", "greedy"], deals=2, jobs=1)
    with pytest.raises(UserError, match="needs a path"):
        results.report()
    assert "Arboretum: greedy, random" in results.report(tmp_path / "report.html").read_text()


def test_nothing_in_it_leads_away(run):
    text = (run / "report.html").read_text(encoding="utf-8")
    assert (
        re.findall(r"""(?:src|href)\s*=\s*["']?(?!#|data:)[^"'\s>]+""", re.sub(r"&lt;.*?&gt;", "", text))
        == []
    )
    assert not re.search(r"url\((?!#)|@import|fetch\(|XMLHttpRequest", text)
    script = (files("arbosim.report") / "assets" / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'" in unescape(text)


def test_the_games_of_a_report_take_some_hundred_kilobytes_each(run):
    size = (run / "report.html").stat().st_size
    games = (run / "report.html").read_text(encoding="utf-8").count("data-game=")
    assert games >= 4
    assert size < 0.5 * MEGABYTE * games


def test_the_command_plays_the_same_games_again(results, capsys):
    words = shlex.split(results.command)
    assert words[0] == "arbosim"
    assert main([*words[1:], "--json", "-o", "twin"]) == 1  # games are forfeited again
    assert json.loads(capsys.readouterr().out)["digest"] == results.digest


def test_games_of_a_changed_strategy_are_told_not_shown(run, tmp_path, monkeypatch):
    folder = copied(run, tmp_path / "run")
    file = tmp_path / NASTY
    file.parent.mkdir()
    file.write_text(SOURCE + "\n# changed\n")
    monkeypatch.chdir(tmp_path)
    text = arbosim.load(folder).report().read_text(encoding="utf-8")
    assert "has changed since the run, so its games cannot be played again" in unescape(text)
    assert "digest" in text


def test_an_unfinished_run_says_so(run, tmp_path, place, monkeypatch):
    folder = copied(run, tmp_path / "run")
    monkeypatch.chdir(place)
    state = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(state | {"status": "running", "finished": None}))
    parts = sorted((folder / "parts").iterdir())
    parts[-1].unlink()
    text = arbosim.load(folder).report().read_text(encoding="utf-8")
    found = re.search(r"Unfinished \(running\): (\d+) of 144 games are in this report", text)
    assert found is not None
    assert int(found[1]) == arbosim.load(folder).totals.games < 144
    for part in parts[:-1]:
        part.unlink()
    text = arbosim.load(folder).report().read_text(encoding="utf-8")
    assert "There is no game to show." in text
    assert "Unfinished (running): 0 of 144 games" in text
    assert ">nan<" not in text.lower()


def test_a_game_is_shown_once_with_all_its_reasons(results):
    first = replays.choose(results, [])
    assert len({shown.game for shown in first}) == len(first)
    kinds = [kind for shown in first for kind, _ in shown.reasons]
    assert kinds.count("swing") == 2
    assert set(kinds) == {"closest", "highest", "swing", "typical"}
    asked = replays.choose(results, [first[0].game, "0-0-0", "0-0-0"])
    assert [shown.game for shown in asked] == list(dict.fromkeys([*(shown.game for shown in first), "0-0-0"]))


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_have_a_report(players, tmp_path):
    results = arbosim.run(["random"] * 1, deals=3, players=players, schedule="self-play", jobs=1)
    text = results.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.count('class="seat"') == players * text.count("data-game=")
