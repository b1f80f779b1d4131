"""A table as a picture: every arboretum, hand and discard pile, as tiles for someone else to draw."""

from __future__ import annotations

from collections.abc import Sequence

from arbosim.core.encoding import Mat, Picture, Tile
from arbosim.core.numbers import counted
from arbosim.games.arboretum.cards import Card
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.svg import INKS


def picture(position: Position, names: Sequence[str]) -> Picture:
    """Return the table with everything open; names are those of the seats."""
    mats = []
    for seat, name in enumerate(names):
        board = {cell: _tile(card) for cell, card in position.arboretums[seat].items()}
        rows = (("hand", _tiles(position.hands[seat])), ("discards", _tiles(position.discards[seat])))
        is_next = not position.finished and position.current == seat
        mats.append(
            Mat(f"{name} to {position.phase}" if is_next else _standing(position, seat, name), board, rows)
        )
    turn = f"Turn {position.turn + (not position.finished)}"
    return Picture(f"{turn}, {counted(position.deck_count, 'card')} in the deck", tuple(mats))


def _standing(position: Position, seat: int, name: str) -> str:
    if not position.finished:
        return name
    score = position.score()
    total = score.players[seat].total
    points = "" if total is None else f": {counted(total, 'point')}"
    return f"{name}{points}{', wins' if seat in score.winners else ''}"


def _tile(card: Card) -> Tile:
    return Tile(str(card), *INKS[card.species])


def _tiles(cards: Sequence[Card]) -> tuple[Tile, ...]:
    return tuple(_tile(card) for card in cards)
