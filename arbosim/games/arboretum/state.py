"""The records of one game: what everyone sees, what one seat knows alone, and what only the engine has.

A card is `species * 16 + value` (species 0..11 in the order of R1, value 1..10; 0 is no card). A cell is
`y * WIDTH + x`; the first card of an arboretum lies on CENTRE, so with at most MAX_BOARD cards in an arboretum
nothing leaves the grid. Every scalar is an int64: narrow integers wrap when compiled and do not with the JIT off.
"""

import numpy as np

MAX_PLAYERS = 4
MAX_SPECIES = 12
MAX_VALUES = 10
MAX_CARDS = 120
"""Cards in the largest deck: 12 species of 10 values."""
CARD_CODES = 256
MAX_HAND = 20
"""At most 12 kept, 1 dealt more, 4 drawn; rounded up."""
MAX_BOARD = 64
MAX_OPEN = 2 * MAX_BOARD + 3
"""A connected shape of n cells has at most 2n + 2 empty neighbours; one is spare."""
WIDTH = 128
GRID = WIDTH * WIDTH
CENTRE = (WIDTH // 2) * WIDTH + WIDTH // 2
OPEN = MAX_BOARD + 1
MARKS = 256
"""What a grid holds is a mark: 0 nothing near, 1..MAX_BOARD the place in the order of play plus 1 (a card),
OPEN + i the open cell number i."""
# A masked index cannot be negative, and the compiler leaves out Python's counting from the end. The masks are no
# limits: every index lies below them.
SEAT_MASK, SOURCE_MASK, HAND_MASK, PILE_MASK = 3, 7, 31, 127
BOARD_MASK, OPEN_MASK, CELL_MASK = MAX_BOARD - 1, 255, GRID - 1
SPECIES_MASK, CARD_MASK = 15, CARD_CODES - 1
MAX_PARAMETERS = 32
NO_TABLES = -1
MEMORY = 64
NOTES = 1536

DRAW, PLAY, DISCARD = 0, 1, 2
DECK = 4
"""The draw pile as a source; 0..3 is the top of that seat's discard pile."""
SOURCES = DECK + 1
DISCARD_ACTION = 0x100
PLAY_ACTION = 0x1000000

UNSEEN, IN_HAND, IN_PILE, IN_ARBORETUM, ABSENT = 0, 1, 5, 9, 255
"""where[card]: UNSEEN by the public, IN_HAND + seat, IN_PILE + seat, IN_ARBORETUM + seat, ABSENT from this game."""

_COUNT = np.int64
_BYTE = np.uint8

TABLE = np.dtype(
    [
        # the rules, packed as numbers (rules.py gives their meaning)
        ("players", _COUNT),
        ("species_count", _COUNT),
        ("species", _COUNT, (MAX_SPECIES,)),
        ("values", _COUNT),
        ("hand_size", _COUNT),
        ("draws", _COUNT),
        ("eight_rule", _COUNT),
        ("mono_bonus", _COUNT),
        ("mono_min", _COUNT),
        ("one_bonus", _COUNT),
        ("top_bonus", _COUNT),
        ("min_path", _COUNT),
        ("right", _COUNT),
        ("tied_right", _COUNT),
        ("top_only", _COUNT),
        ("equal_turns", _COUNT),
        # where the game stands
        ("turn", _COUNT),  # 0 for the first turn of the game
        ("current", _COUNT),  # the seat to decide
        ("phase", _COUNT),  # DRAW, PLAY or DISCARD
        ("drawn", _COUNT),  # cards drawn in this turn
        ("finished", _COUNT),
        ("source_count", _COUNT),  # sources that have a card
        ("pile_count", _COUNT, (SOURCES,)),  # pile_count[DECK]: cards in the draw pile
        ("hand_count", _COUNT, (MAX_PLAYERS,)),
        ("board_count", _COUNT, (MAX_PLAYERS,)),
        ("open_count", _COUNT, (MAX_PLAYERS,)),
        ("where", _BYTE, (CARD_CODES,)),
        # bottom first; buried cards are 0 when only the top is remembered, and those of the draw pile always
        ("pile", _BYTE, (SOURCES, MAX_CARDS)),
        ("board_card", _BYTE, (MAX_PLAYERS, MAX_BOARD)),  # in order of play
        ("board_cell", np.uint16, (MAX_PLAYERS, MAX_BOARD)),
        ("marked_card", _BYTE, (MAX_PLAYERS, MARKS)),  # the card of a mark, 0 for marks that are none
        ("open_cell", np.uint16, (MAX_PLAYERS, MAX_OPEN)),
        ("grid", _BYTE, (MAX_PLAYERS, GRID)),
    ],
    align=True,
)
"""What everyone sees."""

PATHS = np.dtype(
    [
        # by mark; lanes: byte s of the word pair (low: species 0..7, high: 8..11), points of the best path (paths.py)
        ("up_low", np.uint64, (MARKS,)),
        ("up_high", np.uint64, (MARKS,)),
        ("down_low", np.uint64, (MARKS,)),
        ("down_high", np.uint64, (MARKS,)),
        ("best_low", np.uint64),
        ("best_high", np.uint64),
        # chains of one species: cards up to this one, the same from a 1; cards from this one, the same to the top value
        ("chain_up", _BYTE, (MARKS,)),
        ("chain_up_one", _BYTE, (MARKS,)),
        ("chain_down", _BYTE, (MARKS,)),
        ("chain_down_top", _BYTE, (MARKS,)),
        # lengths by species, used when paths have a minimum above 2 cards, see long_paths.py
        ("length_up", _BYTE, (OPEN, MAX_SPECIES)),
        ("length_up_one", _BYTE, (OPEN, MAX_SPECIES)),
        ("length_down", _BYTE, (OPEN, MAX_SPECIES)),
        ("length_down_top", _BYTE, (OPEN, MAX_SPECIES)),
        ("mono", _COUNT),  # 1 if a long path of one species counts double in these tables
        ("by_value", _BYTE, (MAX_BOARD,)),  # marks of the cards, lowest value first
        ("value_start", _COUNT, (MAX_VALUES + 2,)),
        ("near_count", _COUNT),  # the marks of the cards next to the cell that was aimed at last
        ("near", _BYTE, (4,)),
    ],
    align=True,
)
"""The path tables of one arboretum, and the neighbours of the cell that was aimed at last."""

SEAT = np.dtype(
    [
        ("seat", _COUNT),
        ("phase", _COUNT),
        ("hand_count", _COUNT),
        ("hand", _BYTE, (MAX_HAND,)),
        ("params", np.float64, (MAX_PARAMETERS,)),
        ("memory", _COUNT, (MEMORY,)),
        (
            "tabled",
            _COUNT,
            (MAX_PLAYERS,),
        ),  # cards in each arboretum when its path tables were computed, or NO_TABLES
        ("rng", np.uint64, (2,)),
        ("weight", np.float64, (MAX_SPECIES,)),
        ("notes", np.float64, (NOTES,)),
        (
            "tables_of",
            _COUNT,
        ),  # the seat whose path tables were asked for last in this decision, or NO_TABLES
        ("overlooks_mono", _COUNT),  # 1 if it wants to see no bonus in its own arboretum in this decision
        ("paths", PATHS, (MAX_PLAYERS,)),  # path tables of each arboretum, computed when they are asked for
    ],
    align=True,
)
"""What one seat knows alone, its memory for the game, its random stream, and scratch for path tables."""

HIDDEN = np.dtype(
    [
        ("deck_size", _COUNT),
        ("master", _BYTE, (MAX_CARDS,)),  # scratch of shuffling
        ("hand", _BYTE, (MAX_PLAYERS, MAX_HAND)),
        ("place", _BYTE, (CARD_CODES,)),  # place of a card in the hand that holds it; stale once it has left
        ("pile", _BYTE, (SOURCES, MAX_CARDS)),  # bottom first; pile[DECK] is the draw pile
        # results of scoring, by seat
        ("sums", _COUNT, (MAX_PLAYERS, MAX_SPECIES)),
        ("rights", _COUNT, (MAX_PLAYERS, MAX_SPECIES)),
        ("points", _COUNT, (MAX_PLAYERS, MAX_SPECIES)),
        ("total", _COUNT, (MAX_PLAYERS,)),
        ("path_points", _COUNT, (MAX_PLAYERS,)),
        ("kinds", _COUNT, (MAX_PLAYERS,)),
        ("winners", _COUNT),  # bit s: seat s shares the win
        ("one_at", _COUNT, (MAX_SPECIES,)),  # seat that holds the 1, or -1
        ("top_at", _COUNT, (MAX_SPECIES,)),
        ("paths", PATHS),
        # for the metrics
        ("best", _COUNT, (MAX_PLAYERS, MAX_SPECIES)),  # the best path of a species, see best_paths.py
        ("drawn_from", _COUNT),  # bit of every source drawn from in this turn
        ("taken", _COUNT, (MAX_PLAYERS, SOURCES)),  # cards that a seat drew from a source
        ("taken_deep", _COUNT, (MAX_PLAYERS, SOURCES)),  # of these, below its top as it was before the turn
    ],
    align=True,
)
"""What only the engine has: deck, hands, complete piles, and the results of scoring."""

SETUP = np.dtype(
    [
        (
            "named",
            _BYTE,
            (CARD_CODES,),
        ),  # the card that stands in the place of a card of the first species; 0: none
        ("extra_cards", _COUNT),  # how many of these places are not in the master deck
        ("dealt", _COUNT, (MAX_PLAYERS,)),  # cards dealt to each hand
        ("starts", _COUNT, (MAX_PLAYERS,)),  # 1 for a seat that starts with a discard
        ("params", np.float64, (MAX_PLAYERS, MAX_PARAMETERS)),  # by slot: every game starts with them anew
    ],
    align=True,
)
"""What dealing needs to know of a rule set and a line-up."""
