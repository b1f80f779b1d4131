"""Result rows: their fields, and filling them from what the engine wrote."""

from __future__ import annotations

from typing import Any

import numpy as np

from arbosim.core.hook import fields
from arbosim.core.measures import METRICS as MEASURED
from arbosim.core.measures import RESULTS_ALONE, Measures
from arbosim.games.arboretum.columns import COURSE, METRICS, RESULTS
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.state import MAX_PLAYERS

TURNS, WINNERS, FORFEITER, SCORE, POINTS, KINDS = 0, 1, 2, 3, 7, 11
"""Columns of the engine's results; the last three begin a block of one column a seat."""
NO_ACTION = -1


class Measured:
    """The arrays into which the engine writes results and measures, a row for each game.

    Attributes
    ----------
    results : int32[games, columns]
    metrics : uint8[games, len(METRICS) * players], metric by metric, each seat by seat; no rows if not asked for
    course : int32[games, len(COURSE)], None if not asked for
    actions : int32[games, most actions of a game], -1 where there is none; None if not asked for
    hooked : float64[games, seats or 1, names], one row if there is no hook
    """

    def __init__(self, games: int, rules: Rules, players: int, measures: Measures) -> None:
        self.players = players
        self.measures = measures
        self.results = np.full((games, KINDS + MAX_PLAYERS), -1, np.int32)
        self.results[:, FORFEITER] = 0
        self.metrics = np.zeros((games if measures.metrics else 0, len(METRICS) * players), np.uint8)
        self.course = np.zeros((games, len(COURSE)), np.int32) if measures.course else None
        self.actions = (
            np.full((games, most_actions(rules, players)), NO_ACTION, np.int32) if measures.actions else None
        )
        hook = measures.hook
        shape = (1, 1, 0) if hook is None else (games, players if hook.per == "seat" else 1, len(hook.names))
        self.hooked = np.zeros(shape)

    def forfeit(self, game: int, seat: int, turn: int) -> None:
        """Write that a seat's mistake ended a game, in a turn counted from 0."""
        row = self.results[game]
        row[:] = -1
        row[TURNS] = turn + 1
        row[WINNERS] = (1 << self.players) - 1 - (1 << seat)
        row[FORFEITER] = seat + 1
        row[KINDS:] = 0
        self.hooked[game : game + 1] = np.nan

    def kept(self, games: int) -> list[np.ndarray] | None:
        """Return the actions of the first games, if they were asked for."""
        if self.actions is None:
            return None
        return [actions[: np.count_nonzero(actions != NO_ACTION)].copy() for actions in self.actions[:games]]

    def rows(self, games: int, first_deal: int) -> np.ndarray:
        """Return the rows of the first games."""
        rows = np.zeros(games, row_dtype(self.players, self.measures))
        results = self.results[:games]
        index = np.arange(games)
        rows["deal"] = first_deal + index // self.players
        rows["rotation"] = index % self.players
        rows["turns"] = results[:, TURNS]
        rows["winners"] = results[:, WINNERS]
        rows["error"] = results[:, FORFEITER]
        for name, column in (("score", SCORE), ("points", POINTS), ("kinds", KINDS)):
            for p in range(self.players):
                rows[f"{name}_{p}"] = results[:, column + p]
        if self.measures.metrics:
            # side by side in a row, in the order in which the engine writes them
            first = row_dtype(self.players, RESULTS_ALONE).itemsize
            bytes_of = rows.view(np.uint8).reshape(games, rows.itemsize)
            bytes_of[:, first : first + self.metrics.shape[1]] = self.metrics[:games]
        if self.course is not None:
            for number, told in enumerate(COURSE):
                rows[told.name] = self.course[:games, number]
        hook = self.measures.hook
        for k, name in enumerate(hook.names if hook else ()):
            for p, (field, _) in enumerate(fields([name], hook.per, self.players)):  # type: ignore[union-attr]
                rows[field] = self.hooked[:games, p, k]
        return rows


def most_actions(rules: Rules, players: int) -> int:
    """Return a number of actions that no game exceeds.

    A turn lays a card and draws and discards the others, and every seat may have an extra card to discard (R03 to R10).
    """
    return 2 * rules.draws * len(rules.card_codes(players)) + players


def row_dtype(players: int, measures: Measures = MEASURED) -> np.dtype[Any]:
    """Return the structured dtype of a result row."""
    added: list[tuple[str, Any]] = [
        ("deal", np.int64),
        ("rotation", np.uint8),
        ("turns", np.uint16),
        ("winners", np.uint8),
        ("error", np.uint8),
    ]
    by_seat = [("score", "int16"), *((column.name, column.dtype) for column in RESULTS)]
    by_seat += [(column.name, column.dtype) for column in METRICS if measures.metrics]
    for name, dtype in by_seat:
        added += [(f"{name}_{p}", dtype) for p in range(players)]
    added += [(column.name, column.dtype) for column in COURSE if measures.course]
    if measures.hook is not None:
        added += fields(measures.hook.names, measures.hook.per, players)
    return np.dtype(added)
