"""The file study.json: what a study is, so that anyone can repeat it, resume it and read its runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import arbosim
from arbosim.core import files
from arbosim.core.errors import UserError
from arbosim.core.game import rule_text
from arbosim.core.seeds import LIMIT
from arbosim.match import documents
from arbosim.studies.pieces import Kind, Piece, Pool
from arbosim.studies.plan import StudyPlan
from arbosim.studies.variants import BASE
from arbosim.tournament.manifest import (
    STUDY_FILE,
    Manifest,
    StrategyRecord,
    caution,
    now,
    strategy_differences,
)

FILE = STUDY_FILE
RUNS = "runs"
TUNINGS = "tunings"
SCHEMA_VERSION = 1


class VariantRecord(BaseModel):
    """One variant: all fields of its rules, and those in which it differs from the base."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    rules: dict[str, Any]
    changed: dict[str, Any]


class RunRecord(BaseModel):
    """One run of a study, in the folder ``runs/NAME``.

    Parameters
    ----------
    kind : {"pool", "ban", "trace"}
        All strategies of the pool; one with an ability against itself without; twice the budget against once.
    subject : str
        What a ban or a trace is about.
    first, second : str
        The specs of its two sides.
    stands_for : dict
        For re-tuned strategies, the spec in the study's pool of each.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    kind: Kind
    pool: Pool
    players: int
    variant: str
    subject: str = ""
    first: str = ""
    second: str = ""
    stands_for: dict[str, str] = {}
    status: Literal["waiting", "running", "interrupted", "stopped", "finished"] = "waiting"
    games: int = 0
    errors: int = 0
    digest: str = ""

    @classmethod
    def of(cls, piece: Piece) -> RunRecord:
        """Return the record of a run that has not begun."""
        duel = piece.duel
        return cls(
            name=piece.name,
            kind=piece.kind,
            pool=piece.pool,
            players=piece.players,
            variant=piece.variant.name,
            subject="" if duel is None else duel.subject,
            first="" if duel is None else duel.first.spec,
            second="" if duel is None else duel.second.spec,
            stands_for=dict(piece.stands_for),
        )

    def check(self, state: Manifest, folder: Path) -> None:
        """Refuse a finished run that is another one than was played for the study."""
        if self.status == state.status == "finished" and self.digest != state.digest:
            raise UserError(
                f"the run in {str(folder)!r} is not that of {FILE}: it has the digest {state.digest}, "
                f"and the study had {self.digest}"
            )


class Retuned(BaseModel):
    """What the re-tuning of one strategy for one variant found.

    Parameters
    ----------
    strategy, spec : str
        The spec in the study's pool, and the one with the values to use.
    helped : bool
        Whether it beat what it started from; otherwise the values are those of the start.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    players: int
    variant: str
    strategy: str
    spec: str
    values: dict[str, bool | int | float]
    helped: bool


class StudyManifest(BaseModel):
    """The contents of study.json.

    Parameters
    ----------
    seed : int
    seed_text : str
        The text from which the seed was made, if it was given as one.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    study_version: int = SCHEMA_VERSION
    arbosim_version: str
    title: str
    question: str
    command: str
    game: str
    rules_version: int
    players: list[int]
    schedule: str
    deals: int
    deals_from: int
    seed: Annotated[int, Field(ge=0, lt=LIMIT)]
    seed_text: str = ""
    paired: bool
    metrics: list[str] | None
    restricted: list[str]
    trace: int
    retune: dict[str, Any] | None
    variants: list[VariantRecord]
    strategies: list[StrategyRecord]
    notes: list[str]
    runs: list[RunRecord]
    tunings: list[Retuned] = []
    status: Literal["running", "interrupted", "finished"] = "running"
    digest: str = ""
    games: int = 0
    errors: int = 0
    seconds: float = 0.0
    started: str = ""
    finished: str | None = None

    @classmethod
    def of(cls, plan: StudyPlan, command: str = "") -> StudyManifest:
        """Return the record of a study that has not begun."""
        settings = plan.settings
        retune = None if settings.retune is None else settings.retune.model_dump(mode="json")
        if retune is not None:
            retune["strategies"] = [entrant.spec for entrant in plan.tunable]
        strategies = [StrategyRecord.of(entrant) for entrant in plan.pool]
        told = caution(strategies)
        return cls(
            arbosim_version=arbosim.__version__,
            title=settings.title,
            question=settings.question,
            command=command,
            game=plan.game.name,
            rules_version=plan.game.rules_version,
            players=list(plan.players),
            schedule=settings.schedule,
            deals=settings.deals,
            deals_from=settings.deals_from,
            seed=plan.seed,
            seed_text="" if str(settings.seed).strip() == str(plan.seed) else str(settings.seed),
            paired=settings.paired,
            metrics=None if plan.metrics is None else list(plan.metrics),
            restricted=[duel.subject for duel in plan.duels if duel.kind == "ban"],
            trace=settings.trace,
            retune=retune,
            variants=[
                VariantRecord(name=each.name, rules=each.fields, changed=dict(each.changed))
                for each in plan.variants
            ],
            strategies=strategies,
            notes=[*plan.notes, *([told] if told else [])],
            runs=[RunRecord.of(piece) for piece in plan.pieces],
            started=now(),
        )

    @property
    def seed_told(self) -> str:
        """Return the seed as it was given, and the number of a text."""
        return f"{self.seed_text} ({self.seed})" if self.seed_text else str(self.seed)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the settings that ask for the same study; its variants are all given by name."""
        base, *others = self.variants
        return {
            "title": self.title,
            "question": self.question,
            "game": self.game,
            "base": base.rules,
            "variants": {each.name: each.changed for each in others},
            "players": self.players,
            "strategies": [record.spec for record in self.strategies],
            "schedule": self.schedule,
            "deals": self.deals,
            "deals_from": self.deals_from,
            "seed": self.seed_text or self.seed,
            "paired": self.paired,
            "metrics": self.metrics,
            "restricted": self.restricted or False,
            "trace": self.trace,
            "retune": self.retune,
        }

    def note(self, piece: Piece) -> RunRecord:
        """Return the record of a run, which is made if there is none."""
        for record in self.runs:
            if record.name == piece.name:
                return record
        self.runs.append(RunRecord.of(piece))
        return self.runs[-1]

    def add_up(self) -> None:
        """Sum up the runs: games, errors, and a digest that does not depend on the order in which they were played."""
        self.games = sum(record.games for record in self.runs)
        self.errors = sum(record.errors for record in self.runs)
        lines = sorted(f"{record.name} {record.digest}" for record in self.runs)
        self.digest = blake2b("\n".join(lines).encode(), digest_size=16).hexdigest()

    def save(self, folder: Path) -> None:
        """Write study.json; at any moment there is either the old file or the new one."""
        files.replace(folder / FILE, json.dumps(self.model_dump(), indent=1) + "\n")


def load(folder: Path) -> StudyManifest:
    """Read study.json of a study folder."""
    path = folder / FILE
    if not path.exists():
        raise files.lacking(folder, "study", FILE)
    [(_, data)] = documents.read(str(path))
    if isinstance(data, UserError):
        raise data
    version = data.get("study_version") if isinstance(data, dict) else None
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise UserError(f"{path} has study version {version!r}; this arbosim reads version {SCHEMA_VERSION}")
    try:
        return StudyManifest.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
        raise UserError(f"{path}: {place}: {message}") from None


def differences(old: StudyManifest, new: StudyManifest) -> list[str]:
    """Return the reasons why ``new`` cannot go on with what ``old`` has played; empty if it can.

    Title, question and metrics may change: they are about reading, not about playing.
    """
    reasons = [
        f"{name.replace('_', ' ')} {_told(old, name)}, not {_told(new, name)}"
        for name in (
            "game",
            "rules_version",
            "players",
            "schedule",
            "deals",
            "deals_from",
            "seed",
            "paired",
            "restricted",
            "trace",
            "retune",
        )
        if _unordered(getattr(old, name)) != _unordered(getattr(new, name))
    ]
    reasons += _variant_differences(old.variants, new.variants)
    if not (reasons or new.paired) and [each.name for each in old.variants] != [
        each.name for each in new.variants
    ]:  # there the order decides which deals are whose
        reasons = ["its variants in another order"]
    return reasons + strategy_differences(old.strategies, new.strategies)


def changes(old: StudyManifest, new: StudyManifest) -> list[str]:
    """Return what is no longer as it was for ``old``, although nobody asked for another: strategies, rules version."""
    both = {record.spec for record in old.strategies} & {record.spec for record in new.strategies}
    ours, theirs = ([record for record in each.strategies if record.spec in both] for each in (old, new))
    reasons = strategy_differences(ours, theirs)
    if old.game == new.game and old.rules_version != new.rules_version:
        reasons.append(f"rules version {old.rules_version}, not {new.rules_version}")
    return reasons


def _told(state: StudyManifest, name: str) -> str:
    value = getattr(state, name)
    if name == "seed":
        return state.seed_told
    if isinstance(value, dict):
        return " ".join(f"{key}={rule_text(each)}" for key, each in value.items())
    return rule_text(value)


def _variant_differences(old: Sequence[VariantRecord], new: Sequence[VariantRecord]) -> list[str]:
    known = {each.name: each for each in old}
    given = {each.name: each for each in new}
    reasons = [f"variant {name!r}, which is missing here" for name in known if name not in given]
    reasons += [f"no variant {name!r}" for name in given if name not in known]
    told: set[tuple[str, str, str]] = set()
    for name in known:
        if name in given:
            wrong = {
                (field, rule_text(value), rule_text(given[name].rules.get(field)))
                for field, value in known[name].rules.items()
                if given[name].rules.get(field) != value
            }
            reasons += [f"{name}: rule {field} = {a}, not {b}" for field, a, b in sorted(wrong - told)]
            if name == BASE:
                told = wrong  # which are those of every variant that follows it
    return reasons


def _unordered(value: Any) -> Any:
    """Return a value of which lists, also within a table, compare equal in any order."""
    if isinstance(value, Mapping):
        return {key: _unordered(each) for key, each in value.items()}
    return sorted(value, key=str) if isinstance(value, list | tuple) else value
