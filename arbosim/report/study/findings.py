"""The answer in brief: sentences about what a study found, each with the numbers on which it rests beside it."""

from __future__ import annotations

from arbosim.analysis import bootstrap
from arbosim.core.numbers import counted
from arbosim.report import amounts
from arbosim.report.estimates import folded
from arbosim.report.markup import Markup, element, joined, machine
from arbosim.report.study.found import BAN_COST, Family, Found, Key
from arbosim.report.study.rows import BASE, Effect, at_tables

MOST = 12
"""Sentences of a kind that are open; the others are folded."""
MOST_CHANGES = 3
"""Changes of a metric that are open, the clearest; the others are folded."""


def brief(found: Found) -> Markup:
    """Return question and answer."""
    study = found.study
    parts = []
    if study.question:
        parts.append(element("p", element("strong", study.question)))
    parts += [element("p", _extent(found), data_name="extent"), _forfeited(found)]
    return joined([*parts, _changed(found), _bans(found), _unchanged(found), _unknown(found)])


def _extent(found: Found) -> str:
    """Return how much was compared, and how strictly."""
    if not found.effects:
        return "No variant was compared to the base, so nothing can be said about the rules."
    metrics = counted(len({row.metric for row in found.effects}), "metric")
    variants = counted(len({row.variant for row in found.effects}), "variant")
    tables = "; ".join(at_tables(*family) for family in found.families)
    number = len(found.significant)
    significant = f"{number:,} are" if number > 1 else "one is" if number else "none is"
    several = len(found.families) > 1
    within = "in each of these" if several else "in all"
    merged = " What differs for several of these is told in one sentence." if several and number else ""
    return (
        f"{metrics} compared under {variants} ({tables}): {counted(len(found.effects), 'difference')} from the base, "
        f"of which {significant} significant.{merged} The risk of calling any difference significant by mere chance "
        f"is 5 % at most, {within}: p-values are corrected for the number of differences (Holm). In brackets stands "
        "the 95 % interval of each difference by itself."
    )


def _forfeited(found: Found) -> Markup:
    """Return of what nothing is told, because nobody played to the end."""
    if not found.forfeited:
        return Markup()
    names = ", ".join(found.forfeited)
    told = f"All games were forfeited by a mistake, so nothing is known of the rules: {names}."
    return element("p", element("strong", told), data_name="forfeited")


def _changed(found: Found) -> Markup:
    """Return what is significantly different, each metric once, in the order of the metrics; bans stand elsewhere."""
    parts = [element("h3", "What changed")]
    if not found.significant:
        parts.append(
            element("p", "No difference is significant." if found.effects else "Nothing was compared.")
        )
        return joined(parts)
    by_metric = {
        metric: [row for row in found.significant if row.metric == metric]
        for metric in found.metrics
        if metric != BAN_COST
    }
    items = [element("li", _told(found, rows)) for rows in by_metric.values() if rows]
    if not items:
        parts.append(element("p", "Nothing but the cost of bans."))
        return joined(parts)
    if found.study.manifest.metrics is None:
        order = "fairness first, then luck and skill, scores, strategies, tension, and the length of games"
    else:
        order = "in the order in which the study names them"
    parts.append(element("p", f"Each metric stands here once, {order}.", class_="quiet"))
    return joined([*parts, element("ul", *items, class_="findings")])


def _told(found: Found, rows: list[Effect]) -> Markup:
    """Return what changes of one metric: what it tells, the clearest changes, and folded the others."""
    metric = rows[0].metric
    compared = sum(row.metric == metric for row in found.effects)
    title = found.title((metric, ""))
    head = [
        element("strong", title[:1].upper() + title[1:]),
        f": {len(rows):,} of {counted(compared, 'difference')} significant. ",
        element("span", found.meaning(metric), class_="quiet"),
    ]
    groups = _groups(rows)
    shown, more = groups[:MOST_CHANGES], groups[MOST_CHANGES:]
    parts = [*head, _sentences(found, shown)]
    if more:
        number = sum(map(len, more))
        parts.append(folded(f"{number:,} more", _sentences(found, more)))
    others = [row for row in found.effects if row.metric == metric and row.is_known and not row.significant]
    if others:
        parts += [f"{counted(len(others), 'other')} not significant: ", _bounds(found, others), "."]
    return joined(parts)


def _groups(rows: list[Effect]) -> list[list[Effect]]:
    """Return together what is the same but for the number of players and the pool, the clearest first."""
    groups: dict[tuple[str, Key, bool], list[Effect]] = {}
    for row in rows:
        groups.setdefault((row.variant, row.key, _is_higher(row)), []).append(row)
    return list(groups.values())


def _is_higher(row: Effect) -> bool:
    return (row.difference or 0.0) > 0


def _sentences(found: Found, groups: list[list[Effect]]) -> Markup:
    return element("ul", *(element("li", _sentence(found, group)) for group in groups))


def _sentence(found: Found, group: list[Effect]) -> Markup:
    """Return what one variant changes of one metric, in all numbers of players and pools in which it does."""
    first = group[0]
    way = "higher" if _is_higher(first) else "lower"
    whose = [" for ", element("strong", first.subject)] if first.subject else []
    in_order = sorted(group, key=lambda row: found.families.index(row.family))
    cases = [joined([_where(found, row.family), _numbers(found, row)]) for row in in_order]
    return joined(["Under ", element("strong", first.variant), *whose, f" {way}: ", joined(cases, "; "), "."])


def _where(found: Found, family: Family) -> str:
    """Return for which players something holds, where the study has several."""
    return f"{at_tables(*family)}: " if len(found.families) > 1 else ""


def _numbers(found: Found, row: Effect) -> Markup:
    """Return a difference with its interval, p-value and base, and unrounded for machines."""
    written = amounts.difference(row.difference, found.unit(row.metric), row.low, row.high)
    return element(
        "span",
        f"{written}, {amounts.p_value(row.p_holm)}, from {found.base(row)}",
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


def _bans(found: Found) -> Markup:
    """Return what each ban costs under the base rules, and where that changes."""
    sentences = [
        _ban(found, family, key)
        for key in found.keys
        if key[0] == BAN_COST
        for family in found.families
        if found.value(family, BASE, key)
    ]
    if not sentences:
        return Markup()
    parts = [
        element("h3", "What a ban costs"),
        element("p", found.meaning(BAN_COST), class_="quiet"),
        _listed(sentences),
    ]
    return joined(parts)


def _ban(found: Found, family: Family, key: Key) -> Markup:
    """Return what one ban costs one strategy, and the variants under which it costs significantly more or less."""
    strategy, _, ability = key[1].rpartition(":")
    value = found.value(family, BASE, key)
    assert value is not None
    is_known = value.low is not None and value.high is not None
    nothing = ", which may be nothing" if is_known and value.low <= 0 <= value.high else ""  # type: ignore[operator]
    cost = element(
        "span",
        amounts.value(value.value, value.unit, value.low, value.high),
        data_subject=key[1],
        data_value=machine(value.value),
    )
    told: list[object] = [
        f"With {at_tables(*family)}, " if len(found.families) > 1 else "",
        element("strong", strategy),
        " without ",
        element("strong", ability),
        " loses ",
        cost,
        f" of win share under the base rules{nothing}.",
    ]
    rows = [row for row in found.effects if (row.family, row.key) == (family, key)]
    changed = [row for row in rows if row.significant]
    for row in changed:
        way = "more" if _is_higher(row) else "less"
        told += [" Under ", element("strong", row.variant), f" {way}: ", _numbers(found, row), "."]
    if any(row.is_known for row in rows) and not changed:
        told.append(" Under no variant does that differ significantly.")
    return joined(told)


def _unchanged(found: Found) -> Markup:
    """Return what is not significantly different, and within what bounds that is known."""
    sentences = [*_without_effect(found), *_steady(found)]
    if not sentences:
        return Markup()
    note = (
        "No significant difference is not the same as none: what the deals leave possible stands beside each, from "
        "the lowest to the highest bound of the intervals."
    )
    heading = element("h3", "What did not change, as far as the deals tell")
    return joined([heading, element("p", note), _listed(sentences)])


def _without_effect(found: Found) -> list[Markup]:
    """Return a sentence for each variant that is like the base in everything."""
    sentences = []
    untold = set(found.forfeited.values())
    for variant in found.variants:
        rows = [row for row in found.effects if row.variant == variant and row.is_known]
        if not rows or any(row.significant for row in rows) or untold & {BASE, variant}:
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
        rows = [row for row in found.effects if row.key == key and row.is_known]
        if key[1] or not rows or any(row.significant for row in rows):
            continue
        sentences.append(_bounded(found, key, rows))
    return sentences


def _bounded(found: Found, key: Key, rows: list[Effect]) -> Markup:
    compared = counted(len(rows), "comparison")
    told = f": nothing significant in {compared}; "
    return joined([element("strong", found.title(key)), told, _bounds(found, rows), "."])


def _bounds(found: Found, rows: list[Effect]) -> Markup:
    """Return the lowest and the highest bound of the intervals of differences of one metric."""
    unit = found.unit(rows[0].metric)
    low = min(row.low for row in rows if row.low is not None)
    high = max(row.high for row in rows if row.high is not None)
    decimals = amounts.digits(unit, None, low, high)
    bounds = " to ".join(amounts.number(bound, unit, decimals, signed=True) for bound in (low, high))
    told = f"{bounds} {amounts.of_differences(unit)}".rstrip()
    return element(
        "span",
        "no difference at all" if all(row.is_nothing for row in rows) else told,
        data_metric=rows[0].metric,
        data_low=machine(low),
        data_high=machine(high),
    )


def _unknown(found: Found) -> Markup:
    """Return what the deals were too few for."""
    rows = [row for row in found.effects if not row.is_known]
    if not rows:
        return Markup()
    metrics = list(dict.fromkeys(found.title((row.metric, "")) for row in rows))
    shown = ", ".join(metrics[:MOST]) + (f" and {len(metrics) - MOST} more" if len(metrics) > MOST else "")
    fewest = min(row.deals for row in rows)
    needed = f"; an interval takes {bootstrap.FEWEST}" if fewest < bootstrap.FEWEST else ""
    told = (
        f"Too few deals to tell: {counted(len(rows), 'difference')} of {len(found.effects):,}, in {shown}. "
        f"There are {counted(fewest, 'deal')}{needed}."
    )
    return joined([element("h3", "What stays open"), element("p", told, data_name="too_few")])


def _listed(sentences: list[Markup]) -> Markup:
    """Return sentences as a list, of which MOST are open."""
    shown, more = (
        element("ul", *(element("li", each) for each in some), class_="findings")
        for some in (sentences[:MOST], sentences[MOST:])
    )
    return (
        joined([shown, folded(f"{len(sentences) - MOST:,} more", more)]) if len(sentences) > MOST else shown
    )
