"""What a seat is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arbosim.analysis.deals import Blocks
from arbosim.analysis.stats import Interval, share
from arbosim.report.plots.canvas import (
    BLUE,
    GREEN,
    ORANGE,
    VERMILION,
    frame_of,
    ink,
    nothing,
    row_axes,
    titled,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from arbosim.results import Results

TITLE = "Win share by seat"
MARKS = ((BLUE, "o"), (ORANGE, "s"), (GREEN, "^"), (VERMILION, "D"))


def seats(given: Results | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the win share on each seat with its 95 % interval, of all strategies together and of each.

    Parameters
    ----------
    given : Results or the frame of `Results.seats`, of one run
        Columns deal, seat, strategy, win. Deals are the units of the intervals.
    """
    frame = frame_of(given, lambda results: results.seats)
    if frame.empty:
        return nothing(ax, TITLE, "no games")
    players = int(frame["seat"].max()) + 1
    everyone, found = _shares(frame, players)
    means = {
        name: np.mean([each.value for each in by_seat if each.value is not None])
        for name, by_seat in found.items()
    }
    names = sorted(found, key=lambda name: (-means[name], name))
    rows = [everyone, *(found[name] for name in names)]
    names = ["(all together)", *names]
    ax = row_axes(ax, names, row=0.42, narrow=0.3)
    ax.axhline(0.5, color=ink(ax), linewidth=0.8)
    ax.axvline(1 / players, color=ink(ax), linewidth=0.8, linestyle="--")
    for seat in range(players):
        colour, mark = MARKS[seat % len(MARKS)]
        shift = (seat - (players - 1) / 2) * 0.7 / players
        for row, by_seat in enumerate(rows):
            each = by_seat[seat]
            if each.value is None:
                continue
            if each.low is not None and each.high is not None:
                ax.plot([each.low, each.high], [row + shift] * 2, color=colour, linewidth=1.5)
            ax.plot(
                each.value,
                row + shift,
                mark,
                color=colour,
                markersize=4.5,
                markeredgecolor=ink(ax),
                markeredgewidth=0.5,
            )
        ax.plot([], [], mark, color=colour, linestyle="-", markeredgecolor=ink(ax), label=f"seat {seat}")
    ax.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=players,
        frameon=False,
        fontsize=8.5,
        borderaxespad=0.1,
    )
    return titled(
        ax, TITLE, f"share of games won, with 95 % interval; dashed: 1/{players}, no difference to the others"
    )


def _shares(frame: pd.DataFrame, players: int) -> tuple[list[Interval], dict[str, list[Interval]]]:
    """Estimate the win share on each seat, for all strategies together and by strategy."""
    first, last = int(frame["deal"].min()), int(frame["deal"].max())
    blocks = Blocks([(0, first, last - first + 1)])
    block = ((frame["deal"].to_numpy(np.int64) - first) // blocks.size).astype(np.int64)
    strategy = frame["strategy"].astype("category").cat.remove_unused_categories()
    codes = strategy.cat.codes.to_numpy(np.int64)
    cell = (codes * players + frame["seat"].to_numpy(np.int64)) * blocks.count + block
    shape = (len(strategy.cat.categories), players, blocks.count)
    games = np.bincount(cell, minlength=np.prod(shape)).reshape(shape)
    wins = np.bincount(cell, weights=frame["win"].to_numpy(float), minlength=np.prod(shape)).reshape(shape)
    deals = int(frame["deal"].nunique())

    def by_seat(wins: np.ndarray, games: np.ndarray) -> list[Interval]:
        return [share(wins[seat], games[seat], deals) for seat in range(players)]

    names = [str(name) for name in strategy.cat.categories]
    found = {name: by_seat(wins[number], games[number]) for number, name in enumerate(names)}
    return by_seat(wins.sum(axis=0), games.sum(axis=0)), found
