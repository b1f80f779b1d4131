"""Tables that show whole in a terminal and styled in a notebook, and stay frames to compute with."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from arbosim.core.columns import Column
from arbosim.report.tables import MOST_ROWS, Table, html_table
from tests.report.made import ODD

COLUMNS = (
    Column("strategy", "str", "", ""),
    Column("games", "int", "games", ""),
    Column("win_share", "float", "0 to 1", ""),
    Column("rating", "float", "Elo", ""),
)


def table(names=("ant", "bee")):
    rows = [(name, 12345, 0.5, -20.4 if number else np.nan) for number, name in enumerate(names)]
    frame = pd.DataFrame(rows, columns=[column.name for column in COLUMNS])
    frame.attrs["schema_version"] = 1
    return Table.of(frame, COLUMNS)


def cells(html):
    root = ElementTree.fromstring(f"<div>{html}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]


def test_a_terminal_shows_numbers_by_their_units():
    lines = repr(table()).splitlines()
    assert lines[0].split() == ["strategy", "games", "win_share", "rating"]
    assert lines[1].split() == ["0", "ant", "12,345", "0.5000", "-"]
    assert lines[2].split() == ["1", "bee", "12,345", "0.5000", "-20"]


@pytest.mark.parametrize("width", ["40", "200"])
def test_nothing_is_cut_off_whatever_the_width(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", width)
    long = "x" * 200
    wide = Table.of(pd.DataFrame({f"column{number}": [long] for number in range(15)}), ())
    assert repr(wide).count(long) == 15
    assert all(f"column{number}" in repr(wide) for number in range(15))
    assert "..." not in repr(wide)


def test_heads_and_tails_are_shown_as_the_whole_is():
    names = [f"s{number}" for number in range(9)]
    for some, shown in ((table(names).head(2), names[:2]), (table(names).tail(2), names[-2:])):
        assert [line.split()[1] for line in repr(some).splitlines()[1:]] == shown
        assert "0.5000" in repr(some)
        assert some.attrs == table().attrs


def test_a_notebook_shows_the_same_numbers():
    assert cells(table()._repr_html_()) == [
        ["", "strategy", "games", "win_share", "rating"],
        ["0", "ant", "12,345", "0.5000", "-"],
        ["1", "bee", "12,345", "0.5000", "-20"],
    ]


def test_names_of_any_kind_are_escaped():
    assert [row[1] for row in cells(html_table(table(ODD)))[1:]] == ODD


def test_a_long_table_says_what_it_leaves_out():
    html = html_table(table([f"s{number}" for number in range(MOST_ROWS + 5)]))
    assert [cells(html)[1][1], cells(html)[-1][1], len(cells(html))] == [
        "s0",
        f"s{MOST_ROWS + 4}",
        MOST_ROWS + 1,
    ]
    assert "5 rows in the middle are left out" in html


def test_a_matrix_is_tinted_and_its_letters_stand_out():
    matrix = pd.DataFrame([[np.nan, 0.9], [0.1, np.nan]], index=["a", "b"], columns=["a", "b"])
    html = html_table(matrix)
    assert html.count("background:rgb(") == 2
    assert html.count("color:#ffffff") == html.count("color:#000000") == 1


def test_what_is_computed_from_a_table_is_a_plain_frame():
    shown = table()
    for derived in (shown.iloc[:1], shown[["games"]], shown.copy(), shown.sort_values("strategy")):
        assert type(derived) is pd.DataFrame
    assert shown.attrs["schema_version"] == 1
    assert shown.attrs["units"]["rating"] == "Elo"
    pd.testing.assert_frame_equal(shown, pd.DataFrame(shown), check_frame_type=False)


def test_an_empty_table_shows_its_heading():
    assert cells(html_table(table(())))[0][1:] == [column.name for column in COLUMNS]
    assert "Empty" in repr(table(()))
