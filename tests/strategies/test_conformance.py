"""Every strategy of the zoo keeps to all that a strategy must; a planted mistake fails the check made for it."""

from pathlib import Path

import pytest

from arbosim.core import registry
from arbosim.match.conformance import run_all_checks

PLANTED = {
    "peeker": "no peeking",
    "hashed": "reproducible",
    "keeper": "no state kept",
    "scribbler": "table untouched",
    "overreacher": "within its records",
    "stale": "no state kept",
    "wrapping": "same without the compiler",
    "outlaw": "legal",
}
ZOO = [
    *registry.strategies("arboretum"),
    # bans that change what of the records is read
    "balanced:counts=off:mono=off",
    "counter:counts=off",
]


@pytest.fixture(scope="module")
def planted():
    folder = Path(__file__).parent / "planted"
    entrants = {name: registry.resolve(str(folder / f"{name}.py"), "arboretum") for name in PLANTED}
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
