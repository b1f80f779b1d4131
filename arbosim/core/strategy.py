"""What a strategy is: its definition, its parameters, and the entrant that takes part with their values."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from types import CodeType
from typing import Any, Literal

from arbosim.core.errors import UserError, unknown
from arbosim.core.numbers import number, whole
from arbosim.core.outside import Program
from arbosim.core.spec import Spec, format_spec, is_name

Value = bool | int | float
STATUSES = ("verified", "experimental", "user")
TEXT = "__text__"
"""Under this name a module that was loaded from a strategy file keeps the text that it was made of."""
_ON, _OFF = ("on", "true", "yes", "1"), ("off", "false", "no", "0")


@dataclass(frozen=True)
class Parameter:
    """One number or switch of a strategy.

    The type of the default decides: a bool is a switch, an int takes whole numbers, a float any number.

    Parameters
    ----------
    ability : bool
        Whether it is an ability that can be switched off (draws from discards, counts cards, ...).
    tune : bool
        Whether `arbosim tune` looks for its best value; a strategy with such parameters is tunable.
    budget : bool
        Whether it says how much the strategy may think (rollouts, ...); doubling it gives the skill trace.
    clock : bool
        Whether the strategy thinks by the clock where it is not 0, so that its games do not repeat by seed.
    """

    name: str
    default: Value
    low: float = 0
    high: float = 1
    meaning: str = ""
    ability: bool = False
    tune: bool = False
    budget: bool = False
    clock: bool = False

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise UserError(f"a parameter is named by an identifier, not {self.name!r}")
        if self.ability and self.kind != "switch":
            raise UserError(
                f"parameter {self.name!r}: an ability is a switch, so its default is True or False"
            )
        if self.tune and self.kind == "switch":
            raise UserError(f"parameter {self.name!r}: a switch cannot be tuned, numbers can")
        if self.tune and self.clock:
            raise UserError(f"parameter {self.name!r}: a clock cannot be tuned, as more time is no worse")
        if self.budget and self.kind != "whole":
            raise UserError(f"parameter {self.name!r}: a budget is a whole number, and so is its default")
        if self.clock and (self.kind == "switch" or self.low < 0):
            raise UserError(f"parameter {self.name!r}: a clock is a number that is never below 0")
        self.check(self.default, where="default")

    @property
    def kind(self) -> Literal["switch", "whole", "number"]:
        """Return what values it takes."""
        if isinstance(self.default, bool):
            return "switch"
        return "whole" if isinstance(self.default, int) else "number"

    @property
    def accepted(self) -> str:
        """Return in words what values it takes."""
        if self.kind == "switch":
            return "on or off"
        what = "a whole number" if self.kind == "whole" else "a number"
        return f"{what} from {_number(self.low)} to {_number(self.high)}"

    def parse(self, text: str, where: str = "") -> Value:
        """Return the value that a text stands for."""
        if self.kind == "switch" and text.lower() in _ON + _OFF:
            return text.lower() in _ON
        try:
            return self.check(whole(text) if self.kind == "whole" else number(text), where)
        except ValueError:
            raise self._refused(text, where) from None

    def check(self, value: object, where: str = "") -> Value:
        """Return the value in the type of the default, or raise if it is none of the accepted ones."""
        if isinstance(value, bool) and self.kind == "switch":
            return value
        if not isinstance(value, int | float) or isinstance(value, bool) or self.kind == "switch":
            raise self._refused(value, where)
        # not a number, or infinite, lies between no bounds
        if not self.low <= value <= self.high or (self.kind == "whole" and value != int(value)):
            raise self._refused(value, where)
        return int(value) if self.kind == "whole" else float(value)

    def format(self, value: Value) -> str:
        """Return the text that parses to this value."""
        if isinstance(value, bool):
            return "on" if value else "off"
        return _number(value)

    def _refused(self, value: object, where: str) -> UserError:
        return UserError(f"parameter {self.name!r} takes {self.accepted}, not {value!r}", where=where)


@dataclass(frozen=True)
class Strategy:
    """The definition of a strategy: code, parameters, and what is to be known about it.

    Parameters
    ----------
    kind : {"compiled", "python", "program"}
        A function over records that numba compiles, a class over a friendly view, or a program of its own.
    entry : Callable, or Program
        That function, that class, or what talks with that program; see `arbosim.core.outside`.
    idea, source, weakness : str
        How it plays, where the idea is from, and against what it does badly.
    status : {"verified", "experimental", "user"}
        How well it is checked.
    appraise : Callable, optional
        Of a compiled strategy: the points by which it expects to beat the strongest rival in the end if the current
        seat takes a given action (float64). It gets what `entry` gets, and the action; the memory is as at the start of
        a game, since who asks may have made the earlier decisions otherwise.
    """

    name: str
    game: str
    kind: Literal["compiled", "python", "program"]
    entry: Callable[..., Any] | Program
    parameters: tuple[Parameter, ...] = ()
    idea: str = ""
    source: str = ""
    weakness: str = ""
    status: str = "user"
    appraise: Callable[..., float] | None = None

    def __post_init__(self) -> None:
        if not is_name(self.name) or self.name.endswith(".py"):
            raise UserError(f"a strategy is named by letters, digits, '_' and '-', not {self.name!r}")
        if self.status not in STATUSES:
            raise unknown("status", self.status, STATUSES, where=f"strategy {self.name!r}")
        names = [parameter.name for parameter in self.parameters]
        if len(set(names)) < len(names):
            raise UserError(f"strategy {self.name!r} declares a parameter twice: {', '.join(names)}")

    @cached_property
    def source_hash(self) -> str:
        """Hash of the source text of its file and of the files beside it that it uses.

        Where it has no file, as in a notebook, of its own source or code. A program knows its own.
        """
        program = self.program
        if program is not None:
            return program.source_hash
        return blake2b(source_of(self.entry), digest_size=16).hexdigest()  # type: ignore[arg-type]

    @property
    def program(self) -> Program | None:
        """Return what talks with it, if it is a program."""
        return self.entry if self.kind == "program" else None  # type: ignore[return-value]

    @property
    def budgets(self) -> tuple[Parameter, ...]:
        """Return the parameters that say how much it may think."""
        return tuple(parameter for parameter in self.parameters if parameter.budget)

    def with_parameters(self, **values: Value) -> Entrant:
        """Return this strategy with some of its parameters set, to take part in a run or a game."""
        return self.entrant(values)

    def entrant(
        self,
        settings: Mapping[str, object] | None = None,
        *,
        target: str = "",
        location: str = "",
        where: str = "",
        chosen: str = "",
        base: Mapping[str, Value] | None = None,
    ) -> Entrant:
        """Return this strategy with parameter values; texts are parsed, missing ones are the defaults.

        Parameters
        ----------
        target : str
            What the canonical spec begins with; the name if it is empty.
        location : str
            How another process finds the strategy; empty for an object that lives in memory only.
        chosen : str
            The parameter set whose values, ``base``, stand for the defaults.
        """
        base = base or {}
        given = dict(settings or {})
        accepted = [parameter.name for parameter in self.parameters]
        for key in given:
            if key not in accepted:
                raise unknown("parameter", key, accepted, f"{self.name} of {where}" if where else self.name)
        values = []
        changed = []
        for parameter in self.parameters:
            usual = base.get(parameter.name, parameter.default)
            value = given.get(parameter.name, usual)
            checked = (
                parameter.parse(value, where) if isinstance(value, str) else parameter.check(value, where)
            )
            values.append(checked)
            if checked != usual:
                changed.append((parameter.name, parameter.format(checked)))
        return Entrant(
            self, format_spec(Spec(target or self.name, tuple(changed), chosen)), tuple(values), location
        )


@dataclass(frozen=True)
class Entrant:
    """A strategy with its parameter values: what takes part in a game.

    It travels to other processes by its location, so that they load the compiled code from the cache; a program travels
    as it is.
    """

    strategy: Strategy
    spec: str
    values: tuple[Value, ...]
    location: str = ""

    @property
    def settings(self) -> dict[str, Value]:
        """Return all parameter values by name."""
        return {
            parameter.name: value
            for parameter, value in zip(self.strategy.parameters, self.values, strict=True)
        }

    @property
    def repeats(self) -> bool:
        """Return whether the same seed gives the same games; not so where it thinks by the clock, or is a program."""
        pairs = zip(self.strategy.parameters, self.values, strict=True)
        by_clock = any(parameter.clock and value for parameter, value in pairs)
        return not by_clock and self.strategy.kind != "program"

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.location or self.strategy.kind == "program":
            return Entrant, (self.strategy, self.spec, self.values, self.location)
        found = self.location, self.spec, self.values, self.strategy.game, self.strategy.source_hash
        return _found_again, found


def from_class(cls: type) -> Strategy:
    """Return the definition that a class over a view states in its attributes and its docstring.

    Raises
    ------
    UserError
        A method that every strategy needs is missing.
    """
    missing = sorted(getattr(cls, "__abstractmethods__", ()))
    if missing:
        raise UserError(
            f"{cls.__name__} defines no {' and no '.join(f'{name}(self, view)' for name in missing)}"
        )
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
    return Strategy(
        name=cls.__dict__.get("name") or snake,
        game=cls.__arbosim_game__,  # type: ignore[attr-defined]
        kind="python",
        entry=cls,
        parameters=tuple(getattr(cls, "parameters", ())),
        idea=first_paragraph(cls.__dict__.get("__doc__")),
        source=getattr(cls, "source", ""),
        weakness=getattr(cls, "weakness", ""),
        status=getattr(cls, "status", "") or "user",
    )


def first_paragraph(docstring: str | None) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join(inspect.cleandoc(docstring or "").split("\n\n")[0].split())


def _found_again(location: str, spec: str, values: tuple[Value, ...], game: str, source_hash: str) -> Entrant:
    from arbosim.core import registry  # the registry stands on this module

    found = registry.restore(location, spec, values, game)
    if found.strategy.source_hash != source_hash:
        raise UserError(f"the source of strategy {spec!r} has changed while it plays; put the old one back")
    return found


def _number(value: float) -> str:
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def source_of(entry: Callable[..., Any]) -> bytes:
    """Return the text that decides what a function or class does: all of its file where there is one."""
    try:
        files = list(_texts(entry.__module__))
        return b"".join(files) if files else inspect.getsource(entry).encode()
    except (OSError, TypeError):
        return "\n".join(_code_texts(entry)).encode()


def _texts(module: str) -> Iterator[bytes]:
    """Yield the text of a module and, in the order of their names, of those of its package that it imports."""
    package = module.rpartition(".")[0]
    found: set[str] = set()
    waiting = {module}
    while waiting:
        name = waiting.pop()
        found.add(name)
        for value in vars(sys.modules.get(name, object)).values():
            used = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
            if package and isinstance(used, str) and used.startswith(f"{package}.") and used not in found:
                waiting.add(used)
    for name in sorted(found):
        known = vars(sys.modules.get(name, object))
        if TEXT in known:
            yield known[TEXT]
        elif known.get("__file__"):
            yield Path(known["__file__"]).read_bytes()


def _code_texts(thing: Any) -> Iterator[str]:
    """Yield a text for everything in a code object that decides what it does, but no address."""
    if isinstance(thing, type):
        for name, member in sorted(vars(thing).items()):
            if hasattr(member, "__code__"):
                yield name
                yield from _code_texts(member)
        return
    code = thing if isinstance(thing, CodeType) else thing.__code__
    yield code.co_code.hex()
    yield repr(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_texts(constant)
        else:
            yield repr(constant)
