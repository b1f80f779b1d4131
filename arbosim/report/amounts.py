"""Amounts as people write them: with their unit, and with the digits that their interval bears out."""

from __future__ import annotations

import math

from arbosim.report.tables import MISSING

SHARES = {
    "0 to 1": ("%", "percentage points"),
    "-1 to 1": ("%", "percentage points"),
    "win share": ("%", "percentage points of win share"),
}
"""Units of shares, which are written in per cent: what stands behind a value, and behind a difference."""
SIGNIFICANT = 0.05
"""What a corrected p-value lies below where a difference is significant."""
MOST_DIGITS = 6
"""Decimals, at most, of what is written."""


def factor(unit: str) -> float:
    """Return by what a number of a unit is multiplied before it is written."""
    return 100.0 if unit in SHARES else 1.0


def of_values(unit: str) -> str:
    """Return the unit as it stands behind a value."""
    return SHARES[unit][0] if unit in SHARES else unit


def of_differences(unit: str) -> str:
    """Return the unit as it stands behind a difference."""
    return SHARES[unit][1] if unit in SHARES else unit


def digits(unit: str, value: float | None, low: float | None = None, high: float | None = None) -> int:
    """Return how many decimals to write: those that half the interval bears out, or else about three digits."""
    known = low is not None and high is not None and high > low
    size = factor(unit) * ((high - low) / 2 if known else abs(value or 0.0) / 30)  # type: ignore[operator]
    # one digit of half the interval, and two where it begins with 1 or 2, as physicists round (Particle Data Group)
    return 2 if size == 0 else max(0, -math.floor(math.log10(max(size, 10.0**-MOST_DIGITS) / 3) + 1e-9))


def number(value: float, unit: str, decimals: int, *, signed: bool = False) -> str:
    """Return a number without its unit; what rounds to nothing has no sign.

    >>> number(-0.0123, "0 to 1", 1, signed=True), number(-0.0, "points", 1, signed=True)
    ('-1.2', '0.0')
    """
    written = f"{factor(unit) * value:{'+' if signed else ''},.{decimals}f}"
    return written if any(sign in written for sign in "123456789") else written.lstrip("+-")


def like(given: float | None, unit: str, low: float | None, high: float | None, *, bare: bool = False) -> str:
    """Return a value with its unit unless it is bare, and with the digits that the interval of another bears out."""
    if given is None:
        return MISSING
    return _joined(number(given, unit, digits(unit, given, low, high)), "" if bare else of_values(unit))


def value(
    given: float | None, unit: str, low: float | None = None, high: float | None = None, *, bare: bool = False
) -> str:
    """Return a value with its unit unless it is bare and, where it has one, its interval.

    >>> value(0.531, "0 to 1", 0.524, 0.538), value(None, "points")
    ('53.1 % (52.4 to 53.8)', '-')
    """
    return _joined(like(given, unit, low, high, bare=bare), _interval(given, unit, low, high))


def difference(
    given: float | None, unit: str, low: float | None = None, high: float | None = None, *, bare: bool = False
) -> str:
    """Return a difference with its sign, its unit unless it is bare and, where it has one, its interval.

    >>> difference(-0.012, "0 to 1", -0.019, -0.005), difference(0.0, "points", 0.0, 0.0)
    ('-1.2 percentage points (-1.9 to -0.5)', '0 points')
    """
    if given is None:
        return MISSING
    behind = "" if bare else of_differences(unit)
    if given == 0 and (low, high) == (0, 0):
        return _joined("0", behind)
    written = number(given, unit, digits(unit, given, low, high), signed=True)
    return _joined(written, behind, _interval(given, unit, low, high))


def _interval(given: float | None, unit: str, low: float | None, high: float | None) -> str:
    """Return the bounds of an interval in brackets, or nothing where there are none."""
    if low is None or high is None:
        return ""
    decimals = digits(unit, given, low, high)
    return f"({number(low, unit, decimals)} to {number(high, unit, decimals)})"


def p_value(given: float | None) -> str:
    """Return a p-value with two significant digits; one below 0.05 is never rounded up to it.

    >>> p_value(0.0021), p_value(0.0), p_value(0.0499)
    ('p = 0.0021', 'p below 0.0001', 'p = 0.049')
    """
    if given is None:
        return MISSING
    if given < 0.0001:
        return "p below 0.0001"
    return f"p = {min(given, 0.049) if given < SIGNIFICANT else given:#.2g}"


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))
