"""Tidy frames: the same facts as the rows, in the documented columns."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from arbosim.analysis import frames
from arbosim.analysis.deals import Blocks
from arbosim.analysis.sequential import confidence_sequence
from arbosim.analysis.standings import COLUMNS, Standing, Totals
from arbosim.core.columns import Column
from tests.analysis.made import make_rows, plainly

METRICS = (Column("points", "int16", "points", ""), Column("kinds", "uint8", "species", ""))
LINE_UPS = list(combinations(["ant", "bee", "cat"], 2))


@pytest.fixture(scope="module")
def batches():
    rng = np.random.default_rng(4)
    return [(match, make_rows(2, 10, 25, rng, errors=0.1)) for match in range(len(LINE_UPS))]


def test_games_have_the_documented_columns(batches):
    frame = frames.games(batches, LINE_UPS, 2)
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        column.name: column.dtype for column in frames.GAMES
    }
    assert len(frame) == sum(len(rows) for _, rows in batches)
    assert frame.line_up.cat.categories.tolist() == ["ant | bee", "ant | cat", "bee | cat"]


def test_seats_have_the_documented_columns(batches):
    frame = frames.seats(batches, LINE_UPS, 2, METRICS)
    documented = {column.name: column.dtype for column in frames.SEATS}
    documented |= {"points": "Int16", "kinds": "Int16"}
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == documented


def test_seats_say_the_same_as_the_plainest_sums(batches):
    frame = frames.seats(batches, LINE_UPS, 2, METRICS)
    expected = plainly([(LINE_UPS[match], rows) for match, rows in batches], 2)["strategies"]
    means = frame.groupby("strategy", observed=True)[["win", "score", "points"]].mean()
    for spec, mine in expected.items():
        assert means.win[spec] == pytest.approx(mine["wins"] / mine["games"])
        assert means.score[spec] == pytest.approx(mine["score"] / mine["whole"])
        assert means.points[spec] == pytest.approx(mine["points"] / mine["whole"])
    assert frame.forfeited.sum() == sum(mine["errors"] for mine in expected.values())
    assert frame.score.isna().sum() == 2 * frame.forfeited.sum()


def test_games_say_who_won_alone_and_who_forfeited(batches):
    games = frames.games(batches, LINE_UPS, 2).set_index(["match", "deal", "rotation"])
    seats = frames.seats(batches, LINE_UPS, 2, METRICS)
    winners = seats[seats.win == 1].set_index(["match", "deal", "rotation"])
    assert (games.winner.dropna().astype(str) == winners.strategy.astype(str)).all()
    assert (games.winners[games.winner.isna()] == 2).all()
    losers = seats[seats.forfeited].set_index(["match", "deal", "rotation"])
    assert (games.forfeiter.dropna().astype(str) == losers.strategy.astype(str)).all()
    assert games.margin.isna().sum() == len(losers)


def test_no_rows_give_empty_frames():
    assert frames.games([], LINE_UPS, 2).empty
    assert frames.seats([], LINE_UPS, 2, METRICS).empty
    assert frames.species([], LINE_UPS).empty
    assert isinstance(frames.games([], LINE_UPS, 2).winner.dtype, pd.CategoricalDtype)


def test_missing_numbers_are_numbers():
    nothing = Standing(1, "ant", 4, 0.0, 0.0, 0.6, None, None, None, None, None, None, None, 0, 4, 0)
    frame = frames.standings([nothing]).reset_index()
    assert [column.name for column in COLUMNS if column.dtype == "float"] == list(
        frame.select_dtypes("float").columns
    )
    assert frame.mean_score.isna().all()


def test_progress_is_the_running_mean_over_deals(batches):
    totals = Totals(["ant", "bee", "cat", "dog"], 2, Blocks([(1, 10, 25)]))
    for match, rows in batches:
        totals.add(1, LINE_UPS[match], rows)
    frame = frames.progress(totals)
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        column.name: column.dtype for column in frames.PROGRESS
    }
    seats = frames.seats(batches, LINE_UPS, 2, METRICS)
    by_deal = seats.groupby(["strategy", "deal"], observed=True)["win"].mean()
    for name in ("ant", "bee", "cat"):
        mine = frame[frame.strategy == name]
        running = by_deal[name].expanding().mean()
        assert mine.deals.tolist() == list(range(1, 26))
        assert mine.win_share.tolist() == pytest.approx(running.tolist())
        assert ((mine.low >= 0) & (mine.low <= mine.win_share)).all()
        assert ((mine.win_share <= mine.high) & (mine.high <= 1)).all()
        low, high = np.clip(confidence_sequence(by_deal[name].to_numpy()), 0, 1)
        assert (mine.low.iloc[-1], mine.high.iloc[-1]) == pytest.approx((low[-1], high[-1]))
    assert not (frame.strategy == "dog").any()


@pytest.mark.parametrize("players", [2, 3])
def test_progress_of_self_play_is_exact_as_the_standings_are(players):
    totals = Totals(["ant"], players, Blocks([(1, 0, 30)]))
    totals.add(1, ["ant"] * players, make_rows(players, 0, 30, np.random.default_rng(1)))
    frame = frames.progress(totals)
    row = totals.standings().rows[0]
    assert len(frame) == 30
    assert (row.win_share, row.low, row.high) == (1 / players,) * 3
    assert (frame[["win_share", "low", "high"]] == 1 / players).all(axis=None)


def test_progress_of_nothing_is_empty():
    frame = frames.progress(Totals(["ant", "bee"], 2, Blocks([(1, 0, 5)])))
    assert frame.empty
    assert frame.columns.tolist() == [column.name for column in frames.PROGRESS]
