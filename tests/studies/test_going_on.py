"""Studies that go on, whatever was cut off, swapped or named in another order; and players that tuning makes alike."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import arbosim
from arbosim.core.errors import UserError

LEVER = str(Path(__file__).parent / "planted" / "lever.py")
ROAMER = '''
import os

from arbosim.games.arboretum import api


class Roamer(api.Strategy):
    """Goes to another folder as soon as it plays."""

    name = "roamer"
    parameters = (api.Parameter("which", 1, 1, 5, "of its cards", tune=True),)

    def draw(self, view):
        os.chdir(ELSEWHERE)
        return next(iter(view.sources))

    def play(self, view):
        return view.hand[self.params.which % len(view.hand)], view.open_cells[0]

    def discard(self, view):
        return view.hand[0]
'''
SMALL = {
    "strategies": ["greedy", "hoarder", "random"],
    "deals": 3,
    "seed": 7,
    "jobs": 1,
    "variants": {"a": {"hand_size": 6}, "b": {"draws": 3}},
}
TUNED = {
    "strategies": ["hoarder", "hoarder:keep=3", "random"],
    "deals": 3,
    "jobs": 1,
    "sweep": {"hand_size": [6]},
    "retune": {"budget": 120, "strategies": ["hoarder:keep=3", "hoarder"], "against": ["random"]},
}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return arbosim.study(SMALL, output=tmp_path_factory.mktemp("small") / "study")


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    pytest.importorskip("cmaes")
    return arbosim.study(TUNED, output=tmp_path_factory.mktemp("tuned") / "study")


@pytest.fixture
def copy(small, tmp_path):
    return Path(shutil.copytree(small.folder, tmp_path / "study"))


def test_of_players_that_tuning_makes_alike_one_stays_as_it_is(tmp_path):
    pytest.importorskip("cmaes")
    two = f"{LEVER}:v=2"
    asked = {
        "strategies": [LEVER, two, "random"],
        "deals": 5,
        "seed": 1,
        "jobs": 1,
        "sweep": {"draws": [3]},
        "retune": {"budget": 6000, "against": ["random"]},
    }
    found = arbosim.study(asked, output=tmp_path / "study")
    specs = {(each.variant, each.strategy): each.spec for each in found.manifest.tunings}
    alike = [variant for variant in ("base", "draws=3") if specs[variant, LEVER] == specs[variant, two]]
    assert alike
    for variant in ("base", "draws=3"):
        note = f"2p-{variant}: {two} is not re-tuned, as it would be the same as {specs[variant, LEVER]}"
        assert (note in found.manifest.notes) == (variant in alike)
        [record] = [each for each in found.runs if each.name == f"2p-{variant}@retuned"]
        if variant in alike:
            assert record.stands_for == {specs[variant, LEVER]: LEVER}
    assert set(found.strategies["strategy"]) == {LEVER, two, "random"}
    again = arbosim.study(output=tmp_path / "study", resume=True)
    assert (again.digest, again.manifest.notes) == (found.digest, found.manifest.notes)


def test_a_strategy_that_lands_on_one_that_is_not_tuned_stays_as_it_is():
    from arbosim.studies import config, plan, retune
    from arbosim.studies.problems import Problems

    asked = {"strategies": [f"{LEVER}:v={v}" for v in (1, 2, 3, 4)], "sweep": {"draws": [3]}, "retune": True}
    problems = Problems()
    planned = plan.plan(config.settings(asked, {}, problems), problems)
    pool = [entrant.spec for entrant in planned.pool]
    for values, expected in (
        ([3, 1, 2, 5], [3, 1, 2, 5]),  # each the values of another, and yet all different
        ([4, 2, 3, 4], [1, 2, 3, 4]),
        ([2, 3, 4, 4], [1, 2, 3, 4]),  # one that stays takes the place of another
        ([5, 5, 5, 5], [5, 2, 3, 4]),
    ):
        found = {spec: {"v": value} for spec, value in zip(pool, values, strict=True)}
        piece, notes = retune.piece(planned, 2, planned.variants[0], found)
        assert [each.settings["v"] for each in piece.strategies] == expected
        changed = [old for old, new in zip(pool, expected, strict=True) if found[old]["v"] != new]
        assert sorted(note.split()[1] for note in notes) == changed


KILLED = """
import os, signal, sys
from arbosim.cli.main import main

real, left = os.fsync, int(sys.argv[1])
def fsync(handle):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    real(handle)
os.fsync = fsync
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("write", [1, 2, 12])  # of study.json, of a run.json, of a tuning
def test_a_study_that_was_killed_at_a_write_goes_on(tuned, tmp_path, write):
    file, folder = tmp_path / "study.json", tmp_path / "study"
    shutil.copy(tuned.folder / "study.json", file)
    command = [sys.executable, "-c", KILLED, str(write), "study", str(file), "-j", "1", "--quiet"]
    killed = subprocess.run([*command, "-o", str(folder)], check=False, timeout=100)
    assert killed.returncode == -signal.SIGKILL
    assert list(folder.rglob(".tmp-*")) or write > 2
    assert arbosim.study(TUNED, output=folder, resume=True).digest == tuned.digest


@pytest.mark.parametrize("how", ["missing", "cut off"])
def test_a_run_without_games_and_its_file_begins_anew(small, copy, how):
    run = copy / "runs" / "2p-a"
    file = run / "run.json"
    text = file.read_text()[:100]
    file.unlink()
    if how == "cut off":
        file.write_text(text)
    with pytest.raises(UserError, match=r"delete the folder '.*2p-a', and this run begins anew"):
        arbosim.study(output=copy, resume=True)
    for part in (run / "parts").iterdir():
        part.unlink()
    assert arbosim.study(output=copy, resume=True).digest == small.digest


def test_a_tuning_whose_file_is_lost_begins_anew_if_nothing_was_played(tuned, tmp_path):
    copy = Path(shutil.copytree(tuned.folder, tmp_path / "study"))
    tuning = copy / "tunings" / "2p-base@hoarder"
    state = json.loads((copy / "study.json").read_text())
    state["tunings"] = []
    (copy / "study.json").write_text(json.dumps(state))
    (tuning / "tune.json").write_text("{")
    with pytest.raises(UserError, match=r"delete the folder '.*2p-base@hoarder', and this tuning begins"):
        arbosim.study(output=copy, resume=True)
    for journal in tuning.glob("*.jsonl"):
        journal.unlink()
    assert arbosim.study(output=copy, resume=True).digest == tuned.digest


def test_a_run_that_is_not_the_one_of_the_record_is_refused(copy, tmp_path):
    other = arbosim.study({**SMALL, "seed": 8}, output=tmp_path / "other")
    shutil.rmtree(copy / "runs" / "2p-a")
    shutil.copytree(other.folder / "runs" / "2p-a", copy / "runs" / "2p-a")
    with pytest.raises(UserError, match=r"is not that of study\.json"):
        arbosim.load_study(copy).results("a")
    shutil.rmtree(copy / "runs")
    shutil.copytree(other.folder / "runs", copy / "runs")
    state = json.loads((copy / "study.json").read_text())
    state["seed"] = other.seed  # so that nothing but the digests tells
    (copy / "study.json").write_text(json.dumps(state))
    with pytest.raises(UserError, match=r"is not that of study\.json"):
        arbosim.study(output=copy, resume=True)


@pytest.mark.parametrize("lost", [False, True])
def test_rows_of_another_finished_run_are_refused_on_resuming(copy, lost):
    parts = copy / "runs" / "2p-a" / "parts"
    first, *others = sorted(parts.iterdir())
    shutil.copy(copy / "runs" / "2p-base" / "parts" / first.name, first)
    if lost:
        others[0].unlink()
    for _ in range(2):
        with pytest.raises(UserError, match="are not those of run"):
            arbosim.study(output=copy, resume=True)


def test_the_order_in_which_things_are_named_makes_no_other_study(small, tuned, tmp_path):
    turned = {**SMALL, "variants": dict(reversed(SMALL["variants"].items()))}
    assert arbosim.study(turned, output=small.folder, resume=True).digest == small.digest
    names = {"strategies": ["hoarder", "hoarder:keep=3"]}
    asked = {**TUNED, "retune": {**TUNED["retune"], **names}}
    assert arbosim.study(asked, output=tuned.folder, resume=True).digest == tuned.digest
    assert arbosim.study(asked).digest == tuned.digest
    apart = arbosim.study(SMALL, paired=False, output=tmp_path / "apart")
    with pytest.raises(UserError, match="its variants in another order"):
        arbosim.study(turned, paired=False, output=apart.folder, resume=True)


def test_a_strategy_that_goes_to_another_folder_takes_nothing_along(tmp_path, monkeypatch):
    pytest.importorskip("cmaes")
    monkeypatch.chdir(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    Path("roamer.py").write_text(ROAMER.replace("ELSEWHERE", repr(str(elsewhere))))
    study = {
        "strategies": ["roamer.py", "random"],
        "deals": 2,
        "jobs": 1,
        "sweep": {"draws": [3]},
        "retune": {"budget": 100},
    }
    found = arbosim.study(study, output="study")
    assert found.manifest.status == "finished"
    assert not found.strategies.empty
    arbosim.tune(
        "roamer.py", against="random", budget=80, confirm=2, jobs=1, name="x", keep=True, output="tuning"
    )
    assert Path.cwd() == tmp_path
    assert list(elsewhere.iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {
        "elsewhere", "parameters", "roamer.py", "study", "tuning"
    }  # fmt: skip
    assert [path.name for path in Path("parameters").iterdir()] == ["roamer@x.toml"]


def test_a_study_is_played_again_only_with_what_played_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = Path("roamer.py")
    file.write_text(ROAMER.replace("ELSEWHERE", repr(str(tmp_path))))
    asked = {"strategies": ["roamer.py", "random"], "deals": 2, "jobs": 1, "sweep": {"draws": [3]}}
    first = arbosim.study(asked, output="study")
    assert arbosim.study("study/study.json").digest == first.digest
    file.write_text(file.read_text().replace("view.hand[0]", "view.hand[-1]"))
    with pytest.raises(UserError, match=r"another source of strategy .*its file has changed since"):
        arbosim.study("study/study.json", output="new")
    assert not Path("new").exists()
