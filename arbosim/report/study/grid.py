"""Tables of metrics by variants, in which significance shows as a mark, a number and a tint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arbosim.report import amounts
from arbosim.report.markup import Markup, breakable, element, joined, machine, table
from arbosim.report.sections import STRONGEST
from arbosim.report.study.found import Family, Found, Key
from arbosim.report.study.rows import BASE, Effect, Value, at_tables

Cell = Callable[[str, Key], Markup]
"""Makes the cell of a variant and of what was measured."""
CLEAR = 0.001
"""A corrected p-value below this one has the strong mark."""
MARKS = {
    ("higher", True): "▲▲",
    ("higher", False): "▲",
    ("lower", True): "▼▼",
    ("lower", False): "▼",
}
"""Marks of significant differences by direction, and by whether p is below CLEAR."""


def legend() -> Markup:
    """Return what the marks mean."""
    told = (
        "▲ significantly higher than the base, ▼ significantly lower (corrected p below 0.05); doubled: p below "
        f"{CLEAR}. No mark: not significant. The tint says the same once more: blue higher, red lower. In brackets "
        "the 95 % interval; differences of shares are in percentage points. Higher is neither better nor worse by "
        "itself."
    )
    return element("p", told, class_="quiet")


def differences(found: Found, family: Family, keys: Sequence[Key], caption: str) -> Markup:
    """Return metrics by variants: what each is under the base, and by how much it differs under the others."""

    def cell(variant: str, key: Key) -> Markup:
        if variant == BASE:
            return _value(found.value(family, BASE, key))
        row = found.effect(family, variant, key)
        return difference(found, row) if row else element("td", "-")

    return _grid(found, family, keys, caption, cell, is_base_movable=True)


def difference(found: Found, row: Effect) -> Markup:
    """Return the cell of one effect, without its unit."""
    unit = found.unit(row.metric)
    return _cell(row, amounts.difference(row.difference, unit, row.low, row.high, bare=True))


def values(found: Found, family: Family, keys: Sequence[Key], caption: str) -> Markup:
    """Return metrics by variants: what each is under each, marked where that differs significantly from the base."""

    def cell(variant: str, key: Key) -> Markup:
        value = found.value(family, variant, key)
        row = found.effect(family, variant, key)
        return _cell(row, _written(value)) if row and row.is_known and value else _value(value)

    return _grid(found, family, keys, caption, cell)


def _grid(
    found: Found,
    family: Family,
    keys: Sequence[Key],
    caption: str,
    cell: Cell,
    *,
    is_base_movable: bool = False,
) -> Markup:
    """Return a table with a row for each key; where it is narrow, a movable base stands below the names instead."""
    names = [BASE, *found.variants]
    heads = [
        element("th", "metric", scope="col", class_="text name"),
        *(element("th", breakable(name), scope="col", class_="variant") for name in names),
    ]
    rows = [
        element(
            "tr",
            _head(found, key, found.value(family, BASE, key) if is_base_movable else None),
            *(cell(name, key) for name in names),
            data_metric=key[0],
            data_subject=key[1],
        )
        for key in keys
    ]
    look = "matrix movable" if is_base_movable else "matrix"
    return table(heads, rows, f"{caption}, {at_tables(*family)}", look)


def _head(found: Found, key: Key, base: Value | None) -> Markup:
    """Return the head of a row: what was measured, its unit, what it tells for whoever points at it, and a base."""
    inside: list[object] = [breakable(found.title(key))]
    unit = amounts.of_values(found.unit(key[0]))
    if unit:
        inside += [" ", element("span", f"({unit})", class_="quiet")]
    if base:
        inside.append(element("span", f"base {_written(base)}", class_="base"))
    return element("th", *inside, scope="row", title=found.meaning(key[0]) or None)


def _value(value: Value | None) -> Markup:
    return element("td", _written(value), data_value=machine(value.value) if value else None)


def _written(value: Value | None) -> str:
    if value is None:
        return "-"
    return amounts.value(value.value, value.unit, value.low, value.high, bare=True)


def _cell(row: Effect, text: str) -> Markup:
    """Return a cell with a mark and a tint where the variant differs significantly from the base."""
    numbers = {"data_variant": row.variant, "data_difference": machine(row.difference)}
    if not row.significant:
        note = "" if row.is_known else " (too few deals)"
        return element("td", f"{text}{note}", **numbers)
    way = "higher" if (row.difference or 0) > 0 else "lower"
    is_clear = row.p_holm is not None and row.p_holm < CLEAR
    strength = STRONGEST if is_clear else STRONGEST / 2
    tone = "high" if way == "higher" else "low"
    inside = joined(
        [
            element("span", MARKS[way, is_clear], aria_hidden="true"),
            element("span", f"significantly {way}: ", class_="heard"),
            f" {text}",
        ]
    )
    return element(
        "td",
        inside,
        **numbers,
        data_significant=way,
        style=f"--tone: var(--{tone}); --strength: {strength:.2f}",
    )
