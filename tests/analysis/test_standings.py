"""Standings: equal to the plainest sums, whatever the pieces the rows come in."""

from itertools import combinations

import numpy as np
import pytest

from arbosim.analysis.comparison import compare
from arbosim.analysis.deals import MAX_BLOCKS, Blocks
from arbosim.analysis.standings import COLUMNS, Totals
from tests.analysis.made import make_rows, plainly, row_dtype

SPECS = ["ant", "bee", "cat", "dog"]


def batches(players: int, deals: int, errors: float = 0.1, specs: list = SPECS, seed: int = 1) -> list:
    rng = np.random.default_rng(seed)
    return [(line_up, make_rows(players, 0, deals, rng, errors)) for line_up in combinations(specs, players)]


def totals(made: list, players: int, deals: int, specs: list = SPECS) -> Totals:
    sums = Totals(specs, players, Blocks([(7, 0, deals)]))
    for line_up, rows in made:
        sums.add(7, line_up, rows)
    return sums


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_number_is_that_of_the_plainest_sums(players):
    made = batches(players, 30)
    expected = plainly(made, players)
    found = totals(made, players, 30).standings()
    assert found.games == expected["games"]
    assert found.deals == 30
    assert found.first_seat.value == pytest.approx(expected["first_seat"])
    for row in found.rows:
        mine = expected["strategies"][row.strategy]
        assert row.games == mine["games"]
        assert row.win_share == pytest.approx(mine["wins"] / mine["games"])
        assert row.mean_score == pytest.approx(mine["score"] / mine["whole"])
        assert row.margin == pytest.approx(mine["margin"] / mine["whole"])
        assert row.points == pytest.approx(mine["points"] / mine["whole"])
        assert row.scored == pytest.approx(mine["score"] / mine["points"])
        assert (row.ties, row.errors) == (mine["ties"], mine["errors"])
        assert row.low < row.win_share < row.high
    for (one, other), value in expected["matrix"].items():
        assert found.matrix[one][other] == pytest.approx(value)
    assert found.errors == sum(mine["errors"] for mine in expected["strategies"].values())
    assert [row.rank for row in found.rows] == sorted(row.rank for row in found.rows)
    shares = [row.win_share for row in found.rows]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_self_play_is_exact(players):
    rng = np.random.default_rng(1)
    alone = [(("ant",) * players, make_rows(players, 0, 30, rng, 0.1))]
    (row,) = totals(alone, players, 30, ["ant"]).standings().rows
    assert row.low == row.win_share == row.high == 1 / players
    mixed = totals([*alone, *batches(players, 30)], players, 30).standings()
    row = next(row for row in mixed.rows if row.strategy == "ant")
    assert row.low < row.win_share < row.high


def test_pieces_and_their_order_change_nothing():
    made = batches(3, 40)
    whole = totals(made, 3, 40).standings()
    pieces = [(line_up, rows[at : at + 21]) for line_up, rows in made for at in range(0, len(rows), 21)]
    assert totals(pieces[::-1], 3, 40).standings() == whole


@pytest.mark.parametrize("players", [2, 4])
def test_meetings_of_pairs_are_kept_by_block(players):
    made = batches(players, 30)
    found = totals(made, players, 30)
    for block in range(30):
        expected = plainly([(line_up, rows[rows["deal"] == block]) for line_up, rows in made], players)[
            "matrix"
        ]
        for (one, other), value in expected.items():
            at = SPECS.index(one), SPECS.index(other), block
            assert found.pair_above[at] / found.pair_met[at] / 2 == pytest.approx(value)


def test_the_unit_is_the_deal_across_line_ups():
    """A deal that is lucky for the first slot of all line-ups is one piece of evidence, not six."""
    rng = np.random.default_rng(5)
    deals = 40
    luck = rng.random(deals) < 0.5
    made = []
    for line_up in combinations(SPECS, 2):
        rows = np.zeros(deals * 2, row_dtype(2))
        rows["deal"] = np.arange(deals * 2) // 2
        rows["rotation"] = np.arange(deals * 2) % 2
        slot_0_wins = luck[rows["deal"]]
        rows["winners"] = np.where(slot_0_wins == (rows["rotation"] == 0), 1, 2)
        made.append((line_up, rows))
    ant = next(row for row in totals(made, 2, deals).standings().rows if row.strategy == "ant")
    share = luck.mean()
    half = 2.0227 * np.sqrt(share * (1 - share) / (deals - 1))
    assert (ant.low, ant.high) == pytest.approx((share - half, share + half), abs=1e-3)


def test_one_deal_gives_a_wide_interval_and_no_nan():
    found = totals(batches(2, 1, errors=0), 2, 1).standings()
    for row in found.rows:
        assert 0 <= row.low <= row.win_share <= row.high <= 1
        assert row.high - row.low > 0.5
    assert found.first_seat.high - found.first_seat.low > 0.5


def test_a_strategy_that_never_lost_is_not_said_to_be_invincible():
    rows = np.zeros(20, row_dtype(2))
    rows["deal"], rows["rotation"] = np.arange(20) // 2, np.arange(20) % 2
    rows["winners"] = 1 + rows["rotation"]
    found = totals([(("ant", "bee"), rows)], 2, 10).standings()
    by_name = {row.strategy: row for row in found.rows}
    assert by_name["ant"].win_share == by_name["ant"].high == 1
    assert by_name["ant"].low == pytest.approx(0.6915, abs=1e-4)
    assert by_name["bee"].low == 0 < by_name["bee"].high
    assert (by_name["cat"].games, by_name["cat"].win_share, by_name["cat"].low) == (0, None, None)
    assert found.matrix["ant"]["cat"] is None


def test_only_forfeits_leave_scores_missing():
    rows = np.zeros(4, row_dtype(2))
    rows["deal"], rows["rotation"] = [0, 0, 1, 1], [0, 1, 0, 1]
    rows["error"], rows["winners"] = 1 + rows["rotation"], 2 - rows["rotation"]
    for seat in range(2):
        rows[f"score_{seat}"] = rows[f"points_{seat}"] = -1
    found = totals([(("ant", "bee"), rows)], 2, 2, specs=["ant", "bee"]).standings()
    bee, ant = found.rows
    assert (bee.strategy, bee.win_share, bee.mean_score, bee.margin, bee.scored) == (
        "bee",
        1,
        None,
        None,
        None,
    )
    assert (ant.errors, ant.ties, found.errors) == (4, 0, 4)
    assert found.matrix["bee"]["ant"] == 1


def test_self_play_counts_every_seat():
    rng = np.random.default_rng(3)
    found = totals([(("ant", "ant", "ant"), make_rows(3, 0, 20, rng))], 3, 20).standings()
    ant = found.rows[0]
    assert (ant.games, ant.win_share) == (180, pytest.approx(1 / 3))


def test_many_deals_fall_into_at_most_a_thousand_blocks():
    blocks = Blocks([(1, 50, 12_345)])
    assert blocks.count <= MAX_BLOCKS
    numbers = blocks.of(1, np.arange(50, 50 + 12_345))
    assert numbers[0] == 0
    assert numbers[-1] == blocks.count - 1
    assert set(np.diff(numbers)) <= {0, 1}


def test_the_same_deals_of_two_runs_are_the_same_units():
    blocks = Blocks([(1, 0, 10), (1, 5, 10), (2, 0, 3), (1, 100, 2)])
    assert blocks.deals == 20
    assert list(blocks.of(1, np.array([14]))) == [14]
    assert list(blocks.of(1, np.array([100, 101]))) == [15, 16]
    assert list(blocks.of(2, np.array([0, 2]))) == [17, 19]
    with pytest.raises(ValueError):
        blocks.of(2, np.array([3]))


def test_equal_shares_have_the_same_rank():
    rows = np.zeros(4, row_dtype(2))
    rows["deal"], rows["rotation"] = [0, 0, 1, 1], [0, 1, 0, 1]
    rows["winners"] = 3
    found = totals([(("ant", "bee"), rows)], 2, 2, specs=["ant", "bee"]).standings()
    assert [(row.rank, row.strategy, row.ties) for row in found.rows] == [(1, "ant", 4), (1, "bee", 4)]


def test_json_has_every_documented_column():
    data = totals(batches(2, 5), 2, 5).standings().to_json()
    assert list(data["standings"][0]) == [column.name for column in COLUMNS]
    assert set(data["first_seat"]) == {"share", "low", "high", "expected"}
    assert data["matrix"]["ant"]["bee"] + data["matrix"]["bee"]["ant"] == pytest.approx(1)


@pytest.mark.parametrize("players", [2, 3])
def test_a_comparison_agrees_with_standings_and_is_paired(players):
    made = batches(players, 60)
    expected = plainly(made, players)
    found = totals(made, players, 60).standings()
    share = {row.strategy: row.win_share for row in found.rows}
    both = [(line_up, rows) for line_up, rows in made if {"ant", "dog"} <= set(line_up)]
    result = compare(
        ((7, line_up, rows) for line_up, rows in made), "ant", "dog", players, Blocks([(7, 0, 60)])
    )
    assert result.games == sum(len(rows) for _, rows in both)
    assert result.deals == 60
    assert result.above.value == pytest.approx(expected["matrix"]["ant", "dog"])
    assert result.win_share.value == pytest.approx(share["ant"] - share["dog"])
    assert result.win_share.low < result.win_share.value < result.win_share.high
    assert "ant against dog" in str(result)


def test_a_comparison_of_strategies_that_never_met_says_so():
    rng = np.random.default_rng(1)
    made = [(7, ("ant", "bee"), make_rows(2, 0, 9, rng)), (7, ("cat", "dog"), make_rows(2, 0, 9, rng))]
    result = compare(made, "ant", "dog", 2, Blocks([(7, 0, 9)]))
    assert (result.games, result.above.value, result.score.value) == (0, None, None)
    assert result.win_share.value is not None
