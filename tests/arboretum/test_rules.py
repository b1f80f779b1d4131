import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from arbosim.core.errors import UserError
from arbosim.games.arboretum.rules import PRESET_MEANINGS, PRESETS, Rules, accepted, check, make_rules

pytestmark = pytest.mark.jitoff


def test_defaults_are_the_standard_game() -> None:
    rules = Rules()
    assert rules == PRESETS["standard"] == make_rules() == make_rules("standard", {})
    assert (rules.values, rules.hand_size, rules.draws, rules.start_discard) == (8, 7, 2, "all_but_first")


def test_r4_the_2018_preset_has_no_starting_discard() -> None:
    assert PRESETS["renegade2018"] == Rules(start_discard="none")
    assert set(PRESET_MEANINGS) == set(PRESETS)


def test_a_rule_set_is_frozen() -> None:
    with pytest.raises(ValidationError):
        Rules().hand_size = 6  # type: ignore[misc]


@pytest.mark.parametrize("name", Rules.model_fields)
def test_every_field_says_what_it_means_and_accepts(name: str) -> None:
    description = Rules.model_fields[name].description or ""
    assert description.endswith(".")
    assert accepted(name)


def test_text_stands_for_values() -> None:
    rules = make_rules(None, {"hand_size": "6", "mono_bonus": "false", "right": "always", "species": "JO"})
    assert rules == Rules(hand_size=6, mono_bonus=False, right="always", species="JO")
    assert make_rules(None, {"species": "7"}).species == 7
    assert make_rules(None, {"species": "none"}).species is None


def test_text_does_not_stand_for_values_in_json() -> None:
    with pytest.raises(UserError, match="hand_size is '6'"):
        make_rules(None, {"hand_size": "6"}, text=False)


@pytest.mark.parametrize("given", [True, 6.0, "six", None, [6], 10**300, float("nan"), -1, 0, "9" * 5000])
def test_a_number_is_a_whole_number_within_its_bounds(given: object) -> None:
    with pytest.raises(UserError, match=r"hand_size is .*; accepted: 1\.\.12"):
        make_rules(None, {"hand_size": given})


SENSELESS_SPECIES = [0, 13, "", [], "JJ", ["J", "J"], "JX", ["JO"], [1], True, 6.5, {"J": 1}, "j", -(10**30)]


@pytest.mark.parametrize("given", SENSELESS_SPECIES)
def test_r1a_senseless_species_are_refused(given: object) -> None:
    with pytest.raises(UserError, match="species: "):
        make_rules(None, {"species": given})


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize("given", [None, "none", "None"])
def test_r1a_species_by_the_number_of_players_have_the_same_names_everywhere(
    given: object, text: bool
) -> None:
    assert make_rules(None, {"species": given}, text=text).species is None


@pytest.mark.parametrize(
    ("field", "given", "meant"),
    [
        ("eight_rule", "cancel", "one_cancels"),
        ("right", "most_card", "most_cards"),
        ("mono_bonus", "fals", "false"),
        ("species", "cdj", "CDJ"),
        ("species", ["c", "D"], "CD"),
    ],
)
def test_the_nearest_value_is_offered(field: str, given: object, meant: str) -> None:
    with pytest.raises(UserError, match=f"did you mean '{meant}'"):
        make_rules(None, {field: given})


def test_r1a_species_are_a_count_or_letters() -> None:
    assert make_rules(None, {"species": 3}).species_codes(4) == (0, 1, 2)
    assert make_rules(None, {"species": "OC"}).species_codes(2) == (0, 6)
    assert make_rules(None, {"species": ["B", "A"]}).species_codes(2) == (10, 11)
    assert make_rules(None, {"species": "OC"}) == make_rules(None, {"species": ["C", "O"]})


def test_all_errors_come_at_once_with_the_nearest_names() -> None:
    with pytest.raises(UserError) as caught:
        make_rules(None, {"hand_siz": 6, "values": 99, "equal_turns": "maybe"}, where="--set")
    text = str(caught.value)
    assert "unknown rule 'hand_siz'; did you mean 'hand_size'" in text
    assert "values is 99; accepted: 2..10" in text
    assert "equal_turns is 'maybe'; accepted: true, false" in text
    assert text.startswith("--set: ")


def test_unknown_preset_names_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'standard'"):
        make_rules("standart")


@pytest.mark.parametrize(("players", "species", "cards"), [(2, 6, 48), (3, 8, 64), (4, 10, 80)])
def test_r2_cards_by_number_of_players(players: int, species: int, cards: int) -> None:
    assert len(Rules().species_codes(players)) == species
    codes = Rules().card_codes(players)
    assert len(set(codes)) == len(codes) == cards
    check(Rules(), players)


@pytest.mark.parametrize("players", [1, 5, 0, -2, True, 2.0, "2", None])
def test_only_two_to_four_play(players: object) -> None:
    with pytest.raises(UserError, match="2 to 4 players"):
        check(Rules(), players)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "players", "reason"),
    [
        ({"species": 1, "values": 10}, 2, "no card in the deck"),
        ({"species": 2}, 2, None),  # 16 cards, 15 dealt
        ({"species": 2, "extra_card": "first"}, 2, "no card in the deck"),
        ({"species": 2, "start_discard": "all"}, 2, "no card in the deck"),
        ({"hand_size": 12}, 4, None),
        ({"min_path": 9}, 2, "no path could ever score"),
        ({"min_path": 8}, 2, None),
        ({"mono_min": 9}, 2, "no path could ever earn the bonus"),
        ({"mono_min": 9, "mono_bonus": False}, 2, None),
        ({"values": 3}, 2, None),
        ({"values": 2, "species": 12}, 2, None),
    ],
)
def test_senseless_combinations_are_refused_with_the_reason(
    changes: dict[str, object], players: int, reason: str | None
) -> None:
    rules = make_rules(None, changes)
    if reason is None:
        check(rules, players)
    else:
        with pytest.raises(UserError, match=reason):
            check(rules, players)


field_values: dict[str, st.SearchStrategy[object]] = {
    "species": st.none() | st.integers(1, 12) | st.sampled_from(["J", "CO", "AB"]),
    "values": st.integers(2, 10),
    "draws": st.integers(1, 4),
    "extra_card": st.sampled_from(["none", "first", "all_but_first", "all"]),
    "mono_bonus": st.booleans(),
    "top_bonus": st.integers(0, 5),
}


@given(st.fixed_dictionaries({}, optional=field_values))
def test_canonical_text_round_trips(changes: dict[str, object]) -> None:
    rules = make_rules(None, changes)
    again = make_rules(None, json.loads(rules.canonical()), text=False)
    assert again == rules
    assert again.digest() == rules.digest()
    assert (rules == Rules()) == (rules.digest() == Rules().digest())


anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text())


@given(st.dictionaries(st.text() | st.sampled_from(list(Rules.model_fields)), anything), st.booleans())
def test_nonsense_is_always_a_user_error(changes: dict[str, object], text: bool) -> None:
    try:
        make_rules(None, changes, text=text)
    except UserError:
        return
    assert set(changes) <= set(Rules.model_fields)
