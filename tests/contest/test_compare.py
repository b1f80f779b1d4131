"""Comparisons with the real engine: what is decided depends on the deals alone, and the run is one like any other."""

import json
import math
from pathlib import Path

import pytest

import arbosim
from arbosim import launch
from arbosim.contest.compare import Contested, go_on
from arbosim.core.errors import UserError
from arbosim.report import sections, text
from arbosim.tournament import manifest
from tests.what_comes import WhatComes

LAZY = '''"""A file with one strategy, which may be slow in some deals."""
import os
import time
from arbosim.games.arboretum import api

PAUSE = float(os.environ.get("PAUSE", "0"))

class Lazy(api.Strategy):
    """Take what comes."""

    def draw(self, view):
        if view.hand[0].value % 2:
            time.sleep(PAUSE)
        return next(iter(view.sources))

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        {discard}
'''


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lazy.py").write_text(LAZY.format(discard="return view.hand[-1]"))
    Path("twin.py").write_text(LAZY.format(discard="return view.hand[-1]"))
    Path("clumsy.py").write_text(LAZY.format(discard="raise RuntimeError('no idea')"))
    return tmp_path


def facts(contest: arbosim.Contest) -> tuple:
    return contest.decision, contest.deals, contest.llr, contest.looks, contest.results.digest


def test_a_slow_strategy_against_a_fast_one_is_the_same_for_any_number_of_jobs(monkeypatch):
    serial = arbosim.compare("random", "lazy.py", elo1=200, jobs=1)
    monkeypatch.setenv("PAUSE", "0.003")  # in about half of the turns, so other deals finish first
    parallel = arbosim.compare("random", "lazy.py", elo1=200, jobs=2, output="run")
    assert facts(parallel) == facts(serial)
    whole = arbosim.run(["random", "lazy.py"], deals=serial.deals, jobs=1)
    assert parallel.results.digest == whole.digest == manifest.load(Path("run")).digest
    plain = whole.compare("random", "lazy.py")
    assert parallel.above.value == pytest.approx(plain.above.value)
    assert parallel.win_share.value == pytest.approx(plain.win_share.value)
    assert parallel.score.value == pytest.approx(plain.score.value)


@pytest.mark.parametrize(
    ("first", "second", "hypotheses", "told"),
    [
        ("hoarder", "random", (0, 50), "hoarder is stronger than random: H1 accepted"),
        ("random", "hoarder", (0, 50), "random is not stronger than hoarder: H0 accepted"),
        ("random", "hoarder", (0, 50), " %: to ask whether hoarder is stronger, swap the two"),
        ("random", "hoarder", (-50, 0), "random is weaker than hoarder: H0 accepted"),
        ("hoarder", "random", (-50, 0), "hoarder is not weaker than random: H1 accepted"),
        ("hoarder", "random", (-50, 0), " %: to ask whether it is stronger, take 0 as H0"),
    ],
)
def test_the_verdict_says_who_looks_stronger_and_what_to_ask_next(first, second, hypotheses, told):
    contest = arbosim.compare(first, second, elo0=hypotheses[0], elo1=hypotheses[1], jobs=1)
    assert told in contest.verdict
    assert contest.verdict in str(contest)


def test_an_interval_that_holds_one_half_after_a_decision_is_explained():
    # hypotheses far apart are told apart before an interval that holds at all times is narrow
    early = arbosim.compare("hoarder", "greedy", elo0=-200, elo1=200, jobs=1)
    assert early.decision == "H1"
    assert early.above.low < 0.5 < early.above.high
    assert "1/2 lies within the first" in str(early)
    late = arbosim.compare("hoarder", "random", jobs=1)
    assert late.above.low > 0.5
    assert "1/2 lies" not in str(late)


def test_the_run_folder_is_a_run_of_the_deals_that_decided():
    contest = arbosim.compare("hoarder", "greedy", seed=3, jobs=2, output="run")
    state = manifest.load(Path("run"))
    assert contest.decision == "H1"
    assert (state.status, state.deals, state.games) == ("finished", contest.deals, 2 * contest.deals)
    assert state.comparison.model_dump() == {
        "first": "hoarder",
        "second": "greedy",
        "elo0": 0.0,
        "elo1": 5.0,
        "alpha": 0.05,
        "beta": 0.05,
        "until_width": None,
        "line_ups": 1,
        "max_deals": 100_000,
        "decision": "H1",
        "deals": contest.deals,
        "looks": len(contest.looks),
        "llr": contest.llr,
    }
    loaded = arbosim.load("run")
    assert loaded.games["deal"].max() == contest.deals - 1
    assert loaded.digest == contest.results.digest
    assert loaded.replay(f"0-{contest.deals - 1}-1").error is None
    assert launch.go_on(Path("run")).games_left == 0
    table = contest.trajectory
    assert list(table.columns) == ["deals", "share", "low", "high", "llr"]
    assert table["llr"].iloc[-1] == contest.llr > math.log(19) > table["llr"].iloc[-2]


def test_ordinary_intervals_of_the_run_come_with_a_caution():
    contest = arbosim.compare("hoarder", "random", jobs=1, output="run")
    loaded = arbosim.load("run")
    told = (
        f"stopped by its own result after {contest.deals} deals (H1): ordinary intervals are too narrow then"
    )
    assert loaded.caution == f"{told}; arbosim compare --resume run shows those that hold"
    assert f"comparison   {loaded.caution}" in text.as_text(loaded.summary, [loaded])
    assert loaded.caution in text.as_dict(loaded.summary, [loaded])["note"]
    assert loaded.caution in str(loaded.compare("hoarder", "random"))
    assert loaded.caution in str(sections.what(loaded))
    plain = arbosim.run(["hoarder", "random"], deals=20, jobs=1)
    assert plain.caution == ""
    assert "comparison" not in text.as_text(plain.summary, [plain])


def test_a_decided_comparison_is_told_again_even_when_the_run_has_grown():
    contest = arbosim.compare("hoarder", "greedy", jobs=1, output="run")
    contest.results.extend(contest.deals + 40, jobs=1).add("random", jobs=1)
    again = arbosim.compare("hoarder", "greedy", jobs=1, output="run", resume=True)
    assert facts(again)[:4] == facts(contest)[:4]
    for change in (
        {"seed": 2},
        {"players": 3, "field": ["random"]},
        {"rules": {"hand_size": 6}},
        {"deals_from": 1},
    ):
        with pytest.raises(UserError, match=f"was played with other {next(iter(change)).replace('_', ' ')}"):
            arbosim.compare("hoarder", "greedy", jobs=1, output="run", resume=True, **change)
    assert str(again) == str(contest)
    assert arbosim.load("run").manifest.comparison.decision == "H1"


def test_a_comparison_whose_games_are_lost_is_not_told_from_the_rest():
    contest = arbosim.compare("hoarder", "greedy", jobs=1, output="run")
    max(Path("run/parts").iterdir()).unlink()
    with pytest.raises(UserError, match="has lost"):
        go_on(Path("run"))
    assert launch.go_on(Path("run")).execute(1).totals.games == contest.games
    assert facts(go_on(Path("run"))) == facts(contest)


def test_at_larger_tables_compiled_and_slow_line_ups_go_side_by_side():
    field = ["greedy", "lazy.py"]
    asked = {"players": 3, "field": field, "elo1": 60, "seed": 4}
    contest = arbosim.compare("hoarder", "random", **asked, jobs=2, output="run")
    assert contest.results.manifest.line_ups == [
        ["greedy", "hoarder", "random"],
        ["hoarder", "lazy.py", "random"],
    ]
    assert contest.games == contest.deals * 6 == arbosim.load("run").manifest.games
    assert facts(arbosim.compare("hoarder", "random", **asked, jobs=1)) == facts(contest)
    pair = contest.results.compare("hoarder", "random")
    assert (contest.above.value, contest.win_share.value) == pytest.approx(
        (pair.above.value, pair.win_share.value)
    )
    assert "3 at a table, among greedy, lazy.py" in str(contest)


def test_it_ends_when_the_interval_is_narrow_enough():
    contest = arbosim.compare("hoarder", "random", until_width=8, jobs=1)
    width = [look.high - look.low for look in contest.looks]
    assert contest.decision == "precise"
    assert width[-1] <= 0.08 < width[-2]
    assert contest.above.high - contest.above.low == pytest.approx(width[-1])
    assert contest.trajectory["llr"].isna().all()


def test_undecided_after_the_last_deal_and_more_deals_later_are_as_if_allowed_at_once():
    short = arbosim.compare("hoarder", "tempo", elo1=4, max_deals=70, jobs=1, output="run")
    assert (short.decision, short.deals) == ("undecided", 70)
    longer = arbosim.compare("hoarder", "tempo", elo1=4, max_deals=130, jobs=1, output="run", resume=True)
    direct = arbosim.compare("hoarder", "tempo", elo1=4, max_deals=130, jobs=2)
    assert facts(longer) == facts(direct)
    assert arbosim.load("run").manifest.deals == 130


def test_equal_twins_are_found_to_be_no_stronger():
    contest = arbosim.compare("lazy.py", "twin.py", elo1=200, jobs=1)
    assert contest.decision == "H0"
    assert contest.above.value == 0.5
    assert contest.above.low < 0.5 < contest.above.high
    assert "not defined: all deals alike" in str(contest)
    assert "score difference            +0.0000 (all deals alike)" in str(contest)
    assert "too few deals" not in str(contest)
    inside = contest.results.compare("lazy.py", "twin.py")
    assert inside.score.text("+") == "+0.0000 (all deals alike)"
    assert "nan" not in str(contest).lower()


def test_who_wins_everything_has_finite_numbers():
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    with pytest.warns(UserWarning, match=r"forfeited: .* by clumsy\.py"):
        contest = arbosim.compare("greedy", "clumsy.py", elo1=300, jobs=1, output="run")
    json.loads(json.dumps(contest.to_json()), parse_constant=refuse)
    assert contest.decision == "H1"
    assert contest.above.value == contest.above.high == 1
    assert 0.5 < contest.above.low < 1
    assert (contest.elo.value, contest.score.value) == (None, None)
    assert contest.elo.low > 0
    assert "nan" not in str(contest).lower()
    assert "inf" not in str(contest).lower()
    lines = Path("run/errors.jsonl").read_text().splitlines()
    assert len(lines) == contest.results.manifest.errors == contest.games
    assert {json.loads(line)["deal"] for line in lines} <= set(range(contest.deals))


def test_classes_of_this_program_can_be_compared():
    class Mine(WhatComes):
        """Only known here."""

    contest = arbosim.compare("greedy", Mine, field=["random"], players=3, elo1=150, jobs=1)
    assert contest.decision == "H1"


class StopError(Exception):
    """Stands for the death of the process."""


@pytest.mark.parametrize("games", [1, 300])
def test_what_was_broken_off_goes_on_to_the_same_end(games):
    def die(_finished: int) -> None:
        nonlocal games
        games -= _finished
        if games <= 0:
            raise StopError

    direct = arbosim.compare("hoarder", "greedy", seed=5, jobs=1)
    assert direct.games > 300
    with pytest.raises(StopError):
        arbosim.compare("hoarder", "greedy", seed=5, jobs=1, output="run", progress=die)
    assert manifest.load(Path("run")).comparison.decision is None
    with pytest.raises(UserError, match="arbosim compare --resume run goes on"):
        launch.go_on(Path("run"))
    with pytest.raises(UserError, match="arbosim compare --resume run goes on"):
        arbosim.load("run").extend(10)
    contested = go_on(Path("run"))
    assert isinstance(contested, Contested)
    assert facts(contested.execute(2)) == facts(direct)


def test_killed_between_the_decision_and_its_record():
    direct = arbosim.compare("hoarder", "greedy", seed=5, jobs=1, output="run")
    state = manifest.load(Path("run"))
    state.status, state.deals = "running", 100_000
    state.comparison = state.comparison.model_copy(update={"decision": None})
    state.save(Path("run"))
    again = arbosim.compare("hoarder", "greedy", seed=5, jobs=1, output="run", resume=True)
    assert facts(again) == facts(direct)
    assert manifest.load(Path("run")).deals == direct.deals


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"second": "hoarder"}, "'hoarder' cannot be compared with itself"),
        ({"second": "greddy"}, "did you mean 'greedy'"),
        ({"elo0": 5}, "elo0 must be less than elo1"),
        ({"elo0": math.nan}, "elo0: must be a number"),
        ({"elo1": 5000}, "elo1: must lie between"),
        ({"elo1": "5"}, "elo1: must be a number, not '5'"),
        ({"alpha": 0}, "alpha: must lie between 0 and 0.5, not 0"),
        ({"beta": 0.5}, "beta: must lie between 0 and 0.5"),
        ({"until_width": 0}, "until_width: must be between 0 and 100"),
        ({"until_width": 1, "elo1": 5}, "until_width is another way to stop than elo1"),
        ({"max_deals": 0}, "max_deals: must be a whole number between 1 and"),
        ({"max_deals": 10**9}, "max_deals: must be a whole number between 1 and"),
        ({"field": ["random"]}, "field: belongs to tables of more than 2"),
        ({"players": 3}, "need at least 1 other, not 0"),
        ({"players": 4, "field": ["random"]}, "need at least 2 others, not 1"),
        ({"players": 3, "field": ["random", "greedy"]}, "field: 'greedy' is one of the two"),
        ({"players": 3, "field": ["rando"]}, "did you mean 'random'"),
        ({"players": 5, "field": ["random", "tempo", "denier"]}, "2 to 4 players, not 5"),
        ({"jobs": 0}, "jobs: must be at least 1"),
        ({"resume": True, "output": None}, "resume: names a run folder"),
    ],
)
def test_wrong_input_is_refused_before_anything_is_written(given, message):
    with pytest.raises(UserError) as caught:
        arbosim.compare(**{"first": "hoarder", "second": "greedy", "output": "run", **given})
    assert message in str(caught.value)
    assert not Path("run").exists()


def test_a_folder_that_holds_something_is_refused_or_must_hold_this_comparison():
    arbosim.run(["hoarder", "greedy"], deals=2, jobs=1, output="run")
    with pytest.raises(UserError, match="holds a run already"):
        arbosim.compare("hoarder", "greedy", output="run")
    with pytest.raises(UserError, match="is a run, but no comparison"):
        arbosim.compare("hoarder", "greedy", output="run", resume=True)
    arbosim.compare("hoarder", "greedy", max_deals=20, jobs=1, output="asked")
    before = Path("asked/run.json").read_bytes()
    for change, message in (
        ({"elo1": 6}, r"elo1 5\.0, not 6"),
        ({"until_width": 2}, "elo0"),
        ({"max_deals": 10}, "20 deals, more than 10"),
        ({"max_deals": 30, "seed": 2}, "seed 1, not 2"),
        ({"max_deals": 30, "first": "greedy", "second": "hoarder"}, "hoarder with greedy, in this order"),
        ({"max_deals": 30, "second": "tempo"}, "hoarder with greedy, in this order"),
    ):
        given = {"first": "hoarder", "second": "greedy", "jobs": 1, **change}
        with pytest.raises(UserError, match=message):
            arbosim.compare(**given, output="asked", resume=True)
    assert Path("asked/run.json").read_bytes() == before


def damaged(**changes: object) -> str:
    """Return what is said about a decided comparison with other values in its run.json."""
    if not Path("run").exists():
        arbosim.compare("hoarder", "greedy", jobs=1, output="run")
        Path("kept.json").write_text(Path("run/run.json").read_text())
    state = json.loads(Path("kept.json").read_text())
    state["comparison"] |= changes
    Path("run/run.json").write_text(json.dumps(state))
    with pytest.raises(UserError) as caught:
        go_on(Path("run"))
    return str(caught.value)


def test_a_damaged_question_is_refused_by_file_and_field():
    for changes, wrong in (
        ({"first": "zz"}, "unknown strategy 'zz' in comparison.first"),
        ({"second": "hoarder"}, ".second: 'hoarder' cannot be compared with itself"),
        ({"line_ups": 2}, ".line_ups: the run has 1, not 2"),
        ({"alpha": -3.0}, ".alpha: must lie between 0 and 0.5, not -3"),
        ({"beta": -3.0}, ".beta: must lie between 0 and 0.5, not -3"),
        ({"elo1": -3.0}, ".elo0 must be less than comparison.elo1"),
        ({"elo0": -1001.0}, ".elo0: must lie between -1000 and 1000"),
        ({"alpha": None}, ".alpha: must be a number, unless there is comparison.until_width"),
        ({"beta": None}, ".beta: must be a number"),
        ({"elo0": None}, ".elo0: must be a number"),
        ({"elo1": None}, ".elo1: must be a number"),
        (dict.fromkeys(("elo0", "elo1", "alpha", "beta")), ".elo0: must be a number"),
        ({"until_width": 1.0}, ".until_width is another way to stop than comparison.elo0"),
        ({"until_width": -3.0, **dict.fromkeys(("elo0", "elo1", "alpha", "beta"))}, ".until_width: must be"),
        ({"decision": "precise"}, "unknown decision 'precise' in comparison.decision"),
        ({"max_deals": 0}, ".max_deals: must be a whole number between 1 and 10,000,000, not 0"),
        ({"max_deals": None}, ".max_deals: must be"),
        ({"max_deals": 10}, ".deals: must be a whole number between 1 and 10, not"),
        ({"deals": -3}, ".deals: must be greater than or equal to 0"),
        ({"deals": 0}, ".deals: must be a whole number between 1 and"),
        ({"deals": None}, ".deals: must be"),
        ({"decision": None, "deals": 100_001}, ".deals: must be a whole number between 0 and 100,000"),
        ({"looks": -3}, ".looks: must be"),
    ):
        field = f"comparison{wrong}" if wrong.startswith(".") else wrong
        assert damaged(**changes).startswith(f"{Path('run/run.json')}: {field}"), changes


def test_a_damaged_file_is_named_once():
    Path("run").mkdir()
    Path("run/run.json").write_text("{")
    with pytest.raises(UserError) as caught:
        go_on(Path("run"))
    assert str(caught.value).count("run.json") == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"elo1": 10**400}, "elo1: must be a number, not 1000"),
        ({"elo1": "5"}, "elo1: must be a number, not '5'"),
        ({"alpha": math.nan}, "alpha: must be a number, not nan"),
        ({"until_width": 10**400}, "until_width: must be a number, not 1000"),
        ({"max_deals": 10**400}, "max_deals: must be a whole number between 1 and 10,000,000, not 1000"),
        ({"max_deals": 1.5}, "max_deals: must be a whole number"),
        ({"max_deals": True}, "max_deals: must be a whole number"),
        ({"players": 5, "field": ["random"]}, "is for 2 to 4 players, not 5"),
        ({"players": 10**400}, r"2 to 4 players, not 10+\.\.\.0+"),
        ({"players": 3}, "at least 1 other, not 0"),
        ({"players": 4}, "at least 2 others, not 0"),
        ({"players": 3, "field": 7}, "field: must be a list of strategies, or a text with commas"),
        ({"players": 3, "field": "random,tempoo"}, "in field; did you mean 'tempo'"),
    ],
)
def test_wrong_arguments_are_refused_with_what_is_accepted(given, message):
    with pytest.raises(UserError, match=message):
        arbosim.compare("hoarder", "greedy", **given)


def test_a_field_may_be_one_text():
    contest = arbosim.compare(
        "hoarder", "greedy", field="random, tempo", players=3, until_width=30, jobs=1, seed=3
    )
    assert contest.results.manifest.line_ups == [
        ["greedy", "hoarder", "random"],
        ["greedy", "hoarder", "tempo"],
    ]
