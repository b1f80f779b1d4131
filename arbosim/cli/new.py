"""`arbosim new`: a strategy file to begin with."""

from __future__ import annotations

import importlib.util
import keyword
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from arbosim.cli.output import say
from arbosim.core import registry
from arbosim.core.errors import UserError

PLACEHOLDER = "my_idea"


def new(
    name: Annotated[
        str, typer.Argument(help="The name of the strategy; the file is NAME.py in this folder.")
    ],
    compiled: Annotated[
        bool,
        typer.Option(
            "--compiled/--plain", help="A function that numba compiles, or a class in plain Python."
        ),
    ] = False,
) -> None:
    """Write a small, commented strategy that plays at once, ready to be changed."""
    name = name.removesuffix(".py")
    _check(name)
    path = Path(f"{name}.py")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(template(name, "compiled" if compiled else "plain"))
    except FileExistsError:
        raise UserError(f"{path} exists already; nothing was written") from None
    say(f"Wrote {path}.")
    say(f"  arbosim play {path} greedy --seed 1    watch it play a game")
    say(f"  arbosim check {path}                   see whether it plays by all rules")
    say(f"  arbosim run -s greedy,{path} -n 100    let it compete")


def template(name: str, kind: str) -> str:
    """Return the text of a new strategy of either kind from the folder `templates` of the game's package."""
    game = registry.game()
    text = (resources.files(type(game).__module__) / "templates" / f"{kind}.py.txt").read_text(
        encoding="utf-8"
    )
    class_name = "".join(part.capitalize() for part in name.split("_"))
    return text.replace(PLACEHOLDER, name).replace("MyIdea", class_name)


def _check(name: str) -> None:
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise UserError(f"{name!r} cannot name a strategy: use letters, digits and '_', as in my_idea")
    if not name.strip("_0123456789") or name.startswith("_"):
        raise UserError(f"{name!r} cannot name a strategy: begin with a letter, as in my_idea")
    if not Path(f"{name}.py").exists() and importlib.util.find_spec(name) is not None:
        raise UserError(f"{name!r} is the name of a module that Python has already; take another one")
