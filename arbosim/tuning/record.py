"""The files of a tuning folder: tune.json says what is asked and found, two journals hold what was played."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arbosim.core import files
from arbosim.core.errors import UserError
from arbosim.match import documents
from arbosim.tournament.manifest import StrategyRecord, caution

FILE = "tune.json"
GENERATIONS = "generations.jsonl"
LOOKS = "confirmation.jsonl"

_FIXED = (
    "game",
    "rules_version",
    "players",
    "seed",
    "deals_from",
    "parameters",
    "budget",
    "population",
    "deals",
    "generations",
    "confirm",
    "elo1",
)
_LINE = ConfigDict(extra="forbid", frozen=True)


class Generation(BaseModel):
    """One generation: candidates that played the same deals, and the mean of the distribution after it.

    ``won`` is in units of 1 / lcm(1..players), ``full`` what it would be if all games were won.
    """

    model_config = _LINE

    generation: int
    deals_from: int
    deals: int
    candidates: list[list[int | float]]
    won: list[int]
    full: int
    errors: int
    mean: list[int | float]


class Look(BaseModel):
    """Some deals of the confirmation: what the start and the found values won in each, in the units of `Generation`."""

    model_config = _LINE

    deals_from: int
    start: list[int]
    found: list[int]
    errors: int


class TuningRecord(BaseModel):
    """What is asked of a tuning, and how far it is; ``opponents`` is the field, ``command`` repeats it."""

    model_config = ConfigDict(extra="forbid")

    schema_version: Literal[1] = 1
    arbosim_version: str
    game: str
    rules_version: int
    rules: dict[str, Any]
    players: Annotated[int, Field(ge=2)]
    seed: Annotated[int, Field(ge=0)]
    deals_from: Annotated[int, Field(ge=0)]
    strategy: StrategyRecord
    opponents: list[StrategyRecord]
    parameters: list[str]
    budget: int
    population: int
    deals: int
    generations: int
    confirm: int
    elo1: float
    name: str | None
    command: str
    status: Literal["running", "interrupted", "finished"] = "running"
    started: str = ""
    finished: str | None = None
    result: dict[str, Any] | None = None

    @property
    def caution(self) -> str:
        """Return that some games do not repeat by seed; nothing if all of them do."""
        return caution([self.strategy, *self.opponents])

    def save(self, folder: Path) -> None:
        """Write tune.json; at any moment there is either the old file or the new one."""
        files.replace(folder / FILE, json.dumps(self.model_dump(mode="json"), indent=1) + "\n")

    def differences(self, new: TuningRecord) -> list[str]:
        """Return the reasons why ``new`` cannot go on with what was played for this one; empty if it can."""
        reasons = [
            f"{name.replace('_', ' ')} {getattr(self, name)!r}, not {getattr(new, name)!r}"
            for name in _FIXED
            if getattr(self, name) != getattr(new, name)
        ]
        reasons += [
            f"rule {field} = {value!r}, not {new.rules.get(field)!r}"
            for field, value in self.rules.items()
            if new.rules.get(field) != value
        ]
        old, others = [self.strategy, *self.opponents], [new.strategy, *new.opponents]
        if [one.spec for one in old] != [one.spec for one in others]:
            ours, theirs = (f"{all_[0].spec} against {_listed(all_[1:])}" for all_ in (old, others))
            return [*reasons, f"{ours}, not {theirs}"]
        for before, now in zip(old, others, strict=True):
            if before.source_hash != now.source_hash:
                reasons.append(f"another source of strategy {before.spec!r}: its file has changed since")
            elif before.parameters != now.parameters:
                reasons.append(f"other values of strategy {before.spec!r}: they have changed since")
        return reasons


def load(folder: Path) -> TuningRecord:
    """Read tune.json of a tuning folder."""
    path = folder / FILE
    if not path.exists():
        raise files.lacking(folder, "tuning", FILE)
    [(_, data)] = documents.read(str(path))
    if isinstance(data, UserError):
        raise data
    return _valid(TuningRecord, data, str(path))


Line = TypeVar("Line", Generation, Look)


class Journal(Generic[Line]):
    """Lines in the order in which they came, in memory and, where there is a folder, in a file that only grows."""

    def __init__(self, kind: type[Line]) -> None:
        self._kind: type[Line] = kind
        self._path: Path | None = None
        self.lines: list[Line] = []

    def open(self, path: Path) -> None:
        """Read what a file holds, and keep further lines in it; a last line that is not whole is dropped."""
        self._path = path
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.truncate(path, len(whole))
        if whole:
            for place, value in documents.read(str(path)):
                if isinstance(value, UserError):
                    raise value
                self.lines.append(_valid(self._kind, value, place))

    def append(self, line: Line) -> None:
        """Keep a line; after a crash it is there as a whole or dropped."""
        self.lines.append(line)
        if self._path is not None:
            with self._path.open("ab", buffering=0) as file:
                file.write(line.model_dump_json().encode() + b"\n")
                os.fsync(file.fileno())


Model = TypeVar("Model", bound=BaseModel)


def _valid(kind: type[Model], data: object, where: str) -> Model:
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        reason = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
        raise UserError(f"{where}: {place}: {reason}" if place else f"{where}: {reason}") from None


def _listed(records: list[StrategyRecord]) -> str:
    return ", ".join(record.spec for record in records) or "nobody"
