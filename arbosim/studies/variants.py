"""The variants of a study: their names, their rules, and which of them would be the same game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import product
from math import prod
from typing import Any

from arbosim.core.errors import UserError, placed, unknown
from arbosim.core.game import Game, Rules, rule_text
from arbosim.studies.config import Settings, written
from arbosim.studies.problems import Problems

BASE = "base"
MOST_VARIANTS = 1000
LONGEST_NAME = 100
_KEPT = r"A-Za-z0-9_.=+\-"


@dataclass(frozen=True)
class Variant:
    """A rule set with a name.

    Parameters
    ----------
    rules : Rules
        A rule set of the game.
    changed : dict
        The fields, as JSON values, in which it differs from the base.
    explicit : bool
        Whether it was asked for by name, and is no point of a sweep or a factorial.
    idle : frozenset of int
        Numbers of players for which it is the base itself, so that nothing is played.
    clashes : bool
        Whether the name of its folder would be that of another variant.
    """

    name: str
    rules: Rules
    changed: Mapping[str, Any] = field(default_factory=dict)
    explicit: bool = True
    idle: frozenset[int] = frozenset()
    clashes: bool = False

    @property
    def folder(self) -> str:
        """Return its name as part of the name of a folder: with ``_`` for what is odd there, and then a hash.

        >>> Variant("draws=1 right=always", None).folder, Variant("no 8/1", None).folder
        ('draws=1_right=always', 'no_8_1-2b10fe')
        """
        is_odd = re.search(f"[^{_KEPT} ]", self.name) is not None
        told = f"-{blake2b(self.name.encode(), digest_size=3).hexdigest()}" if is_odd or self.clashes else ""
        return self._plain + told

    @property
    def _plain(self) -> str:
        return re.sub(f"[^{_KEPT}]", "_", self.name)

    @property
    def fields(self) -> dict[str, Any]:
        """Return all fields of the rule set as JSON values."""
        return dict(self.rules.model_dump(mode="json"))


def expand(settings: Settings, game: Game, players: Sequence[int], problems: Problems) -> list[Variant]:
    """Return all variants, the base first; the points of a sweep or factorial that are the base are left out.

    A number of species may be the base for some numbers of players: then it is a variant for the others alone.
    What is wrong is added to the problems.
    """
    rules = None
    with problems.noted("base"), placed(settings.place("base")):
        rules = game.rules(settings.preset, settings.changes)
    base = Variant(BASE, game.rules() if rules is None else rules)
    if _count(settings) > MOST_VARIANTS:
        problems.add(f"{_count(settings):,} variants; a study has {MOST_VARIANTS:,} at most")
        return [base]
    asked = list(_asked(settings, game, base, problems))
    if "base" in problems.keys:
        return [base]  # beside which nothing more can be told about the others
    found = [base]
    for each in asked:
        idle = frozenset(count for count in players if _is_same(game, each, base, count))
        if len(idle) < len(players) or not players:
            found.append(replace(each, idle=idle))
        elif each.explicit:
            found.append(each)  # which is a mistake
    if len(found) == 1 and not problems.keys & {"variants", "sweep", "factorial", "presets"} and not asked:
        problems.add("a study compares variants: [variants], [sweep], [factorial] or presets name some")
    elif len(found) == 1 and asked:
        problems.add("every point of the sweep is the base, so there is nothing to compare")
    found = _told_apart(found)
    _check_names(found, settings.place("variants"), problems)
    unplayable = _check_playable(found, game, players, problems)
    _check_different(found, game, players, unplayable, problems)
    return found


def _count(settings: Settings) -> int:
    """Return how many variants are asked for."""
    points = prod(map(len, settings.factorial.values())) if settings.factorial else 0
    swept = sum(map(len, settings.sweep.values()))
    return len(settings.variants) + swept + points + len(settings.presets)


def _asked(settings: Settings, game: Game, base: Variant, problems: Problems) -> Iterator[Variant]:
    """Yield the variants in the order in which they are written: by name, sweeps, the factorial, presets."""
    for name, fields in settings.variants.items():
        preset = fields.get("preset")
        changes = {key: value for key, value in fields.items() if key != "preset"}
        if not fields:
            told = f"variant {name!r}: changes nothing; give it a field of the rules"
            problems.add(UserError(told, where=settings.place("variants")), "variants")
            continue
        with problems.noted("variants"), placed(settings.place("variants")):
            yield _variant(name, game, base, changes, preset)
    sweep = _axes(settings.sweep, "sweep", settings.place("sweep"), game, base, problems)
    for field_name, values in sweep.items():
        for value in values:
            yield _point(game, base, {field_name: value})
    factorial = _axes(settings.factorial, "factorial", settings.place("factorial"), game, base, problems)
    for point in product(*factorial.values()) if factorial else ():
        yield _point(game, base, dict(zip(factorial, point, strict=True)))
    for name in settings.presets:
        with problems.noted("presets"):
            if name not in game.presets():
                raise unknown("preset", name, game.presets(), settings.place("presets"))
            yield _variant(name, game, base, {}, name)


def _axes(
    table: Mapping[str, tuple[Any, ...]],
    key: str,
    where: str,
    game: Game,
    base: Variant,
    problems: Problems,
) -> dict[str, list[Any]]:
    """Return for each field that there is the values that it takes, in the field's own type."""
    known = base.fields
    axes: dict[str, list[Any]] = {}
    for name, values in table.items():
        if name not in known:
            problems.add(unknown("rule", name, known, where), key)
            continue
        axes[name] = []
        for value in values:
            with problems.noted(key), placed(where):
                rules = game.rules(None, {**base.fields, name: value})
                axes[name].append(rules.model_dump(mode="json")[name])
    return axes


def _point(game: Game, base: Variant, changes: Mapping[str, Any]) -> Variant:
    name = " ".join(f"{field_name}={rule_text(value)}" for field_name, value in changes.items())
    return _variant(name, game, base, changes, None, explicit=False)


def _variant(
    name: str, game: Game, base: Variant, changes: Mapping[str, Any], preset: Any, explicit: bool = True
) -> Variant:
    with placed(f"variant {name!r}"):
        if preset is not None and not isinstance(preset, str):
            raise UserError(f"preset names a rule set, so it is not {written(preset)}")
        start = {} if preset is not None else base.fields
        rules = game.rules(preset, {**start, **changes})
    fields = rules.model_dump(mode="json")
    changed = {key: value for key, value in fields.items() if value != base.fields[key]}
    return Variant(name, rules, changed, explicit)


def _told_apart(variants: Sequence[Variant]) -> list[Variant]:
    """Return the variants with a note where folders would be the same, also for those to whom A is a."""
    folders = Counter(variant.folder.lower() for variant in variants)
    return [
        replace(each, clashes=folders[each.folder.lower()] > 1 and each.name != BASE) for each in variants
    ]


def _check_names(variants: Sequence[Variant], where: str, problems: Problems) -> None:
    seen: set[str] = set()
    for number, variant in enumerate(variants):
        name = variant.name
        told = ""
        if not (name.isprintable() and name.strip() and len(name) <= LONGEST_NAME):
            told = f": a variant is named by at most {LONGEST_NAME} characters that can be printed"
        elif name == BASE and number:
            told = ": so the base itself is called"
        elif name in seen:
            told = " is there twice"
        if told:
            problems.add(UserError(f"variant {name!r}{told}", where=where))
        seen.add(name)


def _check_playable(
    variants: Sequence[Variant], game: Game, players: Sequence[int], problems: Problems
) -> set[tuple[str, int]]:
    """Return which variants cannot be played by how many, and note why."""
    unplayable = set()
    for variant, count in product(variants, players):
        try:
            game.check(variant.rules, count)
        except UserError as error:
            unplayable.add((variant.name, count))
            for reason in str(error).split("\n"):
                problems.add(f"{_called(variant)} cannot be played by {count}: {reason}")
    return unplayable


def _check_different(
    variants: Sequence[Variant],
    game: Game,
    players: Sequence[int],
    unplayable: set[tuple[str, int]],
    problems: Problems,
) -> None:
    """Refuse variants that come to the same game for some number of players."""
    same: dict[tuple[str, str], list[str]] = {}
    for count in players:
        first: dict[str, Variant] = {}
        for variant in variants:
            if (variant.name, count) not in unplayable and count not in variant.idle:
                other = first.setdefault(_comes_to(game, variant, count), variant)
                if other.name != variant.name:
                    same.setdefault((_called(other), _called(variant)), []).append(str(count))
    for (a, b), counts in same.items():
        problems.add(f"{a} and {b} are the same game for {' and '.join(counts)} players")


def _is_same(game: Game, a: Variant, b: Variant, players: int) -> bool:
    """Tell whether two rule sets are one game for so many players."""
    return _comes_to(game, a, players) == _comes_to(game, b, players)


def _comes_to(game: Game, variant: Variant, players: int) -> str:
    """Return a text that two rule sets have in common if they are the same game."""
    return repr(sorted(game.effective(variant.rules, players).items()))


def _called(variant: Variant) -> str:
    return "the base" if variant.name == BASE else f"variant {variant.name!r}"
