"""The best of several plans by rollouts: successive halving, all plans in the same worlds.

Every round plays the plans that are left in some new worlds and drops the worse half (Karnin, Koren and Somekh,
"Almost optimal exploration in multi-armed bandits", ICML 2013).
"""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _beliefs as beliefs
from arbosim_strategies import _rollouts as rollouts

TRUST = 1.0
"""A point that the expert expects of a plan counts as so many rollouts won."""


@api.helper
def best_plan(table, seat, plans, count, budget, time, reads):
    """The number of the best plan.

    Parameters
    ----------
    plans : PLAN[:], modified in place
        Their totals must be 0.
    budget : int64
        Rollouts in all; every plan has one at least.
    time : float64
        Seconds to think instead, if above 0.
    reads : int64
        1 to deal the unseen cards as strong players keep them, 0 by luck alone.
    """
    me = api.me(seat)
    world = api.new_world(table, seat)
    cards = np.zeros(api.MAX_CARDS, np.uint8)
    unseen = api.unseen_cards(table, seat, cards)
    lure = np.ones((api.players(table), beliefs.CODES))
    if reads:
        beliefs.weigh_cards(table, seat, cards, unseen, lure)
    ahead = 1 if api.phase(seat) == api.DRAW else rollouts.AHEAD[api.players(table) - 2]
    rounds = 1
    while 1 << rounds < count:
        rounds += 1
    start = api.seconds() if time > 0.0 else 0.0
    order = np.arange(count)
    left = count
    for r in range(rounds):
        worlds = 0
        while worlds == 0 or goes_on(worlds, budget // (rounds * left), start, time * (r + 1) / rounds):
            worlds += 1
            beliefs.deal(table, seat, cards, unseen, lure)
            for x in range(left):
                plan = plans[order[x]]
                api.rewind(table, seat, world, cards)
                plan["total"] += rollouts.play(world, me, plan["first"], plan["second"], ahead)
        sort(plans, order, left)
        left = (left + 1) // 2
    return order[0]


@api.inline_helper
def goes_on(worlds, most, start, time):
    """Whether a round has time, or as many worlds as it may play, left."""
    if time > 0.0:
        return api.seconds() - start < time
    return worlds < most


@api.helper
def sort(plans, order, left):
    """Sort the first `left` plans of `order`, the best first; all of them have had as many rollouts."""
    for x in range(1, left):
        k = order[x]
        y = x
        while y > 0 and merit(plans[order[y - 1]]) < merit(plans[k]):
            order[y] = order[y - 1]
            y -= 1
        order[y] = k


@api.inline_helper
def merit(plan):
    """What its rollouts came to, and what the expert expects of it."""
    return plan["total"] + TRUST * plan["prior"]
