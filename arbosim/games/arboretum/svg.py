"""Cards and arboretums as SVG: pure functions from what lies there to text that any page can hold.

Cards keep their own paper, so they read the same on light and on dark ground; what stands beside them takes the
colour of the text around the drawing. A species is known by its letter, a path that scores by a full line and
its arrow, one that does not by a dashed line: colour says nothing alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from arbosim.games.arboretum.cards import LETTERS, SPECIES, parse_card
from arbosim.games.arboretum.explanation import SeatScore

Cell = tuple[int, int]

INKS = {
    "C": ("#fff2a8", "#8a6d00"),
    "D": ("#fbd3ee", "#b3188a"),
    "J": ("#d9d4ff", "#4630c9"),
    "L": ("#e6d3f5", "#7d3fb0"),
    "G": ("#ffd6e0", "#c2185b"),
    "M": ("#ffc9c4", "#b3261e"),
    "O": ("#ecd9b8", "#7a4f12"),
    "V": ("#e0e6b0", "#5c6b00"),
    "R": ("#ffd9b0", "#a34a00"),
    "W": ("#c5e8c5", "#1e7a2e"),
    "A": ("#dcdcdc", "#505050"),
    "B": ("#bfeaf0", "#00707e"),
}
"""Paper and ink of each species; the ink has at least 4 times the contrast of the paper."""

SIDE = 64
"""Pixels from one cell to the next."""
CARD = 58
MARGIN = 26
"""Room for the coordinates, left and below."""
SMALL = 30
"""Height of a card in a row."""
SPREAD = 20
"""Over so many pixels the lines of several paths lie beside each other, and at most LANE apart."""
LANE = 7
OFF_CENTRE = (12, 9)
"""Where the middle line goes through a cell: beside the label of the card, and below it."""


class PathLine(NamedTuple):
    """A path to draw: its species, its cells from the lowest card on, whether it scores, and its points."""

    species: str
    cells: Sequence[Cell]
    scored: bool
    points: int = 0


def path_lines(player: SeatScore) -> list[PathLine]:
    """Return the best path of every species of a seat that has one."""
    return [
        PathLine(species, entry.path, bool(entry.scored), entry.points)
        for species, entry in player.species.items()
        if entry.path
    ]


def board_svg(
    cards: Iterable[tuple[str, int, int]],
    paths: Sequence[PathLine] = (),
    *,
    marked: Cell | None = None,
    title: str = "Arboretum",
) -> str:
    """Draw an arboretum with its coordinates, y pointing up, and its paths through it.

    Parameters
    ----------
    cards : iterable of (card, x, y)
        Cards as text, such as ``("J4", 0, -1)``.
    paths : sequence of PathLine
        Later ones lie above earlier ones.
    marked : cell, optional
        A card to point out, such as the last one laid.
    """
    board = {(x, y): card for card, x, y in cards}
    if not board:
        return _svg(2 * SIDE, SMALL, title, "No cards.", [_note(0, SMALL * 2 / 3, "no cards", "start")])
    left, right = min(x for x, _ in board), max(x for x, _ in board)
    bottom, top = min(y for _, y in board), max(y for _, y in board)

    def centre(cell: Cell) -> tuple[float, float]:
        return MARGIN + (cell[0] - left + 0.5) * SIDE, (top - cell[1] + 0.5) * SIDE

    parts = [_card_face(*centre(cell), card, cell == marked) for cell, card in board.items()]
    gap = min(LANE, SPREAD / max(1, len(paths) - 1))
    for number, path in enumerate(paths):
        shift = (number - (len(paths) - 1) / 2) * gap
        points = [(x + OFF_CENTRE[0] + shift, y + OFF_CENTRE[1] + shift) for x, y in map(centre, path.cells)]
        parts.append(_path(path, points, [board[cell] for cell in path.cells]))
    for cell, card in board.items():
        x, y = centre(cell)
        parts.append(_card_label(x - CARD / 2 + 6, y - CARD / 2 + 19, card, 18))
    columns, rows = range(left, right + 1), range(bottom, top + 1)
    width, height = MARGIN + len(columns) * SIDE, len(rows) * SIDE
    parts += [_note(centre((x, top))[0], height + 16, str(x), "middle") for x in columns]
    parts += [_note(MARGIN - 6, centre((left, y))[1] + 4, str(y), "end") for y in rows]
    return _svg(width, height + MARGIN, title, _board_in_words(board, paths), parts)


def cards_svg(cards: Sequence[str], title: str = "Cards") -> str:
    """Draw cards in a row, such as a hand, or a discard pile with its top last."""
    if not cards:
        return _svg(SIDE, SMALL, title, "None.", [_note(0, SMALL * 2 / 3, "none", "start")])
    width = 40
    parts = []
    for number, card in enumerate(cards):
        paper, ink = INKS[parse_card(card).species]
        parts.append(
            f'<rect x="{number * width + 1}" y="1" width="{width - 4}" height="{SMALL - 2}" rx="4" fill="{paper}" '
            f'stroke="{ink}"/>'
        )
        parts.append(_card_label(number * width + width / 2 - 1, 20, card, 15, "middle"))
    return _svg(width * len(cards), SMALL, title, " ".join(cards), parts)


def _svg(width: float, height: float, title: str, words: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(f"{title}: {words}")}" '
        f'width="{_number(width)}" height="{_number(height)}" viewBox="0 0 {_number(width)} {_number(height)}" '
        'style="max-width:100%;height:auto" font-family="sans-serif">'
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>{''.join(parts)}</svg>"
    )


def _card_face(x: float, y: float, card: str, marked: bool) -> str:
    paper, ink = INKS[parse_card(card).species]
    return (
        f'<rect x="{_number(x - CARD / 2)}" y="{_number(y - CARD / 2)}" width="{CARD}" height="{CARD}" rx="6" '
        f'fill="{paper}" stroke="{ink}" stroke-width="{4 if marked else 1.5}"/>'
    )


def _card_label(x: float, y: float, card: str, size: int, anchor: str = "start") -> str:
    # a seam of paper keeps the letters readable where a line passes under them
    paper, _ = INKS[parse_card(card).species]
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" font-size="{size}" font-weight="bold" text-anchor="{anchor}" '
        f'fill="#1a1a1a" stroke="{paper}" stroke-width="3" paint-order="stroke">{escape(card)}</text>'
    )


def _path(path: PathLine, points: Sequence[tuple[float, float]], cards: Sequence[str]) -> str:
    _, ink = INKS[path.species]
    line = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    (x0, y0), (x1, y1) = points[0], points[-1]
    look = 'stroke-width="4"' if path.scored else 'stroke-width="2.5" stroke-dasharray="5 5"'
    return (
        f"<g><title>{escape(_path_in_words(path, cards))}</title>"
        f'<polyline points="{line}" fill="none" stroke="#ffffff" stroke-width="6.5" stroke-linejoin="round"/>'
        f'<polyline points="{line}" fill="none" stroke="{ink}" {look} stroke-linejoin="round"/>'
        f'<circle cx="{_number(x0)}" cy="{_number(y0)}" r="4.5" fill="{ink if path.scored else "#ffffff"}" '
        f'stroke="{ink}" stroke-width="2"/>'
        f'<polygon points="{_arrow(points[-2], (x1, y1))}" fill="{ink if path.scored else "#ffffff"}" '
        f'stroke="{ink}" stroke-width="2" stroke-linejoin="round"/></g>'
    )


def _arrow(before: tuple[float, float], tip: tuple[float, float]) -> str:
    """Return the corners of a head that ends at the tip; cells of a path touch, so it points along an axis."""
    dx = (tip[0] > before[0]) - (tip[0] < before[0])
    dy = (tip[1] > before[1]) - (tip[1] < before[1])
    x, y = tip[0] + 6 * dx, tip[1] + 6 * dy
    corners = [
        (x, y),
        (x - 12 * dx - 6 * dy, y - 12 * dy - 6 * dx),
        (x - 12 * dx + 6 * dy, y - 12 * dy + 6 * dx),
    ]
    return " ".join(f"{_number(a)},{_number(b)}" for a, b in corners)


def _note(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" font-size="12" text-anchor="{anchor}" fill="currentColor" '
        f'opacity="0.7">{escape(text)}</text>'
    )


def _board_in_words(board: dict[Cell, str], paths: Sequence[PathLine]) -> str:
    rows = sorted(board, key=lambda cell: (-cell[1], cell[0]))
    cards = ", ".join(f"{board[cell]} on ({cell[0]}, {cell[1]})" for cell in rows)
    lines = [_path_in_words(path, [board[cell] for cell in path.cells]) for path in paths]
    return "; ".join([cards, *lines]) + "."


def _path_in_words(path: PathLine, cards: Sequence[str]) -> str:
    name = SPECIES[LETTERS.index(path.species)].name
    points = f", {path.points} points" if path.points else ""
    return f"{name} path {' '.join(cards)}{points}, {'scores' if path.scored else 'does not score'}"


def _number(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"{value:.1f}"
