"""The forest of effects: what it shows of any frame."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from arbosim.core.errors import UserError
from arbosim.report import plots
from tests.report import made_study
from tests.report.test_plots import drawn, row_names, texts

UNIT = "0 to 1"


def marks(ax):
    """Return where the marks are, and whether they are filled."""
    lines = [line for line in ax.lines if len(line.get_xdata()) == 1]
    return [
        (float(line.get_xdata()[0]), line.get_marker(), line.get_markerfacecolor() != "none")
        for line in lines
    ]


@pytest.mark.parametrize(
    ("variants", "players", "pools"),
    [(1, (2,), ("given",)), (8, (2, 3, 4), ("given", "retuned")), (40, (2, 3), ("given",))],
)
def test_every_effect_has_a_mark_and_its_numbers(variants, players, pools):
    frame = made_study.effects(variants, players=players, pools=pools)
    ax = drawn(plots.effects(frame, "first_seat", unit=UNIT))
    assert len(row_names(ax)) == len(set(row_names(ax))) == variants
    found = marks(ax)
    assert [round(at, 9) for at, *_ in found] == [round(100 * at, 9) for at in frame["difference"]]
    assert [filled for *_, filled in found] == frame["significant"].tolist()
    written = [text for text in texts(ax) if text.startswith(("+", "-", "0"))]
    assert [text.endswith("*") for text in written] == frame["significant"].tolist()
    assert [("too few deals" in text) for text in written] == frame["low"].isna().tolist()
    assert [mark == "x" for _, mark, _ in found] == frame["low"].isna().tolist()
    assert (ax.get_legend() is not None) == (len(players) * len(pools) > 1)


def test_intervals_are_those_of_the_frame_and_the_base_is_told():
    frame = made_study.effects(5, players=(2, 3))
    ax = plots.effects(frame, "first_seat", unit=UNIT)
    known = frame[frame["low"].notna()]
    bars = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2]
    bars = [bar for bar in bars if bar[0] != bar[1]]  # without the line at 0
    assert np.allclose(bars, 100 * known[["low", "high"]].to_numpy())
    assert "percentage points" in ax.get_xlabel()
    assert "base: 53.0 % (2 players)\n53.0 % (3 players)" in ax.get_xlabel()


def test_what_was_not_measured_is_said():
    study = made_study.MadeStudy(players=(2,), pools=("given",))
    for shown in (plots.effects(study, "drama"), plots.effects(study.effects.iloc[:0], "first_seat")):
        assert texts(drawn(shown))[0].startswith("no effects")


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ({"metric": "scor"}, "unknown metric 'scor'; did you mean 'score'"),
        ({"metric": "win_share"}, "subject: 'win_share' .* needs one: 'balanced', 'greedy'"),
        (
            {"metric": "win_share", "subject": "gredy"},
            "unknown subject of win_share 'gredy'; did you mean 'greedy'",
        ),
        (
            {"metric": "score", "subject": "greedy"},
            "subject: 'score' is about the game as a whole and has none",
        ),
    ],
)
def test_what_is_not_there_is_an_error_with_the_nearest_name(named, told):
    study = made_study.MadeStudy(players=(2,), pools=("given",))
    for given in (study, study.effects):
        with pytest.raises(UserError, match=told):
            plots.effects(given, **named)


def test_it_draws_on_axes_and_shows_in_a_notebook():
    frame = made_study.effects(3)
    ax = Figure(figsize=(3, 2)).subplots()
    assert plots.effects(frame, "first_seat", ax=ax) is ax
    assert plots.effects(frame, "first_seat")._repr_png_().startswith(b"\x89PNG")


def test_differences_of_exactly_nothing_and_of_any_size_are_drawn():
    rows = [
        made_study.effect(2, "given", f"v{number}", "score", "", 20.0, 20.0 + change, half, 0.5)
        for number, (change, half) in enumerate([(0.0, 0.0), (1e-9, 1e-10), (1e6, 10.0), (-3.0, None)])
    ]
    ax = drawn(plots.effects(pd.DataFrame(rows, columns=made_study.EFFECTS), "score", unit="points"))
    assert "0" in texts(ax)
    assert not any("nan" in text or "inf" in text for text in texts(ax))


def test_a_study_knows_names_and_units():
    study = made_study.MadeStudy(players=(2,), pools=("given",))
    ax = drawn(plots.effects(study, "first_seat"))
    assert ax.get_title(loc="left") == "first-seat advantage"
    assert "percentage points of win share" in ax.get_xlabel()
    assert row_names(ax) == made_study.VARIANTS


def test_the_heading_names_whom_a_metric_is_about():
    study = made_study.MadeStudy(players=(2,), pools=("given",))
    of_study = plots.effects(study, "win_share", subject="balanced")
    assert of_study.get_title(loc="left") == "win share of a strategy (balanced)"
    of_frame = plots.effects(study.effects, "win_share", subject="balanced")
    assert of_frame.get_title(loc="left") == "win_share (balanced)"
    named = plots.effects(study, "win_share", subject="balanced", title="Balanced")
    assert named.get_title(loc="left") == "Balanced"
