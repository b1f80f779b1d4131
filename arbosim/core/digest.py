"""A digest of result rows that does not depend on their order.

Each row is hashed to 128 bits together with the key of its line-up; the digest is the sum of the hashes
modulo 2**128. So any split into chunks, jobs and restarts gives the same digest, and digests of parts add up.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

EMPTY = 0
_WRAP = 2**128
_BLOCK = 8192  # rows hashed at once, so that the temporaries stay in the processor's cache


def lineup_key(ids: Iterable[str]) -> int:
    """Return a 128-bit key of a line-up from its strategy ids in slot order, whatever its number in a run."""
    text = "\n".join(ids)
    return int.from_bytes(blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest(), "little")


def row_digest(rows: np.ndarray, lineup_key: int) -> int:
    """Return the digest of structured rows of one line-up; every column counts, padding does not."""
    words = _words(rows)
    total = 0
    for start in range(0, len(words), _BLOCK):
        block = words[start : start + _BLOCK]
        low = _hash(block, lineup_key & (2**64 - 1))
        high = _hash(block, lineup_key >> 64)
        total += _sum(low) + (_sum(high) << 64)
    return total % _WRAP


def add(digest: int, other: int) -> int:
    """Return the digest of the rows of both."""
    return (digest + other) % _WRAP


def to_text(digest: int) -> str:
    """Return a digest as 32 hexadecimal digits."""
    return f"{digest:032x}"


def from_text(text: str) -> int:
    """Return the digest that 32 hexadecimal digits stand for."""
    return int(text, 16)


def _words(rows: np.ndarray) -> np.ndarray:
    """Copy the columns without gaps into whole 64-bit words, uint64[rows, words]."""
    import numpy as np

    names = rows.dtype.names or ()
    fields: list[tuple[str, Any]] = [(name, rows.dtype[name].newbyteorder("<")) for name in names]
    size = sum(dtype.itemsize for _, dtype in fields)
    fields.append(("", f"V{-size % 8}"))
    packed = np.zeros(len(rows), np.dtype(fields))
    for name in names:
        packed[name] = rows[name]
    return packed.view("<u8").reshape(len(rows), packed.itemsize // 8)


def _hash(words: np.ndarray, seed: int) -> np.ndarray:
    import numpy as np

    state = np.full(len(words), seed, np.uint64)
    for column in range(words.shape[1]):
        # the finaliser of splitmix64 (Steele, Lea, Flood 2014), absorbing one word at a time
        state += np.uint64(0x9E3779B97F4A7C15)
        state ^= words[:, column]
        state ^= state >> np.uint64(30)
        state *= np.uint64(0xBF58476D1CE4E5B9)
        state ^= state >> np.uint64(27)
        state *= np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return state


def _sum(values: np.ndarray) -> int:
    """Return the exact sum of uint64 values."""
    import numpy as np

    return int((values & np.uint64(0xFFFFFFFF)).sum()) + (int((values >> np.uint64(32)).sum()) << 32)
