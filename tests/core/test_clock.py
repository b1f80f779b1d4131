"""The clock of compiled strategies: true, cheap, and cached like all that is compiled."""

import os
import subprocess
import sys
import time

import pytest

from arbosim.core import jit
from arbosim.core.clock import seconds

MAIN = """
from numba import types
from arbosim.core.clock import seconds
from arbosim.core.jit import EntryPoint

def look(times):
    last = 0.0
    for _ in range(times):
        last = seconds()
    return last

entry = EntryPoint(look, lambda: types.float64(types.int64))
ready = entry.is_ready
print(ready, entry.compiled(3) > 0)
"""


@pytest.mark.jitoff
def test_it_runs_as_fast_as_time_does():
    before, ours = time.perf_counter(), seconds()
    time.sleep(0.05)
    later = seconds()
    assert before <= ours < later - 0.045 < time.perf_counter()


@pytest.mark.skipif(not jit.JIT, reason="nothing is compiled")
def test_compiled_code_that_looks_at_it_is_cached(tmp_path):
    (tmp_path / "main.py").write_text(MAIN)
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    told = [
        subprocess.run(
            [sys.executable, str(tmp_path / "main.py")], env=env, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    assert [each.stdout.split() for each in told] == [["False", "True"], ["True", "True"]]
