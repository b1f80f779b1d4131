"""How many deals a question needs, from how much deals differ in a pilot."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from arbosim.analysis.duel import Duel
from arbosim.analysis.sequential import NORMALISED, Gsprt
from arbosim.analysis.stats import LEVEL
from arbosim.core import registry
from arbosim.core.arguments import is_whole, real, shown
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted
from arbosim.core.strategy import Entrant, Strategy
from arbosim.lab import run
from arbosim.results import Results
from arbosim.tournament.comparison import LARGEST_ELO, MOST_DEALS

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 10
"""Deals of a pilot."""
LEAST_EFFECT = 0.01
"""In percentage points; less takes more deals than a comparison may have."""


@dataclass(frozen=True)
class Need:
    """How many deals it takes to see an effect between two strategies.

    Parameters
    ----------
    games_per_deal : int
        All rotations of all line-ups in which both sit.
    sd, sd_low, sd_high : float
        Standard deviation between deals of the share of games in which the first finishes above the second, ties
        half, with a 95 % interval.
    deals, deals_low, deals_high : int
        For a test of a fixed number of deals, with the interval that follows from that of the standard deviation.
    deals_if_effect, deals_if_none : int
        Expected for `arbosim compare`, if the effect is there and if there is none.
    normalised_elo : float
        What the effect is in normalised Elo per game.
    saved : float
        Share of games saved by playing every deal in all rotations: fewer than if each game had a deal of its own.
    seconds : float
        What the fixed number of deals takes at the rate of the pilot.
    """

    first: str
    second: str
    games_per_deal: int
    sd: float
    sd_low: float
    sd_high: float
    deals: int
    deals_low: int
    deals_high: int
    deals_if_effect: int
    deals_if_none: int
    normalised_elo: float
    saved: float
    seconds: float


@dataclass(frozen=True)
class Needs:
    """How many deals a question needs.

    Parameters
    ----------
    effect : float
        In percentage points of win share above one half.
    pilot, players : int
    power, alpha : float
    rate : float
        Games a second of the pilot.
    pairs : tuple of Need
        One for each two strategies, the one that needs most first.
    alike : tuple of (str, str)
        Pairs whose deals all came out alike, so that a longer pilot is needed.
    """

    effect: float
    pilot: int
    players: int
    power: float
    alpha: float
    rate: float
    pairs: tuple[Need, ...]
    alike: tuple[tuple[str, str], ...]

    @property
    def frame(self) -> pd.DataFrame:
        """Return a frame with one row per pair; the columns are the fields of `Need`."""
        import pandas as pd

        return pd.DataFrame([asdict(need) for need in self.pairs], columns=list(Need.__dataclass_fields__))

    def to_json(self) -> dict[str, Any]:
        """Return the answer as machines read it."""
        return asdict(self)

    def __str__(self) -> str:
        points = f"{self.effect:.8g} percentage point" + ("" if self.effect == 1 else "s")
        lines = [
            f"to see {points} of win share ({50 + self.effect:.8g} % rather than 50 %), from a pilot of "
            f"{counted(self.pilot, 'deal')} with {self.players} players"
        ]
        if len(self.pairs) > 1:
            names = [f"{need.first} against {need.second}" for need in self.pairs]
            width = max(map(len, names))
            lines += [
                f"  {name:<{width}}  sd {need.sd:.3f}  {counted(need.deals, 'deal'):>16}"
                f"  ({need.deals_low:,} to {need.deals_high:,})"
                for name, need in zip(names, self.pairs, strict=True)
            ]
        lines += self._details(self.pairs[0]) if self.pairs else []
        lines += [
            f"{a} against {b}: all deals of the pilot came out alike, which says nothing about their spread"
            for a, b in self.alike
        ]
        return "\n".join(lines)

    def _details(self, need: Need) -> list[str]:
        games = need.deals * need.games_per_deal
        saves = (
            f"save {need.saved:.0%} of the games" if need.saved >= 0 else f"take {-need.saved:.0%} more games"
        )
        beta, elo = 1 - self.power, need.normalised_elo
        limits = []
        if elo > LARGEST_ELO:
            limits.append(
                f"                   (the effect is {elo:,.0f} normalised Elo, but --elo1 takes at most {LARGEST_ELO})"
            )
        if need.deals_if_effect > MOST_DEALS:
            limits.append(f"                   (no comparison has more than {counted(MOST_DEALS, 'deal')})")
        return [
            f"{need.first} against {need.second}",
            f"  sd of a deal     {need.sd:.3f} ({need.sd_low:.3f} to {need.sd_high:.3f})",
            f"  fixed size       {counted(need.deals, 'deal')} ({need.deals_low:,} to {need.deals_high:,}), "
            f"{counted(games, 'game')}; two-sided, alpha {self.alpha:g}, power {self.power:g}",
            f"  arbosim compare  about {counted(need.deals_if_effect, 'deal')} if the effect is there, "
            f"{need.deals_if_none:,} if there is none; one-sided",
            f"                   (--elo0 0 --elo1 {_short(min(elo, LARGEST_ELO))} "
            f"--alpha {self.alpha:g} --beta {beta:.3g})",
            *limits,
            f"  duplicate deals  {saves}, compared with a deal of its own for each game",
            f"  time             {_duration(need.seconds)} for the fixed size, "
            f"at the {self.rate:,.0f} games a second of the pilot",
        ]


def _short(elo: float) -> str:
    return f"{elo:.3g}" if elo < 100 else f"{elo:.0f}"


def _duration(seconds: float) -> str:
    for unit, size in (("hour", 3600), ("minute", 60)):
        if seconds >= 2 * size:
            return f"about {seconds / size:,.0f} {unit}s"
    return f"about {counted(math.ceil(seconds), 'second')}"


def plan(
    effect: float,
    strategies: Sequence[str | Strategy | type | Entrant] | str | None = None,
    *,
    players: int = 2,
    pilot: int = 500,
    power: float = 0.9,
    alpha: float = 0.05,
    seed: int | str = 1,
    jobs: int = -1,
    rules: str | Mapping[str, object] | Any = None,
    game: str | None = None,
    deals_from: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Needs:
    """Play a pilot and say how many deals it takes to see an effect.

    Parameters
    ----------
    effect : float
        Percentage points by which the first finishes above the second more often than in half of their games (for two
        players: its win share above 50 %).
    strategies : sequence
        Two or more; all pairs are planned for. All that are installed if it is missing.
    pilot : int
        Deals of the pilot, which is kept in memory. They are used up: ask the question itself of other deals, with
        ``deals_from=pilot`` or another seed.
    power : float
        How often the effect is seen if it is there.
    alpha : float
        How often an effect is seen where there is none.

    Raises
    ------
    UserError
        Something in the arguments is wrong; nothing has been played.
    """
    check(effect, pilot, power, alpha)
    playing = registry.game(game).name
    results = run(
        list(registry.quick(playing)) if strategies is None else strategies,
        deals=pilot,
        players=players,
        seed=seed,
        jobs=jobs,
        rules=rules,
        game=playing,
        deals_from=deals_from,
        progress=progress,
    )
    return needs(results, effect, power, alpha)


def check(effect: float, pilot: int, power: float, alpha: float, place: Callable[[str], str] = str) -> None:
    """Refuse what cannot be planned."""
    points = real(effect, place("effect"))
    if not 0 < points <= 50:
        raise UserError(
            f"must be above 0 and at most 50 percentage points, not {points:g}", where=place("effect")
        )
    if points < LEAST_EFFECT:
        raise UserError(
            f"must be at least {LEAST_EFFECT:g} percentage points, not {points:g}; less takes too many deals",
            where=place("effect"),
        )
    if not is_whole(pilot) or pilot < FEWEST:
        raise UserError(f"must be at least {FEWEST} deals, not {shown(pilot)}", where=place("pilot"))
    if not 0.5 < real(power, place("power")) < 1:
        raise UserError(f"must lie between 0.5 and 1, not {power:g}", where=place("power"))
    if not 0 < real(alpha, place("alpha")) < 0.5:
        raise UserError(f"must lie between 0 and 0.5, not {alpha:g}", where=place("alpha"))


def needs(results: Results, effect: float, power: float, alpha: float) -> Needs:
    """Return what a run says as a pilot."""
    state = results.manifest
    deals = range(state.deals_from, state.deals_from + state.deals)
    rate = state.games / max(state.seconds, 1e-9)
    found, alike = [], []
    for first, second in combinations(state.specs, 2):
        both = [line_up for line_up in state.line_ups if {first, second} <= set(line_up)]
        duel = Duel(first, second, state.players, len(both), deals)
        for _, line_up, rows in results.batches():
            if line_up in both:
                duel.add(line_up, rows)
        if not both or np.ptp(duel.above(state.deals)) == 0:
            alike.append((first, second))
        else:
            found.append(need(duel, state.deals, effect, power, alpha, rate))
    found.sort(key=lambda need: -need.deals)
    return Needs(effect, state.deals, state.players, power, alpha, rate, tuple(found), tuple(alike))


def need(duel: Duel, pilot: int, effect: float, power: float, alpha: float, rate: float) -> Need:
    """Return how many deals two strategies need.

    Fixed size: ((z(1 - alpha / 2) + z(power)) sd / effect)^2. Sequential: the expected log-likelihood ratio at the
    end over its expected rise a deal, (effect / sd)^2 / 2 (Wald 1945), which leaves out how far it overshoots.
    """
    from scipy.special import ndtri

    scores = duel.above(pilot)
    sd = float(scores.std(ddof=1))
    sd_low, sd_high = _sd_interval(scores)
    by = effect / 100

    def fixed(spread: float) -> int:
        return math.ceil(float((ndtri(1 - alpha / 2) + ndtri(power)) * spread / by) ** 2)

    low, high = Gsprt(alpha=alpha, beta=1 - power).bounds
    rise = (by / sd) ** 2 / 2
    deals = fixed(sd)
    return Need(
        first=duel.first,
        second=duel.second,
        games_per_deal=duel.games_per_deal,
        sd=sd,
        sd_low=sd_low,
        sd_high=sd_high,
        deals=deals,
        deals_low=fixed(sd_low),
        deals_high=fixed(sd_high),
        deals_if_effect=math.ceil((power * high + (1 - power) * low) / rise),
        deals_if_none=math.ceil(-((1 - alpha) * low + alpha * high) / rise),
        normalised_elo=by / sd * NORMALISED / math.sqrt(duel.games_per_deal),
        saved=1 - duel.games_per_deal * sd**2 / duel.single_game_variance(pilot),
        seconds=deals * duel.games_per_deal / rate,
    )


def _sd_interval(scores: np.ndarray) -> tuple[float, float]:
    """Return the chi-square interval of a standard deviation.

    Its degrees of freedom are corrected for the kurtosis, where that is above the normal one (O'Neill, Communications
    in Statistics 2014), so that a few deals which decide the variance are not taken for many.
    """
    from scipy.special import chdtri

    count = len(scores)
    variance = float(scores.var(ddof=1))
    kurtosis = float(((scores - scores.mean()) ** 4).mean()) / float(scores.var()) ** 2
    freedom = min(count - 1.0, 2 * count / max(kurtosis - (count - 3) / (count - 1), 1e-9))
    tail = (1 - LEVEL) / 2
    return (
        math.sqrt(freedom * variance / float(chdtri(freedom, tail))),
        math.sqrt(freedom * variance / float(chdtri(freedom, 1 - tail))),
    )
