"""Exports: what is written is read back, whatever the names."""

import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbosim
from arbosim import UserError
from arbosim.analysis import frames
from arbosim.core.columns import SCHEMA_VERSION, Column
from arbosim.report.export import export
from tests.report.made import ODD

TABLES = ["games", "matrix", "pairs", "ratings", "seats", "standings"]
COLUMNS = (Column("strategy", "str", "", "its name"), Column("score", "Int16", "points", "or missing"))
EITHER = pytest.mark.parametrize("form", ["csv", "parquet"])


def read(path):
    """Read a table as docs/tables.md says."""
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def write(results, form, folder):
    (results.to_csv if form == "csv" else results.to_parquet)(folder)


def values(frame):
    return {name: [None if pd.isna(value) else value for value in frame[name].tolist()] for name in frame}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strategies") / "my \"odd\" $dir_a^2$\n'策略'" / ("x" * 200)
    folder.mkdir(parents=True)
    source = (
        "from arbosim.games.arboretum import api\n\n\nclass Strange(api.Strategy):\n"
        '    """Take the first of everything."""\n\n    parameters = (api.Parameter("keep", 1, 1, 7, "nothing"),)\n\n'
        "    def draw(self, view):\n        return next(iter(view.sources))\n\n"
        "    def play(self, view):\n        return view.hand[0], view.open_cells[0]\n\n"
        "    def discard(self, view):\n        return view.hand[0]\n"
    )
    (folder / "null.py").write_text(source)
    spec = str(folder / "null.py")
    return arbosim.run(["random", spec, f"{spec}:keep=2"], deals=2, jobs=1)


@EITHER
def test_a_run_survives(results, form, tmp_path):
    write(results, form, tmp_path / "out")
    assert sorted(path.stem for path in (tmp_path / "out").glob(f"*.{form}")) == TABLES
    for name, expected in {
        "games": results.games,
        "seats": results.seats,
        "standings": results.standings().reset_index(),
        "ratings": results.ratings(),
        "pairs": results.pairs(),
        "matrix": frames.long_matrix(results.summary.matrix),
    }.items():
        found = read(tmp_path / "out" / f"{name}.{form}")
        assert values(found) == values(expected)
        if form == "parquet":
            pd.testing.assert_frame_equal(found, expected, check_frame_type=False)


@EITHER
def test_the_schema_describes_every_column(results, form, tmp_path):
    write(results, form, tmp_path / "out")
    schema = json.loads((tmp_path / "out" / "schema.json").read_text(encoding="utf-8"))
    assert schema["schema_version"] == SCHEMA_VERSION
    assert schema["run"] == results.manifest.model_dump(mode="json")
    assert sorted(schema["tables"]) == TABLES
    for name, described in schema["tables"].items():
        frame = read(tmp_path / "out" / f"{name}.{form}")
        assert [column["name"] for column in described["columns"]] == frame.columns.tolist()
        assert all(column["meaning"] for column in described["columns"])
        assert described["rows"] == len(frame)


@EITHER
def test_nothing_is_written_over(results, form, tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(UserError, match="is there already"):
        write(results, form, tmp_path)
    with pytest.raises(UserError, match="is there already"):
        write(results, form, tmp_path / "note.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


def test_an_empty_folder_is_filled_and_new_ones_are_made(results, tmp_path):
    results.to_csv(tmp_path / "a" / "b")
    (tmp_path / "empty").mkdir()
    results.to_csv(tmp_path / "empty")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "empty"]
    assert (tmp_path / "empty" / "schema.json").exists()


def test_a_place_that_cannot_be_written_is_refused(results, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        results.to_csv(tmp_path / "file" / "out")


@settings(deadline=None)
@given(names=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1))
@EITHER
def test_names_survive(names, form, tmp_path_factory):
    given_names = [*names, *ODD, "NA", "null", "nan", " spaces ", "\r", "1e5", "=1+1"]
    frame = pd.DataFrame(
        {"strategy": given_names, "score": pd.array([None, *range(len(given_names) - 1)], "Int16")}
    )
    folder = tmp_path_factory.mktemp("export") / "out"
    export({"table": (frame, COLUMNS)}, {}, folder, form)
    found = read(folder / f"table.{form}")
    assert found["strategy"].tolist() == given_names
    assert found["score"].isna().tolist() == [True] + [False] * (len(given_names) - 1)


def test_a_notebook_shows_results_as_their_standings(results):
    html = results._repr_html_()
    assert html.startswith("<p>&lt;Results: 3 strategies")
    assert "$dir_a^2$" in html
    assert type(results.standings().iloc[:1]) is pd.DataFrame
    assert "..." not in repr(results.standings())
