"""Conversations with real processes, in Python and in node, which do all that a program may do wrong."""

import os
import signal
import time
import tracemalloc
from pathlib import Path

import pytest

from arbosim.bots import process
from arbosim.bots.process import Process
from arbosim.bots.talk import Conversation
from arbosim.core.errors import UserError
from arbosim.core.game import MistakeError
from arbosim.core.outside import CRASHED, FLOOD, NONSENSE, SILENT, Grammar
from tests.bots.programs import (
    BOTS,
    LONG,
    PYTHON_BOT,
    SHORT,
    conversation,
    do,
    lives,
    mistake,
    state,
    wait_for_the_end,
)

MEMORY = 32 * 2**20
"""Bytes: far below what the bots send, above what is kept of it."""


@pytest.fixture(params=BOTS)
def talk(request):
    """A conversation with each kind of bot."""
    talk = conversation(request.param)
    yield talk
    talk.drop()


@pytest.fixture
def bounded():
    """Fail if much memory is taken meanwhile."""
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MEMORY


def goes_on(talk, started=2):
    """Check that the next message is answered, by which process."""
    assert do(talk, "answer")["size"] > 0
    assert talk.ready() == started


def test_a_good_bot_answers_every_time(talk):
    for size in (0, 10_000, 3_000_000):
        assert do(talk, "answer", text="x" * size)["size"] > size
    goes_on(talk, 1)


def test_it_leads_a_session_of_its_own(talk):
    pid = do(talk, "who")["pid"]
    assert os.getsid(pid) == os.getpgid(pid) == pid != os.getsid(0)


def test_nothing_is_left_of_what_is_dropped(talk):
    pid = do(talk, "who")["pid"]
    talk.drop()
    assert state(pid) == ""


def test_a_late_answer_is_dropped(talk):
    assert mistake(talk, "late", SHORT, pause=3 * SHORT) == (SILENT, "gave no answer within 0.2 s")
    goes_on(talk, 1)


def test_a_second_answer_is_dropped(talk):
    assert do(talk, "twice")["time"] == 1
    goes_on(talk, 1)


def test_one_that_ignores_a_message_goes_on(talk):
    talk.tell({"do": "ignore"}, SHORT)
    kind, text = mistake(talk, "answer")
    assert kind == SILENT
    assert '"do":"ignore"' in text
    goes_on(talk, 1)


def test_one_that_hangs_is_ended_at_its_second_silence(talk):
    pid = do(talk, "who")["pid"]
    assert mistake(talk, "hang", SHORT)[0] == SILENT
    assert lives(pid)
    assert mistake(talk, "answer", SHORT)[0] == SILENT
    assert state(pid) == ""
    goes_on(talk)


def test_one_that_reads_nothing_does_not_hold_us(talk):
    assert mistake(talk, "deaf", SHORT)[0] == SILENT
    talk.tell({"do": "answer", "text": "x" * 10**7}, SHORT)
    assert mistake(talk, "answer", SHORT)[0] == SILENT
    goes_on(talk)


def test_a_large_message_that_is_half_sent_is_sent_before_the_next(talk):
    do(talk, "nap", pause=3 * SHORT)
    assert mistake(talk, "answer", SHORT, text="x" * 10**6)[0] == SILENT
    assert do(talk, "answer")["size"] < 100
    goes_on(talk, 1)


def test_death_in_the_middle_of_a_line_is_told_with_its_last_words(talk):
    text = "ended with code 3 in the middle of a line; its last words: the garden is \\x1b[31mclosed"
    assert mistake(talk, "half") == (CRASHED, text)
    goes_on(talk)


def test_exit_and_signals_are_told(talk):
    assert mistake(talk, "exit") == (CRASHED, "ended with code 0")
    assert mistake(talk, "kill") == (CRASHED, "was ended by SIGKILL")
    goes_on(talk, 3)


def test_one_that_ended_between_games_is_replaced_without_a_word(talk):
    pid = do(talk, "who")["pid"]
    talk.tell({"do": "exit"}, SHORT)
    wait_for_the_end(pid)
    assert talk.ready() == 2
    goes_on(talk)


def test_one_that_closes_its_output_is_ended(talk):
    pid = do(talk, "who")["pid"]
    assert mistake(talk, "shut") == (CRASHED, "closed its output")
    assert state(pid) == ""
    goes_on(talk)


@pytest.mark.parametrize(
    ("deed", "text"),
    [
        ("line", "put out a line of more than 1,048,576 bytes"),
        ("lines", "which is no JSON object"),
    ],
)
def test_a_hundred_megabytes_are_not_read(talk, bounded, deed, text):
    kind, told = mistake(talk, deed)
    assert kind == {"line": FLOOD, "lines": NONSENSE}[deed]
    assert text in told


@pytest.mark.parametrize("command", BOTS)
def test_a_flood_of_lines_ends_even_where_lines_are_passed_over(command, bounded):
    talk = conversation(command, skips=True)
    pid = do(talk, "who")["pid"]
    assert mistake(talk, "lines") == (FLOOD, "put out more than 4,194,304 bytes after one message")
    assert state(pid) == ""
    goes_on(talk)
    talk.drop()


def test_an_endless_dribble_ends_soon_after_its_time():
    talk = conversation(PYTHON_BOT, skips=True)
    start = time.monotonic()
    assert mistake(talk, "dribble", SHORT)[0] == SILENT
    assert time.monotonic() - start < LONG
    talk.drop()


@pytest.mark.parametrize("command", BOTS)
def test_standard_error_is_read_and_kept_up_to_a_size(command, bounded, tmp_path, monkeypatch):
    monkeypatch.setattr(process, "LOG", 2**20 + 5)
    log = tmp_path / "maple.log"
    log.write_text("before\n")
    talk = conversation(command, log=str(log))
    assert do(talk, "errors")
    assert log.stat().st_size == process.LOG
    assert log.read_text().startswith("before\nxxx")
    goes_on(talk, 1)
    talk.drop()


def test_what_two_processes_say_stands_in_one_log(tmp_path):
    log = tmp_path / "maple.log"
    talks = [conversation(PYTHON_BOT, log=str(log)) for _ in range(2)]
    for talk in talks:
        assert mistake(talk, "half")[0] == CRASHED
    assert log.read_text() == "the garden\nis \033[31mclosed\n" * 2


def test_a_log_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "no").touch()
    with pytest.raises(UserError, match=r"the log '.*maple.log' cannot be written: File exists"):
        conversation(PYTHON_BOT, log=str(tmp_path / "no" / "maple.log"))


def test_what_is_no_answer_is_nonsense(talk):
    for text in ("debugging", "[]", '{"id":-1}', '"\xff"', "\0", "[" * 100_000):
        assert mistake(talk, "raw", text=text)[0] == NONSENSE
    goes_on(talk, 1)


def test_debugging_lines_are_passed_over_where_the_dialect_says_so():
    talk = conversation(PYTHON_BOT, skips=True)
    talk.tell({"do": "raw", "text": "debugging"}, SHORT)
    assert mistake(talk, "answer")[0] == SILENT
    goes_on(talk, 1)
    talk.drop()


def test_a_child_that_holds_the_pipes_is_ended_with_it(talk):
    kind, text = mistake(talk, "child", 3 * SHORT)
    assert (kind, text) == (CRASHED, "ended with code 5")
    goes_on(talk)


def test_ctrl_c_leaves_nothing_half_done(talk):
    pid = do(talk, "who")["pid"]

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, SHORT)
        with pytest.raises(KeyboardInterrupt):
            do(talk, "deaf")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert state(pid) == ""
    goes_on(talk)


@pytest.mark.skipif(not hasattr(process.resource, "prlimit"), reason="needs Linux")
@pytest.mark.parametrize("command", BOTS)
def test_memory_has_a_limit(command):
    talk = conversation(command, memory=300 * 2**20)
    assert do(talk, "eat", bytes=2**20)["size"] == 2**20
    assert mistake(talk, "eat", bytes=2**29)[0] == CRASHED
    goes_on(talk)
    talk.drop()


def test_a_program_that_cannot_be_started_is_told():
    talk = Conversation(Process(("no-such-program",)), Grammar("id"))
    with pytest.raises(MistakeError, match=r"could not be started: .*no-such-program") as caught:
        talk.ready()
    assert caught.value.kind == CRASHED


def test_no_files_stay_open():
    conversation(PYTHON_BOT).drop()
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(3):
        talk = conversation(PYTHON_BOT, log=os.devnull)
        mistake(talk, "exit")
        mistake(talk, "raw", text="?")
        talk.drop()
    assert len(list(Path("/dev/fd").iterdir())) == before
