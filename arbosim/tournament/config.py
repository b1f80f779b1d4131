"""The settings of a run: from a TOML file, from the command line, which wins, and from Python."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
    field_validator,
)

from arbosim.core import toml
from arbosim.core.errors import UserError, unknown
from arbosim.core.spec import parse_list

Policy = Literal["forfeit", "stop"]
Kind = Literal["round-robin", "gauntlet", "self-play"]
MOST_DEALS = 10**15  # deals; far beyond any run, and safe as a 64-bit number


class Settings(BaseModel):
    """What a run is asked to do; the field names are the keys of a TOML file.

    ``rules`` is the name of a preset, or a table of fields that may name one as ``preset``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    game: StrictStr | None = None
    strategies: tuple[Any, ...] = ()
    players: Annotated[StrictInt, Field(ge=1)] = 2
    deals: Annotated[StrictInt, Field(ge=1, le=MOST_DEALS)] = 1000
    deals_from: Annotated[StrictInt, Field(ge=0, le=MOST_DEALS)] = 0
    seed: StrictInt | StrictStr = 1
    jobs: StrictInt = -1
    schedule: Kind = "round-robin"
    focus: StrictStr | None = None
    rules: Any = None
    strict: StrictBool = False
    lean: StrictBool = False
    course: StrictBool = False
    metric: Any = None
    on_error: Policy = "forfeit"
    output: StrictStr | None = None
    record: StrictStr | None = None
    record_every: Annotated[StrictInt, Field(ge=1)] = 1
    _place: Callable[[str], str] = PrivateAttr(default=str)

    def place(self, key: str) -> str:
        """Return where a setting was given, for messages."""
        return self._place(key)

    @field_validator("strategies", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(parse_list(value))
        if isinstance(value, list | tuple):
            return tuple(value)
        raise ValueError("must be a list of strategies, or a text with commas between them")

    @field_validator("output", "record")
    @classmethod
    def _named(cls, value: str | None) -> str | None:
        if value is not None and (not value or "\0" in value):
            raise ValueError("must be the name of a folder or file")
        return value

    @field_validator("jobs")
    @classmethod
    def _some_jobs(cls, value: int) -> int:
        if value < 1 and value != -1:
            raise ValueError("must be at least 1, or -1 for all cores")
        return value

    @field_validator("rules")
    @classmethod
    def _table(cls, value: object) -> object:
        if not (value is None or isinstance(value, str | Mapping | BaseModel)):
            raise ValueError("must be the name of a preset or a table of fields")
        return value

    @property
    def preset(self) -> str | None:
        """Return the named rule set, if any."""
        if isinstance(self.rules, Mapping):
            preset = self.rules.get("preset")
            return None if preset is None else str(preset)
        return self.rules if isinstance(self.rules, str) else None

    @property
    def changes(self) -> dict[str, object]:
        """Return the fields of the rules that are given one by one."""
        if isinstance(self.rules, BaseModel):
            return self.rules.model_dump()
        if isinstance(self.rules, Mapping):
            return {key: value for key, value in self.rules.items() if key != "preset"}
        return {}


def settings(
    given: Mapping[str, Any],
    config: Path | None = None,
    flags: bool = False,
    kept: Mapping[str, Any] | None = None,
    kept_in: str = "",
) -> Settings:
    """Return the settings that are given, over those of a file, over those kept in a run, over the defaults.

    Parameters
    ----------
    config : Path, optional
        A TOML file.
    flags : bool
        Whether what is given came as flags of a command line; messages name them so.
    """
    table = load_toml(config) if config is not None else {}
    merged = {**(kept or {}), **table}
    rules, changed = merged.get("rules"), given.get("rules")
    merged |= given
    if isinstance(rules, str):
        rules = {"preset": rules}
    if isinstance(rules, Mapping) and isinstance(changed, Mapping):
        merged["rules"] = {**rules, **changed}

    def place(key: str) -> str:
        if key not in given and key in table:
            return f"{config}, {key}"
        if key not in given and key in (kept or {}):
            return f"{kept_in}, {key}"
        return f"--{key.replace('_', '-')}" if flags else key

    try:
        made = Settings.model_validate(merged)
    except ValidationError as error:
        raise UserError("\n".join(_texts(error, place))) from None
    made._place = place
    return made


def load_toml(path: Path) -> dict[str, Any]:
    """Return the table of a TOML file; unknown keys are errors."""
    table = toml.read(path, "--config")
    wrong = [
        str(unknown("key", key, Settings.model_fields, where=str(path)))
        for key in table
        if key not in Settings.model_fields
    ]
    if wrong:
        raise UserError("\n".join(wrong))
    return table


def _texts(error: ValidationError, place: Any) -> list[str]:
    texts = {}
    for detail in error.errors():
        key = str(detail["loc"][0])
        if detail["type"] == "extra_forbidden":
            texts[key] = str(unknown("setting", key, Settings.model_fields))
        elif detail["type"] == "literal_error":
            accepted = get_args(Settings.model_fields[key].annotation)
            texts[key] = f"{place(key)}: {unknown('value', str(detail['input']), accepted)}"
        else:
            message = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
            texts[key] = f"{place(key)}: {message}, not {reprlib.repr(detail['input'])}"
    return list(texts.values())
