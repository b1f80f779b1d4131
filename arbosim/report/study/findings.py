"""The answer in brief: sentences about what a study found, each with the numbers on which it rests beside it."""

from __future__ import annotations

from collections import Counter

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
        return "No variant was compared to the base, so nothing can be said about the rules."
    metrics = counted(len({row.metric for row in found.effects}), "metric")
    variants = counted(len({row.variant for row in found.effects}), "variant")
    tables = "; ".join(at_tables(*family) for family in found.families)
    number = len(found.significant)
    significant = f"{number:,} are" if number > 1 else "one is" if number else "none is"
    within = "in each of these" if len(found.families) > 1 else "in all"
    return (
        f"{metrics} compared under {variants} ({tables}): {counted(len(found.effects), 'difference')} from the base, "
        f"of which {significant} significant. The risk of calling any difference significant by mere chance is 5 % at "
        f"most, {within}: p-values are corrected for the number of differences (Holm). In brackets stands the 95 % "
        "interval of each difference by itself."
    )


def _changed(found: Found) -> Markup:
    """Return what is significantly different: in the game as a whole, and for single strategies."""
    parts = [element("h3", "What changed")]
    if not found.significant:
        parts.append(
            element("p", "No difference is significant." if found.effects else "Nothing was compared.")
        )
        return joined(parts)
    whole = _groups([row for row in found.significant if not row.subject])
    single = _groups([row for row in found.significant if row.subject])
    if whole:
        parts.append(_told(found, whole))
    if single and whole:
        title = f"And for single strategies: {counted(len(single), 'change')}"
        parts.append(folded(title, _told(found, single)))
    elif single:
        parts += [
            element("p", "Nothing in the game as a whole, but for single strategies:"),
            _told(found, single),
        ]
    return joined(parts)


def _told(found: Found, groups: list[list[Effect]]) -> Markup:
    """Return a sentence for each of the groups, or for some of them."""
    shown = _chosen(found, groups)
    sentences = _listed([_sentence(found, group) for group in shown])
    if len(shown) == len(groups):
        return sentences
    told = f"These are {len(shown)} of {len(groups):,}, the clearest of each variant first; "
    return joined([sentences, element("p", told, element("a", "the table has all", href="#table"), ".")])


def _groups(rows: list[Effect]) -> list[list[Effect]]:
    """Return together what is the same but for the number of players and the pool, the clearest first."""
    groups: dict[tuple[str, Key, bool], list[Effect]] = {}
    for row in rows:
        groups.setdefault((row.variant, row.key, _is_higher(row)), []).append(row)
    return list(groups.values())


def _chosen(found: Found, groups: list[list[Effect]]) -> list[list[Effect]]:
    """Return MOST groups in the order of the variants; no variant has another one before each has its first."""
    seen: Counter[str] = Counter()
    ranked = []
    for place, group in enumerate(groups):
        variant = group[0].variant
        ranked.append((seen[variant], place, group))
        seen[variant] += 1
    best = sorted(ranked, key=lambda each: each[:2])[:MOST]
    return [group for *_, group in sorted(best, key=lambda each: found.variants.index(each[2][0].variant))]


def _is_higher(row: Effect) -> bool:
    return (row.difference or 0.0) > 0


def _sentence(found: Found, group: list[Effect]) -> Markup:
    """Return what one variant changes of one metric, in all numbers of players and pools in which it does."""
    first = group[0]
    way = "higher" if _is_higher(first) else "lower"
    under = ["Under ", element("strong", first.variant), f", {_inside(found.title(first.key))} is {way}"]
    if len(group) == 1:
        where = f" with {at_tables(*first.family)}" if len(found.families) > 1 else ""
        return joined([*under, f"{where}: ", _numbers(found, first), "."])
    in_order = sorted(group, key=lambda row: found.families.index(row.family))
    lines = [
        joined([f"{at_tables(*row.family)}: ", _numbers(found, row), ";" if row is not in_order[-1] else "."])
        for row in in_order
    ]
    return joined([*under, ":", element("ul", *(element("li", line) for line in lines))])


def _numbers(found: Found, row: Effect) -> Markup:
    """Return a difference with its interval, p-value and base, and unrounded for machines."""
    unit = found.unit(row.metric)
    written = amounts.difference(row.difference, unit, row.low, row.high)
    told = f"{written}, {amounts.p_value(row.p_holm)}, from {amounts.like(row.base, unit, row.low, row.high)}"
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
        rows = [row for row in found.telling if row.variant == variant]
        if not rows or any(row.significant for row in rows):
            continue
        name, all_of_them = element("strong", variant), counted(len(rows), "difference")
        if all(row.is_nothing for row in rows):
            told = joined([name, f" changes nothing: {all_of_them} from the base, each exactly 0."])
        else:
            told = joined([name, f": none of {all_of_them} from the base is significant."])
        sentences.append(told)
    return sentences


def _steady(found: Found) -> list[Markup]:
    """Return a sentence for each metric of the whole table that no variant changes significantly."""
    sentences = []
    for key in found.keys:
        rows = [row for row in found.telling if row.key == key]
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
    if all(row.is_nothing for row in rows):
        bounds = "exactly 0"
    numbers = element(
        "span",
        f"{bounds} {amounts.of_differences(unit)}".rstrip(),
        data_metric=key[0],
        data_low=machine(low),
        data_high=machine(high),
    )
    compared = counted(len(rows), "comparison")
    return joined(
        [element("strong", found.title(key)), f": nothing significant in {compared}; ", numbers, "."]
    )


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
        f"(from {counted(fewest, 'deal')} on), in {shown}."
    )
    return joined([element("h3", "What stays open"), element("p", told, data_name="too_few")])


def _listed(sentences: list[Markup]) -> Markup:
    return element("ul", *(element("li", each) for each in sentences), class_="findings")


def _inside(title: str) -> str:
    """Return a title as it stands inside a sentence; one that begins with an abbreviation keeps its capitals."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]
