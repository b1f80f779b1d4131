"""Numbers as people write them: digits 0 to 9, and nothing else that Python would take for a number as well."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"-?[0-9]{1,100}")
_NUMBER = re.compile(r"-?([0-9]{1,100}\.?[0-9]{0,100}|\.[0-9]{1,100})(e[+-]?[0-9]{1,4})?", re.IGNORECASE)


def whole(text: str) -> int:
    """Return the whole number that a text is, or raise a ValueError.

    >>> whole("-12")
    -12
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


def number(text: str) -> float:
    """Return the number that a text is, or raise a ValueError.

    >>> number("1.5"), number("2e-3")
    (1.5, 0.002)
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return how many there are of something.

    >>> counted(1, "deal"), counted(2000, "deal")
    ('1 deal', '2,000 deals')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
