"""Made-up result rows, and the plainest possible way to sum them up."""

from collections import defaultdict

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
