"""The forest of what rule variants change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.lines import Line2D

from arbosim.core.errors import UserError, unknown
from arbosim.report import amounts
from arbosim.report.plots.canvas import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    ink,
    nothing,
    row_axes,
    row_texts,
    titled,
)
from arbosim.report.study.found import base_text
from arbosim.report.study.rows import Effect, Value, at_tables, families, read

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from arbosim.analysis.balance import Metric
    from arbosim.studies.study import Study

LOOKS = ((BLUE, "o"), (VERMILION, "s"), (GREEN, "^"), (ORANGE, "D"), (PURPLE, "v"), (SKY, "P"))
"""Colour and mark of the tables and pools, of which there are six at most: 2, 3, 4 players, given and re-tuned."""
INCHES = 0.2
"""Height of a mark with its text."""


def effects(
    given: Study | pd.DataFrame,
    metric: str,
    ax: Axes | None = None,
    *,
    subject: str = "",
    title: str = "",
    unit: str = "",
    values: pd.DataFrame | None = None,
) -> Axes:
    """Draw what each variant changes of a metric against the base, with 95 % intervals.

    Variants stand in the order of the frame, numbers of players and pools of strategies side by side. A filled mark
    on a thick line, and a star behind the numbers, is a significant difference, corrected for the number of metrics
    and variants (Holm); a hollow one is not. A cross has no interval: too few deals.

    Parameters
    ----------
    given : Study or the frame of `Study.effects`
        Columns players, pool, variant, metric, subject, base, difference, low, high, significant and more.
    metric, subject : str
        What is drawn; a metric of strategies needs one of them as subject.
    title, unit : str
        Heading, and the unit as in `Study.metrics`; a study knows them.
    values : the frame of `Study.metrics`, optional
        Its intervals tell to how many digits base values are written; a study knows it.

    Raises
    ------
    UserError
        Nothing is called so, or the subject is missing. A metric that a study knows and did not measure is drawn as
        empty axes that say so, and so is one of a frame without effects.
    """
    named = metric
    described: Mapping[str, Metric] = {}
    if isinstance(given, pd.DataFrame):
        frame = given
    else:
        frame, values, described = given.effects, given.metrics, given.described
        if known := described.get(metric):
            named, unit = known.title, unit or known.unit
    _check(frame, metric, subject, described)
    title = title or (f"{named} ({subject})" if subject else named)
    chosen = (frame["metric"] == metric) & (frame["subject"] == subject)
    found = [row for row in read(frame[chosen], Effect) if row.difference is not None]
    if not found:
        return nothing(ax, title, "no effects: no variant was compared, or the metric was not measured")
    variants = list(dict.fromkeys(row.variant for row in found))
    groups = families(found)
    inches = 0.14 + INCHES * len(groups)
    ax = row_axes(ax, variants, row=inches, narrow=inches)
    ax.axvline(0, color=ink(ax), linewidth=0.9)
    texts, heights = [], []
    for row in found:
        group = groups.index(row.family)
        height = variants.index(row.variant) + (group - (len(groups) - 1) / 2) * 0.8 / len(groups)
        _mark(ax, row, height, LOOKS[group % len(LOOKS)], amounts.factor(unit))
        heights.append(height)
        texts.append(_text(row, unit))
    row_texts(ax, "difference (95 % interval)", texts, heights)
    lines = 0
    if len(groups) > 1:
        columns = len(groups) if len(groups) <= 3 else 2
        lines = -(-len(groups) // columns)
        handles = [
            Line2D([], [], color=colour, marker=mark, label=at_tables(*group))
            for group, (colour, mark) in zip(groups, LOOKS, strict=False)
        ]
        ax.legend(
            handles=handles,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=columns,
            frameon=False,
            fontsize=8.5,
            borderaxespad=1.6,  # room for the heading of the numbers, which it meets where the drawing is narrow
        )
    behind = amounts.of_differences(unit)
    meaning = "difference from the base" + (f" in {behind}" if behind else "")
    bases = _bases(found, [] if values is None else read(values, Value), unit)
    titled(ax, title, f"{meaning}; filled, and *: significant (Holm)\n{bases}")
    ax.set_title(title, loc="left", fontsize=11, pad=20 + 13 * lines, wrap=True)  # above the legend
    return ax


def _check(frame: pd.DataFrame, metric: str, subject: str, known: Collection[str]) -> None:
    """Raise a UserError unless the frame has effects on a metric of a subject, or a study knows the metric at least."""
    measured = list(dict.fromkeys(frame["metric"]))
    if metric not in measured:
        if metric in known or not (known or measured):
            return
        raise unknown("metric", metric, measured or known)
    subjects = list(dict.fromkeys(frame.loc[frame["metric"] == metric, "subject"]))
    if subject in subjects:
        return
    if not subject:
        accepted = ", ".join(map(repr, subjects))
        raise UserError(
            f"{metric!r} is there once for each subject, so it needs one: {accepted}", where="subject"
        )
    if subjects == [""]:
        raise UserError(f"{metric!r} is about the game as a whole and has none", where="subject")
    raise unknown(f"subject of {metric}", subject, filter(None, subjects))


def _mark(ax: Axes, row: Effect, height: float, look: tuple[str, str], factor: float) -> None:
    colour, mark = look
    if row.low is not None and row.high is not None:
        ends = [factor * row.low, factor * row.high]
        ax.plot(ends, [height, height], color=colour, linewidth=2.4 if row.significant else 1.2)
    assert row.difference is not None
    ax.plot(
        factor * row.difference,
        height,
        mark if row.is_known else "x",
        color=colour,
        markersize=6 if row.significant else 5,
        markerfacecolor=colour if row.significant else "none",
    )


def _text(row: Effect, unit: str) -> str:
    written = amounts.difference(row.difference, unit, row.low, row.high, bare=True)
    return f"{written}{' *' if row.significant else ''}{'' if row.is_known else ' (too few deals)'}"


def _bases(found: list[Effect], values: list[Value], unit: str) -> str:
    """Return what the metric is under the base rules, for all tables and pools, those of a number of players a line."""
    bases = {row.family: base_text(row, values, unit) for row in found if row.base is not None}
    if len(bases) == 1:
        return f"base: {next(iter(bases.values()))}"
    lines: dict[int, list[str]] = {}
    for family in sorted(bases):
        lines.setdefault(family[0], []).append(f"{bases[family]} ({at_tables(*family)})")
    return "base: " + "\n".join("; ".join(line) for line in lines.values())
