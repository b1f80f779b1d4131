"""What the seats of a finished game are rewarded with; every kind of it adds up to 0 over the seats."""

from __future__ import annotations

from collections.abc import Mapping

FORFEIT_MARGIN = 100.0
"""Points by which a forfeited game, which has no scores, counts as lost where rewards are margins."""


def shares(row: Mapping[str, int], players: int) -> list[float]:
    """Return by seat the share of the win."""
    won = [row["winners"] >> seat & 1 for seat in range(players)]
    return [each / sum(won) for each in won]


def by_win(row: Mapping[str, int], players: int) -> list[float]:
    """Return by seat 1 for a win alone and -1 divided by the number of the others for a loss; all sharing is 0."""
    return [(players * share - 1) / (players - 1) for share in shares(row, players)]


def by_margin(row: Mapping[str, int], players: int) -> list[float]:
    """Return by seat the score less the mean score of the others."""
    if "score_0" not in row:
        return [FORFEIT_MARGIN * reward for reward in _blamed(row, players)]
    scores = [row[f"score_{seat}"] for seat in range(players)]
    return [score - (sum(scores) - score) / (players - 1) for score in scores]


def _blamed(row: Mapping[str, int], players: int) -> list[float]:
    """Return by seat -1 for the one that did not win, and an equal part of 1 for the others."""
    return [1 / (players - 1) if row["winners"] >> seat & 1 else -1.0 for seat in range(players)]


REWARDS = {"win": by_win, "margin": by_margin}
