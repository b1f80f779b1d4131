"""What a tuning found, whether it helped, and the parameter set that it leaves."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbosim.core import sets
from arbosim.core.errors import UserError
from arbosim.core.game import rules_in_words
from arbosim.core.numbers import counted
from arbosim.core.strategy import Entrant, Value
from arbosim.tuning.asked import Asked, explicit, set_file
from arbosim.tuning.confirm import HELPED, UNCHANGED, Confirmation
from arbosim.tuning.record import Generation, TuningRecord

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Tuned:
    """The outcome of a tuning.

    Parameters
    ----------
    start, found : dict
        All parameter values of the strategy before tuning, and with the mean of the last distribution.
    confirmation : Confirmation
        The two against each other's results, on new deals.
    lines : tuple of Generation
        The journal.
    folder : Path or None
        The tuning folder.
    """

    start: dict[str, Value]
    found: dict[str, Value]
    confirmation: Confirmation
    lines: tuple[Generation, ...] = field(repr=False)
    asked: Asked = field(repr=False)
    folder: Path | None = None

    @property
    def record(self) -> TuningRecord:
        """Return what was asked."""
        return self.asked.record

    @property
    def strategy(self) -> str:
        """Return the spec that was tuned."""
        return self.asked.start.spec

    @property
    def helped(self) -> bool:
        """Return whether the values found were confirmed to be better."""
        return self.confirmation.decision == HELPED

    @property
    def values(self) -> dict[str, Value]:
        """Return what to use: the values found where tuning helped, those of the start where it did not."""
        return self.found if self.helped else self.start

    @property
    def entrant(self) -> Entrant:
        """Return the strategy with these values; for one of a notebook cell it is the only way to name it."""
        return explicit(self.asked.start, self.values)

    @property
    def spec(self) -> str:
        """Return the canonical spec with these values written out, for runs that have no parameter set."""
        return self.entrant.spec

    @property
    def games(self) -> int:
        """Return how many games were played, confirmation apart."""
        return self.asked.arena.games(self.record.population, len(self.lines) * self.record.deals)

    @property
    def generations(self) -> pd.DataFrame:
        """Return a frame with one row per generation.

        Columns: generation (from 1), deals_from, deals, games, win_share (mean of the candidates, 0 to 1), best, worst,
        errors (forfeited games), and for each parameter its mean after the generation.
        """
        import pandas as pd

        games = self.asked.arena.games(self.record.population, self.record.deals)
        return pd.DataFrame(
            [
                {
                    "generation": line.generation,
                    "deals_from": line.deals_from,
                    "deals": line.deals,
                    "games": games,
                    "win_share": sum(line.won) / len(line.won) / line.full,
                    "best": max(line.won) / line.full,
                    "worst": min(line.won) / line.full,
                    "errors": line.errors,
                    **dict(zip(self.record.parameters, line.mean, strict=True)),
                }
                for line in self.lines
            ]
        )

    @property
    def errors(self) -> int:
        """Return how many games somebody forfeited, in all."""
        return sum(line.errors for line in self.lines) + self.confirmation.errors

    def mistakes(self) -> str:
        """Return what to tell of forfeited games; nothing if there are none."""
        told = f"forfeited by a mistake of a strategy: {counted(self.errors, 'game')}; arbosim check finds it"
        return told if self.errors else ""

    def set_text(self) -> str:
        """Return the text of the parameter set with the values found."""
        state = self.record
        among = f"{state.players} players, {rules_in_words(self.asked.arena.game, state.rules)} rules"
        found = self.confirmation
        told = filter(None, (found.verdict, found.explanation, f"on {self._confirmed_on()}"))
        note = f"{among}: {'; '.join(told)}"
        return sets.text(self.asked.start.strategy, self.found, command=state.command, note=note)

    def save(self, name: str, *, keep: bool = False, force: bool = False) -> Path:
        """Write the values found as a parameter set, which ``-s STRATEGY@name`` uses.

        Parameters
        ----------
        keep : bool
            Also if tuning did not help.
        force : bool
            Also over another set of this name.

        Returns
        -------
        Path
            The file, in the folder ``parameters`` of the current folder.
        """
        if not (self.helped or keep):
            raise UserError(f"{self.confirmation.verdict}; to keep it all the same, say keep")
        path, text = set_file(self.asked, name), self.set_text()
        if path.exists() and not force and path.read_text(encoding="utf-8") != text:
            raise taken(path, "force")
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"{str(path)!r} cannot be written: {error.strerror}") from error
        return path

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as machines read it."""
        state = self.record
        names = (
            "game",
            "players",
            "rules",
            "seed",
            "deals_from",
            "parameters",
            "budget",
            "population",
            "deals",
        )
        return {
            "strategy": self.strategy,
            "opponents": [one.spec for one in state.opponents],
            **{name: getattr(state, name) for name in names},
            "generations": len(self.lines),
            "games": self.games,
            "start": self.start,
            "found": self.found,
            "helped": self.helped,
            "values": self.values,
            "spec": self.spec,
            "confirmation": {**asdict(self.confirmation), "verdict": self.confirmation.verdict},
            "errors": self.errors,
            "note": state.caution,
            "command": state.command,
            "folder": None if self.folder is None else str(self.folder),
        }

    def __str__(self) -> str:
        state, found = self.record, self.confirmation
        opponents = ", ".join(one.spec for one in state.opponents)
        width = max(len(name) for name in (*state.parameters, "confirmed"))
        played = (
            f"{counted(len(self.lines), 'generation')} of {state.population} candidates, "
            f"{counted(state.deals, 'deal')} at {counted(self.asked.arena.tables, 'table')} each: "
            f"{counted(self.games, 'game')}"
        )
        lines = [
            f"{self.strategy} at {state.players} players, against {opponents}",
            f"  {'tuned':{width}}  {played}",
        ]
        parameters = self.asked.space.parameters
        lines += [
            f"  {one.name:{width}}  {one.format(self.start[one.name])} -> {one.format(self.found[one.name])}"
            for one in parameters
        ]
        if found.decision != UNCHANGED:
            shares = (
                f"win share {found.start:.4f} -> {found.found:.4f}, difference {found.difference.text('+')}"
            )
            lines += [f"  {'confirmed':{width}}  {shares}", f"  {'':{width}}  on {self._confirmed_on()}"]
        told = [f"  {text}" for text in (found.verdict, found.explanation, state.caution) if text]
        return "\n".join([*lines, *told])

    def _confirmed_on(self) -> str:
        found = self.confirmation
        if not found.deals:
            return "no deals"
        last = found.deals_from + found.deals - 1
        return f"deals {found.deals_from:,} to {last:,}, which nothing was tuned on: {counted(found.games, 'game')}"


def taken(path: Path, flag: str) -> UserError:
    """Return the error for a parameter set that is there already."""
    return UserError(f"the parameter set {path.parent.name}/{path.name} exists already; {flag} replaces it")
