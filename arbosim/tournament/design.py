"""Who meets whom: line-ups as tuples of entrant numbers, and nothing else.

Entrants are numbered in the order of their specs, so the order of a command line changes nothing, and the
slots of a line-up are in that order too.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from arbosim.core.errors import UserError, unknown
from arbosim.core.numbers import counted

LineUp = tuple[int, ...]
SCHEDULES = ("round-robin", "gauntlet", "self-play")
LIMIT = 1000
"""Beyond this many line-ups a schedule is sampled."""

_TRIES = 4  # restarts of the search for an exactly balanced sample
_STEPS = 10_000  # exchanges of one such search
_ORBITS = 5_000  # tables up to rotation that it looks at


@dataclass(frozen=True)
class Design:
    """The line-ups of a run.

    Parameters
    ----------
    line_ups : tuple of tuple of int
        Numbers of entrants, ascending in each line-up.
    possible : int
        How many line-ups the full schedule has.
    note : str
        What a reader has to know about a sample; empty for a full schedule.
    """

    line_ups: tuple[LineUp, ...]
    possible: int
    note: str = ""

    @property
    def is_sample(self) -> bool:
        """Tell whether some line-ups of the full schedule are left out."""
        return len(self.line_ups) < self.possible


def schedule(
    specs: Sequence[str],
    players: int,
    kind: str = "round-robin",
    focus: Sequence[str] = (),
    seed: int = 0,
    place: Callable[[str], str] = str,
) -> Design:
    """Return the line-ups of a schedule.

    Parameters
    ----------
    specs : sequence of str
        Canonical specs of the entrants, sorted and distinct.
    kind : {"round-robin", "gauntlet", "self-play"}
    focus : sequence of str
        The specs that sit at every table of a gauntlet.
    seed : int
        Decides which line-ups a sample takes.
    place : callable
        Says by which name a setting was given, for messages.
    """
    if kind not in SCHEDULES:
        raise unknown("schedule", kind, SCHEDULES, where=place("schedule"))
    if list(specs) != sorted(set(specs)):
        raise ValueError("specs must be sorted and distinct")
    if focus and kind != "gauntlet":
        raise UserError(f"{place('focus')} belongs to {place('schedule')} gauntlet, not to {kind}")
    if kind == "self-play":
        line_ups = tuple((entrant,) * players for entrant in range(len(specs)))
        return Design(line_ups, len(line_ups))
    if len(specs) < players:
        raise UserError(
            f"a {kind} of {players} players needs at least {players} different strategies, not {len(specs)}: "
            f"{', '.join(specs) or 'none'} ({place('schedule')} self-play seats one strategy everywhere)"
        )
    if kind == "gauntlet":
        return _gauntlet(specs, players, focus, seed, place)
    return _round_robin(range(len(specs)), players, seed)


def _gauntlet(
    specs: Sequence[str], players: int, focus: Sequence[str], seed: int, place: Callable[[str], str]
) -> Design:
    if not focus:
        raise UserError(f"a gauntlet needs {place('focus')}, the strategy that sits at every table")
    for one in focus:
        if one not in specs:
            raise unknown("strategy", one, specs, where=place("focus"))
    centre = [specs.index(one) for one in focus]
    if len(set(centre)) < len(centre) or len(centre) > players:
        raise UserError(
            f"up to {players} different strategies sit at every table, not {', '.join(focus)}",
            where=place("focus"),
        )
    rest = [entrant for entrant in range(len(specs)) if entrant not in centre]
    others = _round_robin(rest, players - len(centre), seed)
    line_ups = sorted(tuple(sorted((*centre, *table))) for table in others.line_ups)
    return Design(tuple(line_ups), others.possible, others.note)


def _round_robin(entrants: Sequence[int], size: int, seed: int) -> Design:
    possible = math.comb(len(entrants), size)
    # a sample in which all pairs meet equally often holds every pair: nothing to leave out below three
    if possible <= LIMIT or size < 3:
        return Design(tuple(combinations(entrants, size)), possible)
    chance = random.Random(seed)
    tables = balanced_sample(len(entrants), size, chance)
    names = list(entrants)
    chance.shuffle(names)  # the sample is made of rotations; who sits where in them is left to the seed
    line_ups = sorted(tuple(sorted(names[place] for place in table)) for table in tables)
    fewest, most = meetings(line_ups, entrants)
    often = counted(most, "time") if fewest == most else f"{fewest} to {most} times"
    note = f"{len(line_ups):,} of {possible:,} line-ups, a balanced sample: each pair meets {often}"
    return Design(tuple(line_ups), possible, note)


def neighbours_count(count: int, size: int) -> int:
    """Return how many tables `neighbours` has."""
    return min(count, math.comb(count, size))


def neighbours(count: int, size: int, chance: random.Random) -> list[LineUp]:
    """Return tables of ``size`` out of ``count`` entrants at which all of them sit equally often, few as they are.

    All combinations, if there are no more of them than entrants; otherwise neighbours in a ring, whose order is
    left to chance.
    """
    if math.comb(count, size) <= count:
        return list(combinations(range(count), size))
    ring = list(range(count))
    chance.shuffle(ring)
    return [tuple(sorted((ring + ring)[start : start + size])) for start in range(count)]


def meetings(line_ups: Sequence[LineUp], entrants: Sequence[int]) -> tuple[int, int]:
    """Return how often the pair meets that meets least, and the one that meets most."""
    counts = Counter(pair for table in line_ups for pair in combinations(sorted(table), 2))
    every = [counts[pair] for pair in combinations(sorted(entrants), 2)]
    return min(every), max(every)


def balanced_sample(count: int, size: int, chance: random.Random) -> list[LineUp]:
    """Return about LIMIT distinct tables of ``size`` out of ``count`` places that balance the pairs.

    The places lie on a circle, or all but one that stays in the middle, and a table comes with all its
    rotations. Then every pair at the same distance meets equally often, and a sample is balanced if its
    tables together hold every distance equally often (a difference family; Bose 1939). A search by exchanges
    looks for such tables: first as many as LIMIT allows, then fewer, then more; failing that, the nearest.
    """
    circles = [_Circle(count, size, middle, chance) for middle in (False, True)]
    plans = [(circle, meets) for circle in circles for meets in circle.exact_meetings()]
    plans.sort(key=lambda plan: plan[0].tables(plan[1]))
    below = sum(circle.tables(meets) <= LIMIT for circle, meets in plans)
    best: list[LineUp] = []
    best_error = math.inf
    for circle, meets in [*reversed(plans[max(0, below - 4) : below]), *plans[below : below + 2]]:
        for _ in range(_TRIES):
            chosen, error = circle.search(meets, chance)
            if error < best_error:
                best, best_error = circle.rotated(chosen), error
            if best_error == 0:
                return best
    return best


class _Circle:
    """Places around a circle, with one more in its middle or not, and tables up to rotation.

    Distance 0 stands for the pairs with the middle place.
    """

    def __init__(self, count: int, size: int, middle: bool, chance: random.Random) -> None:
        self.size = size
        self.middle = middle
        self.length = count - middle
        self.orbits = list(self._orbits(size, chance))
        if middle:
            self.orbits += [(*table, self.length) for table in self._orbits(size - 1, chance)]
        self.distances = [[self._distance(a, b) for a, b in combinations(table, 2)] for table in self.orbits]

    def exact_meetings(self) -> list[int]:
        """Return the numbers of meetings of each pair that whole orbits could give."""
        most = math.comb(self.length + self.middle - 2, self.size - 2)
        return [meets for meets in range(1, most + 1) if self._fits(meets)]

    def tables(self, meets: int) -> int:
        """Return how many tables let each pair meet so often."""
        count = self.length + self.middle
        return meets * count * (count - 1) // (self.size * (self.size - 1))

    def search(self, meets: int, chance: random.Random) -> tuple[list[LineUp], int]:
        """Exchange orbits at random, never making the distances less even; return them and the unevenness."""
        goal = self._goal(meets)
        held = [0] * len(goal)
        inside = chance.sample(range(len(self.orbits)), self.tables(meets) // self.length)
        outside = sorted(set(range(len(self.orbits))) - set(inside))
        for orbit in inside:
            for distance in self.distances[orbit]:
                held[distance] += 1
        error = sum((a - b) ** 2 for a, b in zip(held, goal, strict=True))
        for _ in range(_STEPS if outside else 0):
            if error == 0:
                break
            leaving, coming = chance.randrange(len(inside)), chance.randrange(len(outside))
            change = Counter(self.distances[outside[coming]])
            change.subtract(self.distances[inside[leaving]])
            after = error + sum(step * (step + 2 * (held[at] - goal[at])) for at, step in change.items())
            if after <= error:
                for distance, step in change.items():
                    held[distance] += step
                inside[leaving], outside[coming] = outside[coming], inside[leaving]
                error = after
        return [self.orbits[orbit] for orbit in inside], error

    def rotated(self, tables: Sequence[LineUp]) -> list[LineUp]:
        """Return all rotations of these tables."""
        return [self._turned(table, turn) for table in tables for turn in range(self.length)]

    def _goal(self, meets: int) -> list[int]:
        goal = [meets if self.middle else 0, *(meets for _ in range(self.length // 2))]
        if self.length % 2 == 0:
            goal[-1] //= 2  # opposite places: half as many pairs, so each rotation meets them twice
        return goal

    def _fits(self, meets: int) -> bool:
        pairs = sum(self._goal(meets)) if self.length % 2 or meets % 2 == 0 else -1
        orbits = self.tables(meets) // self.length
        with_middle_whole = not self.middle or meets % (self.size - 1) == 0
        return with_middle_whole and orbits <= len(self.orbits) and pairs == orbits * math.comb(self.size, 2)

    def _distance(self, a: int, b: int) -> int:
        if self.length in (a, b):
            return 0
        return min((b - a) % self.length, (a - b) % self.length)

    def _turned(self, table: LineUp, turn: int) -> LineUp:
        return tuple(
            sorted((place + turn) % self.length if place < self.length else place for place in table)
        )

    def _orbits(self, size: int, chance: random.Random) -> Iterator[LineUp]:
        """Yield one table of each full set of rotations, at most _ORBITS of them."""
        rest = range(1, self.length)
        tables: Iterator[LineUp] = ((0, *others) for others in combinations(rest, size - 1))
        if math.comb(len(rest), size - 1) > _ORBITS * size:
            tables = ((0, *chance.sample(rest, size - 1)) for _ in range(_ORBITS))
        seen = set()
        for table in tables:
            turned = {self._turned(table, -start) for start in table}
            first = min(turned)
            if len(turned) == size and first not in seen:
                seen.add(first)
                yield first
