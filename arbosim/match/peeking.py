"""Does a seat decide the same when the cards that it cannot see are others?"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from arbosim.core.game import Game, MistakeError
from arbosim.core.strategy import Entrant
from arbosim.match.trace import Setting, decide, new_probe


@dataclass(frozen=True)
class _Moment:
    """A decision in the history of a game: who made it, what that seat was given, and what it decided."""

    seat: int
    given: bytes
    decision: int


def replayed(
    game: Game, entrant: Entrant, setting: Setting, seed: int, deal: int, rng: random.Random
) -> tuple[str, int]:
    """Play a game, then again up to some decisions with other cards where the seat could not see them."""
    again = partial(_replay, game, entrant, setting, seed, deal)
    probe = new_probe(game, entrant, setting, seed, deal)
    dealt = probe.order
    history: list[_Moment] = []
    replays: list[tuple[int, list[int]]] = []
    while not probe.position.finished:
        if rng.random() < 0.1:
            replays.append((len(history), probe.hide_differently(rng)))
        seat, given = probe.position.current, probe.given()
        try:
            history.append(_Moment(seat, given, decide(probe)))
        except MistakeError:
            break  # the check of legal play tells
    compared = 0
    for last, order in replays:
        past = history[: last + 1]
        if last < len(history):
            compared += sum(moment.seat == past[-1].seat for moment in past)
            wrong = again(past, order)
            # what comes out differently over the same cards as well is another check's business
            if wrong and not again(past, dealt):
                return wrong, compared
    return "", compared


def _replay(
    game: Game,
    entrant: Entrant,
    setting: Setting,
    seed: int,
    deal: int,
    past: Sequence[_Moment],
    order: Sequence[int],
) -> str:
    """Replay a history over a deal; the seat of its last decision is asked again. Returns the first difference."""
    again = new_probe(game, entrant, setting, seed, deal)
    again.deal_again(order)
    for i, moment in enumerate(past):
        if moment.seat == past[-1].seat:
            where = f"in decision {i + 1} of game {deal}"
            if again.given() != moment.given:
                return f"{where} it is given something that depends on cards it cannot see"
            try:
                anew = again.ask()
            except MistakeError as mistake:
                return f"{where} it fails over other cards that it cannot see: {mistake}"
            if anew != moment.decision:
                both = f"{again.words(moment.decision)!r} becomes {again.words(anew)!r}"
                return f"{where} {both} over other cards that it cannot see"
        again.carry_out(moment.decision)
    return ""
