"""Names as labels."""

from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import font_manager
from matplotlib.figure import Figure

from arbosim.report.plots.labels import MOST, labelled


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), unique=True, max_size=6))
def test_labels_are_short_printable_and_told_apart(names):
    labels, _ = labelled(names)
    assert len(set(labels)) == len(names)
    assert all(len(label) <= MOST + 4 and label.isprintable() for label in labels)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
def test_any_name_draws_without_a_warning(name):
    (label,), families = labelled([name])
    figure = Figure()
    figure.text(0, 0, label, parse_math=False, fontfamily=families)
    figure.draw_without_rendering()


def test_a_long_name_loses_its_middle():
    (label,), _ = labelled(["experiments/" + "x" * 180 + "/last.py:keep=2"])
    assert label.startswith("experiments/x")
    assert label.endswith("/last.py:keep=2")
    assert len(label) == MOST


def test_plain_names_stay_as_they_are():
    assert labelled(["greedy", "hoarder:keep=2"]) == (
        ["greedy", "hoarder:keep=2"],
        font_manager.FontProperties().get_family(),
    )
