"""A game's picture as an array of pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arbosim.core.encoding import Mat, Picture, Tile

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCHES, DPI = (9.6, 7.2), 100
COLUMNS, ROWS = 2, 2
"""How many mats lie beside each other, and above each other where there are more than that."""
ROW_ROOM = 1.3
"""Height of a row of tiles with its heading, in sides of a tile."""
ROW_SIDE = 0.07
"""Side of a tile in a row, in widths of a mat: twelve and the heading have room."""


def pixels(picture: Picture) -> np.ndarray:
    """Draw a picture: uint8[720, 960, 3] of red, green and blue, the top row first."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**matplotlib.rcParamsDefault, "backend": "agg"}):
        figure = Figure(figsize=INCHES, dpi=DPI)
        canvas = FigureCanvasAgg(figure)
        figure.suptitle(picture.title, fontsize=13)
        rows = 1 if len(picture.mats) <= COLUMNS else ROWS
        for number, mat in enumerate(picture.mats):
            row, column = divmod(number, COLUMNS)
            height = 0.93 / rows
            place = (0.01 + column * 0.5, 0.93 - (row + 1) * height + 0.01, 0.48, height - 0.02)
            _draw(figure.add_axes(place), mat)
        canvas.draw()  # type: ignore[no-untyped-call]
        return np.asarray(canvas.buffer_rgba())[..., :3].copy()  # type: ignore[no-untyped-call]


def _draw(ax: Axes, mat: Mat) -> None:
    """Draw a mat: its title above, what is laid in the middle as large as there is room, the rows below."""
    box = ax.get_window_extent()
    tall = box.height / box.width
    ax.set(xlim=(0, 1), ylim=(0, tall), xticks=[], yticks=[])
    ax.set_facecolor("#f4f1ea")
    ax.text(0.5, tall - 0.045, mat.title, ha="center", va="center", fontsize=11, fontweight="bold")
    below = 0.0
    for heading, tiles in reversed(mat.rows):
        _row(ax, heading, tiles, below + ROW_SIDE * ROW_ROOM / 2)
        below += ROW_SIDE * ROW_ROOM
    if not mat.laid:
        return
    xs, ys = [x for x, _ in mat.laid], [y for _, y in mat.laid]
    width, height = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    room = tall - 0.09 - below
    side = min(0.11, 0.98 / width, room / height)
    left, bottom = 0.5 - side * width / 2, below + (room - side * height) / 2
    for (x, y), tile in mat.laid.items():
        _tile(ax, tile, left + (x - min(xs) + 0.5) * side, bottom + (y - min(ys) + 0.5) * side, side)


def _row(ax: Axes, heading: str, tiles: tuple[Tile, ...], y: float) -> None:
    ax.text(0.01, y, heading, va="center", fontsize=8, color="#555555")
    start = 0.15
    step = min(ROW_SIDE, (1 - start) / max(1, len(tiles)))
    for number, tile in enumerate(tiles):
        _tile(ax, tile, start + (number + 0.5) * step, y, step)


def _tile(ax: Axes, tile: Tile, x: float, y: float, side: float) -> None:
    from matplotlib.patches import Rectangle

    drawn = 0.9 * side
    corner = (x - drawn / 2, y - drawn / 2)
    ax.add_patch(Rectangle(corner, drawn, drawn, facecolor=tile.paper, edgecolor=tile.ink, linewidth=0.8))
    points = drawn * ax.get_window_extent().width / DPI * 72 / max(2, len(tile.text)) * 1.1
    ax.text(x, y, tile.text, ha="center", va="center_baseline", fontsize=points, color=tile.ink)
