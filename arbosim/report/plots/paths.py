"""What was built, and how much of it scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbosim.report.plots.canvas import BLUE, frame_of, nothing, row_axes, row_texts, titled

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from arbosim.results import Results

TITLE = "Paths and the right to score them"


def paths_and_rights(given: Results | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the mean points that the paths of each strategy were worth, and what of them scored.

    Parameters
    ----------
    given : Results or the frame of `Results.standings`
        Columns strategy, mean_score, points, scored.
    """
    frame = frame_of(given, lambda results: results.standings())
    frame = frame[frame["points"].notna() & frame["mean_score"].notna()]
    if frame.empty:
        return nothing(ax, TITLE, "no games with paths")
    frame = frame.sort_values("mean_score", ascending=False, kind="stable")
    ax = row_axes(ax, frame["strategy"].astype(str).tolist())
    rows = range(len(frame))
    lost = (frame["points"] - frame["mean_score"]).to_numpy()
    ax.barh(rows, frame["mean_score"], height=0.6, color=BLUE, label="scored")
    ax.barh(
        rows,
        lost,
        left=frame["mean_score"],
        height=0.6,
        facecolor="none",
        edgecolor=BLUE,
        hatch="////",
        linewidth=0.8,
        label="built, but no right to score",
    )
    texts = [
        f"{score:.1f} of {points:.1f}" + (f" = {100 * share:.0f} %" if share == share else "")
        for score, points, share in zip(frame["mean_score"], frame["points"], frame["scored"], strict=True)
    ]
    row_texts(ax, "scored of built", texts)
    ax.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=8.5, borderaxespad=0.1
    )
    return titled(ax, TITLE, "mean points in a game: the best path of every species")
