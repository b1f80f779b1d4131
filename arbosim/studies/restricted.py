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
    """Return the duels of strategies with and without an ability, and what is left out.

    Parameters
    ----------
    asked : bool or sequence of str
        True for every ability that is declared and on; otherwise some, each as in ``balanced:discards``.
    """
    if asked is False:
        return [], []
    declared = [(entrant, name) for entrant in pool for name in abilities(entrant)]
    if asked is True:
        if not declared:
            problems.add("no strategy of the pool declares an ability that can be switched off", where)
        on = [(entrant, name) for entrant, name in declared if entrant.settings[name]]
        skipped = [
            f"{_subject(entrant, name)} is off already, so it cannot be banned"
            for entrant, name in declared
            if not entrant.settings[name]
        ]
        if declared and not on:
            problems.add("; ".join(skipped), where)
        return [_duel(entrant, name) for entrant, name in on], skipped
    found = []
    for text in asked:
        with problems.noted(where):
            found.append(_named(text, pool, game, where))
    subjects = [duel.subject for duel in found]
    for subject in dict.fromkeys(subjects):
        if subjects.count(subject) > 1:
            problems.add(UserError(f"{subject!r} is there twice", where=where))
    return found, []


def abilities(entrant: Entrant) -> list[str]:
    """Return the names of a strategy's abilities."""
    return [parameter.name for parameter in entrant.strategy.parameters if parameter.ability]


def _named(text: str, pool: Sequence[Entrant], game: str, where: str) -> Duel:
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
    if not entrant.settings[ability]:
        raise UserError(f"{text!r} is off already, so it cannot be banned", where=where)
    return _duel(entrant, ability)


def _duel(entrant: Entrant, ability: str) -> Duel:
    subject = _subject(entrant, ability)
    name = f"without-{entrant.strategy.name}-{ability}"
    return Duel("ban", subject, name, entrant, altered(entrant, **{ability: False}))


def _subject(entrant: Entrant, ability: str) -> str:
    return f"{entrant.spec}:{ability}"
