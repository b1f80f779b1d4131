"""What the strategies are among each other: a ladder, a cycle, one that makes all others pointless."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from arbosim.analysis import bootstrap, cycles
from arbosim.analysis.alpharank import alpha_rank
from arbosim.analysis.cycles import Cycle
from arbosim.analysis.deals import Blocks
from arbosim.analysis.nash import effective_number, equilibria
from arbosim.analysis.stats import Interval
from arbosim.core.arguments import is_whole, real, shown
from arbosim.core.columns import Column
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

SUPPORT = 0.01
"""A strategy with more than this mass counts as part of a mixture."""
LARGEST_ALPHA = 1e6  # far beyond where anything changes
SHOWN = 5  # cycles in the text; the frame has all

MASSES = (
    Column("strategy", "str", "", "canonical spec"),
    Column("mass", "float", "0 to 1", "its share of the mixture; the masses sum to 1"),
    Column("mean", "float", "0 to 1", "mean of its mass over the bootstrap, steadier than mass"),
    Column("low", "float", "0 to 1", "lower bound of the 95 % interval of mass, deals being the units"),
    Column("high", "float", "0 to 1", "upper bound of it"),
    Column("support", "float", "0 to 1", "share of the bootstrap in which its mass is above 0.01"),
)
CYCLES = (
    Column("first", "str", "", "it beats second"),
    Column("second", "str", "", "it beats third"),
    Column("third", "str", "", "it beats first"),
    Column("first_above", "float", "0 to 1", "share of common games in which first finishes above second"),
    Column("second_above", "float", "0 to 1", "in which second finishes above third"),
    Column("third_above", "float", "0 to 1", "in which third finishes above first"),
    Column("p_holm", "float", "0 to 1", "largest of the three p-values, each adjusted for all pairs"),
)


@dataclass(frozen=True)
class Mass:
    """One strategy's part of a mixture; MASSES says what the fields mean."""

    strategy: str
    mass: float
    mean: float
    low: float
    high: float
    support: float


@dataclass(frozen=True, repr=False)
class Meta:
    """What the strategies of a run are among each other; docs/meta.md explains every number.

    Parameters
    ----------
    masses : dict of str to tuple of Mass
        By concept (alpha_rank, nash, lottery), largest mass first.
    effective : Interval
        Effective number of strategies: exp of the entropy of the Nash mixture, 1 to their number.
    cyclic : Interval
        Share of the logits' sum of squares that no ladder explains, without what noise is expected to add.
    raw_cyclic : float
        The same with the noise.
    found : tuple of Cycle
        Cycles of three of which every step is significant, the clearest first.
    decided : int
        Pairs of which one won every game: their logits could be any larger number.
    alpha, population : float, int
        Parameters of alpha-rank.
    deals : int
        Different deals, the units of all intervals.
    """

    masses: dict[str, tuple[Mass, ...]]
    effective: Interval
    cyclic: Interval
    raw_cyclic: float
    found: tuple[Cycle, ...]
    decided: int
    alpha: float
    population: int
    deals: int

    @property
    def alpha_rank(self) -> pd.DataFrame:
        """Return the alpha-rank masses, largest first."""
        return self._frame("alpha_rank")

    @property
    def nash(self) -> pd.DataFrame:
        """Return the maximum-entropy Nash equilibrium of the logits, largest mass first."""
        return self._frame("nash")

    @property
    def lottery(self) -> pd.DataFrame:
        """Return the maximal lottery, largest mass first."""
        return self._frame("lottery")

    @property
    def cycles(self) -> pd.DataFrame:
        """Return the significant cycles, the clearest first; CYCLES says what the columns mean."""
        import pandas as pd

        rows = [(each.first, each.second, each.third, *each.above, each.p_holm) for each in self.found]
        return pd.DataFrame(rows, columns=[column.name for column in CYCLES])

    def to_json(self) -> dict[str, Any]:
        """Return it as machines read it."""
        data = asdict(self)
        data["cycles"] = data.pop("found")
        return {**data.pop("masses"), **data}

    def __repr__(self) -> str:
        return str(self)  # what a notebook shows

    def __str__(self) -> str:
        parts = [
            _text(title, self.masses[name])
            for name, title in (
                ("alpha_rank", f"alpha-rank (alpha {self.alpha:g}, population {self.population})"),
                ("nash", "Nash mixture of the log odds"),
                ("lottery", "maximal lottery"),
            )
        ]
        facts = [
            f"effective number of strategies   {_interval(self.effective, 2)}",
            f"cyclic share                     {_interval(self.cyclic, 4)}; {self.raw_cyclic:.4f} with the noise",
            f"significant cycles               {len(self.found):,}",
        ]
        for each in self.found[:SHOWN]:
            steps = ", ".join(f"{share:.3f}" for share in each.above)
            facts.append(f"  {each.first} > {each.second} > {each.third} > {each.first} ({steps})")
        if len(self.found) > SHOWN:
            facts.append(f"  and {len(self.found) - SHOWN:,} more")
        if self.decided:
            facts.append(
                f"in {counted(self.decided, 'pair')} one won every game: how much stronger it is stays open, "
                "and part of the cyclic share may be owed to that"
            )
        if self.deals < bootstrap.FEWEST:
            facts.append(bootstrap.TOO_FEW)
        return "\n\n".join([*parts, "\n".join(facts)])

    def _frame(self, name: str) -> pd.DataFrame:
        import pandas as pd

        rows = [asdict(each) for each in self.masses[name]]
        return pd.DataFrame(rows, columns=[column.name for column in MASSES])


def meta(
    names: Sequence[str],
    above: np.ndarray,
    met: np.ndarray,
    blocks: Blocks,
    seed: int,
    *,
    alpha: float,
    population: int,
) -> Meta:
    """Describe what strategies are among each other.

    Parameters
    ----------
    names : sequence of str
    above, met : numpy.ndarray, int[n, n, blocks]
        Half games in which the row finished above the column, and games of both, by block of deals.
    seed : int
        Of the bootstrap.
    alpha, population : float, int
        Parameters of alpha-rank.

    Raises
    ------
    UserError
        There are not two strategies, some pair never met, or alpha or population make no sense.
    """
    _check(names, met, alpha, population)
    size = len(names)
    outside = np.eye(size, dtype=bool)
    above, met = np.where(outside[..., None], 0, above), np.where(outside[..., None], 0, met)
    played = np.asarray(met.any(axis=(0, 1)))
    drawn = bootstrap.weights(played, seed)
    weights = np.vstack([np.ones((1, above.shape[2]), np.int64), drawn])  # the sample, then its replicates
    won, games = _weighted(above, weights), _weighted(met, weights)
    share = np.where(games > 0, won / np.maximum(2 * games, 1), 0.5)
    odds = cycles.logits(won, games)
    mixtures = {
        "alpha_rank": alpha_rank(share, alpha, population),
        "nash": equilibria(odds),
        "lottery": equilibria(2 * share - 1),
    }
    ladder_noise, cyclic_noise = cycles.noise(above, met)
    cyclic = cycles.cyclic_share(odds[:1], ladder_noise, cyclic_noise)
    # a replicate has the noise of the sample and that of its own drawing
    cyclic_again = cycles.cyclic_share(odds[1:], 2 * ladder_noise, 2 * cyclic_noise)
    effective = effective_number(mixtures["nash"])
    pairs = np.triu_indices(size, 1)
    whole_share = share[0][pairs]
    return Meta(
        masses={name: _masses(names, mixture) for name, mixture in mixtures.items()},
        effective=bootstrap.intervals(effective[:1], effective[1:, None], 1, size)[0],
        cyclic=bootstrap.intervals(cyclic, cyclic_again[:, None], 0, 1)[0],
        raw_cyclic=float(cycles.cyclic_share(odds[0], 0, 0)),
        found=tuple(cycles.significant_cycles(names, above, met, blocks)),
        decided=int(((whole_share == 0) | (whole_share == 1)).sum()),
        alpha=alpha,
        population=population,
        deals=blocks.held(played),
    )


def _check(names: Sequence[str], met: np.ndarray, alpha: float, population: int) -> None:
    if not 0 < real(alpha, "alpha") <= LARGEST_ALPHA:
        raise UserError(f"is a number above 0, at most {LARGEST_ALPHA:g}, not {alpha}", where="alpha")
    if not is_whole(population) or population < 2:
        raise UserError(f"is a whole number of 2 or more, not {shown(population)}", where="population")
    if len(names) < 2:
        raise UserError("it takes two strategies to say what they are among each other")
    pairs = [f"{names[a]} and {names[b]}" for a, b in np.argwhere(np.triu(~met.any(axis=2), 1)).tolist()]
    if pairs:
        more = f" and {len(pairs) - SHOWN:,} more" if len(pairs) > SHOWN else ""
        raise UserError(
            f"every pair of strategies must have met; {len(pairs):,} of {len(names) * (len(names) - 1) // 2:,} "
            f"never did: {'; '.join(pairs[:SHOWN])}{more} (a finished round robin has all; a gauntlet has those "
            "with its focus, self-play none)"
        )


def _weighted(sums: np.ndarray, weights: np.ndarray) -> np.ndarray:
    # whole numbers far below 2**53, so floats are exact, and faster
    return np.moveaxis(sums.astype(float) @ weights.T.astype(float), -1, 0)


def _masses(names: Sequence[str], mixture: np.ndarray) -> tuple[Mass, ...]:
    """Return the masses of the first mixture, with what the others, its replicates, say about them."""
    replicates = mixture[1:] if len(mixture) > 1 else mixture
    mean, support = replicates.mean(axis=0), (replicates > SUPPORT).mean(axis=0)
    found = bootstrap.intervals(mixture[0], mixture[1:], 0, 1)
    rows = [
        Mass(
            name,
            float(mixture[0, at]),
            float(mean[at]),
            each.low or 0.0,
            each.high or 0.0,
            float(support[at]),
        )
        for at, (name, each) in enumerate(zip(names, found, strict=True))
    ]
    return tuple(sorted(rows, key=lambda row: (-row.mass, -row.mean, row.strategy)))


def _interval(interval: Interval, digits: int) -> str:
    return f"{interval.value:.{digits}f} ({interval.low:.{digits}f} to {interval.high:.{digits}f})"


def _text(title: str, rows: Sequence[Mass]) -> str:
    width = max(len(row.strategy) for row in rows)
    lines = [f"{title}\n  {'':{width}}   mass    mean   95 % interval      support"]
    shown = [row for row in rows if row.high > SUPPORT] or rows[:1]
    lines += [
        f"  {row.strategy:{width}}  {row.mass:.4f}  {row.mean:.4f}  {row.low:.4f} to {row.high:.4f}  {row.support:7.2f}"
        for row in shown
    ]
    rest = len(rows) - len(shown)
    if rest:
        lines.append(f"  {rest:,} more, none above {SUPPORT:g}")
    return "\n".join(lines)
