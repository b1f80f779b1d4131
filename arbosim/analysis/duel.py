"""Two strategies against each other deal by deal, read in the order of the deals whatever the order of arrival."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arbosim.analysis.deals import tables, unit


class Duel:
    """What two strategies got out of each deal, in all line-ups and rotations together.

    A deal counts when it is there for every line-up, and so is every deal before it: otherwise quick games would be
    read before slow ones, and if the two differ in their results, so would what has been read from the truth.

    Parameters
    ----------
    line_ups : int
        How many there are; both strategies sit in each.
    deals : range
        The deals there may be.
    """

    def __init__(self, first: str, second: str, players: int, line_ups: int, deals: range) -> None:
        self.first = first
        self.second = second
        self.games_per_deal = line_ups * players
        self._players = players
        self._line_ups = line_ups
        self._deals = deals
        self._known = 0
        self._end = 0
        count = len(deals)
        self._seen = np.zeros(count, np.uint16)
        self._above = np.zeros(count, np.int32)  # in half games
        self._level = np.zeros(count, np.int32)  # games in which neither finishes above the other
        self._share = np.zeros(count, np.int32)  # difference, in units of 1 / lcm(1..players)
        self._score = np.zeros(count, np.int32)  # difference, over games that nobody forfeited
        self._whole = np.zeros(count, np.int32)  # how many those are

    def add(self, line_up: Sequence[str], rows: np.ndarray) -> None:
        """Add rows of one line-up (specs by slot): consecutive whole deals, ordered by deal and rotation."""
        if not len(rows):
            return
        played = tables(rows, self._players)
        a, b = line_up.index(self.first), line_up.index(self.second)
        start = int(played.deals[0]) - self._deals.start
        at = slice(start, start + len(played.deals))
        order = np.sign(played.order[..., a] - played.order[..., b])
        self._above[at] += (order + 1).sum(axis=1)
        self._level[at] += (order == 0).sum(axis=1)
        self._share[at] += (played.share[..., a] - played.share[..., b]).sum(axis=1)
        self._score[at] += ((played.score[..., a] - played.score[..., b]) * played.whole).sum(axis=1)
        self._whole[at] += played.whole.sum(axis=1)
        self._seen[at] += 1
        self._end = max(self._end, at.stop)
        if start <= self._known:
            lacking = self._seen[self._known : self._end] < self._line_ups
            self._known += int(lacking.argmax()) if lacking.any() else len(lacking)

    @property
    def known(self) -> int:
        """Return how many deals count so far."""
        return self._known

    def above(self, deals: int) -> np.ndarray:
        """Return for each of the first deals the share of games in which the first finishes above, ties half."""
        return self._above[:deals] / (2 * self.games_per_deal)

    def share_difference(self, deals: int) -> np.ndarray:
        """Return for each of the first deals the difference of the win shares."""
        return self._share[:deals] / (unit(self._players) * self.games_per_deal)

    def score_difference(self, deals: int) -> tuple[np.ndarray, np.ndarray]:
        """Return for each of the first deals the sum of the score differences, and over how many games it goes."""
        return self._score[:deals].astype(np.int64), self._whole[:deals].astype(np.int64)

    def single_game_variance(self, deals: int) -> float:
        """Return the variance of the result of one game (1, 1/2 or 0) drawn from all games of the first deals."""
        games = deals * self.games_per_deal
        mean = self._above[:deals].sum() / (2 * games)
        ties = self._level[:deals].sum() / games
        return float(mean - ties / 4 - mean**2)  # a tie counts 1/2, and its square 1/4
