"""Made-up result rows, and the plainest possible way to sum them up."""

from collections import defaultdict
from itertools import combinations

import numpy as np


def row_dtype(players: int) -> np.dtype:
    fields = [("deal", "i8"), ("rotation", "u1"), ("turns", "u2"), ("winners", "u1"), ("error", "u1")]
    for name, dtype in (("score", "i2"), ("points", "i2"), ("kinds", "u1")):
        fields += [(f"{name}_{seat}", dtype) for seat in range(players)]
    return np.dtype(fields)


def make_rows(
    players: int, first: int, deals: int, rng: np.random.Generator, errors: float = 0.0
) -> np.ndarray:
    """Return rows whose winners follow from scores and kinds; some games are forfeited."""
    rows = np.zeros(deals * players, row_dtype(players))
    rows["deal"] = first + np.arange(len(rows)) // players
    rows["rotation"] = np.arange(len(rows)) % players
    rows["turns"] = rng.integers(20, 40, len(rows))
    for row in rows:
        if rng.random() < errors:
            seat = int(rng.integers(players))
            row["error"] = seat + 1
            row["winners"] = (1 << players) - 1 - (1 << seat)
            for other in range(players):
                row[f"score_{other}"] = row[f"points_{other}"] = -1
            continue
        keys = []
        for seat in range(players):
            points = int(rng.integers(0, 12))
            row[f"points_{seat}"] = points
            row[f"score_{seat}"] = rng.integers(0, points + 1)
            row[f"kinds_{seat}"] = rng.integers(0, 3)
            keys.append((row[f"score_{seat}"], row[f"kinds_{seat}"]))
        row["winners"] = sum(1 << seat for seat in range(players) if keys[seat] == max(keys))
    return rows


def plainly(batches: list, players: int) -> dict:
    """Sum up (line-up, rows) game by game."""
    by_strategy: dict = defaultdict(lambda: defaultdict(float))
    above: dict = defaultdict(float)
    met: dict = defaultdict(int)
    first_seat = games = 0
    for line_up, rows in batches:
        for row in rows:
            games += 1
            winners = [seat for seat in range(players) if row["winners"] >> seat & 1]
            first_seat += (0 in winners) / len(winners)
            seated = {(slot + int(row["rotation"])) % players: spec for slot, spec in enumerate(line_up)}
            place = {}
            for seat, spec in seated.items():
                mine = by_strategy[spec]
                mine["games"] += 1
                mine["wins"] += (seat in winners) / len(winners)
                if row["error"]:
                    mine["errors"] += row["error"] == seat + 1
                    place[seat] = (-1,) if row["error"] == seat + 1 else (0,)
                    continue
                place[seat] = (int(row[f"score_{seat}"]), int(row[f"kinds_{seat}"]))
                others = max(int(row[f"score_{other}"]) for other in seated if other != seat)
                mine["whole"] += 1
                mine["score"] += int(row[f"score_{seat}"])
                mine["margin"] += int(row[f"score_{seat}"]) - others
                mine["points"] += int(row[f"points_{seat}"])
                mine["ties"] += seat in winners and len(winners) > 1
            for a, one in seated.items():
                for b, other in seated.items():
                    if one != other:
                        met[one, other] += 1
                        above[one, other] += (place[a] > place[b]) + (place[a] == place[b]) / 2
    return {
        "strategies": by_strategy,
        "matrix": {pair: above[pair] / met[pair] for pair in met},
        "first_seat": first_seat / games,
        "games": games,
    }


def play_orders(
    rng: np.random.Generator,
    line_up: tuple,
    deals: int,
    strengths: np.ndarray,
    seats: np.ndarray,
    ties: np.ndarray,
    luck: float = 0.0,
) -> np.ndarray:
    """Return orders, int[deals, rotations, slots], by the Davidson-Luce model, choice by choice.

    Parameters
    ----------
    line_up : tuple of int
    strengths, seats, ties : numpy.ndarray
        Natural logarithms, the last of delta for 1, 2, ... that tie.
    luck : float
        Standard deviation of what a deal does to each slot of the line-up, in all rotations: games of a deal depend
        on each other.
    """
    players = len(line_up)
    sits = (np.arange(players)[:, None] + np.arange(players)) % players
    worth = strengths[list(line_up)] + seats[sits] + rng.normal(0, luck, (deals, 1, players))
    worth = worth.reshape(-1, players)
    order = np.zeros(worth.shape, int)
    left = np.ones(worth.shape, bool)
    choices = [some for size in range(1, players + 1) for some in combinations(range(players), size)]
    for place in range(players, 0, -1):
        weights = np.array([ties[len(some) - 1] + worth[:, some].mean(axis=1) for some in choices])
        weights[[~left[:, some].all(axis=1) for some in choices]] = -np.inf
        taken = (weights + rng.gumbel(size=weights.shape)).argmax(axis=0)
        for number, some in enumerate(choices):
            games = np.flatnonzero((taken == number) & left.any(axis=1))
            order[np.ix_(games, some)] = place
            left[np.ix_(games, some)] = False
    return order.reshape(deals, players, players)


def rows_of(order: np.ndarray, first: int = 0) -> np.ndarray:
    """Return rows in which the slots of a line-up end in that order, int[deals, rotations, slots]."""
    deals, players, _ = order.shape
    rows = np.zeros(deals * players, row_dtype(players))
    rows["deal"] = first + np.arange(len(rows)) // players
    rows["rotation"] = np.arange(len(rows)) % players
    for rotation in range(players):
        for slot in range(players):
            rows[f"score_{(slot + rotation) % players}"][rotation::players] = order[:, rotation, slot]
    scores = np.stack([rows[f"score_{seat}"] for seat in range(players)], axis=1)
    rows["winners"] = ((scores == scores.max(axis=1, keepdims=True)) << np.arange(players)).sum(axis=1)
    return rows


def ladder(size: int, step: float) -> np.ndarray:
    """Return shares of games in which the row finishes above the column: each is stronger than the next."""
    strength = -step * np.arange(size)
    return 1 / (1 + np.exp(strength - strength[:, None]))


def pairs(share: np.ndarray, blocks: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return half games above and games met by block of one deal, in which each pair plays two games."""
    size = len(share)
    won = 2 * rng.binomial(2, np.broadcast_to(share[..., None], (size, size, blocks)))
    upper = np.triu(np.ones((size, size), bool), 1)[..., None]
    above = np.where(upper, won, np.where(upper.transpose(1, 0, 2), 4 - won.transpose(1, 0, 2), 0))
    return above, np.where(upper | upper.transpose(1, 0, 2), 2, 0) + np.zeros_like(above)
