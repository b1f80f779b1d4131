"""Plots as SVG inside a page: text stays text, and takes the colours of the page in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, Any

from arbosim.report.markup import Markup, element

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#0a0b0c"
"""Drawn with this colour, which no plot has of its own, is what takes the colour of the text around it."""
COLOURS = {INK: "currentColor", "#0072b2": "var(--blue)", "#888888": "var(--grey)"}
"""Colours that are others in the page, where some of them are others in the dark."""
NARROWEST = 4.3
"""Inches of the drawing for narrow screens, where its texts leave room for that."""
ROOM = 1.5
"""Inches that are left for what is drawn, whatever the names take."""
READABLE = 0.75
"""A drawing is shown as small as this share of its size; where that is too wide, it scrolls."""
_COLOURED = (
    "text.color",
    "axes.labelcolor",
    "axes.edgecolor",
    "axes.titlecolor",
    "xtick.color",
    "ytick.color",
)


def figure(name: str, draw: Callable[[], Axes], caption: str) -> Markup:
    """Return a plot as a figure without its title, drawn for wide screens and again for narrow ones.

    Parameters
    ----------
    name : str
        Unique on the page; the ids inside the drawing begin with it.
    draw : callable
        Makes the axes, on a figure of their own.
    caption : str
        What there is to see, for those who do not see it.
    """
    import matplotlib

    settings: dict[Any, Any] = {
        **dict.fromkeys(_COLOURED, INK),
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "svg.fonttype": "none",
        "svg.hashsalt": name,
    }
    # the settings of whoever called must not show in the page
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **settings, "backend": "agg"}):
        ax = draw()
        ax.set_title("", loc="left")  # the page has a heading
        drawn = ax.get_figure(root=True)
        assert drawn is not None
        wide = _box(drawn, name, caption, "wide")
        inches = drawn.get_figwidth()
        texts = inches * (1 - ax.get_position().width)
        drawn.set_figwidth(min(inches, max(NARROWEST, texts + ROOM)))
        narrow = _box(drawn, f"{name}-narrow", caption, "narrow")
    return element("figure", wide, narrow)


def _box(drawn: Figure, name: str, caption: str, width: str) -> Markup:
    """Return the drawing in a box that scrolls; `width` says for which screens it is."""
    written = StringIO()
    drawn.savefig(
        written, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
    )
    least = f"--least: {READABLE * 6 * drawn.get_figwidth():.1f}rem"  # 6 rem are an inch
    return element(
        "div",
        _inline(written.getvalue(), name, caption),
        class_=f"scroll {width}",
        style=least,
        tabindex=0,
        role="group",
        aria_label=caption,
    )


def _inline(written: str, name: str, caption: str) -> Markup:
    """Return the drawing without what belongs to a file of its own, and with ids that are unique on the page."""
    svg = written[written.index("<svg") :]
    # its style would hold for the whole page, which has it in page.css
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub("<[^>]*>", lambda tag: _adapted(tag[0], name), svg)  # names between tags stay as they are
    label = element("svg", role="img", aria_label=caption)[: -len("></svg>")]
    return Markup(svg.replace("<svg", label, 1))


def _adapted(tag: str, name: str) -> str:
    for colour, of_page in COLOURS.items():
        tag = tag.replace(colour, of_page)
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\1{name}-", tag)
