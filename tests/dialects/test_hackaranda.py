"""The dialect hackaranda: which rules it has words for, which moves are understood, and whose coordinates count."""

import pytest

from arbosim.core.errors import UserError
from arbosim.core.game import GameError, MistakeError
from arbosim.games.arboretum.actions import code_of_action
from arbosim.games.arboretum.cards import Card
from arbosim.games.arboretum.dialects import DIALECTS
from arbosim.games.arboretum.dialects.hackaranda import letters
from arbosim.games.arboretum.dialects.speaker import RANDOM
from arbosim.games.arboretum.rules import Rules, make_rules
from arbosim.games.arboretum.seating import Seating
from tests.dialects.talks import Talk, entrant, talk

RULES = make_rules("renegade2018", {"species": "CJMORW"})
DIALECT = DIALECTS["hackaranda"]


@pytest.mark.parametrize(
    ("changes", "players", "reason"),
    [
        ({}, 3, "2 players, not for 3"),
        ({"species": 7}, 2, "6 species, not for 7"),
        ({"draws": 3}, 2, "2 draws, not 3"),
        ({"values": 9}, 2, "up to 8, not to 9"),
        ({"discard_memory": "top_only"}, 2, "discard_memory must be 'all'"),
        ({"hand_size": 12, "values": 2}, 2, "the deal leaves no card"),
    ],
)
def test_rules_without_words_are_refused(changes, players, reason):
    with pytest.raises(UserError, match=reason):
        DIALECT.check(make_rules(None, changes), players)


@pytest.mark.parametrize(
    "changes", [{}, {"species": "ABD"}, {"hand_size": 5, "values": 7}, {"extra_card": "all"}]
)
def test_other_rules_are_told(changes):
    DIALECT.check(make_rules(None, changes), 2)


def test_species_go_by_names_that_bots_know():
    assert "".join(letters(RULES).values()) == "CJMORW"
    # cassia, jacaranda and maple as they are; dogwood, lilac and magnolia by what is left of J R C M O W
    assert "".join(letters(Rules()).values()) == "CRJOWM"


def new_talk(rules=RULES):
    return Talk("hackaranda", rules, [lambda message: {"messageID": message["messageID"]}] * 2,
                Seating(rules, [entrant("random")] * 2, range(2), 1, 0))  # fmt: skip


def read(move, draws=0):
    spoken = new_talk()
    for _ in range(draws):
        spoken.carry_out(4)
    return spoken.speakers[0].read({"move": move}, spoken.buffers.tables[0], spoken.buffers.seats[0])


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (0, 4),
        (1, 0),
        (2, 1),
        ({"card": ["J", 4], "coord": [0, 0]}, code_of_action(("play", Card("J", 4), 0, 0))),
        (["W", 8], code_of_action(("discard", Card("W", 8)))),
        ("RANDOM", RANDOM),
    ],
)
def test_moves_are_understood(move, code):
    assert read(move) == code


@pytest.mark.parametrize(
    "move",
    [None, 3, -1, True, 0.5, "0", [], ["J"], ["J", "4"], ["D", 4], ["J", 9], ["J", True], {}, {"card": ["J", 4]},
     {"card": ["J", 4], "coord": [0]}, {"card": ["J", 4], "coord": [0, None]}, {"card": "J4", "coord": [0, 0]},
     {"card": ["J", 4], "coord": [10**7, 0]}],
)  # fmt: skip
def test_what_is_no_move_is_nonsense(move):
    with pytest.raises(MistakeError) as caught:
        read(move, draws=2)
    assert caught.value.kind == "nonsense"


def test_an_answer_without_a_move_is_nonsense():
    spoken = new_talk()
    with pytest.raises(MistakeError, match='has no "move"'):
        spoken.speakers[0].read({"turn": 1}, spoken.buffers.tables[0], spoken.buffers.seats[0])


def lay(spoken, coord, card=0):
    """Let the current seat lay a card of its hand, and throw the first one away, after two draws from the deck."""
    table, seat = spoken.buffers.tables[0], spoken.position.current
    record, speaker = spoken.buffers.seats[seat], spoken.speakers[seat]
    spoken.carry_out(4)
    spoken.carry_out(4)
    said = speaker.decision(table, record, spoken.known_to(seat))["state"]
    spoken.carry_out(speaker.read({"move": {"card": said["hand"][card], "coord": coord}}, table, record))
    shown = speaker.decision(table, record, spoken.known_to(seat))["state"]
    spoken.carry_out(speaker.read({"move": said["hand"][8]}, table, record))
    return shown


def test_the_first_card_lies_where_the_program_put_it():
    spoken = new_talk()
    shown = lay(spoken, [3, -2])
    assert list(shown["playArea"]) == ["3"]
    assert list(shown["playArea"]["3"]) == ["-2"]
    assert shown["previousTurn"]["move"]["coord"] == (3, -2)
    lay(spoken, [0, 0])
    other = spoken.speakers[1].idle(spoken.buffers.tables[0], spoken.buffers.seats[1], spoken.done)["state"]
    assert list(other["opponentPlayArea"]) == ["0"]
    shown = lay(spoken, [4, -2])
    assert sorted(shown["playArea"]) == ["3", "4"]
    assert list(spoken.position.arboretums[0]) == [(0, 0), (1, 0)]


def test_a_random_first_card_lies_on_the_origin():
    spoken = new_talk()
    spoken.carry_out(4)
    spoken.carry_out(4)
    table, record = spoken.buffers.tables[0], spoken.buffers.seats[0]
    speaker = spoken.speakers[0]
    answered = speaker.read({"move": {"card": ["J", 8], "coord": [5, 5]}}, table, record)
    legal = [spoken.position.code_of(action) for action in spoken.position.legal_actions]
    spoken.carry_out(next(code for code in legal if code != answered))
    assert speaker.decision(table, record, spoken.done)["state"]["playArea"].keys() == {"0"}


def test_both_seats_are_told_before_every_decision():
    entrants = [entrant("greedy")] * 2
    spoken = talk("hackaranda", RULES, entrants)
    spoken.play()
    states = [[said["state"] for seat, said in spoken.said if seat == p] for p in range(2)]
    assert len(states[0]) == len(states[1]) == len(spoken.position.actions) + 2
    for mine, other in zip(states[0][1:-1], states[1][1:-1], strict=True):
        assert mine["activeTurn"] != other["activeTurn"]
        assert mine["showPreviousTurn"] == (mine["activeTurn"] == (mine["subTurn"] == 0))
        assert (mine["turn"], mine["subTurn"], mine["deck"]) == (
            other["turn"],
            other["subTurn"],
            other["deck"],
        )
        assert mine["discard"] == other["opponentDiscard"]
        assert mine["playArea"] == other["opponentPlayArea"]
        assert len(mine["opponentHand"]) == len(other["hand"])
        assert all(card is None or card in other["hand"] for card in mine["opponentHand"])
        idle = other if mine["activeTurn"] else mine
        if idle["previousTurn"]["move"] == 0 and idle["subTurn"]:
            assert idle["previousTurn"]["metaData"] is False
    assert states[0][0] == {"message": "NEWGAME", "gameNumber": 1, "round": "arbosim"}
    ends = states[0][-1], states[1][-1]
    totals = [player.total for player in spoken.position.score().players]
    assert [(end["score"], end["opponentScore"]) for end in ends] == [tuple(totals), tuple(totals[::-1])]
    assert ends[0]["finalState"] == ends[1]["finalState"]
    final = ends[0]["finalState"]
    assert (final["deck"], final["subTurn"], final["turn"]) == ([], 0, spoken.position.turn)
    assert final["previousTurn"] == list(spoken.position.actions[-1][1])


@pytest.mark.parametrize(("winners", "results"), [(0b01, (0, 1)), (0b10, (1, 0)), (0b11, (2, 2))])
@pytest.mark.parametrize("error", [None, GameError("bot", 0, 0, 1, 0, "silent", "no answer")])
def test_results_are_told_from_both_sides(winners, results, error):
    spoken = talk("hackaranda", RULES, [entrant("random")] * 2)
    spoken.play()
    for speaker, result in zip(spoken.speakers, results, strict=True):
        told = speaker.end(spoken.buffers.tables[0], spoken.buffers.hiddens[0], winners, error)["state"]
        assert (told["message"], told["result"]) == ("ENDGAME", result)
        assert (told["score"] == told["opponentScore"] == 0) or error is None


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"state": {}}, 'a "state" and a "messageID"'),
        ({"messageID": "a"}, 'a "state" and a "messageID"'),
        ({"messageID": "a", "state": {"turn": 0}}, "state: .* is missing, or unknown"),
        ({"messageID": "a", "state": {"turn": "x", "activeTurn": True}}, "state: TypeError"),
    ],
)
def test_what_is_no_message_is_refused(message, reason):
    with pytest.raises(UserError, match=reason):
        DIALECT.listener(entrant("greedy"), 1).hear(message)


def state(**changes):
    return {
        "deck": 20,
        "hand": [["J", 1], ["J", 2], ["J", 3], ["J", 4], ["J", 5], ["J", 6], ["J", 7], ["C", 1], ["C", 2]],
        "opponentHand": [None] * 7,
        "discard": [],
        "opponentDiscard": [],
        "playArea": {"5": {"5": ["M", 2], "6": ["M", 3]}},
        "opponentPlayArea": {"0": {"0": ["R", 1]}, "7": {"7": ["R", 2]}},
        "turn": 4,
        "subTurn": 2,
        "activeTurn": True,
        "previousTurn": {"move": False, "metaData": False},
        "showPreviousTurn": False,
        "opponent": "",
    } | changes


def test_a_game_may_be_joined_at_any_point():
    """Whatever lies on the table, even cards apart, as the framework lets them, the answer has its coordinates."""
    listener = DIALECT.listener(entrant("greedy"), 1)
    move = listener.hear({"messageID": "a", "state": state()})["move"]
    assert move["card"] in state()["hand"]
    x, y = move["coord"]
    assert min(abs(x - 5) + abs(y - 5), abs(x - 5) + abs(y - 6)) == 1
    assert listener.hear({"messageID": "b", "state": state(activeTurn=False)}) == {
        "move": 0,
        "messageID": "b",
    }
