"""The command `arbosim`: its subcommands, and how any error is shown."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

import arbosim
from arbosim.cli.bench import bench
from arbosim.cli.bot import bot
from arbosim.cli.check import check
from arbosim.cli.compare import compare
from arbosim.cli.meta import meta
from arbosim.cli.new import new
from arbosim.cli.output import answering
from arbosim.cli.plan import plan
from arbosim.cli.play import play
from arbosim.cli.replay import replay
from arbosim.cli.report import report
from arbosim.cli.rules_cmd import rules
from arbosim.cli.run import run
from arbosim.cli.score import score
from arbosim.cli.standings import standings
from arbosim.cli.strategies import strategies
from arbosim.cli.study import study
from arbosim.cli.tune import tune
from arbosim.cli.variance import variance
from arbosim.core.errors import UserError, unknown

USER_ERROR = 2
INTERRUPTED = 130
NARROWEST = 60  # columns; in fewer no table can be read, so the terminal may wrap the lines
COMMANDS = (
    run,
    standings,
    compare,
    plan,
    study,
    meta,
    variance,
    tune,
    report,
    play,
    replay,
    score,
    rules,
    strategies,
    new,
    check,
    bot,
    bench,
)


class Commands(TyperGroup):
    """The group of all commands; a mistyped one is answered in the words of all other errors.

    Help is shown as it is written: words in square brackets, as defaults are, are no markup.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        described: Any
        for command in self.commands.values():
            for described in (command, *command.params):
                described.help = (described.help or "").replace("[", r"\[") or None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None:
            raise unknown("command", args[0], self.commands)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _arbosim(
    ctx: typer.Context,
    version: bool = typer.Option(False, "--version", help="Show the version and exit."),
) -> None:
    """Arboretum tournaments: seeded games in large numbers, and honest standings of the strategies."""
    if version:
        typer.echo(f"arbosim {arbosim.__version__}")
    elif ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


for command in COMMANDS:
    app.command(command.__name__)(answering(command))


def main(args: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit code; a user's mistake is one clear text on stderr."""
    warnings.showwarning = _show_warning
    _make_streams_fit()
    try:
        code = _run(args)
        sys.stdout.flush()  # here, where what cannot be written can still be told
        return code
    except BrokenPipeError:  # whoever read our output has enough
        _drop_output()
        return 1
    except OSError as error:
        if error.filename is not None:
            return _refuse(f"{error.strerror}: {error.filename}")
        _drop_output()  # files have names, so it is a standard stream
        return _refuse(f"standard output cannot be written: {error.strerror or error}")


def _make_streams_fit() -> None:
    """Make the standard streams take any text, and anything take their width."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever called us; another file would take its place
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # a terminal without some character still shows the rest; bytes that are no text are a wrong answer
            stream.reconfigure(errors="replace")
    columns = os.environ.get("COLUMNS", "")
    if shutil.get_terminal_size().columns < NARROWEST or (columns.isdigit() and int(columns) < NARROWEST):
        os.environ["COLUMNS"] = str(NARROWEST)


def _run(args: Sequence[str] | None) -> int:
    try:
        result = app(args, standalone_mode=False, prog_name="arbosim")
        return result if isinstance(result, int) else 0
    except UserError as error:
        return _refuse(str(error))
    except typer.TyperException as error:
        return _refuse(_usage_text(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED


def _drop_output() -> None:
    """Give up what is still to be printed; Python would complain once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(message: str) -> int:
    with contextlib.suppress(OSError):  # the exit code tells it as well
        print(f"arbosim: {message}", file=sys.stderr)
    return USER_ERROR


def _usage_text(error: typer.TyperException) -> str:
    ctx = getattr(error, "ctx", None)
    option = getattr(error, "option_name", None)
    message = error.format_message()
    if ctx is None:
        return message
    known = [name for parameter in ctx.command.params for name in parameter.opts if name.startswith("-")]
    if option is not None and option not in known:
        message = str(unknown("flag", option, [*known, "--help"]))
    return f"{message}\nTry '{ctx.command_path} --help'."


def _show_warning(message: Warning | str, *_rest: Any, **_named: Any) -> None:
    print(f"arbosim: warning: {message}", file=sys.stderr)
