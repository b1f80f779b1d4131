"""The sections of the page about a run that estimate something: ratings, seats, the meta-game, distributions, luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
MASSES = {"alpha_rank": "alpha-rank", "nash": "Nash mixture", "lottery": "maximal lottery"}


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
    """Return what the strategies are among each other, and what results are owed to."""
    from arbosim.report import plots

    try:
        found = results.meta()
    except UserError as error:
        return element("p", f"Nothing can be said about the meta-game: {error}.")
    weights = {mass.strategy: mass.mass for mass in found.masses["nash"]}
    rows = []
    for name in [row.strategy for row in results.summary.rows]:
        cells = [element("th", name, scope="row")]
        for concept in MASSES:
            mass = next(mass for mass in found.masses[concept] if mass.strategy == name)
            text = f"{mass.mass:.4f} ({mass.low:.4f} to {mass.high:.4f})"
            cells.append(
                element("td", text, class_="interval", data_name=concept, data_value=machine(mass.mass))
            )
        rows.append(element("tr", *cells, data_strategy=name))
    facts = [
        ("Effective number of strategies", _interval(found.effective, 2)),
        ("Cyclic share", f"{_interval(found.cyclic, 4)}; {found.raw_cyclic:.4f} with the noise"),
        ("Significant cycles", f"{len(found.found):,}"),
    ]
    parts = [
        figure(
            "meta", lambda: plots.meta_graph(results, weights=weights), "Graph of who finishes above whom"
        ),
        table(["strategy", *MASSES.values()], rows, "Mixtures, with the 95 % interval of each mass"),
        element("dl", *(joined([element("dt", name), element("dd", told)]) for name, told in facts)),
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
