"""The meta-game as a graph: who stands above whom, and where that order breaks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path

from arbosim.report.plots.canvas import (
    BLUE,
    GREY,
    VERMILION,
    frame_of,
    ink,
    nothing,
    row_axes,
    row_texts,
    titled,
)
from arbosim.report.plots.pairwise import tables

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from arbosim.results import Results

TITLE = "Meta-game"
WIDEST = 1.25
"""How far the handles of the longest arc lie from the column of nodes; the axes end at 1."""


def meta_graph(
    given: Results | pd.DataFrame,
    ax: Axes | None = None,
    *,
    weights: Mapping[str, float] | pd.Series[float] | None = None,
) -> Axes:
    """Draw the graph of who finishes above whom, strategies in order of their mean share over the others.

    An edge down is what that order says, and is left out. An arrow on the right leads up: the lower strategy
    finishes above the upper one, so here the order breaks. A dashed arc on the left joins two that
    are undecided, corrected for the number of pairs (Holm). So every edge of the graph can be read off, also with
    40 strategies.

    Parameters
    ----------
    given : Results or the frame of `Results.pairs`
        Columns first, second, above, low, high, above_p_holm.
    weights : mapping or series, optional
        The share of each strategy in a mixture, such as an equilibrium, drawn as the area of its node.
    """
    frame = frame_of(given, lambda results: results.pairs())
    if not frame["above"].notna().any():
        return nothing(ax, TITLE, "no two strategies have met")
    names, above, _, _, decided = tables(frame)
    ax = row_axes(ax, names, row=0.5)
    ax.set_xlim(-1, 1)
    ax.set_xticks([])
    ax.spines["bottom"].set_visible(False)
    ax.axvline(0, color=GREY, linewidth=0.8)
    given_weights = {} if weights is None else dict(weights)
    sizes = [30 + 400 * given_weights.get(name, 0.0) for name in names]
    pairs = [(int(upper), int(lower)) for upper, lower in zip(*np.triu_indices(len(names), 1), strict=True)]
    unmet = [pair for pair in pairs if np.isnan(above[pair])]
    broken = [pair for pair in pairs if decided[pair] and above[pair] < 0.5]
    undecided = [pair for pair in pairs if pair not in unmet and not decided[pair]]
    longest = max((lower - upper for upper, lower in broken + undecided), default=1)
    for upper, lower in undecided:
        width = WIDEST * ((lower - upper) / longest) ** 0.7
        _arc(ax, [(0, upper), (-width, upper), (-width, lower), (0, lower)], GREY, "-", "--")
    points_wide = ax.get_window_extent().width / ax.get_figure(root=True).dpi * 72  # type: ignore[union-attr]
    for upper, lower in broken:
        width = WIDEST * ((lower - upper) / longest) ** 0.7
        edge = 2 * (math.sqrt(sizes[upper] / math.pi) + 2) / points_wide  # of the upper node
        _arc(ax, [(0, lower), (width, lower), (width, upper), (edge, upper)], VERMILION, "-|>", "-")
    ax.scatter(
        [0.0] * len(names), range(len(names)), s=sizes, color=BLUE, edgecolor=ink(ax), linewidth=0.6, zorder=3
    )
    if weights is not None:
        row_texts(ax, "weight", [f"{100 * given_weights.get(name, 0.0):.0f} %" for name in names])
    handles = []
    if broken:
        handles.append(Line2D([], [], color=VERMILION, marker="^", label="finishes above the upper one"))
    if undecided:
        handles.append(Line2D([], [], color=GREY, linestyle="--", label="undecided"))
    if handles:
        ax.legend(
            handles=handles,
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=2,
            frameon=False,
            fontsize=8.5,
            borderaxespad=0.1,
        )
    meaning = "without an arc, the upper strategy finishes above the lower one more often"
    if unmet:
        meaning += f"\n({len(unmet)} pairs never met)"
    return titled(ax, TITLE, meaning)


def _arc(
    ax: Axes, points: Sequence[tuple[float, float]], colour: str, arrow: str, line: Literal["-", "--"]
) -> None:
    curve = Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
    patch = FancyArrowPatch(
        path=curve, arrowstyle=arrow, color=colour, linestyle=line, linewidth=1.2, mutation_scale=9
    )
    ax.add_patch(patch)
