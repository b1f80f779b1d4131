"""What a game offers to everything that plays, stores and analyses games without knowing which one it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from arbosim.core.columns import Column
from arbosim.core.strategy import Entrant

if TYPE_CHECKING:
    import numpy as np

Rules = Any  # each game has its own frozen pydantic model


@dataclass(frozen=True)
class GameError:
    """A strategy's mistake, for which it forfeited a game.

    Parameters
    ----------
    kind : str
        "raised", "illegal" (an action that the rules forbid) or "wrote" (changed the table).
    """

    strategy: str
    deal: int
    rotation: int
    turn: int
    seat: int
    kind: str
    message: str


@dataclass
class Chunk:
    """The games of a range of deals of one line-up.

    Parameters
    ----------
    rows : numpy.ndarray
        One structured row per game in the order of deal and rotation; whole deals only.
    deals_done : int
        How many deals of the range are in it; fewer than asked for after a stop.
    """

    rows: np.ndarray
    errors: list[GameError] = field(default_factory=list)
    deals_done: int = 0


class Game(Protocol):
    """A game, found through the entry points of the group ``arbosim.games``; light to import."""

    name: str
    title: str
    rules_version: int
    min_players: int
    max_players: int

    @property
    def seat_metrics(self) -> tuple[Column, ...]:
        """Return the whole-number fields of a row that each seat has besides its score."""

    def presets(self) -> Mapping[str, Rules]:
        """Return the named rule sets."""

    def rules(self, preset: str | None = None, changes: Mapping[str, object] | None = None) -> Rules:
        """Return a rule set: a preset with some fields changed; values may be texts."""

    def check(self, rules: Rules, players: int) -> None:
        """Raise a UserError with the reason if the rules make no sense for that many players."""

    def row_dtype(self, players: int) -> np.dtype[Any]:
        """Return the structured dtype of a result row."""

    def play_chunk(
        self,
        rules: Rules,
        players: int,
        entrants: Sequence[Entrant],
        seed: int,
        first_deal: int,
        n_deals: int,
        *,
        checked_deals: int = 8,
        strict: bool = False,
        stop: np.ndarray | None = None,
    ) -> Chunk:
        """Play a range of deals, each in all cyclic seat rotations.

        Parameters
        ----------
        entrants : sequence of Entrant
            The line-up by slot, ordered by spec; rotation r puts slot i on seat (i + r) % players.
        checked_deals : int
            Deals with a lower index are played strictly: the table is compared after each decision.
        strict : bool
            Play all deals strictly.
        stop : numpy.ndarray, int64[1], optional
            Nonzero makes the engine leave after the current game.
        """
