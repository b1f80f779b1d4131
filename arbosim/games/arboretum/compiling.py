"""What games of some strategies need compiled, by what people call it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arbosim.core.game import ENGINE
from arbosim.core.jit import EntryPoint
from arbosim.core.measures import METRICS, Measures
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum import advice, deciders, hooks, seating
from arbosim.games.arboretum.buffers import step
from arbosim.games.arboretum.engine import engine
from arbosim.games.arboretum.view import ENTRY_POINTS


def uncompiled(
    entrants: Sequence[Entrant], measures: Measures | None = METRICS, advisers: Sequence[Entrant] = ()
) -> list[str]:
    """Return the parts that the next games would have to compile first; see `arbosim.core.game.Game.uncompiled`."""
    return [
        name
        for name, points in _parts(entrants, measures, advisers).items()
        if not all(point.is_ready for point in points)
    ]


def compile_all(
    entrants: Sequence[Entrant],
    tell: Callable[[str], None],
    measures: Measures | None = METRICS,
    advisers: Sequence[Entrant] = (),
) -> None:
    """Compile or load everything that games of these strategies need."""
    waiting = set(uncompiled(entrants, measures, advisers))
    if measures is not None and measures.hook is not None:
        hooks.compiled(measures.hook)
    for found, group in ((deciders.compiled, entrants), (advice.compiled, advisers)):
        for entrant in group:
            if entrant.strategy.name in waiting:
                tell(entrant.strategy.name)
            found(entrant.strategy)
    for name, points in _parts(entrants, measures, advisers).items():
        if name == ENGINE and name in waiting:
            tell(name)
        for point in points:
            _ = point.compiled


def _parts(
    entrants: Sequence[Entrant], measures: Measures | None, advisers: Sequence[Entrant]
) -> dict[str, tuple[EntryPoint, ...]]:
    """The compiled parts of games between these strategies, by what people call them."""
    parts: dict[str, tuple[EntryPoint, ...]] = {
        ENGINE: seating.PARTS if measures is None else (engine(measures), step)
    }
    hook = None if measures is None else measures.hook
    if hook is not None:
        parts[", ".join(hook.names)] = (hooks.caller(hook),)
    for entrant in entrants:
        plain = ENTRY_POINTS if entrant.strategy.kind == "python" else ()
        parts[entrant.strategy.name] = (deciders.decider(entrant.strategy), *plain)
    for adviser in advisers:
        name = adviser.strategy.name
        parts[name] = (*parts.get(name, ()), advice.appraiser(adviser.strategy))
    return parts
