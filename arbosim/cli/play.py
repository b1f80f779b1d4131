"""`arbosim play`: one game, turn by turn, between strategies or with a person among them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from arbosim.cli.options import (
    AsJson,
    Changes,
    GameName,
    RuleSet,
    changed_rules,
    check_file_name,
    check_record_file,
    whole_number,
    write_records,
)
from arbosim.cli.output import console, say
from arbosim.cli.person import FORFEITED, new_file, play_game
from arbosim.cli.playing import SingleGame, compile_first
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.match import single
from arbosim.match.person import PersonGame

USUAL_SEED = "1"
FRESH_SEEDS = 10**9


def play(
    strategies: Annotated[
        list[str] | None, typer.Argument(help="One strategy a seat; the first one starts.")
    ] = None,
    human: Annotated[bool, typer.Option("--human", help="Play yourself, against the strategies.")] = False,
    seat: Annotated[
        int | None,
        typer.Option("--seat", help="With --human: your seat. [0, who starts]", **whole_number("--seat", 0)),
    ] = None,
    adviser: Annotated[
        str | None, typer.Option("--adviser", help="With --human: who gives hints and the review. [expert]")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="FILE", help="Go on with a game of --human.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", help="A whole number or any text. [1; with --human by chance]")
    ] = None,
    deal: Annotated[
        int | None,
        typer.Option(
            "--deal", help="Number of the deal, as in a tournament. [0]", **whole_number("--deal", 0)
        ),
    ] = None,
    rules: RuleSet = None,
    changes: Changes = None,
    game: GameName = None,
    record: Annotated[
        str | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Add the game to a .jsonl file as a record; with --human a new file. [with --human one in games]",
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Play one game between strategies and show it turn by turn, with the scoring explained.

    The same seed and deal give the same cards and, for the same strategies, the game that a tournament plays.
    With --human you sit at the table yourself; the game is kept after every action, and --resume goes on with it.
    """
    new = {
        "STRATEGIES": strategies or None,
        "--seat": seat,
        "--seed": seed,
        "--deal": deal,
        "--rules": rules,
        "--set": changes or None,
        "--game": game,
        "--record": record,
    }
    if resume is not None:
        _refuse_all(new, "--resume goes on with the game as it is")
    if resume is not None or human:
        _refuse_all({"--json": as_json or None}, "a game with a person is shown as text")
    else:
        _refuse_all({"--seat": seat, "--adviser": adviser}, "this belongs to --human")
    if resume is not None:
        check_file_name(resume, "--resume")
        return play_game(lambda: PersonGame.resume(Path(resume)), adviser)
    if not strategies:
        raise UserError(
            "name the strategies that play, as in `arbosim play greedy random`", where="STRATEGIES"
        )
    playing = registry.game(game)
    chosen = changed_rules(playing, rules, changes)
    check_record_file(record)
    if human:
        given = str(secrets.randbelow(FRESH_SEEDS)) if seed is None else seed
        path = new_file(strategies) if record is None else Path(record)
        return play_game(
            lambda: PersonGame.begin(playing, chosen, strategies, seat or 0, given, deal or 0, path), adviser
        )
    entrants = single.line_up(playing, chosen, strategies, deal or 0, where="STRATEGIES")
    compile_first(SingleGame(playing, entrants), quiet=as_json)
    narrator = None if as_json else playing.narrator(console(), strategies)
    played = single.play(
        entrants,
        seed=USUAL_SEED if seed is None else seed,
        deal=deal or 0,
        rules=chosen,
        game=playing.name,
        narrator=narrator,
    )
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


def _refuse_all(given: Mapping[str, object], reason: str) -> None:
    """Refuse the first setting that is given, for a reason."""
    for flag, value in given.items():
        if value is not None:
            raise UserError(reason, where=flag)
