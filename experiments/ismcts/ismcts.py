"""Information-set Monte Carlo tree search, made of the parts of `search`: only how the rollouts are shared out differs.

Single-observer ISMCTS (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4(2), 2012): every iteration deals the unseen cards anew and goes down one
tree, whose branches are what I choose and see. Choices follow the PUCT rule (Rosin, "Multi-armed bandits with episode
context", Annals of Mathematics and Artificial Intelligence 61, 2011) with the expert's points as prior; its count of
visits is here, as in ISMCTS, how often an action could be chosen.
"""

import math

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _beliefs as beliefs
from arbosim_strategies import _last_turn as last_turn
from arbosim_strategies import _moves as moves
from arbosim_strategies import _plans as planning
from arbosim_strategies import _rollouts as rollouts
from arbosim_strategies.search import PLANNED, TURN, keep

MOST = 1 << 17
"""Entries of the tree at most; where it is full, it is gone down, but grows no more."""
ROOM = 64
"""Entries that an iteration may add: the plans of one node, and what was seen on the way to the next."""
DEEP = 256
"""Entries on the way from the root to a leaf at most."""
OUTSIDE = -1
ENTRY = np.dtype(
    [
        ("first", np.int64),  # the action, or the card that was drawn
        ("second", np.int64),  # the next one of the turn, or NOTHING
        ("prior", np.float64),  # points that the expert expects of it
        ("total", np.float64),  # what its iterations came to for me
        ("tries", np.int64),
        ("could", np.int64),  # iterations in which it could have been chosen
        ("now", np.int64),  # the last of them
        ("child", np.int64),  # the first entry of those that may follow
        ("next", np.int64),  # the next entry beside it
        ("listed", np.int64),  # whether the plans that may follow are entries
    ],
    align=True,
)


@api.strategy(
    name="ismcts",
    parameters=(
        api.Parameter("rollouts", 200, 1, 1_000_000, "games played on for a decision", budget=True),
        api.Parameter("ms", 0.0, 0.0, 3_600_000.0, "milliseconds to think instead, if above 0", clock=True),
        api.Parameter("reads", True, meaning="deals unseen cards as strong players keep them", ability=True),
        api.Parameter("rivals", False, meaning="lets rivals choose in the tree; else they are hasty experts"),
        api.Parameter("explore", 0.3, 0.0, 100.0, "weight of the prior against what rollouts came to"),
        api.Parameter(
            "spread", 1.0, 0.01, 100.0, "points by which a plan is worse that has 1/e of the prior"
        ),
    ),
    source="single-observer ISMCTS (Cowling, Powley and Whitehouse, IEEE TCIAIG 4(2), 2012)",
    weakness="A card from the deck splits its tree in forty: below that it hardly ever comes twice.",
    status="experimental",
)
def decide(table, seat):
    """It goes down one tree of what it may do and see, with the unseen cards dealt anew every time.

    Plans, priors, deals, rollouts and the end of the game are those of `search`.
    """
    if api.memory(seat, TURN) == 1 + api.turn(table):
        api.set_memory(seat, TURN, 0)
        return api.memory(seat, PLANNED)
    if last_turn.is_here(table, seat):
        play, discard = last_turn.best_pair(table, seat)
        keep(table, seat, discard)
        return play
    if api.phase(seat) == api.DISCARD:
        return moves.hasty(table, seat)
    first, second = best_plan(table, seat)
    if second != planning.NOTHING:
        keep(table, seat, second)
    return first


@api.helper
def best_plan(table, seat):
    """The two actions of the plan that is best after as many iterations as there are time for."""
    budget, time = api.whole(seat, 0), api.param(seat, 1) / 1000.0
    start = api.seconds() if time > 0.0 else 0.0
    tree = np.empty(MOST if time > 0.0 else min(MOST, ROOM * (budget + 1)), ENTRY)
    size = np.ones(1, np.int64)
    clear(tree, 0, 0, planning.NOTHING, 0.0)
    plans = np.zeros(planning.MOST, planning.PLAN)
    list_plans(table, seat, tree, size, 0, plans, 0)
    if tree[tree[0]["child"]]["next"] != OUTSIDE:
        world = api.new_world(table, seat)
        cards = np.zeros(api.MAX_CARDS, np.uint8)
        unseen = api.unseen_cards(table, seat, cards)
        lure = np.ones((api.players(table), beliefs.CODES))
        if api.flag(seat, 2):
            beliefs.weigh_cards(table, seat, cards, unseen, lure)
        way = np.zeros(DEEP, np.int64)
        n = 0
        while n == 0 or (api.seconds() - start < time if time > 0.0 else n < budget):
            n += 1
            beliefs.deal(table, seat, cards, unseen, lure)
            api.rewind(table, seat, world, cards)
            iterate(seat, world, tree, size, way, plans, n)
    return most_tried(tree)


@api.helper
def most_tried(tree):
    """The two actions of the plan of the root that was tried most often, of several the one listed first."""
    best = tree[0]["child"]
    at = best
    while at != OUTSIDE:
        if tree[at]["tries"] > tree[best]["tries"]:
            best = at
        at = tree[at]["next"]
    return tree[best]["first"], tree[best]["second"]


@api.helper
def iterate(seat, world, tree, size, way, plans, n):
    """Go down the tree in a world, add what is new, play on, and let the entries on the way know what it came to.

    Parameters
    ----------
    tree : ENTRY[:], size : int64[1], way : int64[DEEP], plans : PLAN[:], all modified in place
    n : int64
        The number of the iteration, from 1.
    """
    me = api.me(seat)
    table = api.world_table(world)
    left = rollouts.AHEAD[api.players(table) - 2] + (0 if api.phase(seat) == api.DRAW else 1)
    at = 0
    way[0] = at
    steps = 1
    came_to = -1.0
    while came_to < 0.0:
        if api.is_over(world):
            api.settle(world)
            came_to = rollouts.worth(world, me, api.points(world, me))
        elif left == 0:
            came_to = rollouts.by_margin(rollouts.standing(table, api.world_seat_of(world, me)))
        else:
            mover = api.world_seat(world)
            mine = api.me(mover) == me
            turn = api.turn(table)
            chooses = at != OUTSIDE and api.phase(mover) != api.DISCARD and (mine or api.flag(seat, 3) == 1)
            if chooses:
                if way[steps - 1] != at:
                    way[steps] = at
                    steps += 1
                if at > 0 and tree[at]["tries"] == 0:
                    at = OUTSIDE  # a new leaf
                else:
                    if tree[at]["listed"] == 0 or not mine:
                        list_plans(table, mover, tree, size, at, plans, n)
                    at = select(tree, at, mine, api.param(seat, 4), api.param(seat, 5), n)
            if chooses and at != OUTSIDE:
                way[steps] = at
                steps += 1
                first, second = tree[at]["first"], tree[at]["second"]
                at = follow(world, mover, mine, tree, size, at, first)
                if second != planning.NOTHING:
                    at = follow(world, api.world_seat(world), mine, tree, size, at, second)
            else:
                action = moves.hasty(table, mover)
                if at != OUTSIDE and not mine:
                    at = child(tree, size, at, action, planning.NOTHING, 0.0)
                at = follow(world, mover, mine, tree, size, at, action)
            if mine and api.turn(table) != turn:
                left -= 1
    for k in range(steps):
        tree[way[k]]["tries"] += 1
        tree[way[k]]["total"] += came_to


@api.helper
def follow(world, mover, mine, tree, size, at, action):
    """Carry out an action, and go on in the tree to the card that I have drawn by it from the deck."""
    from_deck = api.phase(mover) == api.DRAW and action == api.DECK
    api.carry_out(world, mover, action)
    if at != OUTSIDE and mine and from_deck:
        return child(tree, size, at, api.hand_card(mover, api.hand_count(mover) - 1), planning.NOTHING, 0.0)
    return at


@api.helper
def list_plans(table, seat, tree, size, at, plans, n):
    """Make the plans of whoever is to move entries of the tree, and mark those that he can choose now."""
    if api.phase(seat) == api.DRAW:
        count = planning.list_draws(table, seat, plans)
    else:
        count = planning.list_turns(table, seat, plans)
    for k in range(count):
        entry = child(tree, size, at, plans[k]["first"], plans[k]["second"], plans[k]["prior"])
        if entry != OUTSIDE:
            tree[entry]["prior"] = plans[k]["prior"]
            tree[entry]["could"] += 1
            tree[entry]["now"] = n
    tree[at]["listed"] = 1


@api.helper
def select(tree, at, mine, explore, spread, n):
    """The entry to try next of those that can be chosen now, or OUTSIDE."""
    top = -1e9
    k = tree[at]["child"]
    while k != OUTSIDE:
        if mine or tree[k]["now"] == n:
            top = max(top, tree[k]["prior"])
        k = tree[k]["next"]
    whole = 0.0
    k = tree[at]["child"]
    while k != OUTSIDE:
        if mine or tree[k]["now"] == n:
            whole += math.exp((tree[k]["prior"] - top) / spread)
        k = tree[k]["next"]
    mean = tree[at]["total"] / tree[at]["tries"] if tree[at]["tries"] > 0 else 0.5
    best = OUTSIDE
    highest = -1e9
    k = tree[at]["child"]
    while k != OUTSIDE:
        if mine or tree[k]["now"] == n:
            tries = tree[k]["tries"]
            could = tree[at]["tries"] + 1 if mine else tree[k]["could"]
            value = tree[k]["total"] / tries if tries > 0 else mean
            share = math.exp((tree[k]["prior"] - top) / spread) / whole
            score = (value if mine else 1.0 - value) + explore * share * math.sqrt(could) / (1.0 + tries)
            if score > highest:
                highest = score
                best = k
        k = tree[k]["next"]
    return best


@api.helper
def child(tree, size, at, first, second, prior):
    """The entry of an action or a card below another, made if it is new; OUTSIDE if the tree is full."""
    k = tree[at]["child"]
    last = OUTSIDE
    while k != OUTSIDE:
        if tree[k]["first"] == first and tree[k]["second"] == second:
            return k
        last = k
        k = tree[k]["next"]
    k = size[0]
    if k == tree.size:
        return OUTSIDE
    size[0] = k + 1
    clear(tree, k, first, second, prior)
    if last == OUTSIDE:
        tree[at]["child"] = k
    else:
        tree[last]["next"] = k
    return k


@api.inline_helper
def clear(tree, k, first, second, prior):
    """Make a new entry of what may lie in memory."""
    entry = tree[k]
    entry["first"] = first
    entry["second"] = second
    entry["prior"] = prior
    entry["total"] = 0.0
    entry["tries"] = 0
    entry["could"] = 0
    entry["now"] = 0
    entry["child"] = OUTSIDE
    entry["next"] = OUTSIDE
    entry["listed"] = 0
