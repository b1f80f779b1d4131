"""Lean and full runs are the same run: one digest, one set of games; lean ones keep no metrics."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import arbosim
from arbosim.core.errors import UserError
from arbosim.games.arboretum.columns import METRICS

STRATEGIES = ["random", "greedy"]
RUN = {"deals": 20, "seed": 7, "jobs": 1}
DIGEST = "eed6b178c8d6d08b8d465becf93ddd62"
"""Of this run, as it was before there were metrics."""
NAMES = {metric.name for metric in METRICS}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def columns(folder: str) -> set[str]:
    return {name for part in Path(folder, "parts").iterdir() for name in pq.read_schema(part).names}


def test_lean_and_full_runs_have_the_digest_of_runs_without_metrics(here):
    full = arbosim.run(STRATEGIES, **RUN, output="full")
    lean = arbosim.run(STRATEGIES, **RUN, lean=True, output="lean")
    assert full.digest == lean.digest == DIGEST
    assert arbosim.load("full").digest == arbosim.load("lean").digest == DIGEST
    assert columns("full") - columns("lean") == {f"{name}_{seat}" for name in NAMES for seat in (0, 1)}
    assert full.summary == lean.summary
    assert set(full.seats) >= NAMES
    assert not NAMES & set(lean.seats)
    assert lean.seats.equals(full.seats[lean.seats.columns])
    assert lean.games.equals(full.games)


def test_what_goes_on_keeps_what_the_run_keeps(here):
    arbosim.run(STRATEGIES, **RUN, lean=True, output="lean")
    longer = arbosim.load("lean").extend(30, jobs=1)
    assert longer.manifest.lean
    assert not NAMES & set(longer.seats)
    assert longer.digest == arbosim.run(STRATEGIES, deals=30, seed=7, jobs=1).digest
    with pytest.raises(UserError, match="lean True, not False"):
        arbosim.run(STRATEGIES, deals=30, seed=7, output="lean", resume=True)


def test_folders_from_before_the_metrics_are_read_and_extended(here):
    arbosim.run(STRATEGIES, **RUN, lean=True, output="old")
    path = Path("old/run.json")
    state = {key: value for key, value in json.loads(path.read_text()).items() if key != "lean"}
    path.write_text(json.dumps(state | {"schema_version": 1}))
    old = arbosim.load("old")
    assert old.digest == DIGEST
    assert old.games.attrs["schema_version"] == 1
    assert len(old.games) == len(old.seats) / 2 == 40
    assert not NAMES & set(old.seats)
    assert old.extend(21, jobs=1).manifest.lean
    assert arbosim.load("old").species_of(5).attrs["sample"] == "5 of 42 games"


def test_forfeited_games_have_no_metrics(here):
    Path("clumsy.py").write_text(
        "from arbosim.games.arboretum import api\n\n\n"
        "class Clumsy(api.Strategy):\n"
        "    def draw(self, view):\n        return next(iter(view.sources))\n\n"
        "    def play(self, view):\n        return view.hand[0], view.open_cells[0]\n\n"
        "    def discard(self, view):\n        return view.hand[-1] if view.turn < 22 else None\n"
    )
    with pytest.warns(UserWarning, match="forfeited"):
        results = arbosim.run(["random", "clumsy.py"], deals=12, seed=1, jobs=1)
    games, seats = results.games, results.seats
    lost = games.forfeiter.notna()
    assert 0 < lost.sum() < len(games)
    assert (games.unequal_turns.isna() == lost).all()
    assert (games.tie_break.isna() == lost).all()
    missing = seats.score.isna()
    assert missing.sum() == 2 * lost.sum()
    assert all((seats[name].isna() == missing).all() for name in (*NAMES, "turns"))


def test_what_follows_from_the_results_is_right():
    results = arbosim.run(["random", "greedy"], deals=100, seed=3, jobs=1, rules={"values": 4})
    games, seats = results.games, results.seats
    by_game = seats.groupby(["match", "deal", "rotation"])
    assert (by_game.turns.sum().to_numpy() == games.turns).all()
    first = seats[seats.seat == 0].turns.to_numpy() - seats[seats.seat == 1].turns.to_numpy()
    assert ((first == 1) == games.unequal_turns).all()
    assert set(first) == {0, 1}
    equal = by_game.score.nunique().to_numpy() == 1
    decided = equal & (by_game.kinds.nunique().to_numpy() == 2)
    assert (games.tie_break.to_numpy() == decided).all()
    assert decided.any()
    assert (games.winners[decided] == 1).all()
    scored = seats.scored_path_cards + seats.scored_starts_one + 2 * seats.scored_ends_top
    assert (scored[seats.scored_mono == 0] == seats.score[seats.scored_mono == 0]).all()
