"""Names of strategies as labels: any text, of any length, in any alphabet, readable and told apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

MOST = 30
"""Characters of a label; longer names lose their middle."""


def labelled(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return a label for each name, no two alike, and the font families that have their characters.

    Labels are to be drawn with ``parse_math=False``. A character for which this machine has no font is written
    as its escape sequence, so that no two alphabets end in the same boxes.
    """
    texts, families = _drawable([_visible(name) for name in names])
    labels: list[str] = []
    for text in map(_shortened, texts):
        number, label = 1, text
        while label in labels:
            number += 1
            label = f"{text} ({number})"
        labels.append(label)
    return labels, families


def _visible(name: str) -> str:
    return "".join(letter if letter.isprintable() else _escape(letter) for letter in name)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def _shortened(name: str) -> str:
    if len(name) <= MOST:
        return name
    tail = MOST // 2
    return f"{name[: MOST - tail - 1]}…{name[-tail:]}"


def _drawable(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    default = font_manager.FontProperties()
    families = list(default.get_family())
    missing = {ord(letter) for text in texts for letter in text} - _characters(font_manager.findfont(default))
    if missing:
        for entry in _further_fonts():
            found = missing & _characters(entry.fname)
            if found:
                families.append(entry.name)
                missing -= found
            if not missing:
                break
    lost = {letter: _escape(chr(letter)) for letter in missing}
    return [text.translate(lost) for text in texts], families


@cache
def _characters(path: str) -> frozenset[int]:
    return frozenset(FT2Font(path).get_charmap())


def _further_fonts() -> list[font_manager.FontEntry]:
    """Return one plain font a family, by name, without the one that draws a box for everything."""
    plain = {
        entry.name: entry
        for entry in sorted(font_manager.fontManager.ttflist, key=lambda entry: entry.fname)
        if entry.style == "normal" and entry.weight == 400 and "last resort" not in entry.name.lower()
    }
    return [plain[name] for name in sorted(plain)]
