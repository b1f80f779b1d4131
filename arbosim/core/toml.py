"""Reading TOML files, with errors that say what is wrong and where."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from arbosim.core.errors import UserError, nearest

LARGEST_FILE = 10**6
"""Bytes; more than any settings need."""


def read(path: Path, where: str = "") -> dict[str, Any]:
    """Return the table of a TOML file.

    Parameters
    ----------
    where : str
        The flag or key that named the file, for messages.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise UserError(f"{path} has more than {LARGEST_FILE:,} bytes", where=where)
        return tomllib.loads(data.decode("utf-8-sig"))
    except FileNotFoundError:
        near = nearest(path.name, [other.name for other in path.parent.glob("*.toml")])
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UserError(f"there is no file {str(path)!r}{hint}", where=where) from None
    except IsADirectoryError:
        raise UserError(f"{str(path)!r} is a folder, not a TOML file", where=where) from None
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be read: {error.strerror}", where=where) from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is no UTF-8 text (byte {error.start})", where=where) from None
    except RecursionError:
        raise UserError(f"{path} is nested too deeply", where=where) from None
    except ValueError as error:  # of TOML, or a number with too many digits
        raise UserError(f"{path} is not valid TOML: {error}", where=where) from None
