"""Restricted play: what it costs a strategy to do without one of its abilities (Jaffe et al., AIIDE 2012)."""

from __future__ import annotations

from collections.abc import Sequence

from arbosim.core.errors import UserError, unknown
from arbosim.core.registry import resolve
from arbosim.core.strategy import Entrant
from arbosim.studies.pieces import Duel, altered
from arbosim.studies.problems import Problems


def duels(
    pool: Sequence[Entrant], asked: bool | Sequence[str], game: str, where: str, problems: Problems
) -> tuple[list[Duel], list[str]]:
    """Return the duels of strategies with an ability against the same without it, and what to know about them.

    Whether the ability is on or off in the pool does not matter: one of the two is in it, the other is made.

    Parameters
    ----------
    asked : bool or sequence of str
        True for every ability that is declared; otherwise some, each as in ``balanced:discards``.
    """
    if asked is False:
        return [], []
    if asked is True:
        found = [(entrant, name) for entrant in pool for name in abilities(entrant)]
        if not found:
            problems.add("no strategy of the pool declares an ability that can be switched off", where)
    else:
        found = []
        for text in asked:
            with problems.noted(where):
                found.append(_named(text, pool, game, where))
    duels: dict[tuple[str, str], Duel] = {}
    notes: list[str] = []
    for entrant, name in found:
        duel = _duel(entrant, name)
        known = duels.setdefault((duel.first.spec, duel.second.spec), duel)
        if known is not duel:
            same = "is there twice" if known.subject == duel.subject else f"is the same as {known.subject}"
            if asked is not True:
                problems.add(UserError(f"{duel.subject!r} {same}", where=where))
            notes.append(f"{duel.subject} {same}")
        elif not entrant.settings[name]:
            notes.append(f"{duel.subject} is off in the pool; its cost is what {duel.first.spec} wins more")
    return list(duels.values()), notes


def abilities(entrant: Entrant) -> list[str]:
    """Return the names of a strategy's abilities."""
    return [parameter.name for parameter in entrant.strategy.parameters if parameter.ability]


def _named(text: str, pool: Sequence[Entrant], game: str, where: str) -> tuple[Entrant, str]:
    who, colon, ability = text.rpartition(":")
    if not colon:
        raise UserError(f"an ability is named as in balanced:discards, not {text!r}", where=where)
    specs = {entrant.spec: entrant for entrant in pool}
    if who not in specs:
        known = resolve(who, game, where).spec  # perhaps written otherwise than its canonical spec
        if known not in specs:
            raise unknown("strategy of the pool", who, specs, where)
        who = known
    entrant = specs[who]
    if ability not in abilities(entrant):
        raise unknown(f"ability of {who}", ability, abilities(entrant), where)
    return entrant, ability


def _duel(entrant: Entrant, ability: str) -> Duel:
    is_on = bool(entrant.settings[ability])
    other = altered(entrant, **{ability: not is_on})
    having, lacking = (entrant, other) if is_on else (other, entrant)
    name = f"without-{entrant.strategy.name}-{ability}"
    return Duel("ban", f"{entrant.spec}:{ability}", name, having, lacking)
