"""Games that are played on in one's own worlds by a light policy, and what they came to."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge
from arbosim_strategies import counter
from arbosim_strategies import _grove as groves
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies import _swift
from arbosim_strategies._expert_weights import AFTER

KINDS = 16
"""Points count more than any number of species."""
SOFT = 8.0
"""Points of a margin that take half of the way from an even game to a certain one."""


@api.helper
def policy(table, seat, kind):
    """A decision of the policy by which everybody plays on."""
    if kind == 6:
        return _swift.move(table, seat, 3, 6, 8)
    return lite(table, seat)


@api.helper
def lite(table, seat):
    if judge.draws_deck(table, seat, 1):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, 1)
    judge.assess(table, seat, book, 15.0, 1.53)
    odds = counter.count_sums(table, seat, book, 1, 0.29)
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        book[judge.CHANCE + s] = counter.chance(table, book, odds, s, 0, 0)
    judge.weigh_mine(table, seat, book)
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        book[judge.AFTER + i] = counter.chance(table, book, odds, s, api.value(card), -1)
        lost = book[judge.CHANCE + s] - book[judge.AFTER + i]
        book[judge.COST + i] = 1.557 * lost * (book[judge.MINE + s] + book[judge.THEIRS + s])
    return judge.choose(table, seat, book, 12.5 * book[judge.TIME], 6.0, 1.06)


@api.helper
def play(world, seat, first, second):
    """Carry out a plan, play on, and return what it came to."""
    wins = api.param(seat, 2)
    soft = api.param(seat, 3)
    kind = api.whole(seat, 4)
    depth = api.whole(seat, 5)
    if api.phase(seat) == api.DRAW:
        kind = api.whole(seat, 7)
        depth = api.whole(seat, 6)
    table = api.world_table(world)
    me = api.me(seat)
    api.carry_out(world, api.world_seat(world), first)
    if second >= 0:
        api.carry_out(world, api.world_seat(world), second)
    if depth > 0:
        is_mine = api.world_seat(world)["seat"] == me
        if is_mine or depth > 1:
            play_turns(world, kind, me, depth if is_mine else depth - 1)
        if not api.is_over(world):
            points = standing(table, api.world_seat_of(world, me))
            return 0.5 + 0.5 * points / (abs(points) + soft)
    else:
        play_on(world, kind)
    api.settle(world)
    return outcome(world, me, wins, soft)


@api.helper
def standing(table, seat):
    """Points by which the expert expects to win from the position after its turn."""
    left = turns.turns_left(table, api.deck_count(table))
    mind = outlook.new_mind(table, seat, 1)[0]
    own = mind["groves"][outlook.OWN]
    flex = turns.survey_hand(table, seat, mind, own)
    gift = 0.0
    top = api.pile_top(table, api.me(seat))
    if top != 0:
        gift = turns.given(table, seat, mind, groves.species_place(table, top), api.value(top))
    outlook.describe(table, seat, mind, own, flex, gift, -1, -1)
    return outlook.value(mind, AFTER[api.players(table) - 2], left)


@api.helper
def play_turns(world, kind, me, turns):
    """Play until my turn number `turns` from now on is over, or the game."""
    table = api.world_table(world)
    left = turns
    while not api.is_over(world):
        mine = api.world_seat(world)["seat"] == me
        before = api.turn(table)
        seat = api.world_seat(world)
        api.carry_out(world, seat, policy(table, seat, kind))
        if mine and api.turn(table) != before:
            left -= 1
            if left <= 0:
                return


@api.helper
def play_on(world, kind):
    """Play a world to its end by the policy."""
    table = api.world_table(world)
    while not api.is_over(world):
        seat = api.world_seat(world)
        api.carry_out(world, seat, policy(table, seat, kind))


@api.helper
def outcome(world, me, wins, soft):
    """What a settled world is worth to me, see `worth`."""
    return worth(world, me, api.points(world, me), wins, soft)


@api.helper
def worth(world, me, points, wins, soft):
    """What a settled world is worth to me, 0 to 1, if I have so many points in it.

    `wins` parts are my share of the win, the rest grows with the margin.
    """
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
    margin = 1.0 * (points - most)
    return wins * share + (1.0 - wins) * (0.5 + 0.5 * margin / (abs(margin) + soft))
