"""Random numbers: published answers, and independence of everything but seed, deal and stream."""

import numpy as np
import pytest
from numba import types

from arbosim.core import rng
from arbosim.core.jit import EntryPoint

U64 = types.uint64


def _philox(key0, key1, c0, c1, c2, c3):
    return rng.philox(key0, key1, c0, c1, c2, c3)


def _words(state, count, out):
    for i in range(count):
        out[i] = rng.next_word(state)


def _numbers(state, n, out):
    for i in range(len(out)):
        out[i] = rng.below(state, n)


def _seeded(seed, deal, stream, state):
    rng.seed_stream(state, seed, deal, stream)


philox = EntryPoint(_philox, lambda: types.UniTuple(U64, 4)(U64, U64, U64, U64, U64, U64))
words = EntryPoint(_words, lambda: types.void(U64[::1], types.int64, U64[::1]))
numbers = EntryPoint(_numbers, lambda: types.void(U64[::1], types.int64, types.int64[::1]))
seeded = EntryPoint(_seeded, lambda: types.void(U64, types.int64, types.int64, U64[::1]))


# known answers that Random123 (Salmon et al.) publishes for philox4x32-10
@pytest.mark.jitoff
@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        ([0] * 4, [0] * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_philox_gives_the_published_answers(counter, key, answer):
    found = philox.compiled(*map(np.uint64, key), *map(np.uint64, counter))
    assert " ".join(f"{int(word):08x}" for word in found) == answer


@pytest.mark.jitoff
def test_xoroshiro_follows_its_definition():
    mask = 2**64 - 1

    def rotate(word, by):
        return (word << by | word >> (64 - by)) & mask

    s0, s1 = 1, 2
    expected = []
    for _ in range(100):
        expected.append((rotate((s0 + s1) & mask, 17) + s0) & mask)
        s1 ^= s0
        s0, s1 = rotate(s0, 49) ^ s1 ^ (s1 << 21 & mask), rotate(s1, 28)
    out = np.zeros(100, np.uint64)
    words.compiled(np.array([1, 2], np.uint64), 100, out)
    assert [int(word) for word in out] == expected


def test_streams_of_neighbouring_seeds_deals_and_slots_differ():
    states = set()
    for seed in (0, 1, 2**63, 2**64 - 1):
        for deal in (0, 1, 2**32, 2**40):
            for stream in range(20):
                state = np.zeros(2, np.uint64)
                seeded.compiled(np.uint64(seed), deal, stream, state)
                states.add(tuple(state.tolist()))
    assert len(states) == 4 * 4 * 20


@pytest.mark.parametrize("n", [2, 3, 5, 9, 17])
def test_below_is_uniform(n):
    state = np.zeros(2, np.uint64)
    seeded.compiled(np.uint64(7), 0, 0, state)
    out = np.zeros(200_000, np.int64)
    numbers.compiled(state, n, out)
    counts = np.bincount(out, minlength=n)
    assert len(counts) == n
    expected = len(out) / n
    chi_squared = float(((counts - expected) ** 2 / expected).sum())
    # the seed is fixed; a right generator fails with probability below 1e-6 when it is changed
    assert chi_squared < n - 1 + 6 * (2 * (n - 1)) ** 0.5 + 10
