"""Random numbers that are a pure function of (seed, deal, stream): no state, no order, no overlap.

`philox` is Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011):
the key is the master seed, the counter is (deal, stream, block). Strategies draw from xoroshiro128++ (Blackman and
Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 2021), seeded by one Philox block.
"""

import warnings

import numpy as np

from arbosim.core.jit import JIT, inline_kernel

STREAM_DECK = 0
STREAM_EXTRA_CARDS = 1
STREAM_SLOT = 16
"""The stream of line-up slot i is `STREAM_SLOT + i`."""

MASK32 = np.uint64(0xFFFFFFFF)
SHIFT32 = np.uint64(32)
# multipliers and key increments of Philox4x32 (Salmon et al. 2011, table 2 and section 4.4)
MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
WEYL_0 = np.uint64(0x9E3779B9)
WEYL_1 = np.uint64(0xBB67AE85)
# rotations and shift of xoroshiro128++ (Blackman and Vigna 2021)
ROTATE_OUT = np.uint64(17)
ROTATE_0 = np.uint64(49)
ROTATE_1 = np.uint64(28)
SHIFT_0 = np.uint64(21)
SIXTY_FOUR = np.uint64(64)

if not JIT:
    # words wrap when compiled, and with the JIT off as well, but there numpy warns of it
    warnings.filterwarnings("ignore", "overflow encountered in scalar add", RuntimeWarning)


@inline_kernel
def philox(key0, key1, c0, c1, c2, c3):
    """One block: four 32-bit words, each in a uint64; all arguments are uint64 below 2**32."""
    for _ in range(10):
        p0 = c0 * MULTIPLIER_0
        p1 = c2 * MULTIPLIER_1
        c0 = (p1 >> SHIFT32) ^ c1 ^ key0
        c2 = (p0 >> SHIFT32) ^ c3 ^ key1
        c1 = p1 & MASK32
        c3 = p0 & MASK32
        key0 = (key0 + WEYL_0) & MASK32
        key1 = (key1 + WEYL_1) & MASK32
    return c0, c1, c2, c3


@inline_kernel
def fill_words(words, blocks, seed, deal, stream):
    """Write `4 * blocks` random 32-bit words of a stream of a deal into `words` (uint64, modified in place)."""
    key0 = np.uint64(seed) & MASK32
    key1 = np.uint64(seed) >> SHIFT32
    c0 = np.uint64(deal) & MASK32
    c1 = np.uint64(deal) >> SHIFT32
    c2 = np.uint64(stream)
    for block in range(blocks):
        w0, w1, w2, w3 = philox(key0, key1, c0, c1, c2, np.uint64(block))
        words[4 * block] = w0
        words[4 * block + 1] = w1
        words[4 * block + 2] = w2
        words[4 * block + 3] = w3


@inline_kernel
def seed_stream(state, seed, deal, stream):
    """Set a xoroshiro128++ state (uint64[2], modified in place) to the start of a stream of a deal."""
    w0, w1, w2, w3 = philox(
        np.uint64(seed) & MASK32,
        np.uint64(seed) >> SHIFT32,
        np.uint64(deal) & MASK32,
        np.uint64(deal) >> SHIFT32,
        np.uint64(stream),
        np.uint64(0),
    )
    state[0] = w0 | w1 << SHIFT32
    state[1] = w2 | w3 << SHIFT32


@inline_kernel
def _rotate(word, by):
    return word << by | word >> (SIXTY_FOUR - by)


@inline_kernel
def next_word(state):
    """Advance a xoroshiro128++ state (uint64[2], modified in place); return 64 random bits as uint64."""
    s0 = state[0]
    s1 = state[1]
    word = _rotate(s0 + s1, ROTATE_OUT) + s0
    s1 ^= s0
    state[0] = _rotate(s0, ROTATE_0) ^ s1 ^ s1 << SHIFT_0
    state[1] = _rotate(s1, ROTATE_1)
    return word


@inline_kernel
def below(state, n):
    """A number 0..n-1 as int64, uniform up to a bias below n / 2**32 (multiply-shift); advances the state."""
    return np.int64(((next_word(state) >> SHIFT32) * np.uint64(n)) >> SHIFT32)
