"""From result rows to standings, as a stream: sums per strategy and block of deals, never all rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from arbosim.analysis.deals import Blocks, Tables, tables, unit
from arbosim.analysis.orders import Orders
from arbosim.analysis.pairs import Pair, all_pairs, opponents, ranks
from arbosim.analysis.ratings import Ratings, rate
from arbosim.analysis.stats import Interval, share
from arbosim.core import digest
from arbosim.core.columns import Column

COLUMNS = (
    Column("rank", "int", "", "1 + the number of strategies that are better beyond chance"),
    Column("strategy", "str", "", "canonical spec"),
    Column("games", "int", "games", "in which it took part, forfeited ones included"),
    Column("win_share", "float", "0 to 1", "games won; a win shared by n counts 1/n, a forfeited game 0"),
    Column("low", "float", "0 to 1", "lower bound of the 95 % interval of win_share, deals being the units"),
    Column("high", "float", "0 to 1", "upper bound of it"),
    Column("rating", "float", "Elo", "strength, the mean of all rated strategies being 0"),
    Column("rating_low", "float", "Elo", "lower bound of its 95 % interval, deals being the units"),
    Column("rating_high", "float", "Elo", "upper bound of it"),
    Column("mean_score", "float", "points", "over games that nobody forfeited, like all columns up to ties"),
    Column("margin", "float", "points", "mean of its score minus the best score among the others"),
    Column(
        "points", "float", "points", "mean sum of the best paths of its arboretum, whoever has the rights"
    ),
    Column("scored", "float", "0 to 1", "share of those path points that scored"),
    Column("ties", "int", "games", "won together with others"),
    Column("errors", "int", "games", "that it forfeited"),
    Column(
        "random_moves",
        "int",
        "decisions",
        "that were made for it by chance, after mistakes that cost no more",
    ),
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
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    mean_score: float | None
    margin: float | None
    points: float | None
    scored: float | None
    ties: int
    errors: int
    random_moves: int


@dataclass(frozen=True)
class Standings:
    """The result of one run, or of several together.

    Parameters
    ----------
    rows : tuple of Standing
        By win share, the highest first.
    matrix : dict of dict
        For two strategies, the share of their common games in which the first finishes above the second, ties
        half; None where they never met.
    first_seat : Interval
        The win share of seat 0; without an advantage it would be ``1 / players``.
    deals : int
        Different deals, the units of all intervals.
    pairs : tuple of Pair
        Every strategy with every other, in the order of the rows.
    ratings : Ratings
        In the order of the rows, with what the seats are worth.
    """

    rows: tuple[Standing, ...]
    matrix: dict[str, dict[str, float | None]]
    first_seat: Interval
    players: int
    games: int
    deals: int
    errors: int
    digest: str
    pairs: tuple[Pair, ...]
    ratings: Ratings

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
    digested : sequence of str, optional
        The columns that the digest covers; all of them if it is missing.

    Attributes
    ----------
    pair_above, pair_met : numpy.ndarray, int32[strategies, strategies, blocks]
        Half games in which the first finishes above the second (a tie gives one to each), and games in which
        they met. A block would need a thousand million games of one pair to overflow.
    orders : Orders
        What the ratings follow from.
    """

    def __init__(
        self, specs: Sequence[str], players: int, blocks: Blocks, digested: Sequence[str] | None = None
    ) -> None:
        self.specs = tuple(specs)
        self.players = players
        self.blocks = blocks
        self.digested = digested
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
        self._random_moves = dict.fromkeys(self.specs, 0)
        self._has_points = True
        self._standings: Standings | None = None  # as long as nothing is added
        self.pair_above = np.zeros((size, size, blocks.count), np.int32)
        self.pair_met = np.zeros((size, size, blocks.count), np.int32)
        self.orders = Orders(size, players, blocks.count, blocks.size)

    def add(self, seed: int, line_up: Sequence[str], rows: np.ndarray) -> None:
        """Add rows of one line-up (specs by slot): whole deals, ordered by deal and rotation."""
        if not len(rows):
            return
        self._standings = None
        covered = rows if self.digested is None else rows[list(self.digested)]
        self.digest = digest.add(self.digest, digest.row_digest(covered, digest.lineup_key(line_up)))
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

    def add_errors(self, errors: Iterable[Mapping[str, Any]]) -> None:
        """Add mistakes; those that cost a game are counted by its row, so only the others count here."""
        for error in errors:
            if error["penalty"] == "random-move":
                self._standings = None
                self._random_moves[error["strategy"]] += 1

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

    @property
    def errors(self) -> int:
        """Return how many of them were forfeited."""
        return int(self._sums["errors"].sum())

    def alone(self, entrant: int) -> bool:
        """Tell whether a strategy has played, and only among copies of itself."""
        return bool(self._alone[entrant]) and self._alone[entrant] == self._games[entrant].sum()

    def share_by_block(self) -> np.ndarray:
        """Return the win share of each strategy in each block, float64[strategies, blocks]; NaN without games."""
        won = self._share / unit(self.players)
        shares: np.ndarray = np.divide(
            won, self._games, out=np.full(won.shape, np.nan), where=self._games > 0
        )
        return shares

    def standings(self) -> Standings:
        """Return what the sums say now."""
        if self._standings is None:
            self._standings = self._compute()
        return self._standings

    def _compute(self) -> Standings:
        shares = [self._share_of(entrant) for entrant in range(len(self.specs))]
        has_met = opponents(self.pair_met).sum(axis=1) > 0
        # who met itself alone proves nothing
        is_compared = has_met if has_met.any() else self._games.sum(axis=1) > 0
        order = sorted(
            range(len(self.specs)),
            key=lambda entrant: (
                not is_compared[entrant],
                -(shares[entrant].value or 0),
                self.specs[entrant],
            ),
        )
        names = [self.specs[entrant] for entrant in order]
        pairs = all_pairs(
            self.specs,
            order,
            self._share / unit(self.players),
            self._games,
            self.pair_above,
            self.pair_met,
            self.blocks,
        )
        rank = ranks([self.specs[entrant] for entrant in order if is_compared[entrant]], pairs)
        ratings = rate(self.orders, self.pair_met)
        ratings = replace(
            ratings,
            strategies=tuple(ratings.strategies[entrant] for entrant in order),
            ranks=tuple(ratings.ranks[entrant] for entrant in order),
        )
        rows = tuple(
            self._standing(entrant, rank.get(self.specs[entrant], 1), shares[entrant], rating)
            for entrant, rating in zip(order, ratings.strategies, strict=True)
        )
        return Standings(
            rows=rows,
            matrix={a: {b: self._above_share(a, b) for b in names if b != a} for a in names},
            first_seat=self._interval(self._first_seat, self._table_games),
            players=self.players,
            games=self.games,
            deals=self.blocks.held(self._table_games),
            errors=self.errors,
            digest=digest.to_text(self.digest),
            pairs=pairs,
            ratings=ratings,
        )

    def _share_of(self, entrant: int) -> Interval:
        if self.alone(entrant):
            exactly = 1 / self.players  # in every deal: nothing is estimated
            return Interval(exactly, exactly, exactly)
        return self._interval(self._share[entrant], self._games[entrant])

    def _interval(self, share_units: np.ndarray, games: np.ndarray) -> Interval:
        return share(share_units / unit(self.players), games, self.blocks.held(games))

    def _standing(self, entrant: int, rank: int, interval: Interval, rating: Interval) -> Standing:
        total = {name: int(sums[entrant]) for name, sums in self._sums.items()}
        points = total["points"] if self._has_points else 0
        return Standing(
            rank=rank,
            strategy=self.specs[entrant],
            games=int(self._games[entrant].sum()),
            win_share=interval.value,
            low=interval.low,
            high=interval.high,
            rating=rating.value,
            rating_low=rating.low,
            rating_high=rating.high,
            mean_score=_quotient(total["score"], total["whole"]),
            margin=_quotient(total["margin"], total["whole"]),
            points=_quotient(points, total["whole"]) if self._has_points else None,
            scored=_quotient(total["score"], points),
            ties=total["ties"],
            errors=total["errors"],
            random_moves=self._random_moves[self.specs[entrant]],
        )

    def _above_share(self, a: str, b: str) -> float | None:
        at = self._number[a], self._number[b]
        return _quotient(int(self.pair_above[at].sum()), 2 * int(self.pair_met[at].sum()))


def _quotient(total: int, count: int) -> float | None:
    return total / count if count else None
