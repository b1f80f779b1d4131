"""Compiled metrics of one's own: called at every event, kept with the rows, and unable to change a game unseen."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import arbosim
from arbosim.cli.main import main
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.games.arboretum import api, measuring
from tests import what_comes

COUNTS = '''"""A metric in a file."""
from arbosim.games.arboretum import api, measuring


@measuring.metric("taken", "hand_sum", "final", "deals")
def hook(event, seat, action, table, hidden, out):
    """Draws from piles, the sum of the hand at the end, the score, and how often a game began."""
    if event == measuring.BEGIN:
        for p in range(api.players(table)):
            out[p, 3] += 1
    if event == measuring.ACTED and measuring.is_draw(action) and measuring.source_of(action) != api.DECK:
        out[seat, 0] += 1
    if event == measuring.END:
        for p in range(api.players(table)):
            out[p, 2] = measuring.score(hidden, p)
            for i in range(api.hand_count_of(table, p)):
                out[p, 1] += api.value(measuring.hand_card(hidden, p, i))
'''
LATE = """from arbosim.games.arboretum import api, measuring


@measuring.metric("late")
def hook(event, seat, action, table, hidden, out):
    if event == measuring.BEGIN:
        total = 0
        for i in range(7):
            total += api.value(measuring.hand_card(hidden, 0, i))
        if total < 15:  # in one game of a thousand
            out[0, 0] = 1 // table["turn"]
"""
RUN = {"deals": 12, "seed": 5, "jobs": 1}


@measuring.metric("moves", "laid", per="game")
def moves(event, seat, action, table, hidden, out):
    """Actions of a game, and cards laid."""
    if event == measuring.ACTED:
        out[0, 0] += 1
        out[0, 1] += measuring.is_play(action)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("counts.py").write_text(COUNTS)
    Path("lazy.py").write_text(what_comes.text())
    Path("clumsy.py").write_text(what_comes.text("return view.hand[-1] if view.turn < 22 else None"))


def test_a_metric_of_a_seat_is_kept_and_says_what_the_kernel_says(here):
    results = arbosim.run(["random", "greedy"], **RUN, metric="counts.py", output="run")
    for found in (results, arbosim.load("run")):
        seats = found.seats
        assert (seats.taken == seats.taken_own + seats.taken_others).all()
        assert (seats.hand_sum == seats.hand_points).all()
        assert (seats.final == seats.score).all()
        assert (seats.deals == 1).all()
        assert seats.taken.sum() > 0
        assert str(seats.taken.dtype) == "float64"
    assert results.digest == arbosim.run(["random", "greedy"], **RUN).digest
    assert arbosim.load("run").observe(Nothing(), games=1).shape == (2, 6)
    assert not arbosim.load("run").species_of(2).empty


class Nothing(arbosim.Observer):
    def end(self, position):
        return {"nothing": 0}


def test_a_metric_of_the_game_and_three_players():
    results = arbosim.run(["random", "greedy", "hoarder"], **RUN, metric=moves)
    assert (results.games.moves == 4 * results.games.turns).all()
    assert (results.games.laid == results.games.turns).all()
    assert "moves" not in results.seats
    with pytest.raises(UserError, match="lie in memory"):
        results.extend(13)


@pytest.mark.parametrize("lean", [False, True])
@pytest.mark.parametrize(
    ("table", "metric", "names"),
    [
        ("seats", "counts.py", ["taken", "hand_sum", "final", "deals"]),
        ("games", moves, ["moves", "laid"]),
    ],
)
def test_exports_hold_and_explain_the_columns_of_a_metric(here, table, metric, names, lean):
    results = arbosim.run(["random", "greedy"], **RUN, metric=metric, lean=lean)
    results.to_csv("csv")
    results.to_parquet("parquet")
    described = json.loads(Path("csv/schema.json").read_text())["tables"][table]["columns"]
    expected = [
        {"name": name, "dtype": "float64", "unit": "", "meaning": f"compiled metric {name}"} for name in names
    ]
    assert [column for column in described if column["name"] in names] == expected
    for found in (pd.read_csv(f"csv/{table}.csv"), pd.read_parquet(f"parquet/{table}.parquet")):
        assert (found[names] == getattr(results, table)[names]).all(axis=None)


def test_jobs_processes_resuming_and_extending_change_no_number(here):
    strategies = ["random", "greedy", "lazy.py"]
    whole = arbosim.run(strategies, **RUN, metric="counts.py")
    again = arbosim.run(strategies, deals=12, seed=5, jobs=2, metric="counts.py", lean=True)
    arbosim.run(strategies, deals=7, seed=5, jobs=1, metric="counts.py", output="run")
    extended = arbosim.load("run").extend(12, jobs=2)
    next(iter(Path("run/parts").iterdir())).unlink()
    resumed = arbosim.run(strategies, **RUN, metric="counts.py", output="run", resume=True)
    for other in (again, extended, resumed):
        assert other.seats[["taken", "hand_sum"]].equals(whole.seats[["taken", "hand_sum"]])
        assert other.digest == whole.digest


def test_objects_go_on_in_their_program_and_files_travel_to_other_processes(here):
    results = arbosim.run(["random", "greedy"], **RUN, metric=moves, output="run")
    assert results.extend(13, jobs=1).games.moves.notna().all()
    with pytest.raises(UserError, match="the metric moves, laid, not no metric"):
        arbosim.load("run").extend(14)
    found = registry.hook("counts.py", "arboretum")
    travelled = pickle.loads(pickle.dumps(found))
    assert (travelled.names, travelled.source_hash) == (found.names, found.source_hash)
    packed = pickle.dumps(found)
    Path("counts.py").write_text(COUNTS + "# edited\n")
    with pytest.raises(UserError, match="has changed while it measures"):
        pickle.loads(packed)


def test_another_metric_or_source_is_refused(here):
    arbosim.run(["random", "greedy"], **RUN, metric="counts.py", output="run")
    record = json.loads(Path("run/run.json").read_text())["metric"]
    assert record["location"] == "counts.py"
    assert record["names"] == ["taken", "hand_sum", "final", "deals"]
    with pytest.raises(UserError, match="the metric taken, hand_sum, final, deals, not no metric"):
        arbosim.run(["random", "greedy"], **RUN, output="run", resume=True)
    Path("counts.py").write_text(COUNTS + "# edited\n")
    with pytest.raises(UserError, match="another source of taken"):
        arbosim.load("run").extend(13)


def test_the_command_line_takes_a_file_or_a_module(here, capsys):
    assert main(["run", "-s", "random,greedy", "-n", "3", "-o", "a", "--metric", "counts.py", "--quiet"]) == 0
    assert (
        main(["run", "-s", "random,greedy", "-n", "3", "-o", "b", "--metric", "py=counts:hook", "--quiet"])
        == 0
    )
    assert arbosim.load("a").seats.equals(arbosim.load("b").seats)
    assert main(["run", "--extend", "a", "-n", "4", "--quiet"]) == 0
    assert len(arbosim.load("a").seats.taken) == 16
    assert main(["replay", "a", "0-1-1"]) == 0
    capsys.readouterr()
    assert main(["run", "-s", "random,greedy", "-o", "c", "--metric", "lazy.py"]) == 2
    assert "--metric: 'lazy.py' holds 0 functions decorated" in capsys.readouterr().err
    assert main(["run", "-s", "random,greedy", "-o", "c", "--metric", "counts"]) == 2
    assert "--metric: a metric is named path/to/file.py" in capsys.readouterr().err
    assert not Path("c").exists()


def test_forfeited_games_miss_its_numbers(here):
    with pytest.warns(UserWarning, match="forfeited"):
        results = arbosim.run(["random", "clumsy.py"], **RUN, metric="counts.py")
    assert (results.seats.taken.isna() == results.seats.score.isna()).all()
    assert results.seats.taken.notna().any()


@measuring.metric("a")
def writes_on_the_table(event, seat, action, table, hidden, out):
    if event == measuring.ACTED and table["turn"] == 3:
        table["board_card"][0][0] = 1


@measuring.metric("b")
def swaps_hands(event, seat, action, table, hidden, out):
    if event == measuring.BEGIN:
        hidden["hand"][0][0] = hidden["hand"][1][0]


@measuring.metric("c")
def divides(event, seat, action, table, hidden, out):
    if event == measuring.ACTED:
        out[0, 0] = 1 // (table["turn"] - 5)


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        (writes_on_the_table, "the metric a changed the game"),
        (swaps_hands, "the metric b changed the game"),
        (divides, "the metric c failed: ZeroDivisionError"),
    ],
)
def test_a_metric_that_fails_or_changes_the_game_is_named_and_spoils_nothing(here, metric, reason):
    with pytest.raises(UserError, match=rf"{reason}.*\(deal 0, rotation 0\)"):
        arbosim.run(["random", "greedy"], **RUN, metric=metric, output="run")
    assert not Path("run").exists()


def test_a_folder_that_was_there_stays_and_what_was_played_is_kept(here):
    Path("empty").mkdir()
    with pytest.raises(UserError, match="the metric c failed"):
        arbosim.run(["random", "greedy"], **RUN, metric=divides, output="empty")
    assert list(Path("empty").iterdir()) == []
    Path("late.py").write_text(LATE)
    asked = {"seed": 5, "jobs": 1, "metric": "late.py", "output": "run"}
    played = []
    with pytest.raises(UserError, match="the metric late failed"):
        arbosim.run(["greedy", "random"], deals=100_000, **asked, progress=played.append)
    assert len(arbosim.load("run").games) == sum(played) > 0


def test_the_reason_why_a_metric_cannot_be_compiled_is_short():
    def hook(event, seat, action, table, hidden, out):
        out[0, 0] = table + 1

    with pytest.raises(
        UserError, match=r"the metric x cannot be compiled: add does not take \(table, 1\)"
    ) as caught:
        arbosim.run(["random", "greedy"], deals=1, metric=measuring.metric("x")(hook))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["score"], "'score' is a column already"),
        (["rights_0"], "'rights_0' is a column"),
        (["x", "x"], "each once"),
        (["a b"], "identifier"),
        ([], "one or more"),
    ],
)
def test_names_are_its_own(names, reason):
    def hook(event, seat, action, table, hidden, out):
        pass

    with pytest.raises(UserError, match=reason):
        arbosim.run(["random", "greedy"], deals=1, metric=measuring.metric(*names)(hook))


def test_what_is_no_metric_is_refused():
    with pytest.raises(UserError, match="is no function decorated"):
        arbosim.run(["random", "greedy"], deals=1, metric=api.best)
    with pytest.raises(UserError, match="cannot be compiled"):
        arbosim.run(["random", "greedy"], deals=1, metric=measuring.metric("x")(lambda event: None))
    assert np.isfinite(arbosim.run(["random", "greedy"], deals=1, jobs=1).seats.score.astype(float)).all()
