"""What a process leaves that is killed at its beginning counts as nothing; whatever else lies in a folder does not."""

from pathlib import Path

import pytest

import arbosim
from arbosim.core import files
from arbosim.core.errors import UserError

TWO = ["greedy", "random"]
TOO_LONG = "x" * 300


def test_a_file_is_replaced_as_a_whole(tmp_path):
    for text in ("old", "new"):
        files.replace(tmp_path / "file.json", text)
        assert (tmp_path / "file.json").read_text() == text
    assert [path.name for path in tmp_path.iterdir()] == ["file.json"]


@pytest.mark.parametrize(
    ("made", "new"),
    [
        ([], True),
        ([".tmp-run.json"], True),
        (["parts/", "errors.jsonl", ".tmp-run.json"], True),
        (["parts/.tmp-m00000-d0000000000-n1.parquet"], True),
        (["parts/m00000-d0000000000-n1.parquet"], False),
        (["notes.txt"], False),
        (["runs/"], False),
        (["errors.jsonl=x"], False),
    ],
)
def test_only_what_a_killed_process_leaves_counts_as_nothing(tmp_path, made, new):
    for name in made:
        path, _, text = name.partition("=")
        place = tmp_path / path
        (place if path.endswith("/") else place.parent).mkdir(exist_ok=True)
        if not path.endswith("/"):
            place.write_text(text)
    assert files.is_new(tmp_path) == new
    assert files.is_new(tmp_path / "missing")


def test_a_run_begins_where_one_was_killed_at_its_first_write(tmp_path):
    folder = tmp_path / "run"
    (folder / "parts").mkdir(parents=True)
    for left in (".tmp-run.json", "errors.jsonl", "parts/.tmp-m00000-d0000000000-n9.parquet"):
        (folder / left).touch()
    whole = arbosim.run(TWO, deals=4, seed=1, jobs=1)
    for resume in (False, True):
        assert arbosim.run(TWO, deals=4, seed=1, jobs=1, output=folder, resume=resume).digest == whole.digest
    assert not list(folder.rglob(".tmp-*"))


@pytest.mark.parametrize("output", [5, b"run", TOO_LONG, ["run"]])
@pytest.mark.parametrize("resume", [False, True])
def test_what_names_no_folder_is_refused(tmp_path, monkeypatch, output, resume):
    monkeypatch.chdir(tmp_path)
    for play in (
        lambda: arbosim.run(TWO, deals=1, output=output, resume=resume),
        lambda: arbosim.compare("greedy", "random", max_deals=8, output=output, resume=resume),
        lambda: arbosim.study(strategies=TWO, deals=1, sweep={"draws": [1]}, output=output, resume=resume),
        lambda: arbosim.tune("hoarder", budget=100, output=output, resume=resume),
    ):
        with pytest.raises(UserError, match=r"output: (must be a path|a name takes 250 bytes)"):
            play()
    assert list(Path().iterdir()) == []


def test_what_lacks_its_file_is_told_what_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "run.json").write_text("{}")
    (tmp_path / "empty").mkdir()
    for given, reason in (
        ("mine/run.json", "'mine/run.json' holds no run: it is a file; give its folder, 'mine'"),
        ("mine/run.json/run.json", "there is no such folder"),
        ("empty", "'empty' holds no run: it has no run.json"),
        ("gone", "'gone' holds no run: there is no such folder"),
    ):
        assert str(files.lacking(Path(given), "run", "run.json")).endswith(reason)
    (tmp_path / "notes.txt").write_text("")
    assert "it is a file, not a folder" in str(files.lacking(Path("notes.txt"), "run", "run.json"))
