"""Measuring the speed of a strategy takes about as long as it was given, and at least one deal."""

import time

import pytest

from arbosim.cli.main import main
from arbosim.core import registry
from arbosim.core.measures import RESULTS_ALONE
from arbosim.games.arboretum import api
from arbosim.tournament.speed import measure

GAME = registry.game()
PAUSE = 0.004


@api.strategy(name="sleepy")
def sleepy(table, seat):
    """Take the first of everything, and a while for it."""
    end = api.seconds() + PAUSE
    while api.seconds() < end:
        pass
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    if api.phase(seat) == api.PLAY:
        return api.play(api.hand_card(seat, 0), api.open_cell(table, api.me(seat), 0))
    return api.discard(api.hand_card(seat, 0))


def of(entrant, seconds):
    return measure(GAME, GAME.rules(), 2, entrant, seed=1, seconds=seconds, measures=RESULTS_ALONE)


def test_a_slow_strategy_plays_as_little_as_it_can():
    """A deal of it, two games of some 70 decisions, takes about half a second."""
    of(registry.resolve("random", "arboretum"), 0.01)  # compiles
    started = time.thread_time()
    speed = of(sleepy.entrant(), 0.1)
    assert speed.games == 2
    assert 0 < speed.games_per_second < 1 / (50 * PAUSE)
    assert time.thread_time() - started < 15  # a strategy of four lines was compiled in it


def test_a_quick_one_plays_for_as_long_as_it_was_given():
    quick = registry.resolve("random", "arboretum")
    of(quick, 0.01)
    started = time.thread_time()
    speed = of(quick, 0.5)
    assert 0.3 < time.thread_time() - started < 2
    assert speed.games % 10 == 0  # five times as many deals, each in two games
    assert len(speed.mean_scores) == 2


@pytest.mark.parametrize("players", [2, 3])
def test_the_numbers_have_names(players, capsys):
    assert main(["bench", "-s", "random", "-p", str(players), "--seconds", "0.01"]) == 0
    words = capsys.readouterr().out.split()
    assert words[:3] == ["random", str(players), "players"]
    assert words[4:9] == ["games/s", "mean", "scores", "by", "seat"]
    assert len(words) == 9 + players
