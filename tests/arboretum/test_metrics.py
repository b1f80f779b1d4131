"""The metrics of a game, on tables laid out by hand."""

import random

from arbosim.core.registry import game, resolve
from arbosim.games.arboretum.columns import METRICS
from arbosim.games.arboretum.position import Position
from tests.arboretum.judges import cards, row, rules


def metrics(position: Position, seat: int) -> dict[str, int]:
    found = position.metrics()
    return {metric.name: found[f"{metric.name}_{seat}"] for metric in METRICS}


def test_the_example_of_the_rulebook():
    clark = {
        (-1, 0): "J8", (-1, 1): "O6", (0, 0): "R2", (0, 1): "O5", (1, -1): "R6", (1, 0): "J3",
        (1, 1): "O4", (2, 0): "M6", (2, 1): "O1", (-1, -1): "W2",
    }  # fmt: skip
    hands = [
        cards("J7 L6 L7 O3 O8 R1 R5"), cards("J2 J5 L4 L5 R3 W7 C6"), cards("C5 O2 O7 R8 W1 W3 W8"),
    ]  # fmt: skip
    position = Position.lay_out([clark, {}, {}], hands, rules=rules(species="CDJLMORW"))
    found = metrics(position, 0)
    # oak 1 4 5 6, doubled; jacaranda 3 4 5 6 8 with oaks between; royal poinciana 2 3 6
    assert {name: found[name] for name in ("rights", "denied", "paths", "path_cards", "longest")} == {
        "rights": 6, "denied": 0, "paths": 3, "path_cards": 12, "longest": 5,
    }  # fmt: skip
    assert (found["mono"], found["starts_one"], found["ends_top"]) == (1, 1, 1)
    assert found["hand_points"] == 7 + 6 + 7 + 3 + 8 + 1 + 5
    assert [metrics(position, seat)["tops_cancelled"] for seat in range(3)] == [0, 0, 1]
    assert metrics(position, 1)["paths"] == 0


def test_a_path_without_the_right_is_denied_and_its_features_do_not_score():
    boards = [row("L1 L3 L4 L8") | {(0, 1): cards("C5")[0]}, {}]
    found = metrics(Position.lay_out(boards, [[], cards("L2")]), 0)
    assert (found["denied"], found["paths"], found["mono"], found["longest"]) == (1, 1, 1, 4)
    assert all(value == 0 for name, value in found.items() if name.startswith("scored_"))


def test_of_best_paths_the_longest_counts_then_the_special_one():
    # L1 L4 is worth 2 + 1 points, and L2 C3 L4 is worth 3
    board = {(0, 0): "L4", (1, 0): "L1", (-1, 0): "C3", (-2, 0): "L2"}
    found = metrics(Position.lay_out([board, {}], [[], []]), 0)
    assert (found["path_cards"], found["starts_one"]) == (3, 0)
    # with no bonus for a 1, two paths of two cards are equal, and the one that starts on it counts
    board = {(0, 0): "L4", (1, 0): "L1", (-1, 0): "L2"}
    found = metrics(Position.lay_out([board, {}], [[], []], rules=rules(one_bonus=0)), 0)
    assert (found["path_cards"], found["starts_one"]) == (2, 1)


def test_draws_are_told_apart_by_pile_and_depth():
    deck = cards("C1 C2 C3 C4 C5 C6")
    position = Position.start(
        deck, [cards("J1"), cards("J2")], [cards("M1 M2 M3"), cards("O1 O2")], rules(hand_size=1)
    )
    for action in (("draw", 0), ("draw", 0), ("play", "J1", 0, 0), ("discard", "M3")):
        position.play(action)
    for action in (("draw", 0), ("draw", 1), ("play", "J2", 0, 0), ("discard", "O2")):
        position.play(action)
    for action in (("draw", 1), ("draw", "deck")):
        position.play(action)
    found = [metrics(position, seat) for seat in (0, 1)]
    assert [(f["taken_own"], f["taken_others"], f["taken_deep"]) for f in found] == [(2, 1, 1), (1, 1, 0)]


def test_refused_draws_do_not_count():
    position = Position.deal(seed=1)
    assert not position.can_play(("draw", 0))
    assert metrics(position, 0)["taken_own"] == 0


def test_a_game_that_follows_another_starts_from_nothing():
    arboretum = game("arboretum")
    line_up = [resolve("random", "arboretum")] * 3
    together = arboretum.play_chunk(arboretum.rules(), 3, line_up, 5, 0, 6).rows
    deal = random.Random(1).randrange(1, 6)
    alone = arboretum.play_chunk(arboretum.rules(), 3, line_up, 5, deal, 1).rows
    assert alone.tobytes() == together[deal * 3 : deal * 3 + 3].tobytes()
