"""The command line that plays a run again."""

from __future__ import annotations

import shlex

from arbosim.core import registry
from arbosim.core.game import nearest_rules
from arbosim.tournament.manifest import Manifest

STANDARD = "standard"
"""The rule set that is played where none is named."""


def again(state: Manifest) -> str:
    """Return the command for the games of a run, quoted for the shell; defaults of little interest are left out."""
    words = ["arbosim", "run", "-s", ",".join(state.specs), "-n", str(state.deals), "-p", str(state.players)]
    words += ["--seed", str(state.seed)]
    if state.schedule != "round-robin":
        words += ["--schedule", state.schedule]
    if state.focus is not None:
        words += ["--focus", state.focus]
    if state.game != registry.game().name:
        words += ["--game", state.game]
    preset, changes = nearest_rules(registry.game(state.game), state.rules)
    if preset != STANDARD:
        words += ["--rules", preset]
    for field, value in changes.items():
        words += ["--set", f"{field}={value}"]
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
    return shlex.join(words)
