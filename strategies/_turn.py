"""The choices of a turn: cards to draw, and what to lay and to discard, judged together."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _grove as groves
from arbosim_strategies import _odds as rights
from arbosim_strategies import _outlook as outlook

TRIALS = 40  # plays that are looked at closely, at most
CLIMB = 0.6  # points a turn left for a step of the climb, where plays are chosen for a closer look


@api.helper
def turns_left(table, deck):
    """Turns that I have after this one, if all draw from the deck: a fraction."""
    return deck / max(1, api.draws(table)) / api.players(table)


@api.helper
def survey_hand(table, seat, mind, grove):
    """Judge every hand card on its own: what it is worth in hand, and what it would bring."""
    for n in range(mind["count"]):
        outlook.assess_loss(table, seat, mind, grove, n)
        outlook.assess_net(table, mind, grove, n)
    return outlook.flexibility(table, seat, mind, grove)


@api.helper
def observe(table, seat, features, reads):
    """Fill in the features of the position as it stands."""
    mind = outlook.new_mind(table, seat, reads)[0]
    flex = survey_hand(table, seat, mind, mind["groves"][outlook.OWN])
    gift = 0.0
    top = api.pile_top(table, api.me(seat))
    if top != 0:
        gift = given(table, seat, mind, groves.species_place(table, top), api.value(top))
    outlook.describe(table, seat, mind, mind["groves"][outlook.OWN], flex, gift, -1, -1)
    for k in range(outlook.FEATURES):
        features[k] = mind["features"][k]


@api.helper
def given(table, seat, mind, i, value):
    """Points that the next player gains on me by a card of species `i` if he takes it from my pile.

    The card must be out of my hand.
    """
    p = (api.me(seat) + 1) % api.players(table)
    odds = mind["odds"][0]
    middle, one, top = mind["held"][0, i], mind["held"][1, i], mind["held"][2, i]
    before = rights.mine(table, seat, odds, i, middle, one, top) * mind["groves"][outlook.OWN]["best"][i]
    before -= rights.his(table, odds, i, p, middle, one, top) * mind["paths"][p, i]
    if value == 1:
        kept = odds["one"][p, i]
        odds["one"][p, i] = 1.0
    elif value == api.top_value(table):
        kept = odds["top"][p, i]
        odds["top"][p, i] = 1.0
    else:
        kept = 0.0
        middle -= odds["counts"][value]
    after = rights.mine(table, seat, odds, i, middle, one, top) * mind["groves"][outlook.OWN]["best"][i]
    after -= rights.his(table, odds, i, p, middle, one, top) * mind["paths"][p, i]
    if value == 1:
        odds["one"][p, i] = kept
    elif value == api.top_value(table):
        odds["top"][p, i] = kept
    most = max(0.0, before - after)
    for c in range(mind["groves"][outlook.NEXT]["size"][3]):
        found = groves.gain(
            table, mind["groves"][outlook.NEXT], i, value, c, mind["his"][p], mind["his"][p, i]
        )
        most = max(most, found)
    return most


@api.helper
def survey_gifts(table, seat, mind):
    """Fill in what each hand card would bring the next player."""
    for n in range(mind["count"]):
        i, value = mind["kind"][n], mind["value"][n]
        outlook.hold(table, mind, i, value, -1)
        mind["gift"][n] = given(table, seat, mind, i, value)
        outlook.hold(table, mind, i, value, 1)


@api.helper
def best_turn(table, seat, mind, weights, most, only, only_cell):
    """The best play with the best discard after it: card place, cell, place of the discard, points.

    With `only` not -1 that card place and that cell are taken.
    """
    deck = api.deck_count(table)
    turns = turns_left(table, deck)
    hand = mind["count"]
    discards = hand - 1 > api.hand_size(table)
    trial_card = np.zeros(TRIALS, np.int64)
    trial_cell = np.zeros(TRIALS, np.int64)
    trial_use = np.zeros(TRIALS)
    trials = 0
    for n in range(hand):
        outlook.assess_loss(table, seat, mind, mind["groves"][outlook.OWN], n)
    if only >= 0:
        for j in range(mind["groves"][outlook.OWN]["size"][1]):
            if mind["groves"][outlook.OWN]["open"][j] == only_cell:
                trial_cell[0] = j
        trial_card[0] = only
        trials = 1
    else:
        for n in range(hand):
            i, value = mind["kind"][n], mind["value"][n]
            for c in range(mind["groves"][outlook.OWN]["size"][3]):
                use = groves.gain(table, mind["groves"][outlook.OWN], i, value, c, mind["mine"], mind["less"][n])
                use += CLIMB * turns * groves.climb_gain(table, mind["groves"][outlook.OWN], value, c) - mind["loss"][n]
                if trials < most or use > trial_use[trials - 1]:
                    at = trials if trials < most else most - 1
                    while at > 0 and trial_use[at - 1] < use:
                        trial_use[at] = trial_use[at - 1]
                        trial_card[at] = trial_card[at - 1]
                        trial_cell[at] = trial_cell[at - 1]
                        at -= 1
                    trial_use[at] = use
                    trial_card[at] = n
                    trial_cell[at] = mind["groves"][outlook.OWN]["look"][c]
                    trials = min(most, trials + 1)
    if discards:
        survey_gifts(table, seat, mind)
    best = -1e9
    best_card, best_cell, dropped = 0, 0, -1
    for t in range(trials):
        n = trial_card[t]
        j = trial_cell[t]
        i = mind["kind"][n]
        groves.copy(mind["groves"][outlook.OWN], mind["groves"][outlook.TRIAL])
        groves.place(mind["groves"][outlook.TRIAL], i, mind["value"][n], j)
        groves.fill(table, mind["groves"][outlook.TRIAL])
        outlook.hold(table, mind, i, mind["value"][n], -1)
        outlook.weigh(table, seat, mind, i)
        d, points = best_discard(table, seat, mind, mind["groves"][outlook.TRIAL], weights, turns, n, discards)
        outlook.hold(table, mind, i, mind["value"][n], 1)
        outlook.weigh(table, seat, mind, i)
        if points > best:
            best = points
            best_card, best_cell, dropped = n, mind["groves"][outlook.OWN]["open"][j], d
    return best_card, best_cell, dropped, best


@api.helper
def best_discard(table, seat, mind, grove, weights, turns, played, discards):
    """The best discard with card place `played` (-1: none) out of the hand: its place, and the points after it."""
    hand = mind["count"]
    flex = 0.0
    if turns > 0.0:
        flex = outlook.flexibility(table, seat, mind, grove)
    for n in range(hand):
        if n != played:
            outlook.assess_loss(table, seat, mind, grove, n)
            if turns > 0.0:
                outlook.assess_net(table, mind, grove, n)
    if not discards:
        outlook.describe(table, seat, mind, grove, flex, 0.0, played, -1)
        return -1, outlook.value(table, mind, weights, turns)
    best = -1e9
    found = 0
    for n in range(hand):
        if n != played:
            points = discarded(table, seat, mind, grove, weights, turns, flex, played, n)
            if points > best:
                best = points
                found = n
    return found, best


@api.helper
def place_in_hand(mind, card):
    """The place of a card in my hand."""
    for n in range(mind["count"]):
        if mind["card"][n] == card:
            return n
    return -1


@api.helper
def worth_discarded(table, seat, mind, weights, n):
    """Points that the position is worth after discarding card place `n`, with nothing surveyed but the gifts."""
    turns = turns_left(table, api.deck_count(table))
    flex = survey_hand(table, seat, mind, mind["groves"][outlook.OWN]) if turns > 0.0 else 0.0
    return discarded(table, seat, mind, mind["groves"][outlook.OWN], weights, turns, flex, -1, n)


@api.helper
def discarded(table, seat, mind, grove, weights, turns, flex, played, n):
    """Points that the position is worth when card place `n` is discarded."""
    i, value = mind["kind"][n], mind["value"][n]
    outlook.hold(table, mind, i, value, -1)
    outlook.weigh(table, seat, mind, i)
    outlook.describe(table, seat, mind, grove, flex, mind["gift"][n], played, n)
    points = outlook.value(table, mind, weights, turns)
    outlook.hold(table, mind, i, value, 1)
    outlook.weigh(table, seat, mind, i)
    return points


@api.helper
def with_card(table, seat, mind, weights, turns, flex, card):
    """Points that the position is worth with one card more in my hand, after `survey_hand`."""
    n = mind["count"]
    outlook.take(table, mind, card)
    i = mind["kind"][n]
    outlook.weigh(table, seat, mind, i)
    for k in range(n + 1):
        if mind["kind"][k] == i:
            outlook.assess_loss(table, seat, mind, mind["groves"][outlook.OWN], k)
            outlook.assess_net(table, mind, mind["groves"][outlook.OWN], k)
    outlook.describe(table, seat, mind, mind["groves"][outlook.OWN], flex, 0.0, -1, -1)
    points = outlook.value(table, mind, weights, turns)
    outlook.hold(table, mind, i, mind["value"][n], -1)
    mind["count"] = n
    outlook.weigh(table, seat, mind, i)
    return points


@api.helper
def restore(table, seat, mind, i):
    """Put back what `with_card` changed of the other cards of species `i`."""
    for k in range(mind["count"]):
        if mind["kind"][k] == i:
            mind["loss"][k] = mind["kept"][0, k]
            mind["net"][k] = mind["kept"][1, k]
            mind["less"][k] = mind["kept"][2, k]


@api.helper
def weigh_sources(table, seat, mind, weights, values):
    """Fill in by source the points that the position is worth after a draw from it; -1e9 where nothing lies."""
    deck = api.deck_count(table)
    flex = survey_hand(table, seat, mind, mind["groves"][outlook.OWN])
    for n in range(mind["count"]):
        mind["kept"][0, n] = mind["loss"][n]
        mind["kept"][1, n] = mind["net"][n]
        mind["kept"][2, n] = mind["less"][n]
    for k in range(values.size):
        values[k] = -1e9
    for p in range(api.players(table)):
        card = api.pile_top(table, p)
        if card != 0:
            values[p] = with_card(table, seat, mind, weights, turns_left(table, deck), flex, card)
            restore(table, seat, mind, groves.species_place(table, card))
    if deck > 0:
        total = 0.0
        unseen = outlook.sample_unseen(table, seat, mind["unseen"], outlook.SAMPLE)
        for k in range(unseen):
            card = mind["unseen"][k]
            total += with_card(table, seat, mind, weights, turns_left(table, deck - 1), flex, card)
            restore(table, seat, mind, groves.species_place(table, card))
        values[api.DECK] = total / max(1, unseen)
