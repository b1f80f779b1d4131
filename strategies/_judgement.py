"""What several strategies of the zoo judge by: who may get a right, what a card is worth in hand, where it climbs.

All workings of a decision lie in the *book*, `api.notes(seat)`, at the places named below. A decision fills it in
this order: `open_book` (what the hands may hold), `assess` (what the rights are worth, and each hand card where it is;
how far rising paths of any species go); then it makes the choice that is asked for.
Chances are plain fractions, never exponentials, so that every machine finds the same move.
"""

from arbosim.games.arboretum import api

# By species code, 0 to 11.
SPECIES = 12
SUM = 0 * SPECIES  # my sum for the right, the highest card apart
ONE = 1 * SPECIES  # 1 if I hold the 1
TOP = 2 * SPECIES  # 1 if I hold the highest card
FREE = 3 * SPECIES  # expected sum of the strongest rival if his highest card counts
CANCELLED = 4 * SPECIES  # the same if it counts nothing
FEAR = 5 * SPECIES  # chance that a rival holds the 1
DOUBT = 6 * SPECIES  # how far the sums may still move
LOOSE = 7 * SPECIES  # sum of the cards that I do not see, the highest card apart
KNOWN = 8 * SPECIES  # sum of the cards known to be in the hand of seat 0; three more rows for the other seats
CARE = 12 * SPECIES  # how much the strategy cares to score it: 1 unless it says otherwise before `assess`
MINE = 13 * SPECIES  # points that the right is worth to me
THEIRS = 14 * SPECIES  # points that the right is worth to the strongest rival
CHANCE = 15 * SPECIES  # my chance of the right with the hand as it is, times my care
THEIR_CHANCE = 16 * SPECIES  # the strongest rival's chance of it
NOW = 17 * SPECIES  # points that I expect to win and to deny by it with the hand as it is
GROWTH = 18 * SPECIES  # points that a rival's path may still grow by
# By place in my hand.
HAND = 20
COST = 19 * SPECIES  # what the card is worth where it is
AFTER = COST + HAND  # my chance of its right once it is gone, times my care
# By number of a card that is looked at closely: a hand card, or the top of a pile.
CARD = AFTER + HAND  # the card
OWN = CARD + HAND  # my chance of its right if it is laid, times my care
USE = OWN + HAND  # the most that it would bring on any cell
USE_CELL = USE + HAND  # that cell
LOSS = USE_CELL + HAND  # what I lose with it
PILE = LOSS + HAND  # the seat on whose pile it lies
# By seat.
SEATS = 4
SHARE = PILE + HAND  # chance that a card which I do not see is in that hand
KNOWN_CARDS = SHARE + SEATS  # how many cards are known to be in that hand
# By number of a card beside the cell that was looked at last.
NEAR_VALUE = KNOWN_CARDS + SEATS
NEAR_UP = NEAR_VALUE + 4
NEAR_ON = NEAR_UP + 4
# By value, 1 to 10.
COUNTS = NEAR_ON + 4  # what a card of that value counts for the right
# Single numbers.
TIME = COUNTS + 11  # part of the game still to come: 1 at the start, 0 when the deck is empty
CANCELS = TIME + 1  # 1 if the 1 in one hand makes the highest card in another worthless
EDGE = TIME + 2  # what a tie is worth in a comparison of sums
WHOLE = TIME + 3  # steps of the longest rising path
CARDS = TIME + 4  # how many cards are looked at closely
NEAR_COUNT = TIME + 5  # how many cards lie beside the cell that was looked at last
BLOCKS = TIME + 6  # how many of them lie on a longest rising path
CELL_COUNT = TIME + 7  # how many cells are worth looking at
DROPPED = TIME + 8  # chance that a rival takes up a 1 that leaves my hand
HIGHEST = TIME + 9  # what the highest card counts in my own hand, which a strategy may change before `assess`
# By card code.
CODES = 192
UP_TO = TIME + 10  # steps of the longest rising path that ends there
ONWARD = UP_TO + CODES  # the same for the path that starts there
HELD = ONWARD + CODES  # 1 for the cards in my hand
LISTED = HELD + CODES  # 1 if a cell that touches no other card is listed already
# By number.
CELLS = LISTED + CODES  # the cells that are worth looking at

# A rival chooses what he keeps: a card that counts is in his hand more often than blind luck has it.
GRIP = 1.3
# Chance that a rival takes up a 1 which I discard although it guards my highest card: one should not count on less.
TAKEN_UP = 1.0
# Sums that differ by less than this are as good as tied once nothing can change any more.
CERTAIN = 0.05
# A step of a rising path counts 5 where it is laid, 2 where it has still to be: whole numbers add up without rounding.
LAID, UNBUILT = 5.0, 2.0
# Hand cards that are looked at closely, for a play and for a discard: those that are worth least in hand.
PLAYS, DISCARDS = 6, 2
# Points beyond which what a discard brings the next player is not looked for.
GIFT = 2.0
# Places of `api.memory`: the turn in which the tops of the piles were last turned down, and those tops.
TURNED_DOWN, TOPS = 0, 1


# Rights


@api.helper
def hold(table, value):
    """What a card of that value counts for the right while in hand, the 8/1 rule apart."""
    rule = api.right_rule(table)
    if rule == api.ALWAYS:
        return 0.0
    if rule == api.MOST_CARDS:
        return 1.0
    if api.eight_rule(table) == api.ALWAYS_ZERO and value == api.top_value(table):
        return 0.0
    return 1.0 * value


@api.inline_helper
def place(table, card, counts):
    """Where a card is, as far as I know; if I do not count (`counts` 0), UNSEEN for all that do not lie open now."""
    where = api.where(table, card)
    if counts == 0 and api.UNSEEN < where < api.IN_ARBORETUM:
        for p in range(api.players(table)):
            if api.pile_top(table, p) == card:
                return where
        return api.UNSEEN
    return where


@api.helper
def open_book(table, seat, counts):
    """Begin a new book: my sums, and what the rivals may hold, species by species.

    With `counts` 0 nothing is made of the cards that went by: of those that lie buried in the discard piles, and of
    those that a rival is known to have taken up.
    """
    book = api.notes(seat)
    for k in range(CARE):
        book[k] = 0.0
    for k in range(CODES):
        book[HELD + k] = 0.0
    top = api.top_value(table)
    book[COUNTS] = 0.0
    for v in range(1, top + 1):
        book[COUNTS + v] = hold(table, v)
    book[HIGHEST] = book[COUNTS + top]
    cancels = api.eight_rule(table) == api.ONE_CANCELS and api.right_rule(table) != api.MOST_CARDS
    book[CANCELS] = 1.0 if cancels else 0.0
    goes_on = api.phase(seat) == api.DISCARD and api.deck_count(table) > 0
    book[DROPPED] = TAKEN_UP if goes_on else 0.0
    book[EDGE] = 0.5 if api.tied_right(table) == api.TIED_ALL else -0.5
    dealt = api.players(table) * api.hand_size(table)
    deck = max(1, api.species_count(table) * top - dealt)
    book[TIME] = min(1.0, api.deck_count(table) / deck)
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        book[HELD + card] = 1.0
        if api.value(card) == top:
            book[TOP + s] = 1.0
        else:
            book[SUM + s] += book[COUNTS + api.value(card)]
        if api.value(card) == 1:
            book[ONE + s] = 1.0
    _sort_cards(table, book, counts)
    _share_unseen(table, seat, book, counts)
    for i in range(api.species_count(table)):
        _weigh_rivals(table, seat, book, api.species_at(table, i), counts)
    return book


@api.helper
def _sort_cards(table, book, counts):
    """Add up, below the highest card, what I do not see of each species and what is known to be in which hand."""
    players = api.players(table)
    top = api.top_value(table)
    for p in range(players):
        book[KNOWN_CARDS + p] = 0.0
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        for p in range(players):
            book[KNOWN + SPECIES * p + s] = 0.0
        loose = 0.0
        known = 0
        for v in range(1, top + 1):
            where = place(table, api.card(s, v), counts)
            known += 0 < where <= players
            if v < top:
                loose += (where == 0) * (1.0 - book[HELD + api.card(s, v)]) * book[COUNTS + v]
        book[LOOSE + s] = loose
        if known > 0:
            for v in range(1, top + 1):
                holder = place(table, api.card(s, v), counts) - 1
                if 0 <= holder < players:
                    book[KNOWN_CARDS + holder] += 1.0
                    if v < top:
                        book[KNOWN + SPECIES * holder + s] += book[COUNTS + v]


@api.helper
def _share_unseen(table, seat, book, counts):
    """Fill in the chance of each rival to hold a card that I do not see."""
    players = api.players(table)
    hidden = 0.0
    for p in range(players):
        book[SHARE + p] = 0.0
        if p != api.me(seat):
            book[SHARE + p] = api.hand_count_of(table, p) - book[KNOWN_CARDS + p]
            hidden += book[SHARE + p]
    unseen = max(1.0, api.deck_count(table) + hidden)
    if counts == 0 or api.discard_memory(table) == api.TOP_ONLY:
        for p in range(players):
            unseen += max(0, api.pile_count(table, p) - 1)
    for p in range(players):
        blind = book[SHARE + p] / unseen
        book[SHARE + p] = min(GRIP * blind, 0.5 + 0.5 * blind) if blind < 1.0 else 1.0


@api.helper
def _weigh_rivals(table, seat, book, s, counts):
    """Fill in what the rivals may hold of one species."""
    players = api.players(table)
    one = api.card(s, 1)
    top = api.card(s, api.top_value(table))
    top_counts = book[COUNTS + api.top_value(table)]
    one_at = place(table, one, counts)
    top_at = place(table, top, counts)
    one_hidden = one_at == 0 and book[HELD + one] == 0.0
    top_hidden = top_at == 0 and book[HELD + top] == 0.0
    fear = 0.0
    widest = 0.0
    for p in range(players):
        if p != api.me(seat):
            share = book[SHARE + p]
            most = book[KNOWN + SPECIES * p + s] + share * book[LOOSE + s]
            book[CANCELLED + s] = max(book[CANCELLED + s], most)
            if top_hidden:
                most += share * top_counts
            elif top_at == 1 + p:
                most += top_counts
            book[FREE + s] = max(book[FREE + s], most)
            if one_hidden:
                fear += share
            elif one_at == 1 + p:
                fear = 1.0
            widest = max(widest, share * (1.0 - share))
    loose = book[LOOSE + s] + (top_counts if top_hidden else 0.0)
    book[FEAR + s] = min(1.0, fear)
    book[DOUBT + s] = CERTAIN + loose * widest * (players - 1)
    book[CARE + s] = 1.0


@api.helper
def ahead(table, book, s, value, change):
    """How far my sum of species `s` is expected to be above the strongest rival's.

    With a card of that value more (`change` 1) or less (-1) in my hand; with `change` 0 as it is.
    """
    mine = book[SUM + s]
    one = book[ONE + s]
    highest = book[TOP + s]
    top = api.top_value(table)
    if value == top:
        highest += change
    else:
        mine += change * book[COUNTS + value]
        if value == 1:
            one += change
    highest *= book[HIGHEST]
    if book[CANCELS] == 1.0:
        if one > 0.0:
            return mine + highest - book[CANCELLED + s]
        highest *= 1.0 - fear(book, s, value, change)
    return mine + highest - book[FREE + s]


@api.helper
def fear(book, s, value, change):
    """Chance that a rival has the 1 of species `s`: also one that I have just given away."""
    if value == 1 and change < 0:
        return max(book[FEAR + s], book[DROPPED])
    return book[FEAR + s]


@api.helper
def right_chance(table, book, s, lead):
    """The chance of the right for one who is expected to lead by so much; a tie counts as the rules say."""
    if api.right_rule(table) == api.ALWAYS:
        return 1.0
    lead += book[EDGE]
    return 0.5 + 0.5 * lead / (abs(lead) + book[DOUBT + s])


@api.helper
def right_value(table, book, s, lead):
    """Points that I expect to win, and to take from the strongest rival, by the right of `s` at this lead."""
    points = right_chance(table, book, s, lead) * book[MINE + s]
    if book[THEIRS + s] > 0.0:
        points -= right_chance(table, book, s, -lead) * book[THEIRS + s]
    return points


@api.helper
def set_points(table, seat, book, hope, rivals):
    """Fill in what every right is worth, and the chances of it.

    A path counts as it lies. A species that an arboretum (or my hand) has cards of may still grow, by `hope`
    points at the start of the game and by nothing at its end. `rivals` is the part of the strongest rival's points
    that counts as lost to me; at 0 nobody else's arboretum is looked at. Leaves the path tables of my own
    arboretum in the scratch, weighed by my chances.
    """
    me = api.me(seat)
    future = hope * book[TIME]
    for s in range(SPECIES):
        book[MINE + s] = 0.0
        book[THEIRS + s] = 0.0
    if rivals > 0.0:
        for p in range(api.players(table)):
            if p != me:
                api.tables(table, seat, p)
                for s in range(SPECIES):
                    book[GROWTH + s] = 0.0
                for k in range(api.board_count(table, p)):
                    book[GROWTH + api.species(api.board_card(table, p, k))] = future
                for i in range(api.species_count(table)):
                    s = api.species_at(table, i)
                    points = api.best(seat, s) + book[GROWTH + s]
                    book[THEIRS + s] = max(book[THEIRS + s], rivals * points)
    for k in range(api.board_count(table, me)):
        book[MINE + api.species(api.board_card(table, me, k))] = future
    for i in range(api.hand_count(seat)):
        book[MINE + api.species(api.hand_card(seat, i))] = future
    api.tables(table, seat, me)
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        lead = ahead(table, book, s, 0, 0)
        book[MINE + s] = book[CARE + s] * (book[MINE + s] + api.best(seat, s))
        chance = right_chance(table, book, s, lead)
        book[CHANCE + s] = book[CARE + s] * chance
        book[THEIR_CHANCE + s] = right_chance(table, book, s, -lead)
        book[NOW + s] = chance * book[MINE + s] - book[THEIR_CHANCE + s] * book[THEIRS + s]
    weigh_mine(table, seat, book)


@api.helper
def face_myself(table, seat, book):
    """Put my own arboretum back in place."""
    api.tables(table, seat, api.me(seat))
    list_cells(table, book, api.me(seat))
    weigh_mine(table, seat, book)


@api.helper
def weigh_mine(table, seat, book):
    """Let gains be weighed by my chances."""
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        api.weigh(seat, s, book[CHANCE + s])


@api.helper
def expected_margin(table, book):
    """My expected points minus the strongest rivals', from the paths and the rights as they stand."""
    total = 0.0
    for i in range(api.species_count(table)):
        total += book[NOW + api.species_at(table, i)]
    return total


@api.helper
def value_hand(table, seat, book):
    """Fill in what every card of my hand is worth there, and my chance of its right without it."""
    for i in range(api.hand_count(seat)):
        card = api.hand_card(seat, i)
        s = api.species(card)
        lead = ahead(table, book, s, api.value(card), -1)
        chance = right_chance(table, book, s, lead)
        book[AFTER + i] = book[CARE + s] * chance
        book[COST + i] = book[NOW + s] - chance * book[MINE + s]
        if book[THEIRS + s] > 0.0:
            book[COST + i] += right_chance(table, book, s, -lead) * book[THEIRS + s]


@api.helper
def most_held(table, seat, book):
    """The species in which my hand and my arboretum are strongest, of those with a care below 1."""
    me = api.me(seat)
    middle = 0.5 * (1 + api.top_value(table))
    best = -1.0
    found = api.species_at(table, 0)
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        if book[CARE + s] < 1.0:
            strength = book[SUM + s] + book[TOP + s] * book[COUNTS + api.top_value(table)]
            for k in range(api.board_count(table, me)):
                if api.species(api.board_card(table, me, k)) == s:
                    strength += middle
            if strength > best:
                best = strength
                found = s
    return found


# Paths


@api.helper
def survey_climb(table, seat, book):
    """Fill in how far rising paths of any species go in my arboretum, up to and onward from each card.

    A step that is still missing towards the lowest or the highest value counts `UNBUILT`; one that a path has
    skipped counts nothing. The scratch must hold the path tables of my arboretum.
    """
    me = api.me(seat)
    top = api.top_value(table)
    cards = api.board_count(table, me)
    # a single card anywhere
    book[WHOLE] = LAID + UNBUILT * (top - 1)
    for i in range(cards):
        k = api.place_by_value(seat, i)
        card = api.board_card(table, me, k)
        best = UNBUILT * (api.value(card) - 1)
        for d in range(4):
            other = api.card_at(table, me, api.neighbour(api.board_cell(table, me, k), d))
            if other != 0 and api.value(other) < api.value(card):
                best = max(best, book[UP_TO + other])
        book[UP_TO + card] = LAID + best
    for i in range(cards - 1, -1, -1):
        k = api.place_by_value(seat, i)
        card = api.board_card(table, me, k)
        best = UNBUILT * (top - api.value(card))
        for d in range(4):
            other = api.card_at(table, me, api.neighbour(api.board_cell(table, me, k), d))
            if api.value(other) > api.value(card):
                best = max(best, book[ONWARD + other])
        book[ONWARD + card] = LAID + best
        book[WHOLE] = max(book[WHOLE], book[UP_TO + card] + best)


@api.inline_helper
def look(table, seat, book, cell):
    """Look at an open cell of my arboretum: the next gains speak of it."""
    me = api.me(seat)
    api.aim(table, seat, me, cell)
    count = 0
    blocks = 0.0
    for d in range(4):
        other = api.card_at(table, me, api.neighbour(cell, d))
        if other != 0:
            book[NEAR_VALUE + count] = api.value(other)
            book[NEAR_UP + count] = book[UP_TO + other]
            book[NEAR_ON + count] = book[ONWARD + other]
            blocks += 1.0 if book[UP_TO + other] + book[ONWARD + other] - LAID >= book[WHOLE] else 0.0
            count += 1
    book[NEAR_COUNT] = count
    book[BLOCKS] = blocks


@api.inline_helper
def climb_gain(table, book, v):
    """How much nearer a card of that value on the cell looked at brings the longest rising path of any species.

    A card that brings it no nearer and takes a cell beside that path costs a little: the path may need the cell.
    """
    top = api.top_value(table)
    below = UNBUILT * (v - 1)
    above = UNBUILT * (top - v)
    for k in range(int(book[NEAR_COUNT])):
        below = max(below, book[NEAR_UP + k] if book[NEAR_VALUE + k] < v else 0.0)
        above = max(above, book[NEAR_ON + k] if book[NEAR_VALUE + k] > v else 0.0)
    gain = LAID + below + above - book[WHOLE]
    return gain / LAID if gain > 0.0 else -0.1 * book[BLOCKS]


@api.helper
def list_cells(table, book, p):
    """Note the open cells of an arboretum, but only one of those that touch the same single card: they are alike."""
    for k in range(api.board_count(table, p)):
        book[LISTED + api.board_card(table, p, k)] = 0.0
    count = 0
    for j in range(api.open_count(table, p)):
        cell = api.open_cell(table, p, j)
        card = 0
        touched = 0
        for d in range(4):
            other = api.card_at(table, p, api.neighbour(cell, d))
            if other != 0:
                card = other
                touched += 1
        if touched == 1:
            if book[LISTED + card] == 1.0:
                continue
            book[LISTED + card] = 1.0
        book[CELLS + count] = cell
        count += 1
    book[CELL_COUNT] = count


# Choices


@api.helper
def assess(table, seat, book, hope, rivals):
    """Judge rights, hand and paths; the parameters are those of `set_points`."""
    set_points(table, seat, book, hope, rivals)
    if api.phase(seat) != api.DRAW:
        value_hand(table, seat, book)
    if api.phase(seat) != api.DISCARD:
        survey_climb(table, seat, book)
        list_cells(table, book, api.me(seat))


@api.helper
def look_at(book, card, own):
    """Add a card to those that `find_uses` looks at closely."""
    k = int(book[CARDS])
    book[CARD + k] = card
    book[OWN + k] = own
    book[CARDS] = k + 1.0


@api.helper
def find_uses(table, seat, book, steps):
    """Find where each card looked at would bring me most: path points by my chances, and steps of the climb."""
    me = api.me(seat)
    count = int(book[CARDS])
    for k in range(count):
        book[USE + k] = -1e9
    for j in range(int(book[CELL_COUNT])):
        cell = int(book[CELLS + j])
        look(table, seat, book, cell)
        for k in range(count):
            card = int(book[CARD + k])
            # the right of the card's own species changes when it leaves the hand
            use = api.aimed_gain_reweighted(table, seat, me, card, book[OWN + k])
            use += steps * climb_gain(table, book, api.value(card))
            if use > book[USE + k]:
                book[USE + k] = use
                book[USE_CELL + k] = cell


@api.helper
def best_play(table, seat, book, steps):
    """The play that brings most, less what the card is worth in hand."""
    take_cheapest(seat, book, PLAYS)
    find_uses(table, seat, book, steps)
    if api.board_count(table, api.me(seat)) == 0:
        # the first card: the nearer to the middle, the more ways up and down
        for k in range(int(book[CARDS])):
            value = api.value(int(book[CARD + k]))
            book[USE + k] = -0.1 * steps * abs(2 * value - api.top_value(table) - 1)
    best = 0
    for k in range(1, int(book[CARDS])):
        if book[USE + k] - book[LOSS + k] > book[USE + best] - book[LOSS + best]:
            best = k
    return api.play(int(book[CARD + best]), int(book[USE_CELL + best]))


@api.helper
def take_cheapest(seat, book, most):
    """Look closely at the cards of my hand that are worth least where they are."""
    cards = api.hand_count(seat)
    book[CARDS] = 0.0
    for i in range(cards):
        cheaper = 0
        for other in range(cards):
            # of equals the first
            cheaper += (book[COST + other] < book[COST + i]) | (
                (book[COST + other] == book[COST + i]) & (other < i)
            )
        if cheaper < most:
            book[LOSS + int(book[CARDS])] = book[COST + i]
            look_at(book, api.hand_card(seat, i), book[AFTER + i])


@api.helper
def best_discard(table, seat, book, kindness):
    """The discard that costs least: what it is worth where it is, and what it brings the next player.

    The latter counts `kindness` times, and is looked for where the former leaves a choice.
    """
    for i in range(api.hand_count(seat)):
        # of cards that are worth the same the lowest goes
        book[COST + i] += 0.01 * api.value(api.hand_card(seat, i))
    take_cheapest(seat, book, DISCARDS)
    best = 0
    for k in range(1, int(book[CARDS])):
        if book[LOSS + k] < book[LOSS + best]:
            best = k
    close = 0
    for k in range(int(book[CARDS])):
        close += book[LOSS + k] < book[LOSS + best] + kindness * GIFT
    if close > 1:
        face_next(table, seat, book)
        for k in range(int(book[CARDS])):
            if book[LOSS + k] < book[LOSS + best] + kindness * GIFT:
                book[USE + k] = book[LOSS + k] + kindness * gift(table, seat, book, int(book[CARD + k]))
            else:
                book[USE + k] = 1e9
        for k in range(int(book[CARDS])):
            if book[USE + k] < book[USE + best]:
                best = k
    return api.discard(int(book[CARD + best]))


@api.helper
def face_next(table, seat, book):
    """Put the next player's arboretum in place of mine: its path tables, weighed by his chances, and its cells."""
    his = (api.me(seat) + 1) % api.players(table)
    api.tables(table, seat, his)
    list_cells(table, book, his)
    for i in range(api.species_count(table)):
        s = api.species_at(table, i)
        api.weigh(seat, s, book[THEIR_CHANCE + s])


@api.helper
def gift(table, seat, book, card):
    """Points that the card on top of a pile would bring the next player; call `face_next` before."""
    his = (api.me(seat) + 1) % api.players(table)
    s = api.species(card)
    lead = ahead(table, book, s, 0, 0) - book[COUNTS + api.value(card)]
    most = (right_chance(table, book, s, -lead) - book[THEIR_CHANCE + s]) * (
        book[THEIRS + s] + book[MINE + s]
    )
    for j in range(int(book[CELL_COUNT])):
        api.aim(table, seat, his, int(book[CELLS + j]))
        most = max(most, api.aimed_gain_weighted(table, seat, his, card))
    return most


@api.helper
def draws_deck(table, seat, discards):
    """Whether a draw is asked for that goes to the deck, as long as it lasts, without further thought.

    It does if `discards` is 0; if the tops are those that this turn has turned down already; or if no top of another's
    pile would make a path of mine grow or belongs to a species that scores in my arboretum.
    """
    if api.phase(seat) != api.DRAW or api.deck_count(table) == 0:
        return False
    if discards == 0:
        return True
    if api.memory(seat, TURNED_DOWN) == 1 + api.turn(table):
        is_known = True
        for p in range(api.players(table)):
            is_known = is_known and api.memory(seat, TOPS + p) == api.pile_top(table, p)
        if is_known:
            return True
    api.tables(table, seat, api.me(seat))
    for p in range(api.players(table)):
        if p != api.me(seat) and _is_tempting(table, seat, api.pile_top(table, p)):
            return False
    turn_down(table, seat)
    return True


@api.helper
def _is_tempting(table, seat, card):
    me = api.me(seat)
    if card == 0:
        return False
    # a low card adds little to a right, but the 1 can take the highest card out of a rival's
    counts = 2 * api.value(card) > api.top_value(table) or api.value(card) == 1
    if counts and api.best(seat, api.species(card)) > 0:
        return True
    for j in range(api.open_count(table, me)):
        api.aim(table, seat, me, api.open_cell(table, me, j))
        if api.aimed_gain(table, seat, me, card) > 0:
            return True
    return False


@api.helper
def turn_down(table, seat):
    """Remember that the tops of the piles are not worth a draw in this turn."""
    api.set_memory(seat, TURNED_DOWN, 1 + api.turn(table))
    for p in range(api.players(table)):
        api.set_memory(seat, TOPS + p, api.pile_top(table, p))


@api.helper
def best_source(table, seat, book, steps, deck):
    """The top of a pile if it brings more than `deck` points, else the deck, as long as there is one.

    A top is worth what it adds to my rights, or what it would bring in my arboretum.
    """
    book[CARDS] = 0.0
    for p in range(api.players(table)):
        card = api.pile_top(table, p)
        # what I have discarded myself is no better than it was, as long as there is a choice
        if card != 0 and (p != api.me(seat) or api.deck_count(table) == 0):
            s = api.species(card)
            book[PILE + int(book[CARDS])] = p
            look_at(book, card, book[CHANCE + s])
    find_uses(table, seat, book, steps)
    best = deck if api.deck_count(table) > 0 else -1e9
    source = api.DECK
    for k in range(int(book[CARDS])):
        card = int(book[CARD + k])
        s = api.species(card)
        lead = ahead(table, book, s, api.value(card), 1)
        worth = max(book[USE + k], right_value(table, book, s, lead) - book[NOW + s])
        if worth > best:
            best = worth
            source = int(book[PILE + k])
    if source == api.DECK:
        turn_down(table, seat)
    return api.draw(source)


@api.helper
def choose(table, seat, book, steps, deck, kindness):
    """The decision that is asked for, from a book that is filled."""
    phase = api.phase(seat)
    if phase == api.DRAW:
        return best_source(table, seat, book, steps, deck)
    if phase == api.PLAY:
        return best_play(table, seat, book, steps)
    return best_discard(table, seat, book, kindness)
