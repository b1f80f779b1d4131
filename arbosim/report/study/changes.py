"""What each variant changes: a figure for each metric, and the table of metrics by variants."""

from __future__ import annotations

from arbosim.core.numbers import counted
from arbosim.report.estimates import folded
from arbosim.report.figures import figure
from arbosim.report.markup import Markup, element, joined
from arbosim.report.study import grid
from arbosim.report.study.found import Found, Key


def figures(found: Found) -> Markup:
    """Return a figure for each metric: of what changes something, then folded of single strategies and the rest.

    What is about a single strategy and changes nothing has its row in the table, and no figure.
    """
    if not found.effects:
        return element("p", "No variant was compared to the base.")
    told = (
        "Each mark is what a variant changes of a metric, its value minus that of the base, with the 95 % interval of "
        "the difference. A filled mark on a thick line, and a star behind its numbers, is significant; a hollow one is "
        "not; a cross has no interval, for the deals were too few."
    )
    telling = {row.key for row in found.significant}
    compared = {row.key for row in found.effects}
    numbered = [(number, key) for number, key in enumerate(found.keys) if key in compared]
    first = [each for each in numbered if each[1] in telling and not each[1][1]]
    single = [each for each in numbered if each[1] in telling and each[1][1]]
    rest = [each for each in numbered if each[1] not in telling and not each[1][1]]
    parts = [element("p", told), _figures(found, first)]
    if not first:
        parts.append(element("p", "No difference in the game as a whole is significant."))
    for some, title in (
        (single, "of single strategies, with a significant difference"),
        (rest, "without a significant difference"),
    ):
        if some:
            parts.append(folded(f"{counted(len(some), 'figure')} {title}", _figures(found, some)))
    return joined(parts)


def _figures(found: Found, some: list[tuple[int, Key]]) -> Markup:
    return element("div", *(_figure(found, *each) for each in some), class_="figures")


def _figure(found: Found, number: int, key: Key) -> Markup:
    from arbosim.report import plots

    metric, subject = key
    title = found.title(key)
    meaning = found.meaning(metric)
    drawn = figure(
        f"effects-{number}",
        lambda: plots.effects(
            found.frame,
            metric,
            subject=subject,
            title=title,
            unit=found.unit(metric),
            values=found.study.metrics,
        ),
        f"What each variant changes: {title}",
    )
    parts = [element("h3", title[:1].upper() + title[1:])]
    if meaning:
        parts.append(element("p", meaning, class_="quiet"))
    return element("div", *parts, drawn, data_metric=metric, data_subject=subject)


def tables(found: Found) -> Markup:
    """Return metrics by variants for each number of players and pool, and those of strategies folded."""
    if not found.values:
        return element("p", "Nothing was measured.")
    parts = [grid.legend()]
    whole = [key for key in found.keys if not key[1]]
    single = [key for key in found.keys if key[1]]
    for family in found.families:
        parts.append(grid.differences(found, family, whole, "Base values, and differences from them"))
        if single:
            inside = grid.differences(found, family, single, "Base values, and differences from them")
            parts.append(folded(f"By strategy: {counted(len(single), 'row')}", inside))
    return joined(parts)
