"""The forest of ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbosim.report.plots.canvas import BLUE, frame_of, ink, nothing, row_axes, row_texts, titled

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from arbosim.results import Results

TITLE = "Ratings"


def ratings(given: Results | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the rating of every strategy with its 95 % interval, best first.

    Parameters
    ----------
    given : Results or the frame of `Results.ratings`
        Columns strategy, rating, low, high.
    """
    frame = frame_of(given, lambda results: results.ratings())
    frame = frame[frame["rating"].notna()]
    if frame.empty:
        return nothing(ax, TITLE, "no games")
    frame = frame.sort_values("rating", ascending=False, kind="stable")
    ax = row_axes(ax, frame["strategy"].tolist())
    ax.axvline(0, color=ink(ax), linewidth=0.8)
    known = (frame["low"].notna() & frame["high"].notna()).to_numpy()
    rows = range(len(frame))
    texts = []
    for row, rating, low, high, bounded in zip(
        rows, frame["rating"], frame["low"], frame["high"], known, strict=True
    ):
        if bounded:
            ax.plot([low, high], [row, row], color=BLUE, linewidth=2, solid_capstyle="butt")
        # a hollow mark has no interval
        ax.plot(rating, row, "o", color=BLUE, markersize=6, markerfacecolor=BLUE if bounded else "none")
        bounds = f"{low:.0f} to {high:.0f}" if bounded else "too few deals"
        texts.append(f"{rating:+.0f} ({bounds})")
    row_texts(ax, "Elo (95 % interval)", texts)
    return titled(ax, TITLE, "Elo; the mean of all strategies is 0")
