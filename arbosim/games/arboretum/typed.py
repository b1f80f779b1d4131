"""What a person types in place of an action: read with every refusal in words, and the nearest thing that can be."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase

from arbosim.core.arguments import shown
from arbosim.core.errors import UserError, nearest
from arbosim.core.game import NotUnderstoodError
from arbosim.games.arboretum.actions import Action, Cell
from arbosim.games.arboretum.cards import SPECIES, Card
from arbosim.games.arboretum.position import Position

_VERBS = {"draw": "draw", "take": "draw", "play": "play", "lay": "play", "discard": "discard"}
_FILLERS = frozenset(("the", "card", "from", "of", "at", "on", "to", "pile", "seat"))
_ARTICLES = re.compile(r"^(the |card |a (?=[a-z]))+")
_CARD = re.compile(r"([a-z]+) ?([0-9]{1,9})")
_SEAT = re.compile(r"[ps]? ?([0-9]{1,9})")
_CELL = re.compile(r"(?P<x>-?[0-9]{1,9}) (?P<y>-?[0-9]{1,9})(?= |$)|(?P<label>[a-z]+)(?= |$)")
ASKED = {"draw": "draw a card", "play": "lay a card", "discard": "discard a card"}
"""By phase, what is asked for."""


def labels(cells: Sequence[Cell]) -> dict[Cell, str]:
    """Return a short name for every cell: a to z, then aa, bb and so on, none of which looks like a card."""
    size = len(ascii_lowercase)
    return {cell: ascii_lowercase[i % size] * (1 + i // size) for i, cell in enumerate(cells)}


def read_action(
    position: Position, names: Sequence[str], listed: Sequence[Sequence[Action]], text: str
) -> Action:
    """Return the legal action of the current seat that a text stands for, or raise a UserError.

    Parameters
    ----------
    names : sequence of str
        The players by seat, by which their discard piles may be named.
    listed : sequence of sequences of actions
        What was printed last with numbers, from 1: the actions of each line, which are as good as one another.
    """
    words = re.sub(r"'s\b", " ", text.lower())
    words = " ".join(re.sub(r"[,;:.()\[\]'\"]", " ", words).split())
    if re.fullmatch(r"[0-9]{1,9}", words):
        return _numbered(position, listed, int(words))
    first, _, rest = words.partition(" ")
    if first in _VERBS:
        if _VERBS[first] != position.phase:
            raise UserError(f"you are to {ASKED[position.phase]} now, not to {ASKED[_VERBS[first]]}")
        words = rest
    if position.phase == "draw":
        return _read_draw(position, names, words, text)
    card, where = _read_card(position, words, text)
    if position.phase == "discard":
        if where:
            raise UserError(f"{shown(text)} says more than a card to discard, such as {card}")
        return ("discard", card)
    return ("play", card, *_read_cell(position, card, listed, where, text))


def _numbered(position: Position, listed: Sequence[Sequence[Action]], number: int) -> Action:
    if 1 <= number <= len(listed):
        return listed[number - 1][0]
    if listed:
        raise UserError(f"there is no number {number} in the list; it has 1 to {len(listed)}")
    raise UserError(f"no list was printed here; {_accepted(position)}, or ? for a list")


def _read_draw(position: Position, names: Sequence[str], words: str, text: str) -> Action:
    seat = position.current
    words = _without(words, {*_FILLERS, "a"})
    if words in ("deck", "d"):
        return _draw(position, "deck")
    if words in ("mine", "m", "my", "own", "my own"):
        return _draw(position, seat)
    found = _SEAT.fullmatch(words)
    if found is not None:
        return _draw(position, int(found[1]))
    tops = {pile[-1]: p for p, pile in enumerate(position.discards) if pile}
    if _CARD.fullmatch(words):
        card = _card(words, text)
        if card in tops:
            return _draw(position, tops[card])
        raise UserError(f"{card} lies on no discard pile; {_accepted(position)}")
    named = [p for p, name in enumerate(names) if name.lower() == words]
    if len(named) == 1:
        return _draw(position, named[0])
    near = nearest(words, ["deck", "mine", *names], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ";"
    raise NotUnderstoodError(f"{shown(text)} is no place to draw from{hint} {_accepted(position)}")


def _draw(position: Position, source: str | int) -> Action:
    if source in position.sources:
        return ("draw", source)
    if source == "deck":
        raise UserError(f"the deck is used up; {_accepted(position)}")
    if source not in range(position.players):
        raise UserError(
            f"there is no seat {source}, seats are 0 to {position.players - 1}; {_accepted(position)}"
        )
    whose = "your discard pile" if source == position.current else f"the discard pile of seat {source}"
    raise UserError(f"{whose} is empty; {_accepted(position)}")


def _read_card(position: Position, words: str, text: str) -> tuple[Card, str]:
    """Return the hand card that a text begins with, and the rest of the text."""
    words = _ARTICLES.sub("", words)
    found = _CARD.match(words)
    if found is None:
        raise NotUnderstoodError(f"{shown(text)} begins with no card; {_accepted(position)}")
    card = _card(found[0], text)
    hand = position.hands[position.current]
    if card not in hand:
        like = [held for held in hand if held.species == card.species] or [
            held for held in hand if held.value == card.value
        ]
        near = min(like, key=lambda held: abs(held.value - card.value), default=None)
        hint = f"; did you mean {near}?" if near else "."
        held = " ".join(map(str, hand))
        raise UserError(f"you do not hold {card}{hint} Your hand: {held}")
    return card, _without(words[found.end() :], _FILLERS)


def _card(words: str, text: str) -> Card:
    """Return the card of a letter, or of the beginning of a name, and a value."""
    found = _CARD.fullmatch(words)
    name, value = (found[1], int(found[2])) if found else (words, 0)
    species = [
        each.letter
        for each in SPECIES
        if name == each.letter.lower()
        or (len(name) > 1 and (each.name.startswith(name) or each.name_2018.startswith(name)))
    ]
    if len(species) != 1:
        known = ", ".join(f"{each.letter} {each.name}" for each in SPECIES)
        what = "is no species" if not species else f"may be {' or '.join(species)}"
        raise UserError(f"{shown(name)} in {shown(text)} {what}; species are {known}")
    return Card(species[0], value)


def _read_cell(
    position: Position, card: Card, listed: Sequence[Sequence[Action]], where: str, text: str
) -> Cell:
    cells = labels(position.open_cells)
    is_first = not position.arboretums[position.current]
    if is_first and where in ("", "a", "0 0"):
        return (0, 0)
    if is_first:
        raise UserError(f"the first card needs no cell: it lies on (0, 0); type {card}")
    open_cells = _in_words(cells)
    if not where:
        raise UserError(f"where is {card} to lie? Open cells: {open_cells}; type it as in {card} a")
    named = _named_cells(where, cells)
    if not named:
        raise UserError(f"{shown(where)} in {shown(text)} is no open cell; open cells: {open_cells}")
    if len(named) > 1:
        alike = [[(x, y) for _, _, x, y in line] for line in listed if line[0][:2] == ("play", card)]
        if set(named) in map(set, alike):
            return named[0]
        raise UserError(f"{shown(text)} names more than one cell; open cells: {open_cells}")
    x, y = named[0]
    if (x, y) in cells:
        return x, y
    lies = position.arboretums[position.current].get((x, y))
    what = f"{lies} lies on ({x}, {y})" if lies else f"({x}, {y}) is not next to a card"
    near = min(cells, key=lambda cell: abs(cell[0] - x) + abs(cell[1] - y))
    raise UserError(f"{what}; the nearest open cell is {cells[near]} {near}. Open cells: {open_cells}")


def _named_cells(where: str, cells: Mapping[Cell, str]) -> list[Cell]:
    """Return the cells that a text names by labels or coordinates, each once; none if some of it is neither."""
    labelled = {label: cell for cell, label in cells.items()}
    named, at = [], 0
    while at < len(where):
        found = _CELL.match(where, at)
        cell = None
        if found is not None:
            label = found["label"]
            cell = labelled.get(label) if label else (int(found["x"]), int(found["y"]))
        if found is None or cell is None:
            return []
        named.append(cell)
        at = found.end() + 1
    return list(dict.fromkeys(named))


def _accepted(position: Position) -> str:
    """Say what can be typed here."""
    if position.phase == "draw":
        seat = position.current
        named = {"deck": "deck", seat: "mine"}
        sources = [named.get(source, f"pile {source}") for source in position.sources]
        return f"type {_or(sources)}"
    card = position.hands[position.current][0]
    if position.phase == "play" and position.arboretums[position.current]:
        return f"type a card and a cell, such as {card} a"
    return f"type a card of your hand, such as {card}"


def _in_words(cells: Mapping[Cell, str]) -> str:
    return ", ".join(f"{label} ({x}, {y})" for (x, y), label in cells.items())


def _without(words: str, fillers: Collection[str]) -> str:
    """Leave out small words; an article is none where it may be the label of a cell."""
    return " ".join(word for word in words.split() if word not in fillers)


def _or(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
