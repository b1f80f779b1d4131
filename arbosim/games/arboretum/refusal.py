"""Why an action is refused, in the same words for tournaments, single games and records."""

from __future__ import annotations

from typing import Any

from arbosim.games.arboretum import kernels
from arbosim.games.arboretum.actions import Action
from arbosim.games.arboretum.cards import card_of_code, shown
from arbosim.games.arboretum.state import DISCARD, DRAW, GRID, OPEN, PLAY

PHASES = {DRAW: "draw", PLAY: "play", DISCARD: "discard"}


def refusal(table: Any, reason: int, action: Action, code: int) -> str:
    """Say why `kernels.step` refused an action of the current seat.

    Parameters
    ----------
    table : TABLE record
        As it stood when the action was refused, and still stands.
    action, code
        The action in words, with the cells that the player counts in, and as a number.
    """
    seat = int(table["current"])
    if reason == kernels.GAME_OVER:
        return "the game is over"
    asked = PHASES[int(table["phase"])]
    if action[0] != asked:
        given = f"the number {action[1]}" if action[0] == "number" else f"a {action[0]}"
        return f"seat {seat} is asked for a {asked}, not for {given}"
    if reason == kernels.NO_SUCH_SOURCE:
        last = int(table["players"]) - 1
        return f'there is no source {shown(action[1])}; sources are "deck" and seats 0 to {last}'
    if reason == kernels.EMPTY_SOURCE:
        what = "deck" if action[1] == "deck" else f"discard pile of seat {action[1]}"
        return f"the {what} is empty"
    if reason == kernels.NOT_IN_HAND:
        return f"seat {seat} does not hold {action[1]}"
    cell, place = f"cell ({action[2]}, {action[3]})", code & 0xFFFF
    if not table["board_count"][seat]:
        return f"{cell} is not where an arboretum begins: its first card lies on (0, 0)"
    number = int(table["grid"][seat][place]) if place < GRID else 0
    if 0 < number < OPEN:
        return f"{cell} is taken by {card_of_code(table['board_card'][seat][number - 1])}"
    return f"{cell} touches no card of the arboretum of seat {seat}"
