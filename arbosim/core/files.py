"""Files that are there as a whole or not at all, and what a process leaves that was killed before it wrote any."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from arbosim.core.arguments import shown
from arbosim.core.errors import UserError

TEMPORARY = ".tmp-"
"""What the names of unfinished files begin with."""
LONGEST = 255 - len(TEMPORARY)
"""Bytes of a name: file systems take 255."""


def replace(path: Path, text: str) -> None:
    """Write a file; at any moment there is either the old one or the new one."""
    temporary = path.with_name(f"{TEMPORARY}{path.name}")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def is_new(folder: Path) -> bool:
    """Tell whether a folder is not there, or is empty apart from what a process left that was killed at its beginning.

    That is: unfinished files, and folders and a list of errors that hold nothing else.
    """
    return not folder.exists() or (folder.is_dir() and all(map(_is_left_over, folder.iterdir())))


def check_new(folder: Path, what: str, file: str, again: str, called: str = "") -> None:
    """Refuse a folder that holds something already, or that cannot be made.

    Parameters
    ----------
    what, again : str
        What is to lie in it, and the setting that goes on with one; for messages.
    file : str
        The file by which one is known.
    called : str
        The folder as it was given, if otherwise.
    """
    check_name(folder)
    name = called or str(folder)
    if (folder / file).exists():
        raise UserError(f"{name!r} holds a {what} already; {again} goes on with it")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{name!r} is a file, not a folder")
    if not is_new(folder):
        raise UserError(f"the folder {name!r} is not empty; a {what} needs one of its own")


def lacking(folder: Path, what: str, file: str) -> UserError:
    """Return the error for a folder that holds no run, study or the like, which is known by a file in it."""
    if folder.is_dir():
        reason = f"it has no {file}"
    elif folder.is_file() and folder.name == file:
        reason = f"it is a file; give its folder, {str(folder.parent)!r}"
    else:
        reason = "it is a file, not a folder" if folder.is_file() else "there is no such folder"
    return UserError(f"{str(folder)!r} holds no {what}: {reason}")


def given(value: object, where: str) -> str | None:
    """Return a path that may be missing as text, or raise a UserError that names where it was given."""
    if value is None:
        return None
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise UserError(f"must be a path, not {shown(value)}", where=where)
    text = str(os.fspath(value))
    check_name(Path(text), where)
    return text


def check_name(path: Path, where: str = "") -> None:
    """Refuse a path that no file system takes."""
    for part in path.parts:
        if len(os.fsencode(part)) > LONGEST:
            raise UserError(
                f"a name takes {LONGEST} bytes at most, not the {len(os.fsencode(part))} of {part[:20]!r}...",
                where=where,
            )
    try:
        os.lstat(path)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise UserError(
                f"a path of {len(os.fsencode(path)):,} bytes is too long: {str(path)[:20]!r}...", where=where
            ) from None


def _is_left_over(path: Path) -> bool:
    if path.is_dir():
        return path.name == "parts" and all(map(_is_left_over, path.iterdir()))
    return path.name.startswith(TEMPORARY) or (path.name == "errors.jsonl" and not path.stat().st_size)
