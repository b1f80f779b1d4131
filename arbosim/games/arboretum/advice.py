"""What a strategy expects of an action, asked with copies of what one seat sees."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numba import types

from arbosim.core.errors import UserError, told
from arbosim.core.jit import EntryPoint
from arbosim.core.strategy import Entrant, Strategy
from arbosim.games.arboretum.buffers import SEAT_RECORD, TABLE_RECORD, Buffers
from arbosim.games.arboretum.deciders import compile_or_tell
from arbosim.games.arboretum.plain import is_from_user
from arbosim.games.arboretum.state import NO_TABLES, SEAT

OWN = ("seat", "phase", "hand_count", "hand", "params", "memory")
"""The fields of a seat's record that advice leaves alone; its dice are copies, all others are scratch."""

_appraisers: dict[Any, EntryPoint] = {}


def appraiser(strategy: Strategy) -> EntryPoint:
    """Return the compiled way to what a strategy expects; a UserError if it advises nobody."""
    if strategy.appraise is None:
        raise UserError(f"strategy {strategy.name!r} does not say what it expects of an action")
    function = getattr(
        strategy.appraise, "py_func", strategy.appraise
    )  # a helper is compiled into an entry of its own
    if function not in _appraisers:
        _appraisers[function] = EntryPoint(
            function, lambda: types.float64(TABLE_RECORD, SEAT_RECORD, types.int64)
        )
    return _appraisers[function]


def compiled(strategy: Strategy) -> Any:
    """Return the compiled function; a UserError if it cannot be compiled."""
    return compile_or_tell(
        appraiser(strategy), appraiser(strategy).function, f"the advice of strategy {strategy.name!r}"
    )


def expected(
    buffers: Buffers, seat: int, adviser: Entrant, codes: Sequence[int], *, strict: bool = False
) -> Iterator[float]:
    """Yield what an adviser on a seat expects of each action, asked with the same copies and without memory each time.

    Parameters
    ----------
    codes : sequence of int
        Legal actions of the seat, as the engine's numbers.
    strict : bool
        A UserError tells if the copies are changed, but for dice and scratch.
    """
    appraise = compiled(adviser.strategy)
    record = np.zeros(1, SEAT)
    for name in ("seat", "hand_count", "hand", "rng"):
        record[name] = buffers.seats[seat][name]
    record["phase"] = buffers.tables[0]["phase"]
    record["params"][0][: len(adviser.values)] = adviser.values
    record["tables_of"] = NO_TABLES
    record["tabled"] = NO_TABLES
    for code in codes:
        tables, own = buffers.tables.copy(), record.copy()
        try:
            value = float(appraise(tables[0], own[0], code))
        except (Exception, SystemExit, GeneratorExit, KeyboardInterrupt) as error:
            if isinstance(error, KeyboardInterrupt) and is_from_user():
                raise
            raise UserError(f"{adviser.spec} failed to advise: {told(error)}") from error
        if not math.isfinite(value):
            raise UserError(f"{adviser.spec} failed to advise: it expects {value} points")
        if strict and tables.tobytes() != buffers.tables.tobytes():
            raise UserError(f"{adviser.spec} failed to advise: it changed the table, which is for reading")
        for name in OWN if strict else ():
            if not np.array_equal(own[name], record[name]):
                raise UserError(
                    f"{adviser.spec} failed to advise: it changed its own {name.replace('_', ' ')}"
                )
        yield value
