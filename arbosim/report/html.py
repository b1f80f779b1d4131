"""The shell of every page: one HTML file that asks nobody for anything and opens from disk."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template

from arbosim.core.errors import UserError
from arbosim.report.markup import Markup, data, element, joined, text

FILE = "report.html"
GENERATOR = "arbosim report"
"""By this a file is known as a report of ours, which another one may replace."""


@dataclass(frozen=True)
class Page:
    """What stands in a page.

    Parameters
    ----------
    title : str
    summary : Markup
        What stands below the title.
    sections : mapping of str to (str, Markup)
        By the id on the page: heading and contents, in their order.
    data : object
        What the script reads: the games to step through, by name.
    """

    title: str
    summary: Markup
    sections: Mapping[str, tuple[str, Markup]]
    data: object = None

    def html(self) -> str:
        """Return the page as the text of a file."""
        script = _asset("page.js")
        return Template(_asset("page.html")).substitute(
            policy=_policy(script),
            generator=f"{GENERATOR} {version('arbosim')}",
            title=text(self.title),
            heading=text(self.title),
            style=_asset("page.css"),
            summary=self.summary,
            contents=joined(
                element("li", element("a", title, href=f"#{key}"))
                for key, (title, _) in self.sections.items()
            ),
            sections=joined(
                element(
                    "section",
                    element("h2", title, id=f"{key}-title"),
                    inside,
                    id=key,
                    aria_labelledby=f"{key}-title",
                )
                for key, (title, inside) in self.sections.items()
            ),
            footer=text(f"Made by arbosim {version('arbosim')}."),
            data=data(self.data),
            script=script,
        )


def save(
    make: Callable[[], Page], path: str | Path | None, folder: Path | None, *, overwrite: bool = False
) -> Path:
    """Write a page and return where it lies.

    Parameters
    ----------
    make : callable
        Makes the page, after it is clear that it can be written.
    path : path, optional
        FILE in the folder if it is missing.
    folder : Path or None
        The folder that the page is about; None if it is about something in memory.
    overwrite : bool
        Whether it may replace a file that is no report.

    Raises
    ------
    UserError
        The file cannot be written; nothing has been written then.
    """
    target = _target(path, folder, overwrite)
    written = make().html()
    temporary = target.with_name(f".tmp-{target.name}")
    try:
        temporary.write_text(written, encoding="utf-8", errors="backslashreplace")
        temporary.replace(target)
    except OSError as error:
        raise UserError(f"{str(target)!r} cannot be written: {error.strerror}", where="output") from error
    finally:
        temporary.unlink(missing_ok=True)
    return target


def _target(path: str | Path | None, folder: Path | None, overwrite: bool) -> Path:
    if path is None and folder is None:
        raise UserError("these results lie in memory, so the report needs a path")
    target = folder / FILE if path is None and folder else Path(str(path))
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
