"""Observations and actions as numbers: exactly what a seat sees and may do, under any rules."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import numpy as np
import pytest

from arbosim.core.errors import UserError
from arbosim.core.registry import resolve
from arbosim.games.arboretum import GAME, api
from arbosim.games.arboretum.encoding import Encoding, encoding, widest
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.rules import Rules

SETTINGS = [(players, case) for players in (2, 3, 4) for case in range(4)]


def setting(players: int, case: int) -> tuple[Rules, random.Random]:
    rng = random.Random(100 * players + case)
    return Rules() if case == 0 else GAME.random_rules(players, rng), rng


def choose(position: Position, rng: random.Random) -> tuple:
    """Prefer the piles, so that games become long, and sometimes grow in one direction only."""
    actions = position.legal_actions
    piles = [action for action in actions if action[0] == "draw" and action[1] != "deck"]
    if actions[0][0] == "play" and position.players % 2:
        return max(actions, key=lambda action: action[2])
    return rng.choice(piles or actions)


@pytest.mark.parametrize(("players", "case"), SETTINGS)
def test_the_mask_has_exactly_the_legal_actions_and_numbers_go_both_ways(players: int, case: int) -> None:
    rules, rng = setting(players, case)
    found = encoding(rules, players)
    position = Position.deal(players, rules, seed=case, deal=players)
    while not position.finished:
        seat = position.current
        view = position.view(seat)
        numbers = np.flatnonzero(found.mask(view))
        actions = [found.action(view, number) for number in numbers]
        assert len(set(actions)) == len(actions)
        assert set(actions) == set(position.legal_actions)
        assert [found.number(view, action) for action in actions] == numbers.tolist()
        for other in range(players):
            seen = found.observe(position.view(other))
            assert seen.dtype == np.int8
            assert ((seen >= 0) & (seen <= found.highest)).all()
            assert other == seat or not found.mask(position.view(other)).any()
        position.play(choose(position, rng))
    assert not any(found.mask(position.view(seat)).any() for seat in range(players))
    assert not found.split(found.observe(position.view(0)))["phase"].any()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_number_stands_for_an_action_of_its_own(players: int) -> None:
    found = encoding(Rules(), players)
    view = Position.deal(players).view(0)
    actions = [found.action(view, number) for number in range(found.actions)]
    assert len(set(actions)) == found.actions
    assert [found.number(view, action) for action in actions] == list(range(found.actions))


@pytest.mark.parametrize(("players", "case"), SETTINGS)
def test_nothing_depends_on_cards_that_the_seat_cannot_see(players: int, case: int) -> None:
    rules, rng = setting(players, case)
    found = encoding(rules, players)
    entrants, slots = [resolve("random", "arboretum")] * players, range(players)
    probe = GAME.probe(rules, entrants, slots, case, 1)
    history: list[int] = []
    others = 0
    while not probe.position.finished:
        if rng.random() < 0.1:
            again = GAME.probe(rules, entrants, slots, case, 1)
            again.deal_again(probe.hide_differently(rng))
            for decision in history:
                again.carry_out(decision)
            seat = probe.position.current
            assert again.position.current == seat
            others += (
                again.position.hands != probe.position.hands or again.position.deck != probe.position.deck
            )
            assert again.position.hands[seat] == probe.position.hands[seat]
            mine, same = probe.position.view(seat), again.position.view(seat)
            assert found.observe(mine).tobytes() == found.observe(same).tobytes()
            assert found.mask(mine).tobytes() == found.mask(same).tobytes()
        history.append(probe.ask())
        probe.carry_out(history[-1])
    assert others  # what the seat cannot see was indeed something else


def test_the_parts_tell_what_lies_on_the_table() -> None:
    position = Position.start(
        deck=["M1", "M2", "M3", "M4"],
        hands=[["C1", "C2", "D5"], ["J4", "J5", "J6"]],
        discards=[[], ["D7", "D8"]],
        rules=Rules(hand_size=3),
    )
    for action in [("draw", 1), ("draw", 1), ("play", "C2", 0, 0), ("discard", "C1")]:
        position.play(action)
    for action in [("draw", "deck"), ("draw", 0), ("play", "J4", 0, 0), ("discard", "J5")]:
        position.play(action)
    for action in [("draw", "deck"), ("draw", 1), ("play", "D8", -1, 0), ("discard", "D5")]:
        position.play(action)
    found = encoding(position.rules, 2)
    parts = found.split(found.observe(position.view(1)))
    assert parts["phase"].tolist() == [1, 0, 0]
    assert parts["current"].tolist() == [1, 0]  # me
    assert parts["seat"].tolist() == [0, 1]
    assert (parts["turn"], parts["draws_left"], parts["deck"]) == (3, 2, 2)
    assert parts["hands"].tolist() == [3, 3]
    place = {str(card): i for i, card in enumerate(found.cards)}

    def card(name: str) -> list[int]:
        return parts["cards"][place[name]].tolist()

    # in my hand; known in hands, mine first; in piles; in arboretums; unseen; depth in its pile
    assert card("J6") == [1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert card("C1") == [1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert card("D7") == [0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert card("J5") == [0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert card("D5") == [0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert card("J4") == [0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert card("C2") == [0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert card("M4") == [0, 0, 0, 0, 0, 0, 0, 1, 0]
    mine, theirs = parts["boards"]
    species = {letter: number for number, letter in enumerate("CDJLGM", 1)}
    assert (mine[0, 1, 1], mine[1, 1, 1]) == (species["J"], 4)
    assert (theirs[0, 1, 1], theirs[1, 1, 1]) == (species["D"], 8)  # the window has moved with it
    assert (theirs[0, 1, 2], theirs[1, 1, 2]) == (species["C"], 2)
    assert np.count_nonzero(parts["boards"]) == 6


def test_buried_discards_are_unseen_where_only_the_top_is_remembered() -> None:
    rules = Rules(hand_size=1, discard_memory="top_only")
    position = Position.start(["M1", "M2"], [["C1"], ["J4"]], [["D7", "D8"], []], rules=rules)
    found = encoding(rules, 2)
    cards = found.split(found.observe(position.view(1)))["cards"]
    place = {str(card): i for i, card in enumerate(found.cards)}
    assert cards[place["D7"]].tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 0]
    assert cards[place["D8"]].tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 1]


def test_the_window_is_as_wide_as_the_longest_game_allows() -> None:
    assert [widest(Rules(), players) for players in (2, 3, 4)] == [17, 14, 13]


def test_a_copy_of_an_encoding_is_the_same_one() -> None:
    found = encoding(Rules(), 2)
    assert pickle.loads(pickle.dumps(found)) is found
    assert api.encoding(Rules(hand_size=6), 2) is not found
    assert isinstance(found, Encoding)


def test_what_makes_no_sense_is_refused() -> None:
    found = encoding(Rules(), 2)
    view = Position.deal().view(0)
    with pytest.raises(UserError, match="actions are numbered 0 to 15602, not 15603"):
        found.action(view, found.actions)
    with pytest.raises(UserError, match="not -1"):
        found.action(view, -1)
    with pytest.raises(UserError, match="is no action"):
        found.number(view, ("keep", "C1"))
    with pytest.raises(UserError, match="W1 is not in this game"):
        found.number(view, ("discard", "W1"))
    with pytest.raises(UserError, match="there is no seat 2"):
        found.number(view, ("draw", 2))
    with pytest.raises(UserError, match="outside the window"):
        found.number(view, ("play", "C1", 18, 0))
    with pytest.raises(UserError, match="other rules or another number of players"):
        found.observe(Position.deal(3).view(0))
    with pytest.raises(UserError, match="other rules"):
        found.mask(Position.deal(rules=Rules(hand_size=6)).view(0))
    with pytest.raises(UserError, match="2 to 4 players"):
        encoding(Rules(), 5)


def test_the_page_tells_the_sizes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "envs.md").read_text(encoding="utf-8")
    for players in (2, 3, 4):
        found = encoding(Rules(), players)
        sizes = players, len(found.cards), found.side, f"{found.actions:,}", f"{len(found.highest):,}"
        assert f"| {' | '.join(map(str, sizes))} |" in page
