"""`arbosim rules`: the rule sets and what can be changed in them."""

from __future__ import annotations

import json
import textwrap
from typing import Annotated

import typer

from arbosim.cli.options import AsJson, Changes, GameName, changed_rules, whole_number
from arbosim.cli.output import say
from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.game import Game, Rules


def rules(
    preset: Annotated[str | None, typer.Argument(help="A named rule set. [standard]")] = None,
    changes: Changes = None,
    players: Annotated[
        int | None,
        typer.Option(
            "-p", "--players", help="Check that so many can play by it.", **whole_number("--players")
        ),
    ] = None,
    game: GameName = None,
    as_json: AsJson = False,
) -> None:
    """Show the named rule sets, and every field of one with its value, what it accepts and what it means."""
    playing = registry.game(game)
    chosen = changed_rules(playing, preset, changes, "PRESET")
    _check(playing, chosen, players)
    name = preset or next(iter(playing.presets()))
    values = chosen.model_dump()
    if as_json:
        answer = {
            "game": playing.name,
            "rules_version": playing.rules_version,
            "preset": name,
            "rules": values,
            "fields": {
                field.name: {"accepted": field.accepted, "meaning": field.meaning}
                for field in playing.rule_fields
            },
            "letters": dict(playing.letters),
            "presets": {
                known: {"meaning": playing.preset_meaning(known), "rules": rule_set.model_dump()}
                for known, rule_set in playing.presets().items()
            },
        }
        say(json.dumps(answer, indent=2))
        return
    say(f"{playing.title}, version {playing.rules_version} of the rules. Named rule sets:")
    for known in playing.presets():
        say(f"  {known:14}{playing.preset_meaning(known)}")
    letters = ", ".join(f"{letter} {meaning}" for letter, meaning in playing.letters.items())
    say("\n" + textwrap.fill(f"Cards are written by letter and value: {letters}.", 90))
    say(f"\n{name}{' with changes' if changes else ''}; set a field as in --set hand_size=6:")
    for field in playing.rule_fields:
        say(f"  {field.name} = {_text(values[field.name])}   ({field.accepted})")
        say(f"      {field.meaning}")


def _check(playing: Game, rules: Rules, players: int | None) -> None:
    """Refuse what makes no sense for that many players; without a number, what makes none for any."""
    numbers = range(playing.min_players, playing.max_players + 1) if players is None else [players]
    refused = []
    for number in numbers:
        try:
            playing.check(rules, number)
        except UserError as error:
            refused.append(error)
    if len(refused) == len(numbers):
        raise refused[0]


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool | None) else str(value)
