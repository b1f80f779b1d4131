"""Finding games and strategies: through entry points, by module and attribute, or in a file."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import pkgutil
import posixpath
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard, cast

from arbosim.core import sets
from arbosim.core.arguments import shown
from arbosim.core.errors import FAILURES, UserError, nearest, told, unknown
from arbosim.core.game import Game
from arbosim.core.hook import Hook
from arbosim.core.spec import Spec, parse
from arbosim.core.strategy import TEXT, Entrant, Strategy, Value, from_class

GAMES = "arbosim.games"
STRATEGIES = "arbosim.strategies"


@cache
def games() -> dict[str, Game]:
    """Return the installed games by name."""
    points = sorted(entry_points(group=GAMES), key=lambda point: point.name)
    return {point.name: cast(Game, point.load()) for point in points}


def game(name: str | None = None) -> Game:
    """Return a game; without a name, the first in alphabetical order."""
    known = games()
    if not known:
        raise UserError(
            "no game is installed: the entry points of the package are missing; install it with pip"
        )
    if name is None:
        return next(iter(known.values()))
    if not isinstance(name, str):  # what a file says need not be one
        raise UserError(f"the name of a game is text, not {shown(name)}", where="game")
    if name not in known:
        raise unknown("game", name, known)
    return known[name]


def strategies(game: str) -> dict[str, Strategy]:
    """Return the strategies of a game in all packages that the entry points name, in alphabetical order.

    A module that cannot be imported is left out with a warning: one broken file does not stop the rest.
    """
    found: dict[str, Strategy] = {}
    for module in _modules():
        for strategy in _defined_in(module):
            if strategy.game != game:
                continue
            if strategy.name in found:
                both = f"{module.__name__} and {found[strategy.name].entry.__module__}"
                raise UserError(f"two strategies are named {strategy.name!r}, in {both}")
            found[strategy.name] = strategy
    return dict(sorted(found.items()))


def quick(game: str) -> dict[str, Strategy]:
    """Return the strategies of a game that think for no longer than they must: those without a budget."""
    return {name: strategy for name, strategy in strategies(game).items() if not strategy.budgets}


def resolve(what: str | Strategy | type | Entrant, game: str, where: str = "") -> Entrant:
    """Return the entrant that a text, a definition or a class stands for.

    Parameters
    ----------
    what : str, Strategy, type or Entrant
        A text follows the grammar of `arbosim.core.spec`.
    where : str
        The flag or key that the text comes from, for messages.
    """
    if isinstance(what, str):
        entrant = _resolve_text(what, game, where)
    elif isinstance(what, Entrant):
        entrant = what
    else:
        entrant = _resolve_object(_strategy_of(what, where), where)
    if entrant.strategy.game != game:
        raise UserError(f"{entrant.spec!r} plays {entrant.strategy.game}, not {game}", where=where)
    return entrant


def restore(location: str, spec: str, values: Sequence[Value], game: str) -> Entrant:
    """Return the entrant of a spec in another process, where its strategy lies at a location."""
    return Entrant(resolve(location, game).strategy, spec, tuple(values), location)


def hook(what: str | Hook, game: str, where: str = "") -> Hook:
    """Return the compiled metric that an object or a text stands for: ``file.py`` or ``py=module:attribute``."""
    found: object = what
    if isinstance(what, str):
        spec = parse(what, where)
        if spec.settings or spec.chosen or spec.kind == "name":
            raise UserError(
                f"a metric is named path/to/file.py or py=module:attribute, not {what!r}", where=where
            )
        if spec.kind == "module":
            found, target, location = _attribute(spec, where), spec.target, spec.target
        else:
            target = posixpath.normpath(spec.target.replace(os.sep, "/"))
            location = str(Path(target).resolve())
            things = vars(load_file(spec.target, where)).values()
            hooks = [thing for thing in things if isinstance(thing, Hook)]
            if len(hooks) != 1:
                raise UserError(
                    f"{what!r} holds {len(hooks)} functions decorated with @measuring.metric instead of one",
                    where=where,
                )
            found = hooks[0]
        if isinstance(found, Hook):
            found = replace(found, spec=target, location=location)
    if not isinstance(found, Hook):
        raise UserError(f"{found!r} is no function decorated with @measuring.metric", where=where)
    if found.game != game:
        raise UserError(f"the metric {', '.join(found.names)} measures {found.game}, not {game}", where=where)
    return found


def load_file(path: str | Path, where: str = "") -> ModuleType:
    """Import a strategy file under a module name of its own, which is the same as long as its path is."""
    file = Path(path).resolve()
    if not file.is_file():
        folder = file.parent
        near = nearest(file.name, [other.name for other in folder.glob("*.py")]) if folder.is_dir() else []
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UserError(f"there is no file {str(path)!r}{hint}", where=where)
    name = f"arbosim_file_{file.stem}_{blake2b(os.fsencode(file), digest_size=4).hexdigest()}"
    try:
        text = file.read_bytes()
    except OSError as error:
        raise UserError(f"the file {str(path)!r} cannot be read: {error.strerror}", where=where) from None
    known = sys.modules.get(name)
    if known is not None and known.__dict__[TEXT] == text:
        return known
    module_spec = importlib.util.spec_from_file_location(name, file)
    if module_spec is None:
        raise UserError(f"{str(path)!r} is not a Python file", where=where)
    module = importlib.util.module_from_spec(module_spec)
    module.__dict__[TEXT] = text
    sys.modules[name] = module
    try:
        # the text itself, because Python's cache of modules would take a quick edit for the old file
        with _no_input():
            exec(compile(text, str(file), "exec", dont_inherit=True), module.__dict__)
    except FAILURES as error:
        del sys.modules[name]
        raise _not_importable(f"the file {str(path)!r}", error, where) from error
    return module


def _resolve_text(text: str, game: str, where: str) -> Entrant:
    spec = parse(text, where)
    if spec.kind == "file":
        target = posixpath.normpath(spec.target.replace(os.sep, "/"))
        strategy = _only_one(load_file(spec.target, where), spec.target, where)
        # another process may have another current folder
        return _chosen(strategy, spec, target, str(Path(target).resolve()), where)
    if spec.kind == "module":
        strategy = _strategy_of(_attribute(spec, where), where)
        return _chosen(strategy, spec, spec.target, spec.target, where)
    known = strategies(game)
    if spec.target not in known:
        file = f"{spec.target}.py"
        raise unknown("strategy", spec.target, [*known, file] if Path(file).is_file() else known, where)
    return _chosen(known[spec.target], spec, spec.target, spec.target, where)


def _chosen(strategy: Strategy, spec: Spec, target: str, location: str, where: str) -> Entrant:
    """Return a strategy with the settings of a spec, over those of its parameter set."""
    base = sets.load(strategy, spec.chosen, where) if spec.chosen else {}
    settings = dict(spec.settings)
    return strategy.entrant(
        settings, target=target, location=location, where=where, chosen=spec.chosen, base=base
    )


def _resolve_object(strategy: Strategy, where: str) -> Entrant:
    registered = strategies(strategy.game).get(strategy.name)
    if registered is not None:
        if registered.entry is strategy.entry:
            return registered.entrant(location=strategy.name)
        raise UserError(f"the name {strategy.name!r} is taken by a registered strategy", where=where)
    entry: Any = strategy.entry
    if strategy.program is not None:
        return strategy.entrant(location=strategy.name)
    module, name = entry.__module__, entry.__qualname__
    held = getattr(sys.modules.get(module), name, None)
    if module == "__main__" or module.startswith("arbosim_file_") or held not in (entry, strategy):
        return strategy.entrant()
    return strategy.entrant(location=f"py={module}:{name}")


def _strategy_of(thing: object, where: str) -> Strategy:
    if isinstance(thing, Strategy):
        return thing
    if _is_strategy_class(thing):
        return from_class(thing)
    if _is_strategy_class(type(thing)):
        name = type(thing).__name__
        raise UserError(f"this is an object of {name}; give the class {name} itself", where=where)
    what = f"the class {thing.__name__!r}" if isinstance(thing, type) else repr(thing)
    raise UserError(
        f"{what} is not a strategy: neither decorated with @api.strategy nor derived from api.Strategy",
        where=where,
    )


def _is_strategy_class(thing: object) -> TypeGuard[type]:
    return isinstance(thing, type) and hasattr(thing, "__arbosim_game__")


def _attribute(spec: Spec, where: str) -> object:
    module_name, attribute = spec.target.removeprefix("py=").split(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # an installed command does not see modules in the current folder otherwise
    try:
        thing: object = importlib.import_module(module_name)
    except FAILURES as error:
        raise _not_importable(f"the module {module_name!r}", error, where) from error
    for name in attribute.split("."):
        if not hasattr(thing, name):
            public = [other for other in vars(thing) if not other.startswith("_")]
            raise unknown(f"attribute of {module_name!r}", name, public, where)
        thing = getattr(thing, name)
    return thing


def _only_one(module: ModuleType, path: str, where: str) -> Strategy:
    found = list(_defined_in(module))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(strategy.name for strategy in found)
        raise UserError(f"{path!r} holds {len(found)} strategies ({names}) instead of one", where=where)
    for unfinished in _classes_in(module):
        from_class(unfinished)  # says what it lacks
    what = "no function decorated with @api.strategy and no class derived from api.Strategy"
    bot = f'a program that plays is given as --bot NAME="python {path}"'
    raise UserError(f"{path!r} holds no strategy: {what}; {bot}", where=where)


@contextmanager
def _no_input() -> Iterator[None]:
    """Give a file that is imported nothing to read: a program that plays would read from the terminal for ever."""
    before = sys.stdin
    with Path(os.devnull).open() as sys.stdin:
        try:
            yield
        finally:
            sys.stdin = before


def _defined_in(module: ModuleType) -> Iterator[Strategy]:
    for thing in list(vars(module).values()):
        if isinstance(thing, Strategy) and thing.entry.__module__ == module.__name__:
            yield thing
    for thing in _classes_in(module):
        if not inspect.isabstract(thing):  # a class for others to derive from
            yield from_class(thing)


def _classes_in(module: ModuleType) -> list[type]:
    return [
        thing
        for name, thing in vars(module).items()
        if _is_strategy_class(thing) and thing.__module__ == module.__name__ and not name.startswith("_")
    ]


def _modules() -> Iterator[ModuleType]:
    for name in sorted({point.value for point in entry_points(group=STRATEGIES)}):
        package = _import_or_warn(name)
        for info in pkgutil.iter_modules(getattr(package, "__path__", [])):
            if info.name.startswith("_"):
                continue
            module = _import_or_warn(f"{name}.{info.name}")
            if module is not None:
                yield module


def _import_or_warn(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except FAILURES as error:
        message = str(_not_importable(name, error, ""))
        warnings.warn(message, stacklevel=2)
        return None


def _not_importable(what: str, error: BaseException, where: str) -> UserError:
    if isinstance(error, UserError):
        return UserError(f"{what}: {error}", where=where)
    reason = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else told(error)
    return UserError(f"{what} cannot be imported: {reason}", where=where)
