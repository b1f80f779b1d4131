"""Actions as people write them, and as the numbers that kernels read."""

from __future__ import annotations

from typing import Any

from arbosim.games.arboretum.cards import Card, card_of_code
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
