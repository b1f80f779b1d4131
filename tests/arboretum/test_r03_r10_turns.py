"""R3 to R10: the deal, the turn, and how a game ends."""

import random

import pytest

from arbosim.games.arboretum.cards import Card, card_of_code
from arbosim.games.arboretum.reference import ReferenceGame
from arbosim.games.arboretum.rules import Rules
from tests.arboretum.judges import STANDARD, Game, Judge, cards, rules

pytestmark = pytest.mark.jitoff

NOT_ALLOWED = "is not allowed"
HANDS = [cards("C1 C2 C3 C4 C5 C6 C7"), cards("D1 D2 D3 D4 D5 D6 D7")]


def small_game(
    judge: Judge, deck: str, discards: tuple[str, str] = ("", "J8"), rules: Rules = STANDARD
) -> Game:
    """Start a game of two with known hands."""
    return judge.start(cards(deck), HANDS, [cards(pile) for pile in discards], rules)


def take_turn(game: Game, *sources: str | int) -> None:
    """Draw from the sources, then play and discard the first options."""
    for source in sources:
        game.apply(("draw", source))
    game.apply(game.options()[0])
    while game.phase == "discard" and not game.finished:
        game.apply(game.options()[0])


def pack(rules: Rules, players: int, seed: int) -> list[Card]:
    all_cards = [card_of_code(code) for code in rules.card_codes(players)]
    random.Random(seed).shuffle(all_cards)
    return all_cards


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r3_seven_cards_each_dealt_seat_by_seat(players: int) -> None:
    shuffled = pack(STANDARD, players, 1)
    game = ReferenceGame.deal(players, STANDARD, shuffled)
    assert game.hands == [shuffled[7 * seat : 7 * seat + 7] for seat in range(players)]


@pytest.mark.parametrize(
    ("who", "counts"), [("all_but_first", [0, 1, 1]), ("none", [0, 0, 0]), ("all", [1, 1, 1])]
)
def test_r4_starting_discard(who: str, counts: list[int]) -> None:
    variant = rules(start_discard=who)
    game = ReferenceGame.deal(3, variant, pack(variant, 3, 2))
    assert [len(pile) for pile in game.discards] == counts
    assert len(game.deck) == variant.dealt_deck(3) == 64 - 21 - sum(counts)


@pytest.mark.parametrize(
    ("who", "sizes"),
    [("none", [7, 7, 7]), ("first", [8, 7, 7]), ("all_but_first", [7, 8, 8]), ("all", [8, 8, 8])],
)
def test_r4_extra_card_as_compensation(who: str, sizes: list[int]) -> None:
    variant = rules(extra_card=who)
    game = ReferenceGame.deal(3, variant, pack(variant, 3, 3))
    assert [len(hand) for hand in game.hands] == sizes == [variant.dealt_hand(seat) for seat in range(3)]


def test_r4_the_extra_card_is_discarded_in_the_first_turn(judge: Judge) -> None:
    hands = [cards("C1 C2 C3 C4 C5 C6 C7 C8"), HANDS[1]]
    game = judge.start(cards("J1 J2 J3 J4 J5 J6"), hands, [[], []], rules(extra_card="first"))
    game.apply(("draw", "deck"))
    game.apply(("draw", "deck"))
    game.apply(("play", *cards("C1"), 0, 0))
    game.apply(("discard", *cards("C2")))
    assert (game.current, game.phase) == (0, "discard")
    game.apply(("discard", *cards("C3")))
    assert (game.current, game.phase) == (1, "draw")
    assert len(game.hands[0]) == 7


def test_r3_play_is_clockwise_from_seat_0(judge: Judge) -> None:
    hands = [cards("C1 C2"), cards("D1 D2"), cards("J1 J2")]
    game = judge.start(cards("L1 L2 L3 L4 L5 L6 L7 L8 G1 G2"), hands, [[], [], []], rules(hand_size=2))
    seats = []
    while not game.finished:
        seats.append(game.current)
        take_turn(game, "deck", "deck")
    assert seats == [0, 1, 2, 0, 1]


def test_r5_sources_are_the_deck_and_every_pile_with_a_card(judge: Judge) -> None:
    game = small_game(judge, "L1 L2 L3 L4 L5 L6", ("G1", "J8"))
    assert game.sources() == ["deck", 0, 1]
    game.apply(("draw", 0))  # one's own pile counts too
    assert game.sources() == ["deck", 1]
    assert cards("G1")[0] in game.hands[0]


def test_r5_second_source_is_chosen_after_the_first_card(judge: Judge) -> None:
    game = small_game(judge, "L1 L2 L3 L4 L5 L6")
    game.apply(("draw", "deck"))
    assert cards("L1")[0] in game.hands[0]
    assert game.phase == "draw"
    assert game.options() == [("draw", "deck"), ("draw", 1)]


def test_r5_two_cards_may_come_off_the_same_pile(judge: Judge) -> None:
    game = small_game(judge, "L1 L2 L3 L4 L5 L6", ("", "J7 J8"))
    game.apply(("draw", 1))
    game.apply(("draw", 1))
    assert set(cards("J8 J7")) <= set(game.hands[0])
    assert game.discards[1] == []
    assert game.phase == "play"


def test_r6_an_empty_pile_is_no_source(judge: Judge) -> None:
    game = small_game(judge, "L1 L2 L3 L4 L5 L6", ("", ""))
    assert game.sources() == ["deck"]
    with pytest.raises(ValueError, match=NOT_ALLOWED):
        game.apply(("draw", 0))
    with pytest.raises(ValueError, match=NOT_ALLOWED):
        game.apply(("draw", 1))


def test_r6_after_the_last_card_of_the_deck_a_discard_pile_must_serve(judge: Judge) -> None:
    game = small_game(judge, "L1")
    game.apply(("draw", "deck"))
    assert game.options() == [("draw", 1)]
    with pytest.raises(ValueError, match=NOT_ALLOWED):
        game.apply(("draw", "deck"))


def test_r6_a_draw_is_not_refused_when_one_card_is_left_in_the_deck(judge: Judge) -> None:
    game = small_game(judge, "L1")
    assert ("draw", "deck") in game.options()


def test_r6_without_any_source_the_draw_is_skipped(judge: Judge) -> None:
    game = judge.start(cards("L1"), HANDS, [[], []], rules(start_discard="none"))
    game.apply(("draw", "deck"))
    assert game.phase == "play"
    game.apply(game.options()[0])
    assert game.finished  # nothing to discard: seven cards are left
    assert len(game.hands[0]) == 7


def test_r6_a_whole_turn_without_a_source(judge: Judge) -> None:
    variant = rules(draws=1, start_discard="none", equal_turns=True)
    game = judge.start(cards("L1"), HANDS, [[], []], variant)
    take_turn(game, "deck")
    assert (game.current, game.phase, game.finished) == (1, "play", False)
    game.apply(game.options()[0])
    assert game.finished
    assert len(game.hands[1]) == 6


def test_r7_the_first_card_lies_anywhere(judge: Judge) -> None:
    game = small_game(judge, "L1 L2 L3 L4 L5 L6")
    assert game.open_cells(0) == [(0, 0)]


def test_r7_later_cards_lie_next_to_one_of_ones_own(judge: Judge) -> None:
    game = small_game(judge, "L1 L2 L3 L4 L5 L6 L7 L8")
    take_turn(game, "deck", "deck")
    assert game.open_cells(0) == [(0, 1), (-1, 0), (1, 0), (0, -1)]
    assert game.open_cells(1) == [(0, 0)]
    take_turn(game, "deck", "deck")
    game.apply(("draw", "deck"))
    game.apply(("draw", "deck"))
    card = game.hands[0][0]
    for cell in [(0, 0), (1, 1), (2, 0), (0, -2)]:  # taken, diagonal, apart
        assert ("play", card, *cell) not in game.options()
        with pytest.raises(ValueError, match=NOT_ALLOWED):
            game.apply(("play", card, *cell))
    game.apply(("play", card, 0, -1))
    assert set(game.boards[0]) == {(0, 0), (0, -1)}


def test_r7_a_cell_that_touches_two_cards_is_offered_once(judge: Judge) -> None:
    hands = [cards("C1 C2 C3 C4"), cards("D1 D2 D3 D4")]
    game = judge.start(cards("L1 L2 L3 L4 L5 L6 L7 L8"), hands, [[], []], rules(draws=1, hand_size=4))
    for cell in [(0, 0), (0, 0), (1, 0), (1, 0), (1, 1), (1, 1)]:
        game.apply(("draw", "deck"))
        game.apply(("play", game.hands[game.current][0], *cell))
    cells = game.open_cells(0)
    assert (0, 1) in cells  # touches (0, 0) and (1, 1)
    assert len(cells) == len(set(cells)) == 7
    game.apply(("draw", "deck"))
    assert len(game.options()) == len(set(game.options())) == 7 * 5


def test_r8_discard_one_also_one_just_drawn(judge: Judge) -> None:
    game = small_game(judge, "L1 L2 L3 L4 L5 L6")
    game.apply(("draw", "deck"))
    game.apply(("draw", "deck"))
    game.apply(("play", *cards("C1"), 0, 0))
    assert ("discard", *cards("L2")) in game.options()
    assert ("discard", *cards("C1")) not in game.options()  # the card just played
    with pytest.raises(ValueError, match=NOT_ALLOWED):
        game.apply(("discard", *cards("C1")))
    game.apply(("discard", *cards("L2")))
    assert game.discards[0] == cards("L2")
    assert len(game.hands[0]) == 7
    assert (game.current, game.turn) == (1, 1)


@pytest.mark.parametrize(("draws", "discards"), [(1, 0), (2, 1), (3, 2), (4, 3)])
def test_r8_discard_down_to_the_hand_size(judge: Judge, draws: int, discards: int) -> None:
    game = small_game(judge, "L1 L2 L3 L4 L5 L6 L7 L8", rules=rules(draws=draws))
    take_turn(game, *["deck"] * draws)
    assert len(game.discards[0]) == discards
    assert len(game.hands[0]) == 7
    assert game.current == 1


def test_r8_the_turn_passes_on_once(judge: Judge) -> None:
    hands = [cards("C1 C2"), cards("D1 D2"), cards("J1 J2"), cards("L1 L2")]
    game = judge.start(cards("G1 G2 G3 G4 G5 G6 G7 G8"), hands, [[], [], [], []], rules(hand_size=2))
    take_turn(game, "deck", "deck")
    assert (game.current, game.turn, game.phase) == (1, 1, "draw")


def test_r10_the_turn_in_which_the_deck_runs_out_is_the_last(judge: Judge) -> None:
    game = small_game(judge, "L1 L2 L3")
    take_turn(game, "deck", "deck")
    take_turn(game, "deck", 0)  # one card from the deck, one from a pile: the deck is empty
    assert (game.finished, game.turn) == (True, 2)
    assert game.options() == []
    with pytest.raises(ValueError, match=NOT_ALLOWED):
        game.apply(("draw", 0))


def test_r10_the_deck_is_not_the_only_source_and_games_are_longer_without_it(judge: Judge) -> None:
    game = small_game(judge, "L1 L2 L3", ("G1 G2", "J7 J8"))
    take_turn(game, 0, 0)
    assert not game.finished
    assert len(game.deck) == 3


@pytest.mark.parametrize(("equal_turns", "turns"), [(False, 1), (True, 2)])
def test_r10_equal_turns_complete_the_round(judge: Judge, equal_turns: bool, turns: int) -> None:
    game = small_game(judge, "L1 L2", ("G1", "J7 J8"), rules(equal_turns=equal_turns))
    take_turn(game, "deck", "deck")
    while not game.finished:
        take_turn(game, game.sources()[0], game.sources()[0])
    assert game.turn == turns
