"""The sections of the page about a run that estimate something: ratings, seats, the meta-game, distributions, luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from arbosim.analysis import bootstrap, pairs, variance
from arbosim.analysis import meta as meta_game
from arbosim.core.columns import Column
from arbosim.core.errors import UserError
from arbosim.core.numbers import counted
from arbosim.report.figures import figure
from arbosim.report.markup import Markup, element, joined, machine, table
from arbosim.report.tables import FORMATS, MISSING

if TYPE_CHECKING:
    import pandas as pd

    from arbosim.analysis.meta import Mass
    from arbosim.analysis.stats import Interval
    from arbosim.results import Results

MOST_GAMES = 200_000
"""The distributions of a larger run are drawn from so many of its games, evenly spread."""
SOURCES = {
    "strategy": "which strategy it is, and against whom: the same in all deals",
    "seat": "sitting first, second and so on: the same in all deals and for all strategies",
    "deal": "the luck of the cards: what the games of a deal have in common on one seat, whoever sits there",
    "rest": "how these strategies get along with these very cards, a seat that suits one more than another, and "
    "the strategies' own coins",
}
"""What the sources of variance mean."""
MIXTURES = {
    "alpha_rank": (
        "Alpha-rank",
        "A population plays one strategy until a mutant takes over, more likely so the more it wins against the "
        "residents. The mass is the share of time in the long run; strategies on a cycle keep some.",
    ),
    "nash": (
        "Nash mixture",
        "The mixture against which no strategy wins more than it loses. Copies of a strategy share its mass.",
    ),
    "lottery": (
        "Maximal lottery",
        "An election in which every game is a voter that prefers who finished above. It differs from the Nash "
        "mixture in how much a clear win weighs; both agree where one strategy beats all.",
    ),
}
"""Title and meaning of the mixtures, as docs/meta.md has them at length."""


def rated(results: Results) -> Markup:
    """Return the ratings, and which pairs of strategies the deals tell apart."""
    from arbosim.report import plots

    frame, every = results.ratings(), results.pairs()
    if frame["rating"].isna().all():
        return element(
            "p", "No ratings: no strategy met another, or some never met, not even through others."
        )
    decided = int((every["p_holm"] < 0.05).sum())
    told = (
        "Elo: 400 above another is ten wins to one loss; the mean is 0. "
        f"Of {counted(len(every), 'pair')}, {decided:,} are decided: the difference of the win shares, paired by "
        "deal, is more than chance, the risk of any false answer over all pairs being 5 % at most (Holm)."
    )
    return joined(
        [
            figure("ratings", lambda: plots.ratings(frame), "Ratings with their 95 % intervals"),
            element("p", told),
            folded("All pairs", frame_table(every, pairs.COLUMNS, "Pairs of strategies")),
        ]
    )


def seats(results: Results) -> Markup:
    """Return what the seats are worth."""
    from arbosim.report import plots

    first = results.summary.first_seat
    expected = 1 / results.summary.players
    if first.value is None:
        return element("p", "No games, so nothing is known about seats.")
    told = f"The first seat wins {first.text()} of the games; no advantage would be {expected:.4f}."
    drawn = results.thinned(MOST_GAMES)
    return joined(
        [
            element("p", told, data_name="first_seat", data_value=machine(first.value)),
            figure("seats", lambda: plots.seats(drawn), "Win share by seat, together and by strategy"),
            _of_part(results, drawn),
            _seat_ratings(results.ratings().attrs["seats"]),
        ]
    )


def _seat_ratings(found: Sequence[dict[str, float | None]]) -> Markup:
    rows = [
        element(
            "tr",
            element("th", f"seat {seat}", scope="row"),
            *(element("td", _written(each[end], "Elo"), data_value=machine(each[end])) for end in each),
        )
        for seat, each in enumerate(found)
        if each["value"] is not None
    ]
    if not rows:
        return Markup()
    return table(
        ["seat", "worth", "low", "high"], rows, "What a seat is worth, in Elo, beside the strategies' own"
    )


def meta(results: Results) -> Markup:
    """Return what the strategies are among each other."""
    from arbosim.report import plots

    try:
        found = results.meta()
    except UserError as error:
        return element("p", f"Nothing can be said about the meta-game: {error}.")
    weights = {mass.strategy: mass.mass for mass in found.masses["nash"]}
    facts = [
        (
            "Effective number of strategies",
            _interval(found.effective, 2),
            "How many strategies of equal mass would be as varied as the Nash mixture. 1 is a game with one answer.",
        ),
        (
            "Cyclic share",
            f"{_interval(found.cyclic, 4)}; {found.raw_cyclic:.4f} with the noise",
            "How much of who beats whom no ladder of strengths explains: 0 is a ladder, 1 is rock, paper, scissors. "
            "What chance is expected to add is taken off; the share with the noise is the one before that.",
        ),
        (
            "Significant cycles",
            f"{len(found.found):,}",
            "First beats second, second beats third, third beats first, each by more than chance.",
        ),
    ]
    graph = (
        "The size of a node, and the weight beside it, is the strategy's mass in the Nash mixture: how much of the "
        "play it would have among those that are worth having."
    )
    reading = (
        "Three mixtures answer which strategies are worth having. A mixture jumps: of two strategies that are nearly "
        "equal, the better one has the whole mass until one more deal turns it round. So read mean and support before "
        "mass: mean is the mean of the mass over a bootstrap of deals, support the share of the bootstrap in which the "
        f"mass is above {meta_game.SUPPORT}. Mass 0 with support 0.4 is not out of the game; it needs more deals."
    )
    parts = [
        element("p", graph),
        figure(
            "meta", lambda: plots.meta_graph(results, weights=weights), "Graph of who finishes above whom"
        ),
        element("p", reading),
        *(_mixture(name, found.masses[name]) for name in MIXTURES),
        element("h3", "The shape of it"),
        element(
            "dl",
            *(
                joined([element("dt", name), element("dd", told, element("div", meaning, class_="quiet"))])
                for name, told, meaning in facts
            ),
        ),
    ]
    if found.found:
        parts.append(
            folded("Cycles", frame_table(found.cycles, meta_game.CYCLES, "Significant cycles of three"))
        )
    if found.deals < bootstrap.FEWEST:
        parts.append(
            element(
                "p", f"{counted(found.deals, 'deal')} are too few: the intervals are all that is possible."
            )
        )
    return joined(parts)


def _mixture(concept: str, masses: Sequence[Mass]) -> Markup:
    """Return a mixture with its meaning, without the strategies that have no part in it."""
    import pandas as pd

    title, meaning = MIXTURES[concept]
    kept = [mass for mass in masses if mass.support > 0 or round(mass.mass, 4) > 0]
    frame = pd.DataFrame(map(asdict, kept))[["strategy", "mass", "mean", "support", "low", "high"]]
    table = frame_table(frame, meta_game.MASSES, f"{title}, largest mass first")
    left = len(masses) - len(kept)
    parts = [element("h3", title), element("p", meaning), table]
    if left:
        parts.append(element("p", f"And {left:,} more without weight.", class_="quiet"))
    return element("div", *parts, data_mixture=concept)


def spread(results: Results) -> Markup:
    """Return how scores, margins and lengths are spread, and what of the paths scored."""
    from arbosim.report import plots

    drawn = results.thinned(MOST_GAMES)
    return joined(
        [
            element("h3", "Scores"),
            figure("scores", lambda: plots.scores(drawn), "Scores of each strategy"),
            element("h3", "Margins"),
            figure(
                "margins",
                lambda: plots.margins(drawn),
                "How far each strategy is ahead of the best of the others",
            ),
            element("h3", "Length of games"),
            figure("turns", lambda: plots.turns(drawn), "How long the games of each strategy last"),
            _of_part(results, drawn),
            element("h3", "Paths and rights"),
            figure(
                "paths",
                lambda: plots.paths_and_rights(results),
                "Points of the paths, and what of them scored",
            ),
        ]
    )


def luck(results: Results) -> Markup:
    """Return what the variance of results is owed to."""
    try:
        found = results.variance()
    except UserError as error:
        return element("p", f"Nothing can be said about what results are owed to: {error}.")
    told = (
        "How much of a seat's result in a game the strategies can help, and how much the cards and the seat decide. "
        "Games of one deal have the same cards, with every strategy of a line-up on each seat once; so the "
        "variance splits into four shares. They are about the strategies of this run: among equals the cards decide "
        "more than between a master and a beginner."
    )
    parts = [
        element("p", told),
        element(
            "dl", *(joined([element("dt", name), element("dd", means)]) for name, means in SOURCES.items())
        ),
    ]
    for response, title in variance.RESPONSES.items():
        frame = found.components[found.components["response"] == response].drop(
            columns=["response", "variance"]
        )
        caption = f"What the variance is owed to: {title}"
        parts.append(
            frame_table(frame, variance.COMPONENTS, caption)
            if len(frame)
            else element("p", f"{caption}: all results are the same, or the deals are too few.")
        )
    return joined(parts)


def _of_part(results: Results, drawn: Results) -> Markup:
    if drawn is results:
        return Markup()
    games, total = drawn.totals.games, results.totals.games
    return element(
        "p", f"Drawn from {games:,} of {total:,} games, evenly spread over the deals.", class_="quiet"
    )


def frame_table(frame: pd.DataFrame, columns: Sequence[Column], caption: str) -> Markup:
    """Return a frame as a table: numbers by their units, and unrounded for machines."""
    import pandas as pd

    units = {column.name: column.unit for column in columns}
    meanings = {column.name: column.meaning for column in columns}
    heads = [
        element(
            "th", str(name).replace("_", " "), scope="col", title=meanings[name], class_=_class(units[name])
        )
        for name in frame.columns
    ]
    rows = []
    for values in frame.itertuples(index=False, name=None):
        cells = []
        for at, (name, value) in enumerate(zip(frame.columns, values, strict=True)):
            given = None if pd.isna(value) else value.item() if hasattr(value, "item") else value
            attributes: dict[str, Any] = {"data_name": name, "data_value": machine(given)}
            if at == 0:
                cells.append(element("th", _written(given, units[name]), scope="row", **attributes))
            else:
                text = _small(given) if name.startswith("p_") else _written(given, units[name])
                cells.append(element("td", text, class_=_class(units[name]), **attributes))
        rows.append(element("tr", *cells))
    return table(heads, rows, caption)


def folded(title: str, inside: Markup) -> Markup:
    """Return something long that opens when it is asked for."""
    return element("details", element("summary", title), inside)


def _class(unit: str) -> str | None:
    return None if unit else "text"


def _written(value: Any, unit: str) -> str:
    if value is None:
        return MISSING
    write: Callable[[Any], str] = FORMATS[unit].format if unit in FORMATS else "{:.4g}".format
    return value if isinstance(value, str) else write(value)


def _small(value: float | None) -> str:
    return MISSING if value is None else "below 0.0001" if value < 0.0001 else f"{value:.4f}"


def _interval(interval: Interval, digits: int) -> str:
    if interval.value is None:
        return MISSING
    value = f"{interval.value:.{digits}f}"
    if interval.low is None or interval.high is None:
        return value
    return f"{value} ({interval.low:.{digits}f} to {interval.high:.{digits}f})"
