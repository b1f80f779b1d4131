from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arbosim
from arbosim.cli.main import main
from arbosim.core.errors import UserError
from arbosim.games.arboretum.cards import LETTERS, MAX_VALUE, SPECIES, Card, as_card, card_of_code, parse_card

pytestmark = pytest.mark.jitoff

any_card = st.builds(Card, st.sampled_from(LETTERS), st.integers(1, MAX_VALUE))


def test_r1_species_in_the_order_of_scoring() -> None:
    names = [species.name for species in SPECIES[:10]]
    assert names == sorted(names)
    assert LETTERS == "CDJLGMOVRWAB"
    assert names[6] == "oak"
    assert names[8] == "royal poinciana"


def test_r1_the_2018_edition_renames_three_species() -> None:
    renamed = {species.name: species.name_2018 for species in SPECIES if species.name != species.name_2018}
    assert renamed == {"lilac": "blue spruce", "magnolia": "cherry blossom", "olive": "tulip poplar"}


def test_r1a_two_spare_letters() -> None:
    assert [(species.letter, species.name) for species in SPECIES[10:]] == [("A", "ash"), ("B", "birch")]


@given(any_card)
def test_text_and_code_round_trip(card: Card) -> None:
    assert parse_card(str(card)) == card
    assert as_card(card) == as_card(str(card)) == card
    assert card_of_code(card.code) == card
    assert 0 < card.code < 256


def test_cards_are_texts_codes_and_words() -> None:
    assert str(Card("J", 4)) == "J4"
    assert Card("J", 4).code == 2 * 16 + 4
    assert Card("R", 10).name == "royal poinciana 10"
    assert repr(Card("J", 4)) == "Card('J4')"


@pytest.mark.parametrize(
    "given", ["", "J", "4", "J0", "J04", "j4", "J4 ", "JJ4", "J-1", "J4.0", "J٤", "J4\n"]
)
def test_text_that_is_no_card_is_shown_in_the_error(given: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_card(given, "hands[0][1]")
    assert repr(given) in str(caught.value)
    assert '"J4"' in str(caught.value)
    assert str(caught.value).startswith("hands[0][1]: ")


def test_unknown_species_and_value_name_what_is_accepted() -> None:
    with pytest.raises(UserError, match=r"unknown species 'Z'.*J jacaranda"):
        parse_card("Z4")
    with pytest.raises(UserError, match="values are 1 to 10"):
        parse_card("J11")
    with pytest.raises(UserError, match="values are 1 to 10"):
        parse_card("J" + "9" * 400)


@pytest.mark.parametrize("given", [None, 4, True, 4.0, ["J", 4], {"J": 4}])
def test_what_is_no_text_is_refused(given: object) -> None:
    with pytest.raises(UserError, match="a card is text"):
        parse_card(given)


def test_species_are_listed_for_people(capsys):
    letters = arbosim.game().letters
    assert "".join(letters) == LETTERS
    rules = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    assert [
        f"| {species.letter} | {species.name} "
        for species in SPECIES
        if f"| {species.letter} | {species.name} " not in rules
    ] == []
    assert main(["rules"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert ", ".join(f"{letter} {name}" for letter, name in letters.items()) in shown


def test_every_rule_and_every_field_is_in_the_docs():
    rules = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    assert [n for n in range(1, 16) if f"**R{n}** " not in rules] == []
    assert [field.name for field in arbosim.game().rule_fields if f"`{field.name}`" not in rules] == []
