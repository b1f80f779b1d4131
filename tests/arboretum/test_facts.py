"""The facts that follow from the rules, in many games of the engine; and R9, what everyone knows."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arbosim.core.registry import game, resolve
from arbosim.games.arboretum import api
from arbosim.games.arboretum.cards import Card, card_of_code
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.reference import path_points
from arbosim.games.arboretum.rules import Rules
from tests.arboretum.judges import STANDARD, cards, rules

SHORTEST_AND_LONGEST = {2: (17, 33, 17), 3: (21, 42, 14), 4: (25, 51, 13)}


def rows(strategy: str, players: int, deals: int, rule_set: Rules = STANDARD) -> np.ndarray:
    line_up = [resolve(strategy, "arboretum")] * players
    chunk = game("arboretum").play_chunk(rule_set, players, line_up, 5, 0, deals)
    assert chunk.errors == []
    return chunk.rows


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_of_random_games_lie_within_their_bounds(players: int) -> None:
    shortest, longest, _ = SHORTEST_AND_LONGEST[players]
    turns = rows("random", players, 2000)["turns"]
    assert shortest <= turns.min()
    assert turns.max() <= longest
    if players == 2:
        assert 31 < turns.mean() < 33  # "about 32 turns for 2 players"


@pytest.mark.parametrize(
    ("start_discard", "players", "turns"),
    [
        ("all_but_first", 2, 17),
        ("all_but_first", 3, 21),
        ("all_but_first", 4, 25),
        ("none", 3, 22),
        ("none", 4, 26),
    ],
)
def test_turns_if_all_draw_from_the_deck_only(start_discard: str, players: int, turns: int) -> None:
    # greedy draws from the deck while it lasts
    played = rows("greedy", players, 50, rules(start_discard=start_discard))["turns"]
    assert set(played.tolist()) == {turns}


def test_scores_and_kinds_lie_within_their_bounds() -> None:
    played = rows("greedy", 2, 500)
    for seat in range(2):
        assert played[f"score_{seat}"].min() >= 0
        assert (played[f"score_{seat}"] <= played[f"points_{seat}"]).all()
        assert played[f"points_{seat}"].max() <= 6 * 19
        assert played[f"kinds_{seat}"].max() <= 6
    assert set(played["winners"].tolist()) <= {1, 2, 3}


def test_r14_the_best_single_path_is_worth_19() -> None:
    assert path_points([Card("O", value) for value in range(1, 9)], STANDARD) == 19


@pytest.mark.jitoff
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_card_is_always_in_one_place(players: int) -> None:
    chance = random.Random(players)
    position = Position.deal(players, seed=11, deal=players)
    every = sorted(card_of_code(code) for code in STANDARD.card_codes(players))
    most = SHORTEST_AND_LONGEST[players][2]
    while not position.finished:
        lying = [
            *position.deck,
            *(card for hand in position.hands for card in hand),
            *(card for pile in position.discards for card in pile),
            *(card for board in position.arboretums for card in board.values()),
        ]
        assert sorted(lying) == every
        boards = position.arboretums
        assert sum(map(len, boards)) == position.turn + (position.phase == "discard")
        assert all(len(board) <= most for board in boards)
        assert all(abs(x) <= 16 and abs(y) <= 16 for board in boards for x, y in board)
        for seat in range(players):
            assert len(position.hands[seat]) == 7 or seat == position.current
        position.play(chance.choice(position.legal_actions))


@pytest.mark.jitoff
def test_r9_a_card_taken_from_a_pile_is_known_until_it_leaves_the_hand() -> None:
    hands = [cards("C1 C2 C3 C4 C5 C6 C7"), cards("D1 D2 D3 D4 D5 D6 D7")]
    position = Position.start(cards("L1 L2 L3 L4 L5 L6"), hands, [[], cards("J7 J8")])
    position.play(("draw", 1))
    position.play(("draw", "deck"))
    for seat in range(2):
        assert position.view(seat).known_hands == [cards("J8"), []]
        assert position.view(seat).piles == [[], cards("J7")]
    assert cards("L1")[0] in position.view(1).unseen  # drawn from the deck: known to nobody else
    assert cards("L1")[0] not in position.view(0).unseen
    position.play(("play", "C1", 0, 0))
    position.play(("discard", "J8"))
    assert position.view(1).known_hands == [[], []]
    assert position.view(1).piles == [cards("J8"), cards("J7")]


@pytest.mark.jitoff
def test_r9_variant_only_the_top_is_remembered() -> None:
    hands = [cards("C1 C2 C3 C4 C5 C6 C7"), cards("D1 D2 D3 D4 D5 D6 D7")]
    position = Position.start(
        cards("L1 L2 L3"), hands, [[], cards("J6 J7 J8")], rules(discard_memory="top_only")
    )
    view = position.view(0)
    assert view.piles == [[], [None, None, Card("J", 8)]]
    assert {Card("J", 6), Card("J", 7)} <= set(view.unseen)
    position.play(("draw", 1))
    view = position.view(1)
    assert view.piles == [[], [None, Card("J", 7)]]
    assert view.known_hands == [cards("J8"), []]
    assert position.discards == [[], cards("J6 J7")]  # a position hides nothing


@pytest.mark.jitoff
def test_r12_a_strategy_counts_its_8_as_0_where_the_1_is_known_in_another_hand() -> None:
    hands = [cards("C8 C2 C3 C4 C5 C6 C7"), cards("D1 D2 D3 D4 D5 D6 D7")]
    position = Position.start(cards("L1 L2 L3 L4 L5"), hands, [cards("C1"), cards("J7")])
    table, seat = position._buffers.tables[0], position._buffers.seats[0]
    cassia = Card("C", 1).code >> 4
    hand_sum = getattr(api.hand_sum, "py_func", api.hand_sum)  # as the JIT leaves it, or without
    for action in [("draw", "deck"), ("draw", "deck"), ("play", "C2", 0, 0), ("discard", "L1"), ("draw", 0)]:
        position.play(action)
    assert hand_sum(table, seat, cassia) == 8 + 3 + 4 + 5 + 6 + 7
    position.play(("draw", 0))
    assert position.view(0).known_hands[1] == cards("C1 L1")
    assert hand_sum(table, seat, cassia) == 3 + 4 + 5 + 6 + 7
