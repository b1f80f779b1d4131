"""What a study is asked to do: names of variants, and everything that is wrong at once."""

import re
from pathlib import Path

import numpy as np
import pytest

import arbosim
from arbosim.core.errors import UserError
from arbosim.games.arboretum.rules import effective, make_rules
from arbosim.studies.lab import prepare

PLANTED = Path(__file__).parent / "planted"
GOOD = {"strategies": ["random", "greedy"], "variants": {"off": {"eight_rule": "off"}}}


def names(**settings):
    return [
        variant.name
        for variant in prepare({"strategies": ["random", "greedy"], **settings}, {}).plan.variants
    ]


def wrong(asked=None, **settings):
    """Return the lines of the error."""
    with pytest.raises(UserError) as caught:
        prepare({**GOOD, **(asked or {}), **settings}, {})
    return str(caught.value).split("\n")


def test_variants_are_named_by_what_they_change():
    assert names(variants={"no eights": {"eight_rule": "off"}}) == ["base", "no eights"]
    assert names(sweep={"hand_size": [5, 7, 9], "draws": [1]}) == [
        "base",
        "hand_size=5",
        "hand_size=9",
        "draws=1",
    ]
    assert names(presets=["renegade2018"]) == ["base", "renegade2018"]
    assert names(factorial={"draws": [1, 2], "equal_turns": [False, True]}) == [
        "base",
        "draws=1 equal_turns=false",
        "draws=1 equal_turns=true",
        "draws=2 equal_turns=true",
    ]
    assert names(base={"draws": 1}, sweep={"draws": ["1", "2"]}) == ["base", "draws=2"]


def test_a_variant_changes_the_base_unless_it_names_a_preset():
    asked = {"a": {"draws": 1}, "b": {"preset": "standard", "draws": 1}}
    plan = prepare({**GOOD, "base": {"hand_size": 6}, "variants": asked}, {}).plan
    assert [variant.rules.hand_size for variant in plan.variants] == [6, 6, 7]
    assert plan.variants[1].changed == {"draws": 1}
    assert plan.variants[2].changed == {"hand_size": 7, "draws": 1}


def test_a_sweep_through_the_base_leaves_it_out_also_where_it_is_written_otherwise():
    assert names(sweep={"species": [5, 6, "CDJLGM", "CDJMOR"]}) == ["base", "species=5", "species=CDJMOR"]


def test_what_is_the_base_for_some_players_is_played_for_the_others():
    asked = {**GOOD, "players": [2, 3], "strategies": ["random", "greedy", "hoarder"]}
    plan = prepare({**asked, "variants": {"six": {"species": 6}}, "sweep": {"species": [7, 8]}}, {}).plan
    cells = [(count, variant.name) for count, variant in plan.cells]
    assert cells == [
        *((2, name) for name in ("base", "species=7", "species=8")),
        *((3, name) for name in ("base", "six", "species=7")),
    ]
    assert plan.notes == ("six is the base for 2 players", "species=8 is the base for 3 players")
    assert len(plan.pieces) == 6


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"variants": {"a": {"species": 6}}}, "the base and variant 'a' are the same game for 2 players"),
        ({"presets": ["standard"]}, "the base and variant 'standard' are the same game"),
        (
            {"variants": {"a": {"draws": 1}}, "sweep": {"draws": [1]}},
            "variant 'a' and variant 'draws=1' are the same game for 2 players",
        ),
        ({"sweep": {"draws": [1, 1]}}, "variant 'draws=1' is there twice"),
        (
            {"variants": {"a": {"mono_bonus": False}, "b": {"mono_bonus": False, "mono_min": 5}}},
            "variant 'a' and variant 'b' are the same game",
        ),
        ({"variants": {"base": {"draws": 1}}}, "so the base itself is called"),
        ({"variants": {"a\nb": {"draws": 1}}}, "variant 'a\\nb': a variant is named by"),
        ({"variants": {" ": {"draws": 1}}}, "variant ' ': a variant is named by"),
        ({"variants": {"a" * 101: {"draws": 1}}}, "a variant is named by at most 100 characters"),
        ({"metrics": []}, "metrics: names no metric"),
        ({"metrics": ["turns", "ban_cost"]}, "metrics: ban_cost is measured only with restricted"),
        ({"metrics": ["skill_trace"]}, "metrics: skill_trace is measured only with trace"),
        ({"players": "two"}, "players: must be a number of players, or a list of such numbers, not 'two'"),
        ({"players": True}, "players: must be a number of players, or a list of such numbers, not true"),
        ({"players": (3, 3)}, "players: must be different numbers of players, not [3, 3]"),
        ({"seed": 1.5}, "seed: must be a whole number or any text, not 1.5"),
        ({"deals": True}, "deals: must be a valid integer, not true"),
        ({"variants": {"a": {"preset": True}}}, "preset names a rule set, so it is not true"),
        ({"sweep": {"draws": "12"}}, "sweep: 'draws' needs a list"),
        ({"sweep": {"draws": range(0)}}, "sweep: 'draws' has no values"),
        ({"strategies": ["greedy", "random", "random"]}, "strategies: strategy 'random' is given twice"),
        ({"retune": {"budget": 0, "strategies": ["greedy"]}}, "retune.budget: must be greater"),
        ({"retune": {"budget": 0, "strategies": ["greedy"]}}, "'greedy' has no parameters that are tuned"),
        ({"variants": {"a": {}}}, "variant 'a': changes nothing"),
        ({"variants": {}}, "a study compares variants"),
        ({"variants": {}, "sweep": {"draws": [2]}}, "every point of the sweep is the base"),
        ({"sweep": {"draws": []}}, "sweep: 'draws' has no values"),
        ({"factorial": {}}, "factorial: must hold a field and its values"),
        ({"sweep": {"hand_sise": [5]}}, "unknown rule 'hand_sise' in sweep; did you mean 'hand_size'"),
        ({"variants": {"a": {"hand_sise": 5}}}, "unknown rule 'hand_sise'; did you mean 'hand_size'"),
        ({"base": {"hand_sise": 5}}, "base: unknown rule 'hand_sise'"),
        ({"variants": {"a": {"draws": 9}}}, "variant 'a': draws is 9; accepted: 1..4"),
        (
            {"players": [2, 4], "variants": {"a": {"hand_size": 12, "values": 4}}},
            "variant 'a' cannot be played by 4: the deal leaves no card",
        ),
        ({"players": [2, 5]}, "is for 2 to 4 players, not 5"),
        ({"players": []}, "players: must be a number of players"),
        ({"players": [3, 3]}, "players: must be different numbers"),
        ({"players": 3}, "tables of 3 need a pool of at least 3 different strategies"),
        ({"strategies": []}, "no strategies are given"),
        ({"strategies": ["greedi"]}, "unknown strategy 'greedi' in strategies; did you mean 'greedy'"),
        ({"strategies": ["greedy", "greedy"]}, "strategy 'greedy' is given twice"),
        ({"metrics": ["turn"]}, "unknown metric 'turn' in metrics; did you mean 'turns'"),
        ({"restricted": True}, "no strategy of the pool declares an ability"),
        ({"restricted": ["greedy"]}, "an ability is named as in balanced:discards"),
        ({"restricted": ["greedy:x"]}, "unknown ability of greedy 'x'"),
        ({"restricted": ["balanced:discards"]}, "unknown strategy of the pool 'balanced'"),
        ({"trace": 2}, "no strategy of the pool declares a budget"),
        ({"trace": 1}, "at least 2 doublings"),
        ({"retune": True}, "no strategy of the pool has parameters that are tuned"),
        ({"retune": {"budjet": 3}}, "unknown key 'budjet' in retune; did you mean 'budget'"),
        ({"retune": {"strategies": ["greedy"]}}, "'greedy' has no parameters that are tuned"),
        ({"metrics": ["score", "score"]}, "metrics: 'score' is there twice"),
        ({"deals": 0}, "deals: must be greater than or equal to 1, not 0"),
        ({"seed": -1}, "a seed is a text or a whole number"),
        ({"schedule": "gauntlet"}, "schedule: unknown value 'gauntlet'"),
        ({"variants": {"a": 3}}, "variants: must be a table of variants, each a table of fields, not 3"),
        ({"metrics": "turns"}, "metrics: must be a list of names, not 'turns'"),
        ({"restricted": "all"}, "restricted: must be true, false, or a list"),
        ({"retune": 3}, "retune: must be true, false, or a table, not 3"),
        (
            {"factorial": {"draws": [1] * 100, "values": [3] * 1000}},
            "100,001 variants; a study has 1,000 at most",
        ),
        ({"varaints": {}}, "unknown key 'varaints'; did you mean 'variants'"),
        ({"game": "arboretun"}, "unknown game 'arboretun'; did you mean 'arboretum'"),
    ],
)
def test_what_is_wrong_is_told(settings, reason):
    assert any(reason in line for line in wrong(settings)), wrong(settings)


@pytest.mark.parametrize(
    ("line", "reasons"),
    [
        ("base = 3", ["must be the name of a preset"]),
        ('base = "standart"', ["unknown preset 'standart'"]),
        ("base = { hand_sise = 6, draws = 9 }", ["unknown rule 'hand_sise'", "draws is 9"]),
        ("players = [2, 7]", ["Arboretum is for 2 to 4 players"]),
        ("seed = -1", ["a seed is"]),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_name(tmp_path, line, reasons):
    file = tmp_path / "config.toml"
    file.write_text(f'strategies = ["random"]\nschedule = "self-play"\n{line}\n[sweep]\nvalues = [7]\n')
    with pytest.raises(UserError) as caught:
        prepare(file, {})
    key = line.split()[0]
    lines = str(caught.value).split("\n")
    assert all(
        told.startswith(f"{file}, {key}: {reason}") for told, reason in zip(lines, reasons, strict=True)
    )


@pytest.mark.parametrize(
    ("table", "key", "told"),
    [
        ("[sweep]\ndraws = [1]\ndeals = 30", "sweep", "'deals'"),
        ("[sweep]\nplayers = [2, 3]", "sweep", "'players'"),
        ("[factorial]\ndraws = [1]\nseed = 3", "factorial", "'seed'"),
        ("[variants]\noff = { eight_rule = 'off' }\ndeals = 30", "variants", "'deals'"),
        ("[variants.off]\neight_rule = 'off'\ndeals = 30", "variants", "variant 'off': 'deals'"),
        ("[retune]\nbudget = 3\nmetrics = ['turns']", "retune", "'metrics'"),
        ("[base]\nplayers = 3\n[sweep]\ndraws = [1]", "base", "'players'"),
    ],
)
def test_a_key_of_the_study_below_a_table_is_told_where_it_belongs(tmp_path, table, key, told):
    file = tmp_path / "study.toml"
    file.write_text(f'strategies = ["random", "greedy"]\n{table}\n')
    with pytest.raises(UserError) as caught:
        prepare(file, {})
    lines = str(caught.value).split("\n")
    assert f"{file}, {key}: {told} is a key of the study, and belongs above the first table" in lines


def test_what_is_wrong_inside_a_table_names_file_and_key(tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(
        'strategies = ["random", "random"]\npresets = ["standart"]\n[variants]\na = { draws = 9 }\nb = {}\n'
        "c = { hand_sise = 3 }\n[sweep]\ndraws = [7]\nhand_sise = [5]\n"
    )
    with pytest.raises(UserError) as caught:
        prepare(file, {})
    lines = str(caught.value).split("\n")
    for start in (
        f"{file}, strategies: strategy 'random' is given twice",
        f"unknown preset 'standart' in {file}, presets",
        f"{file}, variants: variant 'a': draws is 9",
        f"{file}, variants: variant 'b': changes nothing",
        f"{file}, variants: variant 'c': unknown rule 'hand_sise'",
        f"{file}, sweep: draws is 7",
        f"unknown rule 'hand_sise' in {file}, sweep",
    ):
        assert any(line.startswith(start) for line in lines), (start, lines)


def test_wrong_players_are_told_alone():
    [line] = wrong(players=[5], variants={}, sweep={"draws": [1]})
    assert "2 to 4 players, not 5" in line


@pytest.mark.parametrize("values", [range(1, 4), (1, 2, 3), np.arange(1, 4), [np.int64(1), 3]])
def test_any_sequence_of_python_is_swept(values):
    for key in ("sweep", "factorial"):
        assert names(**{key: {"draws": values}}) == ["base", "draws=1", "draws=3"]


def test_any_name_that_can_be_printed_has_a_folder_of_its_own():
    asked = [
        "no 8/1",
        "no 8_1",
        "none (2018)",
        "none, equal turns",
        "größer",
        "A",
        "a",
        "Base",
        "..",
        "x" * 100,
    ]
    values = [(draws, hand) for draws in (1, 3, 4) for hand in (5, 6, 8, 9)]
    variants = {
        name: {"draws": draws, "hand_size": hand} for name, (draws, hand) in zip(asked, values, strict=False)
    }
    plan = prepare({**GOOD, "variants": variants}, {}).plan
    assert [each.name for each in plan.variants] == ["base", *asked]
    folders = [each.folder for each in plan.variants]
    assert folders[0] == "base"
    assert len({folder.lower() for folder in folders}) == len(folders)
    assert all(re.fullmatch(r"[A-Za-z0-9_.=+-]{1,110}", folder) for folder in folders)
    assert [
        each.folder for each in prepare({**GOOD, "variants": {"a b": {"draws": 1}}}, {}).plan.variants
    ] == [
        "base",
        "a_b",
    ]


def test_rules_of_the_command_line_are_told_with_its_flags():
    with pytest.raises(UserError, match=r"^--rules or --set: unknown rule 'hand_sise'"):
        prepare(GOOD, {"base": {"hand_sise": 6}}, flags=True)


def test_an_ability_is_banned_whether_it_is_on_or_off_in_the_pool():
    thinker = str(PLANTED / "thinker.py")
    pool = {**GOOD, "strategies": [thinker, "random"]}
    pairs = {
        f"{thinker}:lowest": (thinker, f"{thinker}:lowest=off"),
        f"{thinker}:piles": (f"{thinker}:piles=on", thinker),
    }
    for asked in (True, list(pairs)):
        playing = prepare({**pool, "restricted": asked}, {})
        assert {duel.subject: (duel.first.spec, duel.second.spec) for duel in playing.plan.duels} == pairs
        [note] = playing.manifest.notes
        assert note.startswith(f"{thinker}:piles is off in the pool")
    again = {**pool, "strategies": [thinker, f"{thinker}:lowest=off", "random"]}
    playing = prepare({**again, "restricted": True}, {})
    found = [(duel.first.spec, duel.second.spec) for duel in playing.plan.duels]
    assert sorted(found) == sorted(
        [*pairs.values(), (f"{thinker}:lowest=off:piles=on", f"{thinker}:lowest=off")]
    )
    assert sum("is the same as" in note for note in playing.manifest.notes) == 1
    same = [f"{thinker}:lowest", f"{thinker}:lowest=off:lowest"]
    assert any("is the same as" in line for line in wrong(again, restricted=same))
    assert any("is there twice" in line for line in wrong(again, restricted=same[:1] * 2))


def test_what_tables_and_budgets_do_not_allow_is_told():
    thinker = str(PLANTED / "thinker.py")
    pool = {"strategies": [thinker, "random"]}
    assert any(
        "2 others of the pool, and there are 1" in line
        for line in wrong(pool, players=4, schedule="self-play", restricted=True)
    )
    assert any("cannot double looks=1 7 times" in line for line in wrong(pool, trace=7))


def test_all_of_it_is_told_at_once():
    lines = wrong(
        strategies=["greedi", "random"],
        players=[2, 7],
        sweep={"hand_sise": [5], "draws": [9]},
        variants={"a": {"specie": 1}, "b": {"hand_size": 12, "values": 2}},
        presets=["standart"],
        metrics=["turn"],
        deals=0,
        varaints=1,
    )
    reasons = ("greedi", "not 7", "hand_sise", "draws is 9", "rule 'specie'", "'b' cannot be")
    for reason in (*reasons, "standart", "'turn'", "deals: must", "varaints"):
        assert sum(reason in line for line in lines) == 1, reason


def test_nothing_is_written_where_something_is_wrong(tmp_path):
    with pytest.raises(UserError):
        arbosim.study(GOOD, metrics=["nothing"], output=tmp_path / "study")
    assert list(tmp_path.iterdir()) == []


def test_idle_fields_make_no_other_game():
    def same(*changes, players=2):
        return len({str(effective(make_rules(None, each), players)) for each in changes}) == 1

    assert same({}, {"species": 6}, {"species": "CDJLGM"})
    assert not same({}, {"species": 6}, players=3)
    assert not same({}, {"species": "CDJMOR"})
    assert same({"right": "always"}, {"right": "always", "eight_rule": "off", "tied_right": "nobody"})
    assert not same({}, {"eight_rule": "off"})
    assert not same({}, {"tied_right": "nobody"})
    assert same(*({"min_path": 4, "mono_min": cards} for cards in (2, 3, 4)))
    assert not same({"min_path": 3}, {"min_path": 3, "mono_min": 3})


IDLE = [
    ({"min_path": 4}, {"mono_min": 2}, 2),
    ({"draws": 1}, {"discard_memory": "top_only"}, 3),
    ({"draws": 1, "start_discard": "none", "extra_card": "all"}, {"discard_memory": "top_only"}, 2),
    ({"draws": 1, "start_discard": "none"}, {"equal_turns": True}, 2),
]


@pytest.mark.parametrize(("rules", "idle", "players"), IDLE)
def test_rule_sets_that_are_said_to_be_one_game_play_alike(rules, idle, players):
    both = [{**rules, **more} for more in ({}, idle)]
    first, second = (effective(make_rules(None, each), players) for each in both)
    assert first == second
    one, other = (
        arbosim.run(["greedy", "hoarder", "random"], players=players, deals=40, rules=each, jobs=1).digest
        for each in both
    )
    assert one == other


@pytest.mark.parametrize(
    ("rules", "told", "players"),
    [
        ({"min_path": 3}, {"mono_min": 3}, 2),
        ({"draws": 1, "extra_card": "all"}, {"discard_memory": "top_only"}, 2),
        ({"draws": 1}, {"equal_turns": True}, 2),
        ({"draws": 1, "start_discard": "none", "hand_size": 6}, {"equal_turns": True}, 3),
        ({"draws": 1, "start_discard": "none", "values": 7, "species": 7}, {"equal_turns": True}, 2),
    ],
)
def test_rule_sets_that_may_differ_are_two_games(rules, told, players):
    first, second = (effective(make_rules(None, {**rules, **more}), players) for more in ({}, told))
    assert first != second
