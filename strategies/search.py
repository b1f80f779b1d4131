"""Rollouts in worlds that agree with all that is known."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge
from arbosim_strategies import _last_turn as last_turn
from arbosim_strategies import _rollouts as rollouts
from arbosim_strategies import _grove as groves
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies._expert_weights import AFTER

MOST = 64
PLANNED, TURN = 10, 11


@api.strategy(
    name="search",
    parameters=(
        api.Parameter("rollouts", 200, 1, 1_000_000, "games played on for a decision", budget=True),
        api.Parameter("plays", 8, 1, 64, "plays looked at"),
        api.Parameter("discards", 3, 1, 10, "discards looked at with every play"),
        api.Parameter("wins", 0.5, 0.0, 1.0, "weight of a win against that of the margin"),
        api.Parameter("soft", 8.0, 0.1, 100.0, "x"),
        api.Parameter("kind", 0, 0, 10, "x"),
        api.Parameter("prior", 0.0, 0.0, 100.0, "weight of the judgement, a point"),
        api.Parameter("depth", 0, 0, 100, "x"),
        api.Parameter("expert", True, meaning="x"),
        api.Parameter("exact", True, meaning="x"),
    ),
    source="",
    weakness="",
    status="experimental",
)
def decide(table, seat):
    """Search."""
    phase = api.phase(seat)
    if api.memory(seat, TURN) == 1 + api.turn(table) and phase == api.DISCARD:
        planned = api.memory(seat, PLANNED)
        if planned and api.has_card(seat, planned):
            return api.discard(planned)
    first = np.zeros(MOST, np.int64)
    second = np.zeros(MOST, np.int64)
    prior = np.zeros(MOST, np.float64)
    if phase == api.DRAW:
        count = list_draws(table, seat, first, second)
    elif phase == api.PLAY:
        if api.flag(seat, 9) and last_turn.is_here(table, seat):
            play, dropped = last_turn.best_pair(table, seat, 0.99, api.param(seat, 4))
            api.set_memory(seat, TURN, 1 + api.turn(table))
            api.set_memory(seat, PLANNED, dropped)
            return play
        count = list_turns(table, seat, first, second, prior) if api.flag(seat, 8) else list_plays(table, seat, first, second, prior)
    else:
        return rollouts.policy(table, seat, 0)
    best = choose(table, seat, first, second, prior, count) if count > 1 else 0
    if phase == api.PLAY:
        api.set_memory(seat, TURN, 1 + api.turn(table))
        api.set_memory(seat, PLANNED, second[best])
    return first[best]


@api.helper
def list_draws(table, seat, first, second):
    count = 0
    for i in range(api.source_count(table)):
        first[count] = api.draw(api.source(table, i))
        second[count] = -1
        count += 1
    return count


@api.helper
def list_plays(table, seat, first, second, prior):
    book = judge.open_book(table, seat, 1)
    judge.assess(table, seat, book, 27.0, 1.9)
    me = api.me(seat)
    steps = 11.0 * book[judge.TIME]
    plays = api.whole(seat, 1)
    discards = api.whole(seat, 2)
    cards = api.hand_count(seat)
    best = np.full(MOST, -1e9)
    actions = np.zeros(MOST, np.int64)
    found = 0
    is_first = api.board_count(table, me) == 0
    for j in range(int(book[judge.CELL_COUNT])):
        cell = int(book[judge.CELLS + j])
        judge.look(table, seat, book, cell)
        for i in range(cards):
            card = api.hand_card(seat, i)
            use = api.aimed_gain_reweighted(table, seat, me, card, book[judge.AFTER + i])
            if is_first:
                use = -0.1 * steps * abs(2 * api.value(card) - api.top_value(table) - 1)
            else:
                use += steps * judge.climb_gain(table, book, api.value(card))
            use -= book[judge.COST + i]
            # insert
            k = min(found, plays - 1)
            if found < plays or use > best[k]:
                while k > 0 and best[k - 1] < use:
                    best[k] = best[k - 1]
                    actions[k] = actions[k - 1]
                    k -= 1
                best[k] = use
                actions[k] = api.play(card, cell)
                found = min(found + 1, plays)
    count = 0
    if cards - 1 <= api.hand_size(table):
        discards = 0
    for k in range(found):
        card = (actions[k] >> 16) & 0xFF
        used = np.zeros(32, np.int64)
        if discards == 0 and count < MOST:
            first[count] = actions[k]
            prior[count] = best[k]
            count += 1
        for d in range(discards):
            low = -1
            for i in range(cards):
                if used[i] == 0 and api.hand_card(seat, i) != card:
                    if low < 0 or book[judge.COST + i] < book[judge.COST + low]:
                        low = i
            if low >= 0 and count < MOST:
                used[low] = 1
                first[count] = actions[k]
                second[count] = api.hand_card(seat, low)
                prior[count] = best[k] - book[judge.COST + low]
                count += 1
    return count


@api.helper
def choose(table, seat, first, second, prior, count):
    budget = api.whole(seat, 0)
    wins = api.param(seat, 3)
    weight = api.param(seat, 6)
    soft = api.param(seat, 4)
    kind = api.whole(seat, 5)
    depth = api.whole(seat, 7)
    features = np.zeros(outlook.FEATURES)
    me = api.me(seat)
    phase = api.phase(seat)
    world = api.new_world(table, seat)
    cards = np.zeros(api.MAX_CARDS, np.uint8)
    unseen = api.unseen_cards(table, seat, cards)
    rounds = 1
    while 1 << rounds < count:
        rounds += 1
    alive = np.arange(count)
    total = np.zeros(count, np.float64)
    left = count
    for r in range(rounds):
        each = max(1, budget // (rounds * left))
        for d in range(each):
            api.shuffle_cards(seat, cards, unseen)
            for x in range(left):
                k = alive[x]
                api.rewind(table, seat, world, cards)
                api.carry_out(world, api.world_seat(world), first[k])
                if phase == api.PLAY and second[k] > 0:
                    api.carry_out(world, api.world_seat(world), api.discard(second[k]))
                if depth > 0:
                    turn = api.turn(table)
                    own = api.world_table(world)
                    rollouts.play_turns(world, kind, me, depth if phase == api.DRAW or api.turn(own) == turn else depth - 1)
                    if not api.is_over(world):
                        mine = api.world_any_seat(world, me)
                        turns.observe(own, mine, features, 1.3, 0.3)
                        mind_value = judged(own, features, AFTER[min(api.players(table), 4) - 2], turns.turns_left(own, api.deck_count(own)))
                        total[k] += 0.5 + 0.5 * mind_value / (abs(mind_value) + soft)
                        continue
                else:
                    rollouts.play_on(world, kind)
                api.settle(world)
                total[k] += rollouts.outcome(world, me, wins, soft)
        # sort the alive by mean
        for x in range(1, left):
            k = alive[x]
            value = total[k] + weight * prior[k]
            y = x
            while y > 0 and total[alive[y - 1]] + weight * prior[alive[y - 1]] < value:
                alive[y] = alive[y - 1]
                y -= 1
            alive[y] = k
        left = max(1, (left + 1) // 2)
    return alive[0]


@api.helper
def judged(table, f, weights, turns):
    last = outlook.KNOTS.size - 1
    at = 0
    while at < last - 1 and turns >= outlook.KNOTS[at + 1]:
        at += 1
    part = min(1.0, (turns - outlook.KNOTS[at]) / (outlook.KNOTS[at + 1] - outlook.KNOTS[at]))
    total = 0.0
    for k in range(outlook.FEATURES):
        total += f[k] * ((1.0 - part) * weights[at, k] + part * weights[at + 1, k])
    return total


@api.helper
def list_turns(table, seat, first, second, prior):
    mind = outlook.new_mind(table, seat, 1.3, 0.3)
    weights = AFTER[min(api.players(table), 4) - 2]
    climb = 0.6
    plays = api.whole(seat, 1)
    most = api.whole(seat, 2) * plays
    left = turns.turns_left(table, api.deck_count(table))
    hand = mind.count[0]
    discards = hand - 1 > api.hand_size(table)
    trial_card = np.zeros(plays, np.int64)
    trial_cell = np.zeros(plays, np.int64)
    trial_use = np.zeros(plays)
    trials = 0
    for n in range(hand):
        outlook.assess_loss(table, seat, mind, mind.grove, n)
    for n in range(hand):
        i, value = mind.kind[n], mind.value[n]
        for c in range(mind.grove.size[3]):
            use = groves.gain(table, mind.grove, i, value, c, mind.mine, mind.less[n])
            use += climb * left * groves.climb_gain(table, mind.grove, value, c) - mind.loss[n]
            if trials < plays or use > trial_use[trials - 1]:
                at = trials if trials < plays else plays - 1
                while at > 0 and trial_use[at - 1] < use:
                    trial_use[at] = trial_use[at - 1]
                    trial_card[at] = trial_card[at - 1]
                    trial_cell[at] = trial_cell[at - 1]
                    at -= 1
                trial_use[at] = use
                trial_card[at] = n
                trial_cell[at] = mind.grove.look[c]
                trials = min(plays, trials + 1)
    if discards:
        turns.survey_gifts(table, seat, mind)
    count = 0
    for t in range(trials):
        n = trial_card[t]
        j = trial_cell[t]
        i = mind.kind[n]
        groves.copy(mind.grove, mind.trial)
        groves.place(mind.trial, i, mind.value[n], j)
        groves.fill(table, mind.trial)
        outlook.hold(table, mind, i, mind.value[n], -1)
        outlook.weigh(table, seat, mind, i)
        flex = 0.0
        if left > 0.0:
            flex = outlook.flexibility(table, seat, mind, mind.trial)
        for m in range(hand):
            if m != n:
                outlook.assess_loss(table, seat, mind, mind.trial, m)
                if left > 0.0:
                    outlook.assess_net(table, mind, mind.trial, m)
        for m in range(hand):
            points = -1e9
            dropped = 0
            if discards and m != n:
                points = turns.discarded(table, seat, mind, mind.trial, weights, left, flex, n, m)
                dropped = mind.card[m]
            elif not discards and m == 0:
                outlook.describe(table, seat, mind, mind.trial, flex, 0.0, n, -1)
                points = outlook.value(table, mind, weights, left)
            if points > -1e8 and (count < most or points > prior[count - 1]):
                at = count if count < most else most - 1
                while at > 0 and prior[at - 1] < points:
                    prior[at] = prior[at - 1]
                    first[at] = first[at - 1]
                    second[at] = second[at - 1]
                    at -= 1
                prior[at] = points
                first[at] = api.play(mind.card[n], mind.grove.open[j])
                second[at] = dropped
                count = min(most, count + 1)
        outlook.hold(table, mind, i, mind.value[n], 1)
        outlook.weigh(table, seat, mind, i)
    return count
