"""`arbosim bench`: games a second on this machine."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from arbosim.cli.options import whole_number
from arbosim.cli.output import say
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.measures import Measures
from arbosim.core.seeds import master_seed
from arbosim.core.spec import parse_list

DEFAULT = "random,greedy,balanced"


def bench(
    strategies: Annotated[
        list[str] | None,
        typer.Option("--strategies", "-s", help=f"Strategies, separated by commas [{DEFAULT}]."),
    ] = None,
    players: Annotated[
        list[int] | None,
        typer.Option(
            "--players",
            "-p",
            help="Number of players; may be repeated [2, 3 and 4].",
            **whole_number("--players"),
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(help="About how long each measurement takes.")] = 2.0,
    seed: Annotated[str, typer.Option(help="A whole number or any text.")] = "1",
    lean: Annotated[bool, typer.Option("--lean", help="Without metrics, as in arbosim run --lean.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure games a second: one strategy in all seats, one thread, with all that a tournament game does."""
    game = registry.game()
    if not 0.01 <= seconds <= 3600:
        raise UserError(f"a measurement takes 0.01 to 3600 seconds, not {seconds:g}", where="--seconds")
    rules = game.rules()
    counts = players or list(range(game.min_players, game.max_players + 1))
    for count in counts:
        game.check(rules, count)
    names = [name for text in strategies or [DEFAULT] for name in parse_list(text)]
    master = master_seed(seed)
    entrants = [registry.resolve(name, game.name, "--strategies") for name in names]
    from arbosim.tournament.speed import measure

    measures = Measures(metrics=not lean)
    found: dict[str, dict[str, dict[str, object]]] = {}
    for entrant in entrants:
        for count in counts:
            speed = measure(game, rules, count, entrant, seed=master, seconds=seconds, measures=measures)
            found.setdefault(entrant.spec, {})[str(count)] = {
                "games_per_second": round(speed.games_per_second, 1),
                "mean_scores": [round(mean, 4) for mean in speed.mean_scores],
                "games": speed.games,
            }
            if not as_json:
                means = "  ".join(f"{mean:6.2f}" for mean in speed.mean_scores)
                rate = f"{speed.games_per_second:>10,.{1 if speed.games_per_second < 10 else 0}f} games/s"
                say(f"{entrant.spec:<24} {count} players {rate}   mean scores by seat {means}")
    if as_json:
        say(json.dumps(found))
