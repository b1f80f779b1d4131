"""Species and cards: letters and names for people, small whole numbers for kernels."""

from __future__ import annotations

import re
import reprlib
from typing import NamedTuple

from arbosim.core.errors import UserError


class Species(NamedTuple):
    """One species: its letter and its names in the two editions."""

    letter: str
    name: str
    name_2018: str


# R1: the 2015 edition's order of scoring; R1a: the last two are spare, for larger variants.
SPECIES: tuple[Species, ...] = (
    Species("C", "cassia", "cassia"),
    Species("D", "dogwood", "dogwood"),
    Species("J", "jacaranda", "jacaranda"),
    Species("L", "lilac", "blue spruce"),
    Species("G", "magnolia", "cherry blossom"),
    Species("M", "maple", "maple"),
    Species("O", "oak", "oak"),
    Species("V", "olive", "tulip poplar"),
    Species("R", "royal poinciana", "royal poinciana"),
    Species("W", "willow", "willow"),
    Species("A", "ash", "ash"),
    Species("B", "birch", "birch"),
)
LETTERS = "".join(species.letter for species in SPECIES)
MAX_VALUE = 10

_CARD = re.compile(r"([A-Z])([1-9][0-9]*)", re.ASCII)


class Card(NamedTuple):
    """A card as people name it: a species letter and a value; ``str(Card("J", 4))`` is ``"J4"``."""

    species: str
    value: int

    def __str__(self) -> str:
        return f"{self.species}{self.value}"

    def __repr__(self) -> str:
        return f"Card('{self}')"

    @property
    def code(self) -> int:
        """The number that stands for the card in kernels: 16 times the species, plus the value."""
        return LETTERS.index(self.species) * 16 + self.value

    @property
    def name(self) -> str:
        """The card in words, as in ``"jacaranda 4"``."""
        return f"{SPECIES[LETTERS.index(self.species)].name} {self.value}"


def parse_card(text: object, where: str = "") -> Card:
    """Read a card such as ``"J4"``; a UserError says what was given and what is accepted."""
    if not isinstance(text, str):
        raise UserError(f'a card is text such as "J4", not {shown(text)}', where=where)
    match = _CARD.fullmatch(text)
    if match is None:
        raise UserError(
            f'{shown(text)} is no card; a card is a letter and a value, such as "J4"', where=where
        )
    letter, digits = match.groups()
    if letter not in LETTERS:
        known = ", ".join(f"{species.letter} {species.name}" for species in SPECIES)
        raise UserError(f"unknown species {letter!r} in card {shown(text)}; species are {known}", where=where)
    if len(digits) > 2 or int(digits) > MAX_VALUE:
        raise UserError(f"card {shown(text)} has no such value; values are 1 to {MAX_VALUE}", where=where)
    return Card(letter, int(digits))


def as_card(given: Card | str, where: str = "") -> Card:
    """Accept a card, a pair of letter and value, or text such as ``"J4"``."""
    if isinstance(given, tuple) and len(given) == 2:
        return parse_card(f"{given[0]}{given[1]}", where)
    return parse_card(given, where)


def card_of_code(code: int) -> Card:
    """Give the card that a kernel's number stands for."""
    return Card(LETTERS[int(code) >> 4], int(code) & 15)


def shown(value: object) -> str:
    """Write a value that was given, briefly, for an error text."""
    return reprlib.repr(value)
