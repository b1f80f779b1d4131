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
)
from pydantic_core import ErrorDetails

from arbosim.core import toml
from arbosim.core.errors import UserError, unknown
from arbosim.tournament.bots import Bot, Bots, MoveTimeout
from arbosim.tournament.kinds import (
    Address,
    Deals,
    FirstDeal,
    GivenRules,
    Jobs,
    Place,
    Players,
    Strategies,
    changes_of,
    preset_of,
)

Policy = Literal["forfeit", "stop", "random-move"]
Kind = Literal["round-robin", "gauntlet", "self-play"]
Backend = Literal["local", "dask"]


class Settings(BaseModel):
    """What a run is asked to do; the field names are the keys of a TOML file.

    ``rules`` is the name of a preset, or a table of fields that may name one as ``preset``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    game: StrictStr | None = None
    strategies: Strategies = ()
    players: Players = 2
    deals: Deals = 1000
    deals_from: FirstDeal = 0
    seed: StrictInt | StrictStr = 1
    jobs: Jobs = -1
    backend: Backend = "local"
    scheduler: Address | None = None
    schedule: Kind = "round-robin"
    focus: StrictStr | None = None
    rules: GivenRules = None
    strict: StrictBool = False
    lean: StrictBool = False
    course: StrictBool = False
    metric: Any = None
    on_error: Policy = "forfeit"
    bots: Bots = Field(default_factory=dict)
    move_timeout: MoveTimeout | None = None
    isolate: StrictBool = False
    output: Place | None = None
    record: Place | None = None
    record_every: Annotated[StrictInt, Field(ge=1)] = 1
    _place: Callable[[str], str] = PrivateAttr(default=str)

    def place(self, key: str) -> str:
        """Return where a setting was given, for messages."""
        return self._place(key)

    @property
    def preset(self) -> str | None:
        """Return the named rule set, if any."""
        return preset_of(self.rules)

    @property
    def changes(self) -> dict[str, object]:
        """Return the fields of the rules that are given one by one."""
        return changes_of(self.rules)


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
    known = {**((kept or {}).get("bots") or {}), **_mapping(table.get("bots"))}
    merged |= given
    if known and isinstance(merged.get("bots"), Mapping):
        merged["bots"] = {**known, **merged["bots"]}
    if isinstance(rules, str):
        rules = {"preset": rules}
    if isinstance(rules, Mapping) and isinstance(changed, Mapping):
        merged["rules"] = {**rules, **changed}

    names = {"rules": "rules or --set", "bots": "bot"}  # as the flags are called

    def place(key: str) -> str:
        if key not in given and key in table:
            return f"{config}, {key}"
        if key not in given and key in (kept or {}):
            return f"{kept_in}, {key}"
        return f"--{names.get(key, key).replace('_', '-')}" if flags else key

    try:
        made = Settings.model_validate(merged)
    except ValidationError as error:
        raise UserError("\n".join(_texts(error, place))) from None
    made._place = place
    _check_backend(made)
    return made


def _check_backend(made: Settings) -> None:
    """Refuse a cluster without an address, an address without a cluster, and jobs where workers play."""
    if made.backend == "dask" and made.scheduler is None:
        raise UserError(
            f"dask needs {made.place('scheduler')}, an address as in tcp://192.168.0.2:8786",
            where=made.place("backend"),
        )
    if made.backend != "dask" and made.scheduler is not None:
        raise UserError(f"belongs to {made.place('backend')} dask", where=made.place("scheduler"))
    if made.backend == "dask" and made.jobs != -1:
        raise UserError("counts those of this machine; with dask, the workers play", where=made.place("jobs"))


def _mapping(given: object) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {}


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
    texts: dict[object, str] = {}
    for detail in error.errors():
        key = str(detail["loc"][0])
        if key == "bots":
            texts[detail["loc"]] = _bot_text(detail, place(key))
        elif detail["type"] == "extra_forbidden":
            texts[key] = str(unknown("setting", key, Settings.model_fields))
        elif detail["type"] == "literal_error":
            accepted = get_args(Settings.model_fields[key].annotation)
            texts[key] = f"{place(key)}: {unknown('value', str(detail['input']), accepted)}"
        else:
            texts[key] = f"{place(key)}: {_message(detail)}, not {reprlib.repr(detail['input'])}"
    return list(texts.values())


def _bot_text(detail: ErrorDetails, place: str) -> str:
    """Return what is wrong with the bots, with one of them, or with one field of it."""
    name, field = map(str, (*detail["loc"][1:], "", "")[:2])
    where = f"{place} {name}".rstrip()
    if not name:
        return f"{where}: {_message(detail)}"
    if not field:
        keys = ", ".join(Bot.model_fields)
        return f"{where}: is a command, or a table of {keys}, not {reprlib.repr(detail['input'])}"
    if detail["type"] == "extra_forbidden":
        return str(unknown("key", field, Bot.model_fields, where=where))
    return f"{where}: {field}: {_message(detail)}"


def _message(detail: ErrorDetails) -> str:
    text = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    return "is missing" if text == "Field required" else text
