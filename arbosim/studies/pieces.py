"""The runs of which a study consists, and who sits in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from arbosim.core import sets
from arbosim.core.spec import parse
from arbosim.core.strategy import Entrant, Value
from arbosim.studies.variants import Variant

Pool = Literal["given", "retuned"]
Kind = Literal["pool", "ban", "trace"]
GIVEN: Pool = "given"
RETUNED: Pool = "retuned"


@dataclass(frozen=True)
class Duel:
    """Two versions of one strategy that meet in runs of their own.

    Parameters
    ----------
    kind : {"ban", "trace"}
        The first has an ability that the second lacks, or twice its budget.
    subject : str
        What the result is about: ``strategy:ability``, or the strategy.
    name : str
        What tells it from others, as part of the name of a folder.
    """

    kind: Literal["ban", "trace"]
    subject: str
    name: str
    first: Entrant
    second: Entrant


@dataclass(frozen=True)
class Piece:
    """One run of a study.

    Parameters
    ----------
    strategies : tuple of Entrant
        Who takes part.
    stands_for : dict
        For re-tuned strategies, the spec in the study's pool of each.
    duel : Duel, optional
        Of which two the run is about; they sit at every table.
    """

    name: str
    kind: Kind
    pool: Pool
    players: int
    variant: Variant
    strategies: tuple[Entrant, ...]
    deals_from: int
    stands_for: Mapping[str, str] = field(default_factory=dict)
    duel: Duel | None = None


def name_of(players: int, variant: Variant, what: str = "") -> str:
    """Return the name of a run, which is that of its folder.

    >>> name_of(2, Variant("draws=1 equal_turns=true", None), "retuned")
    '2p-draws=1_equal_turns=true@retuned'
    """
    return f"{players}p-{variant.folder}" + (f"@{what}" if what else "")


def pieces(
    cells: Sequence[tuple[int, Variant]],
    pool: Sequence[Entrant],
    duels: Sequence[Duel],
    first_deals: Mapping[str, int],
) -> Iterator[Piece]:
    """Yield the runs of a study with its players as they are given.

    Parameters
    ----------
    cells : sequence of (int, Variant)
        The numbers of players and the variants that are played.
    first_deals : mapping
        The first deal of each variant, by its name.
    """
    for count, variant in cells:
        start = first_deals[variant.name]
        yield Piece(name_of(count, variant), "pool", GIVEN, count, variant, tuple(pool), start)
        for duel in duels:
            name = name_of(count, variant, duel.name)
            seats = seated(duel, pool, count)
            yield Piece(name, duel.kind, GIVEN, count, variant, seats, start, duel=duel)


def seated(duel: Duel, pool: Sequence[Entrant], players: int) -> tuple[Entrant, ...]:
    """Return who takes part in the runs of a duel: at tables of more than two, the others of the pool as well."""
    two = (duel.first, duel.second)
    if players == 2:
        return two
    # a version that is in the pool already is one of the two
    return (*two, *(other for other in pool if other.spec not in [each.spec for each in two]))


def altered(entrant: Entrant, **values: Value) -> Entrant:
    """Return a strategy with some parameter values changed, and all others as they are."""
    spec = parse(entrant.spec)
    base = sets.load(entrant.strategy, spec.chosen) if spec.chosen else {}
    settings: dict[str, Any] = {**dict(spec.settings), **values}
    return entrant.strategy.entrant(
        settings, target=spec.target, location=entrant.location, chosen=spec.chosen, base=base
    )
