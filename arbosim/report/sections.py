"""The sections of the page about a run, each a function from results to HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from arbosim.core.game import rule_text
from arbosim.core.numbers import counted
from arbosim.report.markup import Markup, element, joined, machine, table
from arbosim.report.text import standings_columns

if TYPE_CHECKING:
    from arbosim.analysis.standings import Standing
    from arbosim.results import Results

COMPOUND = {"95 % interval": ("low", "high"), "rating": ("rating", "rating_low", "rating_high")}
"""The columns of the standings that are written from several numbers."""
MOST_ERRORS = 50
"""So many mistakes are told one by one."""
STRONGEST = 0.42
"""Opacity of the strongest colour of the matrix, under which text stays readable."""


def summary(results: Results) -> Markup:
    """Return what came of the run in a few lines."""
    state, standings = results.manifest, results.summary
    strategies = counted(len(state.strategies), "strategy", "strategies")
    told = (
        f"{strategies}, {state.players} players: {counted(standings.games, 'game')} "
        f"on {counted(standings.deals, 'deal')}."
    )
    lines = [element("p", told)]
    if state.status != "finished":
        done = f"{standings.games:,} of {counted(state.games_wanted, 'game')}"
        lines.append(
            element("p", element("strong", f"Unfinished ({state.status}): {done} are in this report."))
        )
    if standings.errors:
        forfeited = f"{counted(standings.errors, 'game')} forfeited by a mistake"
        lines.append(element("p", element("a", forfeited, href="#errors")))
    return joined(lines)


def what(results: Results) -> Markup:
    """Return what was run, and how to run it again."""
    state = results.manifest
    gone = [record.spec for record in state.strategies if not record.location]
    facts = [
        ("Game", f"{results.title}, {state.players} players"),
        ("Rules", results.rules),
        ("Schedule", state.schedule + (f", focus {state.focus}" if state.focus else "")),
        ("Line-ups", f"{len(state.line_ups):,}" + (f"; {state.note}" if state.note else "")),
        (
            "Deals",
            f"{state.deals:,}, from number {state.deals_from}; each is played in {state.players} seatings",
        ),
        ("Seed", element("span", state.seed, data_name="seed", data_value=state.seed)),
        ("Digest", element("code", results.digest, data_name="digest", data_value=results.digest)),
        ("Status", state.status),
        *([("Repeats", f"not all: {state.caution}")] if state.caution else []),
        *([("Comparison", results.caution)] if results.caution else []),
        ("Played", time(state.started) + (f" to {time(state.finished)}" if state.finished else "")),
        (
            "Versions",
            f"arbosim {state.arbosim_version}, rules {state.rules_version}, schema {state.schema_version}",
        ),
    ]
    parts = [
        element("dl", *(joined([element("dt", name), element("dd", told)]) for name, told in facts)),
        element(
            "p",
            "To play such games again, with another digest:"
            if state.caution
            else "To play the same games again and compare the digest:",
        ),
        element("pre", element("code", results.command)),
    ]
    if gone:
        told = (
            f"{', '.join(gone)}: an object of the program that played the run, which no command line finds."
        )
        parts.append(element("p", told))
    rows = [
        element(
            "tr",
            element("th", record.spec, scope="row"),
            element("td", record.kind, class_="text"),
            element("td", record.status, class_="text"),
            element(
                "td",
                ", ".join(f"{name}={rule_text(value)}" for name, value in record.parameters.items()) or "-",
                class_="text long",
            ),
            element("td", element("code", record.source_hash[:12]), class_="text"),
        )
        for record in state.strategies
    ]
    heads = ["strategy", "kind", "status", "parameters", "source hash"]
    texts = [element("th", head, scope="col", class_="text") for head in heads]
    return joined([*parts, table(texts, rows, "Strategies that took part")])


def time(written: str) -> str:
    """Return a time of run.json, which is that of Greenwich, as people write it."""
    return written.replace("T", " ").replace("+00:00", " UTC")


def standings(results: Results) -> Markup:
    """Return the standings, with the figures that the command line prints and, unrounded, those for machines."""
    columns = standings_columns(results.summary)
    rows = [_standing(row, columns) for row in results.summary.rows]
    note = (
        "Ranks are shared where the deals do not decide who is better. Win share: games won, a win shared by n "
        "counting 1/n. The interval says where it would settle with ever more deals; the unit is the deal. Ratings are "
        "in Elo, their mean is 0. Scores, margins and points are means over games that nobody forfeited."
    )
    heads = [element("th", "rank", scope="col")]
    heads += [
        element("th", name, scope="col", class_="text name" if name == "strategy" else None)
        for name in columns
    ]
    return joined([table(heads, rows, "Best first"), element("p", note, class_="quiet")])


def _standing(row: Standing, columns: Mapping[str, Callable[[Standing], str]]) -> Markup:
    cells = [element("td", row.rank, data_name="rank", data_value=row.rank)]
    for name, written in columns.items():
        if name == "strategy":
            cells.append(element("th", row.strategy, scope="row", data_name=name, data_value=row.strategy))
        elif name in COMPOUND:
            fields = [
                element("span", data_name=field, data_value=machine(getattr(row, field)), hidden=True)
                for field in COMPOUND[name]
            ]
            cells.append(element("td", written(row), *fields, class_="interval"))
        else:
            field = name.replace(" ", "_")
            cells.append(
                element("td", written(row), data_name=field, data_value=machine(getattr(row, field)))
            )
    return element("tr", *cells, data_strategy=row.strategy)


def matrix(results: Results) -> Markup:
    """Return who finishes above whom."""
    shares = results.summary.matrix
    names = list(shares)
    rows = [
        element(
            "tr",
            element("td", number),
            element("th", name, scope="row"),
            *(_share(name, other, shares[name].get(other)) for other in names),
            data_strategy=name,
        )
        for number, name in enumerate(names, start=1)
    ]
    heads = ["", element("th", "strategy", scope="col", class_="text name")]
    heads += [
        element("th", number, scope="col", title=name, aria_label=f"above {name}")
        for number, name in enumerate(names, start=1)
    ]
    caption = "Share of common games in which the row finishes above the column, ties half"
    return table(heads, rows, caption, "matrix")


def _share(name: str, other: str, share: float | None) -> Markup:
    if share is None:
        return element("td", "" if name == other else "-")
    strength = STRONGEST * min(1.0, 2 * abs(share - 0.5))
    return element(
        "td",
        f"{share:.3f}",
        data_against=other,
        data_value=machine(share),
        style=f"--tone: var(--{'high' if share >= 0.5 else 'low'}); --strength: {strength:.2f}",
    )


def errors(results: Results) -> Markup:
    """Return the mistakes with their messages."""
    forfeited = results.summary.errors
    moves = sum(row.random_moves for row in results.summary.rows)
    if not forfeited + moves:
        return element("p", "No game was forfeited.")
    rows = [
        element(
            "tr",
            element("th", error["game"], scope="row"),
            element("td", error["strategy"], class_="text"),
            element("td", error["turn"]),
            element("td", error["seat"]),
            element("td", error["kind"], class_="text"),
            element("td", error["penalty"], class_="text"),
            element("td", error["message"], class_="text"),
        )
        for error in islice(results.iter_errors(), MOST_ERRORS)
    ]
    heads = [
        element("th", name, scope="col", class_=None if name in ("turn", "seat") else "text")
        for name in ("game", "strategy", "turn", "seat", "kind", "cost", "message")
    ]
    shown = f"{counted(forfeited, 'game')} forfeited"
    shown += f", {counted(moves, 'move')} made by chance" if moves else ""
    if forfeited + moves > len(rows):
        shown += f", of which the first {len(rows)}"
    return table(heads, rows, shown)
