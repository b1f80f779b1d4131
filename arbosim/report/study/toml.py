"""The settings of a study as the file that asks for it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from arbosim.core.game import rule_text

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def written(settings: Mapping[str, Any]) -> str:
    """Return settings as a TOML file. Those that are None are left out; TOML has no word for it.

    >>> print(written({"deals": 50, "metrics": None, "base": {"species": None}}), end="")
    deals = 50
    <BLANKLINE>
    [base]
    species = "none"
    """
    lines = []
    tables = []
    for key, value in settings.items():
        if isinstance(value, Mapping):
            tables += ["", f"[{_key(key)}]", *map(_line, value.items())]
        elif value is not None:
            lines.append(_line((key, value)))
    return "\n".join([*lines, *tables]) + "\n"


def _line(item: tuple[str, Any]) -> str:
    return f"{_key(item[0])} = {_value(item[1])}"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(map(_line, value.items()))} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, bool | int | float):
        return rule_text(value)
    return _text(rule_text(value))


def _text(text: str) -> str:
    # a string of JSON is one of TOML, but for the one control character that JSON lets stand
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
