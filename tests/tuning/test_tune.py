"""Tuning with the real engine: a planted optimum is found and confirmed, and nothing else is claimed."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arbosim
from arbosim.analysis.stats import Interval
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.games.arboretum import api
from arbosim.tournament import design
from arbosim.tuning.confirm import Confirmation
from arbosim.tuning.objective import Arena
from tests.what_comes import WhatComes

DIAL = Path(__file__).parent / "planted" / "dial.py"
QUICK = {
    "against": "random",
    "budget": 2400,
    "population": 4,
    "deals": 20,
    "confirm": 96,
    "elo1": 100,
    "seed": 3,
}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("dial.py").symlink_to(DIAL)  # compiled once, wherever it is
    return tmp_path


def facts(tuned: arbosim.Tuned) -> tuple:
    return tuned.found, tuned.confirmation, tuned.lines


def test_a_planted_optimum_is_found_confirmed_and_written():
    tuned = arbosim.tune("dial.py", against="random", budget=40_000, seed=1, name="best")
    assert tuned.found["aim"] == pytest.approx(0.3, abs=0.15)  # from 0.9
    assert abs(tuned.found["steps"] - 4) <= 1  # from 9
    assert tuned.start == {"aim": 0.9, "steps": 9, "idle": 0.5, "bold": True, "rollouts": 8}
    assert (tuned.helped, tuned.values) == (True, tuned.found)
    # what the two win, measured apart, on other deals: 0.41 and 0.74
    assert tuned.confirmation.difference.low > 0.1
    assert tuned.confirmation.deals_from == tuned.record.generations * tuned.record.deals
    assert "tuning helped: +" in str(tuned)
    assert len(tuned.generations) == tuned.record.generations
    assert tuned.games <= 40_000
    named = registry.resolve("dial.py@best", "arboretum")
    assert named.settings == tuned.found == registry.resolve(tuned.spec, "arboretum").settings
    results = arbosim.run(["dial.py@best", "dial.py"], deals=50)
    assert results.summary.games == 100
    written = Path("parameters/dial@best.toml").read_text()
    assert 'command = "arbosim tune dial.py --against random -p 2 --seed 1 --budget 40000' in written
    assert "tuning helped: +" in written


def test_what_cannot_be_improved_is_said_not_to_have_been():
    tuned = arbosim.tune(
        "dial.py:aim=0.3:steps=4", against="random", budget=10_000, elo1=40, confirm=3000, seed=1, name="none"
    )
    assert tuned.found != tuned.start
    assert tuned.confirmation.decision == "did not help"
    assert "tuning did not help" in tuned.confirmation.verdict
    assert tuned.values == tuned.start
    assert registry.resolve(tuned.spec, "arboretum").values == tuned.asked.start.values
    assert not Path("parameters").exists()
    with pytest.raises(UserError, match="did not help"):
        tuned.save("none")
    assert tuned.save("none", keep=True).exists()


def test_a_parameter_that_changes_nothing_leaves_the_start_and_stops_early():
    tuned = arbosim.tune("dial.py", parameters="idle", against="random", budget=20_000)
    assert tuned.found == tuned.start
    assert (tuned.confirmation.decision, tuned.confirmation.games) == ("unchanged", 0)
    assert len(tuned.lines) == 10 < tuned.record.generations
    assert "what it found is the start itself" in str(tuned)


def test_jobs_change_nothing():
    one, two = (arbosim.tune("dial.py", **QUICK, jobs=jobs) for jobs in (1, 2))
    assert facts(one) == facts(two)
    assert len({line.deals_from for line in one.lines}) == len(one.lines) == 15


@pytest.mark.parametrize("games", [500, 2500])
def test_an_interrupted_tuning_goes_on_to_the_same_result(games):
    whole = arbosim.tune("dial.py", **QUICK, jobs=1, output="whole")
    played = 0

    def progress(finished):
        nonlocal played
        played += finished
        if played >= games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arbosim.tune("dial.py", **QUICK, jobs=1, output="part", progress=progress)
    assert json.loads(Path("part/tune.json").read_text())["status"] == "interrupted"
    kept = Path("part/generations.jsonl").read_bytes()
    assert 0 < kept.count(b"\n") <= 15
    with Path("part/generations.jsonl").open("ab") as file:
        file.write(b'{"generation":')  # as after a crash
    calls = []
    tuned = arbosim.tune("dial.py", **QUICK, jobs=2, output="part", resume=True, progress=calls.append)
    assert facts(tuned) == facts(whole)
    for name in ("generations.jsonl", "confirmation.jsonl"):
        assert Path("part", name).read_bytes() == Path("whole", name).read_bytes()
    assert sum(calls) < 2400 + whole.confirmation.games
    again = arbosim.tune(
        "dial.py", **QUICK, output="part", resume=True, progress=lambda games: pytest.fail("played")
    )
    assert facts(again) == facts(whole)


def test_a_resumed_tuning_must_be_the_same_one():
    arbosim.tune("dial.py", **QUICK, output="run")
    for change, reason in [
        ({"budget": 4800}, "budget 2400, not 4800"),
        ({"seed": 4}, "seed 3, not 4"),
        ({"rules": {"hand_size": 6}}, "rule hand_size = 7, not 6"),
        ({"against": "greedy"}, "dial.py against random, not dial.py against greedy"),
    ]:
        with pytest.raises(UserError, match=reason):
            arbosim.tune("dial.py", **(QUICK | change), output="run", resume=True)
    with pytest.raises(UserError, match="holds a tuning already"):
        arbosim.tune("dial.py", **QUICK, output="run")
    log = Path("run/generations.jsonl")
    log.write_text(log.read_text().replace('"generation":2', '"generation":3'))
    with pytest.raises(UserError, match="had other candidates"):
        arbosim.tune("dial.py", **QUICK, output="run", resume=True)
    log.write_text("{}\n")
    with pytest.raises(UserError, match=r"generations\.jsonl.*generation: Field required"):
        arbosim.tune("dial.py", **QUICK, output="run", resume=True)


def test_a_changed_strategy_does_not_go_on():
    Path("mine.py").write_text("from tests.what_comes import WhatComes\n" + PLAIN)
    asked = {
        "against": "random",
        "budget": 80,
        "population": 4,
        "deals": 1,
        "confirm": 1,
        "seed": 1,
        "jobs": 1,
    }
    arbosim.tune("mine.py", **asked, output="run")
    Path("mine.py").write_text("from tests.what_comes import WhatComes\n" + PLAIN + "# changed\n")
    with pytest.raises(UserError, match=r"another source of strategy 'mine\.py'"):
        arbosim.tune("mine.py", **asked, output="run", resume=True)


PLAIN = '''
from arbosim.games.arboretum import api

class Mine(WhatComes):
    """Takes what comes."""
    parameters = (api.Parameter("last", 3, 0, 6, tune=True),)

    def discard(self, view):
        return view.hand[self.params.last]
'''


class Fickle(WhatComes):
    """Takes what comes."""

    parameters = (api.Parameter("last", 3, 0, 6, tune=True),)

    def discard(self, view):
        return view.hand[self.params.last]


def test_a_class_in_plain_python_is_tuned_too():
    asked = {"against": "random", "budget": 80, "population": 4, "deals": 2, "confirm": 4, "elo1": 200}
    tuned = arbosim.tune(Fickle, **asked, jobs=1, output="run")
    again = arbosim.tune(Fickle, **asked, output="run", resume=True)
    assert facts(again) == facts(tuned)
    assert tuned.asked.start.spec == "fickle"
    assert tuned.entrant.settings == tuned.values
    assert tuned.confirmation.decision in ("undecided", "unchanged")


class Rash(Fickle):
    """Makes a mistake for some values."""

    parameters = (api.Parameter("last", 0, 0, 6, tune=True),)

    def discard(self, view):
        if self.params.last > 2:
            raise RuntimeError("no idea")
        return view.hand[self.params.last]


def test_a_candidate_that_makes_mistakes_loses_its_games_and_is_told():
    asked = {"against": "random", "budget": 240, "population": 4, "deals": 2, "confirm": 1}
    with pytest.warns(UserWarning, match=r"forfeited by a mistake of a strategy: \d+ games; arbosim check"):
        tuned = arbosim.tune(Rash, **asked, jobs=1)
    assert tuned.found["last"] <= 2
    rash = [(line.candidates[at][0], won) for line in tuned.lines for at, won in enumerate(line.won)]
    assert all(won == 0 for last, won in rash if last > 2)
    assert sum(won for last, won in rash if last <= 2) > 0


@pytest.mark.parametrize("players", [3, 4])
def test_larger_tables_seat_the_whole_field_equally_often(players):
    field = "random,dial.py:aim=0.1,dial.py:aim=0.3,dial.py:aim=0.5,dial.py:aim=0.8"
    tuned = arbosim.tune("dial.py", against=field, players=players, budget=2000, population=4, confirm=2)
    assert tuned.asked.arena.tables == 5
    shares = tuned.generations["win_share"]
    assert 0.05 < shares.mean() < 1 / players + 0.1
    assert tuned.confirmation.games == 2 * 2 * 5 * players


@given(st.integers(1, 12), st.integers(1, 3), st.integers(0, 100))
def test_neighbours_are_few_tables_at_which_all_sit_equally_often(count, size, seed):
    tables = design.neighbours(count, size, random.Random(seed))
    assert len(tables) == len(set(tables)) == design.neighbours_count(count, size)
    seats = Counter(place for table in tables for place in table)
    assert count < size or set(seats.values()) == {len(tables) * size // count}
    assert all(list(table) == sorted(set(table)) for table in tables)


def test_what_candidates_win_is_what_a_run_says():
    game = registry.game()
    few = registry.resolve(Fickle, game.name)
    many = few.strategy.with_parameters(last=6)
    other = registry.resolve(WhatComes, game.name)
    arena = Arena(game, game.rules(None, {}), 2, (other,), seed=5, deals_from=0)
    wins = arena.play([few, many], range(3, 11), 0, jobs=1)
    assert wins.won.shape == (2, 8)
    assert not wins.errors
    for entrant, won in zip((few, many), wins.won, strict=True):
        results = arbosim.run([entrant, other], deals=8, deals_from=3, seed=5, jobs=1)
        shares = results.standings().set_index("strategy")["win_share"]
        assert won.sum() / (8 * arena.full) == pytest.approx(shares[entrant.spec])


def test_the_field_is_all_others_that_come_with_the_game(monkeypatch):
    from arbosim.tuning.asked import check

    asked = check("hoarder:keep=3", {"parameters": "keep"})
    field = [one.spec for one in asked.arena.field]
    assert field == sorted(set(registry.quick("arboretum")) - {"hoarder"})
    assert "search" not in field
    assert asked.entrant({"keep": 5}).spec == "hoarder:keep=5"
    # about 100 deals a candidate, over all tables together
    assert 60 <= asked.record.deals * len(field) <= 140
    assert asked.record.command.startswith("arbosim tune hoarder:keep=3 --against field -p 2")


def test_bad_input_is_told_all_at_once_and_nothing_is_written():
    with pytest.raises(UserError) as error:
        arbosim.tune(
            "dial.py",
            against="gredy",
            players=7,
            parameters="ami",
            budget=-1,
            elo1=0,
            name="a/b",
            output="run",
        )
    text = str(error.value)
    for part in (
        "'greedy'",
        "2 to 4 players, not 7",
        "'aim'",
        "budget: must",
        "elo1: must",
        "name: a parameter set",
    ):
        assert part in text
    for wrong, reason in [
        ({"budget": 30}, "30 games are too few: 5 generations of 6 candidates"),
        ({"against": "random,random"}, "given twice"),
        ({"players": 3, "against": "random"}, "at least 2 different opponents, not 1"),
        ({"population": 2}, "between 4 and"),
        ({"resume": True, "output": None}, "resume: names a tuning folder"),
        ({"name": ""}, "name: a parameter set is named by"),
        ({"name": "x" * 300}, "name: a name takes 250 bytes at most"),
    ]:
        with pytest.raises(UserError, match=reason):
            arbosim.tune("dial.py", **({"output": "run"} | wrong))
    assert not Path("run").exists()


def test_a_set_is_not_replaced_unless_that_is_wanted():
    Path("parameters").mkdir()
    file = Path("parameters/dial@mine.toml")
    file.write_text("[parameters]\naim = 0.5\n")
    with pytest.raises(UserError, match=r"parameters/dial@mine\.toml exists already; force replaces it"):
        arbosim.tune("dial.py", **QUICK, name="mine", output="run")
    assert not Path("run").exists()
    tuned = arbosim.tune("dial.py", **QUICK, name="mine", force=True, keep=True)
    assert registry.resolve("dial.py@mine", "arboretum").settings == tuned.found


def test_without_cmaes_it_says_what_to_install(monkeypatch):
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "cmaes" else found(name, *rest)
    )
    with pytest.raises(UserError, match=r"pip install 'arbosim\[tune\]'"):
        arbosim.tune("dial.py", **QUICK)


@pytest.mark.parametrize(
    ("decision", "low", "explained"),
    [("helped", -0.02, True), ("helped", 0.01, False), ("did not help", -0.02, False)],
)
def test_an_interval_with_0_in_it_is_explained_where_tuning_helped(decision, low, explained):
    difference = Interval(0.03, low, 0.08)
    seen = Confirmation(decision, 100, 64, 256, 0.5, 0.53, difference, 3.0, 0.0, 5.0, 0)
    assert ("it is wider and may hold 0" in seen.explanation) == explained
    tuned = arbosim.tune("dial.py", **{**QUICK, "budget": 400, "deals": 5, "population": 4, "confirm": 2})
    told = replace(tuned, confirmation=seen)
    assert ("may hold 0" in str(told)) == ("may hold 0" in told.set_text()) == explained
