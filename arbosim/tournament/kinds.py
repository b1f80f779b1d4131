"""What the settings of runs and of studies have in common: the kinds of their values, and how rules are given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, StrictInt, StrictStr

from arbosim.core.spec import parse_list

_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?([^\s/:\[\]]+|\[[0-9a-fA-F:.]+\]):\d{1,5}")
MOST_DEALS = 10**15  # deals; far beyond any run, and safe as a 64-bit number


def _listed(value: object) -> object:
    if isinstance(value, str):
        return tuple(parse_list(value))
    if isinstance(value, list | tuple):
        return tuple(value)
    raise ValueError("must be a list of strategies, or a text with commas between them")


def _named(value: str) -> str:
    if not value or "\0" in value:
        raise ValueError("must be the name of a folder or file")
    return value


def _some_jobs(value: int) -> int:
    if value < 1 and value != -1:
        raise ValueError("must be at least 1, or -1 for all cores")
    return value


def _address(value: str) -> str:
    if not _ADDRESS.fullmatch(value):
        raise ValueError("must be an address as in tcp://192.168.0.2:8786")
    return value


def _rules(value: object) -> object:
    if not (value is None or isinstance(value, str | Mapping | BaseModel)):
        raise ValueError("must be the name of a preset or a table of fields")
    return value


Deals = Annotated[StrictInt, Field(ge=1, le=MOST_DEALS)]
FirstDeal = Annotated[StrictInt, Field(ge=0, le=MOST_DEALS)]
Players = Annotated[StrictInt, Field(ge=1)]
Strategies = Annotated[tuple[Any, ...], BeforeValidator(_listed)]
Jobs = Annotated[StrictInt, AfterValidator(_some_jobs)]
Place = Annotated[StrictStr, AfterValidator(_named)]
Address = Annotated[StrictStr, AfterValidator(_address)]
GivenRules = Annotated[Any, AfterValidator(_rules)]
"""The name of a preset, a table of fields that may name one as ``preset``, or a rules model."""


def preset_of(rules: object) -> str | None:
    """Return the named rule set that is given, if any."""
    if isinstance(rules, Mapping):
        preset = rules.get("preset")
        return None if preset is None else str(preset)
    return rules if isinstance(rules, str) else None


def changes_of(rules: object) -> dict[str, object]:
    """Return the fields of the rules that are given one by one."""
    if isinstance(rules, BaseModel):
        return dict(rules.model_dump())
    if isinstance(rules, Mapping):
        return {key: value for key, value in rules.items() if key != "preset"}
    return {}
