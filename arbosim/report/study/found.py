"""What a study found, read once for all sections of its page."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from arbosim.report.study.rows import BASE, Effect, Standing, Value, families, read

if TYPE_CHECKING:
    from arbosim.studies.study import Study

Key = tuple[str, str]
"""A metric, and whom it is about; the latter is empty for a metric of the whole table."""
Family = tuple[int, str]
"""A number of players and a pool, within which p-values are corrected."""


class Found:
    """The rows of a study's frames, and how its metrics are called and written."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.values = read(study.metrics, Value)
        self.effects = read(study.effects, Effect)
        self.standings = read(study.strategies, Standing)
        self.families: list[Family] = families([*self.values, *self.effects, *self.standings])

    @cached_property
    def variants(self) -> list[str]:
        """Return the names of the variants without the base, in the order of the study."""
        names = [*self.study.variants["variant"], *(row.variant for row in self.effects)]
        return [name for name in dict.fromkeys(names) if name != BASE]

    @cached_property
    def keys(self) -> list[Key]:
        """Return what was measured: metrics of the whole table first, then those of strategies."""
        keys = dict.fromkeys([*(row.key for row in self.values), *(row.key for row in self.effects)])
        return sorted(keys, key=lambda key: bool(key[1]))

    @cached_property
    def significant(self) -> list[Effect]:
        """Return the significant effects, the clearest first: the largest in units of their intervals."""
        return sorted(
            (row for row in self.effects if row.significant), key=lambda row: row.clearness, reverse=True
        )

    @cached_property
    def telling(self) -> list[Effect]:
        """Return the effects that say something: deals were enough, and not all games were forfeited."""
        return [
            row
            for row in self.effects
            if row.is_known and not self.study.is_void(row.variant, row.players, row.pool)
        ]

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
        """Return how a metric is computed, in a line."""
        known = self.study.described.get(metric)
        return known.formula if known else ""
