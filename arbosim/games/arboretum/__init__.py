"""Arboretum (Dan Cassar, 2015), the first game: light to import, its compiled parts are loaded on use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arbosim.core.encoding import Encoding, Picture
from arbosim.core.game import Chunk, Host, Narrator, Notation, Probe, RuleField, Seating, Table, Walkthrough
from arbosim.core.measures import METRICS, Measures
from arbosim.core.outside import Dialect
from arbosim.core.ratios import Ratio
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum import columns

if TYPE_CHECKING:
    import random

    import numpy as np
    from rich.console import Console

    from arbosim.games.arboretum.position import Position
    from arbosim.games.arboretum.rules import Rules


class Arboretum:
    """The game as the other layers see it; see `arbosim.core.game.Game`."""

    name = "arboretum"
    title = "Arboretum"
    min_players = 2
    max_players = 4
    seat_metrics = (*columns.RESULTS, *columns.METRICS)
    game_metrics = columns.COURSE

    @property
    def rules_version(self) -> int:
        """Changes with the games that a rule set produces, never with their speed."""
        from arbosim.games.arboretum.rules import RULES_VERSION

        return RULES_VERSION

    def presets(self) -> Mapping[str, Rules]:
        """Return the named rule sets."""
        from arbosim.games.arboretum.rules import PRESETS

        return PRESETS

    def preset_meaning(self, name: str) -> str:
        """Return what a named rule set is, in one line."""
        from arbosim.games.arboretum.rules import PRESET_MEANINGS

        return PRESET_MEANINGS[name]

    @property
    def rule_fields(self) -> tuple[RuleField, ...]:
        """Return all fields of a rule set in words."""
        from arbosim.games.arboretum.rules import Rules, accepted

        fields = Rules.model_fields.items()
        return tuple(RuleField(name, accepted(name), field.description or "") for name, field in fields)

    def rules(self, preset: str | None = None, changes: Mapping[str, object] | None = None) -> Rules:
        """Return a rule set: a preset with some fields changed."""
        from arbosim.games.arboretum.rules import make_rules

        return make_rules(preset, changes)

    def check(self, rules: Rules, players: int) -> None:
        """Raise a UserError with the reason if the rules make no sense for that many players."""
        from arbosim.games.arboretum.rules import check

        check(rules, players)

    def effective(self, rules: Rules, players: int) -> Mapping[str, object]:
        """Return what a rule set comes to for that many players: two that are equal here are the same game."""
        from arbosim.games.arboretum.rules import effective

        return effective(rules, players)

    @property
    def balance(self) -> tuple[Ratio, ...]:
        """Return what tells whether a rule set is balanced, beside what is asked of every game."""
        from arbosim.games.arboretum.ratios import RATIOS

        return RATIOS

    @property
    def letters(self) -> Mapping[str, str]:
        """Return the species by their letters."""
        from arbosim.games.arboretum.cards import SPECIES

        return {species.letter: species.name for species in SPECIES}

    @property
    def notation(self) -> Notation:
        """Return the reading and writing of positions and records."""
        from arbosim.games.arboretum import notation

        return notation

    @property
    def dialects(self) -> Mapping[str, Dialect]:
        """Return the ways in which programs are told about a game, by name."""
        from arbosim.games.arboretum.dialects import DIALECTS

        return DIALECTS

    def seat(
        self, rules: Rules, entrants: Sequence[Entrant | None], slots: Sequence[int], seed: int, deal: int
    ) -> Seating:
        """Seat strategies for one game."""
        from arbosim.games.arboretum.seating import Seating

        return Seating(rules, entrants, slots, seed, deal)

    def table(self, rules: Rules, players: int, seed: int, deal: int) -> Table:
        """Deal one game that no strategy plays."""
        from arbosim.games.arboretum.seating import Table

        return Table(rules, players, seed, deal)

    def probe(
        self, rules: Rules, entrants: Sequence[Entrant], slots: Sequence[int], seed: int, deal: int
    ) -> Probe:
        """Seat strategies for one game under the microscope."""
        from arbosim.games.arboretum.probe import Probe

        return Probe(rules, entrants, slots, seed, deal)

    def encoding(self, rules: Rules, players: int) -> Encoding:
        """Return how the decisions of games look as numbers."""
        from arbosim.games.arboretum.encoding import encoding

        return encoding(rules, players)

    def picture(self, position: Position, names: Sequence[str]) -> Picture:
        """Return a table to draw, with everything open."""
        from arbosim.games.arboretum.picture import picture

        return picture(position, names)

    def random_rules(self, players: int, rng: random.Random) -> Rules:
        """Return a rule set that makes sense for that many players, chosen by chance."""
        from arbosim.games.arboretum.probe import random_rules

        return random_rules(players, rng)

    def narrator(self, console: Console, names: Sequence[str]) -> Narrator:
        """Return a narrator that prints on a rich console."""
        from arbosim.games.arboretum.render import Narrator

        return Narrator(console, names)

    def host(self, console: Console, names: Sequence[str], seat: int) -> Host:
        """Return a host for a person on a seat, who prints on a rich console."""
        from arbosim.games.arboretum.host import Host

        return Host(console, names, seat)

    def show_position(self, console: Console, position: Position) -> None:
        """Print a table as it lies, and its score explained."""
        from arbosim.games.arboretum.render import show_position

        show_position(console, position)

    def position_html(self, position: Position, names: Sequence[str] = ()) -> str:
        """Return a fragment of HTML that shows a table and its score."""
        from arbosim.games.arboretum.html import position_html

        return position_html(position, names)

    def walkthrough(self, position: Position, names: Sequence[str]) -> Walkthrough:
        """Return a played game step by step for a page."""
        from arbosim.games.arboretum.walkthrough import walkthrough

        return walkthrough(position, names)

    def row_dtype(self, players: int, measures: Measures = METRICS) -> np.dtype[Any]:
        """Return the structured dtype of a result row."""
        from arbosim.games.arboretum.rows import row_dtype

        return row_dtype(players, measures)

    def uncompiled(
        self,
        entrants: Sequence[Entrant],
        measures: Measures | None = METRICS,
        advisers: Sequence[Entrant] = (),
    ) -> list[str]:
        """Return the parts that the next games of these strategies would have to compile first."""
        from arbosim.games.arboretum.compiling import uncompiled

        return uncompiled(entrants, measures, advisers)

    def compile_all(
        self,
        entrants: Sequence[Entrant],
        tell: Callable[[str], None],
        measures: Measures | None = METRICS,
        advisers: Sequence[Entrant] = (),
    ) -> None:
        """Compile or load everything that games of these strategies need."""
        from arbosim.games.arboretum.compiling import compile_all

        compile_all(entrants, tell, measures, advisers)

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
        measures: Measures = METRICS,
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
            measures=measures,
            stop=stop,
        )


GAME = Arboretum()
