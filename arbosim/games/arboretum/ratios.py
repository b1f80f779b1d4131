"""What tells whether the rules of Arboretum are balanced, beside what is asked of every game."""

from __future__ import annotations

from arbosim.core.ratios import Ratio
from arbosim.games.arboretum.rules import Rules


def _species(rules: Rules, players: int) -> int:
    return len(rules.species_codes(players))


RATIOS = (
    Ratio(
        "conversion",
        "conversion of path points",
        "sum of score / sum of points",
        "own; points are those of the best paths, whoever has the right to score them (R12, R13)",
        "0 to 1",
        meaning="How much of what paths are worth is scored: the rest lacks the right to be.",
        above="score",
        below="points",
        high=1.0,
    ),
    Ratio(
        "unscored",
        "share of species that score for nobody",
        "sum of unscored / (games x species in the game)",
        "own",
        "0 to 1",
        meaning="How many of the species in the game bring no points to anybody.",
        above="unscored",
        each=_species,
        high=1.0,
    ),
    Ratio(
        "denied",
        "number of rights denied",
        "sum of denied / (games x seats)",
        "own; a path is denied if its owner has not the right to score it (R12)",
        "species per seat",
        meaning="In how many species a player has a path and not the right to score it.",
        above="denied",
    ),
    Ratio(
        "denied_share",
        "share of paths denied",
        "sum of denied / sum of paths",
        "own",
        "0 to 1",
        meaning="How many of the paths do not score, because their owner has not the right to.",
        above="denied",
        below="paths",
        high=1.0,
    ),
)
