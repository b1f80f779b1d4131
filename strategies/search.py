"""Rollouts in worlds that agree with all that is known."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _halving as halving
from arbosim_strategies import _last_turn as last_turn
from arbosim_strategies import _plans as planning
from arbosim_strategies import expert
from arbosim_strategies._expert_weights import AFTER, BEFORE, DRAWING

TURN, PLANNED = 0, 1


@api.strategy(
    name="search",
    parameters=(
        api.Parameter("rollouts", 200, 1, 1_000_000, "games played on for a decision", budget=True),
        api.Parameter("plans", 16, 2, 64, "plays with discards looked at"),
        api.Parameter("wins", 0.5, 0.0, 1.0, "weight of a win against that of the margin"),
        api.Parameter("soft", 8.0, 0.1, 100.0, "x"),
        api.Parameter("kind", 3, 0, 10, "x"),
        api.Parameter("depth", 0, -1, 100, "x"),
        api.Parameter("ddepth", 0, -1, 100, "x"),
        api.Parameter("dkind", 3, 0, 100, "x"),
        api.Parameter("dtrust", 1.0, 0.0, 100.0, "x"),
        api.Parameter("trust", 1.0, 0.0, 100.0, "rollouts won for a point that the expert expects"),
        api.Parameter("reads", True, meaning="x"),
    ),
    source="",
    weakness="",
    status="experimental",
)
def decide(table, seat):
    """Search."""
    phase = api.phase(seat)
    if api.memory(seat, TURN) == 1 + api.turn(table):
        planned = api.memory(seat, PLANNED)
        api.set_memory(seat, TURN, 0)
        return planned
    plans = np.zeros(planning.MOST, planning.PLAN)
    if phase == api.DRAW:
        count = planning.list_draws(table, seat, plans)
    elif phase == api.PLAY:
        if last_turn.is_here(table, seat):
            play, dropped = last_turn.best_pair(table, seat, 0.99, api.param(seat, 3))
            plan(table, seat, api.discard(dropped))
            return play
        count = planning.list_turns(table, seat, plans, api.whole(seat, 1))
    else:
        return expert.choose(table, seat, AFTER[api.players(table) - 2], BEFORE[api.players(table) - 2], DRAWING[api.players(table) - 2])
    best = 0
    if phase == api.DRAW and api.whole(seat, 6) < 0 or phase == api.PLAY and api.whole(seat, 5) < 0:
        return expert.choose(table, seat, AFTER[api.players(table) - 2], BEFORE[api.players(table) - 2], DRAWING[api.players(table) - 2])
    if count > 1:
        best = halving.best_plan(table, seat, plans, count, api.whole(seat, 0), api.param(seat, 8 if phase == api.DRAW else 9))
    if plans[best]["second"] >= 0:
        plan(table, seat, plans[best]["second"])
    return plans[best]["first"]


@api.inline_helper
def plan(table, seat, action):
    api.set_memory(seat, TURN, 1 + api.turn(table))
    api.set_memory(seat, PLANNED, action)
