"""Observers see every game as it was played, measure it, and harm nothing."""

import math
import warnings

import numpy as np
import pytest

import arbosim
from arbosim.core.errors import UserError


class Counts(arbosim.Observer):
    """Count actions and turns, and what the kernel measures as well."""

    def before(self, position):
        self.actions = [0] * position.players
        assert position.actions == []

    def after(self, position, seat, action):
        self.actions[seat] += 1
        assert position.actions[-1] == action

    def end(self, position):
        hands = [sum(card.value for card in hand) for hand in position.hands]
        return {"actions": self.actions, "length": len(position.actions), "hand_sum": hands, "nothing": None}


@pytest.fixture(scope="module")
def results():
    return arbosim.run(["random", "greedy"], deals=30, seed=4, jobs=1)


def test_all_games_are_observed_as_they_were_played(results):
    frame = results.observe(Counts(), games=None)
    seats = results.seats
    keys = ["match", "deal", "rotation", "seat", "strategy"]
    assert frame[keys].equals(seats[keys])
    assert frame.attrs["sample"] == "60 of 60 games"
    assert (frame.hand_sum == seats.hand_points).all()
    # a turn of the usual game is two draws, a play and a discard
    assert (frame.actions == 4 * seats.turns).all()
    assert (frame.groupby(["match", "deal", "rotation"]).actions.transform("sum") == frame.length).all()
    assert frame.nothing.isna().all()
    assert {str(frame[name].dtype) for name in ("actions", "length", "hand_sum")} == {"float64"}


def test_jobs_and_samples_change_no_number(results):
    class Here(Counts):  # defined here, it goes to other processes by value
        pass

    whole = results.observe(Counts(), games=None)
    assert results.observe(Here(), games=None, jobs=2).equals(whole)
    some = results.observe(Counts(), games=7)
    assert len(some) == 14
    assert some.merge(whole).equals(some)
    for games in (0, -1, 1.5, "a", True):
        with pytest.raises(UserError, match="games: must be a whole number of at least 1, not"):
            results.observe(Counts(), games=games)
        with pytest.raises(UserError, match="games: must be a whole number of at least 1, not"):
            results.species_of(games)


@pytest.mark.parametrize("method", ["before", "after", "end"])
def test_an_observer_that_fails_is_named_with_its_game(results, method):
    class Fails(Counts):
        pass

    def fail(self, position, *given):
        if len(position.actions) == 8 or method != "after":
            raise KeyError("oh")

    setattr(Fails, method, fail)
    digest = results.digest
    where = {"before": "0 actions", "after": "8 actions", "end": r"\d+ actions"}[method]
    with pytest.raises(
        UserError, match=rf"observer Fails in game 0-0-0: {method} failed after {where}: KeyError"
    ):
        results.observe(Fails())
    assert results.digest == digest


def test_an_observer_that_plays_is_refused(results):
    class Plays(Counts):
        def after(self, position, seat, action):
            if not position.finished:
                position.play(position.legal_actions[0])

    class Tries(Counts):
        def after(self, position, seat, action):
            if not position.finished:
                position.copy().play(position.legal_actions[0])

    with pytest.raises(UserError, match="observer Plays in game 0-0-0: after went on with the game"):
        results.observe(Plays(), games=1)
    assert len(results.observe(Tries(), games=1)) == 2


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (None, "returned no numbers by name"),
        ({"a b": 1}, "named by an identifier"),
        ({"a": [1, 2, 3]}, "a list of 2 numbers"),
        ({"a": "12"}, "a list of 2 numbers"),
        ({"a": [1, "x"]}, "a list of 2 numbers"),
        ({"seat": 1}, "'seat' is a column already"),
    ],
)
def test_what_is_no_metric_is_refused(results, found, reason):
    class Strange(arbosim.Observer):
        def end(self, position):
            return found

    with pytest.raises(UserError, match=f"observer Strange in game 0-0-0: .*{reason}"):
        results.observe(Strange(), games=1)


@pytest.mark.parametrize("observer", [Counts, object(), 7])
def test_what_is_no_observer_is_refused(results, observer):
    with pytest.raises(UserError, match="observer"):
        results.observe(observer)


def test_any_object_with_an_end_and_numbers_of_numpy_will_do(results):
    class Plain:
        def end(self, position):
            return {"a": np.int64(3), "b": np.array([1.5, 2]), "c": np.True_}

    frame = results.observe(Plain(), games=1)
    assert frame[["a", "b", "c"]].to_numpy().tolist() == [[3, 1.5, 1], [3, 2, 1]]


def test_a_single_game_is_observed():
    played = arbosim.play(["greedy", "random"], seed=4, deal=3, observer=Counts())
    assert played.observed["length"] == len(played.position.actions) == sum(played.observed["actions"])
    assert played.result == arbosim.play(["greedy", "random"], seed=4, deal=3).result
    assert arbosim.play(["greedy", "random"]).observed == {}


def test_forfeited_games_are_observed_up_to_the_mistake():
    from arbosim.games.arboretum import api

    class Stops(api.Strategy):
        def draw(self, view):
            return next(iter(view.sources))

        def play(self, view):
            return view.hand[0], view.open_cells[0]

        def discard(self, view):
            return view.hand[0] if view.turn < 4 else None

    class Forfeited(arbosim.Observer):
        def end(self, position):
            return {"by": position.forfeited.seat, "turn": position.forfeited.turn}

    with warnings.catch_warnings(action="ignore"):
        results = arbosim.run(["random", Stops], deals=2, seed=1, jobs=1)
    frame = results.observe(Forfeited())
    guilty = results.seats[results.seats.forfeited].seat.repeat(2).to_numpy()
    assert (frame.by == guilty).all()
    assert (frame.turn == results.games.turns.repeat(2).to_numpy()).all()


class Huge(arbosim.Observer):
    def __init__(self, value):
        self.value = value

    def end(self, position):
        return {"x": self.value}


@pytest.mark.parametrize("value", [10**400, [1, 10**400]])
def test_a_number_without_room_is_told_with_observer_and_game(results, value):
    with pytest.raises(
        UserError, match=r"observer Huge in game 0-\d+-\d: 'x' is no number that fits 64 bits: 10000"
    ):
        results.observe(Huge(value), games=1)


def test_wrong_arguments_of_results_are_refused(results):
    for game in (None, 3, (1, 2), (0, 0, "a"), (0, 0, 0.5), [None] * 3):
        with pytest.raises(UserError, match="game: is match, deal and rotation, as in '3-120-1'"):
            results.replay(game)
    with pytest.raises(UserError, match="no game"):
        results.replay((10**400, 0, 0))
    for jobs in ("2", 1.5, None, 0):
        with pytest.raises(UserError, match="jobs: must be at least 1"):
            results.observe(Counts(), games=1, jobs=jobs)
    for alpha in ("1", None, 10**400, math.nan):
        with pytest.raises(UserError, match="alpha: must be a number"):
            results.meta(alpha=alpha)
    for population in ("1", None, 2.5, 1):
        with pytest.raises(UserError, match="population: is a whole number of 2 or more"):
            results.meta(population=population)
    for games in ("0-1-1", 3, None):
        with pytest.raises(UserError, match="games: must be a list of games"):
            results.report("report.html", games=games)
    with pytest.raises(UserError, match="game: is match"):
        results.report("report.html", games=[7])
