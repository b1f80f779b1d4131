"""What a study found, read once for all sections of its page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from arbosim.analysis.balance import GROUPS
from arbosim.report import amounts
from arbosim.report.study.rows import BASE, Effect, Standing, Value, families, read

if TYPE_CHECKING:
    from arbosim.studies.study import Study

Key = tuple[str, str]
"""A metric, and whom it is about; the latter is empty for a metric of the whole table."""
Family = tuple[int, str]
"""A number of players and a pool, within which p-values are corrected."""
BAN_COST, SKILL_TRACE = "ban_cost", "skill_trace"
KINDS = {BAN_COST: "ban", SKILL_TRACE: "trace"}
"""The kinds of runs that metrics come from, where they are not those of the pool."""


class Found:
    """The rows of a study's frames, and how its metrics are called and written."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.values = read(study.metrics, Value)
        rows = read(study.effects, Effect)
        is_told = [not self._is_of_forfeited(row) for row in rows]
        self.frame = study.effects[is_told]
        self.effects = [row for row, told in zip(rows, is_told, strict=True) if told]
        self.standings = read(study.strategies, Standing)
        self.families: list[Family] = families([*self.values, *self.effects, *self.standings])

    @cached_property
    def variants(self) -> list[str]:
        """Return the names of the variants without the base, in the order of the study."""
        names = [*self.study.variants["variant"], *(row.variant for row in self.effects)]
        return [name for name in dict.fromkeys(names) if name != BASE]

    @cached_property
    def metrics(self) -> list[str]:
        """Return the names of what was measured: in the order of the study, or else those that weigh most first."""
        names = dict.fromkeys([*(row.metric for row in self.values), *(row.metric for row in self.effects)])
        asked = self.study.manifest.metrics
        if asked is not None:
            return sorted(names, key=lambda name: asked.index(name) if name in asked else len(asked))
        known = self.study.described
        return sorted(
            names, key=lambda name: GROUPS.index(known[name].group) if name in known else len(GROUPS)
        )

    @cached_property
    def keys(self) -> list[Key]:
        """Return what was measured: metrics of the whole table first, then those of strategies."""
        keys = dict.fromkeys([*(row.key for row in self.values), *(row.key for row in self.effects)])
        return sorted(keys, key=lambda key: (bool(key[1]), self.metrics.index(key[0])))

    @cached_property
    def forfeited(self) -> dict[str, str]:
        """Return the variants of the runs of which every game was forfeited, by the names of the runs."""
        runs = self.study.manifest.runs
        return {run.name: run.variant for run in runs if run.games and run.errors >= run.games}

    def _is_of_forfeited(self, row: Effect) -> bool:
        """Return whether an effect rests on runs of which every game was forfeited, which say nothing of the rules."""
        kind = KINDS.get(row.metric, "pool")
        return any(
            (run.kind, run.players, run.pool) == (kind, *row.family)
            and run.variant in (BASE, row.variant)
            and run.subject == ("" if kind == "pool" else row.subject)
            for run in self.study.manifest.runs
            if run.name in self.forfeited
        )

    @cached_property
    def significant(self) -> list[Effect]:
        """Return the significant effects, the clearest first: the largest in units of their intervals."""
        return sorted(
            (row for row in self.effects if row.significant), key=lambda row: row.clearness, reverse=True
        )

    @cached_property
    def _by_place(self) -> dict[tuple[Family, str, Key], Effect]:
        return {(row.family, row.variant, row.key): row for row in self.effects}

    @cached_property
    def _values_by_place(self) -> dict[tuple[Family, str, Key], Value]:
        return {(row.family, row.variant, row.key): row for row in self.values}

    def effect(self, family: Family, variant: str, key: Key) -> Effect | None:
        """Return what a variant changes of what was measured, if that is known."""
        return self._by_place.get((family, variant, key))

    def value(self, family: Family, variant: str, key: Key) -> Value | None:
        """Return what was measured under a variant."""
        return self._values_by_place.get((family, variant, key))

    @cached_property
    def _units(self) -> dict[str, str]:
        return {row.metric: row.unit for row in self.values}

    def unit(self, metric: str) -> str:
        """Return the unit of a metric."""
        known = self.study.described.get(metric)
        return self._units.get(metric, known.unit if known else "")

    def title(self, key: Key) -> str:
        """Return how people call what was measured."""
        metric, subject = key
        known = self.study.described.get(metric)
        name = known.title if known else metric.replace("_", " ")
        return f"{name} ({subject})" if subject else name

    def meaning(self, metric: str) -> str:
        """Return what a metric tells, in a plain sentence."""
        known = self.study.described.get(metric)
        return known.meaning if known else ""

    def base(self, row: Effect) -> str:
        """Return what is measured under the base rules, with its unit, as it is written everywhere."""
        value = self.value(row.family, BASE, row.key)
        return base_text(row, [value] if value else [], self.unit(row.metric))


def base_text(row: Effect, values: Sequence[Value], unit: str) -> str:
    """Return the base value of an effect with its unit, to the digits that its own interval bears out."""
    for value in values:
        if (value.family, value.variant, value.key) == (row.family, BASE, row.key):
            return amounts.like(value.value, unit, value.low, value.high)
    return amounts.like(row.base, unit, None, None)
