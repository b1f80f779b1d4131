"""`arbosim play`: one game, turn by turn."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from arbosim.cli.options import (
    AsJson,
    Changes,
    GameName,
    RuleSet,
    changed_rules,
    check_record_file,
    whole_number,
    write_records,
)
from arbosim.cli.output import console, say
from arbosim.core import registry
from arbosim.match import single

FORFEITED = 1


def play(
    strategies: Annotated[list[str], typer.Argument(help="One strategy a seat; the first one starts.")],
    seed: Annotated[str, typer.Option("--seed", help="A whole number or any text.")] = "1",
    deal: Annotated[
        int,
        typer.Option("--deal", help="Number of the deal, as in a tournament.", **whole_number("--deal", 0)),
    ] = 0,
    rules: RuleSet = None,
    changes: Changes = None,
    game: GameName = None,
    record: Annotated[
        str | None, typer.Option("--record", help="Add the game to a .jsonl file as a record.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Play one game between strategies and show it turn by turn, with the scoring explained.

    The same seed and deal give the same cards and, for the same strategies, the game that a tournament plays.
    """
    check_record_file(record)
    playing = registry.game(game)
    chosen = changed_rules(playing, rules, changes)
    narrator = None if as_json else playing.narrator(console(), strategies)
    played = single.play(strategies, seed=seed, deal=deal, rules=chosen, game=playing.name, narrator=narrator)
    if record is not None:
        write_records(record, [played.record()])
    if as_json:
        answer = playing.notation.replay_object(played.position) | {
            "seed": played.seed,
            "deal": played.deal,
            "strategies": list(played.names),
        }
        say(json.dumps(answer))
    return FORFEITED if played.error is not None else 0
