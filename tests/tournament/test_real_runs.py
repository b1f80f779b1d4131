"""Whole runs with the real engine: the digest is the same however they were played, and nothing is lost."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import arbosim
from arbosim import launch
from arbosim.core.errors import UserError
from arbosim.games.arboretum import api
from arbosim.lab import load
from arbosim.results import Results, together
from arbosim.tournament import config, manifest, run
from tests import what_comes
from tests.what_comes import WhatComes

STRATEGIES = ["random", "greedy", "hoarder"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lazy.py").write_text(what_comes.text())
    mistake = "if view.turn > 24:\n            raise RuntimeError('no idea')\n        return view.hand[-1]"
    Path("clumsy.py").write_text(what_comes.text(mistake))
    return tmp_path


@pytest.fixture(scope="module")
def whole() -> Results:
    return arbosim.run(STRATEGIES, deals=60, seed=7, jobs=1)


def go_on(folder: str, **named) -> Results:
    return Results.of(launch.go_on(Path(folder), **named).execute(1))


def test_jobs_order_and_folder_change_nothing(here, whole):
    again = arbosim.run(STRATEGIES[::-1], deals=60, seed=7, jobs=2, output="run")
    assert again.digest == whole.digest == load("run").digest
    assert again.summary == whole.summary == load("run").summary
    assert manifest.load(Path("run")).digest == whole.digest
    assert manifest.load(Path("run")).status == "finished"


def test_other_seeds_rules_and_deals_give_other_digests(whole):
    digests = {whole.digest}
    for change in (
        {"seed": 8},
        {"rules": "renegade2018"},
        {"deals_from": 1},
        {"deals": 59},
        {"seed": "seven"},
    ):
        digests.add(arbosim.run(STRATEGIES, **{"deals": 60, "seed": 7, "jobs": 1, **change}).digest)
    assert len(digests) == 6


def test_more_deals_later_are_the_run_that_played_them_at_once(here, whole):
    arbosim.run(STRATEGIES, deals=25, seed=7, jobs=1, output="run")
    assert go_on("run", given={"deals": 60}, extend=True).digest == whole.digest


def test_one_more_strategy_later_is_the_run_that_had_it_from_the_start(here, whole):
    first = arbosim.run(["random", "hoarder"], deals=60, seed=7, jobs=1, output="run")
    parts = {path.name for path in Path("run/parts").iterdir()}
    extended = go_on("run", add=["greedy"])
    assert extended.digest == whole.digest
    assert extended.summary == whole.summary
    assert parts < {path.name for path in Path("run/parts").iterdir()}
    assert load("run").manifest.line_ups[0] == first.manifest.line_ups[0]  # games keep their names


def test_an_interrupted_run_resumes_to_the_same_digest(here, whole):
    arbosim.run(STRATEGIES, deals=60, seed=7, jobs=1, output="run")
    found = sorted(Path("run/parts").iterdir())
    found[0].unlink()
    found[-1].write_bytes(found[-1].read_bytes()[:-50])
    Path("run/parts/.tmp-1-x.parquet").touch()
    with pytest.raises(UserError, match=r"n60\.parquet is damaged"):
        load("run").standings()
    with pytest.warns(UserWarning, match=r"n60\.parquet is damaged"):
        resumed = go_on("run")
    assert resumed.digest == whole.digest
    assert resumed.manifest.started
    assert sorted(Path("run/parts").iterdir()) == found


def test_a_run_with_changed_rows_is_not_believed(here):
    arbosim.run(["random", "greedy"], deals=20, seed=1, jobs=1, output="a")
    arbosim.run(["random", "greedy"], deals=20, seed=2, jobs=1, output="b")
    shutil.copy("b/parts/m00000-d0000000000-n20.parquet", "a/parts/m00000-d0000000000-n20.parquet")
    with pytest.raises(UserError, match="are not those of run"):
        load("a").standings()


@pytest.mark.parametrize(
    ("given", "extend", "reason"),
    [
        ({"seed": 8}, False, "seed 7, not 8"),
        ({"deals": 70}, False, "60 deals, not 70"),
        ({"deals": 50}, True, "60 deals, more than 50"),
        ({"players": 3}, True, "players 2, not 3"),
        ({"rules": {"hand_size": "6"}}, False, "rule hand_size = 7, not 6"),
        ({"strategies": ["random", "greedy"]}, False, "strategy 'hoarder', which is missing here"),
        ({"strategies": [*STRATEGIES, "tempo"]}, False, "no strategy 'tempo'"),
        ({"schedule": "self-play"}, True, "schedule 'round-robin', not 'self-play'"),
    ],
)
def test_a_run_goes_on_only_as_it_began(here, given, extend, reason):
    arbosim.run(STRATEGIES, deals=60, seed=7, jobs=1, output="run")
    before = Path("run/run.json").read_bytes()
    with pytest.raises(UserError, match=f"cannot go on with 'run', which has .*{reason}"):
        launch.go_on(Path("run"), given, extend=extend)
    assert Path("run/run.json").read_bytes() == before


def test_a_strategy_whose_file_has_changed_stops_a_resume(here):
    arbosim.run(["random", "lazy.py"], deals=4, jobs=1, output="run")
    go_on("run")
    Path("lazy.py").write_text(what_comes.text("return view.hand[0]"))
    with pytest.raises(UserError, match=r"another source of strategy 'lazy\.py'"):
        launch.go_on(Path("run"))


def test_other_rules_of_the_game_stop_a_resume(here):
    arbosim.run(["random", "greedy"], deals=4, jobs=1, output="run")
    data = json.loads(Path("run/run.json").read_text())
    Path("run/run.json").write_text(json.dumps({**data, "rules_version": 99}))
    with pytest.raises(UserError, match="rules version 99, not"):
        launch.go_on(Path("run"))


def test_run_json_says_everything_and_no_path_of_this_machine(here):
    arbosim.run(["random", "./lazy.py"], deals=4, players=2, seed="lucky", jobs=1, output="run")
    text = Path("run/run.json").read_text()
    data = json.loads(text)
    assert str(here) not in text
    assert data["rules"]["hand_size"] == 7
    assert data["line_ups"] == [["lazy.py", "random"]]
    assert [record["location"] for record in data["strategies"]] == ["lazy.py", "random"]
    assert all(len(record["source_hash"]) == 32 for record in data["strategies"])
    assert (data["games"], data["errors"], data["checked_deals"], data["deals_from"]) == (8, 0, 8, 0)
    assert data["started"] <= data["finished"]


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"schema_version": 99}', '{"schema_version": 1, "x": 1}', None]
)
def test_a_folder_without_a_readable_run_is_refused(here, content):
    Path("run").mkdir()
    if content is not None:
        Path("run/run.json").write_text(content)
    with pytest.raises(UserError, match="run"):
        load("run")


def changed(data: dict, **values) -> dict:
    """Return run.json with dotted fields changed; None leaves one out."""
    data = json.loads(json.dumps(data))
    for name, value in values.items():
        if value is None:
            del data[name]
        else:
            data[name] = value
    return data


@pytest.mark.parametrize(
    ("edited", "message"),
    [
        ({"players": None}, "players: Field required"),
        ({"players": "2"}, "players: must be a valid integer"),
        ({"players": 3}, "line_ups.0: takes 3 of the strategies"),
        ({"players": 0}, "players: must be greater than or equal to 1"),
        ({"deals": -1}, "deals: must be greater"),
        ({"deals": 10**30}, "deals: must be less"),
        ({"seed": 2**64}, "seed: must be less"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"rules": {"hand_sice": 6}}, "did you mean 'hand_size'"),
        ({"status": "done"}, "status"),
        ({"line_ups": [["greedy", "nobody"]]}, "line_ups.0: takes 2 of the strategies"),
        ({"line_ups": [["greedy", "random"]] * 2}, "line_ups: one is there twice"),
        ({"line_ups": "greedy"}, "line_ups: must be a valid list"),
        ({"strategies": []}, "line_ups.0: takes 2 of the strategies"),
        ({"strategies": [{}]}, "strategies.0.spec: Field required"),
        ({"schema_version": "1"}, "has schema version '1'"),
        ({"more": 1}, "more: Extra inputs"),
    ],
)
def test_an_edited_run_json_is_refused_by_name_and_nothing_is_lost(here, edited, message):
    arbosim.run(["random", "greedy"], deals=2, jobs=1, output="run")
    path = Path("run/run.json")
    path.write_text(json.dumps(changed(json.loads(path.read_text()), **edited)))
    before = {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()}
    for use in (load, lambda folder: launch.go_on(Path(folder))):
        with pytest.raises(UserError, match=r"run/run\.json") as caught:
            use("run")
        assert message in str(caught.value)
    assert {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()} == before


@pytest.mark.parametrize(
    "text", [b"\xff\x00", b"[" * 100_000, b'{"deals": ' + b"1" * 5000 + b"}", b"NaN", b""]
)
def test_a_run_json_that_is_no_json_is_named(here, text):
    Path("run").mkdir()
    Path("run/run.json").write_bytes(text)
    with pytest.raises(UserError, match=r"^run/run\.json"):
        load("run")


@pytest.mark.parametrize(
    "edited",
    [
        {"digest": "0" * 32},
        {"line_ups": [["greedy", "hoarder"], ["greedy", "random"], ["hoarder", "random"]][::-1]},
    ],
)
def test_rows_that_are_not_those_of_run_json_are_neither_shown_nor_extended(here, edited):
    arbosim.run(STRATEGIES, deals=2, jobs=1, output="run")
    path = Path("run/run.json")
    path.write_text(json.dumps(changed(json.loads(path.read_text()), **edited)))
    before = path.read_bytes()
    for use in (
        lambda: load("run").standings(),
        lambda: go_on("run"),
        lambda: go_on("run", given={"deals": 3}, extend=True),
    ):
        with pytest.raises(UserError, match=r"are not those of run\.json"):
            use()
    assert path.read_bytes() == before


def test_a_lost_part_is_told_and_played_again(here, whole):
    arbosim.run(STRATEGIES, deals=60, seed=7, jobs=1, output="run")
    sorted(Path("run/parts").iterdir())[1].unlink()
    with pytest.raises(UserError, match="'run' has lost 120 of 360 games; arbosim run --resume run"):
        load("run").standings()
    assert go_on("run").digest == whole.digest


def test_a_run_is_locked_before_it_is_read(here):
    arbosim.run(["random", "greedy"], deals=2, jobs=1, output="run")
    first = launch.go_on(Path("run"), {"deals": 4}, extend=True)
    with pytest.raises(UserError, match="another process is playing the run 'run'"):
        launch.go_on(Path("run"), add=["hoarder"])
    first.execute(1)
    launch.go_on(Path("run"), add=["hoarder"]).execute(1)
    assert load("run").manifest.deals == 4
    assert load("run").manifest.specs == ["greedy", "hoarder", "random"]


def test_of_two_new_runs_in_one_folder_one_is_played(here):
    wanted = config.settings({"strategies": ["random", "greedy"], "deals": 2, "output": "run"})
    first, second = launch.begin(wanted), launch.begin(wanted)
    first.execute(1)
    before = {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()}
    with pytest.raises(UserError, match="'run' holds a run already"):
        second.execute(1)
    assert {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("output", ["/proc/nothing", "/dev/null/run", "lazy.py/run"])
def test_a_folder_that_cannot_be_is_named(here, output):
    with pytest.raises(UserError, match=f"folder '{output}' cannot be written"):
        arbosim.run(["random", "greedy"], deals=2, jobs=1, output=output)


def test_a_strategy_that_goes_to_another_folder_takes_the_run_nowhere(here):
    Path("walker.py").write_text(
        what_comes.text("import os\n        os.chdir('/')\n        return view.hand[-1]")
    )
    try:
        results = arbosim.run(["random", "walker.py"], deals=20, jobs=1, output="run")
    finally:
        os.chdir(here)
    assert load("run").digest == results.digest
    assert results.folder == Path("run")


def test_processes_play_what_this_one_would(here, monkeypatch):
    alone = arbosim.run(["random", "lazy.py", "greedy"], deals=40, seed=3, jobs=1)
    monkeypatch.setattr(run, "PATIENCE", 0.0)
    monkeypatch.setattr(run, "WORTHWHILE", 0.0)
    both = arbosim.run(["random", "lazy.py", "greedy"], deals=40, seed=3, jobs=2, output="run")
    assert both.digest == alone.digest


@pytest.mark.parametrize("edit", [what_comes.text("return view.hand[0]"), "not Python", None])
def test_a_file_that_is_edited_while_processes_play_stops_the_run(here, monkeypatch, edit):
    monkeypatch.setattr(run, "PATIENCE", 0.0)
    monkeypatch.setattr(run, "WORTHWHILE", 0.0)
    text = Path("lazy.py").read_text()

    def change(_games: int) -> None:
        Path("lazy.py").unlink(missing_ok=True)
        if edit is not None:
            Path("lazy.py").write_text(edit)

    strategies = ["random", "lazy.py"]
    with pytest.raises(UserError, match=r"lazy\.py"):
        arbosim.run(strategies, deals=300, seed=3, jobs=2, output="run", progress=change)
    kept = load("run").manifest
    assert kept.status == "interrupted"
    assert 0 < kept.games < 600
    with pytest.raises(UserError, match=r"lazy\.py"):
        launch.go_on(Path("run"))
    Path("lazy.py").write_text(text)
    assert go_on("run").digest == arbosim.run(strategies, deals=300, seed=3, jobs=1).digest


def test_a_quick_edit_of_the_same_length_is_noticed(here):
    before = arbosim.run(["random", "lazy.py"], deals=8, jobs=1).digest
    time = Path("lazy.py").stat()
    Path("lazy.py").write_text(what_comes.text("return view.hand[+0]"))
    os.utime("lazy.py", ns=(time.st_atime_ns, time.st_mtime_ns))
    assert arbosim.run(["random", "lazy.py"], deals=8, jobs=1).digest != before
    assert not Path("__pycache__").exists()


def test_what_strategies_print_in_other_processes_is_no_output(here):
    noisy = "print('noise'); import sys; sys.stdout.close(); return view.hand[-1]"
    Path("noisy.py").write_text(what_comes.text(noisy))
    code = (
        "import arbosim\nfrom arbosim.tournament import run\nrun.PATIENCE = run.WORTHWHILE = 0.0\n"
        "from arbosim.cli.main import main\n"
        "main(['run', '-s', 'random,noisy.py', '-n', '60', '-j', '2', '-o', 'run', '--json'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["errors"] == 0
    assert "noise" in done.stderr


def test_a_class_of_a_notebook_cell_plays_with_two_jobs(here, monkeypatch):
    class Mine(api.Strategy):
        """Only known here."""

        def draw(self, view):
            return next(iter(view.sources))

        def play(self, view):
            return view.hand[0], view.open_cells[0]

        def discard(self, view):
            return view.hand[-1]

    Mine.__module__ = "__main__"
    monkeypatch.setattr(run, "PATIENCE", 0.0)
    monkeypatch.setattr(run, "WORTHWHILE", 0.0)
    results = arbosim.run([Mine, "lazy.py"], deals=40, seed=3, jobs=2, output="run")
    assert results.summary.games == 80
    assert results.digest == arbosim.run([Mine, "lazy.py"], deals=40, seed=3, jobs=1).digest
    with pytest.raises(UserError, match="was a Python object"):
        launch.go_on(Path("run"))
    assert results.species_of(2).attrs["sample"] == "2 of 80 games"


def test_mistakes_forfeit_their_games_and_touch_no_others(here):
    with pytest.warns(UserWarning, match=r"forfeited: \d+ games by clumsy\.py; results\.errors tells why"):
        results = arbosim.run(["random", "greedy", "clumsy.py"], deals=30, seed=3, jobs=1, output="run")
    clean = arbosim.run(["random", "greedy"], deals=30, seed=3, jobs=1)
    errors = [json.loads(line) for line in Path("run/errors.jsonl").read_text().splitlines()]
    assert len(errors) == results.manifest.errors == results.summary.errors > 0
    assert all(error["strategy"] == "clumsy.py" and "no idea" in error["message"] for error in errors)
    seats = results.seats
    other = seats[seats.match == results.manifest.line_ups.index(["greedy", "random"])].drop(columns="match")
    expected = clean.seats.drop(columns="match")
    assert (other.reset_index(drop=True).astype(str) == expected.astype(str)).all(axis=None)
    forfeits = seats[seats.forfeited]
    assert len(forfeits) == len(errors)
    assert (forfeits.win == 0).all()
    assert forfeits.score.isna().all()


def test_resuming_tells_each_mistake_once(here):
    with pytest.warns(UserWarning, match="forfeited"):
        whole = arbosim.run(["random", "clumsy.py"], deals=30, seed=3, jobs=1, output="run")
    expected = whole.errors
    victim = sorted(Path("run/parts").iterdir())[0]
    victim.unlink()
    resumed = go_on("run")
    key = lambda error: error["game"]  # noqa: E731
    assert sorted(resumed.errors, key=key) == sorted(expected, key=key)
    assert resumed.digest == whole.digest


def test_a_run_may_stop_at_the_first_mistake(here):
    with pytest.warns(UserWarning, match="forfeited"):
        results = arbosim.run(
            ["random", "clumsy.py"], deals=300, seed=3, jobs=1, on_error="stop", output="run"
        )
    assert results.manifest.status == load("run").manifest.status == "stopped"
    assert 0 < results.summary.games < 600


def test_results_are_frames_with_a_schema_version(whole):
    assert len(whole.games) == 3 * 60 * 2
    assert len(whole.seats) == 2 * len(whole.games)
    assert str(whole.seats.strategy.dtype) == "category"
    standings = whole.standings()
    assert standings.index.name == "rank"
    assert standings.win_share.sum() == pytest.approx(1.5)
    matrix = whole.matrix()
    assert matrix.loc["greedy", "random"] + matrix.loc["random", "greedy"] == pytest.approx(1)
    for frame in (whole.games, whole.seats, standings):
        assert frame.attrs["schema_version"] == 5
    comparison = whole.compare("greedy", "random")
    assert comparison.games == 120
    assert comparison.above.low > 0.5
    with pytest.raises(UserError, match="did you mean 'greedy'"):
        whole.compare("greddy", "random")
    assert "3 strategies" in repr(whole)


def test_scores_by_species_add_up_to_the_rows(whole):
    species = whole.species_of(12)
    sums = species.groupby(["match", "deal", "rotation", "seat"])[["scored", "points"]].sum()
    rows = whole.seats.set_index(["match", "deal", "rotation", "seat"]).loc[sums.index]
    assert (sums.scored == rows.score).all()
    assert (sums.points == rows.points).all()
    assert len(sums) == 24
    assert species.attrs == {"sample": "12 of 360 games", "schema_version": 5}
    assert (species.scored == species.points.where(species.right, 0)).all()


def test_runs_are_taken_together_where_they_fit(here, whole):
    arbosim.run(STRATEGIES, deals=30, seed=7, jobs=1, output="first")
    arbosim.run(STRATEGIES, deals=30, deals_from=30, seed=7, jobs=1, output="second")
    arbosim.run(["random", "greedy"], deals=10, seed=8, jobs=1, output="other_seed")
    # checks of the first deals of each run change nothing, so two halves are the whole
    assert together([load("first"), load("second")]) == whole.summary
    assert together([load("first"), load("other_seed")]).games == 30 * 6 + 20
    arbosim.run(["random", "greedy"], deals=40, seed=7, jobs=1, output="overlap")
    with pytest.raises(UserError, match="they would count twice"):
        together([load("first"), load("overlap")])
    arbosim.run(["random", "greedy"], deals=4, rules="renegade2018", jobs=1, output="other_rules")
    with pytest.raises(UserError, match=r"do not fit together: start_discard: all_but_first and none$"):
        together([load("first"), load("other_rules")])


def test_three_and_four_players_and_all_schedules(here):
    for players in (3, 4):
        results = arbosim.run(["random", "greedy", "hoarder", "tempo"], deals=5, players=players, jobs=1)
        assert results.standings().win_share.mean() == pytest.approx(1 / players)
    gauntlet = arbosim.run(["random", "greedy"], schedule="gauntlet", focus="hoarder", deals=5, jobs=1)
    assert gauntlet.manifest.line_ups == [["greedy", "hoarder"], ["hoarder", "random"]]
    alone = arbosim.run(["greedy"], schedule="self-play", players=3, deals=5, jobs=1)
    assert alone.standings().win_share.tolist() == pytest.approx([1 / 3])


def test_a_text_seed_is_the_same_run_when_resumed(here):
    arbosim.run(["random", "greedy"], deals=4, seed="lucky", jobs=1, output="run")
    assert go_on("run", given={"seed": "lucky"}).manifest.status == "finished"


def test_nothing_is_written_where_something_lies(here):
    Path("full").mkdir()
    Path("full/notes.txt").touch()
    Path("file").touch()
    arbosim.run(["random", "greedy"], deals=2, jobs=1, output="run")
    for output, message in (("full", "is not empty"), ("file", "is a file"), ("run", "holds a run already")):
        with pytest.raises(UserError, match=message):
            launch.begin(config.settings({"strategies": ["random", "greedy"], "output": output}))


def test_a_sampled_run_takes_more_deals_but_no_more_strategies(here, monkeypatch):
    monkeypatch.setattr("arbosim.tournament.design.LIMIT", 5)
    names = ["random", "greedy", "hoarder", "tempo", "spare", "balanced"]
    results = arbosim.run(names, players=3, deals=2, jobs=1, output="run")
    assert "balanced sample: each pair meets 2 times" in results.manifest.note
    assert len(results.manifest.line_ups) == 10 < 20
    assert go_on("run", given={"deals": 3}, extend=True).summary.games == 10 * 3 * 3
    with pytest.raises(UserError, match="a sample of line-ups"):
        launch.go_on(Path("run"), add=["counter"])


def test_a_run_leaves_the_signal_handler_as_it_was_and_plays_in_any_thread(here, monkeypatch):
    monkeypatch.setattr(run, "PATIENCE", 0.0)
    monkeypatch.setattr(run, "WORTHWHILE", 0.0)
    before = signal.getsignal(signal.SIGINT)
    digests = []
    play = lambda: digests.append(arbosim.run(["random", "lazy.py"], deals=12, jobs=2).digest)  # noqa: E731
    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    play()
    assert digests[0] == digests[1]
    assert signal.getsignal(signal.SIGINT) is before


def test_python_extends_adds_and_resumes(here, whole):
    first = arbosim.run(["random", "hoarder"], deals=25, seed=7, jobs=1, output="run", resume=True)
    longer = first.extend(deals=60, jobs=1)
    assert first.manifest.deals == 25
    assert longer.add("greedy", jobs=1).digest == whole.digest
    Path("run/parts/m00000-d0000000000-n25.parquet").unlink()
    again = arbosim.run(STRATEGIES, deals=60, seed=7, jobs=1, output="run", resume=True)
    assert again.digest == whole.digest == load("run").digest
    with pytest.raises(UserError, match=r"run', which has seed 7, not 8$"):
        arbosim.run(STRATEGIES, deals=60, seed=8, jobs=1, output="run", resume=True)
    with pytest.raises(UserError, match="resume: names a run folder, so it needs output"):
        arbosim.run(STRATEGIES, resume=True)
    with pytest.raises(UserError, match="lie in memory"):
        whole.extend(deals=100)


def test_an_object_goes_on_with_its_run_in_the_program_that_has_it(here):
    class Mine(WhatComes):
        """Only known here."""

    first = arbosim.run([Mine, "random"], deals=4, jobs=1, output="run")
    assert first.extend(deals=6, jobs=1).summary.games == 12
    assert arbosim.run([Mine, "random"], deals=6, jobs=1, output="run", resume=True).summary.games == 12
    with pytest.raises(UserError, match="was a Python object"):
        load("run").extend(deals=8)


def test_a_game_is_named_as_on_the_command_line(whole):
    rows = whole.games.set_index(["match", "deal", "rotation"])
    played = whole.replay("2-17-1")
    assert played.result["turns"] == rows.turns[2, 17, 1]
    assert whole.replay((2, 17, 1)).result == played.result
    with pytest.raises(UserError, match=r"^game: a game is named MATCH-DEAL-ROTATION, as in 3-120-1"):
        whole.replay("2-17")
    for wrong in ("3-0-0", "0-60-0", "0-0-2", (0, -1, 0), (-1, 0, 0)):
        with pytest.raises(UserError, match="matches 0 to 2, deals 0 to 59, rotations 0 to 1"):
            whole.replay(wrong)


def test_python_names_its_own_arguments(here):
    arbosim.run(["random", "greedy"], deals=2, jobs=1, output="run")
    for named, message in (
        ({"strategies": ["random"]}, "(schedule self-play seats one strategy everywhere)"),
        ({"strategies": []}, "strategies names some of"),
        ({"strategies": ["random", "greddy"]}, "unknown strategy 'greddy' in strategies"),
        ({"schedule": "gauntlet"}, "needs focus"),
        ({"focus": "greedy"}, "focus belongs to schedule gauntlet"),
        ({"output": "run"}, "resume or extend goes on with it"),
        ({"output": "run", "resume": True, "deals": 3}, "(extend plays more)"),
    ):
        with pytest.raises(UserError) as refused:
            arbosim.run(**{"strategies": ["random", "greedy"], "deals": 2, "jobs": 1, **named})
        assert message in str(refused.value)
        assert "--" not in str(refused.value)


def test_results_are_shown_whole_in_a_hundred_and_ten_columns(here, capsys):
    results = arbosim.run(["random", "greedy", "hoarder:keep=3"], deals=4, jobs=1, rules={"hand_size": 6})
    results.show()
    out, _ = capsys.readouterr()
    assert max(map(len, out.splitlines())) <= 110
    assert "rules        standard with hand_size=6\n" in out
    arbosim.run(["random", "greedy"], deals=4, jobs=1, output="standard")
    arbosim.run(["random", "greedy"], deals=4, jobs=1, rules={"hand_size": 6}, output="other")
    with pytest.raises(UserError, match=r"do not fit together: hand_size: 7 and 6$"):
        together([load("standard"), load("other")])


@pytest.mark.parametrize("players", [2, 3])
def test_ratings_and_pairs_of_a_run(here, players):
    names = ["random", "greedy", "hoarder"]
    results = arbosim.run(names, deals=40, players=players, jobs=2, output="run")
    ratings, pairs = results.ratings(), results.pairs()
    assert list(ratings.columns) == ["strategy", "rating", "low", "high", "games"]
    assert set(ratings.strategy) == set(names)
    assert ratings.rating.sum() == pytest.approx(0, abs=1e-6)
    assert ((ratings.low < ratings.rating) & (ratings.rating < ratings.high)).all()
    assert len(ratings.attrs["seats"]) == players
    assert len(ratings.attrs["ties"]) == players - 1
    assert len(pairs) == 3
    assert ((pairs.low <= pairs.above) & (pairs.above <= pairs.high)).all()
    assert (pairs.p_value <= pairs.p_holm).all()
    again = load("run")
    assert again.ratings().equals(ratings)
    assert again.pairs().equals(pairs)
    table = results.standings().set_index("strategy")
    assert table.rating.to_dict() == dict(zip(ratings.strategy, ratings.rating, strict=True))


def test_a_gauntlet_is_rated_and_self_play_is_not(here, capsys):
    names = ["random", "greedy", "hoarder"]
    gauntlet = arbosim.run(names, deals=20, jobs=1, schedule="gauntlet", focus="greedy")
    assert not gauntlet.ratings().isna().any(axis=None)
    alone = arbosim.run(names, deals=5, jobs=1, schedule="self-play")
    assert alone.ratings().rating.isna().all()
    alone.show()
    assert "there are no ratings" in capsys.readouterr().out
    few = arbosim.run(names, deals=1, jobs=1)
    few.show()
    out, _ = capsys.readouterr()
    assert out.count("too few deals") == 3
    assert "nan" not in out


def test_a_class_plays_against_itself_with_other_parameters(here):
    class Keeper(WhatComes):
        """Keep the first or the last card."""

        parameters = (api.Parameter("last", True),)

        def discard(self, view):
            return view.hand[-1 if self.params.last else 0]

    results = arbosim.run([Keeper, Keeper.with_parameters(last=False), "random"], deals=4, jobs=1)
    assert results.manifest.specs == ["keeper", "keeper:last=off", "random"]
    entrants = results.replay("0-0-0").seats.entrants
    assert [entrant.settings for entrant in entrants] == [{"last": True}, {"last": False}]
    assert len(results.species_of(3)) == 3 * 2 * 6
    with pytest.raises(UserError, match="did you mean 'last'"):
        Keeper.with_parameters(lsat=False)
    with pytest.raises(UserError, match="give the class Keeper itself"):
        arbosim.run([Keeper(), "random"])
