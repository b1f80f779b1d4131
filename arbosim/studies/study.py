"""A study that has been played, or as much of it as was: its runs, metrics and effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from arbosim.core import registry
from arbosim.core.columns import Column
from arbosim.core.errors import UserError, unknown
from arbosim.core.game import Game, rule_text, rules_in_words
from arbosim.core.numbers import counted
from arbosim.lab import load as load_run
from arbosim.results import Results
from arbosim.studies import estimates, lacking
from arbosim.studies.columns import DISAGREEMENTS, EFFECTS, METRICS, STRATEGIES, VARIANTS
from arbosim.studies.folder import RUNS, RunRecord, StudyManifest
from arbosim.studies.lacking import Lack
from arbosim.studies.metrics import known_metrics
from arbosim.studies.pieces import GIVEN, RETUNED
from arbosim.studies.variants import BASE
from arbosim.tournament.manifest import FILE as RUN_FILE

if TYPE_CHECKING:
    import pandas as pd

    from arbosim.analysis.balance import Estimates, Metric


class Study:
    """A study.

    Attributes
    ----------
    manifest : StudyManifest
        The contents of study.json.
    folder : Path or None
    game : Game
    """

    def __init__(
        self,
        manifest: StudyManifest,
        folder: Path | None = None,
        results: Mapping[str, Results] | None = None,
    ) -> None:
        self.manifest = manifest
        self.folder = folder
        self.game: Game = registry.game(manifest.game)
        self._results = dict(results or {})

    def __repr__(self) -> str:
        state = self.manifest
        where = f" in {self.folder}" if self.folder else ""
        return (
            f"<Study: {counted(len(state.variants) - 1, 'variant')}, {counted(len(state.runs), 'run')}, "
            f"{counted(state.games, 'game')}, seed {state.seed_told}, {self.status}{where}>"
        )

    def __str__(self) -> str:
        from arbosim.studies.text import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from arbosim.studies.text import as_html

        return as_html(self)

    @property
    def title(self) -> str:
        """Return what the study is called."""
        return self.manifest.title

    @property
    def question(self) -> str:
        """Return what it asks."""
        return self.manifest.question

    @property
    def seed(self) -> int:
        """Return the master seed."""
        return self.manifest.seed

    @property
    def digest(self) -> str:
        """Return the digest of all runs; it depends neither on jobs nor on the order in which they were played."""
        return self.manifest.digest

    @property
    def command(self) -> str:
        """Return the command line that plays the study again; empty for one in memory."""
        if self.manifest.command or self.folder is None:
            return self.manifest.command
        return f"arbosim study {self.folder / 'study.json'}"

    @property
    def status(self) -> str:
        """Return whether it is running, interrupted or finished, and whether games are lost."""
        return lacking.status(self.manifest, self.incomplete)

    @property
    def left_out(self) -> list[str]:
        """Return which runs lack games, so that nothing is concluded from them, in words; nothing if none does."""
        again = f"arbosim study --resume {self.folder}" if self.folder else ""
        return lacking.notes(self.incomplete, again)

    @property
    def notes(self) -> list[str]:
        """Return what to know, first of all which runs are left out, and which say nothing of the rules."""
        void = ", ".join(record.name for record in self.manifest.runs if record.games == record.errors > 0)
        told = (
            [f"all games were forfeited by a mistake, so nothing is known of the rules: {void}"]
            if void
            else []
        )
        return [*self.left_out, *told, *self.manifest.notes]

    def is_void(self, variant: str, players: int, pool: str) -> bool:
        """Tell whether all games of the base or of a variant were forfeited: then their difference says nothing."""
        return any(
            record.games == record.errors > 0
            for record in self.manifest.runs
            if (record.kind, record.players, record.pool) == ("pool", players, pool)
            if record.variant in (BASE, variant)
        )

    @cached_property
    def incomplete(self) -> dict[str, Lack]:
        """Return the runs that lack games, by their names; metrics and effects are of the others alone."""
        return lacking.lacking(self.manifest, self._results_if_there)

    @property
    def runs(self) -> list[RunRecord]:
        """Return the records of all runs."""
        return list(self.manifest.runs)

    @property
    def described(self) -> dict[str, Metric]:
        """Return what the metrics mean, by name."""
        return known_metrics(self.game)

    def results(
        self, variant: str = BASE, players: int | None = None, pool: Literal["given", "retuned"] = GIVEN
    ) -> Results:
        """Return the results of the run of a variant.

        Parameters
        ----------
        players : int, optional
            May be missing where the study has one number only.
        """
        state = self.manifest
        names = [each.name for each in state.variants]
        if variant not in names:
            raise unknown("variant", variant, names)
        if pool not in (GIVEN, RETUNED):
            raise unknown("pool", str(pool), (GIVEN, RETUNED))
        counts = state.players
        if players is None and len(counts) > 1:
            raise UserError(f"which players? The study has {', '.join(map(str, counts))}")
        count = counts[0] if players is None else players
        for record in state.runs:
            if (record.kind, record.variant, record.players, record.pool) == ("pool", variant, count, pool):
                return self.run(record.name)
        raise UserError(f"the study has no run of {variant!r} with {count} players and the {pool} pool")

    def run(self, name: str) -> Results:
        """Return the results of any run of the study by its name, as in `runs`."""
        names = [record.name for record in self.manifest.runs]
        if name not in names:
            raise unknown("run", name, names)
        if name not in self._results:
            if self.folder is None:
                raise UserError(f"the run {name!r} was not played")
            place = self.folder / RUNS / name
            found = load_run(place)
            self.manifest.runs[names.index(name)].check(found.manifest, place)
            self._results[name] = found
        return self._results[name]

    @cached_property
    def variants(self) -> pd.DataFrame:
        """Return a frame with one row per variant, the base first: variant, changed, rules in words."""
        return _frame(
            [
                (
                    each.name,
                    ", ".join(f"{field}={rule_text(value)}" for field, value in each.changed.items()),
                    rules_in_words(self.game, each.rules),
                )
                for each in self.manifest.variants
            ],
            VARIANTS,
        )

    @cached_property
    def metrics(self) -> pd.DataFrame:
        """Return a frame with one row per players, pool, variant, metric and subject; METRICS describes the columns."""
        from arbosim.analysis import effects

        rows = [
            {"players": players, "pool": pool, **asdict(value)}
            for (players, pool), by_variant in self._estimates.items()
            for value in effects.values(by_variant, self.described)
        ]
        return _frame(rows, METRICS)

    @cached_property
    def effects(self) -> pd.DataFrame:
        """Return a frame with what each variant does to each metric; EFFECTS describes the columns."""
        from arbosim.analysis import effects

        rows = [
            {"players": players, "pool": pool, **asdict(effect), "significant": effect.significant}
            for (players, pool), by_variant in self._estimates.items()
            if BASE in by_variant
            for effect in effects.compare(by_variant, self.described, BASE)
        ]
        return _frame(rows, EFFECTS)

    @cached_property
    def disagreements(self) -> pd.DataFrame:
        """Return the effects about which given and re-tuned players disagree; DISAGREEMENTS describes the columns.

        Both are significant, with opposite signs; or one of them is, and so is the difference between the two.
        """
        found = self.effects
        rows = []
        for players in self.manifest.players:
            here = found[found["players"] == players]
            given, retuned = (here[here["pool"] == pool] for pool in (GIVEN, RETUNED))
            if not given.empty and not retuned.empty:
                old, new = (self._estimates[players, pool] for pool in (GIVEN, RETUNED))
                rows += [
                    {"players": players, **row}
                    for row in estimates.disagreements(old, new, given, retuned, self.described)
                ]
        return _frame(rows, DISAGREEMENTS)

    @cached_property
    def strategies(self) -> pd.DataFrame:
        """Return how the strategies of the pool fare under each variant; STRATEGIES describes the columns."""
        rows: list[tuple[Any, ...]] = []
        for record, results in self._whole():
            if record.kind == "pool":
                masses, names = _nash(results), record.stands_for
                cell = (record.players, record.pool, record.variant)
                rows += [
                    (
                        *cell,
                        names.get(row.strategy, row.strategy),
                        *(row.win_share, row.low, row.high),
                        *masses.get(row.strategy, (None, None, None)),
                    )
                    for row in results.summary.rows
                ]
        return _frame(rows, STRATEGIES)

    def report(self, path: str | Path | None = None, *, overwrite: bool = False) -> Path:
        """Write a page about the study, one HTML file that needs nothing else, and return where it lies.

        Parameters
        ----------
        path : path, optional
            ``report.html`` in the study folder if it is missing. A report that lies there already is replaced, any
            other file only with ``overwrite``.
        """
        from arbosim.report import study_page

        return study_page.write(self, path, overwrite=overwrite)

    def to_json(self) -> dict[str, Any]:
        """Return the study as machines read it."""
        state = self.manifest
        frames = {
            "variants": self.variants,
            "metrics": self.metrics,
            "effects": self.effects,
            "disagreements": self.disagreements,
            "strategies": self.strategies,
        }
        facts = (
            "title",
            "question",
            "players",
            "deals",
            "seed",
            "digest",
            "games",
            "errors",
            "status",
        )
        return {
            "study": str(self.folder) if self.folder else None,
            **{name: getattr(state, name) for name in facts},
            "notes": self.notes,
            "incomplete": list(self.incomplete),
            **{name: _records(frame) for name, frame in frames.items()},
        }

    def _whole(self) -> Iterator[tuple[RunRecord, Results]]:
        """Yield the runs that have all their games."""
        for record in lacking.whole(self.manifest, self.incomplete):
            yield record, self.run(record.name)

    def _results_if_there(self, record: RunRecord) -> Results | None:
        is_there = record.name in self._results or (
            self.folder is not None and (self.folder / RUNS / record.name / RUN_FILE).exists()
        )
        return self.run(record.name) if is_there else None

    @cached_property
    def _estimates(self) -> dict[tuple[int, str], dict[str, Estimates]]:
        """Return what the runs say, by players and pool, then by variant."""
        by_cell: dict[tuple[int, str, str], list[tuple[RunRecord, Results]]] = {}
        for record, results in self._whole():
            by_cell.setdefault((record.players, record.pool, record.variant), []).append((record, results))
        found: dict[tuple[int, str], dict[str, Estimates]] = {}
        for (players, pool, variant), runs in by_cell.items():
            if any(record.kind == "pool" for record, _ in runs):
                estimate = estimates.of_variant(runs, self.game, self.manifest.metrics)
                for _, results in runs:
                    results.check()  # which costs nothing for the rows that were read
                found.setdefault((players, pool), {})[variant] = estimate
        return found


def _nash(results: Results) -> dict[str, tuple[float, float, float]]:
    """Return the masses of the Nash mixture with their intervals, by strategy; none where some pair never met."""
    try:
        masses = results.meta().masses["nash"]
    except UserError:
        return {}
    return {each.strategy: (each.mass, each.low, each.high) for each in masses}


def _frame(rows: Sequence[Any], columns: Sequence[Column]) -> pd.DataFrame:
    """Return rows as a frame with these columns, in their dtypes."""
    import pandas as pd

    from arbosim.report.tables import Table

    frame = pd.DataFrame(rows, columns=[column.name for column in columns])
    return Table.of(frame.astype({column.name: column.dtype for column in columns}), columns)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame, with null for what is missing."""
    return [
        {
            str(name): None if isinstance(value, float) and isnan(value) else value
            for name, value in row.items()
        }
        for row in frame.to_dict("records")
    ]
