"""Rollouts in worlds that agree with all that is known."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _halving as halving
from arbosim_strategies import _last_turn as last_turn
from arbosim_strategies import _moves as moves
from arbosim_strategies import _plans as planning

EACH = 8
"""Rollouts that there are for each plan at least: with few of them only the plans that look best are tried."""
TURN, PLANNED = 0, 1
"""Places of `api.memory`: the turn that a plan belongs to, and its second action."""


@api.strategy(
    name="search",
    parameters=(
        api.Parameter("rollouts", 200, 4, 1_000_000, "games played on for a decision", budget=True),
        api.Parameter("ms", 0.0, 0.0, 3_600_000.0, "milliseconds to think instead, if above 0", clock=True),
        api.Parameter("reads", True, meaning="deals unseen cards as strong players keep them", ability=True),
    ),
    source="determinised rollouts (Ginsberg, GIB, JAIR 14, 2001) that end in a learned value",
    weakness="Takes everybody else for a hasty expert, and forgets that its rivals do not see its hand either.",
    status="verified",
)
def decide(table, seat):
    """It tries the plans that `expert` thinks best in games played on with the unseen cards dealt as they may lie.

    All plans meet the same worlds, and the worse half is dropped again and again. Play and discard are one plan, and
    so are two draws whose cards are known. The last turn of a game is worked out.
    """
    if api.memory(seat, TURN) == 1 + api.turn(table):
        api.set_memory(seat, TURN, 0)
        return api.memory(seat, PLANNED)
    if last_turn.is_here(table, seat):
        play, discard = last_turn.best_pair(table, seat)
        keep(table, seat, discard)
        return play
    plans = np.zeros(planning.MOST, planning.PLAN)
    if api.phase(seat) == api.DRAW:
        count = planning.list_draws(table, seat, plans)
    elif api.phase(seat) == api.PLAY:
        count = planning.list_turns(table, seat, plans)
    else:
        return moves.hasty(table, seat)
    best = 0
    budget, time = api.whole(seat, 0), api.param(seat, 1) / 1000.0
    count = min(count, max(2, budget // EACH))
    if count > 1:
        best = halving.best_plan(table, seat, plans, count, budget, time, api.flag(seat, 2))
    first, second = planning.actions(plans, best)
    if second != planning.NOTHING:
        keep(table, seat, second)
    return first


@api.inline_helper
def keep(table, seat, action):
    """Keep the second action of a plan for the next decision."""
    api.set_memory(seat, TURN, 1 + api.turn(table))
    api.set_memory(seat, PLANNED, action)
