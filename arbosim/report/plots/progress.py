"""Win shares while the deals come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from arbosim.core.errors import unknown
from arbosim.report.plots.canvas import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    axes,
    frame_of,
    nothing,
    titled,
)
from arbosim.report.plots.labels import labelled

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from arbosim.results import Results

TITLE = "Win share over deals"
LOOKS = (
    (BLUE, "-", "o"),
    (VERMILION, "--", "s"),
    (GREEN, "-.", "^"),
    (PURPLE, ":", "D"),
    (ORANGE, "-", "v"),
    (SKY, "--", "P"),
)
"""Colour, line and mark of the strategies that stand out."""
GAP = 0.055
"""Share of the height of the axes that a label takes."""


def win_share(
    given: Results | pd.DataFrame, ax: Axes | None = None, *, strategies: Sequence[str] | None = None
) -> Axes:
    """Draw how the win share settles, with the 95 % confidence sequence: bands that hold at all times together.

    Six strategies stand out with bands and names, the others are thin lines: so it is read with 40 as with 4.

    Parameters
    ----------
    given : Results or the frame of `Results.progress`
        Columns strategy, deals, win_share, low, high.
    strategies : sequence of str, optional
        Those that stand out, 6 at most; without it the best of them.
    """
    frame = frame_of(given, lambda results: results.progress())
    if frame.empty:
        return nothing(ax, TITLE, "no games")
    lines = {str(name): part for name, part in frame.groupby("strategy", observed=True)}
    last = {name: float(part["win_share"].iloc[-1]) for name, part in lines.items()}
    best = sorted(lines, key=lambda name: (-last[name], name))
    for name in strategies or ():
        if name not in lines:
            raise unknown("strategy", name, lines)
    chosen = sorted(strategies, key=best.index) if strategies else best
    chosen = chosen[: len(LOOKS)]
    ax = axes(ax, 8.5, 4.6)
    for name in best:
        if name not in chosen:
            ax.plot(lines[name]["deals"], lines[name]["win_share"], color=GREY, linewidth=0.6, alpha=0.7)
    for name, (colour, line, mark) in zip(chosen, LOOKS, strict=False):
        part = lines[name]
        ax.fill_between(part["deals"], part["low"], part["high"], color=colour, alpha=0.1, linewidth=0)
        ax.plot(
            part["deals"],
            part["win_share"],
            color=colour,
            linestyle=line,
            linewidth=1.6,
            marker=mark,
            markersize=5,
            markevery=(len(part) - 1, 1),
        )
    first, deals = int(frame["deals"].min()), int(frame["deals"].max())
    if deals > 100:
        ax.set_xscale("log")
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    # before, the bands hold next to everything
    start = max(first, deals / 50) if deals > first else first - 0.5
    ax.set_xlim(start, max(deals, first + 0.5))
    late = frame[frame["deals"] >= deals / 10]
    shown = late[late["strategy"].astype(str).isin(chosen)]
    low = min(float(shown["low"].min()), float(late["win_share"].min()))
    high = max(float(shown["high"].max()), float(late["win_share"].max()))
    ax.set_ylim(max(0.0, low - 0.02), min(1.0, high + 0.02))
    _end_labels(ax, chosen, lines)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color=GREY, alpha=0.3, linewidth=0.6)
    meaning = "deals; bands: 95 % confidence sequence, which holds at every number of deals at once"
    others = len(best) - len(chosen)
    return titled(ax, TITLE, meaning + (f"\n{others} further strategies: thin lines" if others else ""))


def _end_labels(ax: Axes, names: Sequence[str], lines: dict[str, pd.DataFrame]) -> None:
    """Write name and last numbers at the end of each line, none over another."""
    texts, families = labelled(names)
    bottom, top = ax.get_ylim()
    heights = np.array([(lines[name]["win_share"].iloc[-1] - bottom) / (top - bottom) for name in names])
    for at in range(1, len(heights)):  # they come best first
        heights[at] = min(heights[at], heights[at - 1] - GAP)
    heights += max(0.0, 0.02 - heights[-1])
    for name, text, height, (colour, _, mark) in zip(names, texts, heights, LOOKS, strict=False):
        end = lines[name].iloc[-1]
        words = f"{text}  {end['win_share']:.3f} ({end['low']:.3f} to {end['high']:.3f})"
        ax.plot(1.03, height, mark, color=colour, markersize=5, transform=ax.transAxes, clip_on=False)
        ax.text(
            1.05,
            height,
            words,
            transform=ax.transAxes,
            va="center",
            fontsize=8.5,
            fontfamily=families,
            parse_math=False,
        )
