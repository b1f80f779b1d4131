"""The compiled engine: many games of one line-up in one call, without the GIL."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numba import types

from arbosim.core.errors import UserError, told
from arbosim.core.game import Chunk, GameError, MistakeError
from arbosim.core.hook import Hook
from arbosim.core.jit import EntryPoint
from arbosim.core.measures import METRICS, Measures
from arbosim.core.strategy import Entrant
from arbosim.games.arboretum import buffers as records
from arbosim.games.arboretum import course as courses
from arbosim.games.arboretum import hooks, kernels, scoring
from arbosim.games.arboretum.actions import action_of_code
from arbosim.games.arboretum.buffers import Buffers
from arbosim.games.arboretum.deciders import ASK, DECIDE, compiled
from arbosim.games.arboretum.hooks import HOOK, watch
from arbosim.games.arboretum.measuring import ACTED, BEGIN, END, NOBODY
from arbosim.games.arboretum.metrics import begin, count_draw, measure
from arbosim.games.arboretum.outside import OutsideSeats, StoppedError
from arbosim.games.arboretum.plain import PlainSeats
from arbosim.games.arboretum.progress import (
    ACTION,
    EVENT,
    FINE,
    GAME,
    ILLEGAL,
    MEASURED_WRONG,
    MEASURING,
    WROTE,
)
from arbosim.games.arboretum.refusal import refusal
from arbosim.games.arboretum.rows import KINDS, POINTS, SCORE, TURNS, WINNERS, Measured
from arbosim.games.arboretum.rules import Rules
from arbosim.games.arboretum.shadows import keep_bytes, keep_table, table_changed
from arbosim.games.arboretum.state import DECK, MAX_PLAYERS, NO_TABLES

NO_GAME = -1


def _play_games(
    decide0,
    decide1,
    decide2,
    decide3,
    hook,
    tables,
    seats,
    hiddens,
    setups,
    table_bytes,
    shadow,
    hidden_bytes,
    hidden_shadow,
    deck,
    words,
    seed,
    first_deal,
    first_game,
    last_game,
    strict_deals,
    stop,
    progress,
    results,
    metrics,
    course,
    standings,
    hooked,
    actions,
):
    """Play the games `first_game <= g < last_game`: deal `first_deal + g // players`, rotation `g % players`.

    Returns the number of the game at which it left: `last_game`, or the game of an event noted in `progress`, or
    the next game after a stop. Writes one row of `results` a finished game, one of `metrics` unless
    it is empty, one of `course` if that is an array (`standings` is its scratch), one of `hooked` if there is a
    hook, and one of `actions`, as far as the game goes, if that is an array. What is not asked for is None, and numba
    leaves out what would be done with it: a branch in the loop would cost the random game 3 %.
    """
    table = tables[0]
    hidden = hiddens[0]
    setup = setups[0]
    players = table["players"]
    measured = len(metrics) > 0
    guard = (table_bytes, shadow, hidden_bytes, hidden_shadow, progress)
    deck_size = 0
    for g in range(first_game, last_game):
        if stop[0]:
            return g
        rotation = g % players
        deal = first_deal + g // players
        progress[GAME] = g
        if rotation == 0 or g == first_game:
            deck_size = kernels.shuffle(deck, hidden["master"], setup, words, seed, deal)
        records.start_game(table, seats, hidden, setup, deck, deck_size, seed, deal, rotation)
        if measured:
            begin(table, hidden)
        noted = 0
        acted = 0
        if course is not None:
            courses.begin(table, hidden)
        strict = deal < strict_deals
        if hook is not None:
            out = hooked[g]
            if not watch(hook, BEGIN, NOBODY, NOBODY, table, hidden, out, strict, guard):
                return g
        while not table["finished"]:
            current = table["current"]
            slot = current - rotation
            if slot < 0:
                slot += players
            seat = seats[slot]
            seat["phase"] = table["phase"]
            seat["tables_of"] = NO_TABLES
            seat["overlooks_mono"] = 0
            if strict:
                keep_table(table, table_bytes, shadow)
            if slot == 0:
                action = decide0(table, seat)
            elif slot == 1:
                action = decide1(table, seat)
            elif slot == 2:
                action = decide2(table, seat)
            else:
                action = decide3(table, seat)
            if strict and table_changed(table, table_bytes, shadow):
                progress[EVENT] = WROTE
                keep_bytes(shadow, table_bytes)
                return g
            if kernels.step(table, seat, hidden, action) != kernels.LEGAL:
                progress[EVENT] = ILLEGAL
                progress[ACTION] = action
                return g
            if actions is not None:
                actions[g, acted] = action
                acted += 1
            if measured and action <= DECK:
                count_draw(table, hidden, action)
            if course is not None and courses.is_turn_over(table, noted):
                courses.note(table, hidden, standings, noted, current)
                noted += 1
            if hook is not None:
                if strict:
                    if not watch(hook, ACTED, current, action, table, hidden, out, strict, guard):
                        return g
                else:
                    # as `watch` does; counting references to its arrays would cost more than most hooks
                    progress[EVENT] = MEASURING
                    hook(ACTED, current, action, table, hidden, out)
                    progress[EVENT] = FINE
        scoring.score(table, hidden)
        row = results[g]
        row[TURNS] = table["turn"] + 1
        row[WINNERS] = hidden["winners"]
        for p in range(players):
            row[SCORE + p] = hidden["total"][p]
            row[POINTS + p] = hidden["path_points"][p]
            row[KINDS + p] = hidden["kinds"][p]
        if measured:
            measure(table, hidden, metrics[g])
        if course is not None:
            courses.sum_up(table, hidden, standings, noted, course[g])
        if hook is not None and not watch(hook, END, NOBODY, NOBODY, table, hidden, out, strict, guard):
            return g
    return last_game


def _signature(course: Any, standings: Any, hook: Any, actions: Any) -> Any:
    decide = types.FunctionType(DECIDE)
    return types.int64(
        decide,
        decide,
        decide,
        decide,
        hook,
        records.TABLE_RECORD[::1],
        records.SEAT_RECORD[::1],
        records.HIDDEN_RECORD[::1],
        records.SETUP_RECORD[::1],
        records.BYTES,
        records.BYTES,
        records.BYTES,
        records.BYTES,
        records.BYTES,
        records.WORDS,
        types.uint64,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        types.int64[::1],
        types.int64[::1],
        types.int32[:, ::1],
        types.uint8[:, ::1],
        course,
        standings,
        types.float64[:, :, ::1],
        actions,
    )


def _engine(with_course: bool, with_hook: bool, with_actions: bool) -> EntryPoint:
    def signature() -> Any:
        table = types.int32[:, ::1]
        course, actions = (table if asked else types.none for asked in (with_course, with_actions))
        return _signature(course, course, types.FunctionType(HOOK) if with_hook else types.none, actions)

    asked = (("course", with_course), ("hook", with_hook), ("actions", with_actions))
    return EntryPoint(_play_games, signature, " ".join(name for name, holds in asked if holds))


_ENGINES = {asked: _engine(*asked) for asked in product((False, True), repeat=3)}
"""What is measured at times is compiled in when it is asked for, and not otherwise."""


def engine(measures: Measures = METRICS) -> EntryPoint:
    """Return the engine that measures what is asked for."""
    return _ENGINES[measures.course, measures.hook is not None, measures.actions]


def play_chunk(
    rules: Rules,
    players: int,
    entrants: Sequence[Entrant],
    seed: int,
    first_deal: int,
    n_deals: int,
    *,
    checked_deals: int = 8,
    strict: bool = False,
    measures: Measures = METRICS,
    stop: np.ndarray | None = None,
) -> Chunk:
    """Play a range of deals; see `arbosim.core.game.Game.play_chunk`."""
    decide = [compiled(entrant.strategy) for entrant in entrants]
    has_programs = any(entrant.strategy.kind == "program" for entrant in entrants)
    if has_programs:
        decide = [ASK.compiled] * players
    decide += decide[:1] * (MAX_PLAYERS - players)
    call = None if measures.hook is None else hooks.compiled(measures.hook)
    play = engine(measures)
    buffers = Buffers(rules, players)
    buffers.set_parameters(entrants)
    measured = Measured(n_deals * players, rules, players, measures)
    standings = courses.scratch() if measures.course else None
    stop = np.zeros(1, np.int64) if stop is None else stop
    progress = np.zeros(3, np.int64)
    errors: list[GameError] = []
    plain = PlainSeats(buffers, entrants, progress)
    if has_programs:
        plain = OutsideSeats(buffers, entrants, progress, first_deal, stop)
    game, games = 0, n_deals * players
    with plain:
        while game < games and not stop[0]:
            progress[:] = (NO_GAME, FINE, 0)
            raised: Exception | None = None
            begun = game
            try:
                game = play.compiled(
                    *decide,
                    call,
                    buffers.tables,
                    buffers.seats,
                    buffers.hiddens,
                    buffers.setups,
                    buffers.table_bytes,
                    buffers.shadow,
                    buffers.hidden_bytes,
                    buffers.hidden_shadow,
                    buffers.deck,
                    buffers.words,
                    np.uint64(seed),
                    first_deal,
                    game,
                    plain.last_game(game, games),
                    np.iinfo(np.int64).max if strict else checked_deals,
                    stop,
                    progress,
                    measured.results,
                    measured.metrics,
                    measured.course,
                    standings,
                    measured.hooked,
                    measured.actions,
                )
            except Exception as error:
                if progress[GAME] == NO_GAME:
                    raise  # not a strategy's doing: the call itself was refused
                raised = error
                game = int(progress[GAME])
            if raised is None and progress[EVENT] == FINE:
                if game > begun:
                    plain.over(None)
                    errors += plain.mistakes
                continue
            if progress[EVENT] in (MEASURING, MEASURED_WRONG):
                name = f"deal {first_deal + game // players}, rotation {game % players}"
                raise _hook_failed(measures.hook, name, raised) from raised
            seat = int(buffers.tables[0]["current"])
            failure = plain.take_failure() or raised
            if isinstance(failure, StoppedError):
                break
            kind, message = _what_happened(buffers, progress, failure)
            rotation = game % players
            error = GameError(
                strategy=entrants[(seat - rotation) % players].spec,
                deal=first_deal + game // players,
                rotation=rotation,
                turn=int(buffers.tables[0]["turn"]) + 1,
                seat=seat,
                kind=kind,
                message=message,
                number=len(plain.mistakes) + 1,
            )
            plain.over(error)
            errors += [*plain.mistakes, error]
            measured.forfeit(game, seat, int(buffers.tables[0]["turn"]))
            buffers.pack()
            game += 1
    deals = game // players
    errors = [error for error in errors if error.deal < first_deal + deals]
    games = deals * players
    return Chunk(measured.rows(games, first_deal), errors, deals, measured.kept(games))


def _hook_failed(hook: Hook | None, game: str, error: Exception | None) -> UserError:
    what = "changed the game" if error is None else f"failed: {told(error)}"
    return UserError(f"the metric {', '.join(hook.names if hook else ())} {what} ({game})")


def _what_happened(buffers: Buffers, progress: np.ndarray, failure: BaseException | None) -> tuple[str, str]:
    if isinstance(failure, MistakeError):
        return failure.kind, str(failure)
    if isinstance(failure, UserError):
        return "illegal", str(failure)
    if failure is not None:
        return "raised", told(failure)
    if progress[EVENT] == WROTE:
        return "wrote", "changed the table"
    action, table = int(progress[ACTION]), buffers.tables[0]
    slot = (int(table["current"]) - int(progress[GAME])) % buffers.players
    reason = records.step.compiled(table, buffers.seats[slot], buffers.hiddens[0], action)
    return "illegal", refusal(table, reason, action_of_code(action), action)
