"""Programs as players: what is run, where, and on which terms."""

from __future__ import annotations

import atexit
import os
import re
import shlex
import shutil
import threading
import weakref
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from arbosim.bots.process import Process
from arbosim.bots.talk import START_UP, Conversation
from arbosim.core.errors import UserError, nearest
from arbosim.core.game import MistakeError
from arbosim.core.outside import Grammar, Policy

NAME_MAX = 255  # bytes of a name on every file system of note; what is longer is no file
SETTLE = 0.5
"""Seconds in which a program that is not greeted shows that it does not end at once."""
_INTERPRETERS = re.compile(
    r"(python|pypy|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|java|dotnet|bash|sh)[\d.]*"
)
_SCRIPT = re.compile(r".+\.(py|pyz|js|mjs|cjs|ts|mts|rb|pl|php|lua|jar|dll|sh)")
_CODE = {"-c", "-e", "-m", "-p", "--eval", "--print"}  # what follows is no script

_own = threading.local()
_all: weakref.WeakSet[Conversation] = weakref.WeakSet()


@dataclass(frozen=True)
class Program:
    """A program that plays: the `Program` of arbosim.core.outside.

    Parameters
    ----------
    name : str
        What it is called here.
    command : tuple of str, or str
        The program and its arguments; a text is given to a shell.
    folder : str
        Where it runs.
    dialect : str
        How it is told about the game, by name.
    grammar : Grammar
        That of the dialect.
    seconds : float
        How long it may think about a decision.
    policy : {"forfeit", "random-move"}
        What its mistakes cost.
    log : str
        The file that its standard error is appended to, or "".
    opening : bytes
        What each new process is sent before anything else.
    memory : int, optional
        Bytes of data that a process may hold; kept to on Linux alone.
    start_up : float
        Seconds in which a new process gives its first answer, where a decision is given less.
    source : str
        A hash of what decides how it plays, where that is not in its command and the files named there.
    """

    name: str
    command: tuple[str, ...] | str
    folder: str
    dialect: str
    grammar: Grammar = field(hash=False)
    seconds: float = 2.0
    policy: Policy = "forfeit"
    log: str = ""
    opening: bytes = b""
    memory: int | None = None
    start_up: float = START_UP
    source: str = ""

    def talk(self, copy: int = 0) -> Conversation:
        """Return the conversation of this thread with a copy of it; equal programs share their copies."""
        talks: dict[tuple[Program, int], Conversation] = _own.__dict__.setdefault("talks", {})
        if (self, copy) not in talks:
            talks[self, copy] = self._conversation()
            _all.add(talks[self, copy])
        return talks[self, copy]

    def check(self) -> None:
        """Start it once and greet it; a UserError tells what is wrong if it does not bear that."""
        talk = self._conversation()
        try:
            talk.ready()
            if self.grammar.probe:
                talk.ask(self.grammar.probe, self.seconds)
            elif not self.grammar.greeting:
                talk.watch(SETTLE)
        except MistakeError as error:
            raise UserError(f"the program {self.name!r} is not fit to play: it {error}") from None
        finally:
            talk.drop()

    @property
    def source_hash(self) -> str:
        """Return what changes with its dialect, its command and the contents of the files that the command names."""
        if self.source:
            return self.source
        words = _words(self.command)
        digest = blake2b(repr((self.dialect, self.command)).encode(errors="surrogatepass"), digest_size=16)
        for word in words:
            path = Path(self.folder, word)
            if len(word) < NAME_MAX and path.is_file() and os.access(path, os.R_OK):
                contents = path.read_bytes()
                digest.update(len(contents).to_bytes(8, "little"))
                digest.update(contents)
        return digest.hexdigest()

    def _conversation(self) -> Conversation:
        process = Process(self.command, self.folder, self.log, self.memory)
        return Conversation(process, self.grammar, opening=self.opening, start_up=self.start_up)


def close_all() -> None:
    """End the processes of all conversations, of every thread of this process."""
    for talk in list(_all):
        talk.drop()


def parse_command(text: str, folder: str, where: str) -> tuple[str, ...]:
    """Return the words of a command that runs without a shell.

    Parameters
    ----------
    text : str
        As one types it: words may be quoted, and nothing else has a meaning of its own.
    folder : str
        Where it will run.
    where : str
        The flag or key that held it, for errors.

    Raises
    ------
    UserError
        There is no such folder, program or script in it, or no command at all.
    """
    if not Path(folder).is_dir():
        raise UserError(f"there is no folder {_whole(folder)!r} to run {text!r} in", where=where)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{text!r} is no command: {str(error).lower()}", where=where) from None
    if not words or not words[0]:
        raise UserError(f"{text!r} is no command: it names no program", where=where)
    if "\0" in text:
        raise UserError(f"{text!r} is no command: it holds a zero byte", where=where)
    _check_program(words[0], folder, where)
    script = _script(words)
    if script is not None and not Path(folder, script).exists():
        raise UserError(_lacking(script, folder), where=where)
    return tuple(words)


def _check_program(name: str, folder: str, where: str) -> None:
    """Refuse a program that is not there or cannot be run."""
    if "/" not in name:
        if shutil.which(name) is None:
            if Path(folder, name).is_file():
                hint = f"write './{name}' for the file in {folder!r}"
            else:
                close = nearest(name, _on_path())
                hint = "did you mean " + " or ".join(map(repr, close)) + "?" if close else "it is not on PATH"
            raise UserError(f"there is no program {name!r}; {hint}", where=where)
        return
    path = Path(folder, name)
    if path.is_dir():
        raise UserError(f"{name!r} is a folder, not a program", where=where)
    if not path.is_file():
        raise UserError(_lacking(name, folder), where=where)
    if not os.access(path, os.X_OK):
        hint = f"name what runs it, as in 'python {name}'"
        raise UserError(f"the file {name!r} in {_whole(folder)!r} may not be executed; {hint}", where=where)


def _script(words: list[str]) -> str | None:
    """Return the file that an interpreter is to run, as far as a command shows it."""
    if not _INTERPRETERS.fullmatch(Path(words[0]).name):
        return None
    for word in words[1:]:
        if word in _CODE:
            return None
        if not word.startswith("-") and _SCRIPT.fullmatch(word):
            return word
    return None


def _lacking(name: str, folder: str) -> str:
    """Return what is said of a file that is not there, with the nearest that are."""
    text = f"there is no file {name!r} in {_whole(folder)!r}"
    path = Path(folder, name)
    if path.parent.is_dir():
        close = nearest(path.name, [entry.name for entry in path.parent.iterdir() if entry.is_file()])
        if close:
            text += "; did you mean " + " or ".join(map(repr, close)) + "?"
    return text


def _whole(folder: str) -> str:
    return str(Path(folder).absolute())


def _on_path() -> set[str]:
    """Return the names of the programs on PATH."""
    folders = [Path(folder) for folder in os.get_exec_path() if Path(folder).is_dir()]
    return {entry.name for folder in folders for entry in folder.iterdir()}


def _words(command: tuple[str, ...] | str) -> tuple[str, ...]:
    if not isinstance(command, str):
        return command
    try:
        return tuple(shlex.split(command))
    except ValueError:  # what only a shell understands
        return ()


def _forked() -> None:
    """In a forked child: the conversations are the parent's."""
    _own.__dict__.clear()
    _all.clear()


atexit.register(close_all)
os.register_at_fork(after_in_child=_forked)
