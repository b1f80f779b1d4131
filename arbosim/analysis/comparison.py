"""Two strategies beside each other, paired by deal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arbosim.analysis.deals import Blocks, tables, unit
from arbosim.analysis.stats import Interval, difference, mean, share
from arbosim.core.numbers import counted


@dataclass(frozen=True)
class Comparison:
    """Two strategies beside each other; intervals of 95 %, paired by deal.

    Parameters
    ----------
    above : Interval
        Share of their common games in which the first finishes above the second, ties half.
    score : Interval
        Mean difference of their scores in those games.
    win_share : Interval
        Difference of their win shares over all their games.
    note : str
        What to know about the intervals, if the run was stopped by its own result.
    """

    first: str
    second: str
    games: int
    deals: int
    above: Interval
    score: Interval
    win_share: Interval
    note: str = ""

    def __str__(self) -> str:
        common = f"{counted(self.games, 'common game')}, {counted(self.deals, 'deal')}"
        return "\n".join(
            [
                f"{self.first} against {self.second}: {common}",
                f"  finishes above, ties half   {self.above.text()}",
                f"  score difference            {self.score.text('+')}",
                f"  win share difference        {self.win_share.text('+')}",
                *([f"  {self.note}"] if self.note else []),
            ]
        )


def compare(
    batches: Iterable[tuple[int, Sequence[str], np.ndarray]],
    first: str,
    second: str,
    players: int,
    blocks: Blocks,
) -> Comparison:
    """Compare two strategies over batches of (seed, line-up, rows)."""
    names = ("met", "above", "whole", "score", "games_a", "share_a", "games_b", "share_b", "games")
    sums = {name: np.zeros(blocks.count, np.int64) for name in names}
    for seed, line_up, rows in batches:
        sits_a, sits_b = (
            [slot for slot, spec in enumerate(line_up) if spec == one] for one in (first, second)
        )
        if not len(rows) or not (sits_a or sits_b):
            continue
        played = tables(rows, players)
        block = blocks.of(seed, played.deals)

        def put(name: str, values: np.ndarray, block: np.ndarray = block) -> None:
            np.add.at(sums[name], block, values.sum(axis=1))

        seated = np.ones_like(played.whole, dtype=np.int64)
        for name, slots in (("a", sits_a), ("b", sits_b)):
            for slot in slots:
                put(f"games_{name}", seated)
                put(f"share_{name}", played.share[..., slot])
        if sits_a and sits_b:
            a, b = sits_a[0], sits_b[0]
            put("met", seated)
            put("above", np.sign(played.order[..., a] - played.order[..., b]) + 1)
            put("whole", played.whole)
            put("score", (played.score[..., a] - played.score[..., b]) * played.whole)
    met_deals = int((sums["met"] > 0).sum()) * blocks.size
    deals = int(((sums["games_a"] > 0) | (sums["games_b"] > 0)).sum()) * blocks.size
    parts = unit(players)
    return Comparison(
        first=first,
        second=second,
        games=int(sums["met"].sum()),
        deals=min(met_deals, blocks.deals),
        above=share(sums["above"] / 2, sums["met"], min(met_deals, blocks.deals)),
        score=mean(sums["score"], sums["whole"]),
        win_share=difference(
            sums["share_a"] / parts,
            sums["games_a"],
            sums["share_b"] / parts,
            sums["games_b"],
            min(deals, blocks.deals),
        ),
    )
