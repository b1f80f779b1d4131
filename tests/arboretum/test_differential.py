"""Games for random rule sets, replayed by the reference: every option, every score, every winner."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from arbosim.core.errors import UserError
from arbosim.core.registry import game, resolve
from arbosim.games.arboretum.columns import METRICS
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.reference import ReferenceGame, ReferenceScore
from arbosim.games.arboretum.reference import metrics as reference_metrics
from arbosim.games.arboretum.rules import Rules, check, make_rules
from arbosim.match.single import Seats, play_seats
from tests.arboretum.judges import as_reference

NAMES = [metric.name for metric in METRICS]
field_values: dict[str, st.SearchStrategy[object]] = {
    "species": st.none()
    | st.integers(2, 12)
    | st.sets(st.sampled_from("CDJLGMOVRWAB"), min_size=2).map(sorted),
    "values": st.integers(2, 10),
    "hand_size": st.integers(1, 12),
    "draws": st.integers(1, 4),
    "start_discard": st.sampled_from(["all_but_first", "none", "all"]),
    "extra_card": st.sampled_from(["none", "first", "all_but_first", "all"]),
    "eight_rule": st.sampled_from(["one_cancels", "off", "always_zero"]),
    "mono_bonus": st.booleans(),
    "mono_min": st.integers(2, 10),
    "one_bonus": st.integers(0, 5),
    "top_bonus": st.integers(0, 5),
    "min_path": st.integers(2, 5),
    "right": st.sampled_from(["highest_sum", "most_cards", "always"]),
    "tied_right": st.sampled_from(["all", "nobody"]),
    "discard_memory": st.sampled_from(["all", "top_only"]),
    "equal_turns": st.booleans(),
}


@st.composite
def rule_sets(draw: st.DrawFn) -> tuple[Rules, int]:
    """Draw a rule set, most fields away from the standard, and a number of players that can play by it."""
    rules = make_rules(None, draw(st.fixed_dictionaries({}, optional=field_values)))
    players = draw(st.integers(2, 4))
    try:
        check(rules, players)
    except UserError:
        assume(False)
    return rules, players


def begin_both(rules: Rules, players: int, seed: int, deal: int) -> tuple[Position, ReferenceGame]:
    """Start a deal of the engine, and the same cards with the reference, dealt by its own rules."""
    position = Position.deal(players, rules, seed, deal)
    assert position.dealt is not None
    deck, hands, discards = position.dealt
    pack = [card for hand in hands for card in hand] + [card for pile in discards for card in pile] + deck
    return position, ReferenceGame.deal(players, rules, pack)


def agree(position: Position, reference: ReferenceGame) -> None:
    """Compare everything that both can see."""
    assert position.finished == reference.finished
    assert position.turn == reference.turn
    assert position.deck == reference.deck
    assert position.discards == reference.discards
    assert [sorted(hand) for hand in position.hands] == [sorted(hand) for hand in reference.hands]
    assert position.arboretums == reference.boards
    assert position.sources == reference.sources()
    for seat in range(position.players):
        assert position.open_cells_of(seat) == reference.open_cells(seat)
    if not position.finished:
        assert (position.current, position.phase) == (reference.current, reference.phase)
    assert sorted(map(str, position.legal_actions)) == sorted(map(str, reference.options()))


def same_score(position: Position, reference: ReferenceScore) -> None:
    assert as_reference(position.score()) == reference


@given(rule_sets(), st.integers(0, 2**64 - 1), st.integers(0, 10**12), st.randoms(use_true_random=False))
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
def test_random_games_agree_at_every_decision(
    drawn: tuple[Rules, int], seed: int, deal: int, chance: object
) -> None:
    rules, players = drawn
    position, reference = begin_both(rules, players, seed, deal)
    largest = max(rules.dealt_hand(seat) for seat in range(players)) + rules.draws
    while not position.finished:
        agree(position, reference)
        action = chance.choice(position.legal_actions)  # type: ignore[attr-defined]
        position.play(action)
        reference.apply(action)
        assert max(map(len, position.hands)) <= largest
    agree(position, reference)
    same_score(position, reference.score())
    for board in position.arboretums:
        assert len(board) <= 60


@given(rule_sets(), st.integers(0, 2**64 - 1), st.integers(0, 10**12), st.sampled_from(["random", "greedy"]))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
def test_rows_of_the_engine_are_what_the_reference_says(
    drawn: tuple[Rules, int], seed: int, deal: int, strategy: str
) -> None:
    rules, players = drawn
    arboretum = game("arboretum")
    line_up = [resolve("random", "arboretum")] * (players - 1) + [resolve(strategy, "arboretum")]
    line_up.sort(key=lambda entrant: entrant.spec)
    chunk = arboretum.play_chunk(rules, players, line_up, seed, deal, 1, strict=True)
    assert chunk.errors == []
    for rotation in range(players):
        row = chunk.rows[rotation]
        played = play_seats(arboretum, rules, Seats.of_line_up(line_up, rotation), seed, deal)
        assert {name: int(row[name]) for name in played.result} == played.result
        _, reference = begin_both(rules, players, seed, deal)
        for action in played.position.actions:
            assert action in reference.options()
            reference.apply(action)
        score = reference.score()
        assert reference.finished
        assert int(row["turns"]) == reference.turn
        assert [int(row[f"score_{seat}"]) for seat in range(players)] == score.totals
        assert [int(row[f"points_{seat}"]) for seat in range(players)] == [
            sum(p.values()) for p in score.points
        ]
        assert [int(row[f"kinds_{seat}"]) for seat in range(players)] == score.kinds
        assert [seat for seat in range(players) if row["winners"] >> seat & 1] == score.winners
        expected = reference_metrics(reference)
        assert [{name: int(row[f"{name}_{seat}"]) for name in NAMES} for seat in range(players)] == expected
        same_score(played.position, score)


@pytest.mark.jitoff
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_standard_game_agrees(players: int) -> None:
    import random

    position, reference = begin_both(Rules(), players, 1, 0)
    chance = random.Random(players)
    while not position.finished:
        agree(position, reference)
        action = chance.choice(position.legal_actions)
        position.play(action)
        reference.apply(action)
    same_score(position, reference.score())
