"""The parts of `search`: likely deals, plans that are followed, the last turn worked out, time instead of rollouts."""

import numpy as np
import pytest

import arbosim
from arbosim.core import registry
from arbosim.games.arboretum import api
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.seating import Seating
from arbosim_strategies import _beliefs as beliefs
from arbosim_strategies import _halving as halving
from arbosim_strategies import _last_turn as last_turn
from arbosim_strategies import _plans as planning

SEARCH = registry.resolve("search:rollouts=16", "arboretum")
HASTE = registry.resolve("counter", "arboretum")


def plain(helper):
    """Return a helper as the Python function that it is made of: the records of a game will do for it."""
    return getattr(helper, "py_func", helper)


def seated(deal, entrants=(HASTE, HASTE), rules=None):
    return Seating(rules or Rules(), list(entrants), range(len(entrants)), 7, deal)


def advance_until(table, reached):
    while not table.position.finished:
        if reached(table.position):
            return
        table.advance()


def records(position):
    """Return the table and the current seat of a position, ready to decide."""
    table = position._buffers.tables[0]
    seat = position._buffers.seats[position.current]
    seat["phase"] = table["phase"]
    return table, seat


def test_likely_deals_hold_every_card_once_and_favour_high_cards():
    rng = np.random.default_rng(1)
    position = Position.deal(seed=3)
    table, seat = records(position)
    cards = np.zeros(api.MAX_CARDS, np.uint8)
    count = plain(api.unseen_cards)(table, seat, cards)
    before = sorted(cards[:count].tolist())
    lure = np.ones((2, beliefs.CODES))
    plain(beliefs.weigh_cards)(table, seat, cards, count, lure)
    held = np.zeros(9)
    dealt = np.zeros(9)
    for _ in range(300):
        seat["rng"][:] = rng.integers(0, 2**63, 2)
        plain(beliefs.deal)(table, seat, cards, count, lure)
        assert sorted(cards[:count].tolist()) == before
        np.add.at(held, cards[:7] & 15, 1)
        np.add.at(dealt, cards[:count] & 15, 1)
    share = held[1:] / dealt[1:]
    # a card of value 8 is 2.3 times as likely to be held as a 1; 300 deals tell that from no difference always
    # (the standard deviation of each share is below 0.012, and they differ by 0.1)
    assert share[7] > share[0] + 0.05
    assert np.all(np.diff(share[[0, 3, 7]]) > 0)


def test_halving_is_sorted_by_rollouts_and_prior():
    plans = np.zeros(5, planning.PLAN)
    plans["total"] = [1.0, 4.0, 2.0, 3.0, 0.0]
    plans["prior"] = [0.0, 0.0, 3.0, 0.0, 0.0]
    order = np.arange(5)
    plain(halving.sort)(plans, order, 4)
    assert order.tolist() == [2, 1, 3, 0, 4]


def test_only_the_best_plans_are_kept_in_their_order():
    plans = np.zeros(planning.MOST, planning.PLAN)
    count = 0
    for k, prior in enumerate([1.0, 5.0, 3.0, 4.0, 2.0, 5.0]):
        count = plain(planning.insert)(plans, count, 4, k, planning.NOTHING, prior)
    assert plans["first"][:count].tolist() == [1, 5, 3, 2]


@pytest.mark.parametrize("deal", range(4))
def test_the_last_turn_is_the_best_of_all_pairs(deal):
    table = seated(deal)
    advance_until(table, lambda position: position.phase == "play" and position.deck_count == 0)
    position = table.position
    me = position.current
    assert plain(last_turn.is_here)(*records(position))

    def result(play, discard):
        after = position.copy()
        after.play_code(play)
        after.play_code(discard)
        assert after.finished
        score = after.score()
        totals = [player.total for player in score.players]
        return (me in score.winners) / len(score.winners), totals[me] - totals[1 - me]

    found = result(*(int(action) for action in last_turn_pair(position)))
    best = (0.0, -1000)
    for action in position.legal_actions:
        play = position.code_of(action)
        after = position.copy()
        after.play_code(play)
        for second in after.legal_actions:
            best = max(best, result(play, after.code_of(second)))
    assert found == best


def last_turn_pair(position):
    """Return the play and the discard that `search` chooses; the second is in its memory."""
    table, seat = records(position)
    return plain(last_turn.best_pair)(table, seat)


def test_a_planned_discard_is_carried_out():
    table = seated(1, (SEARCH, HASTE))
    advance_until(table, lambda position: position.phase == "play" and position.current == 0)
    table.advance()
    planned = int(table._buffers.seats[0]["memory"][1])
    hand = len(table.position.hands[0])
    table.advance()
    assert len(table.position.hands[0]) == hand - 1
    assert table.position.discards[0][-1].code == planned & 0xFF


def test_more_rollouts_are_other_play_and_the_same_number_is_the_same():
    runs = [
        arbosim.run([f"search:rollouts={rollouts}", "counter"], deals=2, seed=4, jobs=1)
        for rollouts in (16, 16, 64)
    ]
    digests = [run.manifest.digest for run in runs]
    assert digests[0] == digests[1] != digests[2]


def test_time_instead_of_rollouts_keeps_the_actions(tmp_path):
    results = arbosim.run(["search:ms=2", "greedy"], deals=1, seed=4, jobs=1, output=tmp_path / "run")
    assert results.manifest.keeps_actions
    assert not results.manifest.errors
    for rotation in range(2):
        assert str(results.replay(f"0-0-{rotation}"))


def test_a_few_rollouts_beat_greedy():
    # 16 of 24 wins would be no surprise to an equal player in one of 13 tests; 21 in one of 10,000
    results = arbosim.run(["search:rollouts=16", "greedy"], deals=12, seed="a few rollouts", jobs=1)
    won = results.standings().set_index("strategy")["win_share"]
    assert won["search:rollouts=16"] >= 21 / 24
