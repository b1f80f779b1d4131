"""The page about a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arbosim.core.arguments import shown
from arbosim.core.errors import UserError
from arbosim.report import estimates, html, sections
from arbosim.report.replays import replays

if TYPE_CHECKING:
    from arbosim.results import Results


def write(
    results: Results, path: str | Path | None = None, games: Sequence[str] = (), *, overwrite: bool = False
) -> Path:
    """Write the page about a run and return where it lies.

    Parameters
    ----------
    games : sequence of str
        Games to show besides those that are chosen, each as in ``"3-120-1"``.

    Raises
    ------
    UserError
        The run has not a game that is asked for, or the file cannot be written; nothing has been written then.
    """

    def make() -> html.Page:
        if isinstance(games, str) or not isinstance(games, Sequence):
            raise UserError(f"must be a list of games, as in ['3-120-1'], not {shown(games)}", where="games")
        for game in games:
            results.check_game(game)
        return page(results, games)

    return html.save(make, path, results.folder, overwrite=overwrite)


def page(results: Results, games: Sequence[str] = ()) -> html.Page:
    """Return the page about a run."""
    replayed = replays(results, games)
    state = results.manifest
    name = results.folder.resolve().name if results.folder else ", ".join(state.specs[:3])
    return html.Page(
        title=f"{results.title}: {name}",
        summary=sections.summary(results),
        sections={
            "run": ("What was run", sections.what(results)),
            "standings": ("Standings", sections.standings(results)),
            "matrix": ("Who finishes above whom", sections.matrix(results)),
            "ratings": ("Ratings", estimates.rated(results)),
            "seats": ("Seats", estimates.seats(results)),
            "meta": ("Meta-game", estimates.meta(results)),
            "distributions": ("Distributions", estimates.spread(results)),
            "luck": ("Luck and skill", estimates.luck(results)),
            "games": ("Games to look at", replayed.section),
            "errors": ("Errors", sections.errors(results)),
        },
        data=replayed.data,
    )
