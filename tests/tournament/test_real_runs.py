"""Whole runs with the real engine: the digest is the same however they were played, and nothing is lost."""

import json
import shutil
import signal
import threading
from pathlib import Path

import pytest

import arbosim
from arbosim import launch
from arbosim.core.errors import UserError
from arbosim.games.arboretum import api
from arbosim.lab import Results, load, together
from arbosim.tournament import config, manifest, run

STRATEGIES = ["random", "greedy", "hoarder"]
LAZY = '''"""A file with one strategy."""
from arbosim.games.arboretum import api

class Lazy(api.Strategy):
    """Take what comes."""

    def draw(self, view):
        return next(iter(view.sources))

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        {discard}
'''


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lazy.py").write_text(LAZY.format(discard="return view.hand[-1]"))
    mistake = "if view.turn > 24:\n            raise RuntimeError('no idea')\n        return view.hand[-1]"
    Path("clumsy.py").write_text(LAZY.format(discard=mistake))
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
    Path("lazy.py").write_text(LAZY.format(discard="return view.hand[0]"))
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


def test_processes_play_what_this_one_would(here, monkeypatch):
    alone = arbosim.run(["random", "lazy.py", "greedy"], deals=40, seed=3, jobs=1)
    monkeypatch.setattr(run, "PATIENCE", 0.0)
    monkeypatch.setattr(run, "WORTHWHILE", 0.0)
    both = arbosim.run(["random", "lazy.py", "greedy"], deals=40, seed=3, jobs=2, output="run")
    assert both.digest == alone.digest


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
    whole = arbosim.run(["random", "clumsy.py"], deals=30, seed=3, jobs=1, output="run")
    expected = whole.errors
    victim = sorted(Path("run/parts").iterdir())[0]
    victim.unlink()
    resumed = go_on("run")
    key = lambda error: error["game"]  # noqa: E731
    assert sorted(resumed.errors, key=key) == sorted(expected, key=key)
    assert resumed.digest == whole.digest


def test_a_run_may_stop_at_the_first_mistake(here):
    results = arbosim.run(["random", "clumsy.py"], deals=300, seed=3, jobs=1, on_error="stop", output="run")
    assert results.manifest.status == "interrupted"
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
        assert frame.attrs["schema_version"] == 1
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
    assert species.attrs == {"sample": "12 of 360 games", "schema_version": 1}
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
    with pytest.raises(UserError, match="do not fit together: rules"):
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
