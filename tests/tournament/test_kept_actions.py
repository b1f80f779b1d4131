"""Games that do not repeat by seed keep their actions, and are replayed by them to the result that is stored."""

import json
import os
import re
import signal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import arbosim
from arbosim.cli.main import USER_ERROR, main
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.match.conformance import run_all_checks
from arbosim.tournament import run

PLANTED = Path(__file__).parent / "planted"
SLIPS = "ticker.py:slips=60"
RUN = {"deals": 10, "seed": 5, "jobs": 1}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ticker.py", "waiter.py"):
        Path(name).symlink_to(PLANTED / name)  # compiled once, wherever it is
    return tmp_path


def parts(folder: str = "run", match: int | None = None) -> dict[str, bytes]:
    pattern = "*" if match is None else f"m{match:05d}-*"
    return {path.name: path.read_bytes() for path in Path(folder, "parts").glob(pattern)}


def games_of(results) -> list[tuple[int, int, int]]:
    return list(results.games[["match", "deal", "rotation"]].itertuples(index=False, name=None))


def replay_all(results) -> int:
    """Replay every game, compare it with its row and its mistake, and return how many were forfeited."""
    mistakes = {error["game"]: error for error in results.errors}
    forfeited = 0
    rows = results.games.set_index(["match", "deal", "rotation"])
    scores = results.seats.set_index(["match", "deal", "rotation"]).score
    for game in games_of(results):
        match, deal, rotation = game
        played = results.replay(game)
        assert played.result["turns"] == rows.turns[game]
        assert len(played.winners) == rows.winners[game]
        line_up = results.manifest.line_ups[match]
        assert [played.names[(slot + rotation) % len(line_up)] for slot in range(len(line_up))] == line_up
        told = mistakes.get(f"{match}-{deal}-{rotation}")
        if told is None:
            assert played.error is None
            assert [played.result[f"score_{seat}"] for seat in range(len(line_up))] == scores[game].tolist()
        else:
            forfeited += 1
            assert {name: getattr(played.error, name) for name in told if name not in ("game", "match")} == {
                name: value for name, value in told.items() if name not in ("game", "match")
            }
    return forfeited


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_game_is_replayed_to_its_result_whatever_the_jobs(jobs):
    strategies = ["greedy", "random", "ticker.py", "ticker.py:ms=0"]
    results = arbosim.run(strategies, deals=8, seed=5, jobs=jobs, output="run")
    assert replay_all(results) == 0
    assert arbosim.load("run").digest == results.digest
    again = arbosim.run(strategies, deals=8, seed=5, jobs=jobs)
    assert replay_all(again) == 0
    one, two = (each.games.groupby("line_up", observed=True).turns.apply(list) for each in (results, again))
    calm = [name for name in one.index if "ticker.py" not in name.split(" | ")]
    assert len(calm) == 3
    assert one[calm].equals(two[calm])
    assert again.digest != results.digest  # it really plays by the clock


def test_line_ups_that_repeat_are_stored_as_ever():
    arbosim.run(["greedy", "random"], **RUN, output="without")
    arbosim.run(["greedy", "random", "ticker.py"], **RUN, output="run")
    assert parts(match=0) == parts("without")
    plain, *kept = [pq.read_schema(file) for file in sorted(Path("run/parts").iterdir())]
    assert len(kept) >= 2
    assert all(schema.names == [*plain.names, "actions"] for schema in kept)
    assert kept[0].field("actions").type == pa.list_(pa.int32())
    strategies = json.loads(Path("run/run.json").read_text())["strategies"]
    assert [record["repeats"] for record in strategies] == [True, True, False]


@pytest.mark.parametrize("change", [{}, {"lean": True}, {"strict": True}, {"players": 3}])
def test_forfeited_games_are_replayed_up_to_the_mistake(change):
    with pytest.warns(UserWarning, match="forfeited"):
        results = arbosim.run(["greedy", "random", SLIPS], **RUN, **change, output="run")
    assert replay_all(results) == len(results.errors) > 0
    assert len(results.errors) < len(results.games)


def test_plain_python_plays_by_the_clock_in_processes_as_well(monkeypatch):
    monkeypatch.setattr(run, "PATIENCE", 0.0)
    monkeypatch.setattr(run, "WORTHWHILE", 0.0)
    strategies = ["waiter.py:slips=300", "ticker.py"]
    with pytest.warns(UserWarning, match="forfeited"):
        results = arbosim.run(strategies, deals=24, seed=5, jobs=2, output="run")
    assert replay_all(results) == len(results.errors) > 0


def test_an_interrupted_run_plays_only_what_is_missing():
    def interrupt(_games: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        arbosim.run(["greedy", SLIPS], deals=40, seed=5, jobs=1, output="run", progress=interrupt)
    before = parts()
    assert before
    state = arbosim.load("run").manifest
    assert (state.status, state.games < 80) == ("interrupted", True)
    torn = Path("run/parts", ".tmp-1-m00000-d0000000030-n4.parquet")
    torn.write_bytes(b"half")
    with pytest.warns(UserWarning, match="forfeited"):
        results = arbosim.run(["greedy", SLIPS], deals=40, seed=5, jobs=2, output="run", resume=True)
    assert before.items() <= parts().items()
    assert not torn.exists()
    assert len(results.games) == 80
    assert replay_all(results) == len(results.errors)


def test_lost_and_damaged_parts_are_played_again_and_others_kept():
    first = arbosim.run(["greedy", "ticker.py"], **RUN, output="run").extend(14, jobs=1).extend(20, jobs=1)
    lost, *_, whole, damaged = sorted(Path("run/parts").iterdir())
    before = whole.read_bytes()
    lost.unlink()
    table = pq.read_table(damaged, partitioning=None)
    pq.write_table(table.drop_columns("actions"), damaged)
    with pytest.raises(UserError, match="does not hold what its name says"):
        arbosim.load("run").standings()
    with pytest.warns(UserWarning, match="is damaged"):
        results = arbosim.load("run").extend(20, jobs=1)
    assert results.manifest.status == "finished"
    assert results.digest != first.digest
    assert replay_all(results) == 0
    assert whole.read_bytes() == before


def test_more_deals_and_strategies_keep_what_was_played():
    arbosim.run(["greedy", "random"], **RUN, output="run")
    before = parts()
    results = arbosim.load("run").add("ticker.py", jobs=1).extend(12, jobs=1)
    assert before.items() <= parts().items()
    assert results.manifest.keeps_actions == {1, 2}
    assert replay_all(results) == 0


def test_a_replay_needs_no_strategy():
    results = arbosim.run(["greedy", "ticker.py"], **RUN, output="run")
    story = results.walkthrough("0-3-1")
    Path("ticker.py").unlink()
    assert arbosim.load("run").walkthrough("0-3-1") == story
    assert len(arbosim.load("run").species) == 20 * 2 * 6
    assert main(["replay", "run", "0-3-1"]) == 0


def edit_actions(folder: str, change) -> None:
    """Let a function change the actions of all games of a run, of each deal the list of its rotations' actions."""
    for path in Path(folder, "parts").iterdir():
        table = pq.read_table(path, partitioning=None)
        lists = table["actions"].to_pylist()
        for index in range(0, len(lists), 2):
            lists[index : index + 2] = change(table["deal"][index].as_py(), lists[index : index + 2])
        changed = table.set_column(len(table.schema) - 1, "actions", pa.array(lists, pa.list_(pa.int32())))
        pq.write_table(changed.replace_schema_metadata(table.schema.metadata), path)


def test_what_was_kept_and_is_not_the_game_is_told(capsys):
    arbosim.run(["greedy", "ticker.py"], **RUN, output="run")
    edits = {
        1: lambda one, two: [one[:-1], [*two, 4]],  # ends too early, goes on after the end
        2: lambda one, two: [[one[0], 99, *one[2:]], two],  # 99 is no action
        3: lambda one, two: [two, one],
    }
    edit_actions("run", lambda deal, both: edits[deal](*both) if deal in edits else both)
    results = arbosim.load("run")
    for game, told in {
        "0-1-0": "kept of game 0-1-0 cannot be its own: they end before it does",
        "0-1-1": "kept of game 0-1-1 cannot be its own: they go on after its end",
        "0-2-0": "kept of game 0-2-0 cannot be its own: .*99",
        "0-3-0": "cannot be its own|is another one now",
    }.items():
        with pytest.raises(UserError, match=told):
            results.replay(game)
        assert main(["replay", "run", game]) in (1, USER_ERROR)
        assert re.search(f"{told}|is not the game of the run", capsys.readouterr().err)
    assert main(["replay", "run", "0-0-0"]) == main(["replay", "run", "0-2-1"]) == 0


def test_records_of_a_run_are_its_games(capsys):
    assert (
        main(
            [
                "run",
                "-s",
                f"greedy,{SLIPS}",
                "-n",
                "8",
                "-j",
                "1",
                "-o",
                "run",
                "--record",
                "all.jsonl",
                "--quiet",
            ]
        )
        == 1
    )
    capsys.readouterr()
    assert main(["replay", "all.jsonl"]) == 0
    turns = [json.loads(line)["turns"] for line in capsys.readouterr().out.splitlines()]
    assert sorted(turns) == sorted(arbosim.load("run").games.turns)


def test_it_is_said_that_games_do_not_repeat(capsys):
    told = "games of ticker.py were played by the clock and do not repeat by seed"
    results = arbosim.run(["greedy", "ticker.py"], **RUN, output="run")
    assert main(["standings", "run"]) == 0
    assert f"\nrepeats      not all: {told}\n" in capsys.readouterr().out
    assert main(["standings", "run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["note"] == told
    page = results.report().read_text()
    assert told in page
    assert "with another digest" in page
    assert arbosim.run(["greedy", "ticker.py:ms=0"], **RUN).manifest.caution == ""


def test_a_comparison_keeps_the_games_that_decided_and_replaces_none():
    contest = arbosim.compare("greedy", "ticker.py", elo1=200, jobs=2, output="run")
    assert contest.decision == "H1"
    assert "do not repeat by seed" in str(contest)
    assert replay_all(contest.results) == 0
    again = arbosim.compare("greedy", "ticker.py", jobs=1, output="run", resume=True)
    assert again.to_json() == contest.to_json()
    next(Path("run/parts").iterdir()).unlink()
    left = parts()
    with pytest.raises(UserError, match="has lost"):
        arbosim.compare("greedy", "ticker.py", output="run", resume=True)
    with pytest.raises(
        UserError, match="has lost games by which its comparison was decided, and games of ticker"
    ):
        arbosim.load("run").extend(contest.deals, jobs=1)
    assert parts() == left


def test_a_check_asks_what_can_be_asked():
    found = run_all_checks(
        [registry.resolve(name, "arboretum") for name in ("ticker.py", "waiter.py")], games=20
    )
    for checks in found.values():
        assert all(check.ok for check in checks)
        skipped = {
            check.name
            for check in checks
            if check.message.startswith("does not apply: it thinks by the clock")
        }
        assert skipped == {"reproducible", "no peeking", "no state kept", "same without the compiler"}


def test_a_strategy_in_full_tells_of_its_clock(capsys):
    assert main(["strategies", "ticker.py"]) == 0
    line = next(
        line for line in capsys.readouterr().out.splitlines() if "ms=" in line and "milliseconds" in line
    )
    assert line.endswith("(by the clock unless 0: games do not repeat by seed)")
    assert main(["strategies", "ticker.py", "--json"]) == 0
    marks = [parameter["clock"] for parameter in json.loads(capsys.readouterr().out)["parameters"]]
    assert marks == [True, False]


def test_folders_from_before_the_clock_are_read_and_extended():
    arbosim.run(["greedy", "random"], **RUN, output="run")
    state = json.loads(Path("run/run.json").read_text())
    for record in state["strategies"]:
        del record["repeats"]
    Path("run/run.json").write_text(json.dumps(state | {"schema_version": 3}))
    results = arbosim.load("run").add("ticker.py", jobs=1)
    assert results.manifest.schema_version == 5
    assert replay_all(results) == 0


class Count(arbosim.Observer):
    """Count the actions of a game."""

    def end(self, position):
        return {"actions": len(position.actions)}


def test_observers_see_the_games_that_were_played():
    with pytest.warns(UserWarning, match="forfeited"):
        results = arbosim.run(["greedy", SLIPS], **RUN, output="run")
    seen = results.observe(Count(), games=None, jobs=2)
    table = pq.read_table("run/parts", partitioning=None)
    lengths = {
        (deal, rotation): len(actions)
        for deal, rotation, actions in zip(
            *(table[name].to_pylist() for name in ("deal", "rotation", "actions")), strict=True
        )
    }
    assert {(row.deal, row.rotation): row.actions for row in seen.itertuples()} == lengths


def test_tuning_against_the_clock_says_so():
    Path("dial.py").symlink_to(PLANTED.parent.parent / "tuning" / "planted" / "dial.py")
    asked = {"against": "ticker.py", "budget": 240, "population": 4, "deals": 2, "confirm": 4, "jobs": 1}
    tuned = arbosim.tune("dial.py", **asked)
    assert str(tuned).endswith("games of ticker.py were played by the clock and do not repeat by seed")
