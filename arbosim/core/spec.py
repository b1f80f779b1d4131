"""The one grammar by which a strategy is named, on the command line, in TOML and in Python.

::

    NAME[@SET][:key=value]...
    py=module:attribute[@SET][:key=value]...
    path/to/file.py[@SET][:key=value]...

A set is a named one, or path/to/set.toml; what follows changes some of its values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from arbosim.core.errors import UserError

_IDENTIFIER = r"[^\W\d]\w*"
_NAME = re.compile(r"[^\W\d][\w-]*")
_FILE = re.compile(r"[^:,\0]*?\.py(?=[:@]|$)")
_DOTTED = re.compile(rf"{_IDENTIFIER}(\.{_IDENTIFIER})*")
_KEY = re.compile(_IDENTIFIER)
_VALUE = re.compile(r"[^\s:,]+")
_SET = re.compile(r"[^:,@\0]+?\.toml(?=:|$)|[\w-]+")


@dataclass(frozen=True)
class Spec:
    """A parsed strategy name: what is meant, the settings in the order in which they were written, and the set."""

    target: str
    settings: tuple[tuple[str, str], ...] = ()
    chosen: str = ""

    @property
    def kind(self) -> Literal["name", "module", "file"]:
        """Return how the target is to be looked up."""
        if self.target.startswith("py="):
            return "module"
        return "file" if self.target.endswith(".py") else "name"


def is_name(text: str) -> bool:
    """Tell whether a strategy may be registered under this name."""
    return _NAME.fullmatch(text) is not None


def parse(text: str, where: str = "") -> Spec:
    """Parse one strategy name.

    Raises
    ------
    UserError
        Shows the text with a caret under the first character that does not fit.
    """
    end = _target_end(text, where)
    target, chosen, settings = text[:end], "", {}
    if text[end : end + 1] == "@":
        found = _SET.match(text, end + 1)
        if found is None:
            raise _error(
                text, end + 1, "the name of a parameter set, or path/to/set.toml, is expected here", where
            )
        chosen, end = found[0], found.end()
    while end < len(text):
        if text[end] != ":":
            hint = "a file ends in .py" if text[end] in "/\\." else "settings are written :key=value"
            raise _error(text, end, f"unexpected {text[end]!r}; {hint}", where)
        key = _KEY.match(text, end + 1)
        if key is None:
            raise _error(text, end + 1, "a setting key=value is expected here", where)
        if key.end() >= len(text) or text[key.end()] != "=":
            raise _error(text, key.end(), f"'=' and a value are expected after {key[0]!r}", where)
        value = _VALUE.match(text, key.end() + 1)
        if value is None:
            raise _error(text, key.end() + 1, f"a value is expected for {key[0]!r}", where)
        if key[0] in settings:
            raise _error(text, key.start(), f"{key[0]!r} is set twice", where)
        settings[key[0]] = value[0]
        end = value.end()
    return Spec(target, tuple(settings.items()), chosen)


def format_spec(spec: Spec) -> str:
    """Return the text that parses to this spec."""
    chosen = f"@{spec.chosen}" if spec.chosen else ""
    return spec.target + chosen + "".join(f":{key}={value}" for key, value in spec.settings)


def parse_list(text: str, where: str = "") -> list[str]:
    """Split a list of strategy names at its commas.

    >>> parse_list("random, greedy,hoarder:keep=3")
    ['random', 'greedy', 'hoarder:keep=3']
    """
    items, at = [], 0
    for item in text.split(","):
        if not item.strip():
            raise _error(text, at, "the name of a strategy is expected here", where)
        items.append(item.strip())
        at += len(item) + 1
    return items


def _target_end(text: str, where: str) -> int:
    if text.startswith("py="):
        module = _DOTTED.match(text, 3)
        if module is None:
            raise _error(text, 3, "the name of a module is expected after 'py='", where)
        if text[module.end() : module.end() + 1] != ":":
            raise _error(text, module.end(), "':' and an attribute of the module are expected here", where)
        attribute = _DOTTED.match(text, module.end() + 1)
        if attribute is None:
            raise _error(text, module.end() + 1, "an attribute of the module is expected here", where)
        return attribute.end()
    target = _FILE.match(text) or _NAME.match(text)
    if target is None:
        what = "a name, py=module:attribute or path/to/file.py"
        raise _error(text, 0, f"a strategy is expected here: {what}", where)
    return target.end()


def _error(text: str, column: int, message: str, where: str) -> UserError:
    return UserError(f"{message}\n  {text}\n  {' ' * column}^", where=where)
