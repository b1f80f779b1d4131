import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.core.errors import UserError
from arbosim.core.strategy import Parameter, Strategy, first_paragraph, from_class

KEEP = Parameter("keep", 3, 0, 7, "cards to keep")
WEIGHT = Parameter("weight", 0.5, 0, 2, "weight of the hand")
DENY = Parameter("deny", True, meaning="takes what others need", ability=True)


def decide(table, seat):
    return 0


def strategy(**changes):
    given = {"name": "hoarder", "game": "toy", "kind": "compiled", "entry": decide}
    return Strategy(**given | {"parameters": (KEEP, WEIGHT, DENY)} | changes)


@given(st.integers(0, 7))
def test_whole_numbers_round_trip(value):
    assert KEEP.parse(KEEP.format(value)) == value


@given(st.floats(0, 2))
def test_numbers_round_trip(value):
    assert WEIGHT.parse(WEIGHT.format(value)) == value


@pytest.mark.parametrize(
    ("text", "value"), [("on", True), ("OFF", False), ("true", True), ("no", False), ("0", False)]
)
def test_a_switch_has_several_names(text, value):
    assert DENY.parse(text) is value
    assert DENY.parse(DENY.format(value)) is value


@pytest.mark.parametrize("parameter", [KEEP, WEIGHT, DENY])
@pytest.mark.parametrize("text", ["", "8", "-1", "nan", "inf", "-inf", "three", "1e9"])
def test_what_does_not_fit_is_refused(parameter, text):
    with pytest.raises(UserError, match=f"parameter '{parameter.name}' takes"):
        parameter.parse(text)


@pytest.mark.parametrize("value", [True, 2.5, "3", None, [3]])
def test_a_whole_number_is_no_other_type(value):
    with pytest.raises(UserError, match="a whole number from 0 to 7"):
        KEEP.check(value)


def test_values_get_the_type_of_the_default():
    assert type(KEEP.check(3.0)) is int
    assert type(WEIGHT.check(1)) is float


def test_a_default_lies_in_its_own_range():
    with pytest.raises(UserError, match="default"):
        Parameter("keep", 9, 0, 7)
    with pytest.raises(UserError, match="ability"):
        Parameter("deny", 1, ability=True)
    with pytest.raises(UserError, match="tuned"):
        Parameter("deny", True, tune=True)
    with pytest.raises(UserError, match="budget"):
        Parameter("rollouts", 0.5, budget=True)
    for wrong in ({"default": True}, {"default": 0.0, "low": -1}, {"default": 1, "tune": True}):
        with pytest.raises(UserError, match="clock"):
            Parameter("ms", clock=True, **wrong)
    with pytest.raises(UserError, match="identifier"):
        Parameter("two words", 1)


def test_an_entrant_shows_only_what_differs_from_the_default_in_declared_order():
    entrant = strategy().entrant({"deny": "off", "keep": 3, "weight": "1.50"})
    assert entrant.spec == "hoarder:weight=1.5:deny=off"
    assert entrant.values == (3, 1.5, False)
    assert entrant.settings == {"keep": 3, "weight": 1.5, "deny": False}


def test_games_repeat_unless_a_clock_is_set():
    timed = strategy(parameters=(Parameter("rollouts", 8, 1, 64), Parameter("ms", 0, 0, 50, clock=True)))
    assert timed.entrant().repeats
    assert timed.entrant({"rollouts": 9}).repeats
    assert not timed.entrant({"ms": 5}).repeats
    assert strategy().entrant({"weight": 2}).repeats


def test_an_unknown_parameter_is_answered_by_the_nearest():
    with pytest.raises(UserError, match="did you mean 'weight'"):
        strategy().entrant({"wieght": 1})


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "two words"},
        {"name": "mine.py"},
        {"name": ""},
        {"status": "great"},
        {"parameters": (KEEP, KEEP)},
    ],
)
def test_a_senseless_definition_is_refused(changes):
    with pytest.raises(UserError):
        strategy(**changes)


class LongWalk:
    """Walks far.

    And tells nobody.
    """

    __arbosim_game__ = "toy"
    parameters = (KEEP,)
    weakness = "short walks"


def test_a_class_is_its_own_definition():
    found = from_class(LongWalk)
    assert (found.name, found.game, found.kind, found.entry) == ("long_walk", "toy", "python", LongWalk)
    assert (found.idea, found.weakness, found.status) == ("Walks far.", "short walks", "user")
    assert found.parameters == (KEEP,)


def test_a_first_paragraph_is_one_line():
    assert first_paragraph("\n    One\n    idea.\n\n    More.\n") == "One idea."
    assert first_paragraph(None) == ""


def test_the_source_hash_is_that_of_the_file():
    assert strategy().source_hash == from_class(LongWalk).source_hash
    assert len(strategy().source_hash) == 32


def make(body):
    space = {"__name__": "nowhere"}
    exec(f"def decide(table, seat):\n    return {body}", space)
    return strategy(entry=space["decide"])


def test_code_without_a_file_has_a_hash_that_follows_the_code():
    assert make("1").source_hash == make("1").source_hash
    assert make("1").source_hash != make("2").source_hash
    assert make("(lambda: 1)()").source_hash != make("(lambda: 2)()").source_hash


def test_an_entrant_in_memory_travels_by_value():
    entrant = strategy().entrant({"keep": 5})
    assert pickle.loads(pickle.dumps(entrant)) == entrant
