"""The page about a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arbosim.report import html
from arbosim.report.study import changes, facts, findings, players
from arbosim.report.study.found import BAN_COST, SKILL_TRACE, Found
from arbosim.report.study.rows import RETUNED

if TYPE_CHECKING:
    from arbosim.studies.study import Study


def write(study: Study, path: str | Path | None = None, *, overwrite: bool = False) -> Path:
    """Write the page about a study and return where it lies.

    Raises
    ------
    UserError
        The file cannot be written; nothing has been written then.
    """
    return html.save(lambda: page(study), path, study.folder, overwrite=overwrite)


def page(study: Study) -> html.Page:
    """Return the page about a study; sections about what it did not look into are left out."""
    found = Found(study)
    sections = {
        "answer": ("Question and answer in brief", findings.brief(found)),
        "varied": ("What was varied", facts.varied(found)),
        "effects": ("Effects", changes.figures(found)),
        "table": ("Metrics by variants", changes.tables(found)),
        "meta": ("Meta-game", players.meta(found)),
    }
    if BAN_COST in found.metrics:
        sections["restricted"] = ("Restricted play", players.restricted(found))
    if SKILL_TRACE in found.metrics:
        sections["trace"] = ("Skill trace", players.trace(found))
    if any(row.pool == RETUNED for row in found.effects):
        sections["retuned"] = ("Re-tuned players", players.retuned(found))
    sections["metrics"] = ("Metrics explained", facts.explained(found))
    sections["runs"] = ("To play it again", facts.again(found))
    name = study.title or (study.folder.resolve().name if study.folder else "a study")
    return html.Page(f"{study.game.title}: {name}", facts.summary(found), sections)
