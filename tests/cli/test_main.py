import inspect
import subprocess
import sys
import typing

import pytest
import typer

from arbosim.cli import main as module
from arbosim.cli.main import INTERRUPTED, USER_ERROR, main
from arbosim.core.errors import UserError


@pytest.mark.parametrize(
    ("args", "texts"),
    [
        (["rnu"], ["unknown command 'rnu'", "did you mean 'run'"]),
        (
            ["run", "--sede", "3"],
            ["unknown flag '--sede'", "did you mean '--seed'", "Try 'arbosim run --help'"],
        ),
        (["--vresion"], ["unknown flag '--vresion'", "'--version'"]),
        (["strategies", "--json=3"], ["--json"]),
    ],
)
def test_a_mistyped_word_exits_2_with_the_nearest_one(args, texts, capsys):
    assert main(args) == USER_ERROR
    shown = capsys.readouterr()
    assert shown.out == ""
    for text in texts:
        assert text in shown.err


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (UserError("0 is too few", where="--deals"), USER_ERROR, "arbosim: --deals: 0 is too few\n"),
        (PermissionError(13, "Permission denied", "runs"), USER_ERROR, "arbosim: Permission denied: runs\n"),
        (KeyboardInterrupt(), INTERRUPTED, ""),
        (typer.Exit(1), 1, ""),
    ],
)
def test_how_errors_end(error, code, text, monkeypatch, capsys):
    app = typer.Typer(cls=module.Commands)

    @app.command()
    def raises() -> None:
        raise error

    @app.command()
    def other() -> None: ...

    monkeypatch.setattr(module, "app", app)
    assert main(["raises"]) == code
    assert capsys.readouterr().err == text


def test_version_and_help(capsys):
    assert main(["--version"]) == 0
    assert main([]) == 0
    assert "standings" in capsys.readouterr().out


def test_a_closed_pipe_is_quiet():
    command = f"{sys.executable} -m arbosim strategies | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stderr == ""


@pytest.mark.parametrize("name", [command.__name__ for command in module.COMMANDS])
def test_every_command_explains_itself(name, capsys):
    assert main([name, "--help"]) == 0
    assert capsys.readouterr().out.count("\n") > 5


@pytest.mark.parametrize("name", [command.__name__ for command in module.COMMANDS])
def test_no_help_loses_what_stands_in_brackets(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")
    [asked] = [command for command in module.COMMANDS if command.__name__ == name]
    hints = typing.get_type_hints(asked, include_extras=True).values()
    texts = [about.help for hint in hints for about in getattr(hint, "__metadata__", ()) if about.help]
    assert texts
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert [text for text in [*texts, *inspect.getdoc(asked).split("\n")] if text not in shown] == []
