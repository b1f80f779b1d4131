"""Win shares while the deals come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from arbosim.core.errors import unknown
from arbosim.core.numbers import counted
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
SMALL_GAP = 0.035
"""The same of the name of a thin line."""
WIDEST = 0.5
"""Wider bands say next to nothing and would cover everything, so they are not drawn."""


def win_share(
    given: Results | pd.DataFrame, ax: Axes | None = None, *, strategies: Sequence[str] | None = None
) -> Axes:
    """Draw how the win share settles, with the 95 % confidence sequence: bands that hold at all times together.

    Six strategies stand out with bands and names, the others are thin lines, named where there is room: so it is read
    with 40 as with 4. Bands begin where they are narrower than 0.5.

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
        band = part[part["high"] - part["low"] < WIDEST]
        ax.fill_between(band["deals"], band["low"], band["high"], color=colour, alpha=0.1, linewidth=0)
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
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        ax.xaxis.set_minor_formatter(NullFormatter())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    # before, the lines jump from one end to the other
    start = max(first, deals / 50) if deals > first else first - 0.5
    ax.set_xlim(start, max(deals, first + 0.5))
    late = frame[frame["deals"] >= deals / 10]
    bands = late[late["strategy"].astype(str).isin(chosen) & (late["high"] - late["low"] < WIDEST)]
    low = float(np.nanmin([late["win_share"].min(), bands["low"].min()]))
    high = float(np.nanmax([late["win_share"].max(), bands["high"].max()]))
    ax.set_ylim(max(0.0, low - 0.02), min(1.0, high + 0.02))
    others = [name for name in best if name not in chosen]
    unnamed = _small_labels(ax, others, lines, _end_labels(ax, chosen, lines))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color=GREY, alpha=0.3, linewidth=0.6)
    meaning = (
        f"deals; bands, where narrower than {WIDEST}: 95 % confidence sequence,\n"
        "which holds at every number of deals at once"
    )
    if others:
        meaning += f"\nthin lines: {counted(len(others), 'further strategy', 'further strategies')}"
        if 0 < unnamed < len(others):
            meaning += f", {unnamed} of them without room for a name"
    return titled(ax, TITLE, meaning)


def _ends(ax: Axes, names: Sequence[str], lines: dict[str, pd.DataFrame]) -> np.ndarray:
    """Return how high in the axes each line ends, from 0 to 1."""
    bottom, top = ax.get_ylim()
    return np.array([(lines[name]["win_share"].iloc[-1] - bottom) / (top - bottom) for name in names])


def _small_labels(
    ax: Axes, names: Sequence[str], lines: dict[str, pd.DataFrame], taken: Sequence[float]
) -> int:
    """Write the name at the end of each thin line where nothing stands yet; return how many have no room."""
    texts, families = labelled(names)
    taken, small = list(taken), list[float]()
    for text, height in zip(texts, _ends(ax, names, lines).tolist(), strict=True):
        if any(abs(height - other) < (GAP + SMALL_GAP) / 2 for other in taken) or any(
            abs(height - other) < SMALL_GAP for other in small
        ):
            continue
        small.append(height)
        ax.text(
            1.01,
            height,
            text,
            transform=ax.transAxes,
            va="center",
            fontsize=7,
            fontfamily=families,
            color=GREY,
            parse_math=False,
        )
    return len(names) - len(small)


def _end_labels(ax: Axes, names: Sequence[str], lines: dict[str, pd.DataFrame]) -> list[float]:
    """Write name and last numbers at the end of each line, none over another; return how high they stand."""
    texts, families = labelled(names)
    heights = _ends(ax, names, lines)
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
    return [float(height) for height in heights]
