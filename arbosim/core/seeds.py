"""The master seed, from which all randomness of a run follows."""

from __future__ import annotations

from arbosim.core.errors import UserError

LIMIT = 2**64


def master_seed(seed: int | str) -> int:
    """Return the 64-bit master seed: a whole number stands for itself, any other text is hashed.

    >>> master_seed(7), master_seed("7")
    (7, 7)
    """
    try:
        number = int(seed)
    except ValueError:
        return _of_text(str(seed))
    if not 0 <= number < LIMIT:
        raise UserError(f"a seed is a text or a whole number from 0 to 2**64 - 1, not {seed}")
    return number


def _of_text(text: str) -> int:
    import numpy as np

    if not text.strip():
        raise UserError("an empty text is no seed")
    # SeedSequence takes trailing zeros for nothing, so the length goes in front.
    data = text.encode()
    return int(np.random.SeedSequence([len(data), *data]).generate_state(1, np.uint64)[0])
