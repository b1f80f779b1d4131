"""A game looked back on: what each decision of the person cost, by what an adviser expects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from arbosim.core.strategy import Entrant
from arbosim.match.person import PersonGame

NOTICEABLE = 0.05
"""Points; what costs less is shown as 0.0 and is no mistake."""


@dataclass(frozen=True)
class Decision:
    """One decision of the person.

    Parameters
    ----------
    turn : int
        From 1, the turns of all players counted.
    expected, best_expected : float
        What the adviser expected of what was chosen and of what it would have chosen, in points ahead of the strongest
        rival at the end.
    """

    turn: int
    chosen: Sequence[Any]
    best: Sequence[Any]
    expected: float
    best_expected: float

    @property
    def cost(self) -> float:
        """Return how many points the adviser's choice would have been better."""
        return self.best_expected - self.expected


@dataclass(frozen=True)
class Turn:
    """The decisions of one turn.

    Parameters
    ----------
    after : float or None
        What was expected at the person's next turn, or the result; None in a game that was forfeited.
    """

    decisions: tuple[Decision, ...]
    after: float | None

    @property
    def number(self) -> int:
        """Return the number of the turn, from 1."""
        return self.decisions[0].turn

    @property
    def expected(self) -> float:
        """Return what the adviser expected at the beginning of the turn."""
        return self.decisions[0].best_expected

    @property
    def cost(self) -> float:
        """Return what the choices of the turn cost."""
        return sum(decision.cost for decision in self.decisions)

    def fortune(self, digits: int) -> float | None:
        """Return what else changed the expectation: cards drawn, and what others did.

        Parameters
        ----------
        digits : int
            To how many the numbers are rounded that it stands beside, so that they add up as they are shown.
        """
        return _fortune(self.expected, self.after, self.cost, digits)


@dataclass(frozen=True)
class Review:
    """A finished game, turn by turn of the person.

    Parameters
    ----------
    turns : tuple of Turn
        None where the game ended before the person had anything to decide.
    margin : int or None
        Points of the person ahead of the strongest rival; None in a game that was forfeited.
    """

    turns: tuple[Turn, ...]
    margin: int | None

    @property
    def cost(self) -> float:
        """Return what all choices cost."""
        return sum(turn.cost for turn in self.turns)

    def fortune(self, digits: int) -> float | None:
        """Return what else changed the result, as `Turn.fortune` does."""
        return _fortune(self.turns[0].expected, self.margin, self.cost, digits)

    def worst(self, count: int) -> list[Turn]:
        """Return the turns whose choices cost most, the costliest first, as far as they cost anything noticeable."""
        costly = [turn for turn in self.turns if turn.cost >= NOTICEABLE]
        return sorted(costly, key=lambda turn: -turn.cost)[:count]


def review(game: PersonGame, adviser: Entrant) -> Review:
    """Go through a game again and ask an adviser at each decision of the person.

    It sees what the person saw then. A UserError tells that it cannot advise.
    """
    table = game.seated()
    position = table.position
    decisions = []
    for action in game.position.actions:
        if position.current == game.seat:
            appraised = table.appraise(adviser)
            best, best_expected = max(appraised, key=lambda option: option[1])
            # an edited record may do what is legal in more than one notation; that is no choice to look at
            expected = dict(appraised).get(action, best_expected)
            decisions.append(Decision(position.turn + 1, action, best, expected, best_expected))
        position.play(action)
    margin = _margin(table.result(), game.seat, len(game.names)) if position.finished else None
    if not decisions:  # a mistake of somebody else came first
        return Review((), margin)
    turns = [tuple(group) for _, group in groupby(decisions, key=lambda decision: decision.turn)]
    afterwards = [turn[0].best_expected for turn in turns[1:]] + [margin]
    return Review(tuple(map(Turn, turns, afterwards)), margin)


def _fortune(expected: float, after: float | None, cost: float, digits: int) -> float | None:
    return None if after is None else round(after, digits) - round(expected, digits) + round(cost, digits)


def _margin(result: dict[str, int], seat: int, players: int) -> int:
    scores = [result[f"score_{p}"] for p in range(players)]
    return scores[seat] - max(score for p, score in enumerate(scores) if p != seat)
