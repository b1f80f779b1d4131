"""Compiled code: found again in the cache, and never stale."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from arbosim.core.jit import EntryPoint, fingerprint

HELPER = """
from arbosim.core.jit import kernel
STEP = {step}

@kernel
def helper(x):
    return x + {add}
"""
MAIN = """
import sys
sys.path.insert(0, {folder!r})
from numba import types
from arbosim.core.jit import EntryPoint
import a_helper

def answer(x):
    return a_helper.helper(x) * a_helper.STEP

entry = EntryPoint(answer, lambda: types.int64(types.int64))
ready = entry.is_ready
print(entry.compiled(10), ready, sum(entry.compiled.stats.cache_hits.values()))
"""


def run_with(folder, add, step=1):
    (folder / "a_helper.py").write_text(HELPER.format(add=add, step=step))
    (folder / "main.py").write_text(MAIN.format(folder=str(folder)))
    # an edit within the same second and of the same size, which file times and sizes do not show
    os.utime(folder / "a_helper.py", (1, 1))
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    env.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, str(folder / "main.py")], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_an_edited_helper_or_constant_is_never_served_from_the_cache(tmp_path):
    assert run_with(tmp_path, add=1) == ["11", "False", "0"]
    assert run_with(tmp_path, add=1) == ["11", "True", "1"]
    assert run_with(tmp_path, add=2) == ["12", "False", "0"]
    assert run_with(tmp_path, add=2, step=3) == ["36", "False", "0"]
    assert run_with(tmp_path, add=1) == ["11", "True", "1"]


def function_of(source, **names):
    scope = dict(names)
    exec(textwrap.dedent(source), scope)
    return scope["f"]


def test_fingerprint_sees_code_constants_and_helpers_but_not_names_that_are_not_used():
    base = function_of("def f(x):\n    return x + K", K=1, other=5)
    assert fingerprint(base) == fingerprint(function_of("def f(x):\n    return x + K", K=1, other=6))
    assert fingerprint(base) != fingerprint(function_of("def f(x):\n    return x + K", K=2))
    assert fingerprint(base) != fingerprint(function_of("def f(x):\n    return x - K", K=1))
    helpers = [function_of(f"def f(x):\n    return x * {n}") for n in (1, 2)]
    first, second = (function_of("def f(x):\n    return g(x)", g=g) for g in helpers)
    assert fingerprint(first) != fingerprint(second)


def test_fingerprint_ends_for_functions_that_call_each_other():
    scope = {}
    exec("def f(x):\n    return g(x)\ndef g(x):\n    return f(x)", scope)
    assert fingerprint(scope["f"]) == fingerprint(scope["f"])


@pytest.mark.jitoff
def test_an_entry_point_answers_with_and_without_the_jit():
    from numba import types

    def double(x):
        return 2 * x

    assert EntryPoint(double, lambda: types.int64(types.int64)).compiled(21) == 42


@pytest.mark.skipif(getattr(os, "getuid", lambda: 1)() != 0, reason="only root may play another user")
def test_a_user_without_home_has_a_cache_of_its_own_while_it_runs():
    code = "from arbosim.core import jit; root = jit.cache_root(); print(root, root == jit.cache_root())"
    why_not = "Python or the package lies where other users cannot read it"
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], env={}, user=54321, group=54321, capture_output=True, text=True
        )
    except PermissionError:
        pytest.skip(why_not)
    if "Permission denied" in done.stderr or "No module named" in done.stderr:
        pytest.skip(why_not)
    root, same = done.stdout.split()
    assert same == "True"
    assert not Path(root).parents[1].exists()


def test_a_strategy_is_the_same_by_its_path_and_by_its_module(tmp_path, monkeypatch):
    (tmp_path / "lowest.py").write_text(
        textwrap.dedent(
            """
            from arbosim.games.arboretum import api

            @api.strategy(name="lowest")
            def decide(table, seat):
                "Lay the first card."
                if api.phase(seat) == api.DRAW:
                    return api.draw(api.source(table, 0))
                if api.phase(seat) == api.PLAY:
                    return api.play(api.hand_card(seat, 0), api.open_cell(table, api.me(seat), 0))
                return api.discard(api.hand_card(seat, 0))
            """
        )
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    for name in ("lowest.py", "py=lowest:decide"):
        done = subprocess.run(
            [sys.executable, "-m", "arbosim", "play", name, name, "--json"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
