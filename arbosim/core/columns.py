"""How a column of any result table is described, in one place for those who write and those who read it."""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA_VERSION = 5
"""Rises with every change of the run folder or of a documented table."""
LEAN_VERSION = 1
"""Run folders of this version have lean rows and do not say so; all since then are read."""


@dataclass(frozen=True)
class Column:
    """One documented column: its numpy dtype, the unit of its numbers, and what it means."""

    name: str
    dtype: str
    unit: str
    meaning: str
