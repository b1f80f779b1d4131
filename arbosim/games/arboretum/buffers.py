"""The records of one game in memory, and the compiled ways into the rules for one game at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numba
import numpy as np
from numba import types

from arbosim.core.jit import EntryPoint, kernel
from arbosim.core.rng import STREAM_SLOT, seed_stream
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum import kernels, metrics, scoring
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.state import (
    ABSENT,
    CARD_CODES,
    DECK,
    HIDDEN,
    MAX_CARDS,
    MAX_PARAMETERS,
    MEMORY,
    NO_TABLES,
    SEAT,
    SETUP,
    TABLE,
)
from arbosim.games.arboretum.view import View

TABLE_RECORD = numba.from_dtype(TABLE)
SEAT_RECORD = numba.from_dtype(SEAT)
HIDDEN_RECORD = numba.from_dtype(HIDDEN)
SETUP_RECORD = numba.from_dtype(SETUP)
BYTES = types.uint8[::1]
WORDS = types.uint64[::1]


@kernel
def start_game(table, seats, hidden, setup, deck, deck_size, seed, deal, rotation):
    """Deal, and set every slot's memory, parameters and random stream to their start for this deal."""
    players = table["players"]
    first_slot = 0 if rotation == 0 else players - rotation
    kernels.begin(table, seats, hidden, setup, deck, deck_size, first_slot)
    for slot in range(players):
        seat = seats[slot]
        seed_stream(seat["rng"], seed, deal, STREAM_SLOT + slot)
        for i in range(MEMORY):
            seat["memory"][i] = 0
        for p in range(players):
            seat["tabled"][p] = NO_TABLES
        for k in range(MAX_PARAMETERS):
            seat["params"][k] = setup["params"][slot][k]


def _deal_game(tables, seats, hiddens, setups, deck, words, seed, deal, rotation):
    deck_size = kernels.shuffle(deck, hiddens[0]["master"], setups[0], words, seed, deal)
    start_game(tables[0], seats, hiddens[0], setups[0], deck, deck_size, seed, deal, rotation)
    metrics.begin(tables[0], hiddens[0])


def _deal_deck(tables, seats, hiddens, setups, deck, deck_size):
    kernels.begin(tables[0], seats, hiddens[0], setups[0], deck, deck_size, 0)
    metrics.begin(tables[0], hiddens[0])


def _step(table, seat, hidden, action):
    answer = kernels.step(table, seat, hidden, action)
    if answer == kernels.LEGAL and action <= DECK:
        metrics.count_draw(table, hidden, action)
    return answer


def _score(table, hidden):
    scoring.score(table, hidden)


def _measure(table, hidden, out):
    metrics.measure(table, hidden, out)


def _place_card(table, p, card, cell):
    kernels.place_card(table, p, card, cell)


deal_game = EntryPoint(
    _deal_game,
    lambda: types.void(
        TABLE_RECORD[::1],
        SEAT_RECORD[::1],
        HIDDEN_RECORD[::1],
        SETUP_RECORD[::1],
        BYTES,
        WORDS,
        types.uint64,
        types.int64,
        types.int64,
    ),
)
deal_deck = EntryPoint(
    _deal_deck,
    lambda: types.void(
        TABLE_RECORD[::1], SEAT_RECORD[::1], HIDDEN_RECORD[::1], SETUP_RECORD[::1], BYTES, types.int64
    ),
)
step = EntryPoint(_step, lambda: types.int64(TABLE_RECORD, SEAT_RECORD, HIDDEN_RECORD, types.int64))
score = EntryPoint(_score, lambda: types.void(TABLE_RECORD, HIDDEN_RECORD))
measure = EntryPoint(_measure, lambda: types.void(TABLE_RECORD, HIDDEN_RECORD, BYTES))
place_card = EntryPoint(_place_card, lambda: types.void(TABLE_RECORD, types.int64, types.int64, types.int64))


class Buffers:
    """The records of one game and the scratch of the engine, for one rule set and number of players.

    Attributes
    ----------
    tables, hiddens, setups : structured ndarray of 1 record
    seats : structured ndarray, one record a slot; in rotation 0 slot and seat are the same
    deck : uint8[MAX_CARDS], the deck of the deal, bottom first
    """

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules = rules
        self.players = players
        self.tables = np.zeros(1, TABLE)
        self.seats = np.zeros(players, SEAT)
        self.hiddens = np.zeros(1, HIDDEN)
        self.setups = np.zeros(1, SETUP)
        self.table_bytes = self.tables.view(np.uint8)
        self.hidden_bytes = self.hiddens.view(np.uint8)
        self.hidden_shadow = np.zeros(HIDDEN.itemsize, np.uint8)
        self.shadow = np.zeros(TABLE.itemsize, np.uint8)
        self.deck = np.zeros(MAX_CARDS, np.uint8)
        self.words = np.zeros(kernels.MASTER_CARDS, np.uint64)
        self.pack()

    def pack(self) -> None:
        """Write the rules into an empty table and the set-up."""
        rules, players = self.rules, self.players
        table = self.tables[0]
        self.tables[:] = np.zeros(1, TABLE)
        codes = rules.species_codes(players)
        table["players"] = players
        table["species_count"] = len(codes)
        table["species"][: len(codes)] = codes
        for name in (
            "values",
            "hand_size",
            "draws",
            "mono_bonus",
            "mono_min",
            "one_bonus",
            "top_bonus",
            "min_path",
        ):
            table[name] = getattr(rules, name)
        table["eight_rule"] = ("one_cancels", "off", "always_zero").index(rules.eight_rule)
        table["right"] = ("highest_sum", "most_cards", "always").index(rules.right)
        table["tied_right"] = ("all", "nobody").index(rules.tied_right)
        table["top_only"] = rules.discard_memory == "top_only"
        table["equal_turns"] = rules.equal_turns
        table["where"] = np.full(CARD_CODES, ABSENT, np.uint8)
        cards = np.array(rules.card_codes(players))
        table["where"][cards] = 0
        setup = self.setups[0]
        places = 16 * np.searchsorted(codes, cards >> 4) + (cards & 15)
        setup["named"][places] = cards
        in_master = (places >> 4 < kernels.MASTER_SPECIES) & ((places & 15) <= kernels.MASTER_VALUES)
        setup["extra_cards"] = int((~in_master).sum())
        setup["dealt"][:players] = [rules.dealt_hand(p) for p in range(players)]
        setup["starts"][:players] = [rules.has_start_discard(p) for p in range(players)]

    def set_parameters(self, entrants: Sequence[Entrant | None]) -> None:
        """Write the parameters of the line-up into the seats' records; a person has none."""
        for slot, entrant in enumerate(entrants):
            if entrant is None:
                continue
            self.setups[0]["params"][slot][: len(entrant.values)] = entrant.values
            self.seats[slot]["params"][: len(entrant.values)] = entrant.values

    def view(self, slot: int) -> View:
        """Return what a slot sees, as a copy: nothing that can be reached from it is the game's own."""
        return View(self.tables.copy(), self.seats[slot : slot + 1].copy(), self.rules)

    def deal(self, seed: int, deal: int, rotation: int = 0) -> None:
        """Start the game of a deal."""
        deal_game.compiled(
            self.tables,
            self.seats,
            self.hiddens,
            self.setups,
            self.deck,
            self.words,
            np.uint64(seed),
            deal,
            rotation,
        )

    def deal_from(self, cards: Sequence[int]) -> None:
        """Start a game from a given order of all cards, the top first."""
        self.deck[: len(cards)] = list(reversed(cards))
        deal_deck.compiled(self.tables, self.seats, self.hiddens, self.setups, self.deck, len(cards))
