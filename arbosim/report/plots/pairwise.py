"""Who finishes above whom, as a heat map with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib
import numpy as np

from arbosim.report.plots.canvas import axes, frame_of, nothing, titled
from arbosim.report.plots.labels import labelled

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from arbosim.results import Results

TITLE = "Who finishes above whom"


def heatmap(given: Results | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw for each pair the share of common games in which the row finishes above the column, ties half.

    Cells hold it in percent, with the 95 % interval below where there is room. A ring marks a pair that is
    undecided, after a correction for the number of pairs (Holm). Strategies are ordered by their mean over the others.

    Parameters
    ----------
    given : Results or the frame of `Results.pairs`
        Columns first, second, above, low, high, above_p_holm.
    """
    frame = frame_of(given, lambda results: results.pairs())
    if not frame["above"].notna().any():
        return nothing(ax, TITLE, "no two strategies have met")
    names, above, low, high, decided = tables(frame)
    count = len(names)
    # with intervals, with numbers, or with numbers that are small
    inches = 0.72 if count <= 6 else 0.62 if count <= 16 else 0.3
    ax = axes(ax, 2.6 + inches * count, 2.4 + inches * count)
    colours = matplotlib.colormaps["cividis"]  # its lightness rises evenly, so grey print keeps the order
    ax.imshow(np.ma.masked_invalid(above), cmap=colours, vmin=0, vmax=1, aspect="equal")
    texts, families = labelled(names)
    size = 9 if count <= 16 else 7
    ax.set_yticks(range(count), labels=texts, fontsize=size, fontfamily=families, parse_math=False)
    ax.set_xticks(
        range(count),
        labels=texts,
        fontsize=size,
        fontfamily=families,
        parse_math=False,
        rotation=90 if count > 16 else 45,
        rotation_mode="anchor",
        ha="left",
        va="center",
    )
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    ax.spines[:].set_visible(False)
    ax.set_xticks(np.arange(count - 1) + 0.5, minor=True)
    ax.set_yticks(np.arange(count - 1) + 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=1)
    ax.tick_params(which="minor", length=0)
    points, small = _cell_points(ax, count), False
    for row, column in zip(*np.nonzero(~np.isnan(above)), strict=True):
        share, bottom, top = above[row, column], low[row, column], high[row, column]
        colour = "white" if share < 0.55 else "black"
        detailed = points >= 36 and not np.isnan(bottom)
        if points >= 11:
            ax.text(
                column,
                row - (0.12 if detailed else 0),
                f"{100 * share:.0f}",
                color=colour,
                ha="center",
                va="center",
                fontsize=min(11, 0.42 * points),
            )
        if detailed:
            small = True
            bounds = f"{100 * bottom:.0f}-{100 * top:.0f}"
            ax.text(
                column,
                row + 0.2,
                bounds,
                color=colour,
                ha="center",
                va="center",
                fontsize=min(8, 0.17 * points),
            )
        if not decided[row, column]:
            ax.plot(
                column + 0.36,
                row - 0.36,
                "o",
                color=colour,
                markersize=min(5, 0.13 * points),
                fillstyle="none",
            )
    meaning = "% of common games in which the row finishes above the column, ties half\n"
    meaning += "small: 95 % interval; " if small else ""
    return titled(ax, TITLE, meaning + "ring: undecided, corrected for the number of pairs")


def tables(frame: pd.DataFrame) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return names in order of mean share; share and bounds (NaN where a pair never met), and what is decided."""
    names = list(dict.fromkeys([*frame["first"].astype(str), *frame["second"].astype(str)]))
    number = {name: at for at, name in enumerate(names)}
    first = frame["first"].astype(str).map(number).to_numpy()
    second = frame["second"].astype(str).map(number).to_numpy()
    above, low, high = np.full((3, len(names), len(names)), np.nan)
    share, bottom, top = (frame[name].to_numpy(float) for name in ("above", "low", "high"))
    above[first, second], low[first, second], high[first, second] = share, bottom, top
    above[second, first], low[second, first], high[second, first] = 1 - share, 1 - top, 1 - bottom
    decided = np.zeros(above.shape, bool)
    decided[first, second] = decided[second, first] = frame["above_p_holm"].to_numpy(float) < 0.05
    met = ~np.isnan(above)
    means = np.nansum(above, axis=1) / np.maximum(met.sum(axis=1), 1)
    order = np.argsort(-means, kind="stable")
    here = np.ix_(order, order)
    return [names[at] for at in order], above[here], low[here], high[here], decided[here]


def _cell_points(ax: Axes, count: int) -> float:
    """Return about how many points wide a cell is."""
    figure = ax.get_figure(root=True)
    extent = ax.get_window_extent()
    wide = min(extent.width, extent.height) / figure.dpi * 72  # type: ignore[union-attr]
    return float(wide / count)
