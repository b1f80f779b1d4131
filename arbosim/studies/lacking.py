"""Runs of a study that lack games: nothing is concluded from them, and it is said which they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from arbosim.results import Results
from arbosim.studies.folder import RunRecord, StudyManifest
from arbosim.studies.pieces import RETUNED

MOST = 6
"""Runs that a note names."""


@dataclass(frozen=True)
class Lack:
    """How many games a run has, and whether it had all of them once."""

    games: int
    wanted: int | None = None
    is_lost: bool = False

    def __str__(self) -> str:
        if not self.games and not self.is_lost:
            return "not begun"
        of_all = "" if self.wanted is None else f" of {self.wanted:,}"
        return f"{self.games:,}{of_all} games" + (", others are lost" if self.is_lost else "")


def lacking(state: StudyManifest, find: Callable[[RunRecord], Results | None]) -> dict[str, Lack]:
    """Return what runs lack, by their names; those of re-tuned players that have not begun as well.

    Parameters
    ----------
    find : callable
        Returns the results of a run, None if there are none.
    """
    found = {}
    for record in state.runs:
        lack = _lack(record, find(record))
        if lack is not None:
            found[record.name] = lack
    if state.retune is not None:
        there = {(record.players, record.variant) for record in state.runs if record.pool == RETUNED}
        found |= {
            f"{record.name}@{RETUNED}": Lack(0)
            for record in state.runs
            if record.kind == "pool" and record.pool != RETUNED
            if (record.players, record.variant) not in there
        }
    return found


def _lack(record: RunRecord, results: Results | None) -> Lack | None:
    is_lost = record.status == "finished"
    if results is None:
        return Lack(0, is_lost=is_lost)
    games, wanted = results.games_kept, results.manifest.games_wanted
    return None if is_lost and games == wanted else Lack(games, wanted, is_lost)


def whole(state: StudyManifest, lacks: Mapping[str, Lack]) -> list[RunRecord]:
    """Return the runs from which something can be concluded.

    A duel of which some run lacks games says nothing, however many doublings there are; neither does the variant whose
    run of the pool does.
    """
    unsure = {_about(record) for record in state.runs if record.name in lacks}
    pools = {about[:3] for about in unsure if about[3] == "pool"}
    return [
        record for record in state.runs if _about(record) not in unsure and _about(record)[:3] not in pools
    ]


def _about(record: RunRecord) -> tuple[int, str, str, str, str]:
    return record.players, record.pool, record.variant, record.kind, record.subject


def notes(lacks: Mapping[str, Lack], again: str) -> list[str]:
    """Return what to say about the runs that lack games.

    Parameters
    ----------
    again : str
        The command that plays them; empty if there is none.
    """
    if not lacks:
        return []
    shown = [f"{name} ({lack})" for name, lack in list(lacks.items())[:MOST]]
    more = f" and {len(lacks) - MOST:,} more" if len(lacks) > MOST else ""
    told = f"left out, because games are missing: {', '.join(shown)}{more}"
    return [told + (f"; {again} plays them" if again else "")]


def status(state: StudyManifest, lacks: Mapping[str, Lack]) -> str:
    """Return the status of a study, and what is wrong with it."""
    lost = sum(lack.is_lost for lack in lacks.values())
    return state.status + (
        f", but {lost:,} {'run has' if lost == 1 else 'runs have'} lost games" if lost else ""
    )
