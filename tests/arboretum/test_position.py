import random

import pytest

from arbosim.core.errors import UserError
from arbosim.games.arboretum.cards import Card
from arbosim.games.arboretum.position import IllegalActionError, Position
from tests.arboretum.judges import cards, row, rules

pytestmark = pytest.mark.jitoff

HANDS = [cards("C1 C2 C3 C4 C5 C6 C7"), cards("D1 D2 D3 D4 D5 D6 D7")]


def start() -> Position:
    return Position.start(cards("L1 L2 L3 L4 L5 L6"), HANDS, [[], cards("J8")])


def ready_to_play() -> Position:
    position = start()
    position.play(("draw", "deck"))
    position.play(("draw", "deck"))
    return position


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (("draw", 0), "the discard pile of seat 0 is empty"),
        (("draw", 2), "there is no source 2"),
        (("draw", 4), "there is no source 4"),  # the kernels' number of the deck
        (("draw", -1), "there is no source -1"),
        (("draw", 10**30), "there is no source 1000"),
        (("play", "C1", 0, 0), "asked for a draw, not for a play"),
        (("discard", "C1"), "asked for a draw, not for a discard"),
    ],
)
def test_refused_draws_say_why(action: tuple[object, ...], reason: str) -> None:
    position = start()
    assert not position.can_play(action)
    with pytest.raises(IllegalActionError, match=reason):
        position.check_play(action)
    with pytest.raises(IllegalActionError, match=reason):
        position.play(action)
    assert position.actions == []
    assert position.hands == HANDS


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (("play", "D1", 1, 0), "seat 0 does not hold D1"),
        (("play", "O1", 1, 0), "seat 0 does not hold O1"),
        (("play", "C3", 0, 0), r"cell \(0, 0\) is taken by C1"),
        (("play", "C3", 1, 1), r"cell \(1, 1\) touches no card"),
        (("play", "C3", 500, 0), r"cell \(500, 0\) touches no card"),
        (("play", "C3", 128, 0), r"cell \(128, 0\) touches no card"),
        (("play", "C3", -(10**40), 0), "touches no card"),
    ],
)
def test_refused_plays_say_why(action: tuple[object, ...], reason: str) -> None:
    position = ready_to_play()
    position.play(("play", "C1", 0, 0))
    position.play(("discard", "C2"))
    position.play(("draw", "deck"))
    position.play(("draw", "deck"))
    position.play(("play", "D7", 3, 3))
    position.play(("discard", "D6"))
    position.play(("draw", "deck"))
    position.play(("draw", 1))
    with pytest.raises(IllegalActionError, match=reason):
        position.play(action)
    assert position.can_play(("play", "C3", 1, 0))


@pytest.mark.parametrize(
    "given",
    [
        (),
        "draw",
        ("draw",),
        ("draw", True),
        ("draw", 1.0),
        ("play", "C1"),
        ("play", "C1", 0, 0.0),
        None,
        ("fly", 1),
    ],
)
def test_what_is_no_action_is_told_what_one_is(given: object) -> None:
    with pytest.raises(UserError, match="is no action; actions are"):
        start().play(given)  # type: ignore[arg-type]


def test_the_first_card_lies_anywhere_and_later_ones_relative_to_it() -> None:
    position = ready_to_play()
    position.play(("play", "C1", 10**9, -5))
    assert position.arboretums[0] == {(10**9, -5): Card("C", 1)}
    assert position.open_cells_of(0)[0] == (10**9, -4)
    assert position.actions[-1] == ("play", Card("C", 1), 10**9, -5)


def test_a_cell_may_be_given_as_a_pair() -> None:
    position = ready_to_play()
    position.play(("play", Card("C", 1), (0, 0)))
    assert position.arboretums[0] == {(0, 0): Card("C", 1)}


def test_a_copy_goes_its_own_way() -> None:
    position = Position.deal(3, seed=4)
    chance = random.Random(1)
    for _ in range(30):
        position.play(chance.choice(position.legal_actions))
    other = position.copy()
    before = (position.hands, position.deck, position.arboretums, list(position.actions))
    while not other.finished:
        other.play(chance.choice(other.legal_actions))
    assert (position.hands, position.deck, position.arboretums, position.actions) == before
    assert other.score() == other.copy().score()


def test_looking_changes_nothing() -> None:
    position = Position.deal(2, seed=4)
    chance = random.Random(2)
    for _ in range(40):
        position.play(chance.choice(position.legal_actions))
    before = (position._buffers.tables.tobytes(), position._buffers.seats["hand"].tobytes())
    position.score()
    view = position.view(1)
    for card in view.hand:
        view.gain(card, view.open_cells[0])
    assert (position._buffers.tables.tobytes(), position._buffers.seats["hand"].tobytes()) == before


def test_a_view_knows_its_seat_alone() -> None:
    position = Position.deal(2, seed=4)
    view = position.view(1)
    assert view.me == 1
    assert view.hand == position.hands[1]
    assert not set(view.hand) & set(view.unseen)
    assert set(position.hands[0]) <= set(view.unseen)
    with pytest.raises(UserError, match="seats are 0 to 1"):
        position.view(2)


def test_gains_of_a_view_are_what_the_score_says() -> None:
    position = Position.deal(2, seed=9)
    chance = random.Random(3)
    while not (position.phase == "play" and position.turn > 12):
        position.play(chance.choice(position.legal_actions))
    seat = position.current
    view = position.view(seat)
    before = sum(entry.points for entry in position.score().players[seat].species.values())
    for card in position.hands[seat]:
        for cell in position.open_cells:
            after = position.copy()
            after.play(("play", card, *cell))
            points = sum(entry.points for entry in after.score().players[seat].species.values())
            assert view.gain(card, cell) == points - before


def test_a_laid_out_table_is_only_looked_at() -> None:
    position = Position.lay_out([row("C1 C2"), {}], [cards("J1"), []], [[], cards("D1")], deck=3)
    assert (position.finished, position.phase, position.legal_actions) == (True, "over", [])
    assert position.sources == ["deck", 1]
    assert (position.deck_count, position.deck) == (3, [])
    with pytest.raises(IllegalActionError, match="the game is over"):
        position.play(("draw", "deck"))


def test_several_best_paths_the_longest_then_the_first_in_reading_order() -> None:
    # C1 D8 and C1 .. C5: both ways from C2 to C5 are worth 3
    board = {(0, 0): Card("C", 2), (1, 0): Card("J", 3), (1, 1): Card("C", 5), (0, 1): Card("J", 4)}
    score = Position.lay_out([board, {}], [[], []]).score()
    assert score.players[0].species["C"].path == ((0, 0), (0, 1), (1, 1))
    # top_bonus 1: C2 C8 is worth 3 as is C2 J3 C4, the longer one
    board = {(0, 0): Card("C", 2), (0, 1): Card("C", 8), (1, 0): Card("J", 3), (2, 0): Card("C", 4)}
    score = Position.lay_out([board, {}], [[], []], rules=rules(top_bonus=1)).score()
    assert score.players[0].species["C"].path == ((0, 0), (1, 0), (2, 0))


@pytest.mark.parametrize("players", [1, 5])
def test_only_two_to_four_sit_down(players: int) -> None:
    with pytest.raises(UserError, match="2 to 4 players"):
        Position.deal(players)
