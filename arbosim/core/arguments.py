"""Numbers that are given from Python: what makes no sense is refused before any work, and shown."""

from __future__ import annotations

import math
import reprlib
from numbers import Integral, Real
from typing import TypeGuard

from arbosim.core.errors import UserError


def shown(value: object) -> str:
    """Return a value as messages show it: on one line, shortened, whatever it is.

    >>> shown(10**400)
    '100000000000000000...0000000000000000000'
    """
    try:
        return " ".join(reprlib.repr(value).split())
    except Exception:  # a number with too many digits, or a strange object
        return f"this {type(value).__name__}"


def is_whole(value: object) -> TypeGuard[int]:
    """Tell whether a value is a whole number, which True and False are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def whole(value: object, where: str, least: int, most: int | None = None) -> int:
    """Return a whole number in a range, or raise a UserError that names where it was given."""
    if not is_whole(value) or value < least or (most is not None and value > most):
        limits = f"of at least {least:,}" if most is None else f"between {least:,} and {most:,}"
        raise UserError(f"must be a whole number {limits}, not {shown(value)}", where=where)
    return int(value)


def real(value: object, where: str) -> float:
    """Return a finite number, or raise a UserError that names where it was given."""
    try:
        found = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise UserError(f"must be a number, not {shown(value)}", where=where)
    return found
