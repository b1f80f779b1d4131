"""What variants do to those who play: the meta-game, restricted play, the skill trace, re-tuned players."""

from __future__ import annotations

from collections.abc import Iterator

from arbosim.core.game import rule_text
from arbosim.core.numbers import counted
from arbosim.report import amounts
from arbosim.report.estimates import folded
from arbosim.report.markup import Markup, breakable, element, joined, machine, table
from arbosim.report.study import grid
from arbosim.report.study.found import BAN_COST, SKILL_TRACE, Family, Found
from arbosim.report.study.rows import BASE, GIVEN, RETUNED, Effect, Standing, at_tables, known

WHOLE_POOL = ("effective_strategies", "cyclic_share")
"""Metrics of what the strategies are among each other."""
SHARE = "0 to 1"


def meta(found: Found) -> Markup:
    """Return how the strategies stand under each variant, and what they are among each other."""
    if not found.standings:
        return element("p", "No strategies met each other.")
    told = (
        "Win share of each strategy with its 95 % interval, and below it its mass in the Nash mixture: how much of the "
        "play it would have among those that are worth having. A mass jumps where two are nearly equal, so its "
        "interval is wide then."
    )
    parts = [element("p", told)]
    for family in found.families:
        parts.append(_standings(found, family))
        keys = [key for key in found.keys if key[0] in WHOLE_POOL]
        if keys:
            parts.append(grid.values(found, family, keys, "The pool as a whole"))
    return joined(parts)


def _standings(found: Found, family: Family) -> Markup:
    here = {(row.variant, row.strategy): row for row in found.standings if (row.players, row.pool) == family}
    if not here:
        return Markup()
    names = [name for name in [BASE, *found.variants] if any(variant == name for variant, _ in here)]
    strategies = list(dict.fromkeys(strategy for _, strategy in here))
    heads = [
        element("th", "strategy", scope="col", class_="text name"),
        *(element("th", breakable(name), scope="col", class_="variant") for name in names),
    ]
    rows = [
        element(
            "tr",
            element("th", breakable(strategy), scope="row"),
            *(_standing(here.get((name, strategy)), name) for name in names),
            data_strategy=strategy,
        )
        for strategy in strategies
    ]
    return table(heads, rows, f"Win share and Nash mass under each variant, {at_tables(*family)}", "matrix")


def _standing(row: Standing | None, variant: str) -> Markup:
    if row is None:
        return element("td", "-", data_variant=variant)
    share = amounts.value(row.win_share, SHARE, row.low, row.high)
    inside = [element("div", share)]
    if row.nash is not None:
        bounds = (
            f" ({row.nash_low:.2f} to {row.nash_high:.2f})"
            if row.nash_low is not None and row.nash_high is not None
            else ""
        )
        inside.append(element("div", f"Nash {row.nash:.2f}{bounds}", class_="quiet"))
    return element(
        "td",
        *inside,
        data_variant=variant,
        data_win_share=machine(row.win_share),
        data_nash=machine(row.nash),
    )


def restricted(found: Found) -> Markup:
    """Return what a strategy loses by doing without an ability, under each variant."""
    told = f"{found.meaning(BAN_COST)} Marked where that differs significantly from the base."
    return joined([element("p", told), *_by_metric(found, BAN_COST, "Cost of a ban in win share")])


def trace(found: Found) -> Markup:
    """Return how far thinking longer pays under each variant."""
    told = f"{found.meaning(SKILL_TRACE)} Marked where it differs significantly from the base."
    return joined([element("p", told), *_by_metric(found, SKILL_TRACE, "Skill trace")])


def _by_metric(found: Found, metric: str, caption: str) -> Iterator[Markup]:
    keys = [key for key in found.keys if key[0] == metric]
    for family in found.families:
        if any(found.value(family, BASE, key) for key in keys):
            yield grid.values(found, family, keys, caption)


def retuned(found: Found) -> Markup:
    """Return the effects with given and with re-tuned players side by side, and where they disagree."""
    pairs = [
        (given, again)
        for given in found.effects
        if given.pool == GIVEN
        and (again := found.effect((given.players, RETUNED), given.variant, given.key)) is not None
    ]
    told = (
        "An effect that only holds for players who were built for other rules is one of the players. So strategies "
        "were tuned again for each variant; where the two columns agree, the answer is about the rule."
    )
    telling = [pair for pair in pairs if pair[0].significant or pair[1].significant]
    other = [pair for pair in pairs if pair not in telling]
    parts = [
        element("p", told),
        _tunings(found),
        _disagreements(found),
        _side_by_side(found, telling, "Significant with either"),
    ]
    if other:
        caption = "Significant with neither"
        parts.append(folded(counted(len(other), "more pair"), _side_by_side(found, other, caption)))
    return joined(parts)


def _tunings(found: Found) -> Markup:
    """Return what tuning found for each strategy under each variant."""
    rows = [
        element(
            "tr",
            element("th", breakable(tuned.strategy), scope="row"),
            element("td", tuned.variant, class_="text"),
            element("td", tuned.players),
            element("td", "yes" if tuned.helped else "no, played as given", class_="text"),
            element(
                "td",
                ", ".join(f"{name}={rule_text(value)}" for name, value in tuned.values.items()) or "-",
                class_="text long",
            ),
        )
        for tuned in found.study.manifest.tunings
    ]
    heads = [
        element("th", head, scope="col", class_=None if head == "players" else "text")
        for head in ("strategy", "variant", "players", "tuning helped", "values")
    ]
    return table(heads, rows, "What tuning found") if rows else Markup()


def _disagreements(found: Found) -> Markup:
    """Return the effects about which given and re-tuned players disagree, in sentences."""
    names = ["players", "variant", "metric", "subject", "difference", "low", "high"]
    sentences = []
    for row in found.study.disagreements[names].to_dict("records"):
        key = (row["metric"], row["subject"])
        unit = found.unit(row["metric"])
        given, again = (
            found.effect((row["players"], pool), row["variant"], key) for pool in (GIVEN, RETUNED)
        )
        change = amounts.difference(known(row["difference"]), unit, known(row["low"]), known(row["high"]))
        told = (
            f", {found.title(key)} ({at_tables(row['players'])}): {_written(found, given)}, with given players; "
            f"{_written(found, again)}, with re-tuned ones. The latter less the former: {change}."
        )
        strong = element("strong", row["variant"])
        sentences.append(
            element("li", "Under ", strong, told, data_variant=row["variant"], data_metric=row["metric"])
        )
    if not sentences:
        return element(
            "p",
            "Between given and re-tuned players no disagreement is significant.",
            data_name="disagreements",
        )
    heading = f"Given and re-tuned players disagree in {counted(len(sentences), 'effect')}:"
    return joined(
        [element("p", heading, data_name="disagreements"), element("ul", *sentences, class_="findings")]
    )


def _written(found: Found, row: Effect | None) -> str:
    if row is None:
        return "nothing known"
    told = amounts.difference(row.difference, found.unit(row.metric), row.low, row.high)
    return f"{told}, {'significant' if row.significant else 'not significant'}"


def _side_by_side(found: Found, pairs: list[tuple[Effect, Effect]], caption: str) -> Markup:
    heads = [
        element("th", "variant", scope="col", class_="text name"),
        *(element("th", head, scope="col", class_="text") for head in ("players", "metric", "unit")),
        "given",
        "re-tuned",
    ]
    rows = [
        element(
            "tr",
            element("th", breakable(given.variant), scope="row"),
            element("td", given.players),
            element("td", found.title(given.key), class_="text"),
            element("td", amounts.of_differences(found.unit(given.metric)), class_="text"),
            grid.difference(found, given),
            grid.difference(found, again),
        )
        for given, again in pairs
    ]
    return table(heads, rows, caption, "matrix") if rows else element("p", f"{caption}: none.")
