"""The master seed, from which all randomness of a run follows."""

from __future__ import annotations

import re
import reprlib
from operator import index

from arbosim.core.errors import UserError
from arbosim.core.numbers import whole

LIMIT = 2**64


def master_seed(seed: int | str) -> int:
    """Return the 64-bit master seed: a whole number stands for itself, any other text is hashed.

    >>> master_seed(7), master_seed("7")
    (7, 7)
    """
    if isinstance(seed, str) and not _is_number(seed):
        return _of_text(seed)
    try:
        number = whole(seed) if isinstance(seed, str) else index(seed)
    except (TypeError, ValueError):
        number = LIMIT
    if not 0 <= number < LIMIT:
        # Python does not write out numbers of thousands of digits
        given = "a far larger one" if isinstance(seed, int) and abs(seed) >= LIMIT**2 else reprlib.repr(seed)
        raise UserError(
            f"a seed is a text or a whole number from 0 to 2**64 - 1, in the digits 0 to 9, not {given}"
        )
    return number


def _is_number(text: str) -> bool:
    """Tell whether a text is a number to someone; 1_0 is one to Python."""
    return re.fullmatch(r"\s*[+-]?\d[\d_]*\s*", text) is not None


def _of_text(text: str) -> int:
    import numpy as np

    if not text.strip():
        raise UserError("an empty text is no seed")
    # SeedSequence takes trailing zeros for nothing, so the length goes in front.
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise UserError(f"a seed is a text, and {text!r} has bytes that are no character") from None
    return int(np.random.SeedSequence([len(data), *data]).generate_state(1, np.uint64)[0])
