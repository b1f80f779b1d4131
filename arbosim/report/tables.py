"""Small tables that are whole and formatted wherever they are shown, and plain frames to compute with."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import pandas as pd

from arbosim.core.columns import Column

FORMATS = {
    "0 to 1": "{:.4f}",
    "-1 to 1": "{:+.4f}",
    "points": "{:.2f}",
    "Elo": "{:+.0f}",
    "games": "{:,}",
    "deals": "{:,}",
}
"""How the numbers of a unit are written."""
MISSING = "-"
MOST_ROWS = 60
"""Rows that are shown of a longer table, half of them from its end."""


class Table(pd.DataFrame):
    """A frame that prints all its columns, nothing cut off, and that a notebook shows as a styled table.

    So do its `head` and `tail`; whatever else is computed from it is a plain frame. Its attribute ``units`` has the
    units of its columns by name.
    """

    @classmethod
    def of(cls, frame: pd.DataFrame, columns: Sequence[Column]) -> Table:
        """Return a frame, whose columns are described, as a table with the same attributes."""
        table = cls(frame)
        table.attrs = {**frame.attrs, "units": {column.name: column.unit for column in columns}}
        return table

    @property
    def _constructor(self) -> Callable[..., pd.DataFrame]:
        return pd.DataFrame

    def __repr__(self) -> str:
        width = shutil.get_terminal_size((100, 24)).columns
        formats = {name: _writer(unit) for name, unit in self.attrs.get("units", {}).items()}
        return self.to_string(
            formatters={name: write for name, write in formats.items() if write},
            max_rows=MOST_ROWS,
            line_width=width,
            na_rep=MISSING,
        )

    def _repr_html_(self) -> str:
        return html_table(self)

    def head(self, n: int = 5) -> Table:  # type: ignore[misc]  # pandas calls it final
        """Return the first rows."""
        return self._again(super().head(n))

    def tail(self, n: int = 5) -> Table:  # type: ignore[misc]
        """Return the last rows."""
        return self._again(super().tail(n))

    def _again(self, rows: pd.DataFrame) -> Table:
        table = Table(rows)
        table.attrs = dict(self.attrs)
        return table


def html_table(frame: pd.DataFrame) -> str:
    """Return a frame as an HTML table: numbers by their units, everything escaped, no style sheet needed.

    A column ``win_share`` has bars. A matrix, whose rows and columns are named alike, is tinted from blue, low, to
    yellow, high; the tint grows lighter with the number, so that grey print keeps the order.
    """
    formats = {name: _writer(unit) for name, unit in frame.attrs.get("units", {}).items()}
    is_matrix = list(frame.index) == list(frame.columns)
    names = [frame.index.name or "", *frame.columns]
    head = "".join(f'<th scope="col" style="{_CELL}">{escape(str(name))}</th>' for name in names)
    shown = (
        frame if len(frame) <= MOST_ROWS else frame.iloc[[*range(MOST_ROWS // 2), *range(-MOST_ROWS // 2, 0)]]
    )
    rows = []
    for label, *values in shown.itertuples(name=None):
        cells = [f'<th scope="row" style="{_CELL}">{escape(str(label))}</th>']
        for name, value in zip(frame.columns, values, strict=True):
            number = not isinstance(value, str)
            text = (formats.get(name) or _plain)(value)
            look = _CELL + ("text-align:right;" if number else "text-align:left;overflow-wrap:anywhere;")
            if number and not pd.isna(value):
                look += (
                    _tint(float(value)) if is_matrix else _bar(float(value)) if name == "win_share" else ""
                )
            cells.append(f'<td style="{look}">{escape(text)}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    left_out = len(frame) - len(shown)
    note = f"<p><small>{left_out:,} rows in the middle are left out</small></p>" if left_out else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{note}"


_CELL = "padding:.2em .6em;"


def _writer(unit: str) -> Callable[[Any], str] | None:
    form = FORMATS.get(unit)
    if form is None:
        return None
    return lambda value: MISSING if pd.isna(value) else form.format(value)


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return MISSING if pd.isna(value) else f"{value:.4g}" if isinstance(value, float) else str(value)


def _bar(share: float) -> str:
    return f"background:linear-gradient(90deg,rgba(0,114,178,.3) {100 * share:.1f}%,transparent {100 * share:.1f}%);"


def _tint(share: float) -> str:
    """Return a colour on the way from dark blue to pale yellow, and one for letters on it."""
    low, high = (0, 48, 110), (253, 234, 120)
    mixed = [round(a + (b - a) * min(1.0, max(0.0, share))) for a, b in zip(low, high, strict=True)]
    return (
        f"background:rgb({mixed[0]},{mixed[1]},{mixed[2]});color:{'#ffffff' if share < 0.5 else '#000000'};"
    )
