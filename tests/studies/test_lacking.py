"""Runs that lack games: nothing is concluded from them, and it is said."""

import json
import shutil
from pathlib import Path

import pytest

import arbosim

ASKED = {
    "strategies": ["greedy", "hoarder", "random"],
    "deals": 20,
    "seed": 7,
    "restricted": True,
    "variants": {"one": {"draws": 1}, "off": {"eight_rule": "off"}},
}
DUEL = "@without-hoarder-discards"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return arbosim.study(ASKED, jobs=1, output=tmp_path_factory.mktemp("whole") / "study")


@pytest.fixture
def folder(whole, tmp_path):
    return shutil.copytree(whole.folder, tmp_path / "study")


def interrupted(folder, name, kept):
    """Leave so many files of a run, as after Ctrl-C."""
    run = folder / "runs" / name
    for part in sorted((run / "parts").iterdir())[kept:]:
        part.unlink()
    changed(run / "run.json", lambda state: state.update(status="interrupted", games=40 * kept))

    def mark(state):
        state["status"] = "interrupted"
        [record] = [each for each in state["runs"] if each["name"] == name]
        record.update(status="interrupted", games=40 * kept)

    changed(folder / "study.json", mark)


def changed(file: Path, change):
    state = json.loads(file.read_text())
    change(state)
    file.write_text(json.dumps(state))


def same(some, other):
    return some.reset_index(drop=True).equals(other.reset_index(drop=True))


def test_a_run_that_is_not_finished_is_compared_with_nothing(whole, folder):
    interrupted(folder, "2p-one", 1)
    found = arbosim.load_study(folder)
    assert set(found.effects["variant"]) == {"off"}
    for frame in ("metrics", "strategies"):
        kept = getattr(whole, frame)
        assert same(getattr(found, frame), kept[kept["variant"] != "one"])
    assert list(found.incomplete) == ["2p-one"]
    note = f"2p-one (40 of 120 games); arbosim study --resume {folder} plays them"
    assert any(note in each for each in found.notes)
    assert note in str(found)
    assert note in found._repr_html_()
    assert note in found.report().read_text()
    assert note in found.to_json()["notes"][0]
    assert ", interrupted" in str(found)


def test_a_run_without_games_is_not_counted(folder):
    interrupted(folder, "2p-one", 0)
    found = arbosim.load_study(folder)
    assert f"in {len(found.runs) - 1} runs, interrupted" in str(found)
    assert "2p-one (not begun)" in str(found)
    assert f"in {len(found.runs) - 1} runs" in found.report().read_text()


def test_a_duel_that_is_not_finished_says_nothing_of_its_own(whole, folder):
    interrupted(folder, f"2p-one{DUEL}", 0)
    found = arbosim.load_study(folder)
    is_left_out = (whole.metrics["variant"] == "one") & (whole.metrics["metric"] == "ban_cost")
    assert is_left_out.sum() == 1
    assert same(found.metrics, whole.metrics[~is_left_out])
    assert set(found.effects.query("metric == 'ban_cost'")["variant"]) == {"off"}


def test_without_the_base_nothing_is_compared(folder):
    interrupted(folder, "2p-base", 2)
    found = arbosim.load_study(folder)
    assert found.effects.empty
    assert set(found.metrics["variant"]) == {"one", "off"}
    assert "no effects yet" in str(found)


@pytest.mark.parametrize("what", ["a part", "the folder"])
def test_games_that_a_finished_study_has_lost_are_missing_as_well(whole, folder, what):
    run = folder / "runs" / "2p-one"
    if what == "the folder":
        shutil.rmtree(run)
    else:
        next((run / "parts").iterdir()).unlink()
    found = arbosim.load_study(folder)
    assert set(found.effects["variant"]) == {"off"}
    told = (
        "2p-one (0 games, others are lost)"
        if what == "the folder"
        else "2p-one (80 of 120 games, others are lost)"
    )
    for text in (str(found), found.report().read_text()):
        assert told in text
        assert "finished, but 1 run has lost games" in text
    assert arbosim.study(output=folder, resume=True, jobs=1).effects.equals(whole.effects)


def test_of_several_doublings_all_are_needed(tmp_path):
    thinker = str(Path(__file__).parent / "planted" / "thinker.py")
    asked = {"strategies": [thinker, "random"], "deals": 12, "seed": 1, "trace": 3, "sweep": {"draws": [1]}}
    found = arbosim.study(asked, jobs=1, output=tmp_path / "study", metrics=["skill_trace"])
    assert set(found.metrics["variant"]) == {"base", "draws=1"}
    interrupted(found.folder, "2p-draws=1@doubled-thinker-2", 0)
    again = arbosim.load_study(found.folder)
    assert set(again.metrics["variant"]) == {"base"}
    assert again.effects.empty


BROKEN = '''
"""It does what it may not."""
from arbosim.games.arboretum import api

class Broken(api.Strategy):
    """Break."""

    def draw(self, view):
        return "nothing"

    play = discard = draw
'''


def test_games_that_were_all_forfeited_say_nothing_of_the_rules(tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN)
    with pytest.warns(UserWarning, match="forfeited"):
        found = arbosim.study(
            strategies=[str(tmp_path / "broken.py")],
            schedule="self-play",
            deals=12,
            sweep={"draws": [1]},
            jobs=1,
            output=tmp_path / "study",
        )
    assert found.manifest.errors == found.manifest.games
    page = found.report().read_text()
    assert "exactly 0" not in page
    assert "changes nothing" not in page
    told = "ll games were forfeited by a mistake, so nothing is known of the rules: 2p-base, 2p-draws=1"
    assert f"A{told}" in page
    assert f"a{told}" in str(found)
