"""Beginning, resuming and extending a run: everything is checked before anything is played or written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

import arbosim
from arbosim.analysis import frames
from arbosim.analysis.deals import Blocks
from arbosim.analysis.standings import Totals
from arbosim.core import digest, registry
from arbosim.core.arguments import shown
from arbosim.core.errors import UserError
from arbosim.core.game import ENGINE, Game, GameError
from arbosim.core.hook import Hook, extended, fields
from arbosim.core.seeds import master_seed
from arbosim.core.spec import parse_list
from arbosim.core.strategy import Entrant, Strategy
from arbosim.storage.lock import Lock
from arbosim.storage.parts import Parts
from arbosim.tournament import config, design, manifest
from arbosim.tournament.manifest import Manifest, MetricRecord, StrategyRecord
from arbosim.tournament.run import Outcome, Plan, Range, play

_SETTINGS = (
    "game",
    "players",
    "deals",
    "deals_from",
    "seed",
    "schedule",
    "focus",
    "rules",
    "strict",
    "lean",
    "on_error",
)


class Rows(Protocol):
    """Where the rows of a run lie: in memory, or as the parts of a folder."""

    def write(self, match: int, rows: np.ndarray, errors: Iterable[Mapping[str, Any]]) -> None:
        """Keep rows of consecutive whole deals of one match, and the errors in them."""

    def batches(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield match and rows."""

    def row(self, match: int, deal: int, rotation: int) -> np.void | None:
        """Return the row of one game, or None if it has not been played."""

    def errors(self) -> Iterator[dict[str, Any]]:
        """Yield all errors."""

    def cut(self, end: int) -> None:
        """Forget the deals from ``end`` on."""


class Judge(Protocol):
    """Who reads rows while a run is played, and ends it."""

    def see(self, match: int, rows: np.ndarray) -> None:
        """Take note of rows of consecutive whole deals of one match; they come in any order."""

    def is_over(self) -> bool:
        """Tell whether enough has been seen."""

    def settle(self, state: Manifest) -> None:
        """Write into run.json what was found, and the number of deals that the run has now: those that were needed."""


class Memory:
    """Rows that are not kept on disk."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, np.ndarray]] = []
        self._errors: list[dict[str, Any]] = []

    def write(self, match: int, rows: np.ndarray, errors: Iterable[Mapping[str, Any]]) -> None:
        """Keep rows of consecutive whole deals of one match, and the errors in them."""
        self._rows.append((match, rows))
        self._errors.extend(dict(error) for error in errors)

    def batches(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield match and rows, in the order of matches and deals."""
        full = [entry for entry in self._rows if len(entry[1])]
        yield from sorted(full, key=lambda entry: (entry[0], int(entry[1]["deal"][0])))

    def row(self, match: int, deal: int, rotation: int) -> np.void | None:
        """Return the row of one game, or None if it has not been played."""
        for number, rows in self._rows:
            at = np.flatnonzero((rows["deal"] == deal) & (rows["rotation"] == rotation))
            if number == match and len(at):
                found: np.void = rows[at[0]]
                return found
        return None

    def errors(self) -> Iterator[dict[str, Any]]:
        """Yield all errors in the order of their games."""
        yield from sorted(self._errors, key=lambda error: (error["match"], error["deal"], error["rotation"]))

    def cut(self, end: int) -> None:
        """Forget the deals from ``end`` on."""
        self._rows = [(match, rows[rows["deal"] < end]) for match, rows in self._rows]
        self._errors = [error for error in self._errors if error["deal"] < end]


@dataclass
class Prepared:
    """A checked run that has not begun or not ended; nothing has been written so far."""

    plan: Plan
    manifest: Manifest
    settings: config.Settings
    folder: Path | None = None
    old: Manifest | None = None  # of a run that is there already
    lock: Lock | None = None  # of the same; a new one is locked when it begins
    judge: Judge | None = None  # may end it before all deals are played
    has_begun: bool = False
    _here: Path = field(default_factory=Path.cwd)  # a strategy may go elsewhere while it plays

    def execute(
        self,
        jobs: int = -1,
        progress: Callable[[int], None] | None = None,
        watch: Callable[[int, np.ndarray], None] | None = None,
    ) -> Played:
        """Play what is missing, and keep it.

        Parameters
        ----------
        progress : callable
            Is told after each chunk how many games were finished.
        watch : callable
            Is given match and rows of each chunk.
        """
        self.compile(lambda _name: None)  # before anything is written: a strategy may not compile
        if self.folder is None:
            return self._play(Memory(), {}, jobs, progress, watch)
        parts = self._parts()
        is_made = not self._place.exists()
        lock = self.lock or self._create(parts)
        try:
            if not self.is_new:
                parts.mend()
            return self._play(parts, parts.done(), jobs, progress, watch)
        except UserError:
            if self.is_new and parts.remove_if_empty():  # as after wrong input, which a failing metric is
                (self._place / manifest.FILE).unlink()
                if is_made:
                    self._place.rmdir()
            raise
        finally:
            lock.release()

    @property
    def is_new(self) -> bool:
        """Return whether there is no run yet."""
        return self.old is None

    @property
    def _place(self) -> Path:
        return self._here / (self.folder or "")

    def _parts(self) -> Parts:
        return parts_of(self._place, self.manifest, self.plan.game)

    def _create(self, parts: Parts) -> Lock:
        """Make the folder of a new run, and keep others out of it."""
        try:
            self._place.mkdir(parents=True, exist_ok=True)
            lock = Lock(self._place)
            _check_free(self._place, self.settings)  # another process may have been faster
            parts.create()
            self._save()
        except OSError as error:
            raise UserError(f"the folder {str(self.folder)!r} cannot be written: {error.strerror}") from error
        return lock

    @property
    def games_left(self) -> int:
        """Return how many games are to be played."""
        missing = self._missing().values()
        return sum(deals for ranges in missing for _, deals in ranges) * self.plan.players

    def uncompiled(self) -> list[str]:
        """Return the parts that have to be compiled before the first game."""
        return self.plan.game.uncompiled(self._playing(), self.plan.hook)

    def notice(self) -> str:
        """Return what to tell before they are compiled, because it takes a while; nothing if there are none."""
        names = self.uncompiled()
        what = f"{', '.join(names[:3])} and {len(names) - 3} more" if len(names) > 4 else ", ".join(names)
        needed = "a minute or so" if ENGINE in names else "about 10 seconds a strategy"
        return f"Compiling {what}, which takes {needed}; later runs start at once." if names else ""

    def compile(self, tell: Callable[[str], None]) -> None:
        """Compile them; `tell` is told each name before."""
        playing = self._playing()
        if playing:
            self.plan.game.compile_all(playing, tell, self.plan.hook)

    def _missing(self) -> dict[int, list[Range]]:
        done = {}
        if self.folder is not None and not self.is_new:
            done = self._parts().done()
        return self.plan.missing(done)

    def _playing(self) -> list[Entrant]:
        """Return the strategies of line-ups that lack games."""
        line_ups = [self.plan.line_ups[match] for match, ranges in self._missing().items() if ranges]
        return list({entrant.spec: entrant for line_up in line_ups for entrant in line_up}.values())

    def _play(
        self,
        rows: Rows,
        done: Mapping[int, Sequence[Range]],
        jobs: int,
        progress: Callable[[int], None] | None,
        watch: Callable[[int, np.ndarray], None] | None,
    ) -> Played:
        state = self.manifest
        totals = sums(state, rows)  # of what is there already
        if self.old is not None:
            check_digest(self.old, totals, self._place)
        self.has_begun = True
        state.status, state.finished = "running", None
        self._save()
        keeper = _Keeper(self.plan, rows, totals, [each for each in (watch, self._judged(rows)) if each])
        stop = None if self.judge is None else self.judge.is_over
        outcome = None
        try:
            outcome = play(self.plan, keeper, jobs=jobs, done=done, progress=progress, stop=stop)
            state.seconds += outcome.seconds
            if self.judge is not None and self.judge.is_over():
                self.judge.settle(state)
                rows.cut(state.deals_from + state.deals)
                self.plan = replace(self.plan, deals=state.deals)
                played, totals = totals.games, sums(state, rows)
                state.seconds *= totals.games / played  # what is forgotten is not counted as time either
        finally:
            state.games, state.errors = totals.games, totals.errors
            state.digest = digest.to_text(totals.digest)
            state.status = _status(state, outcome)
            state.finished = manifest.now()
            self._save()
        return Played(self, rows, totals, outcome)

    def _judged(self, rows: Rows) -> Callable[[int, np.ndarray], None] | None:
        """Return what shows rows to the judge, who has seen those that are there already."""
        if self.judge is None:
            return None
        for match, some in rows.batches():
            self.judge.see(match, some)
        return self.judge.see

    def entrants(self) -> dict[str, Entrant]:
        """Return the entrants by spec."""
        return {entrant.spec: entrant for line_up in self.plan.line_ups for entrant in line_up}

    def _save(self) -> None:
        if self.folder is not None:
            self.manifest.save(self._place)


@dataclass
class Played:
    """A run after it was played, or as much of it as was."""

    prepared: Prepared
    rows: Rows
    totals: Totals
    outcome: Outcome


def _status(state: Manifest, outcome: Outcome | None) -> Literal["finished", "stopped", "interrupted"]:
    if state.games == state.games_wanted:
        return "finished"
    return "stopped" if outcome is not None and outcome.stopped else "interrupted"


def blocks(state: Manifest) -> Blocks:
    """Return the blocks of deals that are the units of a run's intervals."""
    return Blocks([(state.seed, state.deals_from, state.deals)])


def opened(folder: Path) -> tuple[Manifest, Game]:
    """Read run.json of a run folder, and find its game."""
    state = manifest.load(folder)
    where = str(folder / manifest.FILE)
    try:
        game = registry.game(state.game)
        check_players(game, state.players)
        if game.rules_version == state.rules_version:
            game.rules(None, state.rules)
    except UserError as error:
        raise UserError(str(error), where=where) from None
    return state, game


def parts_of(folder: Path, state: Manifest, game: Game) -> Parts:
    """Return the rows in a run folder."""
    deals = range(state.deals_from, state.deals_from + state.deals)
    dtype = game.row_dtype(state.players, state.lean)
    if state.metric is not None:
        dtype = extended(dtype, fields(state.metric.names, state.metric.per, state.players))
    return Parts(folder, dtype, state.players, len(state.line_ups), deals)


def check_digest(state: Manifest, totals: Totals, folder: Path) -> None:
    """Refuse rows that are as many as run.json says, but others."""
    found = digest.to_text(totals.digest)
    if state.status != "running" and totals.games == state.games and found != state.digest:
        raise UserError(
            f"the rows in {str(folder)!r} are not those of {manifest.FILE}: it has the digest "
            f"{state.digest}, they have {found}"
        )


def digested(state: Manifest) -> tuple[str, ...]:
    """Return the columns that a run's digest covers: those of its lean rows, so that lean and full runs agree."""
    return registry.game(state.game).row_dtype(state.players, lean=True).names or ()


def sums(state: Manifest, rows: Rows) -> Totals:
    """Return the sums over the rows of a run."""
    totals = Totals(state.specs, state.players, blocks(state), digested(state))
    for match, some in rows.batches():
        totals.add(state.seed, state.line_ups[match], some)
    return totals


class _Keeper:
    """The sink of a run: rows to where they are kept, and into the sums."""

    def __init__(
        self, plan: Plan, rows: Rows, totals: Totals, watching: Sequence[Callable[[int, np.ndarray], None]]
    ) -> None:
        self._plan = plan
        self._rows = rows
        self._totals = totals
        self._watching = watching
        self._lock = threading.Lock()

    def write(self, match: int, rows: np.ndarray, errors: Sequence[GameError]) -> None:
        """Keep one chunk."""
        lines = [
            {"game": f"{match}-{error.deal}-{error.rotation}", "match": match, **asdict(error)}
            for error in errors
        ]
        self._rows.write(match, rows, lines)
        with self._lock:
            self._totals.add(self._plan.seed, self._plan.ids[match], rows)
            for watch in self._watching:
                watch(match, rows)


def begin(settings: config.Settings) -> Prepared:
    """Check everything about a new run."""
    prepared = _prepare(settings)
    if settings.output is not None:
        folder = Path(settings.output)
        _check_free(folder, settings)
        prepared.folder = folder
    return prepared


def _check_free(folder: Path, settings: config.Settings) -> None:
    name = settings.output or str(folder)
    if (folder / manifest.FILE).exists():
        ways = f"{settings.place('resume')} or {settings.place('extend')}"
        raise UserError(f"{name!r} holds a run already; {ways} goes on with it")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{name!r} is a file, not a folder")
    if folder.is_dir() and any(folder.iterdir()):
        raise UserError(f"the folder {name!r} is not empty; a run needs one of its own")


def to_resume(output: str | Path | None) -> Path | None:
    """Return the output folder if a run lies in it, None if it is to begin there.

    Raises
    ------
    UserError
        There is no output folder.
    """
    if output is None:
        raise UserError("names a run folder, so it needs output", where="resume")
    folder = Path(output)
    return folder if (folder / manifest.FILE).exists() else None


def go_on(
    folder: Path,
    given: Mapping[str, Any] | None = None,
    *,
    config_file: Path | None = None,
    extend: bool = False,
    add: Sequence[str | Strategy | type | Entrant] = (),
    flags: bool = False,
    compares: bool = False,
) -> Prepared:
    """Check everything about resuming a run, or extending it by deals or strategies.

    Parameters
    ----------
    given : mapping
        Settings as of a new run; they must agree with the run, apart from what is extended.
    config_file : Path, optional
        A TOML file with more of them.
    extend : bool
        Whether there may be more deals, of which ``given["deals"]`` is the number afterwards.
    add : sequence
        Strategies that take part from now on.
    compares : bool
        Whether a comparison goes on, which ends when it is decided; nothing else may go on with it until then.
    """
    manifest.load(folder)  # which is no answer yet: until the lock is ours, it may change
    lock = Lock(folder)
    try:
        begun = manifest.load(folder).comparison
        if begun is not None and begun.decision is None and not compares:
            raise UserError(
                f"{str(folder)!r} holds a comparison that is not decided; arbosim compare --resume {folder} goes on"
            )
        prepared = _go_on(folder, given or {}, config_file, extend, add, flags)
    except BaseException:
        lock.release()
        raise
    prepared.lock = lock
    return prepared


def _go_on(
    folder: Path,
    given: Mapping[str, Any],
    config_file: Path | None,
    extend: bool,
    add: Sequence[str | Strategy | type | Entrant],
    flags: bool,
) -> Prepared:
    old, _ = opened(folder)
    named = given.get("strategies", old.specs)
    in_memory = [record.spec for record in old.strategies if not record.location and record.spec in named]
    if in_memory:
        raise UserError(
            f"{str(folder)!r} has a strategy that was a Python object and cannot be found: {in_memory[0]}"
        )
    kept = {"strategies": old.specs, **{name: getattr(old, name) for name in _SETTINGS}}
    if old.metric is not None:
        kept["metric"] = old.metric.location or None  # an object is given again, or missed
    settings = config.settings(given, config_file, flags, kept, str(folder / manifest.FILE))
    prepared = _prepare(settings, add)
    new = prepared.manifest
    reasons = manifest.differences(old, new, settings.place, extend=extend or bool(add))
    missing = [line_up for line_up in old.line_ups if line_up not in new.line_ups]
    if missing and not reasons:
        reasons = ["a sample of line-ups, which another strategy would change altogether"]
    if reasons:
        raise UserError(f"cannot go on with {str(folder)!r}, which has " + "; ".join(reasons))
    # matches keep their numbers, so that games keep their names
    new.line_ups = old.line_ups + [line_up for line_up in new.line_ups if line_up not in old.line_ups]
    new.started, new.seconds, new.comparison = old.started, old.seconds, old.comparison
    entrants = prepared.entrants()
    line_ups = tuple(tuple(entrants[spec] for spec in line_up) for line_up in new.line_ups)
    return Prepared(replace(prepared.plan, line_ups=line_ups), new, settings, folder, old)


def _prepare(settings: config.Settings, add: Sequence[str | Strategy | type | Entrant] = ()) -> Prepared:
    game = registry.game(settings.game)
    players = settings.players
    check_players(game, players)
    rules = game.rules(settings.preset, settings.changes)
    game.check(rules, players)
    seed = master_seed(settings.seed)
    entrants = _resolve(settings, game.name, add)
    specs = sorted(entrants)
    focus = [one.spec for one in _focus(settings, game.name, entrants)]
    schedule = design.schedule(specs, players, settings.schedule, focus, seed, settings.place)
    line_ups = tuple(tuple(entrants[specs[number]] for number in line_up) for line_up in schedule.line_ups)
    hook = _hook(settings, game)
    plan = Plan(
        game=game,
        rules=rules,
        players=players,
        line_ups=line_ups,
        seed=seed,
        deals_from=settings.deals_from,
        deals=settings.deals,
        checked_deals=manifest.CHECKED_DEALS,
        strict=settings.strict,
        lean=settings.lean,
        hook=hook,
        stop_on_error=settings.on_error == "stop",
    )
    record = Manifest(
        arbosim_version=arbosim.__version__,
        game=game.name,
        rules_version=game.rules_version,
        rules=rules.model_dump(mode="json"),
        players=players,
        schedule=settings.schedule,
        focus=",".join(focus) or None,
        seed=seed,
        deals_from=settings.deals_from,
        deals=settings.deals,
        strict=settings.strict,
        lean=settings.lean,
        metric=MetricRecord.of(hook),
        on_error=settings.on_error,
        strategies=[StrategyRecord.of(entrants[spec]) for spec in specs],
        line_ups=[list(line_up) for line_up in plan.ids],
        note=schedule.note,
        started=manifest.now(),
    )
    return Prepared(plan, record, settings)


def _hook(settings: config.Settings, game: Game) -> Hook | None:
    """Return the compiled metric of a run, whose columns must have names of their own."""
    if settings.metric is None:
        return None
    where = settings.place("metric")
    hook = registry.hook(settings.metric, game.name, where if isinstance(settings.metric, str) else "")
    others = [column.name for column in (*frames.GAMES, *frames.SEATS, *game.seat_metrics)]
    taken = {*others, *(game.row_dtype(settings.players).names or ())}
    added = {*hook.names, *(name for name, _ in fields(hook.names, hook.per, settings.players))}
    if taken & added:
        raise UserError(f"{min(taken & added)!r} is a column already; name it otherwise", where=where)
    return hook


def check_players(game: Game, players: int) -> None:
    """Refuse a number of players that a game is not for."""
    if not game.min_players <= players <= game.max_players:
        raise UserError(
            f"{game.title} is for {game.min_players} to {game.max_players} players, not {shown(players)}"
        )


def _resolve(
    settings: config.Settings, game: str, add: Sequence[str | Strategy | type | Entrant]
) -> dict[str, Entrant]:
    """Return the entrants by spec; the focus of a gauntlet need not be listed."""
    if not settings.strategies:
        known = ", ".join(registry.strategies(game))
        raise UserError(f"no strategies are given; {settings.place('strategies')} names some of: {known}")
    entrants: dict[str, Entrant] = {}
    listed = [(what, settings.place("strategies")) for what in settings.strategies]
    for what, where in [*listed, *((what, settings.place("add")) for what in add)]:
        entrant = registry.resolve(what, game, where if isinstance(what, str) else "")
        if entrant.spec in entrants:
            raise UserError(f"strategy {entrant.spec!r} is given twice; it would be one and the same entrant")
        entrants[entrant.spec] = entrant
    if settings.schedule == "gauntlet":
        for entrant in _focus(settings, game, entrants):
            entrants.setdefault(entrant.spec, entrant)
    return entrants


def _focus(settings: config.Settings, game: str, entrants: Mapping[str, Entrant]) -> list[Entrant]:
    """Return who sits at every table; what is listed need not be found again."""
    where = settings.place("focus")
    names = parse_list(settings.focus, where) if settings.focus else []
    return [entrants[name] if name in entrants else registry.resolve(name, game, where) for name in names]
