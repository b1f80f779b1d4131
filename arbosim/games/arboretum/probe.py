"""A game under the microscope: what a seat is given, and the same history over other unseen cards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Self

from arbosim.core.errors import UserError
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum.actions import describe
from arbosim.games.arboretum.cards import MAX_VALUE, SPECIES
from arbosim.games.arboretum.rules import Rules, check, make_rules
from arbosim.games.arboretum.seating import Seating
from arbosim.games.arboretum.state import NO_TABLES, SEAT, UNSEEN

KNOWLEDGE = ("seat", "phase", "hand_count", "hand", "params", "memory", "rng")
"""The fields of a seat's record that mean something between decisions; all others are scratch."""


class Probe(Seating):
    """Strategies at the seats of one game, for the checks of what they are given and what they do with it."""

    def __init__(
        self, rules: Rules, entrants: Sequence[Entrant], slots: Sequence[int], seed: int, deal: int
    ) -> None:
        super().__init__(rules, entrants, slots, seed, deal)
        size = int(self._buffers.hiddens[0]["deck_size"])
        self.order = self._buffers.deck[:size][::-1].tolist()
        self._shown = self._public()

    def ask(self) -> int:
        """Return the current seat's decision and leave the game alone; a MistakeError if it makes none."""
        return self._ask(self.position.current)

    def carry_out(self, action: int) -> tuple[Any, ...]:
        """Carry out a decision of the current seat, its own or one from a history, and give it in words."""
        done = super().carry_out(action)
        self._shown |= self._public()
        return done

    def given(self) -> bytes:
        """Return everything that the current seat is given for its decision."""
        record = self._buffers.seats[self.position.current]
        record["phase"] = self._buffers.tables[0]["phase"]
        record["tables_of"] = NO_TABLES
        record["overlooks_mono"] = 0
        record["tabled"] = NO_TABLES
        return bytes(self._buffers.table_bytes.tobytes() + record.tobytes())

    def hide_differently(self, rng: random.Random) -> list[int]:
        """Return another order of the dealt cards that gives the current seat the same to see so far."""
        record = self._buffers.seats[self.position.current]
        mine = set(record["hand"][: record["hand_count"]].tolist())
        unseen = [card for card in self.order if card not in self._shown and card not in mine]
        others = iter(rng.sample(unseen, len(unseen)))
        hidden = set(unseen)
        return [next(others) if card in hidden else card for card in self.order]

    def deal_again(self, order: Sequence[int]) -> None:
        """Go back to the start with the dealt cards in another order."""
        self._buffers.deal_from(order)

    def foul(self, donor: Self) -> None:
        """Fill the current seat's scratch with what another game left in a seat's scratch."""
        record = self._buffers.seats[self.position.current]
        left = donor._buffers.seats[donor.position.current]
        for name in SEAT.names or ():
            if name not in KNOWLEDGE:
                record[name] = left[name]

    def words(self, decision: int) -> str:
        """Return a decision in words."""
        return describe(decision)

    def _public(self) -> set[int]:
        """The cards that the table shows now; it forgets buried discards where only the top is remembered."""
        where = self._buffers.tables[0]["where"]
        return {card for card in self.order if where[card] != UNSEEN}


def random_rules(players: int, rng: random.Random) -> Rules:
    """Return a rule set that makes sense for that many players, every field chosen by chance."""
    while True:
        changes: dict[str, object] = {
            "species": rng.choice([None, rng.randint(3, len(SPECIES))]),
            "values": rng.choice([8, rng.randint(4, MAX_VALUE)]),
            "hand_size": rng.choice([7, rng.randint(3, 12)]),
            "draws": rng.randint(1, 4),
            "start_discard": rng.choice(["all_but_first", "none", "all"]),
            "extra_card": rng.choice(["none", "first", "all_but_first", "all"]),
            "eight_rule": rng.choice(["one_cancels", "off", "always_zero"]),
            "mono_bonus": rng.random() < 0.7,
            "mono_min": rng.randint(2, 5),
            "one_bonus": rng.randint(0, 3),
            "top_bonus": rng.randint(0, 3),
            "min_path": rng.choice([2, 2, 3, 4]),
            "right": rng.choice(["highest_sum", "highest_sum", "most_cards", "always"]),
            "tied_right": rng.choice(["all", "nobody"]),
            "discard_memory": rng.choice(["all", "top_only"]),
            "equal_turns": rng.random() < 0.5,
        }
        rules = make_rules(None, changes)
        try:
            check(rules, players)
        except UserError:
            continue
        return rules
