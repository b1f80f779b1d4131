"""Studies from Python: play them and load them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arbosim.core import files
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted
from arbosim.studies import config, folder
from arbosim.studies.plan import StudyPlan, plan
from arbosim.studies.play import Playing, begin, go_on
from arbosim.studies.problems import Problems
from arbosim.studies.study import Study


def study(
    asked: str | Path | Mapping[str, Any] | None = None,
    *,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[int], None] | None = None,
    **settings: Any,
) -> Study:
    """Play a study: the same deals under a base rule set and variants of it.

    Parameters
    ----------
    asked : path or mapping, optional
        A TOML file, or the same keys in a mapping; docs/study.md describes them.
    output : path, optional
        The study folder to write; without it the rows stay in memory.
    resume : bool
        Go on with the study that lies in the output folder, if there is one; it must be this study.
    progress : callable
        Is told after each chunk how many games were finished.
    **settings
        Keys of a study, as in ``deals=500`` or ``sweep={"hand_size": [5, 6]}``; they win over what is asked.

    Raises
    ------
    UserError
        Everything that is wrong with the settings; nothing has been played or written.
    KeyboardInterrupt
        After Ctrl-C; what is done lies in the output folder, if there is one.
    """
    playing = prepare(asked, settings, output=output, resume=resume)
    for prepared in playing.prepared:
        notice = prepared.notice()
        if notice:
            print(notice, file=sys.stderr)  # noqa: T201
        prepared.compile(lambda _name: None)
    if not playing.execute(progress):
        raise KeyboardInterrupt(
            "what was played is kept" if playing.folder else "nothing is kept without output"
        )
    found = Study(playing.manifest, playing.folder, playing.results)
    if found.manifest.errors:
        guilty = [record.name for record in found.runs if record.errors]
        what = counted(found.manifest.errors, "game")
        warnings.warn(f"forfeited: {what}; study.run({guilty[0]!r}).errors tells why", stacklevel=2)
    return found


def load_study(path: str | Path) -> Study:
    """Open a study folder, finished or not."""
    place = Path(path)
    return Study(folder.load(place), place)


def prepare(
    asked: str | Path | Mapping[str, Any] | None,
    given: Mapping[str, Any],
    *,
    output: str | Path | None = None,
    resume: bool = False,
    flags: bool = False,
    command: str = "",
) -> Playing:
    """Check everything about a study, new or begun before.

    Parameters
    ----------
    asked : path or mapping, optional
        A TOML file, the study.json of another study, or the same keys in a mapping. A study that goes on needs none.
    given : mapping
        Settings that win over these.
    flags : bool
        Whether they came as flags of a command line; messages name them so.
    command : str
        The command line, if there is one.
    """
    problems = Problems()
    output = files.given(output, "--output" if flags else "output")
    there = _to_resume(output) if resume else None
    if asked is None and there is not None and not any(given.get(key) for key in config.MAKE_VARIANTS):
        table: Mapping[str, Any] = _kept(there)
        source = str(there / folder.FILE)
    else:
        table, source = _table(asked)
    settings = config.settings(given, table, problems, source=source, flags=flags)
    where = output if output is not None else settings.output
    if there is not None:
        return go_on(plan(settings, problems), there)
    planned = plan(settings, problems)
    if source and Path(source).name == folder.FILE:
        _check_same(Path(source), planned)
    return begin(planned, None if where is None else Path(where), command)


def _to_resume(output: str | Path | None) -> Path | None:
    if output is None:
        raise UserError("names a study folder, so it needs output", where="resume")
    path = Path(output)
    return path if (path / folder.FILE).exists() else None


def _check_same(source: Path, planned: StudyPlan) -> None:
    """Refuse to play a study again from its record with strategies or rules that have changed meanwhile."""
    reasons = folder.changes(folder.load(source.parent), folder.StudyManifest.of(planned))
    if reasons:
        raise UserError(f"cannot play {str(source)!r} again, which has " + "; ".join(reasons))


def _kept(there: Path) -> dict[str, Any]:
    """Return the settings of a study that goes on."""
    old = folder.load(there)
    in_memory = [record.spec for record in old.strategies if not record.location]
    if in_memory:
        raise UserError(
            f"{str(there)!r} has a strategy that was a Python object and cannot be found: {in_memory[0]}"
        )
    return old.settings


def _table(asked: str | Path | Mapping[str, Any] | None) -> tuple[Mapping[str, Any], str]:
    """Return the settings that are asked for, and the file that they come from."""
    if asked is None or isinstance(asked, Mapping):
        return asked or {}, ""
    path = Path(asked)
    if path.name == folder.FILE:
        return folder.load(path.parent).settings, str(path)
    return config.load(path), str(path)
