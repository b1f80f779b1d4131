"""Games worth a look, chosen from the rows: the closest, the highest, the deal that turned, a typical one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arbosim.analysis.deals import tables

Batches = Iterable[tuple[int, Sequence[str], np.ndarray]]
"""Match, line-up by slot, and rows: whole deals, ordered by deal and rotation."""


@dataclass(frozen=True)
class Highlight:
    """A game that was chosen, and why.

    Parameters
    ----------
    kind : str
        "closest", "highest", "swing" (two games of one deal) or "typical".
    reason : str
        Why it was chosen, with its numbers.
    """

    kind: str
    match: int
    deal: int
    rotation: int
    reason: str

    @property
    def game(self) -> str:
        """Return the name of the game."""
        return f"{self.match}-{self.deal}-{self.rotation}"


@dataclass(frozen=True)
class _Best:
    """The first of the games with the smallest key, and what is to be said about it."""

    key: tuple[float, ...]
    found: tuple[Highlight, ...]


class _Median(NamedTuple):
    """The median of a whole number, and the mean distance from it."""

    value: int
    spread: float


def highlights(batches: Callable[[], Batches], players: int) -> list[Highlight]:
    """Choose games; forfeited ones never. Of equal games the first in the order of match, deal and rotation.

    closest
        The smallest lead of the winner, first of all a game that was decided by the tie-break; of equal leads
        the game with more points.
    highest
        The most points of a winner.
    swing
        The two seatings of one deal between which the lead of one strategy over the best of the others
        differs most: the same cards, other seats.
    typical
        The game nearest to the medians of the winner's points, of its lead and of the turns, each in units of
        its mean distance from the median.

    Parameters
    ----------
    batches : callable
        Gives the rows of a run from the start; it is called twice.
    """
    best: dict[str, _Best] = {}
    counts: dict[str, Counter[int]] = {name: Counter() for name in _FACTS}
    for match, line_up, rows in batches():
        facts = _facts(rows, players)
        for name, count in counts.items():
            values, games = np.unique(facts[name], return_counts=True)
            count.update(dict(zip(values.tolist(), games.tolist(), strict=True)))
        _keep(best, "closest", _closest(match, facts))
        _keep(best, "highest", _highest(match, facts))
        _keep(best, "swing", _swing(match, line_up, rows, players))
    medians = {name: _median(count) for name, count in counts.items() if count}
    for match, _, rows in batches():
        _keep(best, "typical", _typical(match, _facts(rows, players), medians))
    return [one for kind in KINDS if kind in best for one in best[kind].found]


KINDS = ("closest", "highest", "swing", "typical")
_FACTS = {"score": "points of the winner", "margin": "lead", "turns": "turns"}


def _facts(rows: np.ndarray, players: int) -> dict[str, np.ndarray]:
    """Return what decides, for the games that nobody forfeited."""
    rows = rows[rows["error"] == 0]
    scores = np.sort(np.stack([rows[f"score_{seat}"].astype(np.int64) for seat in range(players)], axis=1))
    winners = (rows["winners"][:, None] >> np.arange(players)) & 1
    return {
        "score": scores[:, -1],
        "margin": scores[:, -1] - scores[:, -2] if players > 1 else scores[:, -1],
        "turns": rows["turns"].astype(np.int64),
        "sharing": winners.sum(axis=1),
        "deal": rows["deal"].astype(np.int64),
        "rotation": rows["rotation"].astype(np.int64),
    }


def _closest(match: int, facts: dict[str, np.ndarray]) -> _Best | None:
    if not len(facts["score"]):
        return None
    at = int(np.lexsort((-facts["score"], facts["sharing"], facts["margin"]))[0])
    score, margin, sharing = (int(facts[name][at]) for name in ("score", "margin", "sharing"))
    if margin:
        reason = f"the smallest lead of the run: {margin}"
    elif sharing == 1:
        reason = f"a tie at the top with {score} points; the tie-break decided"
    else:
        reason = f"a tie at the top with {score} points, and a shared win"
    return _Best((margin, sharing, -score), (_highlight("closest", match, facts, at, reason),))


def _highest(match: int, facts: dict[str, np.ndarray]) -> _Best | None:
    if not len(facts["score"]):
        return None
    at = int(facts["score"].argmax())
    score = int(facts["score"][at])
    reason = f"the most points of a winner in the run: {score}"
    return _Best((-score,), (_highlight("highest", match, facts, at, reason),))


def _swing(match: int, line_up: Sequence[str], rows: np.ndarray, players: int) -> _Best | None:
    played = tables(rows, players)
    whole = played.whole.all(axis=1)
    if players < 2 or not whole.any():
        return None
    score = played.score[whole]
    lead = np.stack(
        [score[..., slot] - np.delete(score, slot, axis=-1).max(axis=-1) for slot in range(players)], axis=-1
    )
    differences = lead.max(axis=1) - lead.min(axis=1)
    deal, slot = divmod(int(differences.argmax()), players)
    if not differences[deal, slot]:
        return None
    of_one = lead[deal, :, slot]
    number, name = int(played.deals[whole][deal]), line_up[slot]
    seatings = sorted((int(of_one.argmin()), int(of_one.argmax())))

    def told(rotation: int) -> str:
        seat, ahead = (slot + rotation) % players, int(of_one[rotation])
        where = f"ahead by {ahead}" if ahead > 0 else f"behind by {-ahead}" if ahead else "level"
        return f"on seat {seat} {where}"

    found = tuple(
        Highlight(
            "swing",
            match,
            number,
            rotation,
            f"{name} is {told(rotation)} here, and {told(other)} with the same cards in game "
            f"{match}-{number}-{other}",
        )
        for rotation, other in (seatings, reversed(seatings))
    )
    return _Best((-int(differences[deal, slot]),), found)


def _typical(match: int, facts: dict[str, np.ndarray], medians: dict[str, _Median]) -> _Best | None:
    if not len(facts["score"]):
        return None
    distance = np.zeros(len(facts["score"]))
    for name, median in medians.items():
        distance += np.abs(facts[name] - median.value) / (median.spread or 1.0)
    at = int(distance.argmin())
    told = ", ".join(f"{_FACTS[name]} {median.value}" for name, median in medians.items())
    reason = f"nearest to the medians of the run ({told})"
    return _Best((float(distance[at]),), (_highlight("typical", match, facts, at, reason),))


def _highlight(kind: str, match: int, facts: dict[str, np.ndarray], at: int, reason: str) -> Highlight:
    return Highlight(kind, match, int(facts["deal"][at]), int(facts["rotation"][at]), reason)


def _keep(best: dict[str, _Best], kind: str, candidate: _Best | None) -> None:
    if candidate is not None and (kind not in best or candidate.key < best[kind].key):
        best[kind] = candidate


def _median(counts: Counter[int]) -> _Median:
    """Return the median of counted values, of two the smaller one, and the mean distance from it."""
    values = sorted(counts)
    games = np.array([counts[value] for value in values])
    median = values[int(np.searchsorted(games.cumsum(), (games.sum() + 1) // 2))]
    return _Median(median, float((np.abs(np.array(values) - median) * games).sum() / games.sum()))
