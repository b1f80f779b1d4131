"""What all figures share: axes that a notebook shows, one row a strategy, colours and marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

import matplotlib.axes
import pandas as pd
from matplotlib.figure import Figure

from arbosim.report.plots.labels import labelled

if TYPE_CHECKING:
    from arbosim.results import Results

# Okabe and Ito 2008, "Color Universal Design": told apart with every kind of colour vision
BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE = "#56B4E9", "#CC79A7"
GREY = "#888888"
ROW_FONT = 10.0
"""Points; less where rows are narrow."""
HEAD = 1.6
"""Inches of a figure for what stands above and below the rows."""


class NotebookAxes(matplotlib.axes.Axes):
    """Axes of a figure of their own, which a notebook shows when they are the value of a cell."""

    def _repr_png_(self) -> bytes:
        stream = BytesIO()
        self.get_figure(root=True).savefig(stream, format="png", dpi=110)  # type: ignore[union-attr]
        return stream.getvalue()


def axes(ax: matplotlib.axes.Axes | None, width: float, height: float) -> matplotlib.axes.Axes:
    """Return the given axes, or those of a new figure of so many inches."""
    if ax is not None:
        return ax
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure.add_subplot(axes_class=NotebookAxes)


def frame_of(given: Results | pd.DataFrame, read: Callable[[Results], pd.DataFrame]) -> pd.DataFrame:
    """Return a frame that was given as it is, and read it from results."""
    return given if isinstance(given, pd.DataFrame) else read(given)


def row_axes(
    ax: matplotlib.axes.Axes | None, names: Sequence[str], row: float = 0.34, narrow: float = 0.24
) -> matplotlib.axes.Axes:
    """Return axes with one labelled row a name, the first on top, and stripes that lead the eye.

    Parameters
    ----------
    row, narrow : float
        Inches a row where there are few of them, and where there are more than 16.
    """
    height = row if len(names) <= 16 else narrow
    ax = axes(ax, 8.0, HEAD + height * max(2, len(names)))
    texts, families = labelled(names)
    size = min(ROW_FONT, 0.75 * _points_high(ax) / max(1, len(names)))
    ax.set_yticks(range(len(names)), labels=texts, fontsize=size, fontfamily=families, parse_math=False)
    ax.set_ylim(max(1, len(names)) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    for number in range(1, len(names), 2):
        ax.axhspan(number - 0.5, number + 0.5, color=GREY, alpha=0.1, linewidth=0, zorder=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.grid(axis="x", color=GREY, alpha=0.3, linewidth=0.6)
    ax.set_axisbelow(True)
    return ax


def row_texts(
    ax: matplotlib.axes.Axes, heading: str, texts: Sequence[str], at: Sequence[float] | None = None
) -> None:
    """Write a column of texts on the right of the rows, one a row unless it is told at which heights."""
    size = min(9.0, 0.75 * _points_high(ax) / max(1, len(texts)))
    where = ax.get_yaxis_transform()
    ax.text(1.02, 1.0, heading, transform=ax.transAxes, fontsize=8.5, va="bottom", color=GREY)
    for height, text in zip(at or range(len(texts)), texts, strict=True):
        ax.text(1.02, height, text, transform=where, fontsize=size, va="center")


def titled(ax: matplotlib.axes.Axes, title: str, meaning: str) -> matplotlib.axes.Axes:
    """Write what a figure shows above it, and what its numbers are below."""
    ax.set_title(title, loc="left", fontsize=11, pad=20, wrap=True)
    ax.set_xlabel(meaning, fontsize=9, wrap=True)
    return ax


def ink(ax: matplotlib.axes.Axes) -> str:
    """Return the colour in which the axes are written: dark on light, light on dark."""
    return str(ax.xaxis.label.get_color())


def nothing(ax: matplotlib.axes.Axes | None, title: str, why: str) -> matplotlib.axes.Axes:
    """Say on otherwise empty axes why there is nothing to see."""
    ax = axes(ax, 6.0, 1.6)
    ax.set_axis_off()
    ax.set_title(title, loc="left", fontsize=11)
    ax.text(0.0, 0.5, why, transform=ax.transAxes, va="center")
    return ax


def _points_high(ax: matplotlib.axes.Axes) -> float:
    """Return about how many points high the axes are."""
    figure = ax.get_figure(root=True)
    if isinstance(ax, NotebookAxes):
        return (figure.get_figheight() - HEAD) * 72  # type: ignore[union-attr]
    return float(ax.get_window_extent().height / figure.dpi * 72)  # type: ignore[union-attr]
