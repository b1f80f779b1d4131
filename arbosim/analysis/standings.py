"""From result rows to standings, as a stream: sums per strategy and block of deals, never all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from arbosim.analysis.deals import Blocks, Tables, tables, unit
from arbosim.analysis.orders import Orders
from arbosim.analysis.stats import Interval, share
from arbosim.core import digest
from arbosim.core.columns import Column

COLUMNS = (
    Column("rank", "int", "", "1 is the highest win share; equal shares have the same rank"),
    Column("strategy", "str", "", "canonical spec"),
    Column("games", "int", "games", "in which it took part, forfeited ones included"),
    Column("win_share", "float", "0 to 1", "games won; a win shared by n counts 1/n, a forfeited game 0"),
    Column("low", "float", "0 to 1", "lower bound of the 95 % interval of win_share, deals being the units"),
    Column("high", "float", "0 to 1", "upper bound of it"),
    Column("mean_score", "float", "points", "over games that nobody forfeited, like all columns up to ties"),
    Column("margin", "float", "points", "mean of its score minus the best score among the others"),
    Column(
        "points", "float", "points", "mean sum of the best paths of its arboretum, whoever has the rights"
    ),
    Column("scored", "float", "0 to 1", "share of those path points that scored"),
    Column("ties", "int", "games", "won together with others"),
    Column("errors", "int", "games", "that it forfeited"),
)


@dataclass(frozen=True)
class Standing:
    """One line of the standings; COLUMNS says what the fields mean."""

    rank: int
    strategy: str
    games: int
    win_share: float | None
    low: float | None
    high: float | None
    mean_score: float | None
    margin: float | None
    points: float | None
    scored: float | None
    ties: int
    errors: int


@dataclass(frozen=True)
class Standings:
    """The result of one run, or of several together.

    Parameters
    ----------
    rows : tuple of Standing
    matrix : dict of dict
        For two strategies, the share of their common games in which the first finishes above the second, ties
        half; None where they never met.
    first_seat : Interval
        The win share of seat 0; without an advantage it would be ``1 / players``.
    deals : int
        Different deals, the units of all intervals.
    """

    rows: tuple[Standing, ...]
    matrix: dict[str, dict[str, float | None]]
    first_seat: Interval
    players: int
    games: int
    deals: int
    errors: int
    digest: str

    def to_json(self) -> dict[str, Any]:
        """Return the standings as machines read them."""
        first = self.first_seat
        return {
            "digest": self.digest,
            "games": self.games,
            "deals": self.deals,
            "errors": self.errors,
            "standings": [asdict(row) for row in self.rows],
            "matrix": self.matrix,
            "first_seat": {
                "share": first.value,
                "low": first.low,
                "high": first.high,
                "expected": 1 / self.players,
            },
        }


class Totals:
    """Sums over result rows, from which standings follow; memory does not grow with the rows.

    Parameters
    ----------
    specs : sequence of str
        The strategies, sorted.

    Attributes
    ----------
    pair_above, pair_met : numpy.ndarray, int32[strategies, strategies, blocks]
        Half games in which the first finishes above the second (a tie gives one to each), and games in which
        they met. A block would need a thousand million games of one pair to overflow.
    """

    def __init__(self, specs: Sequence[str], players: int, blocks: Blocks) -> None:
        self.specs = tuple(specs)
        self.players = players
        self.blocks = blocks
        self.digest = digest.EMPTY
        self._number = {spec: number for number, spec in enumerate(self.specs)}
        size = len(self.specs)
        self._games = np.zeros((size, blocks.count), np.int64)
        self._share = np.zeros((size, blocks.count), np.int64)
        self._alone = np.zeros(size, np.int64)  # games in which it sat on all seats, counted for each of them
        self._table_games = np.zeros(blocks.count, np.int64)
        self._first_seat = np.zeros(blocks.count, np.int64)
        self._sums = {
            name: np.zeros(size, np.int64)
            for name in ("whole", "score", "margin", "points", "ties", "errors")
        }
        self._has_points = True
        self.pair_above = np.zeros((size, size, blocks.count), np.int32)
        self.pair_met = np.zeros((size, size, blocks.count), np.int32)
        self.orders = Orders(size, players, blocks.count, blocks.size)

    def add(self, seed: int, line_up: Sequence[str], rows: np.ndarray) -> None:
        """Add rows of one line-up (specs by slot): whole deals, ordered by deal and rotation."""
        if not len(rows):
            return
        self.digest = digest.add(self.digest, digest.row_digest(rows, digest.lineup_key(line_up)))
        played = tables(rows, self.players)
        block = self.blocks.of(seed, played.deals)
        starts = np.flatnonzero(np.diff(block, prepend=block[0] - 1))
        at = block[starts]
        games = np.diff(np.append(starts, len(block))) * self.players
        share_sums = np.add.reduceat(played.share.sum(axis=1), starts)
        self._table_games[at] += games
        self._first_seat[at] += np.add.reduceat(played.first_seat.sum(axis=1), starts)
        entrants = [self._number[spec] for spec in line_up]
        if len(set(entrants)) == 1:
            self._alone[entrants[0]] += int(games.sum()) * self.players
        for slot, entrant in enumerate(entrants):
            self._games[entrant, at] += games
            self._share[entrant, at] += share_sums[:, slot]
        self._add_sums(entrants, played)
        signs = self.orders.add(entrants, played.order, starts, at)
        for (a, b), lead in zip(self.orders.shape.pairs, signs.T, strict=True):
            one, other = entrants[a], entrants[b]
            self.pair_above[one, other, at] += games + lead
            self.pair_above[other, one, at] += games - lead
            self.pair_met[one, other, at] += games
            self.pair_met[other, one, at] += games

    def _add_sums(self, entrants: Sequence[int], played: Tables) -> None:
        whole = played.whole
        self._has_points = self._has_points and played.points is not None
        for slot, entrant in enumerate(entrants):
            score = played.score[..., slot]
            others = np.delete(played.score, slot, axis=-1).max(axis=-1)
            sums = {
                "whole": whole,
                "score": score * whole,
                "margin": (score - others) * whole,
                "ties": played.shared[..., slot],
                "errors": played.forfeited[..., slot],
            }
            if played.points is not None:
                sums["points"] = played.points[..., slot] * whole
            for name, values in sums.items():
                self._sums[name][entrant] += int(values.sum())

    @property
    def games(self) -> int:
        """Return how many games have been added."""
        return int(self._table_games.sum())

    def standings(self) -> Standings:
        """Return what the sums say now."""
        shares = [self._share_of(entrant) for entrant in range(len(self.specs))]
        by_share = sorted(
            range(len(self.specs)), key=lambda entrant: (-(shares[entrant].value or 0), self.specs[entrant])
        )
        values = [shares[entrant].value for entrant in by_share]
        rows = tuple(
            self._standing(entrant, values.index(shares[entrant].value) + 1, shares[entrant])
            for entrant in by_share
        )
        names = [row.strategy for row in rows]
        return Standings(
            rows=rows,
            matrix={a: {b: self._above_share(a, b) for b in names if b != a} for a in names},
            first_seat=self._interval(self._first_seat, self._table_games),
            players=self.players,
            games=self.games,
            deals=self._deals(self._table_games),
            errors=int(self._sums["errors"].sum()),
            digest=digest.to_text(self.digest),
        )

    def _share_of(self, entrant: int) -> Interval:
        if self._alone[entrant] and self._alone[entrant] == self._games[entrant].sum():
            exactly = 1 / self.players  # among copies of itself, in every deal: nothing is estimated
            return Interval(exactly, exactly, exactly)
        return self._interval(self._share[entrant], self._games[entrant])

    def _interval(self, share_units: np.ndarray, games: np.ndarray) -> Interval:
        return share(share_units / unit(self.players), games, self._deals(games))

    def _deals(self, games: np.ndarray) -> int:
        # of blocks that hold any game; an interrupted run may have cut the last of them short
        blocks = np.flatnonzero(games)
        ends = np.minimum((blocks + 1) * self.blocks.size, self.blocks.deals)
        return int((ends - blocks * self.blocks.size).sum())

    def _standing(self, entrant: int, rank: int, interval: Interval) -> Standing:
        total = {name: int(sums[entrant]) for name, sums in self._sums.items()}
        points = total["points"] if self._has_points else 0
        return Standing(
            rank=rank,
            strategy=self.specs[entrant],
            games=int(self._games[entrant].sum()),
            win_share=interval.value,
            low=interval.low,
            high=interval.high,
            mean_score=_quotient(total["score"], total["whole"]),
            margin=_quotient(total["margin"], total["whole"]),
            points=_quotient(points, total["whole"]) if self._has_points else None,
            scored=_quotient(total["score"], points),
            ties=total["ties"],
            errors=total["errors"],
        )

    def _above_share(self, a: str, b: str) -> float | None:
        at = self._number[a], self._number[b]
        return _quotient(int(self.pair_above[at].sum()), 2 * int(self.pair_met[at].sum()))


def _quotient(total: int, count: int) -> float | None:
    return total / count if count else None
