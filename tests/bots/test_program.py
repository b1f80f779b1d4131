"""Programs as players: commands, what is refused before any game, and what changes the hash of a source."""

import pickle
import sys

import pytest

from arbosim.bots.program import Program, close_all, parse_command
from arbosim.core.errors import UserError
from arbosim.core.outside import Grammar
from tests.bots.programs import BOTS, LONG, NODE, PYTHON_BOT, do, wait_for_the_end

GREETED = Grammar("id", greeting={"do": "answer"})


def program(command=PYTHON_BOT, folder=".", grammar=GREETED, **more):
    return Program("maple", command, str(folder), "dialect", grammar, start_up=LONG, **more)


def refusal(text, folder):
    with pytest.raises(UserError) as caught:
        parse_command(text, str(folder), "--bot")
    return str(caught.value)


class TestConversations:
    def test_a_thread_has_one_with_each_program(self):
        assert program().talk() is program().talk()
        assert program().talk() is pickle.loads(pickle.dumps(program())).talk()
        assert program().talk() is not program(seconds=1.0).talk()

    @pytest.mark.parametrize("command", BOTS)
    def test_it_runs_in_its_folder_without_a_shell(self, command, tmp_path):
        words = ("$HOME", "*", "a; exit 1", "`date`", ">out", "two  spaces", "")
        talk = program((*command, *words), tmp_path).talk()
        answer = do(talk, "who")
        assert answer["arguments"] == list(words)
        assert answer["folder"] == str(tmp_path.resolve())
        assert list(tmp_path.iterdir()) == []

    def test_it_runs_in_a_shell_if_asked(self, tmp_path):
        bot = " ".join(PYTHON_BOT)
        talk = program(f"echo started >out; {bot} $(echo a b) | cat", tmp_path).talk()
        assert do(talk, "who")["arguments"] == ["a", "b"]
        assert (tmp_path / "out").read_text() == "started\n"
        pid = do(talk, "who")["pid"]
        talk.drop()
        wait_for_the_end(pid)

    def test_what_it_is_sent_first_is_its_opening(self, tmp_path):
        code = (
            "import runpy, sys\n"
            "print(repr(sys.stdin.readline()), file=sys.stderr)\n"
            "runpy.run_path(sys.argv[1])\n"
        )
        talk = program(
            (sys.executable, "-c", code, PYTHON_BOT[-1]), opening=b"open sesame\n", log=str(tmp_path / "log")
        )
        assert talk.talk().ready() == 1
        close_all()
        assert (tmp_path / "log").read_text() == "'open sesame\\n'\ngoodbye\n"


class TestCheck:
    @pytest.mark.parametrize("command", BOTS)
    @pytest.mark.parametrize("grammar", [GREETED, Grammar("id")])
    def test_a_good_one_passes(self, command, grammar):
        program(command, grammar=grammar).check()

    @pytest.mark.parametrize("grammar", [GREETED, Grammar("id")])
    def test_one_that_ends_at_once_is_refused(self, grammar):
        with pytest.raises(UserError) as caught:
            program((sys.executable, "-S", "-c", "import nothing_of_this_name"), grammar=grammar).check()
        text = str(caught.value)
        assert text.startswith(
            "the program 'maple' is not fit to play: it ended with code 1; its last words: "
        )
        assert text.endswith("ModuleNotFoundError: No module named 'nothing_of_this_name'")

    def test_one_that_answers_otherwise_is_refused(self):
        with pytest.raises(UserError, match=r"it answered 'hello' to .*, which is no JSON object"):
            program((sys.executable, "-S", "-c", "input(); print('hello')")).check()

    def test_one_that_cannot_be_started_is_refused(self):
        with pytest.raises(UserError, match=r"it could not be started: .*no-such-program"):
            program(("no-such-program",)).check()


class TestCommands:
    def test_words_are_split_as_one_types_them(self, tmp_path):
        words = parse_command("python3 -c 'a b' \"$x\" c\\ d", str(tmp_path), "--bot")
        assert words == ("python3", "-c", "a b", "$x", "c d")

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("", "--bot: '' is no command: it names no program"),
            ("  ", "it names no program"),
            ("'' x", "it names no program"),
            ("python3 'x", "is no command: no closing quotation"),
            ("python3 a\0b", "it holds a zero byte"),
            ("pyhton3 index.py", "--bot: there is no program 'pyhton3'; did you mean 'python3'"),
            ("qqqqqqqqqqqqqqqqqq", "there is no program 'qqqqqqqqqqqqqqqqqq'; it is not on PATH"),
            ("bot.py", "there is no program 'bot.py'; write './bot.py' for the file in "),
            ("./bit", "there is no file './bit' in "),
            ("./bot.py", "the file './bot.py' in "),
            ("python3 bto.py", "did you mean 'bot.py'?"),
            ("python3 -u bto.py out.py", "there is no file 'bto.py' in "),
            ("python3 sub/bot.py", "there is no file 'sub/bot.py' in "),
            pytest.param(
                "node index.js",
                "there is no file 'index.js' in ",
                marks=pytest.mark.skipif(NODE is None, reason="install node"),
            ),
        ],
    )
    def test_what_cannot_run_is_refused(self, text, told, tmp_path):
        (tmp_path / "bot.py").write_text("")
        assert told in refusal(text, tmp_path)

    @pytest.mark.parametrize(
        "text",
        [
            "python3 bot.py",
            "python3 bot.py out.py --model=none.py",
            "python3 -c 'import x' none.py",
            "python3 -m none.py",
            "cat none.py",
            "./run bot.py",
        ],
    )
    def test_what_may_be_no_file_is_not(self, text, tmp_path):
        (tmp_path / "bot.py").write_text("")
        (tmp_path / "run").write_text("#!/bin/sh\n")
        (tmp_path / "run").chmod(0o755)
        assert parse_command(text, str(tmp_path), "--bot")

    def test_the_folder_must_be_there(self, tmp_path):
        told = refusal("python3 index.py", tmp_path / "none")
        assert told.startswith("--bot: there is no folder ")


class TestFingerprints:
    def test_it_changes_with_command_dialect_and_files(self, tmp_path):
        (tmp_path / "bot.py").write_text("one")
        (tmp_path / "other.py").write_text("one")
        base = program(("python3", "bot.py"), tmp_path)
        others = [
            program(("python3", "other.py"), tmp_path),
            program(("python3", "bot.py", "x"), tmp_path),
            Program("maple", ("python3", "bot.py"), str(tmp_path), "other", GREETED),
            program("python3 bot.py", tmp_path),
        ]
        before = [one.source_hash for one in (base, *others)]
        assert len(set(before)) == 5
        assert (
            base.source_hash == before[0] == program(("python3", "bot.py"), tmp_path, seconds=1.0).source_hash
        )
        (tmp_path / "bot.py").write_text("two")
        after = [one.source_hash for one in (base, *others)]
        assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, False, False, False]
