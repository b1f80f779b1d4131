"""`arbosim report STUDY` and `Study.report`: the page about a study that was really played."""

import json
import re
import shutil
import tomllib
from html import unescape
from pathlib import Path

import pytest

import arbosim
from arbosim.cli.main import USER_ERROR, main
from arbosim.core.errors import UserError

THINKER = str(Path(__file__).parents[1] / "studies" / "planted" / "thinker.py")
SETTINGS = {
    "title": "Hands",
    "question": "What does a hand of eight do?",
    "strategies": [THINKER, "random"],
    "variants": {"relabelled": {"species": "CDJLGO"}, "eight in hand": {"hand_size": 8}},
    "deals": 40,
    "seed": 5,
    "jobs": 1,
}
LOSER = '''
from arbosim.games.arboretum import api


class Loser(api.Strategy):
    """Gives up at once."""

    def draw(self, view):
        raise ValueError("no")

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        return view.hand[0]
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study") / "hands"
    arbosim.study(SETTINGS, restricted=True, trace=2, retune={"budget": 2000}, output=folder)
    assert main(["report", str(folder)]) == 0
    return folder


@pytest.fixture
def text(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


def test_the_effects_of_the_page_are_those_of_the_study(watched, folder):
    study = arbosim.load_study(folder)
    shown = watched(folder / "report.html")
    for section in ("restricted", "trace", "retuned"):
        assert shown.locator(f"#{section} h2").is_visible()
        assert shown.locator(f"#{section} tbody tr").count() > 0
    assert shown.locator("h1").inner_text() == "Arboretum: Hands"
    for _, row in study.effects.iterrows():
        here = f"[data-metric={row['metric']}][data-subject='{row['subject']}']"
        cells = shown.locator(f"#table tr{here} td[data-variant='{row['variant']}']")
        cell = cells.nth(int(row["pool"] == "retuned"))
        assert json.loads(cell.get_attribute("data-difference")) == row["difference"]
        assert (cell.get_attribute("data-significant") is not None) == row["significant"]
    told = shown.locator("#answer").inner_text()
    assert "relabelled changes nothing" in told
    assert re.search(r"Length of games: .* significant\..*\n+Under eight in hand lower: ", told)
    assert shown.locator("#varied [data-name=digest]").get_attribute("data-value") == study.digest
    assert study.command in shown.locator("#runs").inner_text()


def test_every_metric_that_was_measured_is_explained(text, folder):
    study = arbosim.load_study(folder)
    section = unescape(text[text.index('<section id="metrics"') :])
    for name in study.metrics["metric"].unique():
        metric = study.described[name]
        assert all(part in section for part in (metric.title, metric.meaning, metric.formula, metric.source))


def test_the_file_on_the_page_asks_for_the_same_study(watched, folder):
    study = arbosim.load_study(folder)
    shown = watched(folder / "report.html")
    shown.locator("#runs summary", has_text="as a file").click()
    asked = tomllib.loads(shown.locator("#runs [data-name=toml]").inner_text())
    few = {"deals": 2, "restricted": False, "trace": 0, "retune": False, "jobs": 1}
    assert arbosim.study({**asked, **few}).digest == arbosim.study(SETTINGS, deals=2).digest
    assert {name: asked[name] for name in ("deals", "seed", "trace")} == {"deals": 40, "seed": 5, "trace": 2}
    assert asked["restricted"] == study.manifest.restricted


def test_of_a_study_that_was_forfeited_nothing_is_said_to_stay_the_same(tmp_path):
    loser = tmp_path / "loser.py"
    loser.write_text(LOSER)
    with pytest.warns(UserWarning, match="forfeited: 48 games"):
        study = arbosim.study(
            strategies=[str(loser), "random"],
            variants={"eight": {"hand_size": 8}},
            deals=12,
            metrics=["first_seat"],
        )
    text = study.report(tmp_path / "lost.html").read_text(encoding="utf-8")
    assert "All games were forfeited by a mistake" in text
    assert "changes nothing" not in text
    assert "no difference at all" not in text


def test_it_asks_for_nothing_and_shows_no_number_that_is_none(text):
    assert re.findall(r"""(?:src|href)\s*=\s*["']?(?!#|data:)[^"'\s>]+""", text) == []
    assert not re.search(r"url\((?!#)|@import|fetch\(|XMLHttpRequest", text)
    assert not re.search(r">[^<]*\b(nan|NaN|None|inf)\b[^<]*<", text)


def test_it_replaces_a_report_but_no_other_file(folder, tmp_path, capsys):
    path = tmp_path / "index.html"
    path.write_text("mine")
    copy = shutil.copytree(folder, tmp_path / "copy")
    state = json.loads((copy / "study.json").read_text())
    (copy / "study.json").write_text(json.dumps(state | {"metrics": ["score"]}))
    assert main(["report", str(copy), "-o", str(path)]) == USER_ERROR
    assert path.read_text() == "mine"
    assert main(["report", str(copy), "-o", str(path), "--force"]) == 0
    assert arbosim.load_study(copy).report(path) == path
    assert "first-seat advantage" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--game", "0-0-0"], "--game: .* is a study, and games are shown by the reports of its runs"),
        (["-o", "missing/report.html"], "there is no folder 'missing'"),
        (["-o", "."], "is a folder"),
    ],
)
def test_a_mistake_exits_2_and_writes_nothing(arguments, told, folder, tmp_path, monkeypatch, capsys):
    copy = shutil.copytree(folder, tmp_path / "copy", ignore=shutil.ignore_patterns("report.html"))
    monkeypatch.chdir(tmp_path)
    assert main(["report", str(copy), *arguments]) == USER_ERROR
    shown = capsys.readouterr()
    assert shown.out == ""
    assert re.search(told, shown.err)
    assert [path.name for path in tmp_path.rglob("*.html")] == []


def test_a_run_of_a_study_has_an_ordinary_report(folder, tmp_path):
    run = next((folder / "runs").iterdir())
    assert main(["report", str(run), "-o", str(tmp_path / "run.html"), "--game", "0-0-0"]) == 0
    assert 'id="standings"' in (tmp_path / "run.html").read_text(encoding="utf-8")


def test_a_study_in_memory_needs_a_path(tmp_path):
    study = arbosim.study(SETTINGS, deals=1, metrics=["score", "ties"])
    with pytest.raises(UserError, match="needs a path"):
        study.report()
    text = study.report(tmp_path / "one.html").read_text(encoding="utf-8")
    assert "A program played it, so no command line does so again." in text
    assert "Too few deals to tell" in text
    assert not re.search(r">[^<]*\b(nan|NaN|None|inf)\b[^<]*<", text)
