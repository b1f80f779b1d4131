"""Compiling with numba: helpers, entry points, and a cache that never serves an old helper.

numba notices an edit of the file that holds a cached function, but not of a helper in another file. Here every
entry point is cached in a directory named by a fingerprint of all code and constants that it can reach, so an
edit anywhere leads to a fresh directory, and an unchanged entry loads in milliseconds.
"""

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

JIT = not numba.config.DISABLE_JIT
"""False when the environment says NUMBA_DISABLE_JIT=1: then every kernel is the plain Python function."""

_HELPER = {"nogil": True, "no_cfunc_wrapper": True}
kernel = numba.njit(**_HELPER)
"""Decorator of a helper: compiled into the entry points that call it, never cached on its own."""
inline_kernel = numba.njit(**_HELPER, forceinline=True)
"""The same for a helper on the hot path, which LLVM would otherwise call and not inline."""

# an entry point may go back to Python on purpose, and takes the GIL for that
warnings.filterwarnings("ignore", "Code running in object mode", numba.core.errors.NumbaWarning)

_FOREIGN = ("numpy", "numba", "math", "builtins")
_CONSTANT = (int, float, str, bytes, tuple, np.generic, np.dtype, type(None))
_UNUSED_DAYS = 30
_lock = threading.RLock()


def fingerprint(function: Any) -> str:
    """A digest of the code of a function and of all functions and constants that it reaches by name."""
    digest = hashlib.blake2b(digest_size=12)
    seen: set[Any] = set()
    queue = [getattr(function, "py_func", function)]
    while queue:
        current = queue.pop()
        if current not in seen:
            seen.add(current)
            queue.extend(_feed(digest, current))
    return digest.hexdigest()


def _feed(digest: Any, function: Any) -> Iterator[Any]:
    """Add one function to the digest; yield the functions that it names."""
    # compiled code names the module that it is from, which must have the same name when the code is loaded
    digest.update(str(function.__module__).encode())
    names: set[str] = set()
    for code in _codes(function.__code__):
        digest.update(code.co_code)
        digest.update(repr([c for c in code.co_consts if not isinstance(c, types.CodeType)]).encode())
        digest.update(repr(code.co_names).encode())
        names.update(code.co_names)
    found = {name: function.__globals__[name] for name in names if name in function.__globals__}
    if function.__closure__:
        found.update(
            zip(function.__code__.co_freevars, (c.cell_contents for c in function.__closure__), strict=True)
        )
    for name, value in list(found.items()):
        if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in _FOREIGN:
            found.update({f"{name}.{n}": getattr(value, n) for n in names if hasattr(value, n)})
    for name in sorted(found):
        value = found[name]
        inner = getattr(value, "py_func", value)
        if isinstance(inner, types.FunctionType):
            # how a helper is compiled decides what is compiled into its callers
            digest.update(repr(sorted(getattr(value, "targetoptions", {}).items())).encode())
            if (inner.__module__ or "").partition(".")[0] not in _FOREIGN:
                yield inner
        elif isinstance(value, np.ndarray):
            digest.update(name.encode() + str(value.dtype).encode() + value.tobytes())
        elif isinstance(value, _CONSTANT):
            digest.update(f"{name}={value!r}".encode())


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _codes(const)


def cache_root() -> Path:
    """Where compiled code is kept: NUMBA_CACHE_DIR if set, else the user's cache folder."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"]) / "arbosim"
    try:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # a user whom the system does not know, without HOME
        base = _private_folder()
    return Path(base) / "arbosim" / "compiled"


@functools.cache
def _private_folder() -> str:
    """Make a folder for this process and those that it starts; code from a shared one could be anybody's."""
    folder = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="arbosim-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class EntryPoint:
    """A function that numba compiles once for one signature, on first use, with a cache that cannot be stale.

    Parameters
    ----------
    function
        The plain Python function.
    signature
        Called without arguments when the function is first needed; gives the numba signature.
    variant : str
        Tells entry points apart that compile one function for different signatures.
    """

    def __init__(self, function: Callable[..., Any], signature: Callable[[], Any], variant: str = "") -> None:
        self.function = function
        self._variant = variant
        self._signature = signature
        self._compiled: Any = None

    @property
    def compiled(self) -> Any:
        """The numba dispatcher; the plain function when the JIT is off."""
        if self._compiled is None:
            if not JIT:
                self._compiled = self.function
            else:
                with _lock:
                    if self._compiled is None:
                        self._compiled = _compile(self.function, self._signature(), self._directory)
        return self._compiled

    @property
    def is_ready(self) -> bool:
        """Whether the next use starts at once: compiled already, or compiled code lies in the cache."""
        return self._compiled is not None or not JIT or self._directory.is_dir()

    @property
    def _directory(self) -> Path:
        plain = _cache_directory(self.function)
        return plain.with_name("-".join([plain.name, *self._variant.split()]))


def _cache_directory(function: Any) -> Path:
    return cache_root() / fingerprint(function)


def _compile(function: Any, signature: Any, directory: Path) -> Any:
    dispatcher = _cached(function, directory, {"nogil": True})
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    with contextlib.suppress(OSError):  # a cache that cannot be tidied is no reason to stop
        os.utime(directory)
        if not dispatcher.stats.cache_hits:
            _forget_unused(directory.parent)
    return dispatcher


def _cached(function: Any, directory: Path, options: dict[str, bool]) -> Any:
    before = numba.config.CACHE_DIR
    with _lock:  # numba reads the directory while it decorates; the lock keeps others from seeing ours
        try:
            numba.config.CACHE_DIR = str(directory)
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no place for a cache: code made by exec, or a folder that cannot be written
            return numba.njit(**options)(function)
        finally:
            numba.config.CACHE_DIR = before


def cached_kernel(function: Any) -> Any:
    """Decorate a large helper that many entry points call: cached, so that a new entry point compiles quickly."""
    return _cached(function, _cache_directory(function), _HELPER) if JIT else function


def _forget_unused(root: Path) -> None:
    """Drop the cache directories that nothing used for a month."""
    oldest = time.time() - _UNUSED_DAYS * 86400
    for directory in root.iterdir():
        if directory.stat().st_mtime < oldest:
            shutil.rmtree(directory, ignore_errors=True)
