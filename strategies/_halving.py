"""The best of several plans by rollouts: successive halving, all plans in the same worlds.

Every round plays the plans that are left in a few new worlds and drops the worse half (Karnin, Koren and Somekh,
"Almost optimal exploration in multi-armed bandits", ICML 2013).
"""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _beliefs as beliefs
from arbosim_strategies import _plans as planning
from arbosim_strategies import _rollouts as rollouts


@api.helper
def best_plan(table, seat, plans, count, budget, trust):
    """The number of the best plan after `budget` rollouts; a point of the prior counts as `trust` wins."""
    world = api.new_world(table, seat)
    unseen = np.zeros(api.MAX_CARDS, np.uint8)
    hidden = api.unseen_cards(table, seat, unseen)
    weights = np.zeros((api.players(table), beliefs.CODES))
    beliefs.weigh_cards(table, seat, unseen, hidden, weights)
    rounds = 1
    while 1 << rounds < count:
        rounds += 1
    order = np.arange(count)
    left = count
    for _ in range(rounds):
        for _ in range(max(1, budget // (rounds * left))):
            if api.flag(seat, 10):
                beliefs.deal(table, seat, unseen, hidden, weights)
            else:
                api.shuffle_cards(seat, unseen, hidden)
            for x in range(left):
                plan = plans[order[x]]
                api.rewind(table, seat, world, unseen)
                plan["total"] += rollouts.play(world, seat, plan["first"], plan["second"])
        _sort(plans, order, left, trust)
        left = (left + 1) // 2
    return order[0]


@api.helper
def _sort(plans, order, left, trust):
    """Sort the plans that are left by their rollouts and their prior, the best first; all have as many rollouts."""
    for x in range(1, left):
        k = order[x]
        merit = plans[k]["total"] + trust * plans[k]["prior"]
        y = x
        while y > 0 and plans[order[y - 1]]["total"] + trust * plans[order[y - 1]]["prior"] < merit:
            order[y] = order[y - 1]
            y -= 1
        order[y] = k
