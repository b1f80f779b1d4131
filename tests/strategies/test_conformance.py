"""Every strategy of the zoo keeps to all that a strategy must; a planted mistake fails the check made for it."""

from pathlib import Path

import pytest

from arbosim.core import registry
from arbosim.match.conformance import run_all_checks

PLANTED = {
    "peeker": "no peeking",
    "hashed": "reproducible",
    "outliver": "reproducible",
    "keeper": "no state kept",
    "scribbler": "table untouched",
    "overreacher": "within its records",
    "stale": "no state kept",
    "wrapping": "same without the compiler",
    "outlaw": "legal",
    "doomsayer": "advice",
    "rambler": "time",
}
ZOO = [
    *registry.strategies("arboretum"),
    # bans that change what of the records is read
    "balanced:counts=off:mono=off",
    "counter:counts=off",
]


FOLDER = Path(__file__).parent / "planted"


@pytest.fixture(scope="module")
def planted():
    entrants = {name: registry.resolve(str(FOLDER / f"{name}.py"), "arboretum") for name in PLANTED}
    found = run_all_checks(list(entrants.values()), games=60)
    return {name: found[entrant.spec] for name, entrant in entrants.items()}


@pytest.fixture(scope="module")
def zoo():
    return run_all_checks([registry.resolve(name, "arboretum") for name in ZOO], games=60)


@pytest.mark.parametrize(("name", "check"), PLANTED.items())
def test_a_planted_mistake_fails_its_check_and_no_other(planted, name, check):
    assert {result.name: result.message for result in planted[name] if not result.ok}.keys() == {check}


@pytest.mark.parametrize("name", ZOO)
def test_the_zoo_keeps_to_all(zoo, name):
    assert not [result for result in zoo[name] if not result.ok]


def test_a_long_thinker_is_checked_with_the_least_of_its_budget_and_timed_with_all():
    entrants = [
        registry.resolve(f"{FOLDER / 'ponderer.py'}{setting}", "arboretum") for setting in ("", ":rounds=1")
    ]
    found = run_all_checks(entrants, games=20)
    long, short = ({result.name: result for result in found[entrant.spec]} for entrant in entrants)
    assert all(result.ok for result in (*long.values(), *short.values()))
    assert {name for name, result in long.items() if not result.message.endswith(" (with rounds=1)")} == {
        "advice",  # which it does not give
        "time",
    }
    assert not any("rounds" in result.message for result in short.values())
    assert long["time"].message.endswith(" seconds a decision")
    assert short["time"].message.endswith(" microseconds a decision")


def test_a_mistake_that_only_long_thought_makes_is_told(planted):
    message = next(result.message for result in planted["rambler"] if not result.ok)
    assert message.startswith("with the budget that it is given, illegal: ")


def test_who_says_what_it_expects_is_asked(zoo):
    for name in ZOO:
        [advice] = [result for result in zoo[name] if result.name == "advice"]
        advises = registry.resolve(name, "arboretum").strategy.appraise is not None
        assert advice.made == advises
        assert advice.message.startswith("does not apply: ") != advises


def test_what_compares_nothing_is_not_said_to_be_fine(planted):
    made = {result.name for result in planted["scribbler"] if result.made}
    assert "table untouched" in made
    for results in planted.values():
        for result in results:
            assert result.made == (not result.message.startswith(("does not apply: ", "not checked: ")))
            assert not result.message.startswith("0 ")
