"""A strategy of ours at a seat of a game that is played elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from arbosim.core.game import MistakeError
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum import deciders
from arbosim.games.arboretum.actions import Action, action_of_code, describe, is_action
from arbosim.games.arboretum.dialects.records import Records, Standing, lay, understood
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.seating import mistakes
from arbosim.games.arboretum.state import NO_TABLES, SEAT
from arbosim.games.arboretum.view import ENTRY_POINTS, View, answer_code


class Seated:
    """An entrant with records of its own, asked as the engine asks it; all that it needs is compiled first.

    Attributes
    ----------
    seats : structured ndarray of 1 SEAT record
    records : Records
    """

    records: Records

    def __init__(self, entrant: Entrant) -> None:
        self.seats = np.zeros(1, SEAT)
        self._entrant = entrant
        self._decide = deciders.compiled(entrant.strategy)
        self._instance: Any = None
        for point in (lay, *(ENTRY_POINTS if entrant.strategy.kind == "python" else ())):
            _ = point.compiled

    def begin(self, rules: Rules, players: int, seat: int, stream: bytes) -> None:
        """Start a game.

        Parameters
        ----------
        stream : bytes
            16 of them, the state of the seat's random stream.
        """
        self._rules = rules
        self._instance = None
        self.records = Records(rules, players)
        record = self.seats[0]
        record["seat"] = seat
        record["memory"] = 0
        record["rng"] = np.frombuffer(stream, np.uint64)
        record["params"] = 0
        record["params"][: len(self._entrant.values)] = self._entrant.values

    def forget(self) -> None:
        """Empty the memory of the game: what was planned does not fit what was done instead."""
        self.seats[0]["memory"] = 0

    def decide(self, standing: Standing) -> Action:
        """Return the decision where a game stands; a MistakeError if the strategy makes none.

        A UserError tells that no game stands so.
        """
        self._show(standing)
        record = self.seats[0]
        with mistakes():
            if self._entrant.strategy.kind == "compiled":
                code = int(self._decide(self.records.tables[0], record))
            else:
                if self._instance is None:
                    kind: Any = self._entrant.strategy.entry
                    self._instance = kind._start(self._entrant.settings, record["rng"])
                view = View(self.records.tables.copy(), self.seats.copy(), self._rules)
                code = answer_code(self._instance, view)
        if not is_action(code):
            raise MistakeError("illegal", describe(code))
        return action_of_code(code)

    def _show(self, standing: Standing) -> None:
        with understood("state"):
            self.records.show(standing)
        record = self.seats[0]
        record["phase"] = standing.phase
        record["hand"] = 0
        record["hand"][: len(standing.hand)] = standing.hand
        record["hand_count"] = len(standing.hand)
        record["tables_of"] = NO_TABLES
        record["tabled"] = NO_TABLES
        record["overlooks_mono"] = 0
