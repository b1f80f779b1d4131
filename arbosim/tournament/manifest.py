"""The file run.json: what a run is, so that anyone can repeat, resume or extend it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from arbosim.core import files
from arbosim.core.columns import LEAN_VERSION, SCHEMA_VERSION
from arbosim.core.errors import UserError
from arbosim.core.hook import Hook
from arbosim.core.numbers import counted
from arbosim.core.seeds import LIMIT
from arbosim.core.spec import parse
from arbosim.core.strategy import Entrant
from arbosim.match import documents
from arbosim.tournament.bots import RANDOM_MOVE, Bot
from arbosim.tournament.comparison import ComparisonRecord
from arbosim.tournament.kinds import MOST_DEALS

FILE = "run.json"
STUDY_FILE = "study.json"
MOST_SHOWN = 6
"""Runs of a study that are named where one of them is asked for."""
CHECKED_DEALS = 8
"""So many first deals of every line-up are played strictly."""


class StrategyRecord(BaseModel):
    """One strategy of a run; ``location`` is empty for a Python object, which no other process can find.

    ``repeats`` is false if its games do not repeat by seed; they keep their actions then.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    spec: str
    location: str
    name: str
    kind: str
    status: str
    parameters: dict[str, bool | int | float]
    source_hash: str
    repeats: bool = True

    @classmethod
    def of(cls, entrant: Entrant) -> StrategyRecord:
        """Return the record of an entrant; a file keeps the path that the user gave."""
        strategy = entrant.strategy
        return cls(
            spec=entrant.spec,
            location=parse(entrant.spec).target if entrant.location else "",
            name=strategy.name,
            kind=strategy.kind,
            status=strategy.status,
            parameters=entrant.settings,
            source_hash=strategy.source_hash,
            repeats=entrant.repeats,
        )


def caution(records: Iterable[StrategyRecord]) -> str:
    """Return that games of some of these strategies do not repeat by seed; nothing if those of all do."""
    some = sorted((record for record in records if not record.repeats), key=lambda record: record.spec)
    told = []
    for is_program, how in ((False, "by the clock"), (True, "by processes of their own")):
        specs = [record.spec for record in some if (record.kind == "program") == is_program]
        if specs:
            told.append(f"games of {', '.join(specs)} were played {how}")
    return f"{' and '.join(told)} and do not repeat by seed" if told else ""


class MetricRecord(BaseModel):
    """The compiled metric of a run; ``location`` is empty for a Python object, which no other process can find."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    location: str
    names: list[str]
    per: Literal["seat", "game"]
    source_hash: str

    @classmethod
    def of(cls, hook: Hook | None) -> MetricRecord | None:
        """Return the record of a hook, if there is one."""
        if hook is None:
            return None
        return cls(location=hook.spec, names=list(hook.names), per=hook.per, source_hash=hook.source_hash)


class Manifest(BaseModel):
    """The contents of run.json. A match is an index into ``line_ups``; slots are in the order of specs."""

    model_config = ConfigDict(extra="forbid", strict=True)

    schema_version: int = SCHEMA_VERSION
    arbosim_version: str
    game: str
    rules_version: int
    rules: dict[str, Any]
    players: Annotated[int, Field(ge=1)]
    schedule: str
    focus: str | None
    seed: Annotated[int, Field(ge=0, lt=LIMIT)]
    deals_from: Annotated[int, Field(ge=0, le=MOST_DEALS)]
    deals: Annotated[int, Field(ge=1, le=MOST_DEALS)]
    strict: bool
    checked_deals: int = CHECKED_DEALS
    lean: bool = False
    course: bool = False
    metric: MetricRecord | None = None
    on_error: str
    bots: dict[str, Bot] = Field(default_factory=dict)
    move_timeout: float | None = None
    isolate: bool = False
    strategies: list[StrategyRecord]
    line_ups: list[list[str]]
    note: str = ""
    comparison: ComparisonRecord | None = None
    status: Literal["running", "interrupted", "stopped", "finished"] = "running"
    games: int = 0
    errors: int = 0
    seconds: float = 0.0
    digest: str = ""
    started: str = ""
    finished: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _was_lean(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("schema_version") == LEAN_VERSION:
            return {**data, "lean": True}
        return data

    @model_validator(mode="after")
    def _line_ups_fit(self) -> Manifest:
        known = set(self.specs)
        if len(known) < len(self.strategies):
            raise ValueError("strategies: one is there twice")
        for match, line_up in enumerate(self.line_ups):
            if len(line_up) != self.players or not known.issuperset(line_up):
                raise ValueError(f"line_ups.{match}: takes {self.players} of the strategies, not {line_up}")
        if len(set(map(tuple, self.line_ups))) < len(self.line_ups):
            raise ValueError("line_ups: one is there twice")
        return self

    @model_validator(mode="after")
    def _comparison_fits(self) -> Manifest:
        if self.comparison is not None:
            try:
                self.comparison.check(self.line_ups, self.deals, lambda name: f"comparison.{name}")
            except UserError as error:
                raise ValueError(str(error)) from None
        return self

    @property
    def specs(self) -> list[str]:
        """Return the specs of all strategies, sorted."""
        return sorted(record.spec for record in self.strategies)

    @property
    def keeps_actions(self) -> frozenset[int]:
        """Return the matches whose games keep their actions, because they do not repeat by seed."""
        some = {record.spec for record in self.strategies if not record.repeats}
        return frozenset(match for match, line_up in enumerate(self.line_ups) if some.intersection(line_up))

    @property
    def caution(self) -> str:
        """Return that some games do not repeat by seed; nothing if all of them do."""
        return caution(self.strategies)

    @property
    def games_wanted(self) -> int:
        """Return how many games the finished run has."""
        return len(self.line_ups) * self.deals * self.players

    def save(self, folder: Path) -> None:
        """Write run.json; at any moment there is either the old file or the new one."""
        files.replace(folder / FILE, json.dumps(self.model_dump(), indent=1) + "\n")


def load(folder: Path) -> Manifest:
    """Read run.json of a run folder."""
    path = folder / FILE
    if not path.exists() and (folder / STUDY_FILE).exists():
        runs = sorted(str(each.parent) for each in folder.glob(f"runs/*/{FILE}"))
        told = f"its runs are {', '.join(runs[:MOST_SHOWN])}" if runs else "it has no runs yet"
        more = f" and {len(runs) - MOST_SHOWN:,} more" if len(runs) > MOST_SHOWN else ""
        raise UserError(f"{str(folder)!r} is a study, not a run; {told}{more}")
    if not path.exists():
        raise files.lacking(folder, "run", FILE)
    [(_, data)] = documents.read(str(path))
    if isinstance(data, UserError):
        raise data
    version = data.get("schema_version") if isinstance(data, dict) else None
    if version not in range(LEAN_VERSION, SCHEMA_VERSION + 1) or isinstance(version, bool):
        raise UserError(
            f"{path} has schema version {version!r}; this arbosim reads versions {LEAN_VERSION} to {SCHEMA_VERSION}"
        )
    try:
        return Manifest.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        reason = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
        raise UserError(f"{path}: {place}: {reason}" if place else f"{path}: {reason}") from None


def now() -> str:
    """Return the time as run.json keeps it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def differences(
    old: Manifest, new: Manifest, place: Callable[[str], str] = str, extend: bool = False
) -> list[str]:
    """Return the reasons why ``new`` cannot go on with what ``old`` has played; empty if it can.

    Parameters
    ----------
    place : callable
        Says by which name a setting is given, for messages.
    extend : bool
        Whether ``new`` may have more deals and more strategies.
    """
    reasons = [
        f"{name.replace('_', ' ')} {getattr(old, name)!r}, not {getattr(new, name)!r}"
        for name in (
            "game",
            "rules_version",
            "players",
            "schedule",
            "focus",
            "seed",
            "deals_from",
            "strict",
            "lean",
            "course",
        )
        if getattr(old, name) != getattr(new, name)
    ]
    seconds = old.move_timeout, new.move_timeout
    if old.bots or old.isolate or any(seconds):
        reasons += [
            f"{name.replace('_', ' ')} {getattr(old, name)!r}, not {getattr(new, name)!r}"
            for name in ("move_timeout", "isolate")
            if getattr(old, name) != getattr(new, name)
        ]
    if old.on_error != new.on_error and RANDOM_MOVE in (old.on_error, new.on_error):
        reasons.append(f"on error {old.on_error!r}, not {new.on_error!r}")
    reasons += [
        f"rule {field} = {value!r}, not {new.rules.get(field)!r}"
        for field, value in old.rules.items()
        if new.rules.get(field) != value
    ]
    if new.deals < old.deals:
        reasons.append(
            f"{counted(old.deals, 'deal')}, more than {new.deals} ({place('deals')} is their number afterwards)"
        )
    if new.deals > old.deals and not extend:
        reasons.append(f"{counted(old.deals, 'deal')}, not {new.deals} ({place('extend')} plays more)")
    reasons += _metric_differences(old.metric, new.metric)
    return reasons + strategy_differences(old.strategies, new.strategies, place, extend)


def _metric_differences(old: MetricRecord | None, new: MetricRecord | None) -> list[str]:
    if old is None or new is None or (old.names, old.per) != (new.names, new.per):
        names = [
            "no metric" if each is None else f"the metric {', '.join(each.names)}" for each in (old, new)
        ]
        return [] if old == new else [f"{names[0]}, not {names[1]}"]
    return [f"another source of {', '.join(old.names)}"] if old.source_hash != new.source_hash else []


def strategy_differences(
    old: Sequence[StrategyRecord],
    new: Sequence[StrategyRecord],
    place: Callable[[str], str] | None = None,
    extend: bool = False,
) -> list[str]:
    """Return how the strategies differ; `place` names the flag that plays one more, where there is any."""
    known = {record.spec: record for record in old}
    given = {record.spec: record for record in new}
    reasons = [f"strategy {spec!r}, which is missing here" for spec in known if spec not in given]
    if not extend:
        reasons += [
            f"no strategy {spec!r}" + (f" ({place('add')} plays one more)" if place else "")
            for spec in given
            if spec not in known
        ]
    for spec in known:
        if spec in given and known[spec].source_hash != given[spec].source_hash:
            what = "command or a file of it" if given[spec].kind == "program" else "file"
            reasons.append(f"another source of strategy {spec!r}: its {what} has changed since")
        elif spec in given and known[spec].parameters != given[spec].parameters:
            reasons.append(f"other values of strategy {spec!r}: its parameter set has changed since")
    return reasons
