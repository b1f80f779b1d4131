"""What a study is asked to do: names of variants, and everything that is wrong at once."""

from pathlib import Path

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
        ({"variants": {"a b": {"draws": 1}, "a_b": {"draws": 3}}}, "'a_b' and 'a b' would share a folder"),
        ({"variants": {"base": {"draws": 1}}}, "so the base itself is called"),
        ({"variants": {"a/b": {"draws": 1}}}, "variant 'a/b': a variant is named by"),
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
