"""A study as people read it: what was asked, the effects that are significant, and what to know about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from arbosim.core.numbers import counted
from arbosim.studies.pieces import RETUNED

if TYPE_CHECKING:
    import pandas as pd

    from arbosim.studies.study import Study

MOST = 40
"""Significant effects that are shown; more where there are more variants, of which each has one at least."""
POOLS = {"given": "players as they are", "retuned": "players tuned for each variant"}


def as_text(study: Study) -> str:
    """Return a study as text."""
    parts = ["\n".join(line for line in (study.title, study.question) if line)]
    parts.append(
        _table([("variant", "rules"), *study.variants[["variant", "rules"]].itertuples(index=False)])
    )
    parts += [
        "\n".join(filter(None, (head, _table(lines) if lines else "", end)))
        for head, lines, end in _told(study)
    ]
    if _has_retuned(study):
        parts.append(_retuned(study))
    parts += [f"note: {note}" for note in study.notes]
    parts.append("\n".join(_facts(study)))
    return "\n\n".join(part for part in parts if part)


def as_html(study: Study) -> str:
    """Return a study as a notebook shows it: what was played and asked, and the effects that are significant."""
    import pandas as pd

    from arbosim.report.tables import html_table

    html = [f"<p>{escape(line)}</p>" for line in (repr(study), study.title, study.question) if line]
    for head, lines, end in _told(study):
        html.append(f"<p>{escape(head)}</p>")
        if lines:
            names, *rows = lines
            html.append(html_table(pd.DataFrame(rows, columns=names).set_index(names[0])))
        if end:
            html.append(f"<p>{escape(end.strip())}</p>")
    if _has_retuned(study):
        told = _retuned(study).splitlines()
        html += [f"<p>{escape(line.strip())}</p>" for line in told]
    html += [f"<p>{escape(note)}</p>" for note in study.left_out]
    return "".join(html)


def _has_retuned(study: Study) -> bool:
    return any(record.pool == RETUNED for record in study.runs)


def _told(study: Study) -> Iterator[tuple[str, list[tuple[str, ...]], str]]:
    """Yield what is said of the effects: a heading, the rows of a table or none, and what it leaves out."""
    effects = study.effects
    for (players, pool), some in effects.groupby(["players", "pool"], sort=False):
        yield _effects(some, f"{players} players, {POOLS[str(pool)]}")
    if effects.empty:
        yield "no effects yet: the base and a variant have to be played", [], ""


def _effects(some: pd.DataFrame, about: str) -> tuple[str, list[tuple[str, ...]], str]:
    sure = some[some["significant"]]
    head = f"{about}: {len(sure):,} of {counted(len(some), 'effect')} significant (5 %, Holm)"
    if some["p_value"].isna().all():
        return f"{about}: too few deals to tell any of {counted(len(some), 'effect')}", [], ""
    if sure.empty:
        return head, [], ""
    lines: list[tuple[str, ...]] = [
        ("variant", "metric", "base", "variant's", "difference", "95 % interval", "p")
    ]
    shown = _clearest(sure, max(MOST, sure["variant"].nunique()))
    for row in shown.itertuples(index=False):
        name = f"{row.metric} {row.subject}".strip()
        numbers = (f"{row.base:.4g}", f"{row.value:.4g}", f"{row.difference:+.4g}")
        bounds = f"{row.low:+.4g} to {row.high:+.4g}"
        lines.append((str(row.variant), name, *numbers, bounds, f"{row.p_holm:.2g}"))
    more = len(sure) - len(shown)
    where = "the clearest of each variant are shown; arbosim report, --json and study.effects have all"
    return head, lines, f"  and {more:,} more: {where}" if more else ""


def _clearest(sure: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return so many effects in the order of the table; no variant has another one before each has its first.

    Clear is what is large in units of its interval.
    """
    clearness = (sure["difference"].abs() / (sure["high"] - sure["low"])).reset_index(drop=True)
    rank = clearness.groupby(sure["variant"].to_numpy()).rank(method="first", ascending=False)
    chosen = rank.sort_values(kind="stable").index[:most]
    return sure.iloc[sorted(chosen)]


def _retuned(study: Study) -> str:
    """Return what tuning found, and whether the players that it made play another game."""
    if not any(tuned.helped for tuned in study.manifest.tunings):
        return "tuning helped no strategy: re-tuned players play as the others do"
    return f"{_tunings(study)}\n{_disagreements(study)}"


def _tunings(study: Study) -> str:
    by_strategy: dict[str, tuple[list[str], list[str]]] = {}
    several = len(study.manifest.players) > 1
    for tuned in study.manifest.tunings:
        where = f"{tuned.variant} ({tuned.players} players)" if several else tuned.variant
        by_strategy.setdefault(tuned.strategy, ([], []))[not tuned.helped].append(where)
    lines = ["what tuning found:"]
    for strategy, (helped, in_vain) in by_strategy.items():
        told = [
            f"{what} {', '.join(some)}" for what, some in (("helped in", helped), ("not in", in_vain)) if some
        ]
        lines.append(f"  {strategy}: {'; '.join(told)}")
    return "\n".join(lines)


def _disagreements(study: Study) -> str:
    found = study.disagreements
    if found.empty:
        return "between re-tuned and given players no disagreement is significant"
    lines = [
        f"  {row.players} players, {row.variant}, {f'{row.metric} {row.subject}'.strip()}: "
        f"{row.given:+.4g} with players as they are, {row.retuned:+.4g} with re-tuned ones"
        for row in found.itertuples(index=False)
    ]
    return "\n".join(["re-tuned players disagree with the others:", *lines])


def _facts(study: Study) -> list[str]:
    state = study.manifest
    deals = f"{counted(state.deals, 'deal')}, {'the same' if state.paired else 'others'} for each variant"
    status = "" if study.status == "finished" else f", {study.status}"
    begun = sum(record.games > 0 for record in state.runs)
    return [
        f"games        {state.games:,} in {counted(begun, 'run')}{status}",
        f"deals        {deals}",
        f"strategies   {', '.join(record.spec for record in state.strategies)}",
        f"seed         {state.seed_told}",
        f"digest       {state.digest}",
    ]


def _table(rows: Sequence[Sequence[Any]]) -> str:
    """Return rows of texts in columns, numbers to the right."""
    widths = [max(len(str(row[at])) for row in rows) for at in range(len(rows[0]))]
    right = [at > 1 for at in range(len(widths))]
    return "\n".join(
        "  ".join(
            str(cell).rjust(width) if to_right else str(cell).ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    )
