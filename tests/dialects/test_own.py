"""The dialect arbosim: what answers are understood, what messages are, and what is remembered between them."""

import pytest

from arbosim.core.errors import UserError
from arbosim.core.game import MistakeError
from arbosim.games.arboretum import api
from arbosim.games.arboretum.dialects import DIALECTS
from arbosim.games.arboretum.dialects.speaker import RANDOM
from arbosim.games.arboretum.rules import Rules
from tests.dialects.talks import entrant, talk

ANYONE = [entrant("greedy")] * 2


class Breaker(api.Strategy):
    """Raises in its second turn, and lays cards where none may lie."""

    def draw(self, view):
        if view.turn > 1:
            raise ValueError("nothing comes to mind")
        return "deck"

    def play(self, view):
        return view.hand[0], (700, 0) if view.me else (0, 0)

    def discard(self, view):
        return view.hand[0]


def read(answer, draws=0):
    spoken = talk("arbosim", Rules(), ANYONE)
    for _ in range(draws):
        spoken.carry_out(4)
    return spoken.speakers[0].read(answer, spoken.buffers.tables[0], spoken.buffers.seats[0])


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (["draw", "deck"], 4),
        (["draw", 1], 1),
        (["play", "J4", 0, 0], 0x1000000 | 0x24 << 16 | 8256),
        (["play", "J4", 1, -1], 0x1000000 | 0x24 << 16 | 8256 + 1 - 128),
        (["discard", "J4"], 0x100 | 0x24),
        ("random", RANDOM),
    ],
)
def test_answers_are_understood(action, code):
    assert read({"id": 1, "action": action}) == code


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"move": 0},
        {"action": None},
        {"action": "deck"},
        {"action": []},
        {"action": ["draw"]},
        {"action": ["draw", True]},
        {"action": ["draw", 1.0]},
        {"action": ["play", "J4", "0", "0"]},
        {"action": ["play", ["J", 4], 0, 0]},
        {"action": ["play", "J44", 0, 0]},
        {"action": ["discard", None]},
        {"action": {"draw": "deck"}},
    ],
)
def test_what_is_no_action_is_nonsense(answer):
    with pytest.raises(MistakeError) as caught:
        read(answer)
    assert caught.value.kind == "nonsense"


@pytest.mark.parametrize(
    ("action", "draws", "reason"),
    [
        (["draw", 9], 0, "there is no source 9"),
        (["draw", -1], 0, "there is no source -1"),
        (["draw", 10**30], 0, "there is no source 1000"),
        (["play", "J4", 10**30, 0], 0, "asked for a draw, not for a play"),
        (["play", "J4", 128, 0], 2, "is not where an arboretum begins"),
    ],
)
def test_what_has_no_number_is_illegal_in_words(action, draws, reason):
    with pytest.raises(MistakeError, match=reason) as caught:
        read({"action": action}, draws)
    assert caught.value.kind == "illegal"


def test_an_error_is_a_mistake_of_the_program():
    with pytest.raises(MistakeError) as caught:
        read({"error": "no\n idea" + 1000 * "!"})
    assert caught.value.kind == "raised"
    assert str(caught.value) == "no idea" + 493 * "!"


def test_mistakes_of_a_strategy_are_answered_in_words():
    spoken = talk("arbosim", Rules(), [entrant(Breaker)] * 2)
    with pytest.raises(MistakeError, match=r"cell \(700, 0\) is not where an arboretum begins"):
        spoken.play()
    assert spoken.position.turn == 1
    spoken.position.play_code(spoken.position.code_of(spoken.position.legal_actions[0]))
    while spoken.position.turn == 1:
        spoken.position.play_code(spoken.position.code_of(spoken.position.legal_actions[0]))
    with pytest.raises(MistakeError, match=r"ValueError: nothing comes to mind \(test_own.py, line \d+\)"):
        spoken.play()


def test_what_was_done_is_told_once_and_hides_cards():
    spoken = talk("arbosim", Rules(), [entrant("random")] * 3)
    spoken.play()
    told = [said["state"]["done"] for seat, said in spoken.said if seat == 1 and said["type"] == "decide"]
    whole = [[seat, action] for done in told for seat, action in done]
    actions = [[list(map(str, action))] for action in spoken.position.actions]
    assert [[list(map(str, action))] for _, action in whole] == actions[: len(whole)]
    assert {len(action) for _, action in whole if action[0] == "draw"} == {2}


HELLO = {"id": 1, "type": "hello", "protocol": "arbosim", "version": 1, "game": "arboretum"}
NEW = {"id": 2, "type": "new_game", "players": 2, "seat": 0, "rules": {}, "random": "00" * 16}


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([{"type": "hello"}], 'a message has an "id"'),
        ([HELLO | {"version": 2}], "version: the other side says 2, not 1"),
        ([HELLO | {"game": "chess"}], "game: the other side says 'chess'"),
        ([{"id": 1, "type": "helo"}], "unknown type 'helo'; did you mean 'hello'"),
        ([{"id": 1}], "unknown type"),
        ([{"id": 1, "type": "decide", "state": {}}], "a game begins with new_game"),
        ([NEW | {"rules": {"hand_sise": 3}}], "hand_size"),
        ([NEW | {"seat": 2}], "there is no seat 2"),
        ([NEW | {"random": "xyz"}], "new_game: ValueError"),
        ([NEW | {"random": "00"}], "new_game: ValueError"),
        ([{"id": 2, "type": "new_game"}], "new_game: 'rules' is missing, or unknown"),
        (
            [NEW, {"id": 3, "type": "decide", "state": {"phase": "sleep"}}],
            "state: 'sleep' is missing, or unknown",
        ),
        ([NEW, {"id": 3, "type": "decide", "state": []}], "state: TypeError"),
    ],
)
def test_what_is_no_message_is_refused(messages, reason):
    listener = DIALECTS["arbosim"].listener(ANYONE[0], 0)
    for message in messages[:-1]:
        listener.hear(message)
    with pytest.raises(UserError, match=reason):
        listener.hear(messages[-1])
