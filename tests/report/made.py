"""Frames as results have them, made up for any number of strategies with names of any kind."""

from itertools import combinations

import numpy as np
import pandas as pd

ODD = [
    'my, "odd" $dir_a^2$/s.py',
    "a\nb\t<i>&amp;.py",
    "策略-код-ü-שלום:keep=1",
    "experiments/" + "very/" * 40 + "long.py",
    "experiments/" + "very/" * 41 + "long.py",
    "_hidden",
    "$",
    "{0:s}%d\\n",
]


def names(count):
    plain = [f"balanced:weight={number}:patience={number % 5}" for number in range(count)]
    return [*ODD, *plain][:count]


def line_ups(count, players):
    """Return some line-ups in which all take part, as often as each other where there are enough."""
    shifts = range(1, 4 if count > players else 2)
    found = {
        tuple(sorted({(first + shift * slot) % count for slot in range(players)}))
        for first in range(count)
        for shift in shifts
    }
    return sorted(line_up for line_up in found if len(line_up) == players)


def seats(count, players=2, deals=3):
    rng = np.random.default_rng(count)
    called = names(count)
    rows = []
    for match, line_up in enumerate(line_ups(count, players)):
        for deal in range(deals):
            for rotation in range(players):
                scores = rng.integers(0, 40, players)
                share = 1 / (scores == scores.max()).sum()
                for seat in range(players):
                    name = called[line_up[(seat - rotation) % players]]
                    win = share if scores[seat] == scores.max() else 0.0
                    rows.append((match, deal, rotation, seat, name, scores[seat], win, 20 + deal))
    columns = ["match", "deal", "rotation", "seat", "strategy", "score", "win", "turns"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype({"strategy": "category", "score": "Int16"})


def pairs(count):
    rng = np.random.default_rng(count)
    rows = []
    for first, second in combinations(names(count), 2):
        above, half = rng.uniform(0.1, 0.9), rng.uniform(0.01, 0.1)
        rows.append((first, second, above, above - half, above + half, float(abs(above - 0.5) < half)))
    return pd.DataFrame(rows, columns=["first", "second", "above", "low", "high", "above_p_holm"])


def ratings(count):
    rating = np.linspace(150, -150, count)
    frame = pd.DataFrame(
        {"strategy": names(count), "rating": rating, "low": rating - 20, "high": rating + 20}
    )
    frame.loc[count - 1, ["low", "high"]] = np.nan
    return frame


def standings(count):
    points = np.linspace(30, 10, count)
    scored = np.linspace(0.9, 0.2, count)
    return pd.DataFrame(
        {"strategy": names(count), "mean_score": points * scored, "points": points, "scored": scored}
    )


def progress(count, deals=150):
    """Return made-up win shares after each deal, with bounds that close in on them."""
    rng = np.random.default_rng(count)
    after = np.arange(1, deals + 1)
    parts = []
    for name in names(count):
        share = np.cumsum(rng.uniform(0, 1, deals)) / after
        low, high = np.clip(share - 1 / np.sqrt(after), 0, 1), np.clip(share + 1 / np.sqrt(after), 0, 1)
        parts.append(
            pd.DataFrame({"strategy": name, "deals": after, "win_share": share, "low": low, "high": high})
        )
    return pd.concat(parts, ignore_index=True)
