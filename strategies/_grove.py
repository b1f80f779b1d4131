"""An arboretum to think with: cards can be laid in it on trial, and it tells what one more card would gain.

A species is meant by its place in `api.species_at`. A path is kept as one number, `POINT` times its points plus its
number of cards, so that the larger of two numbers is the better path, and of equals the longer one.
"""

import numpy as np

from arbosim.games.arboretum import api

SPECIES = 12
CARDS = 62  # no arboretum is larger: 120 cards, laid in turn
CELLS = 2 * CARDS + 3
NONE = CARDS  # the number of no card: its paths are worth nothing
POINT = 32
STEP = POINT + 1  # one card more

GROVE = np.dtype(
    [
        # cards, open cells, longest climb, cells worth looking at
        ("size", np.int64, (4,)),
        # by card
        ("species", np.int64, (CARDS + 1,)),
        ("value", np.int64, (CARDS + 1,)),
        ("cell", np.int64, (CARDS + 1,)),
        # by card: the cards beside it, or NONE
        ("near", np.int64, (CARDS + 1, 4)),
        # cards by value
        ("order", np.int64, (CARDS + 1,)),
        # open cells
        ("open", np.int64, (CELLS,)),
        # by open cell: the cards beside it, or NONE
        ("touch", np.int64, (CELLS, 4)),
        # by card and species: the best path that begins with that species and ends on the card
        ("up", np.int64, (CARDS + 1, SPECIES)),
        # the same onwards from the card
        ("down", np.int64, (CARDS + 1, SPECIES)),
        # by card: the best path of its own species alone that ends there
        ("chain_up", np.int64, (CARDS + 1,)),
        ("chain_down", np.int64, (CARDS + 1,)),
        # by card: how far the longest rising path of any species goes, see `fill`
        ("climb_up", np.int64, (CARDS + 1,)),
        ("climb_down", np.int64, (CARDS + 1,)),
        # by species: points of the best path
        ("best", np.int64, (SPECIES,)),
        # by species: points more that a path would have if it had its other end
        ("latent", np.int64, (SPECIES,)),
        # by species: cards
        ("laid", np.int64, (SPECIES,)),
        # the open cells that are worth looking at
        ("look", np.int64, (CELLS,)),
        # by place in `look`: how many cards lie beside it, then these cards
        ("beside", np.int64, (CELLS, 5)),
    ],
    align=True,
)
"""An arboretum."""

# A step of a rising path counts 5 where it is laid, 2 where it has still to be.
LAID, UNBUILT = 5, 2


@api.helper
def species_place(table, card):
    """The place of a card's species in `api.species_at`."""
    s = api.species(card)
    for i in range(api.species_count(table)):
        if api.species_at(table, i) == s:
            return i
    return 0


@api.helper
def read(table, grove, p):
    """Copy the arboretum of a seat, and compute its paths."""
    grove["size"][0] = 0
    grove["size"][1] = 1
    grove["open"][0] = api.FIRST_CELL
    for d in range(4):
        grove["touch"][0, d] = NONE
    for k in range(min(api.board_count(table, p), CARDS - 1)):
        card = api.board_card(table, p, k)
        cell = api.board_cell(table, p, k)
        for j in range(grove["size"][1]):
            if grove["open"][j] == cell:
                place(grove, species_place(table, card), api.value(card), j)
                break
    fill(table, grove)


@api.helper
def copy(source, target):
    """Make `target` the same arboretum as `source`, without the paths."""
    cards = source["size"][0]
    cells = source["size"][1]
    target["size"][0] = cards
    target["size"][1] = cells
    for k in range(cards):
        target["species"][k] = source["species"][k]
        target["value"][k] = source["value"][k]
        target["cell"][k] = source["cell"][k]
        target["order"][k] = source["order"][k]
        for d in range(4):
            target["near"][k, d] = source["near"][k, d]
    for j in range(cells):
        target["open"][j] = source["open"][j]
        for d in range(4):
            target["touch"][j, d] = source["touch"][j, d]


@api.helper
def place(grove, species, value, j):
    """Lay a card on open cell number `j`, without computing the paths."""
    k = grove["size"][0]
    cell = grove["open"][j]
    grove["species"][k] = species
    grove["value"][k] = value
    grove["cell"][k] = cell
    for d in range(4):
        q = grove["touch"][j, d]
        grove["near"][k, d] = q
        if q != NONE:
            # the neighbour to the right has this card to its left
            grove["near"][q, d ^ 1] = k
    at = k
    while at > 0 and grove["value"][grove["order"][at - 1]] > value:
        grove["order"][at] = grove["order"][at - 1]
        at -= 1
    grove["order"][at] = k
    grove["size"][0] = k + 1
    cells = grove["size"][1] - 1
    grove["open"][j] = grove["open"][cells]
    for d in range(4):
        grove["touch"][j, d] = grove["touch"][cells, d]
    for d in range(4):
        if grove["near"][k, d] == NONE:
            beside = api.neighbour(cell, d)
            found = -1
            for i in range(cells):
                if grove["open"][i] == beside:
                    found = i
            if found < 0 and cells < CELLS:
                found = cells
                cells += 1
                grove["open"][found] = beside
                for e in range(4):
                    grove["touch"][found, e] = NONE
            if found >= 0:
                grove["touch"][found, d ^ 1] = k
    grove["size"][1] = cells


@api.helper
def fill(table, grove):
    """Compute the paths of all cards, the best of each species, and the longest climb.

    The climb is a rising path of any species: a step that is laid counts `LAID`, one that is still missing
    towards the lowest or the highest value `UNBUILT`, one that was skipped nothing.
    """
    cards = grove["size"][0]
    kinds = api.species_count(table)
    top = api.top_value(table)
    one_bonus = POINT * api.one_bonus(table)
    top_bonus = POINT * api.top_bonus(table)
    shortest = api.min_path(table)
    mono = api.mono_bonus(table)
    mono_min = max(shortest, api.mono_min(table))
    up, down = grove["up"], grove["down"]
    for s in range(kinds):
        grove["best"][s] = 0
        grove["latent"][s] = 0
        grove["laid"][s] = 0
    longest = LAID + UNBUILT * (top - 1)
    for x in range(cards):
        k = grove["order"][x]
        v = grove["value"][k]
        own = grove["species"][k]
        for s in range(kinds):
            up[k, s] = 0
        chain = 0
        climb = UNBUILT * (v - 1)
        for d in range(4):
            q = grove["near"][k, d]
            if q != NONE and grove["value"][q] < v:
                for s in range(kinds):
                    up[k, s] = max(up[k, s], up[q, s])
                if grove["species"][q] == own:
                    chain = max(chain, grove["chain_up"][q])
                climb = max(climb, grove["climb_up"][q])
        for s in range(kinds):
            if up[k, s] > 0:
                up[k, s] += STEP
        start = one_bonus if v == 1 else 0
        end = top_bonus if v == top else 0
        grove["best"][own] = max(grove["best"][own], points(up[k, own] + end, shortest))
        grove["chain_up"][k] = chain + STEP + POINT if chain > 0 else STEP + POINT + start
        if mono:
            grove["best"][own] = max(grove["best"][own], points(grove["chain_up"][k] + end, mono_min))
        up[k, own] = max(up[k, own], STEP + start)
        grove["climb_up"][k] = climb + LAID
        grove["laid"][own] += 1
        for s in range(kinds):
            grove["latent"][s] = max(grove["latent"][s], up[k, s])
    for x in range(cards - 1, -1, -1):
        k = grove["order"][x]
        v = grove["value"][k]
        own = grove["species"][k]
        for s in range(kinds):
            down[k, s] = 0
        chain = 0
        climb = UNBUILT * (top - v)
        for d in range(4):
            q = grove["near"][k, d]
            if q != NONE and grove["value"][q] > v:
                for s in range(kinds):
                    down[k, s] = max(down[k, s], down[q, s])
                if grove["species"][q] == own:
                    chain = max(chain, grove["chain_down"][q])
                climb = max(climb, grove["climb_down"][q])
        for s in range(kinds):
            if down[k, s] > 0:
                down[k, s] += STEP
        end = top_bonus if v == top else 0
        down[k, own] = max(down[k, own], STEP + end)
        grove["chain_down"][k] = chain + STEP + POINT if chain > 0 else STEP + POINT + end
        grove["climb_down"][k] = climb + LAID
        for s in range(kinds):
            grove["latent"][s] = max(grove["latent"][s], down[k, s])
        longest = max(longest, grove["climb_up"][k] + climb)
    for s in range(kinds):
        grove["latent"][s] = max(0, grove["latent"][s] // POINT - grove["best"][s])
    grove["size"][2] = longest
    survey(grove)


@api.inline_helper
def points(path, shortest):
    """Points of a path, 0 if it has fewer cards than `shortest`."""
    return path // POINT if path % POINT >= shortest else 0


@api.helper
def gain(table, grove, species, value, c, weight, own_weight):
    """Points that a card adds to the best paths on cell number `c` of `look`, each weighed by `weight[species]`.

    `own_weight` is the weight of the card's own species.
    """
    shortest = api.min_path(table)
    total = 0.0
    near = grove["beside"][c, 0]
    if near > 1:
        lower = 0
        higher = 0
        for d in range(1, near + 1):
            q = grove["beside"][c, d]
            lower += grove["value"][q] < value
            higher += grove["value"][q] > value
        if lower > 0 and higher > 0:
            for s in range(api.species_count(table)):
                if s != species:
                    below = 0
                    above = 0
                    for d in range(1, near + 1):
                        q = grove["beside"][c, d]
                        if grove["value"][q] < value:
                            below = max(below, grove["up"][q, s])
                        elif grove["value"][q] > value:
                            above = max(above, grove["down"][q, s])
                    if below > 0 and above > 0:
                        more = points(below + above + STEP, shortest) - grove["best"][s]
                        if more > 0:
                            total += more * weight[s]
    own = own_points(table, grove, species, value, c, shortest) - grove["best"][species]
    if own > 0:
        total += own * own_weight
    return total


@api.helper
def own_points(table, grove, species, value, c, shortest):
    """Points of the best path of a card's own species through the card on cell number `c` of `look`."""
    below = 0
    above = 0
    chain_below = 0
    chain_above = 0
    for d in range(1, grove["beside"][c, 0] + 1):
        q = grove["beside"][c, d]
        if grove["value"][q] < value:
            below = max(below, grove["up"][q, species])
            if grove["species"][q] == species:
                chain_below = max(chain_below, grove["chain_up"][q])
        elif grove["value"][q] > value:
            above = max(above, grove["down"][q, species])
            if grove["species"][q] == species:
                chain_above = max(chain_above, grove["chain_down"][q])
    if below == 0 and above == 0:
        return 0
    bonus = 0
    if below == 0 and value == 1:
        bonus = POINT * api.one_bonus(table)
    if above == 0 and value == api.top_value(table):
        bonus = POINT * api.top_bonus(table)
    found = points(below + above + STEP + bonus, shortest)
    if api.mono_bonus(table) and (chain_below > 0 or chain_above > 0):
        bonus = 0
        if chain_below == 0 and value == 1:
            bonus = POINT * api.one_bonus(table)
        if chain_above == 0 and value == api.top_value(table):
            bonus = POINT * api.top_bonus(table)
        length = max(shortest, api.mono_min(table))
        found = max(found, points(chain_below + chain_above + STEP + POINT + bonus, length))
    return found


@api.helper
def climb_gain(table, grove, value, c):
    """How many steps nearer a card of that value on cell number `c` of `look` brings the longest rising path."""
    below = UNBUILT * (value - 1)
    above = UNBUILT * (api.top_value(table) - value)
    for d in range(1, grove["beside"][c, 0] + 1):
        q = grove["beside"][c, d]
        if grove["value"][q] < value:
            below = max(below, grove["climb_up"][q])
        elif grove["value"][q] > value:
            above = max(above, grove["climb_down"][q])
    return max(0, LAID + below + above - grove["size"][2]) / LAID


@api.helper
def survey(grove):
    """List the open cells that are worth looking at: of those that touch the same single card only one."""
    count = 0
    seen = np.int64(0)
    for j in range(grove["size"][1]):
        touched = 0
        for d in range(4):
            if grove["touch"][j, d] != NONE:
                touched += 1
                grove["beside"][count, touched] = grove["touch"][j, d]
        if touched == 1:
            card = grove["beside"][count, 1]
            if (seen >> card) & 1:
                continue
            seen |= np.int64(1) << card
        grove["beside"][count, 0] = touched
        grove["look"][count] = j
        count += 1
    grove["size"][3] = count
