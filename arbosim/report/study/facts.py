"""What a study is: what was varied, what its metrics mean, and how it is played again."""

from __future__ import annotations

from collections.abc import Sequence

from arbosim.core.numbers import counted
from arbosim.report.estimates import folded
from arbosim.report.markup import Markup, breakable, element, joined, table
from arbosim.report.sections import time
from arbosim.report.study import toml
from arbosim.report.study.found import Found
from arbosim.report.study.rows import BASE, POOLS


def summary(found: Found) -> Markup:
    """Return what was played in a few lines."""
    state = found.study.manifest
    players = ", ".join(map(str, state.players))
    whole = state.status == "finished" and not found.study.incomplete
    begun = sum(run.games > 0 for run in state.runs)
    deals = (
        f"{'' if whole else 'of which the whole ones have '}{counted(state.deals, 'deal')} for each line-up"
    )
    told = (
        f"{counted(len(state.variants), 'rule set')}, {counted(len(state.strategies), 'strategy', 'strategies')}, "
        f"{players} players: {counted(state.games, 'game')} in {counted(begun, 'run')}, {deals}."
    )
    lines = [element("p", told)]
    if not whole:
        done = sum(run.name not in found.study.incomplete for run in state.runs)
        part = f"Unfinished ({found.study.status}): {done:,} of {counted(len(state.runs), 'run')} are whole."
        lines.append(
            element("p", element("strong", part), " Metrics and effects come from whole runs alone.")
        )
    lines += [
        element("p", f"{note[:1].upper()}{note[1:]}.")
        for note in found.study.notes
        if note not in state.notes
    ]
    if state.errors:
        lines.append(
            element(
                "p", element("a", f"{counted(state.errors, 'game')} forfeited by a mistake", href="#runs")
            )
        )
    return joined(lines)


def varied(found: Found) -> Markup:
    """Return the base rules, what was changed in each variant, and who played how much."""
    study, state = found.study, found.study.manifest
    if state.paired:
        deals = "the same for all variants, so that differences are paired"
    else:
        deals = "other ones for each variant, so that differences are not paired"
    pool = ", ".join(record.spec for record in state.strategies)
    facts = [
        ("Game", f"{study.game.title}, {', '.join(map(str, state.players))} players"),
        ("Strategies", pool + (", once as given and once re-tuned" if state.retune else "")),
        ("Schedule", state.schedule),
        ("Deals", f"{state.deals:,} for each line-up, from number {state.deals_from}; {deals}"),
        ("Seed", element("span", state.seed_told, data_name="seed", data_value=state.seed)),
        ("Digest", element("code", state.digest, data_name="digest", data_value=state.digest)),
        ("Played", time(state.started) + (f" to {time(state.finished)}" if state.finished else "")),
        ("Versions", f"arbosim {state.arbosim_version}, rules {state.rules_version}"),
        *(("Note", note) for note in state.notes),
    ]
    names = ["variant", "changed", "rules"]
    rows = [
        _texts([variant, changed or ("" if variant == BASE else "-"), rules], data_variant=variant)
        for variant, changed, rules in study.variants[names].itertuples(index=False, name=None)
    ]
    return joined(
        [_listed(facts), table(_heads(names), rows, "Variants; the others are compared to the base")]
    )


def explained(found: Found) -> Markup:
    """Return what every metric of the page is, in words, with formula and source."""
    known = found.study.described
    rows = [
        _texts([of.title, found.meaning(name), of.formula, of.unit, of.source, name])
        for name in found.metrics
        for of in [known.get(name)]
        if of
    ]
    heads = ["metric", "what it tells", "formula", "unit", "source", "name"]
    return table(_heads(heads), rows, "Metrics, and where they are from", "explained")


def again(found: Found) -> Markup:
    """Return how to play the study again, and the runs of which it consists."""
    study, state = found.study, found.study.manifest
    rows = [
        _texts(
            [
                run.name,
                str(run.players),
                run.variant,
                " ".join(filter(None, [POOLS[run.pool], run.kind, run.subject])),
                run.status,
                f"{run.games:,}",
                f"{run.errors:,}",
                run.digest,
            ]
        )
        for run in state.runs
    ]
    heads = ["run", "players", "variant", "what", "status", "games", "forfeited", "digest"]
    if study.command:
        how = joined(
            [
                element("p", "To play the same games again and compare the digest:"),
                element("pre", element("code", study.command)),
            ]
        )
    else:
        how = element("p", "A program played it, so no command line does so again.")
    runs = table(_heads(heads), rows, "Runs of the study, each an ordinary run with standings and rows")
    return joined([how, _file(found), folded(counted(len(rows), "run"), runs)])


def _file(found: Found) -> Markup:
    """Return the study as a file, for whoever has nothing but the page."""
    told = (
        "Saved as study.toml, this asks for the same study: arbosim study study.toml. Strategies that are files of "
        "their own are needed as well."
    )
    written = element("pre", element("code", toml.written(found.study.manifest.settings)), data_name="toml")
    return folded("The whole study as a file", joined([element("p", told), written]))


def _listed(facts: Sequence[tuple[str, object]]) -> Markup:
    return element("dl", *(joined([element("dt", name), element("dd", told)]) for name, told in facts))


def _heads(names: Sequence[str]) -> list[Markup]:
    return [element("th", name, scope="col", class_="text") for name in names]


def _texts(texts: Sequence[str], **attributes: object) -> Markup:
    first, *others = texts
    cells = [element("td", each, class_="text long") for each in others]
    return element("tr", element("th", breakable(first), scope="row"), *cells, **attributes)
