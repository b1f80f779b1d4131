"""Calling a hook from the engine, and compiling it."""

from __future__ import annotations

from typing import Any

from numba import types

from arbosim.core.hook import Hook
from arbosim.core.jit import EntryPoint, kernel
from arbosim.games.arboretum.buffers import HIDDEN_RECORD, TABLE_RECORD
from arbosim.games.arboretum.deciders import compile_or_tell
from arbosim.games.arboretum.progress import EVENT, FINE, MEASURED_WRONG, MEASURING
from arbosim.games.arboretum.shadows import bytes_changed, keep_bytes, keep_table, table_changed

HOOK = types.void(
    types.int64, types.int64, types.int64, TABLE_RECORD, HIDDEN_RECORD, types.Array(types.float64, 2, "C")
)


@kernel
def watch(hook, event, seat, action, table, hidden, out, strict, guard):
    """Call a hook, and say whether it left the records alone, which is looked at in strict games.

    Parameters
    ----------
    guard : tuple
        Bytes of the table and their shadow, bytes of the hidden record and their shadow, and the progress array.
    """
    table_bytes, table_shadow, hidden_bytes, hidden_shadow, progress = guard
    progress[EVENT] = MEASURING
    if strict:
        keep_table(table, table_bytes, table_shadow)
        keep_bytes(hidden_bytes, hidden_shadow)
    hook(event, seat, action, table, hidden, out)
    if strict and (
        table_changed(table, table_bytes, table_shadow) or bytes_changed(hidden_bytes, hidden_shadow)
    ):
        progress[EVENT] = MEASURED_WRONG
        return False
    progress[EVENT] = FINE
    return True


_points: dict[Any, EntryPoint] = {}


def caller(hook: Hook) -> EntryPoint:
    """Return what the engine calls for a hook."""
    if hook.entry not in _points:
        _points[hook.entry] = EntryPoint(hook.entry, lambda: HOOK)
    return _points[hook.entry]


def compiled(hook: Hook) -> Any:
    """Return the compiled function of a hook; a UserError if it cannot be compiled."""
    return compile_or_tell(caller(hook), hook.entry, f"the metric {', '.join(hook.names)}")
