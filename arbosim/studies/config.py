"""The settings of a study: from a TOML file, from the command line, which wins, and from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from arbosim.core.arguments import shown
from arbosim.core.errors import unknown
from arbosim.core.game import rule_text
from arbosim.studies import misplaced
from arbosim.studies.problems import Problems
from arbosim.tournament.kinds import (
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

Schedule = Literal["round-robin", "self-play"]
MOST_DOUBLINGS = 16
MAKE_VARIANTS = ("variants", "sweep", "factorial", "presets")
_MOST_SHOWN = 6

_LISTS = "must be a list of names"
_SHAPES = {
    "players": "must be a number of players, or a list of such numbers",
    "seed": "must be a whole number or any text",
    "variants": "must be a table of variants, each a table of fields",
    "metrics": _LISTS,
    "presets": _LISTS,
    "restricted": 'must be true, false, or a list such as ["balanced:discards"]',
    "retune": "must be true, false, or a table",
}
"""What a key takes, where its type is wrong."""


class Retune(BaseModel):
    """How strategies are re-tuned for each variant.

    Parameters
    ----------
    strategies : tuple of str
        Which of the pool; all that are tunable if it is empty.
    budget : int
        Games of one tuning.
    against : str or tuple of str
        Who sits at the other seats: "pool" for the others of the study, or whatever `arbosim.tune` takes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    strategies: tuple[StrictStr, ...] = ()
    budget: Deals = 400_000
    against: StrictStr | tuple[StrictStr, ...] = "pool"

    @field_validator("strategies", "against", mode="before")
    @classmethod
    def _names(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value


class Settings(BaseModel):
    """What a study is asked to do; the field names are the keys of a TOML file.

    ``base`` is the name of a preset, or a table of fields that may name one as ``preset``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    title: StrictStr = ""
    question: StrictStr = ""
    game: StrictStr | None = None
    base: GivenRules = None
    variants: dict[str, dict[str, Any]] = {}
    sweep: dict[str, tuple[Any, ...]] = {}
    factorial: dict[str, tuple[Any, ...]] = {}
    presets: tuple[StrictStr, ...] = ()
    players: tuple[Players, ...] = (2,)
    strategies: Strategies = ()
    schedule: Schedule = "round-robin"
    deals: Deals = 1000
    deals_from: FirstDeal = 0
    seed: StrictInt | StrictStr = 1
    paired: StrictBool = True
    metrics: tuple[StrictStr, ...] | None = None
    restricted: StrictBool | tuple[StrictStr, ...] = False
    trace: Annotated[StrictInt, Field(ge=0, le=MOST_DOUBLINGS)] = 0
    retune: Retune | None = None
    jobs: Jobs = -1
    output: Place | None = None
    _place: Callable[[str], str] = PrivateAttr(default=str)

    def place(self, key: str) -> str:
        """Return where a setting was given, for messages."""
        return self._place(key)

    @field_validator("players", mode="before")
    @classmethod
    def _counts(cls, value: object) -> object:
        counts = tuple(value) if isinstance(value, list | tuple) else (value,)
        if not counts:
            raise ValueError("must be a number of players, or a list of some")
        if len(set(map(repr, counts))) < len(counts):
            raise ValueError("must be different numbers of players")
        return counts

    @field_validator("metrics", "restricted", "presets", mode="before")
    @classmethod
    def _names(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("sweep", "factorial", mode="before")
    @classmethod
    def _points(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            raise ValueError("must be a table of fields, each with a list of values")
        points = {field: _values(some) for field, some in value.items()}
        wrong = [f"{field!r} needs a list" for field, some in points.items() if some is None]
        wrong += [f"{field!r} has no values" for field, some in points.items() if some == ()]
        if wrong or not value:
            raise ValueError("; ".join(wrong) or "must hold a field and its values")
        return points

    @field_validator("retune", mode="before")
    @classmethod
    def _switched(cls, value: object) -> object:
        if isinstance(value, bool):
            return {} if value else None
        return value

    @field_validator("trace")
    @classmethod
    def _enough(cls, value: int) -> int:
        if value == 1:
            raise ValueError("must be 0, or at least 2 doublings, of which a line can be drawn")
        return value

    @property
    def preset(self) -> str | None:
        """Return the named rule set of the base, if any."""
        return preset_of(self.base)

    @property
    def changes(self) -> dict[str, object]:
        """Return the fields of the base that are given one by one."""
        return changes_of(self.base)


def settings(
    given: Mapping[str, Any],
    table: Mapping[str, Any],
    problems: Problems,
    *,
    source: str = "",
    flags: bool = False,
) -> Settings:
    """Return the settings that are given, over those of a table, over the defaults.

    Parameters
    ----------
    table : mapping
        What a file holds, or a mapping from Python.
    problems : Problems
        Takes what is wrong; a setting that is wrong has its default in what is returned.
    source : str
        The file that holds the table.
    flags : bool
        Whether what is given came as flags of a command line; messages name them so.
    """
    place = _place(given, table, source, flags)
    merged = misplaced.taken_out(
        _merged(table, given), Settings.model_fields, Retune.model_fields, place, problems
    )
    for key in list(merged):
        if key not in Settings.model_fields:
            where = source if key in table else ""
            problems.add(unknown("key", str(key), Settings.model_fields, where), str(key))
            del merged[key]
    try:
        made = Settings.model_validate(merged)
    except ValidationError as error:
        for (key, inner), text in _texts(error, place).items():
            problems.add(text, key)
            if inner:
                merged[key] = {name: value for name, value in merged[key].items() if name != inner}
            else:
                del merged[key]
        made = Settings.model_validate(merged)
    made._place = place
    return made


def load(path: Path) -> dict[str, Any]:
    """Return the table of a study's file."""
    return toml.read(path, "study")


def _place(
    given: Mapping[str, Any], table: Mapping[str, Any], source: str, flags: bool
) -> Callable[[str], str]:
    names = {"base": "rules or --set"}  # as the flags are called

    def place(key: str) -> str:
        first = key.split(".")[0]
        if first not in given and first in table and source:
            return f"{source}, {key}"
        return f"--{names.get(key, key).replace('_', '-')}" if flags else key

    return place


def _merged(table: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Put what is given over a table; rules are changed field by field, and switching on leaves the details alone."""
    merged = {**table, **given}
    base, changed = table.get("base"), given.get("base")
    if isinstance(base, BaseModel):
        base = base.model_dump()
    if isinstance(base, str):
        base = {"preset": base}
    if isinstance(base, Mapping) and isinstance(changed, Mapping):
        merged["base"] = {**base, **changed}
    if given.get("retune") is True and isinstance(table.get("retune"), Mapping):
        merged["retune"] = table["retune"]
    return merged


def _values(given: Any) -> tuple[Any, ...] | None:
    """Return the values of any sequence, arrays as well, in types of Python; None if it is none."""
    if hasattr(given, "tolist"):
        given = given.tolist()
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        return None
    return tuple(value.tolist() if hasattr(value, "tolist") else value for value in given)


def written(value: object) -> str:
    """Return a value as messages show it: as TOML has it where it can, shortened, on one line."""
    if isinstance(value, bool | None):
        return rule_text(value)
    if isinstance(value, list | tuple):
        some = [written(each) for each in value[:_MOST_SHOWN]]
        return f"[{', '.join(some + ['...'] * (len(value) > _MOST_SHOWN))}]"
    return shown(value)


def _texts(error: ValidationError, place: Callable[[str], str]) -> dict[tuple[str, str], str]:
    """Return what is wrong, by key and, of re-tuning, the key in its table; the first of each tells enough."""
    texts: dict[tuple[str, str], str] = {}
    for detail in error.errors():
        path = [str(part) for part in detail["loc"] if not isinstance(part, int)]
        key = path[0]
        inner = path[1] if key == "retune" and len(path) > 1 else ""
        if (key, inner) in texts:
            continue
        where = place(f"{key}.{inner}" if inner else key)
        if detail["type"] == "extra_forbidden":
            texts[key, inner] = str(unknown("key", inner, Retune.model_fields, place(key)))
        elif detail["type"] == "literal_error":
            accepted = get_args(Settings.model_fields[key].annotation)
            texts[key, inner] = f"{where}: {unknown('value', str(detail['input']), accepted)}"
        else:
            message = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
            is_own = detail["type"] == "value_error"  # and says more
            if key in _SHAPES and not inner and not is_own:
                message = _SHAPES[key]
            told = "" if key in ("sweep", "factorial") else f", not {written(detail['input'])}"
            texts[key, inner] = f"{where}: {message}{told}"
    return texts
