"""Keys of a study that stand below the head of a table, which TOML takes for keys of that table."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.studies.problems import Problems

TABLES = ("base", "variants", "sweep", "factorial", "retune")


def taken_out(
    given: Mapping[str, Any],
    keys: Container[str],
    of_retune: Container[str],
    place: Callable[[str], str],
    problems: Problems,
) -> dict[str, Any]:
    """Return settings without the keys of a study that stand in one of its tables; these are problems.

    Parameters
    ----------
    keys, of_retune : container of str
        The keys of a study, and those of its table ``retune``.
    place : callable
        Returns where a setting was given.
    """
    rules = _fields_of_rules(given.get("game"))
    found = dict(given)
    for key in TABLES:
        table = given.get(key)
        if not isinstance(table, Mapping):
            continue
        own = of_retune if key == "retune" else rules
        left: dict[str, Any] = {}
        for name, value in table.items():
            is_variant = key == "variants" and isinstance(value, Mapping)  # for which any name will do
            if not is_variant and name in keys and name not in own:
                problems.add(_told(name, place(key)), key)
            elif is_variant:
                wrong = [field for field in value if field in keys and field not in rules]
                for field in wrong:
                    problems.add(_told(field, f"{place(key)}: variant {name!r}"), key)
                if not wrong or len(wrong) < len(value):
                    left[name] = {field: inner for field, inner in value.items() if field not in wrong}
            else:
                left[name] = value
        if left or not table:
            found[key] = left
        else:
            del found[key]
    return found


def _told(name: str, where: str) -> UserError:
    return UserError(f"{name!r} is a key of the study, and belongs above the first table", where=where)


def _fields_of_rules(game: object) -> Container[str]:
    """Return the names that the rules of a game have; none where the game is wrong, which is told later."""
    try:
        rules = registry.game(game if isinstance(game, str) else None).rules()
        return set(rules.model_dump())
    except UserError:
        return ()
