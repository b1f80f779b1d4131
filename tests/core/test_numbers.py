import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.core.numbers import counted, number, whole


@given(st.integers(-(10**30), 10**30))
def test_a_whole_number_comes_back(value):
    assert whole(str(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_comes_back(value):
    assert number(repr(value)) == value


@pytest.mark.parametrize(
    "text", ["", "1_0", "٣", " 1", "1 ", "+1", "0x1", "inf", "nan", "1" * 5000, "-", ".", "1\n"]
)
@pytest.mark.parametrize("read", [whole, number])
def test_what_python_also_takes_is_refused(read, text):
    with pytest.raises(ValueError):
        read(text)


def test_one_is_no_plural():
    assert [counted(n, "deal") for n in (0, 1, 2, 1000)] == ["0 deals", "1 deal", "2 deals", "1,000 deals"]
