"""A person at the table: prompts, hints, saving, and the review after the game."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from arbosim.cli.output import ask, console, say
from arbosim.cli.playing import SingleGame, compile_first, prompt_exit
from arbosim.core import registry
from arbosim.core.errors import UserError, nearest
from arbosim.core.game import Game, Host, NotUnderstoodError
from arbosim.core.strategy import Entrant
from arbosim.match.person import PersonGame
from arbosim.match.review import NOTICEABLE, Review, Turn, review

FORFEITED = 1
INTERRUPTED = 130
ADVISER = "expert"
"""Who is asked for hints unless somebody else is named."""
FOLDER = "games"
SHOWN_DIGITS = 1
WORST = 3
"""Turns that the review tells of."""
_HINTS, _HELP = ("?", "hint", "hints"), ("help", "h")
_QUIT, _UNDO = ("quit", "q", "exit"), ("undo", "u", "back")
COMMANDS = "`?` asks the adviser, `quit` leaves the game and keeps it."


def adviser_named(name: str | None, game: Game) -> Entrant | None:
    """Return who gives hints: the one named, else the usual one, or None where that is not installed."""
    if name is None:
        known = registry.strategies(game.name).get(ADVISER)
        return None if known is None or known.appraise is None else registry.resolve(ADVISER, game.name)
    found = registry.resolve(name, game.name, "--adviser")
    if found.strategy.appraise is None:
        able = [other.name for other in registry.strategies(game.name).values() if other.appraise is not None]
        who = f"these do: {', '.join(able)}" if able else "no installed one does"
        raise UserError(f"{name!r} does not say what it expects of an action; {who}", where="--adviser")
    return found


def new_file(strategies: Sequence[str]) -> Path:
    """Return a file of its own for a new game."""
    when = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    names = "-".join(Path(name.partition(":")[0]).stem for name in strategies)
    paths = (Path(FOLDER) / f"{when}-{names[:80]}{'' if i == 1 else f'-{i}'}.json" for i in range(1, 1000))
    return next(path for path in paths if not path.exists())


def play_game(make: Callable[[], PersonGame], adviser_name: str | None) -> int:
    """Let a person play a game to its end, or until the person leaves; return the exit code."""
    with prompt_exit():
        game = make()
        adviser = adviser_named(adviser_name, game.game)
        compile_first(SingleGame(game.game, game.entrants, [adviser] if adviser else []), quiet=False)
        game.start()
        host = game.game.host(console(), game.names, game.seat)
    try:
        game.save()
        _begin(game, host)
        while not game.position.finished:
            if not _go_on(game, host, adviser):
                say(f"The game is {_kept(game)}")
                return 0
        host.end(game.position)
        _look_back(game, host, adviser)
    except EOFError:
        say(f"\nThere is nothing more to read; the game is {_kept(game)}")
        return 0
    except KeyboardInterrupt:
        print(f"\nInterrupted; the game is {_kept(game)}", file=sys.stderr)
        return INTERRUPTED
    return 0 if game.position.forfeited is None else FORFEITED


def _kept(game: PersonGame) -> str:
    """Say how far the game is kept, and how to go on with it."""
    kept = "kept" if game.is_kept else "kept as far as it could be written"
    return f"{kept}. Go on with:  arbosim play --resume {shlex.quote(str(game.path))}"


def _begin(game: PersonGame, host: Host) -> None:
    say(f"Seed {game.seed}, deal {game.deal}. The game is kept in {game.path}.")
    say(f"{COMMANDS} `help` tells what can be typed.")
    host.begin(game.position)
    changed = game.catch_up(lambda seat, action: host.acted(game.position, seat, action))
    if changed:
        print(f"arbosim: warning: {changed}", file=sys.stderr)


def _go_on(game: PersonGame, host: Host, adviser: Entrant | None) -> bool:
    """Carry out one decision; return False if the person leaves instead."""
    seat = game.position.current
    if game.is_persons_turn:
        action = _asked(game, host, adviser)
        if action is None:
            return False
        game.decide(action)
    else:
        with _thinking(game.names[seat]):
            action = game.advance()
    _save(game)
    if action is not None:
        host.acted(game.position, seat, action)
    return True


def _asked(game: PersonGame, host: Host, adviser: Entrant | None) -> tuple[Any, ...] | None:
    """Ask until the person decides; None if the person leaves."""
    position = game.position
    host.ask(position)
    while True:
        text = ask("> ")
        word = text.strip().lower()
        try:
            if word in _QUIT:
                return None
            if not word:
                host.ask(position)
            elif word in _HINTS:
                _hint(game, host, adviser)
            elif word in _HELP:
                host.help(position)
                say(COMMANDS)
            elif word in _UNDO:
                say("Nothing can be taken back: what has been seen cannot be unseen.")
            else:
                action = host.read(position, text)
                if action is not None:
                    return action
        except NotUnderstoodError as error:
            near = nearest(word, [*_QUIT[:1], *_HELP[:1], *_HINTS[1:]], 1) if word.isalpha() else []
            say(f"{error}{f'; or did you mean `{near[0]}`?' if near else ''}")
        except UserError as error:
            say(str(error))


def _hint(game: PersonGame, host: Host, adviser: Entrant | None) -> None:
    if adviser is None:
        raise UserError(_nobody())
    with _thinking(adviser.spec):
        appraised = game.appraise(adviser)
    host.advise(game.position, adviser.spec, appraised)


@contextmanager
def _thinking(name: str) -> Iterator[None]:
    """Show, where someone is looking, who is being waited for."""
    from rich.console import Console

    with Console(stderr=True).status(f"{name} thinks"):
        yield


def _nobody() -> str:
    return f"there is nobody to ask: {ADVISER!r} is not installed; --adviser names another"


def _save(game: PersonGame) -> None:
    """Keep the game; if that fails the person is told, and can still play on."""
    try:
        game.save()
    except UserError as error:
        print(f"arbosim: warning: the game is not kept: {error}", file=sys.stderr)


def _look_back(game: PersonGame, host: Host, adviser: Entrant | None) -> None:
    if adviser is None:
        say(f"\nNo review: {_nobody()}.")
        return
    try:
        with _thinking(adviser.spec):
            found = review(game, adviser)
    except UserError as error:
        say(f"\nNo review: {error}.")
        return
    if not found.turns:
        say("\nNo review: the game ended before you had anything to decide.")
        return
    _show_review(found, host, adviser.spec)


def _show_review(found: Review, host: Host, adviser: str) -> None:
    say(f"\nThe game as {adviser} sees it, in points ahead of the strongest rival at the end:")
    say("  turn  expected  your choices  cards and others")
    for turn in found.turns:
        fortune = turn.fortune(SHOWN_DIGITS)
        others = "" if fortune is None else _signed(fortune)
        say(f"  {turn.number:>4}  {_signed(turn.expected):>8}  {_signed(-turn.cost):>12}  {others:>16}")
    if found.margin is not None:
        say(f"   end  {_signed(found.margin):>8}")
    say(_summary(found, adviser))
    worst = found.worst(WORST)
    if worst:
        say("The result that it expected dropped most by your choices here:")
    for turn in worst:
        say("\n".join(_told(turn, host, adviser)))


def _summary(found: Review, adviser: str) -> str:
    if found.cost < NOTICEABLE:
        return f"{adviser} would have chosen as you did, or found it as good."
    text = f"By what {adviser} expects, your choices cost {found.cost:.{SHOWN_DIGITS}f} points in all"
    fortune = found.fortune(SHOWN_DIGITS)
    if fortune is None:
        return f"{text}."
    return f"{text}; cards and the others changed the result by {_signed(fortune)}."


def _told(turn: Turn, host: Host, adviser: str) -> list[str]:
    lines = [f"  turn {turn.number}: {_signed(-turn.cost)}"]
    for decision in turn.decisions:
        if decision.cost >= NOTICEABLE:
            you, other = host.words(decision.chosen), host.words(decision.best)
            lines.append(f"    you: {you}; {adviser}: {other} ({_signed(-decision.cost)})")
    return lines


def _signed(value: float) -> str:
    return f"{round(value, SHOWN_DIGITS) + 0.0:+.{SHOWN_DIGITS}f}"  # adding 0 makes -0.0 a plain 0
