"""Parameters and the unit cube."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.core.errors import UserError
from arbosim.core.strategy import Parameter, Strategy
from arbosim.tuning.space import Space, space

AIM = Parameter("aim", 0.5, -2.0, 3.0, tune=True)
STEPS = Parameter("steps", 4, 1, 6, tune=True)
SPACE = Space((AIM, STEPS))


def planted(*parameters):
    return Strategy("planted", "arboretum", "python", object, parameters)


@given(st.floats(-2.0, 3.0), st.integers(1, 6))
def test_values_come_back_to_four_digits(aim, steps):
    found = SPACE.values(SPACE.point({"aim": aim, "steps": steps}))
    assert found["steps"] == steps
    assert found["aim"] == pytest.approx(aim, rel=5.01e-4, abs=1e-12)
    assert found["aim"] == float(f"{found['aim']:.4g}")


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=2))
def test_every_point_of_the_cube_has_values_that_the_parameters_accept(point):
    found = SPACE.values(point)
    assert AIM.check(found["aim"]) == found["aim"]
    assert STEPS.check(found["steps"]) == found["steps"]
    assert isinstance(found["steps"], int)


def test_whole_values_share_their_side_evenly_and_bounds_stay_bounds_when_rounded():
    places = np.linspace(0, 1, 6001)[:-1]
    counts = np.unique([SPACE.values((0.0, place))["steps"] for place in places], return_counts=True)
    assert counts[0].tolist() == [1, 2, 3, 4, 5, 6]
    assert np.ptp(counts[1]) <= 1
    narrow = Space((Parameter("x", 3.14155, 3.14151, 3.14159, tune=True),))
    assert [narrow.values((place,))["x"] for place in (0.0, 1.0)] == [3.14159, 3.14159]


def test_what_is_tuned_is_marked_or_named():
    strategy = planted(AIM, Parameter("deep", 1.0), STEPS)
    assert space(strategy).names == ["aim", "steps"]
    assert space(strategy, ["steps", "deep"]).names == ["deep", "steps"]


def test_what_cannot_be_tuned_is_refused_all_at_once():
    strategy = planted(
        AIM,
        Parameter("bold", True),
        Parameter("rollouts", 8, 1, 64, budget=True),
        Parameter("ms", 8, 0, 64, clock=True),
        Parameter("fixed", 2, 2, 2),
    )
    with pytest.raises(UserError) as error:
        space(strategy, ["ami", "bold", "rollouts", "ms", "fixed", "aim", "aim"], "--parameters")
    lines = str(error.value).splitlines()
    assert len(lines) == 6
    told = ("did you mean 'aim'", "is a switch", "is a budget", "is a clock", "one value only", "named twice")
    for part in told:
        assert sum(part in line for line in lines) == 1


def test_a_strategy_without_marks_is_told_what_to_do():
    with pytest.raises(UserError, match=r"tune=True\); --parameters names some of: deep"):
        space(planted(Parameter("deep", 1.0), Parameter("bold", True)), None, "--parameters")
    with pytest.raises(UserError, match="no parameter that could be tuned"):
        space(planted(Parameter("bold", True)), None, "--parameters")
