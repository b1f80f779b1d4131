"""Programs that play, as settings and run.json name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictStr,
)

from arbosim.core.spec import is_name

HERE = "."
RANDOM_MOVE: Final = "random-move"
"""The policy by which a mistake costs no more than a move."""
OWN_PROTOCOL = "arbosim"
MOVE_SECONDS = 2.0
"""How long a program may think about a decision, unless it is told otherwise."""
MOST_SECONDS = 86_400.0


class Bot(BaseModel):
    """One program: how it is started, and which dialect of the game it speaks.

    Parameters
    ----------
    command : str
        Program and arguments, split as a shell would; a shell reads it only if `shell` is on.
    dir : str
        The folder in which it is started.
    protocol : str
    shell : bool
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: Annotated[StrictStr, Field(min_length=1)]
    dir: Annotated[StrictStr, Field(min_length=1)] = HERE
    protocol: StrictStr = OWN_PROTOCOL
    shell: StrictBool = False


def _command_alone(given: object) -> object:
    return {"command": given} if isinstance(given, str) else given


def _named(bots: Mapping[str, Bot]) -> Mapping[str, Bot]:
    for name in bots:
        if not is_name(name) or name.endswith(".py"):
            raise ValueError(f"a bot is named by letters, digits, '_' and '-', not {name!r}")
    return bots


Bots = Annotated[dict[str, Annotated[Bot, BeforeValidator(_command_alone)]], AfterValidator(_named)]
"""By name; a text stands for its command."""


def _some_seconds(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= MOST_SECONDS:
        raise ValueError(f"must be a number of seconds above 0, at most {MOST_SECONDS:,.0f}")
    return float(given)


MoveTimeout = Annotated[float, BeforeValidator(_some_seconds)]
