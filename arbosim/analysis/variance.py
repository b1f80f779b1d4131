"""Whose doing a result is: the strategies', the seat's, the cards', or nobody's; and what duplicate deals save."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from arbosim.analysis import bootstrap, components
from arbosim.analysis.components import SOURCES, Sums
from arbosim.analysis.deals import Blocks, Tables, by_slot_and_seat, tables, unit
from arbosim.analysis.stats import Interval
from arbosim.core.columns import Column
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

RESPONSES = {
    "win": "win share of a seat in a game",
    "margin": "score of a seat minus the mean score of its table",
}
GLOSSES = {
    "strategy": "who plays, and against whom",
    "seat": "where they sit",
    "deal": "what the cards do to a seat, whoever plays them",
    "rest": "all else, also how these strategies get along with these very cards",
}
WEAK = 0.2
"""A strategy that wins less than this part of an even share makes skill look large, and is named."""
SHOWN = 10  # line-ups in the text; the frame has all

COMPONENTS = (
    Column("response", "str", "", "win or margin"),
    Column("source", "str", "", "strategy, seat, deal or rest"),
    Column("variance", "float", "squared unit of the response", "unbiased, so it may be below 0"),
    Column("share", "float", "0 to 1", "of all variance; an estimate below 0 counts as 0"),
    Column("low", "float", "0 to 1", "lower bound of the 95 % interval of share, deals being the units"),
    Column("high", "float", "0 to 1", "upper bound of it"),
)
DUPLICATES = (
    Column("response", "str", "", "win or margin"),
    Column("line_up", "str", "", "strategies by slot, with ` | ` between them"),
    Column("deals", "int", "deals", "that count"),
    Column("difference", "float", "unit of the response", "mean of the best slot minus mean of the worst"),
    Column(
        "ratio", "float", "", "variance of these means against that of as many games with other cards each"
    ),
    Column("low", "float", "", "lower bound of the 95 % interval of ratio, deals being the units"),
    Column("high", "float", "", "upper bound of it"),
)


@dataclass(frozen=True)
class Component:
    """One source of the variance of a response; COMPONENTS says what the fields mean."""

    response: str
    source: str
    variance: float
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Duplicates:
    """What duplicate deals saved a line-up; DUPLICATES says what the fields mean."""

    response: str
    line_up: str
    deals: int
    difference: float
    ratio: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, repr=False)
class Variance:
    """Shares of the variance of a seat's result in a game; docs/meta.md explains every number.

    Parameters
    ----------
    parts : tuple of Component
        By response, in the order of SOURCES; without a response whose results are all the same.
    saved : tuple of Duplicates
        By response and line-up.
    overall : dict of str to Interval
        By response, the ratio over all line-ups.
    unexplained : dict of str to Interval
        By response, the share of deal and rest together: what neither strategy nor seat explains.
    weak : tuple of str
        Strategies that win nearly nothing, less than WEAK of an even share.
    deals : int
        Different deals, the units of all intervals.
    games : int
    """

    parts: tuple[Component, ...]
    saved: tuple[Duplicates, ...]
    overall: dict[str, Interval]
    unexplained: dict[str, Interval]
    weak: tuple[str, ...]
    deals: int
    games: int

    @property
    def components(self) -> pd.DataFrame:
        """Return the sources of variance; COMPONENTS says what the columns mean."""
        import pandas as pd

        return pd.DataFrame([asdict(each) for each in self.parts], columns=[c.name for c in COMPONENTS])

    @property
    def duplicates(self) -> pd.DataFrame:
        """Return what duplicate deals saved each line-up; DUPLICATES says what the columns mean."""
        import pandas as pd

        return pd.DataFrame([asdict(each) for each in self.saved], columns=[c.name for c in DUPLICATES])

    def to_json(self) -> dict[str, Any]:
        """Return it as machines read it."""
        data = asdict(self)
        return {
            "games": data["games"],
            "deals": data["deals"],
            "components": data["parts"],
            "duplicates": data["saved"],
            "overall": data["overall"],
        }

    def __repr__(self) -> str:
        return str(self)  # what a notebook shows

    def __str__(self) -> str:
        paragraphs = [self._text(name, title) for name, title in RESPONSES.items()]
        if self.weak:
            one = len(self.weak) == 1
            paragraphs.append(
                f"{', '.join(self.weak)} {'wins' if one else 'win'} nearly nothing. The shares above are about all "
                f"that took part,\nand weak strategies make skill look large: leave them out, or ask a pair."
            )
        if self.deals < bootstrap.FEWEST:
            paragraphs.append(bootstrap.TOO_FEW)
        return "\n\n".join(paragraphs)

    def _text(self, response: str, title: str) -> str:
        parts = [part for part in self.parts if part.response == response]
        if not parts:
            return f"{title}: {self.overall[response].bounds()}"
        lines = [f"{title}: what its variance is owed to"]
        luck = self.unexplained[response]
        if luck.value is not None and luck.low is not None and luck.high is not None:
            lines.append(
                f"  not explained by who plays and where they sit: {100 * luck.value:.0f} % "
                f"({100 * luck.low:.0f} to {100 * luck.high:.0f} %)"
            )
        for part in parts:
            floored = "; estimated below 0, so taken as 0" if part.variance < 0 else ""
            bounds = f"({part.low:.3f} to {part.high:.3f})"
            lines.append(f"  {part.source:10} {part.share:.3f} {bounds}   {GLOSSES[part.source]}{floored}")
        saved = [each for each in self.saved if each.response == response]
        width = max(len("all line-ups"), *(len(each.line_up) for each in saved[:SHOWN]))
        lines += [
            "  variance of a mean with each deal in all seatings, over that of as many games with other cards each",
            "  (below 1 it saved games: at 0.8, 80 such games tell as much as 100 with other cards each)",
        ]
        lines.append(f"    {'all line-ups':{width}}  {_ratio_text(self.overall[response])}")
        lines += [
            f"    {each.line_up:{width}}  {_ratio_text(Interval(each.ratio, each.low, each.high))}; "
            f"means differ by {each.difference:.4f}"
            for each in saved[:SHOWN]
        ]
        if len(saved) > SHOWN:
            lines.append(f"    and {counted(len(saved) - SHOWN, 'more line-up')}")
        return "\n".join(lines)


def variance(
    batches: Iterable[tuple[int, Sequence[str], np.ndarray]],
    players: int,
    blocks: Blocks,
    played: np.ndarray,
    seed: int,
) -> Variance:
    """Split the variance of results over batches of (seed, line-up, rows).

    The rows are read once, and none is kept: the sums of every replicate of the bootstrap grow along.

    Parameters
    ----------
    played : numpy.ndarray, bool[blocks]
        Which blocks hold any game.
    seed : int
        Of the bootstrap.

    Raises
    ------
    UserError
        No line-up has two deals.
    """
    weights = np.vstack([np.ones((1, blocks.count)), bootstrap.weights(played, seed)]).astype(float)
    streams = {name: _Stream(players, weights) for name in RESPONSES}
    games = 0
    for run_seed, line_up, rows in batches:
        if not len(rows):
            continue
        tabled = tables(rows, players)
        block = blocks.of(run_seed, tabled.deals)
        games += len(rows)
        for name, (results, counts) in _responses(tabled, players).items():
            streams[name].add(tuple(line_up), results[counts], block[counts])
    scales = {"win": unit(players), "margin": players}
    if not any(sums[0, 0] >= 2 for sums in streams["win"].sums.values()):
        raise UserError("too few deals: variance needs a line-up with two of them")
    exact: tuple[str, ...] = ()
    if all(stream.same for stream in streams.values()):
        # with several line-ups a seat may suit one strategy more than another, which is in the rest
        exact = ("strategy", "rest") if len(streams["win"].sums) == 1 else ("strategy",)
    done = [_finish(name, stream, scales[name], exact) for name, stream in streams.items()]
    return Variance(
        parts=tuple(part for found in done for part in found.parts),
        saved=tuple(each for found in done for each in found.saved),
        overall={name: found.overall for name, found in zip(streams, done, strict=True)},
        unexplained={name: found.unexplained for name, found in zip(streams, done, strict=True)},
        weak=_weak(streams["win"], scales["win"]),
        deals=blocks.held(played),
        games=games,
    )


class _Stream:
    """The sums of one response, by line-up, of the sample and of every replicate."""

    def __init__(self, players: int, weights: np.ndarray) -> None:
        self.players = players
        self.weights = weights
        self.sums: dict[tuple[str, ...], np.ndarray] = {}
        self.seats = np.zeros((weights.shape[1], players))
        self.seat_results = np.zeros(weights.shape[1])

    def add(self, line_up: tuple[str, ...], results: np.ndarray, block: np.ndarray) -> None:
        """Add whole numbers, int64[deals, slots, seats]; they stay far below 2**53, so sums of floats are exact."""
        if not len(block):
            return
        starts = np.flatnonzero(np.diff(block, prepend=block[0] - 1))
        at = block[starts]
        by_block = np.add.reduceat(components.of_deals(results), starts).astype(float)
        if line_up not in self.sums:
            self.sums[line_up] = np.zeros((len(self.weights), by_block.shape[1]))
        self.sums[line_up] += self.weights[:, at] @ by_block
        self.seats[at] += np.add.reduceat(results.sum(axis=1), starts)
        self.seat_results[at] += by_block[:, 0] * self.players

    @property
    def same(self) -> bool:
        """Tell whether all play among copies of themselves, and no deal depends on which copy sits where."""
        # by Cauchy and Schwarz: the sum over n copies, squared, is n times the sum of squares
        return all(
            len(set(line_up)) == 1 and self.players * sums[0, -3] == sums[0, -2]
            for line_up, sums in self.sums.items()
        )


def _responses(tabled: Tables, players: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return by response whole numbers by deal, slot and seat, and which deals count."""
    win = tabled.share - unit(players) // players
    margin = tabled.score * players - tabled.score.sum(axis=2, keepdims=True)
    everything = np.ones(len(tabled.deals), bool)
    return {
        "win": (by_slot_and_seat(win), everything),
        "margin": (
            by_slot_and_seat(margin),
            np.asarray(tabled.whole.all(axis=1)),
        ),  # a forfeited game has no scores
    }


@dataclass(frozen=True)
class _Found:
    """All about one response."""

    parts: list[Component]
    saved: list[Duplicates]
    overall: Interval
    unexplained: Interval


def _finish(response: str, stream: _Stream, scale: int, exact: Sequence[str]) -> _Found:
    kept = sorted(line_up for line_up, sums in stream.sums.items() if sums[0, 0] >= 2)
    if not kept:
        nothing = Interval(None, None, None)
        return _Found([], [], nothing, nothing)
    sums = components.summed(
        np.stack([stream.sums[line_up] for line_up in kept], axis=1), stream.players, scale
    )
    drawn = sums.deals.sum(axis=1) > 0  # all of them but in a run with next to no deals
    sums = Sums(*(values[drawn] for values in vars(sums).values()))
    noise = components.seat_noise(stream.seats / scale, stream.seat_results)
    blocks = int((stream.seat_results > 0).sum())
    together, apart = components.duplicate_ratio(sums)
    weight = sums.deals / sums.deals.sum(axis=1, keepdims=True)
    overall = _ratio((weight * together).sum(axis=1), (weight * apart).sum(axis=1), stream.players, exact)
    variances = components.estimate(sums, noise, blocks)
    parts, saved = _parts(response, variances, exact), _saved(response, kept, sums, exact)
    return _Found(parts, saved, overall, _unexplained(variances))


def _shares(variances: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the shares of the sources, and those of every replicate; None if nothing varies."""
    floored = np.maximum(variances[0], 0)
    if floored.sum() == 0:
        return None
    # of replicates, what is below 0 stays: a floor would draw the other shares, and their bounds, downwards
    replicates = variances[1:] / np.maximum(variances[1:].sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return floored / floored.sum(), replicates


def _parts(response: str, variances: np.ndarray, exact: Sequence[str]) -> list[Component]:
    """Return the sources of a response; those in ``exact`` are 0 in every deal, so nothing of them is estimated."""
    shares = _shares(variances)
    if shares is None:
        return []
    found = [
        Interval(0.0, 0.0, 0.0) if source in exact else each
        for source, each in zip(SOURCES, bootstrap.intervals(*shares, 0, 1), strict=True)
    ]
    return [
        Component(response, source, float(value), each.value or 0.0, each.low or 0.0, each.high or 0.0)
        for source, value, each in zip(SOURCES, variances[0], found, strict=True)
    ]


def _unexplained(variances: np.ndarray) -> Interval:
    shares = _shares(variances)
    if shares is None:
        return Interval(None, None, None)
    luck = [SOURCES.index(source) for source in ("deal", "rest")]
    value, replicates = (each[..., luck].sum(axis=-1, keepdims=True) for each in shares)
    return bootstrap.intervals(value, replicates, 0, 1)[0]


def _weak(wins: _Stream, scale: int) -> tuple[str, ...]:
    """Return the strategies whose win share is below WEAK of an even one, which is 1 / players."""
    games: dict[str, float] = {}
    above: dict[str, float] = {}
    for line_up, sums in wins.sums.items():
        found = components.summed(sums[:, None], wins.players, scale)
        for slot, spec in enumerate(line_up):
            games[spec] = games.get(spec, 0.0) + float(found.deals[0, 0]) * wins.players
            above[spec] = above.get(spec, 0.0) + float(found.cells[0, 0, slot].sum())
    return tuple(
        sorted(
            spec for spec in games if games[spec] and above[spec] / games[spec] < (WEAK - 1) / wins.players
        )
    )


def _saved(
    response: str, line_ups: list[tuple[str, ...]], sums: Sums, exact: Sequence[str]
) -> list[Duplicates]:
    together, apart = components.duplicate_ratio(sums)
    means = components.slot_means(sums)
    rows = []
    for number, line_up in enumerate(line_ups):
        ratio = _ratio(together[:, number], apart[:, number], sums.players, exact)
        difference = float(means[number].max() - means[number].min())
        deals = int(sums.deals[0, number])
        rows.append(
            Duplicates(response, " | ".join(line_up), deals, difference, ratio.value, ratio.low, ratio.high)
        )
    return rows


def _ratio(together: np.ndarray, apart: np.ndarray, players: int, exact: Sequence[str]) -> Interval:
    spread = apart > 1e-15  # below it is rounding
    if not spread[0]:
        return Interval(None, None, None, alike=True)
    if "strategy" in exact:
        return Interval(0.0, 0.0, 0.0)
    ratios = together[spread] / apart[spread]
    return bootstrap.intervals(ratios[:1], ratios[1:, None], 0, players)[0]


def _ratio_text(ratio: Interval) -> str:
    if ratio.value is None or ratio.low is None or ratio.high is None:
        return "all deals alike"
    return f"{ratio.value:.3f} ({ratio.low:.3f} to {ratio.high:.3f})"
