"""How scores, margins and lengths of games are spread, one histogram a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from arbosim.report.plots.canvas import BLUE, frame_of, ink, nothing, row_axes, row_texts, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from arbosim.results import Results

GAME = ["match", "deal", "rotation"]


def scores(given: Results | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how the score of each strategy is spread over the games that nobody forfeited.

    Parameters
    ----------
    given : Results or the frame of `Results.seats`
        Columns strategy, score.
    """
    frame = frame_of(given, lambda results: results.seats)
    return _ridges(frame["strategy"], frame["score"], ax, "Scores", "points in a game")


def margins(given: Results | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how far each strategy is ahead of the best of the others, or behind.

    Parameters
    ----------
    given : Results or the frame of `Results.seats`
        Columns match, deal, rotation, strategy, score.
    """
    frame = frame_of(given, lambda results: results.seats)
    frame = frame.loc[frame["score"].notna(), [*GAME, "strategy", "score"]].sort_values(GAME, kind="stable")
    games = len(frame.drop_duplicates(GAME))
    if not games:
        return nothing(ax, "Margins", "no games")
    table = frame["score"].to_numpy(np.int64).reshape(games, -1)
    ordered = np.sort(table, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    others = np.where(table == best, second, best)  # who shares the best score has it among the others too
    ax = _ridges(
        frame["strategy"],
        pd.Series((table - others).ravel(), frame.index),
        ax,
        "Margins",
        "score minus the best score of the others; right of 0 the game was won",
    )
    ax.axvline(0, color=ink(ax), linewidth=0.8, zorder=1)
    return ax


def turns(given: Results | pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how long the games of each strategy last, in turns of all seats together.

    Parameters
    ----------
    given : Results or a frame with one row per game and seat
        Columns strategy, turns.
    """
    frame = frame_of(given, _turns)
    return _ridges(frame["strategy"], frame["turns"], ax, "Length of games", "turns of all seats together")


def _turns(results: Results) -> pd.DataFrame:
    return results.seats[[*GAME, "strategy"]].merge(results.games[[*GAME, "turns"]], on=GAME)


def _ridges(
    strategy: pd.Series[str], value: pd.Series[float], ax: Axes | None, title: str, meaning: str
) -> Axes:
    """Draw one histogram of whole numbers a row, each to a height of its own, the highest mean first."""
    frame = pd.DataFrame({"strategy": strategy.astype(str), "value": value}).dropna()
    if frame.empty:
        return nothing(ax, title, "no games")
    frame["value"] = frame["value"].astype(np.int64)
    groups = {str(name): part.to_numpy() for name, part in frame.groupby("strategy")["value"]}
    means = {name: float(values.mean()) for name, values in groups.items()}
    names = sorted(groups, key=lambda name: (-means[name], name))
    low, high = int(frame["value"].min()), int(frame["value"].max())
    edges = np.arange(low, high + 2) - 0.5
    ax = row_axes(ax, names, row=0.55, narrow=0.27)
    for row, name in enumerate(names):
        foot = row + 0.42
        counts = np.bincount(groups[name] - low, minlength=high - low + 1)
        ax.stairs(
            foot - 0.85 * counts / counts.max(), edges, baseline=foot, fill=True, color=BLUE, alpha=0.75
        )
        median = float(np.median(groups[name]))
        ax.plot([median, median], [foot, foot - 0.8], color=ink(ax), linewidth=1.2)
        ax.plot(means[name], foot, "D", color=ink(ax), markerfacecolor="white", markersize=4, clip_on=False)
    ax.set_xlim(edges[0], edges[-1])
    row_texts(ax, "mean (median)", [f"{means[name]:.1f} ({np.median(groups[name]):g})" for name in names])
    return titled(
        ax,
        title,
        f"{meaning}\nheight: share of games, each row to its own tallest; line: median; diamond: mean",
    )
