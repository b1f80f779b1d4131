"""All that a strategy needs: the one module of the game that strategies import.

A compiled strategy is a function `decide(table, seat)` that carries `@api.strategy(...)`, answers the decision that
`api.phase(seat)` asks for, and returns `api.draw(source)`, `api.play(card, cell)` or `api.discard(card)`. It reads
the two records through the functions below, which return int64 unless they say otherwise. Functions of its own
carry `@api.helper`. A plain-Python strategy is a class derived from `api.Strategy`.

Throughout, `p` is a seat, `card` a card code (`card(species, value)`; 0 is no card), `cell` a cell of a grid,
`species` the code of a species (`species_at(table, i)` lists those that take part).
"""

from collections.abc import Callable, Sequence

import numpy as np

from arbosim.core.clock import seconds as seconds
from arbosim.core.jit import inline_kernel, kernel
from arbosim.core.rng import below as _below
from arbosim.core.strategy import Parameter, first_paragraph
from arbosim.core.strategy import Strategy as _Definition
from arbosim.games.arboretum import paths as _paths
from arbosim.games.arboretum import worlds as _worlds
from arbosim.games.arboretum.encoding import Encoding, encoding
from arbosim.games.arboretum.lanes import best_points as _best_points
from arbosim.games.arboretum.state import (
    CARD_MASK,
    CELL_MASK,
    CENTRE,
    DECK,
    DISCARD,
    DISCARD_ACTION,
    DRAW,
    IN_ARBORETUM,
    IN_HAND,
    IN_PILE,
    MAX_CARDS,
    NO_TABLES,
    OPEN,
    PLAY,
    PLAY_ACTION,
    SEAT_MASK,
    SPECIES_MASK,
    UNSEEN,
    WIDTH,
)
from arbosim.games.arboretum.view import Strategy, View

__all__ = [
    "DECK",
    "DISCARD",
    "DRAW",
    "MAX_CARDS",
    "PLAY",
    "Encoding",
    "Parameter",
    "Strategy",
    "View",
    "encoding",
    "helper",
    "inline_helper",
    "strategy",
]

FIRST_CELL = CENTRE
"""The cell of the first card of every arboretum."""
ONE_CANCELS, EIGHT_OFF, ALWAYS_ZERO = 0, 1, 2
HIGHEST_SUM, MOST_CARDS, ALWAYS = 0, 1, 2
TIED_ALL, TIED_NOBODY = 0, 1
MEMORY_ALL, TOP_ONLY = 0, 1

helper = kernel
"""Decorator of a function that a compiled strategy calls."""
inline_helper = inline_kernel
"""The same for a small function in the innermost loop: it is compiled into its caller."""


def strategy(
    *,
    name: str,
    parameters: Sequence[Parameter] = (),
    source: str = "",
    weakness: str = "",
    status: str = "user",
    appraise: Callable[..., float] | None = None,
) -> Callable[[Callable[..., int]], _Definition]:
    """Make a compiled strategy of a function `decide(table, seat)`.

    The first paragraph of the function's docstring is the idea. The k-th parameter is read by `param(seat, k)`,
    `whole(seat, k)` or `flag(seat, k)`.

    Parameters
    ----------
    appraise : callable, optional
        A helper `appraise(table, seat, action) -> float64`: the points by which I expect to beat the strongest rival
        in the end if I take a legal action. It lets the strategy advise people, who may have played otherwise so far:
        the memory is empty.
    """

    def define(decide: Callable[..., int]) -> _Definition:
        return _Definition(
            name=name,
            game="arboretum",
            kind="compiled",
            entry=decide,
            parameters=tuple(parameters),
            idea=first_paragraph(decide.__doc__),
            source=source,
            weakness=weakness,
            status=status,
            appraise=appraise,
        )

    return define


# What is asked, and the answers


@inline_kernel
def phase(seat):
    """Which decision is asked for: DRAW, PLAY or DISCARD."""
    return seat["phase"]


@inline_kernel
def draw(source):
    """The action that draws from a source: DECK, or a seat for the top of its discard pile."""
    return np.int64(source)


@inline_kernel
def play(card, cell):
    """The action that lays a hand card on an open cell of one's own arboretum."""
    return np.int64(PLAY_ACTION) | np.int64(card) << 16 | np.int64(cell)


@inline_kernel
def discard(card):
    """The action that lays a hand card on one's own discard pile."""
    return np.int64(DISCARD_ACTION) | np.int64(card)


@inline_kernel
def source_of(action):
    """The source of a draw: DECK or a seat."""
    return action


@inline_kernel
def card_of(action):
    """The card that is played or discarded."""
    return (action >> 16) & CARD_MASK if action >= PLAY_ACTION else action & CARD_MASK


@inline_kernel
def cell_of(action):
    """The cell on which a card is played."""
    return action & 0xFFFF


# One's own


@inline_kernel
def me(seat):
    """My seat."""
    return seat["seat"] & SEAT_MASK


@inline_kernel
def hand_count(seat):
    """How many cards I hold."""
    return seat["hand_count"]


@inline_kernel
def hand_card(seat, i):
    """My hand card number i."""
    return np.int64(seat["hand"][i])


@inline_kernel
def has_card(seat, card):
    """1 if I hold a card."""
    for i in range(seat["hand_count"]):
        if np.int64(seat["hand"][i]) == card:
            return 1
    return 0


@inline_kernel
def param(seat, k):
    """My parameter number k, in declared order: float64."""
    return seat["params"][k]


@inline_kernel
def whole(seat, k):
    """My parameter number k as a whole number."""
    return np.int64(seat["params"][k])


@inline_kernel
def flag(seat, k):
    """1 if my switch number k is on."""
    return np.int64(seat["params"][k])


@inline_kernel
def memory(seat, k):
    """My own number k of 0..63, kept for this game; 0 at its start."""
    return seat["memory"][k]


@inline_kernel
def set_memory(seat, k, number):
    """Keep my own number k of 0..63 for this game."""
    seat["memory"][k] = number


@inline_kernel
def notes(seat):
    """Space for workings of my own within one decision: a float64 array of 1536; what lies in it means nothing."""
    return seat["notes"]


@inline_kernel
def below(seat, n):
    """A random number 0..n-1 from my own stream."""
    return _below(seat["rng"], n)


# Cards


@inline_kernel
def card(species, value):
    """The code of a card."""
    return np.int64(species) * 16 + np.int64(value)


@inline_kernel
def species(card):
    """The species of a card."""
    return card >> 4


@inline_kernel
def value(card):
    """The value of a card."""
    return card & 15


# The rules


@inline_kernel
def players(table):
    """Number of players."""
    return table["players"]


@inline_kernel
def species_count(table):
    """Number of species that take part."""
    return table["species_count"]


@inline_kernel
def species_at(table, i):
    """The species number i that takes part."""
    return table["species"][i] & SPECIES_MASK


@inline_kernel
def top_value(table):
    """The highest value: "the 8"."""
    return table["values"]


@inline_kernel
def hand_size(table):
    """Cards in a hand between turns."""
    return table["hand_size"]


@inline_kernel
def draws(table):
    """Cards drawn in a turn."""
    return table["draws"]


@inline_kernel
def eight_rule(table):
    """ONE_CANCELS, EIGHT_OFF or ALWAYS_ZERO."""
    return table["eight_rule"]


@inline_kernel
def mono_bonus(table):
    """1 if a long path of one species counts double."""
    return table["mono_bonus"]


@inline_kernel
def mono_min(table):
    """Cards that a path of one species needs to count double."""
    return table["mono_min"]


@inline_kernel
def one_bonus(table):
    """Points for a path that begins with a 1."""
    return table["one_bonus"]


@inline_kernel
def top_bonus(table):
    """Points for a path that ends with the highest value."""
    return table["top_bonus"]


@inline_kernel
def min_path(table):
    """Cards that a path needs."""
    return table["min_path"]


@inline_kernel
def right_rule(table):
    """HIGHEST_SUM, MOST_CARDS or ALWAYS."""
    return table["right"]


@inline_kernel
def tied_right(table):
    """TIED_ALL or TIED_NOBODY."""
    return table["tied_right"]


@inline_kernel
def discard_memory(table):
    """MEMORY_ALL or TOP_ONLY."""
    return table["top_only"]


@inline_kernel
def equal_turns(table):
    """1 if the round in which the deck runs out is completed."""
    return table["equal_turns"]


# The table


@inline_kernel
def turn(table):
    """Number of this turn, 0 for the first of the game."""
    return table["turn"]


@inline_kernel
def draws_left(table):
    """Cards that I may still draw in this turn."""
    return table["draws"] - table["drawn"]


@inline_kernel
def deck_count(table):
    """Cards in the draw pile."""
    return table["pile_count"][DECK]


@inline_kernel
def hand_count_of(table, p):
    """How many cards a seat holds."""
    return table["hand_count"][p]


@inline_kernel
def source_count(table):
    """Number of sources that have a card."""
    return table["source_count"]


@inline_kernel
def source(table, i):
    """Source number i of those that have a card: the deck first, then the piles by seat."""
    if table["source_count"] == table["players"] + 1:
        return i - 1 if i else DECK
    has_card = 1 if table["pile_count"][DECK] else 0
    found = DECK if has_card and i == 0 else -1
    i -= has_card
    for p in range(table["players"]):
        has_card = 1 if table["pile_count"][p] else 0
        found = p if has_card and i == 0 else found
        i -= has_card
    return found


@inline_kernel
def pile_count(table, p):
    """Cards in a discard pile."""
    return table["pile_count"][p]


@inline_kernel
def pile_card(table, p, i):
    """Card number i of a discard pile, 0 at the bottom; 0 if only the top is remembered and it is buried."""
    return np.int64(table["pile"][p][i])


@inline_kernel
def pile_top(table, p):
    """The top of a discard pile, 0 if it is empty."""
    n = table["pile_count"][p]
    return np.int64(table["pile"][p][n - 1]) if n else 0


@inline_kernel
def board_count(table, p):
    """Cards in an arboretum."""
    return table["board_count"][p]


@inline_kernel
def board_card(table, p, k):
    """Card number k of an arboretum in order of play."""
    return np.int64(table["board_card"][p][k])


@inline_kernel
def board_cell(table, p, k):
    """The cell of card number k of an arboretum."""
    return np.int64(table["board_cell"][p][k])


@inline_kernel
def open_count(table, p):
    """Number of open cells of an arboretum."""
    return table["open_count"][p]


@inline_kernel
def open_cell(table, p, j):
    """Open cell number j of an arboretum."""
    return np.int64(table["open_cell"][p][j])


@inline_kernel
def card_at(table, p, cell):
    """The card on a cell of an arboretum, 0 if there is none."""
    return np.int64(table["marked_card"][p][table["grid"][p][cell & CELL_MASK]])


@inline_kernel
def is_open(table, p, cell):
    """1 if a card may be laid on a cell of an arboretum."""
    return 1 if np.int64(table["grid"][p][cell]) >= OPEN else 0


@inline_kernel
def neighbour(cell, d):
    """The cell next to a cell: to the right, to the left, above and below for d = 0, 1, 2, 3."""
    if d < 2:
        return cell + 1 - 2 * d
    return cell + WIDTH * (5 - 2 * d)


@inline_kernel
def where(table, card):
    """Where everyone can see a card: UNSEEN, IN_HAND + p, IN_PILE + p, IN_ARBORETUM + p, or ABSENT."""
    return np.int64(table["where"][card & CARD_MASK])


@inline_kernel
def is_unseen(table, seat, card):
    """1 if a card of this game is neither public nor in my hand."""
    return 1 if table["where"][card] == UNSEEN and not has_card(seat, card) else 0


@inline_kernel
def known_in_hand(table, p, card):
    """1 if everyone knows that a seat holds a card: it took it from a discard pile."""
    return 1 if table["where"][card] == IN_HAND + p else 0


@inline_kernel
def in_pile(table, p, card):
    """1 if a card is seen in the discard pile of a seat."""
    return 1 if table["where"][card] == IN_PILE + p else 0


@inline_kernel
def in_arboretum(table, p, card):
    """1 if a card lies in the arboretum of a seat."""
    return 1 if table["where"][card] == IN_ARBORETUM + p else 0


@inline_kernel
def known_count(table, p):
    """How many cards everyone knows to be in the hand of a seat."""
    count = 0
    for i in range(table["species_count"]):
        first = table["species"][i] * 16
        for v in range(1, table["values"] + 1):
            if table["where"][first + v] == IN_HAND + p:
                count += 1
    return count


@inline_kernel
def hand_sum(table, seat, species):
    """My sum (or number, by the rules) of a species as far as I know: the 8/1 rule with the 1 in a known hand."""
    top = table["values"]
    by_count = table["right"] == MOST_CARDS
    total = 0
    has_top = False
    has_one = False
    for i in range(seat["hand_count"]):
        mine = np.int64(seat["hand"][i])
        if mine >> 4 == species:
            v = mine & 15
            total += 1 if by_count else v
            has_one = has_one or v == 1
            has_top = has_top or v == top
    if by_count or not has_top or table["eight_rule"] == EIGHT_OFF:
        return total
    at = np.int64(table["where"][species * 16 + 1])
    cancelled = not has_one and IN_HAND <= at < IN_PILE
    return total - top if cancelled or table["eight_rule"] == ALWAYS_ZERO else total


# Paths


@kernel
def tables(table, seat, p):
    """Compute the path tables of an arboretum in my scratch space; `best` then speaks of it.

    They stay until a card is laid there, so that they are computed once for all decisions up to then.
    """
    seat["tables_of"] = p
    mono = table["mono_bonus"]
    if seat["overlooks_mono"] and p == me(seat):
        mono = 0
    scratch = seat["paths"][p]
    if seat["tabled"][p] != table["board_count"][p] or scratch["mono"] != mono:
        _paths.fill_tables(table, scratch, p, mono)
        seat["tabled"][p] = table["board_count"][p]


@inline_kernel
def overlook_mono(seat):
    """See no bonus for long paths of one species in my own arboretum: for this decision, before `tables`.

    An ability that is switched off; what the paths score stays as the rules have it.
    """
    seat["overlooks_mono"] = 1


@inline_kernel
def place_by_value(seat, i):
    """The place in the order of play of card number i, counted from the lowest value, in the arboretum of `tables`."""
    if seat["tables_of"] == NO_TABLES:
        raise ValueError("call api.tables before api.place_by_value")
    return np.int64(seat["paths"][seat["tables_of"]]["by_value"][i]) - 1


@inline_kernel
def best(seat, species):
    """Points of the best path of a species in the arboretum of `tables`, whatever the right."""
    if seat["tables_of"] == NO_TABLES:
        raise ValueError("call api.tables before api.best")
    return _best_points(seat["paths"][seat["tables_of"]], species)


@inline_kernel
def aim(table, seat, p, cell):
    """Look at one open cell: the next `aimed_gain...` speak of it. Cheaper than `gain` for several cards.

    Computes the path tables of seat p first, unless they are there already.
    """
    if seat["tables_of"] != p:
        tables(table, seat, p)
    _paths.aim(table, seat["paths"][p], p, cell)


@kernel
def aimed_gain(table, seat, p, card):
    """How much the sum over species of the best points grows with a card on the cell of `aim`."""
    return _paths.aimed_gain(table, seat["paths"][p], p, card)


@kernel
def aimed_gain_species(table, seat, p, card, species):
    """The same growth for one species."""
    return _paths.aimed_gain_of(table, seat["paths"][p], p, card, species)


@inline_kernel
def weigh(seat, species, weight):
    """Set what a point of a species is worth to `aimed_gain_weighted` (float64)."""
    seat["weight"][species] = weight


@inline_kernel
def aimed_gain_weighted(table, seat, p, card):
    """The sum over species of growth times weight, float64, with a card on the cell of `aim`."""
    return _paths.aimed_gain_weighted(
        table, seat["paths"][p], seat["weight"], p, card, seat["weight"][card >> 4]
    )


@inline_kernel
def aimed_gain_reweighted(table, seat, p, card, own_weight):
    """The same with another weight for the card's own species: its right changes when it leaves the hand."""
    return _paths.aimed_gain_weighted(table, seat["paths"][p], seat["weight"], p, card, own_weight)


@kernel
def gain(table, seat, p, card, cell):
    """How much the sum over species of the best points grows with a card on an open cell."""
    aim(table, seat, p, cell)
    return _paths.aimed_gain(table, seat["paths"][p], p, card)


@kernel
def gain_species(table, seat, p, card, cell, species):
    """The same growth for one species."""
    aim(table, seat, p, cell)
    return _paths.aimed_gain_of(table, seat["paths"][p], p, card, species)


@kernel
def gain_weighted(table, seat, p, card, cell):
    """The sum over species of growth times weight, float64, with a card on an open cell."""
    aim(table, seat, p, cell)
    return aimed_gain_weighted(table, seat, p, card)


# Worlds: games of one's own, to be played on from here with the cards that one cannot see dealt at random


@inline_kernel
def new_world(table, seat):
    """A world, to be kept for this decision only; call `rewind` before anything is played in it."""
    return _worlds.new_world(table, seat)


@inline_kernel
def unseen_cards(table, seat, cards):
    """Write the cards that I cannot see into `cards` (uint8[MAX_CARDS]); their number."""
    return _worlds.unseen_cards(table, seat, cards)


@inline_kernel
def shuffle_cards(seat, cards, count):
    """Shuffle the first `count` of some cards (uint8[MAX_CARDS]) with random numbers from my own stream."""
    _worlds.shuffle_cards(seat, cards, count)


@inline_kernel
def rewind(table, seat, world, cards):
    """Put a world back to where the game stands now, with the unseen cards in this order where they may be.

    First come the hands of the others, seat by seat; then, where only the tops are remembered, what lies under those
    of the discard piles; then the draw pile, the bottom first.
    """
    _worlds.rewind(table, seat, world, cards)


@inline_kernel
def world_table(world):
    """The table of a world."""
    return world[0][0]


@inline_kernel
def world_seat(world):
    """The seat of the player whose turn it is in a world, ready to decide."""
    return _worlds.to_decide(world)


@inline_kernel
def world_seat_of(world, p):
    """The seat of any player in a world, to judge the position by his eyes."""
    return world[1][p]


@inline_kernel
def carry_out(world, seat, action):
    """Carry out an action of the player whose turn it is in a world, given his seat; a ValueError if it is illegal."""
    _worlds.carry_out(world, seat, action)


@inline_kernel
def is_over(world):
    """1 if the game in a world is over."""
    return world[0][0]["finished"]


@inline_kernel
def settle(world):
    """Score a world as it stands, for `points`, `kinds`, `has_right` and `path_points`."""
    _worlds.score(world)


@inline_kernel
def points(world, p):
    """Points of a seat when the world was settled."""
    return world[2][0]["total"][p]


@inline_kernel
def kinds(world, p):
    """How many species the arboretum of a seat had when the world was settled: they decide between equal points."""
    return world[2][0]["kinds"][p]


@inline_kernel
def has_right(world, p, species):
    """1 if a seat had the right to score a species when the world was settled."""
    return world[2][0]["rights"][p][species]


@inline_kernel
def path_points(world, p, species):
    """Points of a seat's best path of a species when the world was settled, whatever the right."""
    return world[2][0]["points"][p][species]
