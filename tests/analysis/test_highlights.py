"""The games that are chosen, against the plainest search over frames."""

import numpy as np
import pytest

import arbosim
from arbosim.analysis.highlights import highlights
from tests.analysis.made import make_rows


@pytest.fixture(scope="module")
def results():
    return arbosim.run(["random", "greedy"], deals=150, seed=5, jobs=1)


def chosen(results, kind):
    return [found for found in results.highlights() if found.kind == kind]


def facts(results):
    games = results.games.set_index(["match", "deal", "rotation"])
    seats = results.seats.set_index(["match", "deal", "rotation"])
    return games.assign(best=seats.groupby(level=[0, 1, 2])["score"].max())


def test_the_closest_game_has_the_smallest_lead(results):
    games = facts(results)
    [found] = chosen(results, "closest")
    game = games.loc[(found.match, found.deal, found.rotation)]
    assert game["margin"] == games["margin"].min()
    rivals = games[games["margin"] == games["margin"].min()]
    assert game["winners"] == rivals["winners"].min()
    assert game["best"] == rivals[rivals["winners"] == game["winners"]]["best"].max()


def test_the_highest_game_has_the_most_points(results):
    games = facts(results)
    [found] = chosen(results, "highest")
    assert games.loc[(found.match, found.deal, found.rotation), "best"] == games["best"].max()
    assert str(games["best"].max()) in found.reason


def test_the_swing_is_the_widest_between_seatings_of_a_deal(results):
    seats = results.seats
    leads = seats.assign(
        lead=seats["score"]
        - seats.groupby(["match", "deal", "rotation"])["score"].transform(lambda s: s[::-1].values)
    )
    by_strategy = leads.groupby(["match", "deal", "strategy"], observed=True)["lead"]
    widths = by_strategy.max() - by_strategy.min()
    one, other = chosen(results, "swing")
    assert (one.match, one.deal) == (other.match, other.deal)
    assert (one.rotation, other.rotation) == (0, 1)
    assert widths.loc[(one.match, one.deal)].max() == widths.max()
    name = widths.loc[(one.match, one.deal)].idxmax()
    games = leads[leads["strategy"] == name].set_index(["match", "deal", "rotation"])

    def told(game):
        seat, lead = games.loc[(game.match, game.deal, game.rotation), ["seat", "lead"]]
        where = f"ahead by {lead}" if lead > 0 else f"behind by {-lead}" if lead else "level"
        return f"on seat {seat} {where}"

    for this, that in ((one, other), (other, one)):
        assert this.reason == (
            f"{name} is {told(this)} here, and {told(that)} with the same cards in game {that.game}"
        )


def test_the_typical_game_is_nearest_to_the_medians(results):
    games = facts(results)[["best", "margin", "turns"]].astype(float)
    centre = games.quantile(0.5, interpolation="lower")
    distance = ((games - centre).abs() / (games - centre).abs().mean()).sum(axis=1)
    [found] = chosen(results, "typical")
    assert distance.loc[(found.match, found.deal, found.rotation)] == pytest.approx(distance.min())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_they_do_not_depend_on_how_rows_are_cut_and_are_never_forfeited(players):
    rows = make_rows(players, 0, 60, np.random.default_rng(players), errors=0.3)
    names = list("abcd"[:players])
    whole = highlights(lambda: iter([(0, names, rows)]), players)
    cut = [(0, names, rows[start : start + 5 * players]) for start in range(0, len(rows), 5 * players)]
    assert highlights(lambda: iter(cut), players) == whole
    assert len(whole) == 5
    for found in whole:
        row = rows[(rows["deal"] == found.deal) & (rows["rotation"] == found.rotation)][0]
        assert row["error"] == 0


def test_where_nothing_can_be_chosen_nothing_is():
    rows = make_rows(2, 0, 4, np.random.default_rng(1), errors=1.0)
    assert highlights(lambda: iter([(0, ["a", "b"], rows)]), 2) == []
    assert highlights(lambda: iter([]), 2) == []
