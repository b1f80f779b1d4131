"""The choices of a turn: cards to draw, and what to lay and to discard, judged together."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _grove as groves
from arbosim_strategies import _odds as rights
from arbosim_strategies import _outlook as outlook

TRIALS = 24  # plays that are looked at closely
NEVER = -1e9  # points of what cannot be
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
def survey(table, seat, mind):
    """Fill in the features of the position as it stands, my turn just over."""
    own = mind["groves"][outlook.OWN]
    flex = survey_hand(table, seat, mind, own)
    gift = 0.0
    top = api.pile_top(table, api.me(seat))
    if top != 0:
        gift = given(table, seat, mind, groves.species_place(table, top), api.value(top))
    outlook.describe(table, seat, mind, own, flex, gift, -1, -1)


@api.helper
def observe(table, seat, features, reads):
    """Write the features of the position as it stands into `features`."""
    _observe(table, seat, features, outlook.new_mind(table, seat, reads, outlook.SAMPLE))


@api.helper
def _observe(table, seat, features, minds):
    """The same, given what the player thinks of the position."""
    mind = minds[0]
    survey(table, seat, mind)
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
def best_turn(table, seat, mind, weights, trials, gifts):
    """The best play with the best discard after it: place in hand, cell, and place in hand of the discard (-1: none).

    So many plays as `trials` says are looked at closely: those that bring most at once, a step of the climb counting
    `CLIMB` points a turn left. With `gifts` 0 it is no matter what a discard brings others.
    """
    own = mind["groves"][outlook.OWN]
    cards = np.zeros(TRIALS, np.int64)
    cells = np.zeros(TRIALS, np.int64)
    points = np.zeros(outlook.HAND)
    climb = CLIMB * turns_left(table, api.deck_count(table))
    count = min(trials, shortlist(table, seat, mind, climb, cards, cells))
    if gifts:
        survey_gifts(table, seat, mind)
    highest = NEVER
    best = 0
    drop = -1
    for t in range(count):
        follow_play(table, seat, mind, weights, cards[t], cells[t], points)
        n = most(points)
        if points[n] > highest:
            highest = points[n]
            best = t
            drop = n
    if drop == cards[best]:
        drop = -1
    return cards[best], own["open"][cells[best]], drop


@api.helper
def worth_played(table, seat, mind, weights, n, cell):
    """Points after the turn if card place `n` is laid on a cell."""
    own = mind["groves"][outlook.OWN]
    survey_gifts(table, seat, mind)
    for j in range(own["size"][1]):
        if own["open"][j] == cell:
            points = np.zeros(outlook.HAND)
            follow_play(table, seat, mind, weights, n, j, points)
            return points[most(points)]
    return 0.0


@api.helper
def follow_play(table, seat, mind, weights, n, j, points):
    """Lay card place `n` on open cell number `j` on trial, and weigh every discard after it; see `weigh_discards`."""
    trial = mind["groves"][outlook.TRIAL]
    i, value = mind["kind"][n], mind["value"][n]
    groves.copy(mind["groves"][outlook.OWN], trial)
    groves.place(trial, i, value, j)
    groves.fill(table, trial)
    outlook.hold(table, mind, i, value, -1)
    outlook.weigh(table, seat, mind, i)
    weigh_discards(table, seat, mind, trial, weights, n, points)
    outlook.hold(table, mind, i, value, 1)
    outlook.weigh(table, seat, mind, i)


@api.helper
def shortlist(table, seat, mind, climb, cards, cells):
    """Write the plays that bring most at once into `cards` (places in hand) and `cells` (numbers of open cells).

    Returns their number; a step of the climb counts `climb` points.
    """
    own = mind["groves"][outlook.OWN]
    uses = np.zeros(TRIALS)
    count = 0
    for n in range(mind["count"]):
        i, value = mind["kind"][n], mind["value"][n]
        outlook.assess_loss(table, seat, mind, own, n)
        for c in range(own["size"][3]):
            use = groves.gain(table, own, i, value, c, mind["mine"], mind["less"][n])
            use += climb * groves.climb_gain(table, own, value, c) - mind["loss"][n]
            if count < TRIALS or use > uses[count - 1]:
                at = count if count < TRIALS else TRIALS - 1
                while at > 0 and uses[at - 1] < use:
                    uses[at] = uses[at - 1]
                    cards[at] = cards[at - 1]
                    cells[at] = cells[at - 1]
                    at -= 1
                uses[at] = use
                cards[at] = n
                cells[at] = own["look"][c]
                count = min(TRIALS, count + 1)
    return count


@api.helper
def weigh_discards(table, seat, mind, grove, weights, played, points):
    """Fill in by place in hand what the position is worth when that card is discarded; the others are `NEVER`.

    Card place `played` (-1: none) is out of the hand. Where nothing is to be discarded, the worth is at its place.
    """
    turns = turns_left(table, api.deck_count(table))
    flex = outlook.flexibility(table, seat, mind, grove)
    for n in range(points.size):
        points[n] = NEVER
    for n in range(mind["count"]):
        if n != played:
            outlook.assess_loss(table, seat, mind, grove, n)
            outlook.assess_net(table, mind, grove, n)
    if played >= 0 and mind["count"] - 1 <= api.hand_size(table):
        outlook.describe(table, seat, mind, grove, flex, 0.0, played, -1)
        points[played] = outlook.value(mind, weights, turns)
        return
    for n in range(mind["count"]):
        if n != played:
            points[n] = discarded(table, seat, mind, grove, weights, turns, flex, played, n)


@api.helper
def most(points):
    """The place of the largest number, of equals the first."""
    best = 0
    for n in range(1, points.size):
        if points[n] > points[best]:
            best = n
    return best


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
    flex = survey_hand(table, seat, mind, mind["groves"][outlook.OWN])
    return discarded(table, seat, mind, mind["groves"][outlook.OWN], weights, turns, flex, -1, n)


@api.helper
def discarded(table, seat, mind, grove, weights, turns, flex, played, n):
    """Points that the position is worth when card place `n` is discarded."""
    i, value = mind["kind"][n], mind["value"][n]
    outlook.hold(table, mind, i, value, -1)
    outlook.weigh(table, seat, mind, i)
    outlook.describe(table, seat, mind, grove, flex, mind["gift"][n], played, n)
    points = outlook.value(mind, weights, turns)
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
    points = outlook.value(mind, weights, turns)
    outlook.hold(table, mind, i, mind["value"][n], -1)
    mind["count"] = n
    outlook.weigh(table, seat, mind, i)
    return points


@api.helper
def restore(mind, i):
    """Put back what `with_card` changed of the other cards of species `i`."""
    for k in range(mind["count"]):
        if mind["kind"][k] == i:
            mind["loss"][k] = mind["kept"][0, k]
            mind["net"][k] = mind["kept"][1, k]
            mind["less"][k] = mind["kept"][2, k]


@api.helper
def weigh_sources(table, seat, mind, weights, values):
    """Fill in by source the points that the position is worth after a draw from it; `NEVER` where nothing lies."""
    deck = api.deck_count(table)
    flex = survey_hand(table, seat, mind, mind["groves"][outlook.OWN])
    for n in range(mind["count"]):
        mind["kept"][0, n] = mind["loss"][n]
        mind["kept"][1, n] = mind["net"][n]
        mind["kept"][2, n] = mind["less"][n]
    for k in range(values.size):
        values[k] = NEVER
    for p in range(api.players(table)):
        card = api.pile_top(table, p)
        if card != 0:
            values[p] = with_card(table, seat, mind, weights, turns_left(table, deck), flex, card)
            restore(mind, groves.species_place(table, card))
    if deck > 0:
        total = 0.0
        unseen = outlook.sample_unseen(table, seat, mind["unseen"], mind["sample"])
        for k in range(unseen):
            card = mind["unseen"][k]
            total += with_card(table, seat, mind, weights, turns_left(table, deck - 1), flex, card)
            restore(mind, groves.species_place(table, card))
        values[api.DECK] = total / max(1, unseen)
