"""The command line that plays a run again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from arbosim.core import registry
from arbosim.core.game import nearest_rules
from arbosim.tournament.bots import HERE, OWN_PROTOCOL, RANDOM_MOVE
from arbosim.tournament.manifest import Manifest

STANDARD = "standard"
"""The rule set that is played where none is named."""


def game_words(game: str, rules: Mapping[str, object]) -> list[str]:
    """Return the flags for a game and its rules (as JSON values); none where both are what is played anyway."""
    words = [] if game == registry.game().name else ["--game", game]
    preset, changes = nearest_rules(registry.game(game), rules)
    if preset != STANDARD:
        words += ["--rules", preset]
    for field, value in changes.items():
        words += ["--set", f"{field}={value}"]
    return words


def again(state: Manifest) -> str:
    """Return the command for the games of a run, quoted for the shell; defaults of little interest are left out."""
    words = ["arbosim", "run"]
    named = [spec for spec in state.specs if spec not in state.bots]
    if named:
        words += ["-s", ",".join(named)]
    for name, bot in state.bots.items():
        words += ["--bot", f"{name}={bot.command}"]
        words += ["--bot-dir", f"{name}={bot.dir}"] if bot.dir != HERE else []
        words += ["--protocol", f"{name}={bot.protocol}"] if bot.protocol != OWN_PROTOCOL else []
        words += ["--bot-shell", name] if bot.shell else []
    words += ["-n", str(state.deals), "-p", str(state.players)]
    words += ["--seed", str(state.seed)]
    if state.schedule != "round-robin":
        words += ["--schedule", state.schedule]
    if state.focus is not None:
        words += ["--focus", state.focus]
    words += game_words(state.game, state.rules)
    if state.deals_from:
        words += ["--deals-from", str(state.deals_from)]
    if state.lean:
        words += ["--lean"]
    if state.course:
        words += ["--course"]
    if state.metric is not None and state.metric.location:
        words += ["--metric", state.metric.location]
    if state.strict:
        words += ["--strict"]
    if state.move_timeout is not None:
        words += ["--move-timeout", f"{state.move_timeout:g}"]
    if state.isolate:
        words += ["--isolate"]
    if state.on_error == RANDOM_MOVE:
        words += ["--on-error", RANDOM_MOVE]
    return shlex.join(words)
