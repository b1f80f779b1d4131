"""Renew docs/api.md, the list of all that a compiled strategy may call: python docs/list_api.py"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "arbosim" / "games" / "arboretum" / "api.py"
PAGE = ROOT / "docs" / "api.md"
INTRODUCTION = """# What a compiled strategy calls

The functions of `arbosim.games.arboretum.api`, in the order of its source; `help(api.gain)` says more of one.
They return int64 unless they say otherwise. `p` is a seat, `card` a card code (0 is no card), `cell` a cell of a
grid, `species` the code of a species. `seconds()` is the time by the clock, from no fixed origin.
[strategies.md](strategies.md) tells how all this is used; this page is drawn by `python docs/list_api.py`."""


def page(source: str) -> str:
    """Return the page for the source of the api: a table for each comment that stands alone as a heading."""
    lines = source.splitlines()
    parts = [INTRODUCTION]
    heading = ""
    first = 0
    for node in ast.parse(source).body:
        start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))]) - 1
        found = [line[2:] for line in lines[first:start] if line.startswith("# ")]
        first = node.end_lineno or start
        heading = found[-1] if found else heading
        if heading and isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            if found:
                parts += [f"\n## {heading}\n\n| | |\n|---|---|"]
            meaning = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
            parts += [f"| `{node.name}({ast.unparse(node.args)})` | {meaning.replace('|', '&#124;')} |"]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(SOURCE.read_text(encoding="utf-8")), encoding="utf-8")
