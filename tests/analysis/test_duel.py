"""Reading two strategies deal by deal: the order of arrival changes nothing, and nothing is read early."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.analysis.duel import Duel
from tests.analysis.made import make_rows, plainly

LINE_UPS = [["a", "b", "c"], ["a", "b", "d"]]
DEALS = range(100, 130)


def made() -> list[np.ndarray]:
    rng = np.random.default_rng(8)
    return [make_rows(3, DEALS.start, len(DEALS), rng, errors=0.1) for _ in LINE_UPS]


def in_order() -> Duel:
    duel = Duel("b", "a", 3, len(LINE_UPS), DEALS)
    for line_up, rows in zip(LINE_UPS, made(), strict=True):
        duel.add(line_up, rows)
    return duel


@given(cuts=st.permutations(range(0, 30, 5)), match_first=st.booleans())
def test_chunks_may_come_in_any_order(cuts, match_first):
    duel, batches = Duel("b", "a", 3, 2, DEALS), made()
    chunks = [(match, cut) for cut in cuts for match in (0, 1)]
    for match, cut in sorted(chunks) if match_first else chunks:
        duel.add(LINE_UPS[match], batches[match][3 * cut : 3 * (cut + 5)])
    whole = in_order()
    assert duel.known == 30
    assert (duel.above(30) == whole.above(30)).all()
    assert (duel.share_difference(30) == whole.share_difference(30)).all()
    assert np.array_equal(duel.score_difference(30), whole.score_difference(30))


def test_only_what_has_all_before_it_and_all_line_ups_is_known():
    duel, (first, second) = Duel("b", "a", 3, 2, DEALS), made()
    known = []
    for line_up, rows, start, end in (
        (0, first, 10, 20),  # two line-ups ahead of the others
        (1, second, 10, 20),
        (0, first, 0, 10),
        (1, second, 0, 4),
        (1, second, 4, 10),
        (0, first, 20, 30),
        (1, second, 21, 30),
        (1, second, 20, 21),
    ):
        duel.add(LINE_UPS[line_up], rows[3 * start : 3 * end])
        known.append(duel.known)
    assert known == [0, 0, 0, 4, 20, 20, 20, 30]


def test_the_sums_are_those_of_the_plainest_way():
    duel = in_order()
    plain = plainly(list(zip(LINE_UPS, made(), strict=True)), 3)
    assert duel.games_per_deal == 6
    assert duel.above(30).mean() == pytest.approx(plain["matrix"]["b", "a"])
    wins = {name: plain["strategies"][name]["wins"] / plain["strategies"][name]["games"] for name in "ab"}
    assert duel.share_difference(30).mean() == pytest.approx(wins["b"] - wins["a"])
    total, games = duel.score_difference(30)
    assert games.sum() == plain["strategies"]["a"]["whole"] < 180
    assert total.sum() == plain["strategies"]["b"]["score"] - plain["strategies"]["a"]["score"]


def test_the_variance_of_one_game_is_that_of_all_games():
    results = []
    for rows in made():
        for line in range(0, len(rows), 3):
            for rotation in range(3):
                seats = [(slot + rotation) % 3 for slot in (0, 1)]
                row = rows[line + rotation]
                keys = [
                    -1
                    if row["error"] == seat + 1
                    else 0
                    if row["error"]
                    else int(row[f"score_{seat}"]) * 1024 + int(row[f"kinds_{seat}"])
                    for seat in seats
                ]
                results.append((keys[1] > keys[0]) + (keys[1] == keys[0]) / 2)
    assert in_order().single_game_variance(30) == pytest.approx(np.var(results))
