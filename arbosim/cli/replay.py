"""`arbosim replay`: a game of a run again, move for move, or a recorded game checked and scored."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from arbosim.cli.options import AsJson, check_record_file, write_records
from arbosim.cli.output import console, say
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.strategy import Entrant
from arbosim.match import documents
from arbosim.match.replay import GameId, PlayedRow, differences, parse_game_id, refusal, replay_record
from arbosim.replays import kept_of
from arbosim.runs import opened, parts_of
from arbosim.storage.parts import Parts
from arbosim.tournament.manifest import Manifest

REFUSED = 2
DIFFERS = 1


def replay(
    what: Annotated[
        str, typer.Argument(metavar="RUN|FILE", help="A run folder, or a record: .json, .jsonl or -.")
    ],
    game_id: Annotated[
        str, typer.Argument(help="With a run: the game, MATCH-DEAL-ROTATION as in 3-120-1.")
    ] = "",
    record: Annotated[
        str | None, typer.Option("--record", help="With a run: add the game to a .jsonl file as a record.")
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="With a record: print it turn by turn, not its score as JSON.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Play a game of a run again, or check and score recorded games.

    A game of a run is shown turn by turn and compared with its row. A record is answered by a JSON object:
    its score, its turns and whether it is finished, or the first action that cannot be and why.
    """
    try:
        if game_id or Path(what).is_dir():
            return _replay_row(Path(what), parse_game_id(game_id), record, as_json)
        if record is not None:
            raise UserError("--record belongs to a game of a run; a record is one already")
        return _replay_records(what, show and not as_json)
    except UserError as error:
        if as_json:
            say(json.dumps(refusal(error)))
        raise


def _replay_row(folder: Path, game_id: GameId, record: str | None, as_json: bool) -> int:
    check_record_file(record)
    state, playing = opened(folder)
    if playing.rules_version != state.rules_version:
        raise UserError(
            f"the run was played by version {state.rules_version} of the rules; "
            f"this arbosim has version {playing.rules_version}"
        )
    parts = parts_of(folder, state, playing)
    row = _row(parts, state, game_id)
    by = kept_of(state, parts, game_id, row) or tuple(_line_up(state, game_id.match))
    line_up = state.line_ups[game_id.match]
    names = [line_up[(seat - game_id.rotation) % state.players] for seat in range(state.players)]
    narrator = None if as_json else playing.narrator(console(), names)
    rules = playing.rules(None, state.rules)
    played = PlayedRow(game_id, by, row).play(playing, rules, state.seed, narrator)
    changed = differences(played, row)
    if record is not None:
        write_records(record, [played.record()])
    if as_json:
        answer = playing.notation.replay_object(played.position)
        answer |= {"game": str(game_id), "strategies": names, "seed": state.seed, "deal": game_id.deal}
        answer |= {"same_as_run": not changed}
        say(json.dumps(answer))
    if changed:
        typer.echo(f"arbosim: this is not the game of the run: {'; '.join(changed)}", err=True)
    return DIFFERS if changed else 0


def _row(parts: Parts, state: Manifest, game_id: GameId) -> dict[str, int]:
    """Read the one row of a game."""
    row = parts.row(*game_id)
    if row is None:
        raise UserError(
            f"the run has no game {game_id}: it has matches 0 to {len(state.line_ups) - 1}, "
            f"deals {state.deals_from} to {state.deals_from + state.deals - 1} as far as they were played, "
            f"rotations 0 to {state.players - 1}",
            where="GAME_ID",
        )
    return {name: row[name].item() for name in row.dtype.names or ()}


def _line_up(state: Manifest, match: int) -> list[Entrant]:
    """Find the strategies of a match again, by slot."""
    records = {record.spec: record for record in state.strategies}
    line_up = []
    for spec in state.line_ups[match]:
        if not records[spec].location:
            raise UserError(
                f"{spec!r} was an object of the program that played the run; no other can replay it"
            )
        entrant = registry.resolve(spec, state.game)
        if entrant.strategy.source_hash != records[spec].source_hash:
            typer.echo(f"arbosim: warning: {spec!r} has changed since the run", err=True)
        line_up.append(entrant)
    return line_up


def _replay_records(path: str, show: bool) -> int:
    refused = False
    for place, given in documents.read(path):
        try:
            if isinstance(given, UserError):
                raise given
            playing = registry.game(given.get("game") if isinstance(given, dict) else None)
            narrate = partial(playing.narrator, console()) if show else None
            position = replay_record(playing, given, narrate)
        except UserError as error:
            refused = True
            if show:
                told = error if error is given else f"{place}: {error}"
                typer.echo(f"arbosim: {told}", err=True)
            else:
                say(json.dumps(refusal(error)))
            continue
        if not show:
            say(json.dumps(playing.notation.replay_object(position)))
    return REFUSED if refused else 0
