import numpy as np
import pytest

from arbosim.core.digest import EMPTY, add, from_text, lineup_key, row_digest, to_text

FIELDS = [("deal", "<i8"), ("rotation", "u1"), ("turns", "<u2"), ("score_0", "<i2"), ("score_1", "<i2")]
KEY = lineup_key(["greedy", "random"])


def rows(count=20_000, dtype=FIELDS):
    table = np.zeros(count, dtype)
    for factor, name in enumerate(table.dtype.names, start=3):
        table[name] = np.arange(count) * factor % 100
    table["deal"] = np.arange(count)
    return table


def test_the_order_of_rows_and_chunks_does_not_matter():
    table = rows()
    shuffled = np.random.default_rng(1).permutation(table)
    whole = row_digest(table, KEY)
    assert row_digest(shuffled, KEY) == whole
    parts = EMPTY
    for start in range(0, len(table), 777):
        parts = add(row_digest(table[start : start + 777], KEY), parts)
    assert parts == whole


@pytest.mark.parametrize("name", [name for name, _ in FIELDS])
def test_every_column_counts(name):
    table = rows()
    changed = table.copy()
    changed[name][11] += 1
    assert row_digest(changed, KEY) != row_digest(table, KEY)


def test_a_value_in_another_column_is_another_row():
    table = rows(2)
    swapped = table.copy()
    swapped["score_0"], swapped["score_1"] = table["score_1"], table["score_0"]
    assert row_digest(swapped, KEY) != row_digest(table, KEY)


def test_a_row_twice_is_not_a_row_less():
    table = rows(3)
    assert row_digest(np.concatenate([table, table[:1], table[:1]]), KEY) != row_digest(table, KEY)


def test_the_layout_in_memory_does_not_matter():
    table = rows()
    aligned = np.zeros(len(table), np.dtype(FIELDS, align=True))
    big = np.zeros(len(table), np.dtype(FIELDS).newbyteorder(">"))
    for name in table.dtype.names:
        aligned[name] = table[name]
        big[name] = table[name]
    assert row_digest(table, KEY) == row_digest(aligned, KEY) == row_digest(big, KEY)


def test_the_line_up_counts_by_its_ids():
    assert row_digest(rows(), KEY) != row_digest(rows(), lineup_key(["greedy", "hoarder"]))
    assert lineup_key(["a", "bc"]) != lineup_key(["ab", "c"])
    assert lineup_key(iter(["greedy", "random"])) == KEY


def test_columns_that_fill_whole_words_need_no_padding():
    table = rows(5, [("deal", "<i8"), ("score_0", "<i8")])
    assert row_digest(table, KEY) != row_digest(table[:4], KEY)


def test_no_rows_add_nothing():
    assert row_digest(rows(0), KEY) == EMPTY


def test_the_digest_stays_what_it_is():
    assert to_text(row_digest(rows(100), KEY)) == "33f8d1a14f2d7bcc4541ea270aeb6a97"


def test_text_round_trip():
    digest = row_digest(rows(), KEY)
    assert from_text(to_text(digest)) == digest
    assert len(to_text(1)) == 32
