"""Plain-Python strategies in processes of their own: the same games, and no harm by those that misbehave."""

import time
from pathlib import Path

import pytest

import arbosim
from arbosim.lab import load
from tests import what_comes
from tests.what_comes import WhatComes

LATER = 12  # the turn in which a strategy begins to misbehave

ROGUES = {
    "while True: pass": ("silent", "gave no answer within 1 s"),
    "import os; os._exit(7)": ("crashed", "ended with code 7"),
    "import ctypes; ctypes.string_at(0)": ("crashed", "was ended by SIGSEGV"),
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": ("crashed", "was ended by SIGKILL"),
    "held = [bytearray(2**26) for _ in range(10**6)]": ("raised", "MemoryError"),
    "raise SystemExit": ("raised", "SystemExit"),
    "import sys; sys.stdout.close(); sys.stderr.close()": None,
    "print('x' * 10**7)": None,
    "import os; os.write(1, b'raw'); os.system('echo shell')": None,
    "import os, sys; assert os.read(0, 9) + sys.stdin.read().encode() == b''": None,
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lazy.py").write_text(what_comes.text())
    return tmp_path


def test_isolated_strategies_play_the_same_games(here):
    strategies = ["lazy.py", WhatComes, "random"]
    plain = arbosim.run(strategies, deals=5, players=3, jobs=1)
    alone = arbosim.run(strategies, deals=5, players=3, jobs=1, isolate=True, output="run")
    assert alone.errors == []
    assert alone.digest == plain.digest
    assert "lazy.py" in alone.manifest.caution
    assert load("run").replay((0, 3, 2)).position.finished
    assert [(record.spec, record.source_hash) for record in alone.manifest.strategies] == [
        (record.spec, record.source_hash) for record in plain.manifest.strategies
    ]
    assert {record.kind for record in alone.manifest.strategies} == {"compiled", "program"}


def test_a_class_that_lives_in_memory_alone_is_isolated_too(here):
    class Memory(WhatComes):
        """What a notebook cell holds."""

    plain = arbosim.run([Memory, "random"], deals=3, jobs=1)
    assert arbosim.run([Memory, "random"], deals=3, jobs=1, isolate=True).digest == plain.digest


def test_a_strategy_that_draws_by_chance_has_the_same_coins(here):
    text = what_comes.text().replace(
        "return next(iter(view.sources))", "return self.rng.choice([*view.sources])"
    )
    Path("chancy.py").write_text(text)
    plain = arbosim.run(["chancy.py", "lazy.py"], deals=10, jobs=1)
    assert arbosim.run(["chancy.py", "lazy.py"], deals=10, jobs=2, isolate=True).digest == plain.digest


@pytest.mark.parametrize("code", ROGUES)
def test_what_it_does_costs_its_own_games_alone(here, code):
    """It misbehaves when it is on the move in LATER; then it has lost that game, and the run goes on and ends."""
    wrong = f"if view.turn >= {LATER}:\n            {code}\n        return view.hand[-1]"
    Path("rogue.py").write_text(what_comes.text(wrong))
    began = time.monotonic()
    given = {"deals": 1, "jobs": 1, "move_timeout": 10.0 if "held" in code else 1.0, "seed": 5}
    if ROGUES[code] is None:
        assert arbosim.run(["rogue.py", "lazy.py"], **given).errors == []
        return
    with pytest.warns(UserWarning, match="forfeited"):
        results = arbosim.run(
            ["rogue.py", "random"], schedule="gauntlet", focus="lazy.py", **given, output="run"
        )
    kind, text = ROGUES[code]
    assert results.manifest.status == "finished"
    assert results.manifest.games == 4
    assert {error["strategy"] for error in results.errors} == {"rogue.py"}
    assert len(results.errors) == 2, "each of its games"
    assert {error["kind"] for error in results.errors} == {kind}
    assert all(text in error["message"] for error in results.errors)
    fine = arbosim.run(["lazy.py", "random"], deals=1, jobs=1, seed=5)
    assert [row["score_0"] for _, _, rows in fine.batches() for row in rows] == [
        row["score_0"]
        for _, line_up, rows in results.batches()
        for row in rows
        if line_up == ["lazy.py", "random"]
    ]
    assert load("run").replay(results.errors[0]["game"]).position.forfeited.seat == results.errors[0]["seat"]
    assert time.monotonic() - began < 120, "bounded, whatever it does"
