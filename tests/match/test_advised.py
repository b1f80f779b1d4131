"""Advice that is asked for in a game: what may be wrong with it is told."""

import random

import pytest

from arbosim.core import registry
from arbosim.core.strategy import Strategy
from arbosim.games.arboretum import api
from arbosim.match import advised
from arbosim.match.trace import Setting, play

GAME = registry.game()
SETTING = Setting(GAME.rules(), 2)


def first(table, seat):
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, 0))
    if api.phase(seat) == api.PLAY:
        return api.play(api.hand_card(seat, 0), api.open_cell(table, api.me(seat), 0))
    return api.discard(api.hand_card(seat, 0))


def asked(appraise, wanted=None):
    entrant = Strategy("odd", GAME.name, "compiled", first, appraise=appraise).entrant()
    return advised.play(GAME, entrant, SETTING, 1, 0, random.Random(1), wanted)


def fine(table, seat, action):
    api.tables(table, seat, api.me(seat))
    return 0.5 * api.below(seat, 10) + api.best(seat, api.species_at(table, 0))


def wordy(table, seat, action):
    return "many"


def endless(table, seat, action):
    return 1e308 * 10


def scribbling(table, seat, action):
    table["turn"] += 1
    return 1.0


def minding(table, seat, action):
    api.set_memory(seat, 3, action)
    return 1.0


def greedy(table, seat, action):
    seat["hand"][0] = 0
    return 1.0


@pytest.mark.jitoff
@pytest.mark.parametrize(
    ("appraise", "reason"),
    [
        (wordy, None),
        (endless, "failed to advise: it expects inf points"),
        (scribbling, "failed to advise: it changed the table, which is for reading"),
        (minding, "failed to advise: it changed its own memory"),
        (greedy, "failed to advise: it changed its own hand"),
    ],
)
def test_what_is_wrong_is_told(appraise, reason):
    wrong, actions = asked(appraise)
    assert wrong.startswith("before decision ")
    assert actions == 0
    assert (reason or "advi") in wrong


def test_advice_that_changes_nothing_is_fine():
    entrant = Strategy("odd", GAME.name, "compiled", first).entrant()
    game = play(GAME, entrant, SETTING, 1, 0)
    wrong, actions = asked(fine, game)
    assert not wrong
    assert actions > 20
    game.decisions[-1] = "another"
    assert "it decides otherwise where it is asked for advice" in asked(fine, game)[0]
