"""Whole studies with the real engine: the digest is the same however they were played, and no field is ignored."""

import json
import os
import re
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest

import arbosim
from arbosim.core.errors import UserError
from arbosim.games.arboretum import api
from arbosim.games.arboretum.rules import Rules, make_rules
from arbosim.storage.parts import Parts
from arbosim.studies.trace import skill_trace
from arbosim.tournament import manifest

PLANTED = Path(__file__).parent / "planted"
THINKER = str(PLANTED / "thinker.py")
CHANGES = {
    "species": "CDJLGMO",
    "values": 9,
    "hand_size": 6,
    "draws": 3,
    "start_discard": "none",
    "extra_card": "first",
    "eight_rule": "off",
    "mono_bonus": False,
    "mono_min": 3,
    "one_bonus": 2,
    "top_bonus": 3,
    "min_path": 3,
    "right": "most_cards",
    "tied_right": "nobody",
    "discard_memory": "top_only",
    "equal_turns": True,
}
FIELDS = {
    "strategies": ["balanced", "counter"],
    "deals": 12,
    "seed": 5,
    "variants": {name: {name: value} for name, value in CHANGES.items()},
}
SMALL = {
    "strategies": ["greedy", "hoarder", "random"],
    "deals": 20,
    "seed": 7,
    "restricted": True,
    "variants": {"relabelled": {"species": "CDJMOR"}, "eight rule off": {"eight_rule": "off"}},
}


def in_toml(table):
    """Return a flat table, with tables of fields in it, as TOML."""
    lines, tables = [], []
    for key, value in table.items():
        if isinstance(value, dict):
            tables.append(f"[{key}]")
            tables += [f"{json.dumps(name)} = {inline(inner)}" for name, inner in value.items()]
        else:
            lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join([*lines, *tables]) + "\n"


def inline(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {json.dumps(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)


@pytest.fixture(scope="module")
def fields(tmp_path_factory):
    """A study of every field of the rules, from a file."""
    folder = tmp_path_factory.mktemp("fields")
    (folder / "study.toml").write_text(in_toml(FIELDS))
    return arbosim.study(folder / "study.toml", jobs=1, output=folder / "study")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return arbosim.study(SMALL, jobs=1, output=tmp_path_factory.mktemp("small") / "study")


def test_every_field_of_the_rules_is_studied():
    assert set(CHANGES) == set(Rules.model_fields)


@pytest.mark.parametrize("name", CHANGES)
def test_no_field_of_a_variant_is_ignored(fields, name):
    state = manifest.load(fields.folder / "runs" / f"2p-{name}")
    assert state.rules == make_rules(None, {name: CHANGES[name]}).model_dump(mode="json")
    assert state.digest != fields.results("base").digest  # and the games are others


def test_no_field_is_ignored_from_python_with_two_jobs_or_resumed(fields, tmp_path):
    again = arbosim.study(FIELDS, jobs=2, output=tmp_path / "study")
    assert again.digest == fields.digest
    runs = sorted((tmp_path / "study" / "runs").iterdir())
    for run in runs[::2]:
        shutil.rmtree(run)
    for run in runs[1::2]:
        next((run / "parts").iterdir()).unlink()
    resumed = arbosim.study(output=tmp_path / "study", resume=True, jobs=2)
    assert resumed.digest == fields.digest
    for name in CHANGES:
        assert resumed.results(name).manifest.rules == fields.results(name).manifest.rules
        assert resumed.results(name).digest == fields.results(name).digest  # of the rows themselves


@pytest.mark.parametrize("way", ["flags", "file", "python"])
def test_no_field_of_the_base_is_ignored(tmp_path, monkeypatch, capsys, way):
    from arbosim.cli.main import main

    monkeypatch.chdir(tmp_path)
    asked = {"strategies": ["greedy", "random"], "deals": 2, "variants": {"three": {"draws": 4}}}
    if way == "file":
        Path("s.toml").write_text(in_toml({**asked, "base": CHANGES}))
        assert main(["study", "s.toml", "-o", "study", "--quiet"]) == 0
    elif way == "flags":
        Path("s.toml").write_text(in_toml(asked))
        flags = [word for name, value in CHANGES.items() for word in ("--set", f"{name}={value}")]
        assert main(["study", "s.toml", "-o", "study", "--quiet", *flags]) == 0
    else:
        arbosim.study(asked, base=Rules(**CHANGES), output="study")
    for name, change in (("base", {}), ("three", {"draws": 4})):
        rules = manifest.load(Path(f"study/runs/2p-{name}")).rules
        assert rules == make_rules(None, {**CHANGES, **change}).model_dump(mode="json")


def test_jobs_order_and_folder_change_nothing(small):
    swapped = {**SMALL, "strategies": SMALL["strategies"][::-1]}
    again = arbosim.study(swapped, jobs=2)
    assert again.digest == small.digest
    assert again.metrics.equals(small.metrics)
    assert again.effects.equals(small.effects)
    assert arbosim.load_study(small.folder).effects.equals(small.effects)


def test_other_names_of_species_change_exactly_nothing(small):
    some = small.effects[small.effects["variant"] == "relabelled"]
    assert len(some) > 20
    assert (some["difference"] == 0).all()
    assert (some["low"] == 0).all()
    assert (some["high"] == 0).all()
    assert (some["p_value"] == 1).all()
    assert not some["significant"].any()
    other = small.effects[small.effects["variant"] == "eight rule off"]
    assert (other["difference"] != 0).any()


def test_a_study_in_a_folder_is_whole(small):
    state = small.manifest
    assert state.status == "finished"
    assert {record.status for record in small.runs} == {"finished"}
    assert [record.name for record in small.runs if record.kind == "pool"] == [
        "2p-base",
        "2p-relabelled",
        "2p-eight_rule_off",
    ]
    assert sorted(path.name for path in (small.folder / "runs").iterdir()) == sorted(
        record.name for record in small.runs
    )
    assert all(manifest.load(small.folder / "runs" / record.name).course for record in small.runs)
    assert state.games == sum(small.run(record.name).manifest.games for record in small.runs)
    assert small.variants["changed"].tolist() == ["", "species=CDJMOR", "eight_rule=off"]
    assert small.command == f"arbosim study {small.folder}/study.json"


def test_study_json_plays_the_study_again(small):
    assert arbosim.study(small.folder / "study.json", jobs=1).digest == small.digest


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"deals": 21}, "deals 20, not 21"),
        ({"seed": 8}, "seed 7, not 8"),
        ({"players": [2, 3]}, r"players \[2\], not \[2, 3\]"),
        ({"restricted": False}, r"restricted \['hoarder:discards'\], not \[\]"),
        ({"paired": False}, "paired true, not false"),
        ({"base": {"hand_size": 6}}, "base: rule hand_size = 7, not 6"),
        ({"strategies": ["greedy", "hoarder"]}, "strategy 'random', which is missing here"),
        ({"strategies": ["greedy", "hoarder", "random", "tempo"]}, "no strategy 'tempo'"),
        (
            {"variants": {"eight rule off": {"eight_rule": "off"}}},
            "variant 'relabelled', which is missing here",
        ),
        ({"sweep": {"draws": [1]}}, "no variant 'draws=1'"),
        ({"schedule": "self-play", "restricted": False}, "schedule round-robin, not self-play"),
    ],
)
def test_a_study_goes_on_only_as_it_began(small, change, reason):
    before = (small.folder / "study.json").read_bytes()
    with pytest.raises(UserError, match=f"cannot go on with .*, which has .*{reason}"):
        arbosim.study({**SMALL, **change}, output=small.folder, resume=True)
    assert (small.folder / "study.json").read_bytes() == before


def test_another_base_is_told_once(small):
    with pytest.raises(UserError) as caught:
        arbosim.study({**SMALL, "base": {"hand_size": 6}}, output=small.folder, resume=True)
    assert str(caught.value).count("hand_size") == 1


def test_a_text_that_is_the_seed_is_shown(tmp_path):
    found = arbosim.study(
        SMALL, seed="spring", deals=2, restricted=False, metrics=["turns"], jobs=1, output=tmp_path / "s"
    )
    told = f"spring ({found.seed})"
    assert f"seed         {told}" in str(found)
    assert told in found.report().read_text()
    with pytest.raises(UserError, match=f"seed {re.escape(told)}, not 3"):
        arbosim.study(output=tmp_path / "s", resume=True, seed=3)
    assert arbosim.study(output=tmp_path / "s", resume=True).digest == found.digest


def test_what_is_asked_of_a_study_later_may_change(small, tmp_path):
    folder = shutil.copytree(small.folder, tmp_path / "study")
    again = arbosim.study(
        {**SMALL, "metrics": ["turns", "ban_cost"], "title": "T"}, output=folder, resume=True
    )
    assert again.title == "T"
    assert set(again.metrics["metric"]) == {"turns", "ban_cost"}
    assert again.digest == small.digest


def test_the_same_call_goes_on_with_what_it_began(small, tmp_path):
    folder = shutil.copytree(small.folder, tmp_path / "study")
    shutil.rmtree(folder / "runs" / "2p-relabelled")
    assert arbosim.study(**SMALL, output=folder, resume=True).digest == small.digest
    with pytest.raises(UserError, match="no variant 'draws=1'"):
        arbosim.study(**SMALL, sweep={"draws": [1]}, output=folder, resume=True)


def test_a_card_more_for_one_seat_is_seen_in_what_that_seat_wins():
    # against a card more for the other, so that the deck is as long, and nobody gets a turn more or less by it
    found = arbosim.study(
        strategies=["balanced"],
        schedule="self-play",
        deals=3000,
        metrics=["first_seat", "unequal_turns"],
        base={"preset": "renegade2018", "extra_card": "all_but_first"},
        variants={"first": {"extra_card": "first"}},
    )
    effects = found.effects.set_index("metric")
    assert effects.loc["first_seat", "significant"]
    assert effects.loc["first_seat", "difference"] > 0
    assert not effects.loc["unequal_turns", "significant"]


def test_a_folder_that_holds_something_is_left_alone(small, tmp_path):
    with pytest.raises(UserError, match="holds a study already; resume goes on with it"):
        arbosim.study(SMALL, output=small.folder)
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is not empty"):
        arbosim.study(SMALL, output=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    with pytest.raises(UserError, match="holds no study"):
        arbosim.load_study(tmp_path)


def test_rows_that_are_lost_or_changed_are_not_believed(small, tmp_path):
    folder = shutil.copytree(small.folder, tmp_path / "study")
    part = next((folder / "runs" / "2p-base" / "parts").iterdir())
    other = folder / "runs" / "2p-eight_rule_off" / "parts" / part.name
    shutil.copy(other, part)
    with pytest.raises(UserError, match="are not those of run"):
        arbosim.load_study(folder).effects  # noqa: B018
    part.unlink()
    lost = arbosim.load_study(folder)
    assert "base" not in set(lost.metrics["variant"])
    assert lost.effects.empty
    assert "2p-base (80 of 120 games, others are lost)" in str(lost)
    assert arbosim.study(output=folder, resume=True).effects.equals(small.effects)


def test_the_rows_of_a_study_are_read_once(small, monkeypatch):
    read = []
    original = Parts.read
    monkeypatch.setattr(
        Parts, "read", lambda self, part: read.append((self.folder, part)) or original(self, part)
    )
    study = arbosim.load_study(small.folder)
    assert study.metrics.equals(small.metrics)
    assert study.effects.equals(small.effects)
    assert study.strategies.equals(small.strategies)
    assert len(read) == len(set(read)) == len(list(small.folder.glob("runs/*/parts/*")))


@pytest.mark.parametrize("where", ["memory", "study"])
def test_ctrl_c_with_the_last_game_leaves_a_whole_study(small, tmp_path, where):
    left = small.manifest.games

    def press(games):
        nonlocal left
        left -= games
        if left == 0:
            os.kill(os.getpid(), signal.SIGINT)

    output = None if where == "memory" else tmp_path / where
    found = arbosim.study(SMALL, jobs=1, output=output, progress=press)
    assert left == 0
    assert found.manifest.status == "finished"
    assert found.effects.equals(small.effects)


class Notebook(api.Strategy):
    """A class of the program, which no other one finds."""

    def draw(self, view):
        return next(iter(view.sources))

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        return view.hand[0]


def test_classes_take_part_and_are_given_again_to_go_on(tmp_path):
    local = type("Local", (Notebook,), {"__doc__": "As of a notebook cell.", "__module__": "__main__"})
    asked = {"deals": 2, "seed": 1, "variants": {"off": {"eight_rule": "off"}}, "jobs": 1}
    found = arbosim.study(asked, strategies=[local, "random"], output=tmp_path / "study")
    shutil.rmtree(tmp_path / "study" / "runs" / "2p-off")
    with pytest.raises(UserError, match="has a strategy that was a Python object and cannot be found: local"):
        arbosim.study(output=tmp_path / "study", resume=True)
    again = arbosim.study(asked, strategies=[local, "random"], output=tmp_path / "study", resume=True)
    assert again.digest == found.digest


def test_unpaired_variants_have_deals_of_their_own():
    found = arbosim.study({**SMALL, "restricted": False}, paired=False, deals_from=100, jobs=1)
    starts = [found.results(name).manifest.deals_from for name in ("base", "relabelled", "eight rule off")]
    assert starts == [100, 120, 140]
    same = found.effects[found.effects["variant"] == "relabelled"]
    assert (same["difference"] != 0).any()


def test_what_a_ban_costs_is_what_the_strategy_wins_more(small):
    row = small.metrics.query("metric == 'ban_cost' and variant == 'base'").iloc[0]
    assert row["subject"] == "hoarder:discards"
    results = small.run("2p-base@without-hoarder-discards")
    shares = {each.strategy: each.win_share for each in results.summary.rows}
    assert row["value"] == pytest.approx(shares["hoarder"] - shares["hoarder:discards=off"])
    assert row["low"] <= row["value"] <= row["high"]


def test_a_ban_is_the_same_where_the_ability_is_off_in_the_pool(small):
    off = {**SMALL, "strategies": ["hoarder:discards=off", "random"], "metrics": ["ban_cost"], "variants": {}}
    found = arbosim.study(off, sweep={"draws": [1]}, jobs=1)
    name = "2p-base@without-hoarder-discards"
    assert found.run(name).digest == small.run(name).digest
    costs = [
        study.metrics.query("metric == 'ban_cost' and variant == 'base'").iloc[0] for study in (found, small)
    ]
    assert costs[0]["subject"] == "hoarder:discards=off:discards"
    assert costs[0][["value", "low", "high"]].equals(costs[1][["value", "low", "high"]])


def test_at_larger_tables_others_of_the_pool_sit_beside_a_duel():
    found = arbosim.study({**SMALL, "players": 3, "deals": 5}, jobs=1)
    results = found.run("3p-base@without-hoarder-discards")
    assert results.manifest.line_ups == [
        ["greedy", "hoarder", "hoarder:discards=off"],
        ["hoarder", "hoarder:discards=off", "random"],
    ]
    assert set(found.metrics.query("metric == 'ban_cost'")["subject"]) == {"hoarder:discards"}


def test_a_budget_that_helps_has_a_skill_trace():
    thinker = f"{THINKER}:aim=0.3"
    found = arbosim.study(
        strategies=[thinker, "random"],
        deals=100,
        seed=1,
        trace=2,
        jobs=1,
        variants={"off": {"eight_rule": "off"}},
    )
    duels = [record for record in found.runs if record.kind == "trace" and record.variant == "base"]
    assert [(record.first, record.second) for record in duels] == [
        (f"{thinker}:looks=2", thinker),
        (f"{thinker}:looks=4", f"{thinker}:looks=2"),
    ]
    shares = [
        {each.strategy: each.win_share for each in found.run(record.name).summary.rows}[record.first]
        for record in duels
    ]
    assert shares[0] > 0.6
    assert shares[1] > 0.5
    row = found.metrics.query("metric == 'skill_trace' and variant == 'base'").iloc[0]
    assert row["subject"] == thinker
    assert row["value"] == pytest.approx(skill_trace(2 * np.array(shares) - 1))
    assert 0.1 < row["low"] <= row["value"] <= row["high"]


def test_skill_trace_by_hand():
    # results 0.5, 0.5: a flat line goes on at 0.5; 0.5 + 0.5 * (0.5 + 0.5) / 2
    assert skill_trace(np.array([0.5, 0.5])) == pytest.approx(0.75)
    # falling from 1 to 0: the line lies at -2 where it is read, so at 0; the mean of the two is left
    assert skill_trace(np.array([1.0, 0.0])) == pytest.approx(0.5)
    # 0.2, 0.1, 0.3: the line has the slope 0.05 and lies at 0.35 at 4; 0.35 + 0.65 * 0.2
    assert skill_trace(np.array([0.2, 0.1, 0.3])) == pytest.approx(0.48)
    # -0.2, 0.2: at 3 the line lies at 1, whatever the rest; losing counts nothing in the mean
    assert skill_trace(np.array([-0.2, 0.2])) == pytest.approx(1.0)
    assert skill_trace(np.array([0.3, -0.3])) == pytest.approx(0.15)
    assert skill_trace(np.array([0.0, 0.0, 0.0])) == 0
    assert skill_trace(np.array([-0.5, -0.5])) == 0


def test_a_skill_trace_is_a_share_whatever_the_results():
    results = np.random.default_rng(1).uniform(-1, 1, (500, 8))
    found = skill_trace(np.vstack([results, np.abs(results), np.sort(results), np.ones((1, 8))]))
    assert found.shape == (1501,)
    assert ((found >= 0) & (found <= 1)).all()
    assert found[-1] == 1


def test_a_few_deals_give_values_without_bounds():
    found = arbosim.study(SMALL, deals=1, metrics=["turns"], jobs=1)
    assert found.metrics[["low", "high"]].isna().all(axis=None)
    assert found.effects["p_value"].isna().all()
    assert not found.effects["significant"].any()
    assert "too few deals" in str(found)
    json.dumps(found.to_json(), allow_nan=False)


def test_self_play_has_no_mixture():
    found = arbosim.study(SMALL, schedule="self-play", restricted=False, jobs=1)
    assert found.strategies["nash"].isna().all()
    assert found.strategies["win_share"].eq(0.5).all()


def test_what_a_study_has_not_is_told(small):
    with pytest.raises(UserError, match="unknown variant 'of'"):
        small.results("of")
    with pytest.raises(UserError, match="no run of 'base' with 3 players"):
        small.results(players=3)
    with pytest.raises(UserError, match="no run of 'base' with 2 players and the retuned pool"):
        small.results(pool="retuned")
    with pytest.raises(UserError, match="unknown run 'base'; did you mean '2p-base'"):
        small.run("base")


def test_retuned_players_are_compared_beside_the_given_ones(tmp_path):
    pytest.importorskip("cmaes")
    thinker = f"{THINKER}:looks=8"
    asked = {
        "strategies": [thinker, "random"],
        "deals": 60,
        "seed": 2,
        "variants": {"always": {"right": "always"}},
        "retune": {"budget": 10_000},
    }
    found = arbosim.study(asked, jobs=1, output=tmp_path / "study")
    assert [record.name for record in found.runs] == [
        "2p-base",
        "2p-always",
        "2p-base@retuned",
        "2p-always@retuned",
    ]
    assert sorted(path.name for path in (tmp_path / "study" / "tunings").iterdir()) == [
        "2p-always@thinker",
        "2p-base@thinker",
    ]
    for tuned in found.manifest.tunings:
        [record] = [each for each in found.runs if each.name == f"2p-{tuned.variant}@retuned"]
        assert set(found.run(record.name).manifest.specs) == {tuned.spec, "random"}
        assert record.stands_for == ({tuned.spec: thinker} if tuned.helped else {})
    assert any(tuned.helped for tuned in found.manifest.tunings)
    assert "tuning helped no strategy" not in str(found)
    both = found.effects.groupby("pool")["subject"].apply(set)
    assert both["given"] == both["retuned"]  # by the names that the study knows
    assert set(found.strategies.query("pool == 'retuned'")["strategy"]) == {thinker, "random"}
    shutil.rmtree(tmp_path / "study" / "runs" / "2p-always@retuned")
    again = arbosim.study(output=tmp_path / "study", resume=True, jobs=2)
    assert again.digest == found.digest
    assert again.disagreements.equals(found.disagreements)
