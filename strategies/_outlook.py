"""What a position promises: a few numbers that describe it, and the points that they are worth."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _grove as groves
from arbosim_strategies import _odds as rights

HAND = 24
SPECIES = 12
SEATS = 4
SAMPLE = 24  # unseen cards that stand for all

# The features, sums over species unless they are of one card.
CONSTANT = 0  # 1
OWED = 1  # my chances of the rights times the points of my paths
THREAT = 2  # the same of the strongest rival
THREATS = 3  # of all rivals on average, with more than one
NET1 = 4  # what the best card of my hand would win when it is laid
NET2 = 5  # the second best
NET3 = 6  # the third
FLEX = 7  # what an unseen card would win when it is laid, on average
CLIMB = 8  # steps of my longest rising path of any species
HIS_CLIMB = 9  # those of the rivals' longest
BEGUN = 10  # my chances where I have cards but no path
LATENT = 11  # my chances times what paths lack for want of their other end
RIGHTS = 12  # my chances
HIS_BEGUN = 13  # rivals' chances where they have cards but no path
HIS_RIGHTS = 14  # rivals' chances
PATHS = 15  # points of my paths, whatever the rights
HIS_PATHS = 16  # of the rivals' paths
GIFT = 17  # what my discard brings the next player
DOUBT = 18  # how unsure the rights to my paths are
HIS_DOUBT = 19  # the same of the rivals'
LOSS1 = 20  # what the cheapest card of my hand is worth there
LOSS2 = 21  # the second cheapest
RIGHTS_LAID = 22  # my chances times cards laid, three at most
HIS_LATENT = 23  # as mine
RIGHTS_SQUARED = 24  # my chances squared
RIGHTS_FREE = 25  # my chances times cards of the species that I hold or do not see
FEATURES = 26
NAMES = (
    "constant",
    "owed",
    "threat",
    "threats",
    "net1",
    "net2",
    "net3",
    "flex",
    "climb",
    "his_climb",
    "begun",
    "latent",
    "rights",
    "his_begun",
    "his_rights",
    "paths",
    "his_paths",
    "gift",
    "doubt",
    "his_doubt",
    "loss1",
    "loss2",
    "rights_laid",
    "his_latent",
    "rights_squared",
    "rights_free",
)
# Turns left, at which the weights of the features are given.
KNOTS = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0])

OWN, TRIAL, NEXT = 0, 1, 2
MIND = np.dtype(
    [
        ("odds", rights.ODDS, (1,)),
        # my arboretum; the same with a card laid on trial; the next player's
        ("groves", groves.GROVE, (3,)),
        # my hand, by place: the card, its species and value
        ("count", np.int64),
        ("card", np.int64, (HAND,)),
        ("kind", np.int64, (HAND,)),
        ("value", np.int64, (HAND,)),
        # my middle sum by species, whether I hold the 1, and the highest card
        ("held", np.int64, (3, SPECIES)),
        # by species: my chance of the right; by seat and species: a rival's chance of it
        ("mine", np.float64, (SPECIES,)),
        ("his", np.float64, (SEATS, SPECIES)),
        # by seat and species: points of a rival's best path, those that lack its other end, cards in all arboretums
        ("paths", np.float64, (SEATS, SPECIES)),
        ("latent", np.float64, (SEATS, SPECIES)),
        ("laid", np.float64, (SEATS, SPECIES)),
        # by seat: the longest climb
        ("climb", np.float64, (SEATS,)),
        # by place in hand: my chance of its right without the card; points lost when it leaves the hand; points won
        # when it is laid, that loss taken off; what it brings the next player if it is discarded
        ("less", np.float64, (HAND,)),
        ("loss", np.float64, (HAND,)),
        ("net", np.float64, (HAND,)),
        ("gift", np.float64, (HAND,)),
        # by species: cards that I hold or do not see
        ("free", np.float64, (SPECIES,)),
        # cards that I do not see
        ("unseen", np.int64, (128,)),
        ("features", np.float64, (FEATURES,)),
        # what `survey_hand` found, kept while a card more is tried
        ("kept", np.float64, (3, HAND)),
        # how many unseen cards stand for all
        ("sample", np.int64),
    ],
    align=True,
)
"""What I think of the position in one decision."""


@api.helper
def new_mind(table, seat, reads, sample):
    """Look at the table and at my hand.

    Parameters
    ----------
    reads : int
        See `_odds.count`.
    sample : int
        How many unseen cards stand for all where each is tried.

    Returns
    -------
    MIND[1]
        To be handed to a helper that takes its record: compiled code frees an array after its last use, and does not
        know that a record of it is in use.
    """
    minds = np.zeros(1, MIND)
    mind = minds[0]
    mind["sample"] = sample
    for p in range(api.players(table)):
        for k in range(api.board_count(table, p)):
            mind["laid"][p, groves.species_place(table, api.board_card(table, p, k))] += 1.0
    rights.count(table, seat, mind["odds"][0], mind["laid"], reads)
    me = api.me(seat)
    players = api.players(table)
    for ahead in range(players - 1, 0, -1):
        # the next player comes last, so that his arboretum stays in `rival`
        p = (me + ahead) % players
        groves.read(table, mind["groves"][NEXT], p)
        mind["climb"][p] = mind["groves"][NEXT]["size"][2] / groves.LAID
        for i in range(api.species_count(table)):
            mind["paths"][p, i] = mind["groves"][NEXT]["best"][i]
            mind["latent"][p, i] = mind["groves"][NEXT]["latent"][i]
    groves.read(table, mind["groves"][OWN], me)
    for i in range(api.species_count(table)):
        for v in range(1, api.top_value(table) + 1):
            mind["free"][i] += api.where(table, api.card(api.species_at(table, i), v)) == api.UNSEEN
    for i in range(api.hand_count(seat)):
        take(table, mind, api.hand_card(seat, i))
    for i in range(api.species_count(table)):
        weigh(table, seat, mind, i)
    return minds


@api.helper
def take(table, mind, card):
    """Add a card to my hand."""
    n = mind["count"]
    i = groves.species_place(table, card)
    mind["card"][n] = card
    mind["kind"][n] = i
    mind["value"][n] = api.value(card)
    mind["count"] = n + 1
    hold(table, mind, i, api.value(card), 1)


@api.inline_helper
def hold(table, mind, i, value, change):
    """Let my hand hold a card of species `i` more or less."""
    if value == 1:
        mind["held"][1, i] += change
    elif value == api.top_value(table):
        mind["held"][2, i] += change
    else:
        mind["held"][0, i] += change * mind["odds"][0]["counts"][value]


@api.helper
def weigh(table, seat, mind, i):
    """Work out the chances of the right of species `i` with the hand as it is."""
    middle, one, top = mind["held"][0, i], mind["held"][1, i], mind["held"][2, i]
    mind["mine"][i] = rights.mine(table, seat, mind["odds"][0], i, middle, one, top)
    me = api.me(seat)
    for p in range(api.players(table)):
        if p != me:
            mind["his"][p, i] = rights.his(table, mind["odds"][0], i, p, middle, one, top)


@api.helper
def assess_loss(table, seat, mind, grove, n):
    """Fill in what the hand loses, in points as they stand, when card number `n` leaves it."""
    i, value = mind["kind"][n], mind["value"][n]
    hold(table, mind, i, value, -1)
    middle, one, top = mind["held"][0, i], mind["held"][1, i], mind["held"][2, i]
    mind["less"][n] = rights.mine(table, seat, mind["odds"][0], i, middle, one, top)
    lost = (mind["mine"][i] - mind["less"][n]) * grove["best"][i]
    me = api.me(seat)
    players = api.players(table)
    for p in range(players):
        if p != me and mind["paths"][p, i] > 0.0:
            chance = rights.his(table, mind["odds"][0], i, p, middle, one, top)
            lost += (chance - mind["his"][p, i]) * mind["paths"][p, i] / (players - 1)
    mind["loss"][n] = lost
    hold(table, mind, i, value, 1)


@api.helper
def assess_net(table, mind, grove, n):
    """Fill in what laying card number `n` would bring on its best cell."""
    most = 0.0
    for c in range(grove["size"][3]):
        found = groves.gain(table, grove, mind["kind"][n], mind["value"][n], c, mind["mine"], mind["less"][n])
        most = max(most, found)
    mind["net"][n] = most - mind["loss"][n]


@api.helper
def sample_unseen(table, seat, cards, most):
    """Write cards that I do not see into `cards`, all of them or about `most` evenly spread; return their number."""
    count = 0
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        for v in range(1, api.top_value(table) + 1):
            if api.is_unseen(table, seat, api.card(s, v)):
                cards[count] = api.card(s, v)
                count += 1
    step = (count + most - 1) // most
    if step > 1:
        kept = 0
        for k in range(step // 2, count, step):
            cards[kept] = cards[k]
            kept += 1
        count = kept
    return count


@api.helper
def flexibility(table, seat, mind, grove):
    """What a card that I do not see would bring where it fits best, on average."""
    total = 0.0
    count = sample_unseen(table, seat, mind["unseen"], mind["sample"])
    for k in range(count):
        i = groves.species_place(table, mind["unseen"][k])
        most = 0.0
        for c in range(grove["size"][3]):
            found = groves.gain(
                table, grove, i, api.value(mind["unseen"][k]), c, mind["mine"], mind["mine"][i]
            )
            most = max(most, found)
        total += most
    return total / max(1, count)


@api.helper
def describe(table, seat, mind, grove, flex, gift, first, second):
    """Fill in the features; cards number `first` and `second` are out of my hand (-1: none)."""
    f = mind["features"]
    for k in range(FEATURES):
        f[k] = 0.0
    me = api.me(seat)
    players = api.players(table)
    f[CONSTANT] = 1.0
    for i in range(api.species_count(table)):
        chance = mind["mine"][i]
        best = grove["best"][i]
        f[OWED] += chance * best
        if best == 0 and grove["laid"][i] > 0:
            f[BEGUN] += chance
        f[LATENT] += chance * grove["latent"][i]
        f[RIGHTS] += chance
        f[PATHS] += best
        f[DOUBT] += chance * (1.0 - chance) * best
        f[RIGHTS_LAID] += chance * min(3, grove["laid"][i])
        f[RIGHTS_SQUARED] += chance * chance
        f[RIGHTS_FREE] += chance * mind["free"][i]
    strongest = 0.0
    for p in range(players):
        if p != me:
            total = 0.0
            for i in range(api.species_count(table)):
                chance = mind["his"][p, i]
                total += chance * mind["paths"][p, i]
                if mind["paths"][p, i] == 0.0:
                    if mind["laid"][p, i] > 0.0:
                        f[HIS_BEGUN] += chance
                else:
                    f[HIS_PATHS] += mind["paths"][p, i]
                    f[HIS_DOUBT] += chance * (1.0 - chance) * mind["paths"][p, i]
                f[HIS_RIGHTS] += chance
                f[HIS_LATENT] += chance * mind["latent"][p, i]
            strongest = max(strongest, total)
            f[THREATS] += total
            f[HIS_CLIMB] = max(f[HIS_CLIMB], mind["climb"][p])
    for k in (THREATS, HIS_BEGUN, HIS_RIGHTS, HIS_PATHS, HIS_DOUBT, HIS_LATENT):
        f[k] /= players - 1
    f[THREAT] = strongest
    if players == 2:
        f[THREATS] = 0.0
    f[FLEX] = flex
    f[CLIMB] = grove["size"][2] / groves.LAID
    f[GIFT] = gift
    a, b, c = -30.0, -30.0, -30.0
    low, second_low = 30.0, 30.0
    for n in range(mind["count"]):
        if n not in (first, second):
            net = mind["net"][n]
            if net > a:
                a, b, c = net, a, b
            elif net > b:
                b, c = net, b
            elif net > c:
                c = net
            loss = mind["loss"][n]
            if loss < low:
                low, second_low = loss, low
            elif loss < second_low:
                second_low = loss
    f[NET1] = max(a, -9.0)
    f[NET2] = max(b, -9.0)
    f[NET3] = max(c, -9.0)
    f[LOSS1] = min(low, 9.0)
    f[LOSS2] = min(second_low, 9.0)


@api.helper
def value(mind, weights, turns):
    """Points that the position is worth: features times weights, which change with the turns that I have left."""
    f = mind["features"]
    last = KNOTS.size - 1
    at = 0
    while at < last - 1 and turns >= KNOTS[at + 1]:
        at += 1
    part = min(1.0, (turns - KNOTS[at]) / (KNOTS[at + 1] - KNOTS[at]))
    total = 0.0
    for k in range(FEATURES):
        total += f[k] * ((1.0 - part) * weights[at, k] + part * weights[at + 1, k])
    return total
