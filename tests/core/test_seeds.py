import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.core.errors import UserError
from arbosim.core.seeds import master_seed


@given(st.integers(0, 2**64 - 1))
def test_a_number_stands_for_itself(number):
    assert master_seed(number) == master_seed(str(number)) == number


def test_a_text_gives_the_same_seed_everywhere():
    assert master_seed("spring") == 8865222579786768353


def test_texts_that_differ_in_trailing_zero_bytes_differ():
    assert master_seed("spring\0") != master_seed("spring")


@pytest.mark.parametrize("seed", [-1, 2**64, "-5", "", "  ", "1_0", "٣", "+7", "1" * 5000, "\udcff"])
def test_anything_else_is_refused(seed):
    with pytest.raises(UserError):
        master_seed(seed)


def test_a_number_too_long_to_write_is_refused():
    with pytest.raises(UserError, match="a far larger one"):
        master_seed(10**5000)
