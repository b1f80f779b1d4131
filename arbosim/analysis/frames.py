"""Tidy pandas frames from result rows; docs/tables.md describes their columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from arbosim.analysis.pairs import COLUMNS as PAIRS
from arbosim.analysis.pairs import Pair
from arbosim.analysis.ratings import COLUMNS as RATINGS
from arbosim.analysis.standings import COLUMNS, Standing, Standings, Totals
from arbosim.analysis.stats import Interval
from arbosim.core.columns import Column

if TYPE_CHECKING:
    import pandas as pd

Batches = Iterable[tuple[int, np.ndarray]]
"""Match and rows: whole deals, ordered by deal and rotation."""

GAME = (
    Column("match", "int32", "", "number of the line-up in run.json"),
    Column("deal", "int64", "", "number of the deal; with the seed it decides the deck"),
    Column("rotation", "uint8", "", "slot i of the line-up sits on seat (i + rotation) % players"),
)
GAMES = (
    *GAME,
    Column("line_up", "category", "", "specs by slot, with ' | ' between them"),
    Column("turns", "uint16", "turns", "of all seats together"),
    Column(
        "unequal_turns", "boolean", "", "some seats had a turn more than others; missing in forfeited games"
    ),
    Column("winner", "category", "", "the strategy that won alone; missing where the win is shared"),
    Column("winners", "uint8", "seats", "how many seats share the win"),
    Column("margin", "Int16", "points", "best score minus the second best; missing in forfeited games"),
    Column("tie_break", "boolean", "", "more seats had the best score than won; missing in forfeited games"),
    Column("forfeiter", "category", "", "the strategy whose mistake ended the game; missing otherwise"),
)
SEATS = (
    *GAME,
    Column("seat", "uint8", "", "seat 0 starts"),
    Column("strategy", "category", "", "spec of the strategy on this seat"),
    Column("turns", "Int16", "turns", "of this seat; missing in forfeited games"),
    Column("score", "Int16", "points", "missing in forfeited games, as are the metrics of the game after it"),
    Column("win", "float64", "0 to 1", "1 for a win, 1/n for a win shared by n"),
    Column("forfeited", "bool", "", "this seat's mistake ended the game"),
)

SPECIES = (
    *GAME,
    Column("seat", "uint8", "", "seat 0 starts"),
    Column("strategy", "category", "", "spec of the strategy on this seat"),
    Column("species", "category", "", "letter of the species"),
    Column("hand", "int16", "", "what the hand counts for the right to score, after the 8/1 rule"),
    Column("right", "bool", "", "has the right to score"),
    Column("points", "int16", "points", "best path, whatever the right"),
    Column("scored", "int16", "points", "what counts of it"),
    Column("length", "int16", "cards", "cards on that path; 0 without one"),
)
PROGRESS = (
    Column("strategy", "category", "", "canonical spec"),
    Column("deals", "int64", "deals", "that the strategy has played so far"),
    Column("win_share", "float64", "0 to 1", "mean over the blocks of deals so far"),
    Column("low", "float64", "0 to 1", "lower bound of its 95 % confidence sequence"),
    Column("high", "float64", "0 to 1", "upper bound of it"),
)
MATRIX = (
    Column("strategy", "str", "", "canonical spec"),
    Column("opponent", "str", "", "canonical spec of another"),
    Column(
        "above", "float", "0 to 1", "share of common games in which the strategy finishes above, ties half"
    ),
)


def games(
    batches: Batches, line_ups: Sequence[Sequence[str]], players: int, numbers_of_game: Sequence[Column] = ()
) -> pd.DataFrame:
    """Return a frame with one row per game."""
    import pandas as pd

    strategies = _names(line_ups)
    numbers = _numbers(line_ups, strategies)
    columns: dict[str, list[np.ndarray]] = {column.name: [] for column in (*GAMES, *numbers_of_game)}
    for match, rows in batches:
        seated = _seated(rows, numbers[match])
        winners = (rows["winners"][:, None] >> np.arange(players)) & 1
        scores = np.sort(_by_seat(rows, "score", players), axis=1)
        error = rows["error"].astype(np.int64)
        at = np.arange(len(rows))
        _game_columns(columns, match, rows)
        columns["line_up"].append(np.full(len(rows), match))
        columns["turns"].append(rows["turns"])
        alone = winners.sum(axis=1) == 1
        columns["winner"].append(np.where(alone, seated[at, winners.argmax(axis=1)], -1))
        columns["winners"].append(winners.sum(axis=1).astype(np.uint8))
        columns["unequal_turns"].append(rows["turns"] % players > 0)
        columns["tie_break"].append((scores == scores[:, -1:]).sum(axis=1) > winners.sum(axis=1))
        columns["margin"].append(np.where(error == 0, scores[:, -1] - scores[:, -2], -1))
        for column in numbers_of_game:
            columns[column.name].append(rows[column.name])
        columns["forfeiter"].append(np.where(error > 0, seated[at, error - 1], -1))
    data = {
        name: np.concatenate(parts) if parts else np.empty(0, np.int64) for name, parts in columns.items()
    }
    labels = [" | ".join(line_up) for line_up in line_ups]
    frame = pd.DataFrame({name: data[name] for name in ("match", "deal", "rotation")})
    frame["line_up"] = _category(data["line_up"], labels)
    missing = data["forfeiter"] >= 0
    frame["turns"] = data["turns"]
    frame["unequal_turns"] = pd.arrays.BooleanArray(data["unequal_turns"].astype(bool), missing)
    frame["winner"] = _category(data["winner"], strategies)
    frame["winners"] = data["winners"]
    frame["margin"] = _nullable(data["margin"], missing)
    frame["tie_break"] = pd.arrays.BooleanArray(data["tie_break"].astype(bool), missing)
    frame["forfeiter"] = _category(data["forfeiter"], strategies)
    for column in numbers_of_game:
        frame[column.name] = _nullable(data[column.name], missing, np.int32)
    return frame


def seats(
    batches: Batches, line_ups: Sequence[Sequence[str]], players: int, metrics: Sequence[Column]
) -> pd.DataFrame:
    """Return a frame with one row per game and seat."""
    import pandas as pd

    strategies = _names(line_ups)
    numbers = _numbers(line_ups, strategies)
    fields = ["turns", "score", *(metric.name for metric in metrics)]
    names = [column.name for column in (*SEATS, *metrics)] + ["missing"]
    columns: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for match, rows in batches:
        _game_columns(columns, match, np.repeat(rows, players))
        columns["seat"].append(np.tile(np.arange(players, dtype=np.uint8), len(rows)))
        columns["strategy"].append(_seated(rows, numbers[match]).ravel())
        columns["turns"].append(_turns(rows, players).ravel())
        for field in fields[1:]:
            columns[field].append(_by_seat(rows, field, players).ravel())
        columns["win"].append(_shares(rows, players).ravel())
        error = rows["error"].astype(np.int64)[:, None]
        columns["forfeited"].append((error == np.arange(1, players + 1)).ravel())
        columns["missing"].append(np.repeat(rows["error"] > 0, players))
    data = {
        name: np.concatenate(parts) if parts else np.empty(0, np.int64) for name, parts in columns.items()
    }
    frame = pd.DataFrame({name: data[name] for name in ("match", "deal", "rotation", "seat")})
    frame["strategy"] = _category(data["strategy"], strategies)
    missing = data["missing"].astype(bool)
    for field in fields:
        frame[field] = _nullable(data[field], missing)
    frame["win"] = data["win"].astype(np.float64)
    frame["forfeited"] = data["forfeited"].astype(bool)
    return frame


def standings(rows: Sequence[Standing]) -> pd.DataFrame:
    """Return a frame with one row per strategy, by rank; missing numbers are NaN."""
    import pandas as pd

    frame = pd.DataFrame([asdict(row) for row in rows], columns=[column.name for column in COLUMNS])
    return frame.astype({column.name: column.dtype for column in COLUMNS}).set_index("rank")


def ratings(table: Standings) -> pd.DataFrame:
    """Return a frame with one row per strategy, the highest rating first, and those without one last.

    Its attributes ``seats`` and ``ties`` are lists of mappings with ``value``, ``low`` and ``high``: Elo by seat,
    and delta for 2, 3, ... that tie.
    """
    import pandas as pd

    rated = sorted(
        zip(table.rows, table.ratings.strategies, strict=True),
        key=lambda row: math.inf if row[1].value is None else -row[1].value,
    )
    rows = [(row.strategy, each.value, each.low, each.high, row.games) for row, each in rated]
    frame = pd.DataFrame(rows, columns=[column.name for column in RATINGS])
    frame.attrs["seats"] = [_bounded(seat) for seat in table.ratings.seats]
    frame.attrs["ties"] = [_bounded(tie) for tie in table.ratings.ties]
    return frame.astype({column.name: column.dtype for column in RATINGS})


def pairs(found: Sequence[Pair]) -> pd.DataFrame:
    """Return a frame with one row per pair; missing numbers are NaN."""
    import pandas as pd

    rows = [
        {**asdict(pair), "above": pair.above.value, "low": pair.above.low, "high": pair.above.high}
        for pair in found
    ]
    frame = pd.DataFrame(rows, columns=[column.name for column in PAIRS])
    return frame.astype({column.name: column.dtype for column in PAIRS})


def matrix(shares: Mapping[str, Mapping[str, float | None]]) -> pd.DataFrame:
    """Return the share of common games in which the row finishes above the column; NaN where they never met."""
    import pandas as pd

    names = list(shares)
    values = [[shares[a].get(b) for b in names] for a in names]
    return pd.DataFrame(values, index=names, columns=names, dtype=float)


def long_matrix(shares: Mapping[str, Mapping[str, float | None]]) -> pd.DataFrame:
    """Return the same with one row per ordered pair of different strategies."""
    import pandas as pd

    rows = [(a, b, share) for a, others in shares.items() for b, share in others.items()]
    frame = pd.DataFrame(rows, columns=[column.name for column in MATRIX])
    return frame.astype({column.name: column.dtype for column in MATRIX})


def _bounded(interval: Interval) -> dict[str, float | None]:
    return {"value": interval.value, "low": interval.low, "high": interval.high}


def progress(totals: Totals) -> pd.DataFrame:
    """Return a frame with one row per strategy and block of deals: how its win share settles.

    The bounds are a confidence sequence over blocks: with 95 % they hold at all of its rows together. In
    self-play nothing is estimated: share and bounds are exactly 1 / players.
    """
    import pandas as pd

    from arbosim.analysis.sequential import confidence_sequence

    blocks = totals.blocks
    ends = np.minimum((np.arange(blocks.count) + 1) * blocks.size, blocks.deals)
    lengths = np.diff(ends, prepend=0)
    parts = []
    for number, shares in enumerate(totals.share_by_block()):
        held = ~np.isnan(shares)
        values = shares[held]
        if totals.alone(number):  # nothing is estimated, as in the standings
            win_share = low = high = np.full(len(values), 1 / totals.players)
        else:
            win_share = np.cumsum(values) / np.arange(1, len(values) + 1)
            low, high = confidence_sequence(values)
        part = {
            "strategy": np.full(len(values), number),
            "deals": np.cumsum(lengths[held]),
            "win_share": win_share,
            "low": np.clip(low, 0, 1),
            "high": np.clip(high, 0, 1),
        }
        parts.append(pd.DataFrame(part))
    frame = pd.concat(parts, ignore_index=True)
    frame["strategy"] = _category(frame["strategy"].to_numpy(), totals.specs)
    return frame


def species(rows: Sequence[dict[str, object]], line_ups: Sequence[Sequence[str]]) -> pd.DataFrame:
    """Return a frame with one row per game, seat and species; forfeited games have none."""
    import pandas as pd

    frame = pd.DataFrame(rows, columns=[column.name for column in SPECIES])
    dtypes = {column.name: column.dtype for column in SPECIES if column.name != "strategy"}
    frame = frame.astype(dtypes)
    frame["strategy"] = pd.Categorical(frame["strategy"], categories=_names(line_ups))
    return frame


def observed(rows: Sequence[dict[str, object]], line_ups: Sequence[Sequence[str]]) -> pd.DataFrame:
    """Return a frame with one row per game and seat of what an observer measured, float64; missing numbers are NaN."""
    import pandas as pd

    kept = (*GAME, *SEATS[len(GAME) : len(GAME) + 2])  # seat and strategy
    names = dict.fromkeys([column.name for column in kept])
    for row in rows:
        names |= dict.fromkeys(row)
    frame = pd.DataFrame(rows, columns=list(names))
    frame = frame.astype({column.name: column.dtype for column in kept if column.name != "strategy"})
    frame["strategy"] = pd.Categorical(frame["strategy"], categories=_names(line_ups))
    return frame


def _names(line_ups: Sequence[Sequence[str]]) -> list[str]:
    return sorted({spec for line_up in line_ups for spec in line_up})


def _numbers(line_ups: Sequence[Sequence[str]], names: Sequence[str]) -> list[np.ndarray]:
    number = {name: index for index, name in enumerate(names)}
    return [np.array([number[spec] for spec in line_up]) for line_up in line_ups]


def _seated(rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the number of the strategy on each seat, int64[games, seats]."""
    seat = np.arange(len(numbers))
    strategies: np.ndarray = numbers[(seat - rows["rotation"].astype(np.int64)[:, None]) % len(numbers)]
    return strategies


def _turns(rows: np.ndarray, players: int) -> np.ndarray:
    """Return the turns of each seat, int64[games, seats]: they take turns in order, and seat 0 starts."""
    turns: np.ndarray = (rows["turns"].astype(np.int64)[:, None] + np.arange(players)[::-1]) // players
    return turns


def _by_seat(rows: np.ndarray, field: str, players: int) -> np.ndarray:
    values = np.stack([rows[f"{field}_{seat}"] for seat in range(players)], axis=1)
    return values if values.dtype == np.float64 else values.astype(np.int16)


def _shares(rows: np.ndarray, players: int) -> np.ndarray:
    won = (rows["winners"][:, None] >> np.arange(players)) & 1
    shares: np.ndarray = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    return shares


def _game_columns(columns: dict[str, list[np.ndarray]], match: int, rows: np.ndarray) -> None:
    columns["match"].append(np.full(len(rows), match, np.int32))
    columns["deal"].append(rows["deal"])
    columns["rotation"].append(rows["rotation"])


def _category(codes: np.ndarray, names: Sequence[str]) -> pd.Categorical[Any]:
    import pandas as pd

    return pd.Categorical.from_codes(codes.astype(np.int64), dtype=pd.CategoricalDtype(list(names)))


def _nullable(
    values: np.ndarray, missing: np.ndarray, whole: type[np.signedinteger[Any]] = np.int16
) -> pd.arrays.IntegerArray | np.ndarray:
    """Return whole numbers with some missing; other numbers have NaN where they are missing."""
    import pandas as pd

    if values.dtype == np.float64:
        return values
    return pd.arrays.IntegerArray(values.astype(whole), missing)
