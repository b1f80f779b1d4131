"""What the engine calls for each strategy, and compiling it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import numba
from numba import types

from arbosim.core.errors import UserError, nearest
from arbosim.core.jit import JIT, EntryPoint
from arbosim.core.strategy import Strategy
from arbosim.games.arboretum.buffers import SEAT_RECORD, TABLE_RECORD
from arbosim.games.arboretum.plain import ask_plain

DECIDE = types.int64(TABLE_RECORD, SEAT_RECORD)

_NOISE = ("Failed in", "- Resolution", "This", "Enable logging")
"""How lines of numba's messages begin that help nobody."""

_RECORD = re.compile(r"Record\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
"""The type of a record with all its fields, which takes 1,500 characters."""

_REFUSED = re.compile(
    r"No implementation of function Function\(.*?(\w+)(?: at \w+)?>?\) .*\n\s*>>> .*?\((.*)\)$", re.MULTILINE
)
"""A call with arguments of types that it does not take: what was called, and with which."""

_LITERAL = re.compile(r"Literal\[(\w+)\]\((.*?)\)")
_CODE = re.compile(r"^(.*)\n +\^", re.MULTILINE)

ASK = EntryPoint(ask_plain, lambda: DECIDE)
"""The way to strategies that are asked through Python."""
_deciders: dict[Any, EntryPoint] = {}


def decider(strategy: Strategy) -> EntryPoint:
    """Return what the engine calls for a strategy: its own compiled function, or the way through Python."""
    if strategy.kind != "compiled":
        return ASK
    entry: Any = strategy.entry
    if entry not in _deciders:
        _deciders[entry] = EntryPoint(entry, lambda: DECIDE)
    return _deciders[entry]


def compiled(strategy: Strategy) -> Any:
    """Return the compiled decide function of a strategy; a UserError if it cannot be compiled."""
    found = compile_or_tell(decider(strategy), strategy.entry, f"strategy {strategy.name!r}")
    if JIT and found.nopython_signatures[0].return_type != types.int64:
        raise UserError(f"strategy {strategy.name!r} cannot be compiled: it never returns an action")
    return found


def compile_or_tell(point: EntryPoint, entry: Any, name: str) -> Any:
    """Return a compiled function; a UserError that says what is wrong with it if it cannot be compiled."""
    try:
        return point.compiled
    except Exception as error:
        # numba answers most mistakes with errors of its own, but a misspelt name or a strange value with any other
        file = Path(inspect.getsourcefile(entry) or "").name
        what = f"{name} cannot be compiled"
        if isinstance(error, numba.core.errors.NumbaError):
            raise UserError(f"{what}: {_reason(str(error), file)}") from error
        missing = getattr(error, "name", None)
        near = (
            nearest(str(missing), dir(getattr(error, "obj", None)))
            if isinstance(error, AttributeError)
            else []
        )
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UserError(f"{what}: {type(error).__name__}: {error}{hint}") from error


def _reason(text: str, file: str) -> str:
    """The line of a compiler's message that says what is wrong, and the last place that it names in a file."""
    for record, name in ((SEAT_RECORD, "seat"), (TABLE_RECORD, "table")):
        text = text.replace(str(record), name).replace(repr(record), name)
    places = re.findall(rf'{re.escape(file)}"?[,:]? ?(?:line )?\(?(\d+)', text) if file else []
    where = f" ({file}, line {places[-1]})" if places else ""
    refused = _REFUSED.search(text)
    if refused:
        types_given = _LITERAL.sub(
            lambda found: repr(found[2]) if found[1] == "str" else found[2], refused[2]
        )
        code = [f", in `{line.strip()}`" for line in _CODE.findall(text)[-1:]]
        return _RECORD.sub("Record", f"{refused[1]} does not take ({types_given}){''.join(code)}") + where
    lines = [line.strip(" -<>!") for line in re.split(r"\n(?:During:|File )", text)[0].splitlines()]
    said = [line for line in lines if line and not line.startswith(_NOISE)]
    return _RECORD.sub("Record", "; ".join(said[:3])) + where
