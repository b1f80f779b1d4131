"""Actions as people write them, and as the numbers that kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arbosim.core.errors import UserError
from arbosim.games.arboretum.cards import Card, as_card, card_of_code, shown
from arbosim.games.arboretum.state import CENTRE, DECK, DISCARD_ACTION, GRID, PLAY_ACTION, WIDTH

Cell = tuple[int, int]
"""A cell as (x, y), seen from the first card of its arboretum, which lies on (0, 0)."""
Action = tuple[Any, ...]
"""("draw", "deck" or a seat), ("play", Card, x, y), ("discard", Card), or ("number", code) for what is none."""


def cell_of_code(code: int) -> Cell:
    """Return a cell as (x, y) for its number on the grid."""
    return int(code) % WIDTH - CENTRE % WIDTH, int(code) // WIDTH - CENTRE // WIDTH


def code_of_cell(cell: Cell) -> int:
    """Return the number on the grid of a cell (x, y); -1 if it lies outside."""
    x, y = cell
    column, row = x + CENTRE % WIDTH, y + CENTRE // WIDTH
    return row * WIDTH + column if 0 <= column < WIDTH and 0 <= row < WIDTH else -1


def draw_code(source: str | int) -> int:
    """Return the number of a draw from "deck" or from the pile of a seat."""
    return DECK if isinstance(source, str) else int(source)


def play_code(card: Card, cell: Cell) -> int:
    """Return the number of laying a card on a cell; a cell outside the grid gives one that is never legal."""
    code = code_of_cell(cell)
    return PLAY_ACTION | card.code << 16 | (code if code >= 0 else GRID)


def discard_code(card: Card) -> int:
    """Return the number of a discard."""
    return DISCARD_ACTION | card.code


def is_action(code: int) -> bool:
    """Whether a number is the number of some action, legal or not."""
    if 0 <= code <= DECK:
        return True
    card = code >> 16 & 0xFF if code >> 24 == 1 else code & 0xFF if code >> 8 == 1 else 0
    return 1 <= card & 15 <= 10 and card >> 4 < 12


def as_action(given: Sequence[Any], where: str = "") -> Action:
    """Give an action in its one form, or a UserError that says what an action looks like."""
    parts = tuple(given) if isinstance(given, list | tuple) else ()
    name = parts[0] if parts else None
    if name == "draw" and len(parts) == 2 and (parts[1] == "deck" or _is_whole(parts[1])):
        return ("draw", parts[1] if parts[1] == "deck" else int(parts[1]))
    if name == "play" and len(parts) == 3 and isinstance(parts[2], tuple) and len(parts[2]) == 2:
        parts = (*parts[:2], *parts[2])
    if name == "play" and len(parts) == 4 and _is_whole(parts[2]) and _is_whole(parts[3]):
        return ("play", as_card(parts[1], where), int(parts[2]), int(parts[3]))
    if name == "discard" and len(parts) == 2:
        return ("discard", as_card(parts[1], where))
    raise UserError(
        f'{shown(given)} is no action; actions are ["draw", "deck" or a seat], ["play", card, x, y] '
        'and ["discard", card]',
        where=where,
    )


def code_of_action(action: Action, origin: Cell = (0, 0)) -> int:
    """Return the number of an action whose cells have the first card at `origin`; -1 where it can have none."""
    kind, *what = action
    if kind == "draw":
        # a seat that is none must not turn into the number of the deck
        return draw_code(what[0]) if what[0] == "deck" or 0 <= what[0] < DECK else -1
    if kind == "play":
        return play_code(what[0], (what[1] - origin[0], what[2] - origin[1]))
    return discard_code(what[0])


def action_of_code(code: int) -> Action:
    """Return the action that a number stands for, legal or not; ("number", code) if it is none."""
    if not is_action(code):
        return ("number", code)
    if code >> 24 == 1:
        return ("play", card_of_code(code >> 16 & 0xFF), *cell_of_code(code & 0xFFFF))
    if code >> 8 == 1:
        return ("discard", card_of_code(code & 0xFF))
    return ("draw", "deck" if code == DECK else int(code))


def describe(code: int) -> str:
    """Return an action in words, or the number if it is none."""
    kind, *what = action_of_code(code)
    if kind == "number":
        return f"{code} is no action"
    if kind == "draw":
        return "draw from the deck" if what[0] == "deck" else f"draw from the pile of seat {what[0]}"
    if kind == "play":
        return f"play {what[0]} on ({what[1]}, {what[2]})"
    return f"discard {what[0]}"


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
