"""docs/protocol.schema.json describes everything that is said in the dialect arbosim, and nothing else."""

import json
import random
from pathlib import Path

import jsonschema
import pytest

from arbosim.core.game import GameError
from arbosim.games.arboretum.probe import random_rules
from arbosim.games.arboretum.rules import Rules
from tests.dialects.talks import engine_game, entrant, talk

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "protocol.schema.json").read_text())
RANDOM = entrant("random")


def validator(name):
    return jsonschema.Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{name}"}]})


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_all_fields_of_a_rule_set_are_described():
    assert set(SCHEMA["$defs"]["rules"]["properties"]) == set(Rules.model_fields)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_over_all_kinds_of_rules_are_described(players):
    rng = random.Random(players)
    message, answer = validator("message"), validator("answer")
    for deal in range(2):
        spoken = talk("arbosim", random_rules(players, rng), [RANDOM] * players, deal=deal)
        spoken.play()
        for _, said in spoken.said:
            message.validate(said)
        for _, said in spoken.answers:
            answer.validate(said)
        kinds = [said["type"] for _, said in spoken.said]
        assert set(kinds) == {"hello", "new_game", "decide", "end_game"}


def test_a_forfeited_game_is_described():
    spoken = talk("arbosim", Rules(), [RANDOM] * 2)
    error = GameError("random", 0, 0, 1, 0, "silent", "no answer in 2 s")
    told = spoken.speakers[1].end(spoken.buffers.tables[0], spoken.buffers.hiddens[0], 0b10, error)
    validator("end_game").validate(json.loads(json.dumps({**told, "id": 1})))
    assert told["scores"] is None
    assert told["winners"] == [1]
    assert told["forfeit"] == {"seat": 0, "kind": "silent", "message": "no answer in 2 s"}


@pytest.mark.parametrize(
    "said",
    [
        {"id": 1},
        {"id": 1, "type": "decide", "state": {}},
        {"id": 1, "type": "new_game", "game": 1, "players": 2, "seat": 0},
        {"id": "a", "type": "hello", "protocol": "arbosim", "version": 1, "game": "arboretum"},
    ],
)
def test_other_messages_are_not_described(said):
    assert not validator("message").is_valid(said)


@pytest.mark.parametrize(
    "action", [["draw"], ["draw", 4], ["play", "J4", 0], ["discard", "J11"], "deck", None]
)
def test_what_is_no_action_is_not_described(action):
    assert not validator("answer").is_valid({"id": 1, "action": action})


def test_the_result_is_the_games():
    entrants = [entrant("greedy")] * 2
    spoken = talk("arbosim", Rules(), entrants)
    spoken.play()
    score = engine_game(Rules(), entrants).score()
    for _, said in spoken.said[-2:]:
        assert said["scores"] == [player.total for player in score.players]
        assert said["winners"] == list(score.winners)
        assert [len(hand) for hand in said["hands"]] == [7, 7]
