"""Games that are played on in one's own worlds by hasty experts, and what they come to."""

from arbosim.games.arboretum import api
from arbosim_strategies import _moves as moves
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies._expert_weights import AFTER

AHEAD = (2, 2, 1)
"""Turns of mine, with 2, 3 and 4 players, that are played after this one before the expert judges the position; where
a draw is decided it is 1."""
SAMPLE = 12
"""Unseen cards that stand for all in that judgement."""
HALF_SURE = 8.0
"""Points of a margin that are half way from an even game to a certain win."""
WINS = 0.5
"""Where the game ends, how much of its worth is my share of the win; the rest is the margin."""
KINDS = 16
"""More than the species in an arboretum, which decide between equal points."""


@api.helper
def play(world, me, first, second, ahead):
    """Carry out one or two actions in a world, play on, and return what it comes to for me: 0 to 1.

    Parameters
    ----------
    second : int64
        The next action of the same turn, or below 0.
    ahead : int64
        Turns of mine to be played to their end after this one.
    """
    table = api.world_table(world)
    api.carry_out(world, api.world_seat(world), first)
    if second >= 0:
        api.carry_out(world, api.world_seat(world), second)
    left = ahead + (1 if api.me(api.world_seat(world)) == me else 0)
    while left > 0 and not api.is_over(world):
        seat = api.world_seat(world)
        turn = api.turn(table)
        api.carry_out(world, seat, moves.hasty(table, seat))
        if api.me(seat) == me and api.turn(table) != turn:
            left -= 1
    if api.is_over(world):
        api.settle(world)
        return worth(world, me, api.points(world, me))
    return by_margin(standing(table, api.world_seat_of(world, me)))


@api.helper
def standing(table, seat):
    """Points by which the expert expects to win, his turn just over."""
    return _judged(table, seat, outlook.new_mind(table, seat, 1, SAMPLE))


@api.helper
def _judged(table, seat, minds):
    """The same, given what he thinks of the position."""
    mind = minds[0]
    turns.survey(table, seat, mind)
    return outlook.value(mind, AFTER[api.players(table) - 2], turns.turns_left(table, api.deck_count(table)))


@api.inline_helper
def by_margin(points):
    """What a margin is worth: 0.5 for none, towards 0 and 1 for many points."""
    return 0.5 + 0.5 * points / (abs(points) + HALF_SURE)


@api.helper
def worth(world, me, points):
    """What a settled world is worth to me, 0 to 1, if I have so many points in it."""
    mine = points * KINDS + api.kinds(world, me)
    strongest = 0
    tied = 1.0
    most = 0
    for p in range(api.players(api.world_table(world))):
        if p != me:
            most = max(most, api.points(world, p))
            standing = api.points(world, p) * KINDS + api.kinds(world, p)
            tied = tied + 1.0 if standing == strongest else 2.0 if standing > strongest else tied
            strongest = max(strongest, standing)
    share = 1.0 if mine > strongest else 1.0 / tied if mine == strongest else 0.0
    return WINS * share + (1.0 - WINS) * by_margin(1.0 * (points - most))
