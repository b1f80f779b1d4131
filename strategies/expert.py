"""The position after the turn, judged as a whole."""

import numpy as np

from arbosim.games.arboretum import api
from arbosim_strategies import _moves as moves
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies._expert_weights import AFTER, BEFORE, DRAWING

READS, DISCARDS, COMPARES, GIFTS = range(4)


@api.helper
def appraise(table, seat, action):
    """Points by which I expect to beat the strongest rival in the end if I take a legal action."""
    return _appraise(
        table, seat, action, outlook.new_mind(table, seat, api.flag(seat, READS), outlook.SAMPLE)
    )


@api.helper
def _appraise(table, seat, action, minds):
    """The same, given what I think of the position."""
    t = api.players(table) - 2
    mind = minds[0]
    if api.phase(seat) == api.DRAW:
        values = np.zeros(api.DECK + 1)
        turns.weigh_sources(
            table, seat, mind, BEFORE[t] if api.draws_left(table) == 1 else DRAWING[t], values
        )
        return values[action]
    if api.phase(seat) == api.PLAY:
        n = turns.place_in_hand(mind, (action >> 16) & 0xFF)
        return turns.worth_played(table, seat, mind, AFTER[t], n, action & 0xFFFF)
    turns.survey_gifts(table, seat, mind)
    return turns.worth_discarded(table, seat, mind, AFTER[t], turns.place_in_hand(mind, action & 0xFF))


@api.helper
def choose(table, seat, after, before, drawing):
    """The decision that is asked for, by the weights of positions after a turn, before a play, and before a draw."""
    if api.phase(seat) == api.DRAW and api.flag(seat, DISCARDS) == 0 and api.deck_count(table) > 0:
        return api.draw(api.DECK)
    minds = outlook.new_mind(table, seat, api.flag(seat, READS), outlook.SAMPLE)
    return _choose(table, seat, minds, after, before, drawing)


@api.helper
def _choose(table, seat, minds, after, before, drawing):
    """The same, given what I think of the position."""
    mind = minds[0]
    if api.phase(seat) == api.DRAW:
        return api.draw(moves.best_source(table, seat, mind, before, drawing))
    if api.phase(seat) == api.PLAY:
        trials = turns.TRIALS if api.flag(seat, COMPARES) else 1
        n, cell, _ = turns.best_turn(table, seat, mind, after, trials, api.flag(seat, GIFTS))
        return api.play(mind["card"][n], cell)
    if api.flag(seat, GIFTS):
        turns.survey_gifts(table, seat, mind)
    return api.discard(moves.best_discard(table, seat, mind, after))


@api.strategy(
    name="expert",
    parameters=(
        api.Parameter("reads", True, meaning="expects rivals to keep what is worth keeping", ability=True),
        api.Parameter("discards", True, meaning="draws from discard piles", ability=True),
        api.Parameter("compares", True, meaning="follows several plays to the end of the turn", ability=True),
        api.Parameter("gifts", True, meaning="weighs what a discard brings the next player", ability=True),
    ),
    source="afterstate values learned from games (Sutton and Barto, Reinforcement Learning, 2018, section 6.8)",
    weakness="Looks no further than its own turn.",
    status="verified",
    appraise=appraise,
)
def decide(table, seat):
    """It judges every turn as a whole by the position that it leads to, in points learned from games.

    Every right has the chance that counting the unseen cards gives; every card the best place that it could have.
    """
    t = api.players(table) - 2
    return choose(table, seat, AFTER[t], BEFORE[t], DRAWING[t])
