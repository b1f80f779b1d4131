"""The course of games: lead changes, drama and when a game is settled, against a slow observer."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

import arbosim
from arbosim.core.errors import UserError
from tests import what_comes

RUN = {"deals": 40, "seed": 9, "jobs": 1}
NAMES = ["lead_changes", "behind", "settled", "unscored"]


class Chronicle(arbosim.Observer):
    """Write down what everyone would score after every turn, and say at the end how the game went."""

    def before(self, position):
        self.turns = []

    def after(self, position, seat, action):
        score = position.score()
        if position.finished or position.turn > len(self.turns):
            self.turns.append(list(score.totals))

    def end(self, position):
        score = position.score()
        winners = set(score.winners)
        others = set(range(position.players)) - winners
        leads = [
            max(standing[p] for p in winners) - max((standing[p] for p in others), default=0) if others else 0
            for standing in self.turns
        ]
        leaders = [
            standing.index(max(standing)) for standing in self.turns if standing.count(max(standing)) == 1
        ]
        threat = max(0, *(-lead for lead in leads))
        settled = [k + 1 for k in range(len(leads)) if all(lead > threat for lead in leads[k:])]
        scored = {s for seat in score.players for s, line in seat.species.items() if line.scored > 0}
        return {
            "lead_changes": sum(a != b for a, b in pairwise(leaders)),
            "behind": sum(max(0, -lead) for lead in leads),
            "settled": min(settled, default=len(leads)),
            "unscored": len(score.players[0].species) - len(scored),
        }


@pytest.mark.parametrize(
    ("players", "rules"),
    [(2, {}), (3, {"draws": 1}), (4, {"equal_turns": True, "min_path": 4}), (2, {"right": "always"})],
)
def test_the_course_is_what_a_slow_observer_sees(players, rules):
    names = ["greedy", "hoarder", "random", "staircase"][: max(players, 3)]
    results = arbosim.run(names, players=players, rules=rules, course=True, **RUN)
    seen = results.observe(Chronicle(), games=60)
    seen = seen[seen["seat"] == 0].merge(
        results.games, on=["match", "deal", "rotation"], suffixes=("_seen", "")
    )
    assert len(seen) == 60
    for name in NAMES:
        assert (seen[f"{name}_seen"] == seen[name].astype(float)).all(), name
    assert seen["behind"].max() > 0
    assert seen["lead_changes"].max() > 0
    assert (seen["settled"] < seen["turns"]).any()


def test_a_course_changes_no_game_and_no_digest(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = arbosim.run(["greedy", "hoarder"], **RUN)
    course = arbosim.run(["greedy", "hoarder"], **RUN, course=True, output="run")
    assert course.digest == plain.digest
    assert course.games[plain.games.columns].equals(plain.games)
    assert json.loads(Path("run/run.json").read_text())["course"] is True
    assert "--course" in course.command
    loaded = arbosim.load("run")
    assert loaded.games.equals(course.games)
    assert loaded.extend(50, jobs=2).games["behind"].notna().all()
    with pytest.raises(UserError, match="course True, not False"):
        arbosim.run(["greedy", "hoarder"], deals=50, seed=9, output="run", resume=True)


def test_a_course_goes_with_lean_rows_and_a_metric_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("deals.py").write_text(
        "from arbosim.games.arboretum import api, measuring\n\n\n"
        '@measuring.metric("ends", per="game")\n'
        "def hook(event, seat, action, table, hidden, out):\n"
        "    if event == measuring.END:\n"
        "        out[0, 0] += 1\n"
    )
    whole = arbosim.run(["greedy", "hoarder"], **RUN, course=True)
    lean = arbosim.run(["greedy", "hoarder"], **RUN, course=True, lean=True, metric="deals.py", output="run")
    assert lean.digest == whole.digest
    assert lean.games[NAMES].equals(whole.games[NAMES])
    assert (lean.games["ends"] == 1).all()
    lean.to_csv("tables")
    assert "lead_changes" in Path("tables/schema.json").read_text()


def test_forfeited_games_have_no_course(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("clumsy.py").write_text(what_comes.text("return view.hand[-1] if view.turn < 9 else None"))
    with pytest.warns(UserWarning, match="forfeit"):
        results = arbosim.run(["greedy", "clumsy.py"], deals=4, jobs=1, course=True)
    assert results.games[NAMES].isna().all(axis=None)
