"""The compiled engine: many games of one line-up in one call, without the GIL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
from numba import types

from arbosim.core.errors import UserError
from arbosim.core.game import Chunk, GameError
from arbosim.core.jit import JIT, EntryPoint, kernel
from arbosim.core.rng import STREAM_SLOT, seed_stream
from arbosim.core.strategy import Entrant, Strategy
from arbosim.games.arboretum import kernels, scoring
from arbosim.games.arboretum.actions import REASONS, describe
from arbosim.games.arboretum.plain import PlainSeats, ask_plain
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.state import (
    ABSENT,
    CARD_CODES,
    HIDDEN,
    MAX_CARDS,
    MAX_PLAYERS,
    MEMORY,
    SEAT,
    SETUP,
    TABLE,
    WIDTH,
)

TABLE_RECORD = numba.from_dtype(TABLE)
SEAT_RECORD = numba.from_dtype(SEAT)
HIDDEN_RECORD = numba.from_dtype(HIDDEN)
SETUP_RECORD = numba.from_dtype(SETUP)
DECIDE = types.int64(TABLE_RECORD, SEAT_RECORD)
BYTES = types.uint8[::1]
WORDS = types.uint64[::1]
COUNTS = types.int64[::1]

TURNS, WINNERS, FORFEITER, SCORE, POINTS, KINDS = 0, 1, 2, 3, 7, 11
"""Columns of the result array; the last three begin a block of one column a seat."""
RESULT_COLUMNS = KINDS + MAX_PLAYERS
GAME, EVENT, ACTION = 0, 1, 2
"""Fields of the progress array: the game in the call, why the engine left, and the action that it refused."""
NO_GAME = -1
FINE, ILLEGAL, WROTE = 0, 1, 2
GRID_OFFSET = TABLE.fields["grid"][1]  # type: ignore[index]
GRID_BYTES = WIDTH * WIDTH


@kernel
def start_game(table, seats, hidden, setup, deck, deck_size, seed, deal, rotation):
    """Deal, clear the memories, and set every slot's random stream to its start for this deal."""
    players = table["players"]
    first_slot = 0 if rotation == 0 else players - rotation
    kernels.begin(table, seats, hidden, setup, deck, deck_size, first_slot)
    for slot in range(players):
        seat = seats[slot]
        seed_stream(seat["rng"], seed, deal, STREAM_SLOT + slot)
        for i in range(MEMORY):
            seat["memory"][i] = 0


@kernel
def _near(count):
    """First and last byte of the rows of a grid that an arboretum of so many cards can touch."""
    middle = WIDTH // 2
    return max(middle - count - 1, 0) * WIDTH, min(middle + count + 2, WIDTH) * WIDTH


@kernel
def keep_table(table, table_bytes, shadow):
    """Copy the table to its shadow, as far as the arboretums reach (modified in place)."""
    for i in range(GRID_OFFSET):
        shadow[i] = table_bytes[i]
    for p in range(table["players"]):
        first, last = _near(table["board_count"][p])
        for i in range(GRID_OFFSET + p * GRID_BYTES + first, GRID_OFFSET + p * GRID_BYTES + last):
            shadow[i] = table_bytes[i]


@kernel
def table_changed(table, table_bytes, shadow):
    """Whether the table differs from its shadow."""
    differs = 0
    for i in range(GRID_OFFSET):
        differs |= table_bytes[i] ^ shadow[i]
    if differs:
        return True
    for p in range(table["players"]):
        first, last = _near(table["board_count"][p])
        for i in range(GRID_OFFSET + p * GRID_BYTES + first, GRID_OFFSET + p * GRID_BYTES + last):
            differs |= table_bytes[i] ^ shadow[i]
    return differs != 0


def _play_games(
    decide0,
    decide1,
    decide2,
    decide3,
    tables,
    seats,
    hiddens,
    setups,
    table_bytes,
    shadow,
    deck,
    words,
    seed,
    first_deal,
    first_game,
    last_game,
    strict_deals,
    stop,
    progress,
    results,
):
    """Play the games `first_game <= g < last_game`: deal `first_deal + g // players`, rotation `g % players`.

    Returns the number of the game at which it left: `last_game`, or the game of an event noted in `progress`, or
    the next game after a stop. Writes one row of `results` a finished game.
    """
    table = tables[0]
    hidden = hiddens[0]
    setup = setups[0]
    players = table["players"]
    deck_size = 0
    for g in range(first_game, last_game):
        if stop[0]:
            return g
        rotation = g % players
        deal = first_deal + g // players
        progress[GAME] = g
        if rotation == 0 or g == first_game:
            deck_size = kernels.shuffle(deck, hidden["master"], setup, words, seed, deal)
        start_game(table, seats, hidden, setup, deck, deck_size, seed, deal, rotation)
        strict = deal < strict_deals
        while not table["finished"]:
            slot = table["current"] - rotation
            if slot < 0:
                slot += players
            seat = seats[slot]
            seat["phase"] = table["phase"]
            if strict:
                keep_table(table, table_bytes, shadow)
            if slot == 0:
                action = decide0(table, seat)
            elif slot == 1:
                action = decide1(table, seat)
            elif slot == 2:
                action = decide2(table, seat)
            else:
                action = decide3(table, seat)
            if strict and table_changed(table, table_bytes, shadow):
                progress[EVENT] = WROTE
                for i in range(len(shadow)):
                    table_bytes[i] = shadow[i]
                return g
            if kernels.step(table, seat, hidden, action) != kernels.LEGAL:
                progress[EVENT] = ILLEGAL
                progress[ACTION] = action
                return g
        scoring.score(table, hidden)
        row = results[g]
        row[TURNS] = table["turn"] + 1
        row[WINNERS] = hidden["winners"]
        for p in range(players):
            row[SCORE + p] = hidden["total"][p]
            row[POINTS + p] = hidden["path_points"][p]
            row[KINDS + p] = hidden["kinds"][p]
    return last_game


def _play_games_signature() -> Any:
    decide = types.FunctionType(DECIDE)
    return types.int64(
        decide,
        decide,
        decide,
        decide,
        TABLE_RECORD[::1],
        SEAT_RECORD[::1],
        HIDDEN_RECORD[::1],
        SETUP_RECORD[::1],
        BYTES,
        BYTES,
        BYTES,
        WORDS,
        types.uint64,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        COUNTS,
        COUNTS,
        types.int32[:, ::1],
    )


def _deal_game(tables, seats, hiddens, setups, deck, words, seed, deal, rotation):
    deck_size = kernels.shuffle(deck, hiddens[0]["master"], setups[0], words, seed, deal)
    start_game(tables[0], seats, hiddens[0], setups[0], deck, deck_size, seed, deal, rotation)


def _deal_deck(tables, seats, hiddens, setups, deck, deck_size):
    kernels.begin(tables[0], seats, hiddens[0], setups[0], deck, deck_size, 0)


def _step(table, seat, hidden, action):
    return kernels.step(table, seat, hidden, action)


def _score(table, hidden):
    scoring.score(table, hidden)


def _place_card(table, p, card, cell):
    kernels.place_card(table, p, card, cell)


play_games = EntryPoint(_play_games, _play_games_signature)
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
place_card = EntryPoint(_place_card, lambda: types.void(TABLE_RECORD, types.int64, types.int64, types.int64))
ask = EntryPoint(ask_plain, lambda: DECIDE)
_deciders: dict[Any, EntryPoint] = {}


def decider(strategy: Strategy) -> EntryPoint:
    """Return what the engine calls for a strategy: its own compiled function, or the way to its Python class."""
    if strategy.kind == "python":
        return ask
    if strategy.entry not in _deciders:
        _deciders[strategy.entry] = EntryPoint(strategy.entry, lambda: DECIDE)
    return _deciders[strategy.entry]


def compiled(strategy: Strategy) -> Any:
    """Return the compiled decide function of a strategy; a UserError if numba refuses it."""
    try:
        found = decider(strategy).compiled
    except numba.core.errors.NumbaError as error:
        raise UserError(f"strategy {strategy.name!r} cannot be compiled: {_reason(error)}") from error
    if JIT and found.nopython_signatures[0].return_type != types.int64:
        raise UserError(f"strategy {strategy.name!r} cannot be compiled: it never returns an action")
    return found


def uncompiled(entrants: Sequence[Entrant]) -> list[str]:
    """Return the parts that the next games of these strategies would have to compile first."""
    points = {"the engine": play_games}
    points |= {entrant.strategy.name: decider(entrant.strategy) for entrant in entrants}
    return [name for name, point in points.items() if not point.is_ready]


def compile_all(entrants: Sequence[Entrant], tell: Callable[[str], None]) -> None:
    """Compile or load everything that games of these strategies need."""
    waiting = set(uncompiled(entrants))
    for entrant in entrants:
        if entrant.strategy.name in waiting:
            tell(entrant.strategy.name)
        compiled(entrant.strategy)
    if "the engine" in waiting:
        tell("the engine")
    _ = play_games.compiled


def _reason(error: Exception) -> str:
    """The lines of a numba error that say what is wrong and where."""
    lines = [line.strip() for line in str(error).splitlines()]
    kept = [line for line in lines if line and not line.startswith(("During:", "Failed in", "- Resolution", "This"))]
    return "\n  ".join(kept[:8])


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
        for name in ("values", "hand_size", "draws", "mono_bonus", "mono_min", "one_bonus", "top_bonus", "min_path"):
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
        setup["present"][cards] = 1
        in_master = (cards >> 4 < kernels.MASTER_SPECIES) & ((cards & 15) <= kernels.MASTER_VALUES)
        setup["extra_cards"] = int((~in_master).sum())
        setup["dealt"][:players] = [rules.dealt_hand(p) for p in range(players)]
        setup["starts"][:players] = [rules.has_start_discard(p) for p in range(players)]

    def set_parameters(self, entrants: Sequence[Entrant]) -> None:
        """Write the parameters of the line-up into the seats' records."""
        for seat, entrant in zip(self.seats, entrants, strict=True):
            seat["params"][: len(entrant.values)] = entrant.values

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


def row_dtype(players: int) -> np.dtype[Any]:
    """Return the structured dtype of a result row."""
    fields: list[tuple[str, Any]] = [
        ("deal", np.int64),
        ("rotation", np.uint8),
        ("turns", np.uint16),
        ("winners", np.uint8),
        ("error", np.uint8),
    ]
    for name, dtype in (("score", np.int16), ("points", np.int16), ("kinds", np.uint8)):
        fields += [(f"{name}_{p}", dtype) for p in range(players)]
    return np.dtype(fields)


def play_chunk(
    rules: Rules,
    players: int,
    entrants: Sequence[Entrant],
    seed: int,
    first_deal: int,
    n_deals: int,
    *,
    checked_deals: int = 8,
    strict: bool = False,
    stop: np.ndarray | None = None,
) -> Chunk:
    """Play a range of deals; see `arbosim.core.game.Game.play_chunk`."""
    decide = [compiled(entrant.strategy) for entrant in entrants]
    decide += decide[:1] * (MAX_PLAYERS - players)
    buffers = Buffers(rules, players)
    buffers.set_parameters(entrants)
    results = np.full((n_deals * players, RESULT_COLUMNS), -1, np.int32)
    results[:, FORFEITER] = 0
    stop = np.zeros(1, np.int64) if stop is None else stop
    progress = np.zeros(3, np.int64)
    errors: list[GameError] = []
    plain = PlainSeats(buffers, entrants, progress)
    game, games = 0, n_deals * players
    with plain:
        while game < games and not stop[0]:
            progress[:] = (NO_GAME, FINE, 0)
            raised: Exception | None = None
            try:
                game = play_games.compiled(
                    *decide,
                    buffers.tables,
                    buffers.seats,
                    buffers.hiddens,
                    buffers.setups,
                    buffers.table_bytes,
                    buffers.shadow,
                    buffers.deck,
                    buffers.words,
                    np.uint64(seed),
                    first_deal,
                    game,
                    games,
                    np.iinfo(np.int64).max if strict else checked_deals,
                    stop,
                    progress,
                    results,
                )
            except Exception as error:
                if progress[GAME] == NO_GAME:
                    raise  # not a strategy's doing: the call itself was refused
                raised = error
                game = int(progress[GAME])
            if raised is None and progress[EVENT] == FINE:
                continue
            seat = int(buffers.tables[0]["current"])
            kind, message = _what_happened(buffers, progress, plain.take_failure() or raised)
            rotation = game % players
            errors.append(
                GameError(
                    strategy=entrants[(seat - rotation) % players].spec,
                    deal=first_deal + game // players,
                    rotation=rotation,
                    turn=int(buffers.tables[0]["turn"]),
                    seat=seat,
                    kind=kind,
                    message=message,
                )
            )
            _forfeit(results[game], buffers, seat)
            buffers.pack()
            game += 1
    deals = game // players
    errors = [error for error in errors if error.deal < first_deal + deals]
    return Chunk(_rows(results[: deals * players], players, first_deal), errors, deals)


def _what_happened(buffers: Buffers, progress: np.ndarray, failure: Exception | None) -> tuple[str, str]:
    if isinstance(failure, UserError):
        return "illegal", str(failure)
    if failure is not None:
        return "raised", f"{type(failure).__name__}: {failure}"
    if progress[EVENT] == WROTE:
        return "wrote", "changed the table"
    action, table = int(progress[ACTION]), buffers.tables[0]
    slot = (int(table["current"]) - int(progress[GAME])) % buffers.players
    reason = step.compiled(table, buffers.seats[slot], buffers.hiddens[0], action)
    return "illegal", f"{describe(action)}: {REASONS[reason]}"


def _forfeit(row: np.ndarray, buffers: Buffers, seat: int) -> None:
    row[:] = -1
    row[TURNS] = buffers.tables[0]["turn"] + 1
    row[WINNERS] = (1 << buffers.players) - 1 - (1 << seat)
    row[FORFEITER] = seat + 1
    row[KINDS:] = 0


def _rows(results: np.ndarray, players: int, first_deal: int) -> np.ndarray:
    rows = np.zeros(len(results), row_dtype(players))
    index = np.arange(len(results))
    rows["deal"] = first_deal + index // players
    rows["rotation"] = index % players
    rows["turns"] = results[:, TURNS]
    rows["winners"] = results[:, WINNERS]
    rows["error"] = results[:, FORFEITER]
    for name, column in (("score", SCORE), ("points", POINTS), ("kinds", KINDS)):
        for p in range(players):
            rows[f"{name}_{p}"] = results[:, column + p]
    return rows
