"""Arboretum (Dan Cassar, 2015), the first game: light to import, it loads its compiled parts when they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arbosim.core.columns import Column
from arbosim.core.game import Chunk
from arbosim.core.strategy import Entrant

if TYPE_CHECKING:
    import numpy as np

    from arbosim.games.arboretum.rules import Rules


class Arboretum:
    """The game as the other layers see it; see `arbosim.core.game.Game`."""

    name = "arboretum"
    title = "Arboretum"
    min_players = 2
    max_players = 4
    seat_metrics = (
        Column("points", "int16", "points", "sum over species of the best path, whatever the right"),
        Column("kinds", "uint8", "species", "species in the arboretum"),
    )

    @property
    def rules_version(self) -> int:
        """Changes with the games that a rule set produces, never with their speed."""
        from arbosim.games.arboretum.rules import RULES_VERSION

        return RULES_VERSION

    def presets(self) -> Mapping[str, Rules]:
        """Return the named rule sets."""
        from arbosim.games.arboretum.rules import PRESETS

        return PRESETS

    def rules(self, preset: str | None = None, changes: Mapping[str, object] | None = None) -> Rules:
        """Return a rule set: a preset with some fields changed."""
        from arbosim.games.arboretum.rules import make_rules

        return make_rules(preset, changes)

    def check(self, rules: Rules, players: int) -> None:
        """Raise a UserError with the reason if the rules make no sense for that many players."""
        from arbosim.games.arboretum.rules import check

        check(rules, players)

    def row_dtype(self, players: int) -> np.dtype[Any]:
        """Return the structured dtype of a result row."""
        from arbosim.games.arboretum.engine import row_dtype

        return row_dtype(players)

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
        """Play a range of deals, each in all cyclic seat rotations."""
        from arbosim.games.arboretum.engine import play_chunk

        return play_chunk(
            rules,
            players,
            entrants,
            seed,
            first_deal,
            n_deals,
            checked_deals=checked_deals,
            strict=strict,
            stop=stop,
        )


GAME = Arboretum()
