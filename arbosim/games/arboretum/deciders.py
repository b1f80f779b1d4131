"""What the engine calls for each strategy, and compiling it."""

from __future__ import annotations

from typing import Any

import numba
from numba import types

from arbosim.core.errors import UserError
from arbosim.core.jit import JIT, EntryPoint
from arbosim.core.strategy import Strategy
from arbosim.games.arboretum.buffers import SEAT_RECORD, TABLE_RECORD
from arbosim.games.arboretum.plain import ask_plain

DECIDE = types.int64(TABLE_RECORD, SEAT_RECORD)

_ask = EntryPoint(ask_plain, lambda: DECIDE)
_deciders: dict[Any, EntryPoint] = {}


def decider(strategy: Strategy) -> EntryPoint:
    """Return what the engine calls for a strategy: its own compiled function, or the way to its Python class."""
    if strategy.kind == "python":
        return _ask
    if strategy.entry not in _deciders:
        _deciders[strategy.entry] = EntryPoint(strategy.entry, lambda: DECIDE)
    return _deciders[strategy.entry]


def compiled(strategy: Strategy) -> Any:
    """Return the compiled decide function of a strategy; a UserError if numba refuses it."""
    try:
        found = decider(strategy).compiled
    except numba.core.errors.NumbaError as error:
        raise UserError(f"strategy {strategy.name!r} cannot be compiled: {_reason(error)}") from error
    if JIT and found.nopython_signatures[0].return_type != types.int64:
        raise UserError(f"strategy {strategy.name!r} cannot be compiled: it never returns an action")
    return found


def _reason(error: Exception) -> str:
    """The lines of a numba error that say what is wrong and where."""
    lines = [line.strip() for line in str(error).splitlines()]
    kept = [
        line
        for line in lines
        if line and not line.startswith(("During:", "Failed in", "- Resolution", "This"))
    ]
    return "\n  ".join(kept[:8])
