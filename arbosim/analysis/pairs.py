"""All pairs of strategies, and which of them the deals tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arbosim.analysis.deals import Blocks
from arbosim.analysis.stats import LEVEL, Interval, difference, difference_p, holm, share
from arbosim.core.columns import Column

COLUMNS = (
    Column("first", "str", "", "canonical spec of the one with the higher win share"),
    Column("second", "str", "", "canonical spec of the other"),
    Column("games", "int", "games", "in which both sat"),
    Column("deals", "int", "deals", "of those games"),
    Column("above", "float", "0 to 1", "share of those games in which the first finishes above, ties half"),
    Column("low", "float", "0 to 1", "lower bound of the 95 % interval of above, deals being the units"),
    Column("high", "float", "0 to 1", "upper bound of it"),
    Column(
        "above_p_holm",
        "float",
        "0 to 1",
        "p-value of above being one half, corrected for the number of pairs",
    ),
    Column(
        "difference",
        "float",
        "-1 to 1",
        "of the win shares, over all games of each; missing where they neither met nor had the same opponents",
    ),
    Column("p_value", "float", "0 to 1", "of that difference, paired by deal"),
    Column("p_holm", "float", "0 to 1", "the same, corrected for the number of pairs"),
)


@dataclass(frozen=True)
class Pair:
    """Two strategies; COLUMNS says what the fields mean, and ``above`` comes with its interval."""

    first: str
    second: str
    games: int
    deals: int
    above: Interval
    above_p_holm: float | None
    difference: float | None
    p_value: float | None
    p_holm: float | None

    @property
    def is_decided(self) -> bool:
        """Return whether one is better, the chance of any false answer over all pairs being 5 % at most."""
        return self.p_holm is not None and self.p_holm < 1 - LEVEL


def all_pairs(
    specs: Sequence[str],
    order: Sequence[int],
    wins: np.ndarray,
    games: np.ndarray,
    above: np.ndarray,
    met: np.ndarray,
    blocks: Blocks,
) -> tuple[Pair, ...]:
    """Compare every strategy with every other.

    Parameters
    ----------
    order : sequence of int
        Numbers of the strategies, best first.
    wins, games : numpy.ndarray, float64 and int64[strategies, blocks]
    above, met : numpy.ndarray, int32[strategies, strategies, blocks]
        As in `arbosim.analysis.standings.Totals`.

    Notes
    -----
    The tests are t-tests over blocks, of the difference of win shares and of the share of common games against one
    half; the correction is that of Holm (1979), for each of the two. Win shares against different opponents are not
    compared: two strategies must have met, or have had the same opponents.
    """
    couples = list(combinations(order, 2))
    faced = opponents(met)
    differences: list[float | None] = []
    p_values: list[float | None] = []
    above_p_values: list[float | None] = []
    for a, b in couples:
        shares = wins[a], games[a], wins[b], games[b], blocks.held(games[a] + games[b])
        like = faced[a, b] or (faced[a].any() and (faced[a] == faced[b]).all())
        differences.append(difference(*shares).value if like else None)
        p_values.append(difference_p(*shares) if like else None)
        head_to_head = above[a, b] / 2, met[a, b], above[b, a] / 2, met[a, b], blocks.held(met[a, b])
        above_p_values.append(difference_p(*head_to_head))
    found = []
    columns = zip(
        couples, differences, p_values, _corrected(p_values), _corrected(above_p_values), strict=True
    )
    for (a, b), gap, p_value, p_holm, above_p_holm in columns:
        deals = blocks.held(met[a, b])
        found.append(
            Pair(
                first=specs[a],
                second=specs[b],
                games=int(met[a, b].sum()),
                deals=deals,
                above=share(above[a, b] / 2, met[a, b], deals),
                above_p_holm=above_p_holm,
                difference=gap,
                p_value=p_value,
                p_holm=p_holm,
            )
        )
    return tuple(found)


def opponents(met: np.ndarray) -> np.ndarray:
    """Return who has met whom but itself, bool[strategies, strategies]."""
    faced: np.ndarray = met.any(axis=2) & ~np.eye(len(met), dtype=bool)
    return faced


def _corrected(p_values: Sequence[float | None]) -> list[float | None]:
    corrected = iter(holm([value for value in p_values if value is not None]))
    return [None if value is None else next(corrected) for value in p_values]


def ranks(names: Sequence[str], pairs: Sequence[Pair]) -> dict[str, int]:
    """Return 1 + the number of strategies that are better, by name; those that are not compared come after all others.

    Parameters
    ----------
    names : sequence of str
        Of all strategies that are compared.
    """
    better = {name: len(names) for pair in pairs for name in (pair.first, pair.second)} | dict.fromkeys(
        names, 0
    )
    for pair in pairs:
        better[pair.second] += pair.is_decided
    return {name: 1 + count for name, count in better.items()}
