"""Plots inside a page."""

import re

import matplotlib
import pytest
from matplotlib.figure import Figure

from arbosim.report.figures import NARROWEST, figure
from arbosim.report.plots.canvas import axes, titled

ODD = 'id="x" url(#a) href="#b" #888888 $x^2$ <b> & "quoted"'


def drawn():
    ax = Figure().add_subplot()
    ax.plot([0, 1], color="#0072B2")
    ax.set_ylabel(ODD, parse_math=False)
    return ax


def test_a_drawing_takes_the_colours_of_the_page_and_asks_for_nothing():
    html = figure("one", drawn, "A <line>")
    assert "currentColor" in html
    assert "var(--blue)" in html
    assert "#0072b2" not in html
    assert 'aria-label="A &lt;line&gt;"' in html
    assert "<style" not in html
    assert "<metadata" not in html
    assert "<?xml" not in html


def test_names_in_it_stay_as_they_are():
    [wide, text] = re.findall(r"<text[^>]*>([^<]*id=[^<]*)</text>", figure("one", drawn, ""))
    assert wide == text
    assert text == ODD.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def test_ids_are_unique_among_drawings_and_all_references_are_met():
    html = figure("one", drawn, "") + figure("two", drawn, "")
    tags = "".join(re.findall("<[^>]*>", html))
    ids = re.findall(r'\bid="([^"]*)"', tags)
    assert len(ids) == len(set(ids)) > 20
    assert set(re.findall(r'(?:href="#|url\(#)([^")]*)', tags)) <= set(ids)


def test_it_is_drawn_narrow_too_and_names_leave_room_for_what_is_drawn():
    def named():
        ax = axes(None, 8, 3)
        ax.set_yticks([0], ["n" * 40])
        return titled(ax, "A title", "meaning")

    def inches(html):
        return [round(float(points) / 72, 6) for points in re.findall(r'<svg[^>]* width="([\d.]+)pt"', html)]

    assert inches(figure("one", lambda: axes(None, 8, 3), "")) == [8.0, NARROWEST]
    html = figure("one", named, "")
    wide, narrow = inches(html)
    assert wide == 8.0
    assert NARROWEST < narrow < 8.0
    assert "A title" not in html
    assert "meaning" in html


def test_it_is_the_same_every_time_and_the_settings_of_the_caller_do_not_matter():
    first = figure("one", drawn, "")
    before = dict(matplotlib.rcParams)
    with matplotlib.rc_context({"axes.facecolor": "red", "font.size": 30, "text.color": "green"}):
        assert figure("one", drawn, "") == first
    assert dict(matplotlib.rcParams) == before


def test_an_error_of_a_drawing_is_not_hidden():
    def broken():
        raise ValueError("no data")

    with pytest.raises(ValueError, match="no data"):
        figure("one", broken, "")
