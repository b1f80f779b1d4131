"""The clock for compiled strategies that think for a time."""

import time

import numba

from arbosim.core.jit import kernel


@kernel
def seconds():  # type: ignore[no-untyped-def]
    """Seconds since some moment (float64), by a clock that never goes back; a call takes about a microsecond.

    Games of a strategy that looks at it do not repeat by seed. So look only where a parameter that carries
    `clock=True` is not 0: then the actions of the games are kept, and nobody is promised the same result for the same
    seed. A strategy that looks at the clock otherwise breaks that promise, and `arbosim check` finds it out.
    """
    with numba.objmode(now="float64"):  # back to Python, whose clock is the same on every system
        now = time.perf_counter()
    return now
