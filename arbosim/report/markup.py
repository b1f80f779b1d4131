"""Small pieces of HTML. Whatever comes from a run passes through `text` or `attribute`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(given: object) -> Markup:
    """Return something as HTML: markup as it is, anything else with what means something in HTML escaped."""
    return given if isinstance(given, Markup) else Markup(escape(str(given)))


def element(name: str, *inside: object, **attributes: object) -> Markup:
    """Return an element.

    Parameters
    ----------
    attributes
        An underscore stands for a hyphen, one at the end for none; with the value None or False an attribute is
        left out, with True it has no value.

    >>> element("td", 1, data_value=1.0, class_="text")
    '<td data-value="1.0" class="text">1</td>'
    """
    written = "".join(
        f" {key}" if value is True else f' {key}="{escape(str(value))}"'
        for key, value in ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
        if value is not None and value is not False
    )
    return Markup(f"<{name}{written}>{''.join(map(text, inside))}</{name}>")


def joined(parts: Iterable[object], between: str = "") -> Markup:
    """Return parts one after the other."""
    return Markup(between.join(text(part) for part in parts))


def breakable(name: str) -> Markup:
    """Return a name that may break behind = and the like, and nowhere inside its words."""
    return joined(re.split(r"(?<=[=_,:/])", name), Markup("<wbr>"))


def machine(value: object) -> str | None:
    """Return a value so that nothing is lost, for an attribute; None for None."""
    return None if value is None else json.dumps(value) if isinstance(value, int | float) else str(value)


def data(value: object) -> Markup:
    """Return a value as JSON that may stand in a script element, whatever texts it holds."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        written = written.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(written)


def table(head: Iterable[object], rows: Iterable[Markup], caption: str, class_: str | None = None) -> Markup:
    """Return a table in a box of its own, in which it scrolls where the page is too narrow.

    Parameters
    ----------
    head : iterable
        Headings of the columns: texts, or elements ``th``.
    rows : iterable of Markup
        Elements ``tr``.
    """
    heads = [
        one
        if isinstance(one, Markup)
        else element("th", one, scope="col", class_="text" if not number else None)
        for number, one in enumerate(head)
    ]
    inside = element("table", element("thead", element("tr", *heads)), element("tbody", *rows), class_=class_)
    # a box that scrolls must be reached by keyboard, and have a name then
    box = element("div", inside, class_="scroll", tabindex=0, role="group", aria_label=caption)
    return joined([element("p", caption, class_="quiet"), box])
