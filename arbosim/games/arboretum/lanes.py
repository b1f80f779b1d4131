"""Small numbers side by side: one byte a species in two uint64 words, the low one for species 0..7, the high one
for 8..11. All bytes stay below 128, so plain integer arithmetic works on all of them at once.
"""

import numpy as np

from arbosim.core.jit import inline_kernel

ZERO = np.uint64(0)
TOP_BITS = np.uint64(0x8080808080808080)
LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
ONES = np.uint64(0x0101010101010101)
EVEN_BYTES = np.uint64(0x00FF00FF00FF00FF)
BYTE = np.uint64(0xFF)
SEVEN = np.uint64(7)
EIGHT = np.uint64(8)
SIXTEEN = np.uint64(16)
THIRTY_TWO = np.uint64(32)
WORD16 = np.uint64(0xFFFF)


@inline_kernel
def lane_max(a, b):
    """Byte-wise maximum of two words whose bytes are below 128."""
    at_least = ((a | TOP_BITS) - b) & TOP_BITS
    mask = at_least - (at_least >> SEVEN)
    return b ^ ((a ^ b) & mask)


@inline_kernel
def lane_ones(a):
    """A 1 in every byte that is not 0."""
    return ((a + LOW_BITS) & TOP_BITS) >> SEVEN


@inline_kernel
def lane_sum(a):
    """The sum of the bytes of a word."""
    a = (a & EVEN_BYTES) + ((a >> EIGHT) & EVEN_BYTES)
    a = a + (a >> SIXTEEN)
    return np.int64((a + (a >> THIRTY_TWO)) & WORD16)


@inline_kernel
def lane_get(low, high, species):
    """The byte of a species as int64."""
    if species < 8:
        return np.int64((low >> np.uint64(species * 8)) & BYTE)
    return np.int64((high >> np.uint64(species * 8 - 64)) & BYTE)


@inline_kernel
def best_points(scratch, species):
    """Points of the best path of a species, from the `best` words of a scratch record."""
    return lane_get(scratch["best_low"], scratch["best_high"], species)
