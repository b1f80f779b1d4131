"""Amounts as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.report import amounts


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ((-0.012, "win share", -0.019, -0.005), "-1.2 percentage points of win share (-1.9 to -0.5)"),
        ((0.0112, "0 to 1", 0.0096, 0.0128), "+1.12 percentage points (0.96 to 1.28)"),
        ((12345.6, "deals", 12000.0, 12700.0), "+12,346 deals (12,000 to 12,700)"),
        ((0.5, "points", None, None), "+0.500 points"),
        ((0.0, "points", 0.0, 0.0), "0 points"),
        ((-0.0001, "points", -0.5, 0.5), "0.0 points (-0.5 to 0.5)"),
        ((None, "points", None, None), "-"),
    ],
)
def test_differences_have_a_sign_a_unit_and_an_interval(given, written):
    assert amounts.difference(*given) == written


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ((0.531, "0 to 1", 0.524, 0.538), "53.1 % (52.4 to 53.8)"),
        ((1.25, "strategies"), "1.25 strategies"),
        ((0.7, "", 0.5, 0.9), "0.70 (0.50 to 0.90)"),
        ((None, "0 to 1"), "-"),
    ],
)
def test_values_have_a_unit_and_an_interval(given, written):
    assert amounts.value(*given) == written


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (0.0021, "p = 0.0021"),
        (0.25, "p = 0.25"),
        (0.0346, "p = 0.035"),
        (0.04999, "p = 0.049"),
        (0.05, "p = 0.050"),
        (1.0, "p = 1.0"),
        (0.00001, "p below 0.0001"),
        (None, "-"),
    ],
)
def test_p_values_have_two_digits_and_none_is_said_to_be_nothing_or_0_05_by_rounding(given, written):
    assert amounts.p_value(given) == written


@given(
    value=st.floats(-1e6, 1e6),
    half=st.none() | st.floats(0, 1e6),
    unit=st.sampled_from(["0 to 1", "win share", "points", "turns", ""]),
)
def test_amounts_say_the_numbers_to_the_digits_that_intervals_bear_out(value, half, unit):
    low, high = (None, None) if half is None else (value - half, value + half)
    written = amounts.difference(value, unit, low, high, bare=True)
    first = float(written.split(" (")[0].replace(",", ""))
    size = abs(value) / 30 if not half or low == high else half
    smallest = 10.0**-amounts.MOST_DIGITS
    assert abs(first - amounts.factor(unit) * value) <= max(amounts.factor(unit) * size / 2, smallest, 0.5)
    assert not written.startswith(("+0 ", "-0 ", "-0.0 ", "+0.0 "))
    assert ("(" in written) == (half is not None and not (value == 0 and half == 0))
