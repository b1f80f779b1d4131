"""The results of runs, and all that is asked of them. Here playing, storing and analysing meet."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from arbosim.analysis import alpharank
from arbosim.analysis.comparison import Comparison, compare
from arbosim.analysis.deals import Blocks
from arbosim.analysis.meta import Meta, meta
from arbosim.analysis.standings import Standings, Totals
from arbosim.analysis.variance import Variance, variance
from arbosim.core.arguments import whole
from arbosim.core.columns import Column
from arbosim.core.errors import UserError, unknown
from arbosim.core.game import Game, Walkthrough, rule_text, rules_in_words
from arbosim.core.hook import Hook
from arbosim.core.numbers import counted
from arbosim.core.strategy import Entrant, Strategy
from arbosim.launch import go_on
from arbosim.match.observer import Observer
from arbosim.match.single import Played as PlayedGame
from arbosim.prepared import Played, Prepared
from arbosim.replays import Replays
from arbosim.rows import Memory, Rows
from arbosim.runs import add_random_moves, blocks, check_digest, digested, measured, no_sums, sums
from arbosim.tournament.command import again
from arbosim.tournament.manifest import Manifest

if TYPE_CHECKING:
    import pandas as pd

    from arbosim.analysis.highlights import Highlight

SAMPLE = 200
"""Games in `Results.species`; playing one again takes some milliseconds."""
OBSERVED_TOGETHER = 50
"""Games that one job observes at a time."""


class Results:
    """The results of one run.

    Attributes
    ----------
    manifest : Manifest
        The contents of run.json.
    folder : Path or None
    """

    def __init__(
        self,
        manifest: Manifest,
        game: Game,
        rows: Rows,
        *,
        folder: Path | None = None,
        entrants: Mapping[str, Entrant] | None = None,
        hook: Hook | None = None,
    ) -> None:
        self.manifest = manifest
        self.folder = folder
        self._game = game
        self._rows = rows
        self._hook = hook
        self._replays = Replays(manifest, game, rows, entrants or {})

    @classmethod
    def of(cls, played: Played) -> Results:
        """Return the results of a run that has just been played."""
        prepared = played.prepared
        results = cls(
            prepared.manifest,
            prepared.plan.game,
            played.rows,
            folder=prepared.folder,
            entrants=prepared.entrants(),
            hook=prepared.plan.measures.hook,
        )
        results.totals = played.totals
        return results

    @classmethod
    def play(cls, prepared: Prepared, progress: Callable[[int], None] | None) -> Results:
        """Play a run that has been checked, and return its results.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C; what is done is kept.
        """
        notice = prepared.notice()
        if notice:
            print(notice, file=sys.stderr)  # noqa: T201
        played = prepared.execute(prepared.settings.jobs, progress)
        if played.outcome.interrupted:
            raise KeyboardInterrupt(f"{counted(played.outcome.games, 'game')} finished")
        results = cls.of(played)
        results.warn_of_errors()
        return results

    def __repr__(self) -> str:
        state = self.manifest
        where = f" in {self.folder}" if self.folder else ""
        return (
            f"<Results: {counted(len(state.strategies), 'strategy', 'strategies')}, {state.players} players, "
            f"{counted(state.games, 'game')}, "
            f"seed {state.seed}, {state.status}{where}>"
        )

    @property
    def digest(self) -> str:
        """Return the digest of all rows."""
        return self.summary.digest

    @property
    def errors(self) -> list[dict[str, Any]]:
        """Return the mistakes; docs/tables.md says what is known of each."""
        return list(self.iter_errors())

    def iter_errors(self) -> Iterator[dict[str, Any]]:
        """Yield these mistakes one by one."""
        return self._rows.errors()

    def warn_of_errors(self) -> None:
        """Warn if games were forfeited."""
        guilty = [
            f"{counted(row.errors, 'game')} by {row.strategy}" for row in self.summary.rows if row.errors
        ]
        if guilty:
            warnings.warn(f"forfeited: {', '.join(guilty)}; results.errors tells why", stacklevel=4)

    @property
    def rules(self) -> str:
        """Return the rules that were played, in words: the nearest named rule set and what differs from it."""
        return rules_in_words(self._game, self.manifest.rules)

    @property
    def command(self) -> str:
        """Return the command line that plays the run again, as a shell reads it."""
        return again(self.manifest)

    @property
    def caution(self) -> str:
        """Return what to know about ordinary intervals where a comparison ended the run; nothing if none did."""
        asked = self.manifest.comparison
        if asked is None or asked.decision in (None, "undecided"):
            return ""
        told = (
            f"stopped by its own result after {counted(asked.deals, 'deal')} ({asked.decision}): "
            "ordinary intervals are too narrow then"
        )
        return told + (
            f"; arbosim compare --resume {self.folder} shows those that hold" if self.folder else ""
        )

    @cached_property
    def totals(self) -> Totals:
        """Return the sums over all rows."""
        return sums(self.manifest, self._rows)

    @property
    def summary(self) -> Standings:
        """Return the standings as plain objects, without pandas; `check` refuses rows first."""
        self.check()
        return self.totals.standings()

    def check(self) -> None:
        """Refuse rows that are not those of run.json: changed ones, or fewer."""
        state, totals = self.manifest, self.totals
        if self.folder is not None:
            check_digest(state, totals, self.folder)
            if state.status != "running" and totals.games < state.games:
                raise UserError(
                    f"{str(self.folder)!r} has lost {state.games - totals.games:,} of {state.games:,} games; "
                    f"arbosim run --resume {self.folder} plays them again"
                )

    @property
    def games_kept(self) -> int:
        """Return how many games there are, without reading them."""
        return self._rows.count()

    def batches(self) -> Iterator[tuple[int, list[str], np.ndarray]]:
        """Yield seed, line-up and rows, a piece at a time."""
        for match, rows in self._rows.batches():
            yield self.manifest.seed, self.manifest.line_ups[match], rows

    def checked_batches(self) -> Iterator[tuple[int, list[str], np.ndarray]]:
        """Yield the same, and refuse them after the last if they are not those of run.json, all in one pass."""
        known = "totals" in self.__dict__
        totals = self.totals if known else no_sums(self.manifest)
        for batch in self.batches():
            if not known:
                totals.add(*batch)
            yield batch
        if not known:
            add_random_moves(totals, self.manifest, self._rows)
        self.totals = totals
        self.check()

    @cached_property
    def games(self) -> pd.DataFrame:
        """Return a frame with one row per game; docs/tables.md describes the columns."""
        from arbosim.analysis import frames

        state = self.manifest
        kept = self._game.row_dtype(state.players, measured(state)).names or ()
        metrics = [column for column in self._game.game_metrics if column.name in kept]
        metrics += self._hooked("game")
        return self._documented(frames.games(self._rows.batches(), state.line_ups, state.players, metrics))

    @cached_property
    def seats(self) -> pd.DataFrame:
        """Return a frame with one row per game and seat; docs/tables.md describes the columns."""
        from arbosim.analysis import frames

        state = self.manifest
        kept = self._game.row_dtype(state.players, measured(state)).names or ()
        metrics = [column for column in self._game.seat_metrics if f"{column.name}_0" in kept]
        metrics += self._hooked("seat")
        return self._documented(frames.seats(self._rows.batches(), state.line_ups, state.players, metrics))

    def _hooked(self, per: str) -> list[Column]:
        """Return the columns of the run's compiled metric, if it has one of that kind."""
        metric = self.manifest.metric
        names = metric.names if metric is not None and metric.per == per else ()
        return [Column(name, "float64", "", f"compiled metric {name}") for name in names]

    @cached_property
    def species(self) -> pd.DataFrame:
        """Return the scores of a sample of SAMPLE games, species by species; see `species_of`."""
        return self.species_of(SAMPLE)

    def species_of(self, games: int | None = None) -> pd.DataFrame:
        """Return a frame with one row per game, seat and species, from games played again move for move.

        Parameters
        ----------
        games : int, optional
            How many games, at least 1, evenly spread over the run; all of them if it is missing. The frame's attribute
            ``sample`` says how many there are.
        """
        from arbosim.analysis import frames

        rows = self._replays.species(self._chosen(games))
        return self._sampled(frames.species(rows, self.manifest.line_ups), games)

    def observe(self, observer: Observer, games: int | None = SAMPLE, *, jobs: int = 1) -> pd.DataFrame:
        """Play games of the run again, move for move, and let an observer measure them.

        Playing again harms no result: if the observer fails, there is an error that names the game, and the run
        is what it was.

        Parameters
        ----------
        observer : Observer
            See `arbosim.Observer`; any object with a method ``end`` will do.
        games : int, optional
            How many games, at least 1, evenly spread over the run; all of them if it is None. The frame's
            attribute ``sample`` says how many there are.
        jobs : int
            1 observes here, -1 with all cores: each then has a copy of the observer, so that what it measures
            must not depend on the games before.

        Returns
        -------
        DataFrame
            One row per game and seat: match, deal, rotation, seat, strategy, and the metrics as float64; what the
            observer gave one number a game has this number on every seat.
        """
        from arbosim.analysis import frames

        rows = self._replays.observe(observer, self._chosen(games), jobs)
        return self._sampled(frames.observed(rows, self.manifest.line_ups), games)

    def _chosen(self, games: int | None) -> list[int]:
        """Return the numbers of so many games, evenly spread over the run; of all of them if there is no number."""
        total = self.totals.games
        wanted = total if games is None else min(whole(games, "games", 1), total)
        return [number * total // wanted for number in range(wanted)]

    def _sampled(self, frame: pd.DataFrame, games: int | None) -> pd.DataFrame:
        frame.attrs["sample"] = f"{len(self._chosen(games)):,} of {self.totals.games:,} games"
        return self._documented(frame)

    def replay(self, game: str | tuple[int, int, int]) -> PlayedGame:
        """Play a game of the run again, move for move.

        Parameters
        ----------
        game : str or tuple
            Match, deal and rotation, as in ``"3-120-1"`` or ``(3, 120, 1)``.
        """
        return self._replays.replay(game)

    def highlights(self) -> list[Highlight]:
        """Choose games worth a look; `arbosim.analysis.highlights.highlights` says how."""
        from arbosim.analysis.highlights import highlights

        state = self.manifest
        return highlights(
            lambda: ((match, state.line_ups[match], rows) for match, rows in self._rows.batches()),
            state.players,
        )

    @property
    def title(self) -> str:
        """Return the name of the game, as people write it."""
        return self._game.title

    def names(self, game: str | tuple[int, int, int]) -> list[str]:
        """Return who sits where in a game of the run, by seat."""
        return self._replays.names(game)

    def check_game(self, game: str | tuple[int, int, int]) -> None:
        """Raise a UserError if a game is none of the run, or has not been played yet."""
        self._replays.check(game)

    def walkthrough(self, game: str | tuple[int, int, int]) -> Walkthrough:
        """Play a game of the run again, and return it step by step for a page.

        Raises
        ------
        UserError
            The run has no such game, or its strategies are not those of the run any more.
        """
        return self._replays.walkthrough(game)

    def thinned(self, games: int) -> Results:
        """Return the results of about so many games, in memory: those of every n-th deal; all if there are no more."""
        step = -(-self.totals.games // games)
        if step <= 1:
            return self
        rows = Memory()
        for match, batch in self._rows.batches():
            rows.write(match, batch[(batch["deal"] - self.manifest.deals_from) % step == 0], ())
        return Results(self.manifest, self._game, rows)

    def report(
        self, path: str | Path | None = None, *, games: Sequence[str] = (), overwrite: bool = False
    ) -> Path:
        """Write a page about the run, one HTML file that needs nothing else, and return where it lies.

        Parameters
        ----------
        path : path, optional
            ``report.html`` in the run folder if it is missing. A report that lies there already is replaced,
            any other file only with ``overwrite``.
        games : sequence of str
            Games to show besides those that are chosen, each as in ``"3-120-1"``.
        """
        from arbosim.report import run_page

        return run_page.write(self, path, games, overwrite=overwrite)

    def extend(self, deals: int, *, jobs: int = -1, progress: Callable[[int], None] | None = None) -> Results:
        """Play more deals into the run folder, and return the results of the whole.

        Parameters
        ----------
        deals : int
            Their number afterwards.
        """
        return self._go_on({"deals": deals, "jobs": jobs}, (), progress)

    def add(
        self,
        *strategies: str | Strategy | type | Entrant,
        jobs: int = -1,
        progress: Callable[[int], None] | None = None,
    ) -> Results:
        """Let more strategies take part, play their games into the run folder, and return the results of all."""
        return self._go_on({"jobs": jobs}, strategies, progress)

    def _go_on(
        self,
        given: Mapping[str, object],
        added: Sequence[str | Strategy | type | Entrant],
        progress: Callable[[int], None] | None,
    ) -> Results:
        if self.folder is None:
            raise UserError(
                "these results lie in memory; arbosim.run(..., output=FOLDER) keeps a run to go on with"
            )
        # objects of this program are found here and nowhere else
        found: dict[str, object] = {} if self._hook is None else {"metric": self._hook}
        found["strategies"] = [self._replays.entrants.get(spec, spec) for spec in self.manifest.specs]
        prepared = go_on(self.folder, {**found, **given}, extend=True, add=added)
        return Results.play(prepared, progress)

    def show(self) -> None:
        """Print the standings as the command line does."""
        from arbosim.report.text import as_text

        print(as_text(self.summary, [self]))  # noqa: T201

    def standings(self) -> pd.DataFrame:
        """Return the standings, best first; docs/tables.md describes the columns."""
        from arbosim.analysis import frames, standings

        return self._table(frames.standings(self.summary.rows), standings.COLUMNS)

    def matrix(self) -> pd.DataFrame:
        """Return the share of common games in which the row finishes above the column, ties half."""
        from arbosim.analysis import frames

        matrix = frames.matrix(self.summary.matrix)
        return self._table(matrix, [replace(frames.MATRIX[-1], name=str(name)) for name in matrix])

    def ratings(self) -> pd.DataFrame:
        """Return the ratings in Elo, the highest first, with the effects of seats and ties as attributes.

        docs/tables.md describes the columns and the attributes.
        """
        from arbosim.analysis import frames, ratings

        return self._table(frames.ratings(self.summary), ratings.COLUMNS)

    def pairs(self) -> pd.DataFrame:
        """Return all pairs of strategies, and which of them are decided; docs/tables.md describes the columns."""
        from arbosim.analysis import frames, pairs

        return self._table(frames.pairs(self.summary.pairs), pairs.COLUMNS)

    def progress(self) -> pd.DataFrame:
        """Return how each win share settles while the deals come in; docs/tables.md describes the columns."""
        from arbosim.analysis import frames

        return self._documented(frames.progress(self._checked))

    def compare(self, first: str, second: str) -> Comparison:
        """Compare two strategies of the run, paired by deal."""
        for name in (first, second):
            if name not in self.manifest.specs:
                raise unknown("strategy", name, self.manifest.specs)
        if first == second:
            raise UserError(f"{first!r} cannot be compared with itself")
        found = compare(self.batches(), first, second, self.manifest.players, blocks(self.manifest))
        return replace(found, note=self.caution)

    def variance(self) -> Variance:
        """Split the variance of results: strategy, seat, deal, rest; and tell what duplicate deals saved.

        Raises
        ------
        UserError
            No line-up has two deals.
        """
        state, sums = self.manifest, self._checked
        played = np.asarray(sums.pair_met.any(axis=(0, 1)))
        return variance(self.batches(), state.players, sums.blocks, played, state.seed)

    def meta(self, *, alpha: float = alpharank.ALPHA, population: int = alpharank.POPULATION) -> Meta:
        """Describe what the strategies are among each other: mixtures that nothing beats, and cycles.

        Parameters
        ----------
        alpha, population : float, int
            Selection pressure and population size of alpha-rank.

        Raises
        ------
        UserError
            Some pair of strategies never met, as in a gauntlet.
        """
        sums = self._checked
        return meta(
            sums.specs,
            sums.pair_above,
            sums.pair_met,
            sums.blocks,
            self.manifest.seed,
            alpha=alpha,
            population=population,
        )

    @property
    def _checked(self) -> Totals:
        """Return the sums over all rows, which are those of run.json."""
        self.check()
        return self.totals

    def _repr_html_(self) -> str:
        from arbosim.report.tables import html_table

        return f"<p>{escape(repr(self))}</p>{html_table(self.standings())}"

    def to_csv(self, folder: str | Path) -> None:
        """Write all tables as CSV into a new folder, and `schema.json`, which explains them; see docs/tables.md.

        Raises
        ------
        UserError
            There is something in the folder, or it cannot be written.
        """
        self._export(folder, "csv")

    def to_parquet(self, folder: str | Path) -> None:
        """Write the same tables as Parquet."""
        self._export(folder, "parquet")

    def _export(self, folder: str | Path, form: Literal["csv", "parquet"]) -> None:
        from arbosim.analysis import frames, pairs, ratings, standings
        from arbosim.report import export

        export.check(Path(folder))
        tables = {
            "games": (self.games, (*frames.GAMES, *self._game.game_metrics, *self._hooked("game"))),
            "seats": (self.seats, (*frames.SEATS, *self._game.seat_metrics, *self._hooked("seat"))),
            "standings": (self.standings().reset_index(), standings.COLUMNS),
            "ratings": (self.ratings(), ratings.COLUMNS),
            "pairs": (self.pairs(), pairs.COLUMNS),
            "matrix": (self._documented(frames.long_matrix(self.summary.matrix)), frames.MATRIX),
        }
        export.export(tables, self.manifest.model_dump(mode="json"), folder, form)

    def _table(self, frame: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
        """Return a small frame as one that prints well."""
        from arbosim.report.tables import Table

        return Table.of(self._documented(frame), columns)

    def _documented(self, frame: pd.DataFrame) -> pd.DataFrame:
        frame.attrs["schema_version"] = self.manifest.schema_version
        return frame


def together(runs: Sequence[Results]) -> Standings:
    """Return the standings over several runs, if they fit.

    Raises
    ------
    UserError
        They differ in what they play, or hold the same games.
    """
    first = runs[0].manifest
    sources: dict[str, str] = {}
    held: dict[tuple[int, tuple[str, ...]], list[tuple[int, int]]] = {}
    for results in runs:
        state = results.manifest
        facts, expected = _what_must_fit(state), _what_must_fit(first)
        differing = [name for name in {**expected, **facts} if expected.get(name) != facts.get(name)]
        if differing:
            what = ", ".join(
                f"{name}: {rule_text(expected.get(name))} and {rule_text(facts.get(name))}"
                for name in differing
            )
            raise UserError(f"{runs[0].folder} and {results.folder} do not fit together: {what}")
        for record in state.strategies:
            if sources.setdefault(record.spec, record.source_hash) != record.source_hash:
                raise UserError(
                    f"{results.folder} has another source of {record.spec!r} than a run before it"
                )
        start, end = state.deals_from, state.deals_from + state.deals
        for line_up in state.line_ups:
            ranges = held.setdefault((state.seed, tuple(line_up)), [])
            if any(start < other_end and other_start < end for other_start, other_end in ranges):
                raise UserError(
                    f"{results.folder} holds games of {', '.join(line_up)} that a run before it holds as "
                    f"well (seed {state.seed}, deals {start} to {end - 1}); they would count twice"
                )
            ranges.append((start, end))
    spans = [(r.manifest.seed, r.manifest.deals_from, r.manifest.deals) for r in runs]
    totals = Totals(sorted(sources), first.players, Blocks(spans), digested(first))
    for results in runs:
        for seed, line_up, rows in results.batches():
            totals.add(seed, line_up, rows)
        add_random_moves(totals, results.manifest, results._rows)
    return totals.standings()


def _what_must_fit(state: Manifest) -> dict[str, object]:
    return {
        "game": state.game,
        "rules version": state.rules_version,
        "players": state.players,
        **state.rules,
    }
