"""What several strategies of the zoo judge by: who may get a right, what a card is worth in hand, where it climbs.

The *book* is a small table, one row per species code, that a decision fills once (`open_book`, then
`set_points`) and then reads. The *climb* tells how far the rising paths of an arboretum go (`survey_climb`).
Chances are plain fractions, never exponentials, so that every machine finds the same move.
"""

import numpy as np

from arbosim.games.arboretum import api

# Columns of the book.
SUM = 0  # my sum for the right, the highest card apart
ONE = 1  # 1 if I hold the 1
TOP = 2  # 1 if I hold the highest card
FREE = 3  # expected sum of the strongest rival if his highest card counts
CANCELLED = 4  # the same if it counts nothing
FEAR = 5  # chance that a rival holds the 1
DOUBT = 6  # how far the sums may still move
CARE = 7  # how much the strategy cares to score it: 1 unless it says otherwise before `set_points`
MINE = 8  # points that the right is worth to me
THEIRS = 9  # points that the right is worth to the strongest rival
CHANCE = 10  # my chance of the right with the hand as it is, times my care
THEIR_CHANCE = 11  # the strongest rival's chance of it
COLUMNS = 12

SPECIES = 12  # species codes run from 0 to 11
CODES = 192  # card codes run from 1 to 191
HAND = 20  # no hand is larger

# A rival chooses what he keeps: a card that counts is in his hand more often than blind luck has it.
GRIP = 1.3
# Sums that differ by less than this are as good as tied once nothing can change any more.
CERTAIN = 0.05
# A rising path that has still to be built is worth this part of a card per missing step.
UNBUILT = 0.4

# Rows of the climb.
UP_TO = 0  # by card code: cards of the longest rising path that ends there, missing first steps in part
FROM = 1  # by card code: the same for the path that starts there
WHOLE = 2  # at place 0: the longest whole path
NEAR = 3  # at places 0 to 3: the cards beside the cell that was looked at last
ROWS = 4


@api.helper
def hold(table, card):
    """What the card counts for the right while in hand, the 8/1 rule apart."""
    rule = api.right_rule(table)
    if rule == api.ALWAYS:
        return 0.0
    if rule == api.MOST_CARDS:
        return 1.0
    if api.eight_rule(table) == api.ALWAYS_ZERO and api.value(card) == api.top_value(table):
        return 0.0
    return 1.0 * api.value(card)


@api.helper
def one_cancels(table):
    """Whether the 1 in one hand makes the highest card in another worthless."""
    return api.eight_rule(table) == api.ONE_CANCELS and api.right_rule(table) != api.MOST_CARDS


@api.helper
def time_left(table):
    """Part of the game still to come: 1 at the start, 0 when the deck is empty."""
    dealt = api.players(table) * api.hand_size(table)
    whole = api.species_count(table) * api.top_value(table) - dealt
    return min(1.0, api.deck_count(table) / max(1.0, 1.0 * whole))


@api.helper
def shares(table, seat):
    """By seat: the chance that a card which I do not see is in that hand; 0 for my own."""
    players = api.players(table)
    share = np.zeros(4, np.float64)
    hidden = 0
    for p in range(players):
        if p != api.me(seat):
            share[p] = api.hand_count_of(table, p) - api.known_count(table, p)
            hidden += api.hand_count_of(table, p) - api.known_count(table, p)
    unseen = max(1.0, 1.0 * (api.deck_count(table) + hidden))
    for p in range(players):
        blind = share[p] / unseen
        share[p] = min(GRIP * blind, 0.5 * (1.0 + blind)) if blind < 1.0 else 1.0
    return share


@api.helper
def open_book(table, seat):
    """A new book: my sums and what the rivals may hold, species by species; points and chances still 0."""
    book = np.zeros((SPECIES, COLUMNS), np.float64)
    held = np.zeros(CODES, np.int64)
    for i in range(api.hand_count(seat)):
        held[api.hand_card(seat, i)] = 1
    me = api.me(seat)
    players = api.players(table)
    top = api.top_value(table)
    share = shares(table, seat)
    widest = 0.0
    for p in range(players):
        widest = max(widest, share[p] * (1.0 - share[p]))
    sums = np.zeros(4, np.float64)
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        book[s, CARE] = 1.0
        sums[:] = 0.0
        loose = 0.0
        for v in range(1, top + 1):
            card = api.card(s, v)
            counts = hold(table, card)
            if v == top:
                for p in range(players):
                    if p != me:
                        book[s, CANCELLED] = max(book[s, CANCELLED], sums[p])
            where = api.where(table, card)
            if held[card] == 1:
                if v == top:
                    book[s, TOP] = 1.0
                else:
                    book[s, SUM] += counts
                if v == 1:
                    book[s, ONE] = 1.0
            elif where == 0:
                loose += counts
                for p in range(players):
                    sums[p] += share[p] * counts
                    if v == 1:
                        book[s, FEAR] += share[p]
            elif where <= players:
                sums[where - 1] += counts
                if v == 1:
                    book[s, FEAR] = 1.0
        for p in range(players):
            if p != me:
                book[s, FREE] = max(book[s, FREE], sums[p])
        book[s, FEAR] = min(1.0, book[s, FEAR])
        book[s, DOUBT] = CERTAIN + loose * widest * (players - 1)
    return book


@api.helper
def lead(table, book, gone, extra):
    """How far my sum is expected to be above the strongest rival's once `gone` left my hand, or `extra` came.

    One of the two cards is 0; the other one names the species.
    """
    card = gone + extra
    s = api.species(card)
    v = api.value(card)
    change = 1.0 if gone == 0 else -1.0
    if v == api.top_value(table):
        return _ahead(table, book, s, book[s, SUM], book[s, ONE], book[s, TOP] + change)
    one = book[s, ONE] + change if v == 1 else book[s, ONE]
    return _ahead(table, book, s, book[s, SUM] + change * hold(table, card), one, book[s, TOP])


@api.helper
def standing(table, book, s):
    """How far my sum of species `s` is expected to be above the strongest rival's with the hand as it is."""
    return _ahead(table, book, s, book[s, SUM], book[s, ONE], book[s, TOP])


@api.helper
def _ahead(table, book, s, mine, one, top):
    highest = top * hold(table, api.card(s, api.top_value(table)))
    if one_cancels(table):
        if one > 0.0:
            return mine + highest - book[s, CANCELLED]
        highest *= 1.0 - book[s, FEAR]
    return mine + highest - book[s, FREE]


@api.helper
def likely(ahead, doubt):
    """Chance that a sum which is `ahead` now is ahead in the end: 1/2 for 0, nearer to 0 or 1 the less doubt."""
    return 0.5 + 0.5 * ahead / (abs(ahead) + doubt)


@api.helper
def my_right(table, book, s, ahead):
    """My chance of the right: ties count for me, or against me where the rules give a tied right to nobody."""
    if api.right_rule(table) == api.ALWAYS:
        return 1.0
    edge = 0.5 if api.tied_right(table) == api.TIED_ALL else -0.5
    return likely(ahead + edge, book[s, DOUBT])


@api.helper
def their_right(table, book, s, ahead):
    """The strongest rival's chance of the right, by the same measure."""
    if api.right_rule(table) == api.ALWAYS:
        return 1.0
    edge = 0.5 if api.tied_right(table) == api.TIED_ALL else -0.5
    return likely(edge - ahead, book[s, DOUBT])


@api.helper
def set_points(table, seat, book, hope, rivals):
    """Fill in what every right is worth, and the chances of it.

    A path counts as it lies. A species that an arboretum (or my hand) has cards of may still grow, by `hope`
    points at the start of the game and by nothing at its end. `rivals` is the part of the strongest rival's points
    that counts as lost to me; at 0 nobody else's arboretum is looked at. Leaves the path tables of my own
    arboretum in the scratch, weighed by my chances.
    """
    me = api.me(seat)
    future = hope * time_left(table)
    if rivals > 0.0:
        for p in range(api.players(table)):
            if p != me:
                api.tables(table, seat, p)
                grows = np.zeros(SPECIES, np.float64)
                for k in range(api.board_count(table, p)):
                    grows[api.species(api.board_card(table, p, k))] = future
                for i in range(api.species_count(table)):
                    s = api.species_at(table, i)
                    book[s, THEIRS] = max(book[s, THEIRS], rivals * (grows[s] + api.best(seat, s)))
    api.tables(table, seat, me)
    grows = np.zeros(SPECIES, np.float64)
    for k in range(api.board_count(table, me)):
        grows[api.species(api.board_card(table, me, k))] = future
    for i in range(api.hand_count(seat)):
        grows[api.species(api.hand_card(seat, i))] = future
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        ahead = standing(table, book, s)
        book[s, MINE] = book[s, CARE] * (grows[s] + api.best(seat, s))
        book[s, CHANCE] = book[s, CARE] * my_right(table, book, s, ahead)
        book[s, THEIR_CHANCE] = their_right(table, book, s, ahead)
        api.weigh(seat, s, book[s, CHANCE])


@api.helper
def right_value(table, book, s, ahead):
    """Points that I expect to win and to deny through the right of species `s` at this lead."""
    mine = my_right(table, book, s, ahead) * book[s, MINE]
    return mine - their_right(table, book, s, ahead) * book[s, THEIRS]


@api.helper
def keep_value(table, book, card):
    """Points that I expect to lose when this card of my hand leaves it."""
    now = right_value(table, book, api.species(card), standing(table, book, api.species(card)))
    return now - right_value(table, book, api.species(card), lead(table, book, card, 0))


@api.helper
def catch_value(table, book, card):
    """Points that I expect to gain for rights when this card comes into my hand."""
    now = right_value(table, book, api.species(card), standing(table, book, api.species(card)))
    return right_value(table, book, api.species(card), lead(table, book, 0, card)) - now


@api.helper
def expected_margin(table, book):
    """My expected points minus the strongest rivals', from the paths and the rights as they stand."""
    total = 0.0
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        total += right_value(table, book, s, standing(table, book, s))
    return total


@api.helper
def survey_climb(table, p):
    """How far rising paths of any species go, up to and from each card of an arboretum.

    A step that is still missing towards the lowest or the highest value counts `UNBUILT`; one that the path has
    skipped counts nothing.
    """
    climb = np.zeros((ROWS, CODES), np.float64)
    top = api.top_value(table)
    for v in range(1, top + 1):
        for k in range(api.board_count(table, p)):
            card = api.board_card(table, p, k)
            if api.value(card) == v:
                look(table, p, api.board_cell(table, p, k), climb)
                climb[UP_TO, card] = 1.0 + _below(v, climb)
    for v in range(top, 0, -1):
        for k in range(api.board_count(table, p)):
            card = api.board_card(table, p, k)
            if api.value(card) == v:
                look(table, p, api.board_cell(table, p, k), climb)
                climb[FROM, card] = 1.0 + _above(top, v, climb)
                climb[WHOLE, 0] = max(climb[WHOLE, 0], climb[UP_TO, card] + climb[FROM, card] - 1.0)
    return climb


@api.helper
def look(table, p, cell, climb):
    """Look at one cell: the next `climb_gain` speaks of it."""
    for d in range(4):
        climb[NEAR, d] = api.card_at(table, p, api.neighbour(cell, d))


@api.helper
def _below(v, climb):
    best = UNBUILT * (v - 1)
    for d in range(4):
        other = np.int64(climb[NEAR, d])
        if other != 0 and api.value(other) < v:
            best = max(best, climb[UP_TO, other])
    return best


@api.helper
def _above(top, v, climb):
    best = UNBUILT * (top - v)
    for d in range(4):
        other = np.int64(climb[NEAR, d])
        if other != 0 and api.value(other) > v:
            best = max(best, climb[FROM, other])
    return best


@api.helper
def climb_gain(table, card, climb):
    """How much nearer the card on the cell looked at brings the longest rising path of any species.

    A card that brings it no nearer and takes a cell beside that path costs a little: the path may need the cell.
    """
    v = api.value(card)
    top = api.top_value(table)
    if climb[WHOLE, 0] == 0.0:
        # the first card: the nearer to the middle, the more ways up and down
        return -0.1 * abs(2 * v - top - 1)
    gain = 1.0 + _below(v, climb) + _above(top, v, climb) - climb[WHOLE, 0]
    if gain > 0.0:
        return gain
    blocked = 0
    for d in range(4):
        other = np.int64(climb[NEAR, d])
        if other != 0 and climb[UP_TO, other] + climb[FROM, other] - 1.0 >= climb[WHOLE, 0]:
            blocked += 1
    return -0.1 * blocked


@api.helper
def path_gain(table, seat, book, p, card, column, own):
    """Growth of the paths of `p` with the card on the cell aimed at, each species times its chance in that column.

    `own` is the chance for the card's own species, whose right changes when the card leaves a hand. The scratch
    must be weighed by that column.
    """
    points = api.aimed_gain_weighted(table, seat, p, card)
    if points > 0.0:
        s = api.species(card)
        points += (own - book[s, column]) * api.aimed_gain_species(table, seat, p, card, s)
    return points


@api.helper
def hand_costs(table, seat, book):
    """What every card of my hand is worth there, by place in the hand."""
    cost = np.zeros(HAND, np.float64)
    for i in range(api.hand_count(seat)):
        cost[i] = keep_value(table, book, api.hand_card(seat, i))
    return cost


@api.helper
def hand_chances(table, seat, book):
    """My chance of each card's right once that card has left my hand, by place in the hand."""
    after = np.zeros(HAND, np.float64)
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        after[i] = book[s, CARE] * my_right(table, book, s, lead(table, book, card, 0))
    return after


@api.helper
def best_play(table, seat, book, cost, after, steps, climb):
    """The play that brings most: path points and steps of the climb, less what the card is worth in hand.

    By place in the hand, `cost` holds that worth and `after` the chance of the card's right once it is gone. The
    scratch must hold the path tables of my arboretum as `set_points` leaves them.
    """
    me = api.me(seat)
    best = -1e9
    action = 0
    for j in range(api.open_count(table, me)):
        cell = api.open_cell(table, me, j)
        api.aim(table, seat, me, cell)
        look(table, me, cell, climb)
        for i in range(api.hand_count(seat)):
            card = api.hand_card(seat, i)
            worth = steps * climb_gain(table, card, climb) - cost[i]
            worth += path_gain(table, seat, book, me, card, CHANCE, after[i])
            if worth > best:
                best = worth
                action = api.play(card, cell)
    return action


@api.helper
def add_uses(table, seat, book, cost, after, steps, climb):
    """Raise the cost of every card to what it would bring if it were played; `cost` is modified in place."""
    me = api.me(seat)
    for j in range(api.open_count(table, me)):
        cell = api.open_cell(table, me, j)
        api.aim(table, seat, me, cell)
        look(table, me, cell, climb)
        for i in range(api.hand_count(seat)):
            card = api.hand_card(seat, i)
            worth = steps * climb_gain(table, card, climb)
            worth += path_gain(table, seat, book, me, card, CHANCE, after[i])
            cost[i] = max(cost[i], worth)


@api.helper
def face_next(table, seat, book):
    """Put the path tables of the next player's arboretum into the scratch, weighed by his chances."""
    api.tables(table, seat, (api.me(seat) + 1) % api.players(table))
    for i in range(api.species_count(table)):
        api.weigh(seat, api.species_at(table, i), book[api.species_at(table, i), THEIR_CHANCE])


@api.helper
def gift(table, seat, book, card):
    """Points that the card on top of a pile would bring the next player; call `face_next` before."""
    his = (api.me(seat) + 1) % api.players(table)
    s = api.species(card)
    ahead = standing(table, book, s)
    stronger = their_right(table, book, s, ahead - hold(table, card)) - book[s, THEIR_CHANCE]
    most = stronger * (book[s, THEIRS] + book[s, MINE])
    for j in range(api.open_count(table, his)):
        api.aim(table, seat, his, api.open_cell(table, his, j))
        most = max(most, api.aimed_gain_weighted(table, seat, his, card))
    return most


@api.helper
def best_discard(table, seat, book, cost, kindness):
    """The discard that costs least: its worth to me, and its worth to the next player times `kindness`.

    `cost` holds the worth to me by place in the hand. Overwrites the path tables in the scratch.
    """
    if kindness > 0.0:
        face_next(table, seat, book)
    best = 1e9
    action = 0
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        # of cards that are worth the same the lowest goes
        worth = cost[i] + 0.01 * api.value(card)
        if kindness > 0.0 and worth < best:
            worth += kindness * gift(table, seat, book, card)
        if worth < best:
            best = worth
            action = api.discard(card)
    return action


@api.helper
def best_source(table, seat, book, steps, climb, deck):
    """The top of a pile if it brings more than `deck` points, else the deck, as long as there is one."""
    me = api.me(seat)
    best = deck if api.deck_count(table) > 0 else -1e9
    source = api.DECK
    for p in range(api.players(table)):
        card = api.pile_top(table, p)
        if card != 0:
            worth = catch_value(table, book, card)
            for j in range(api.open_count(table, me)):
                cell = api.open_cell(table, me, j)
                api.aim(table, seat, me, cell)
                look(table, me, cell, climb)
                points = api.aimed_gain_weighted(table, seat, me, card)
                worth = max(worth, points + steps * climb_gain(table, card, climb))
            if worth > best:
                best = worth
                source = p
    return api.draw(source)


@api.helper
def play_or_discard(table, seat, book, cost, after, steps, climb, kindness):
    """The best play or the best discard, whichever is asked for; a card that may be played later is no discard."""
    if api.phase(seat) == api.PLAY:
        return best_play(table, seat, book, cost, after, steps, climb)
    if api.deck_count(table) > 0:
        add_uses(table, seat, book, cost, after, steps, climb)
    return best_discard(table, seat, book, cost, kindness)


@api.helper
def most_held(table, seat, book, favoured):
    """The species in which my hand and my arboretum are strongest, of those with care below `favoured`."""
    on_board = np.zeros(SPECIES, np.float64)
    for k in range(api.board_count(table, api.me(seat))):
        on_board[api.species(api.board_card(table, api.me(seat), k))] += 1.0
    best = -1.0
    found = api.species_at(table, 0)
    middle = 0.5 * (1 + api.top_value(table))
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        strength = book[s, SUM] + book[s, TOP] * hold(table, api.card(s, api.top_value(table))) + middle * on_board[s]
        if book[s, CARE] < favoured and strength > best:
            best = strength
            found = s
    return found
