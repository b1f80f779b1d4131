"""A run as one page: an HTML file that asks nobody for anything and opens from disk."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from arbosim.core.arguments import shown
from arbosim.core.errors import UserError
from arbosim.report import estimates, sections
from arbosim.report.markup import Markup, data, element, joined, text
from arbosim.report.replays import replays

if TYPE_CHECKING:
    from arbosim.results import Results

FILE = "report.html"
GENERATOR = "arbosim report"
"""By this a file is known as a report of ours, which another one may replace."""


def write(
    results: Results, path: str | Path | None = None, games: Sequence[str] = (), *, overwrite: bool = False
) -> Path:
    """Write the page about a run and return where it lies.

    Raises
    ------
    UserError
        The run has not a game that is asked for, or the file cannot be written; nothing has been written then.
    """
    target = _target(results, path, overwrite)
    if isinstance(games, str) or not isinstance(games, Sequence):
        raise UserError(f"must be a list of games, as in ['3-120-1'], not {shown(games)}", where="games")
    for game in games:
        results.check_game(game)
    written = page(results, games)
    temporary = target.with_name(f".tmp-{target.name}")
    try:
        temporary.write_text(written, encoding="utf-8")
        temporary.replace(target)
    except OSError as error:
        raise UserError(f"{str(target)!r} cannot be written: {error.strerror}", where="output") from error
    return target


def _target(results: Results, path: str | Path | None, overwrite: bool) -> Path:
    if path is None and results.folder is None:
        raise UserError("these results lie in memory, so the report needs a path")
    target = results.folder / FILE if path is None and results.folder else Path(str(path))
    if target.is_dir():
        raise UserError(f"{str(target)!r} is a folder, not a file", where="output")
    if not target.absolute().parent.is_dir():
        raise UserError(f"there is no folder {str(target.parent)!r}", where="output")
    if target.exists() and not overwrite and not _is_report(target):
        raise UserError(
            f"{str(target)!r} is there already and is no report; --force replaces it", where="output"
        )
    return target


def _is_report(path: Path) -> bool:
    with path.open(encoding="utf-8", errors="replace") as file:
        return f'<meta name="generator" content="{GENERATOR}' in file.read(4096)


def page(results: Results, games: Sequence[str] = ()) -> str:
    """Return the page about a run.

    Parameters
    ----------
    games : sequence of str
        Games to show besides those that are chosen, each as in ``"3-120-1"``.
    """
    state = results.manifest
    shown = replays(results, games)
    parts: dict[str, tuple[str, Markup]] = {
        "run": ("What was run", sections.what(results)),
        "standings": ("Standings", sections.standings(results)),
        "matrix": ("Who finishes above whom", sections.matrix(results)),
        "ratings": ("Ratings", estimates.rated(results)),
        "seats": ("Seats", estimates.seats(results)),
        "meta": ("Meta-game", estimates.meta(results)),
        "distributions": ("Distributions", estimates.spread(results)),
        "luck": ("Luck and skill", estimates.luck(results)),
        "games": ("Games to look at", shown.section),
        "errors": ("Errors", sections.errors(results)),
    }
    name = results.folder.resolve().name if results.folder else ", ".join(state.specs[:3])
    script = _asset("page.js")
    return Template(_asset("page.html")).substitute(
        policy=_policy(script),
        generator=f"{GENERATOR} {version('arbosim')}",
        title=text(f"{results.title}: {name}"),
        heading=text(f"{results.title}: {name}"),
        style=_asset("page.css"),
        summary=sections.summary(results),
        contents=joined(
            element("li", element("a", title, href=f"#{key}")) for key, (title, _) in parts.items()
        ),
        sections=joined(
            element(
                "section",
                element("h2", title, id=f"{key}-title"),
                inside,
                id=key,
                aria_labelledby=f"{key}-title",
            )
            for key, (title, inside) in parts.items()
        ),
        footer=text(f"Made by arbosim {version('arbosim')}."),
        data=data(shown.data),
        script=script,
    )


def _policy(script: str) -> str:
    """Return a content security policy: no request to anywhere, and no script but the one of the page."""
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _asset(name: str) -> str:
    return (files("arbosim.report") / "assets" / name).read_text(encoding="utf-8")
