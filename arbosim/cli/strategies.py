"""`arbosim strategies`: what can take part."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from arbosim.cli.output import console, say
from arbosim.core import registry, sets
from arbosim.core.errors import UserError
from arbosim.core.spec import parse
from arbosim.core.strategy import Parameter, Strategy, Value


def strategies(
    name: Annotated[
        str, typer.Argument(help="Show one in full: a name, a file.py or py=module:attribute.")
    ] = "",
    names: Annotated[
        bool,
        typer.Option("--names", help="Print the names alone, with commas, as `arbosim run -s` takes them."),
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="List only those without a budget: the others think for long.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object (or a list) for machines.")
    ] = False,
) -> None:
    """List the strategies with their ideas, parameters and status."""
    game = registry.game().name
    if name:
        entrant = registry.resolve(name, game, where="NAME")
        strategy, called = entrant.strategy, parse(entrant.spec).target
        say(json.dumps(as_dict(strategy), indent=2) if as_json else in_full(strategy, called))
        return
    known = list((registry.quick(game) if quick else registry.strategies(game)).values())
    if names:
        say(",".join(strategy.name for strategy in known))
    elif as_json:
        say(json.dumps([as_dict(strategy) for strategy in known], indent=2))
    else:
        _print_table(known)


def as_dict(strategy: Strategy) -> dict[str, Any]:
    """Return what is known about a strategy in types that JSON has."""
    return {
        "name": strategy.name,
        "kind": strategy.kind,
        "status": strategy.status,
        "idea": strategy.idea,
        "source": strategy.source,
        "weakness": strategy.weakness,
        "parameters": [
            {
                "name": parameter.name,
                "kind": parameter.kind,
                "default": parameter.default,
                "low": None if parameter.kind == "switch" else parameter.low,
                "high": None if parameter.kind == "switch" else parameter.high,
                "meaning": parameter.meaning,
                "ability": parameter.ability,
                "tune": parameter.tune,
                "budget": parameter.budget,
                "clock": parameter.clock,
            }
            for parameter in strategy.parameters
        ],
        "sets": {name: _values_or_fault(strategy, name) for name in sets.known(strategy)},
        "source_hash": strategy.source_hash,
    }


def in_full(strategy: Strategy, called: str) -> str:
    """Return all that is known about a strategy as text.

    Parameters
    ----------
    called : str
        What a run takes: its name, or its file.
    """
    lines = [f"{strategy.name} ({strategy.kind}, {strategy.status})", f"  idea      {strategy.idea or '-'}"]
    lines += [f"  source    {strategy.source or '-'}", f"  weakness  {strategy.weakness or '-'}"]
    if not strategy.parameters:
        return "\n".join([*lines, "  parameters: none"])
    lines.append(f"  parameters, set as in {called}:{_assignment(strategy.parameters[0])}")
    width = max(len(_assignment(parameter)) for parameter in strategy.parameters)
    for parameter in strategy.parameters:
        marks = {
            "an ability": parameter.ability,
            "tuned": parameter.tune,
            "a budget": parameter.budget,
            "by the clock unless 0: games do not repeat by seed": parameter.clock,
        }
        note = "".join(f" ({mark})" for mark, holds in marks.items() if holds)
        lines.append(f"    {_assignment(parameter):{width}}  {parameter.meaning}; {parameter.accepted}{note}")
    known = sets.known(strategy)
    if known:
        lines.append(f"  parameter sets, taken as in {called}@{next(iter(known))}")
        lines += [f"    {name}  {_told_or_fault(strategy, name)}" for name in known]
    return "\n".join(lines)


def _told_or_fault(strategy: Strategy, name: str) -> str:
    try:
        return _told(sets.load(strategy, name), strategy)
    except UserError as error:
        return f"cannot be used: {'; '.join(str(error).splitlines())}"


def _values_or_fault(strategy: Strategy, name: str) -> dict[str, Any]:
    try:
        return dict(sets.load(strategy, name))
    except UserError as error:
        return {"error": str(error)}


def _told(values: Mapping[str, Value], strategy: Strategy) -> str:
    return " ".join(
        f"{parameter.name}={parameter.format(values[parameter.name])}"
        for parameter in strategy.parameters
        if parameter.name in values
    )


def _assignment(parameter: Parameter) -> str:
    return f"{parameter.name}={parameter.format(parameter.default)}"


def _print_table(known: list[Strategy]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("strategy", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("idea, and parameters with their defaults")
    for strategy in known:
        settings = " ".join(_assignment(parameter) for parameter in strategy.parameters)
        idea = Text(strategy.idea)
        if settings:
            idea.append(f"\n{settings}", style="dim")
        table.add_row(strategy.name, strategy.status, idea)
    console().print(table)
    say("\narbosim strategies NAME shows one in full; parameters are set as in NAME:key=value.")
