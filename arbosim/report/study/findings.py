"""The answer in brief: sentences about what a study found, each with the numbers on which it rests beside it."""

from __future__ import annotations

from arbosim.core.numbers import counted
from arbosim.report import amounts
from arbosim.report.estimates import folded
from arbosim.report.markup import Markup, element, joined, machine
from arbosim.report.study.found import Found, Key
from arbosim.report.study.rows import Effect, at_tables

MOST = 12
"""Sentences of a kind, at most; the tables have the rest."""


def brief(found: Found) -> Markup:
    """Return question and answer."""
    study = found.study
    parts = []
    if study.question:
        parts.append(element("p", element("strong", study.question)))
    parts += [element("p", _extent(found), data_name="extent"), _changed(found), _unchanged(found)]
    return joined([*parts, _unknown(found)])


def _extent(found: Found) -> str:
    """Return how much was compared, and how strictly."""
    if not found.effects:
        return "No variant was compared to the base, so nothing can be said about the rules yet."
    metrics = counted(len({row.metric for row in found.effects}), "metric")
    variants = counted(len({row.variant for row in found.effects}), "variant")
    kinds = [at_tables(*family) for family in found.families]
    return (
        f"{metrics} compared under {variants} ({'; '.join(kinds)}): {counted(len(found.effects), 'difference')} from "
        f"the base in all, of which {len(found.significant):,} "
        f"{'is' if len(found.significant) == 1 else 'are'} significant. Significant: the risk "
        f"that any of the differences of a number of players is called so by chance is 5 % at most (Holm); "
        "the p-values here are corrected for that. Intervals are those of each difference by itself, 95 %."
    )


def _changed(found: Found) -> Markup:
    """Return what is significantly different, the clearest first."""
    heading = element("h3", "What changed")
    if not found.significant:
        told = "No difference is significant." if found.effects else "Nothing was compared."
        return joined([heading, element("p", told)])
    parts = [heading, _listed([_sentence(found, row) for row in found.significant[:MOST]])]
    left = len(found.significant) - MOST
    if left > 0:
        told = f"These are the {MOST} clearest of {len(found.significant):,}, largest in units of their intervals; "
        parts.append(element("p", told, element("a", "the table has all", href="#table"), "."))
    return joined(parts)


def _sentence(found: Found, row: Effect) -> Markup:
    """Return what one variant changes of one metric."""
    unit = found.unit(row.metric)
    way = "higher" if (row.difference or 0) > 0 else "lower"
    told = joined(
        ["Under ", element("strong", row.variant), ", ", _lower_first(found.title(row.key)), f" is {way}"]
    )
    return joined([told, _where(found, row), ": ", _numbers(row, unit), "."])


def _numbers(row: Effect, unit: str) -> Markup:
    """Return a difference with its interval, p-value and base, and unrounded for machines."""
    base = amounts.like(row.base, unit, row.low, row.high)
    written = amounts.difference(row.difference, unit, row.low, row.high)
    told = f"{written}, {amounts.p_value(row.p_holm)}; the base has {base}"
    return element(
        "span",
        told,
        data_players=row.players,
        data_pool=row.pool,
        data_variant=row.variant,
        data_metric=row.metric,
        data_subject=row.subject,
        data_difference=machine(row.difference),
        data_low=machine(row.low),
        data_high=machine(row.high),
        data_p_holm=machine(row.p_holm),
    )


def _where(found: Found, row: Effect) -> str:
    """Return for which players something holds, where the study has several kinds."""
    return f" ({at_tables(*row.family)})" if len(found.families) > 1 else ""


def _unchanged(found: Found) -> Markup:
    """Return what is not significantly different, and within what bounds that is known."""
    sentences = [*_without_effect(found), *_steady(found)]
    if not sentences:
        return Markup()
    note = (
        "No significant difference is not the same as none: what the deals leave possible stands beside each, from "
        "the lowest to the highest bound of the intervals."
    )
    parts = [element("h3", "What did not change, as far as the deals tell"), element("p", note)]
    parts.append(_listed(sentences[:MOST]))
    if len(sentences) > MOST:
        parts.append(folded(f"{len(sentences) - MOST} more", _listed(sentences[MOST:])))
    return joined(parts)


def _without_effect(found: Found) -> list[Markup]:
    """Return a sentence for each variant that is like the base in everything."""
    sentences = []
    for variant in found.variants:
        rows = [row for row in found.effects if row.variant == variant and row.is_known]
        if not rows or any(row.significant for row in rows):
            continue
        name, all_of_them = element("strong", variant), counted(len(rows), "difference")
        if all(row.is_nothing for row in rows):
            told = joined([name, f" changes nothing: {all_of_them} of {len(rows):,}, each exactly 0."])
        else:
            told = joined([name, f": none of {all_of_them} from the base is significant."])
        sentences.append(told)
    return sentences


def _steady(found: Found) -> list[Markup]:
    """Return a sentence for each metric of the whole table that no variant changes significantly."""
    sentences = []
    for key in found.keys:
        rows = [row for row in found.effects if row.key == key and row.is_known]
        if key[1] or not rows or any(row.significant for row in rows):
            continue
        sentences.append(_bounded(found, key, rows))
    return sentences


def _bounded(found: Found, key: Key, rows: list[Effect]) -> Markup:
    unit = found.unit(key[0])
    low = min(row.low for row in rows if row.low is not None)
    high = max(row.high for row in rows if row.high is not None)
    decimals = amounts.digits(unit, None, low, high)
    bounds = " to ".join(amounts.number(bound, unit, decimals, signed=True) for bound in (low, high))
    behind = amounts.of_differences(unit)
    numbers = element(
        "span",
        f"{bounds} {behind}".rstrip(),
        data_metric=key[0],
        data_low=machine(low),
        data_high=machine(high),
    )
    return joined([f"{found.title(key)}: no significant difference in {len(rows):,}; ", numbers, "."])


def _unknown(found: Found) -> Markup:
    """Return what the deals were too few for."""
    rows = [row for row in found.effects if not row.is_known]
    if not rows:
        return Markup()
    metrics = list(dict.fromkeys(found.title((row.metric, "")) for row in rows))
    shown = ", ".join(metrics[:MOST]) + (f" and {len(metrics) - MOST} more" if len(metrics) > MOST else "")
    fewest = min(row.deals for row in rows)
    told = (
        f"Too few deals to tell: {counted(len(rows), 'difference')} of {len(found.effects):,} "
        f"({counted(fewest, 'deal')} at least), in {shown}."
    )
    return joined([element("h3", "What stays open"), element("p", told, data_name="too_few")])


def _listed(sentences: list[Markup]) -> Markup:
    return element("ul", *(element("li", each) for each in sentences), class_="findings")


def _lower_first(title: str) -> str:
    """Return a title inside a sentence; one that begins with an abbreviation keeps its capitals."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]
