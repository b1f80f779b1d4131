"""The grammar of conversations, with programs that follow a script: exact times, no process."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbosim.bots.scripted import Fails, Hears, Says, Scripted, ScriptError, says
from arbosim.bots.talk import START_UP, Conversation
from arbosim.core.game import MistakeError
from arbosim.core.outside import CRASHED, FLOOD, NONSENSE, SILENT, Grammar

NUMBERS = Grammar("id")
SKIPPING = Grammar("id", skips=True)


def hears(number, *does, ask="?"):
    return Hears({"ask": ask, "id": number}, does)


def answers(number, value=None, after=0.0):
    """Hear a question and answer it."""
    return hears(number, Says({"id": number, "value": value}, after))


def mistake(call, *args):
    with pytest.raises(MistakeError) as caught:
        call(*args)
    return caught.value.kind, str(caught.value)


def ask(talk, seconds=1.0):
    return talk.ask({"ask": "?"}, seconds)


def test_messages_carry_numbers_and_answers_the_same():
    transport = Scripted([answers(1, "a"), answers(2, "b")])
    talk = Conversation(transport, NUMBERS)
    assert [ask(talk)["value"], ask(talk)["value"]] == ["a", "b"]
    assert transport.is_over()


def test_ids_may_have_the_form_of_a_uuid():
    first, second = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
    transport = Scripted(
        [
            Hears({"ask": "?", "messageID": first}, says({"messageID": first}, after=2)),
            Hears({"ask": "?", "messageID": second}, says({"messageID": second, "move": 0}, after=0.5)),
        ]
    )
    talk = Conversation(transport, Grammar("messageID", ids="uuid"), start_up=0)
    assert mistake(ask, talk)[0] == SILENT
    transport.time += 2  # both lines lie there when the second is read
    assert ask(talk) == {"messageID": second, "move": 0}


def test_a_script_refuses_what_it_does_not_say():
    talk = Conversation(Scripted([answers(2)]), NUMBERS)
    with pytest.raises(ScriptError, match="where the script says"):
        ask(talk)


class TestBeginning:
    GREETED = Grammar("id", greeting={"hello": 1}, expected={"version": 1})

    def greets(self, *does):
        return Hears({"hello": 1, "id": 1}, does)

    def test_a_process_hears_its_opening_and_then_its_greeting(self):
        transport = Scripted(
            [Hears(b"open\n"), self.greets(Says({"id": 1, "version": 1, "name": "maple"})), answers(2, "a")]
        )
        talk = Conversation(transport, self.GREETED, opening=b"open\n")
        assert talk.ready() == 1
        assert talk.ready() == 1
        assert ask(talk)["value"] == "a"

    def test_it_is_greeted_at_its_first_message_if_not_before(self):
        transport = Scripted([self.greets(Says({"id": 1, "version": 1})), answers(2, "a")])
        assert ask(Conversation(transport, self.GREETED))["value"] == "a"

    def test_the_greeting_has_a_time_of_its_own(self):
        transport = Scripted([self.greets(Says({"id": 1, "version": 1}, START_UP - 1)), answers(2, "a", 1)])
        assert ask(Conversation(transport, self.GREETED), 1)["value"] == "a"

    @pytest.mark.parametrize(
        ("does", "kind", "text"),
        [
            ((), SILENT, """gave no answer to '{"hello":1,"id":1}' within 10 s"""),
            (says({"id": 1, "version": 2}), NONSENSE, "where 'version' should be 1"),
            (says({"id": 1}), NONSENSE, "where 'version' should be 1"),
            (says("hello"), NONSENSE, "which is no JSON object"),
            ((Fails(),), CRASHED, "ended with code 1"),
        ],
    )
    def test_without_a_right_answer_there_is_no_process(self, does, kind, text):
        transport = Scripted(
            [self.greets(*does)], [Hears({"hello": 1, "id": 2}, says({"id": 2, "version": 1}))]
        )
        talk = Conversation(transport, self.GREETED)
        found = mistake(talk.ready)
        assert found[0] == kind
        assert text in found[1]
        assert not transport.running()
        assert talk.ready() == 2

    def test_the_first_answer_may_take_the_time_of_a_start(self):
        transport = Scripted([answers(1, after=START_UP - 1), answers(2, after=2)])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        assert mistake(ask, talk) == (SILENT, "gave no answer within 1 s")

    def test_the_time_of_a_start_is_given_once(self):
        transport = Scripted([hears(1), hears(2)])
        talk = Conversation(transport, NUMBERS)
        assert mistake(ask, talk) == (SILENT, "gave no answer within 10 s")
        assert mistake(ask, talk)[1].startswith("gave no answer within 1 s")
        assert transport.time == START_UP + 1

    def test_without_a_program_there_is_none(self):
        assert mistake(Conversation(Scripted(), NUMBERS).ready)[0] == CRASHED


class TestLines:
    def test_late_answers_are_dropped(self):
        transport = Scripted([answers(1), answers(2, "late", after=1.5), answers(3, "c", after=0.9)])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        assert mistake(ask, talk) == (SILENT, "gave no answer within 1 s")
        assert ask(talk)["value"] == "c"

    def test_second_answers_are_dropped(self):
        twice = hears(1, *says({"id": 1, "value": "a"}, {"id": 1, "value": "b"}))
        talk = Conversation(Scripted([twice, answers(2, "c")]), NUMBERS)
        assert [ask(talk)["value"], ask(talk)["value"]] == ["a", "c"]

    def test_what_comes_at_the_deadline_is_in_time(self):
        talk = Conversation(Scripted([answers(1, "a", after=1.0)]), NUMBERS, start_up=0)
        assert ask(talk, 1.0)["value"] == "a"

    JUNK = (
        ("debugging", "answered 'debugging', which is no JSON object"),
        ("", "answered '', which is no JSON object"),
        ("[1]", "answered '[1]', which is no JSON object"),
        ("null", "which is no JSON object"),
        ('{"id":1', "which is no JSON object"),
        ('{"id":1,"value":NaN}', "which is no JSON object"),
        (b'{"id":1,"value":"\xff"}', "which is no JSON object"),
        (b"\0\0", "which is no JSON object"),
        ("[" * 100_000, "which is no JSON object"),
        ('{"value":' * 100_000 + "1" + "}" * 100_000, "which is no JSON object"),
        ("9" * 10_000, "which is no JSON object"),
        ('{"value":1}', """answered '{"value":1}', which has no 'id'"""),
        ('{"id":7}', "whose 'id' belongs to no message"),
        ('{"id":0}', "whose 'id' belongs to no message"),
        ('{"id":-1}', "whose 'id' belongs to no message"),
        ('{"id":true}', "whose 'id' belongs to no message"),
        ('{"id":1.0}', "whose 'id' belongs to no message"),
        ('{"id":"1"}', "whose 'id' belongs to no message"),
        ('{"id":"00000000-0000-4000-8000-000000000000"}', "whose 'id' belongs to no message"),
        ('{"id":[1]}', "whose 'id' belongs to no message"),
        ('{"id":null}', "whose 'id' belongs to no message"),
    )

    @pytest.mark.parametrize(("line", "text"), JUNK, ids=range(len(JUNK)))
    def test_a_line_that_is_no_answer_is_a_mistake(self, line, text):
        right = {"id": 1, "value": "a"}
        talk = Conversation(Scripted([hears(1, *says(line, right)), answers(2, "b")]), NUMBERS)
        found = mistake(ask, talk)
        assert found[0] == NONSENSE
        assert text in found[1]
        assert len(found[1]) < 400
        assert ask(talk)["value"] == "b"

    @pytest.mark.parametrize(("line", "text"), JUNK, ids=range(len(JUNK)))
    def test_or_it_is_passed_over(self, line, text):
        right = {"id": 1, "value": "a"}
        talk = Conversation(Scripted([hears(1, *says(line, right)), hears(2, *says(line))]), SKIPPING)
        assert ask(talk)["value"] == "a"
        kind, told = mistake(ask, talk)
        assert kind == SILENT
        assert told.startswith("gave no answer within 1 s, but answered ")
        assert text in told or line == '{"id":1}'

    def test_lines_that_are_passed_over_take_their_time(self):
        lines = [Says("thinking", after=0.3 * n) for n in range(1, 9)]
        transport = Scripted([hears(1, *lines, Says({"id": 1}, after=2.5))])
        assert mistake(ask, Conversation(transport, SKIPPING, start_up=0))[0] == SILENT
        assert transport.time == 1.0

    def test_after_nonsense_the_rest_of_it_counts_no_more(self):
        transport = Scripted([hears(1, *says("one", "two", {"id": 1}, "three")), answers(2, "b")])
        talk = Conversation(transport, NUMBERS)
        assert mistake(ask, talk)[0] == NONSENSE
        assert ask(talk)["value"] == "b"


class TestTelling:
    def tells(self, number, *does):
        return hears(number, *does, ask="!")

    def tell(self, talk):
        talk.tell({"ask": "!"}, 1.0)

    def test_it_does_not_wait(self):
        transport = Scripted([self.tells(1, Says({"id": 1}, 0.5)), self.tells(2)])
        talk = Conversation(transport, NUMBERS)
        self.tell(talk)
        assert transport.time == 0
        self.tell(talk)
        assert transport.time == 0.5

    def test_its_answer_is_dropped_before_the_next_message(self):
        transport = Scripted([self.tells(1, Says({"id": 1, "value": "x"}, 0.5)), answers(2, "b")])
        talk = Conversation(transport, NUMBERS)
        self.tell(talk)
        assert ask(talk)["value"] == "b"

    @pytest.mark.parametrize("next_call", ["ask", "tell"])
    def test_if_it_does_not_come_the_next_call_tells_and_sends_nothing(self, next_call):
        transport = Scripted([answers(1), self.tells(2), answers(3, "c")])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        self.tell(talk)
        found = mistake(getattr(talk, next_call), {"ask": "lost"}, 1.0)
        assert found == (SILENT, """gave no answer to '{"ask":"!","id":2}' within 1 s""")
        assert ask(talk)["value"] == "c"

    def test_its_time_runs_from_its_sending(self):
        transport = Scripted([answers(1), self.tells(2, Says({"id": 2}, 5.0)), answers(3)])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        self.tell(talk)
        transport.time = 3.0
        assert mistake(ask, talk)[0] == SILENT
        assert transport.time == 3.0

    def test_what_came_while_nobody_looked_was_in_time(self):
        transport = Scripted([answers(1), self.tells(2, Says({"id": 2}, 0.5)), answers(3, "c")])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        self.tell(talk)
        transport.time = 3.0
        assert ask(talk)["value"] == "c"

    def test_nonsense_is_told_as_well(self):
        transport = Scripted([self.tells(1, *says("thanks")), answers(2, "b")])
        talk = Conversation(transport, NUMBERS)
        self.tell(talk)
        assert mistake(ask, talk) == (
            NONSENSE,
            """answered 'thanks' to '{"ask":"!","id":1}', which is no JSON object""",
        )
        assert ask(talk)["value"] == "b"

    def test_an_ended_process_owes_nothing_to_who_asks_for_a_new_one(self):
        transport = Scripted([answers(1), self.tells(2, Fails())], [answers(3, "c")])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        self.tell(talk)
        assert talk.ready() == 2
        assert ask(talk)["value"] == "c"


class TestEnds:
    @pytest.mark.parametrize("kind", [CRASHED, FLOOD])
    def test_the_next_message_starts_another(self, kind):
        transport = Scripted([answers(1), hears(2, Fails(kind, "went away", 0.1))], [answers(3, "c")])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        assert mistake(ask, talk) == (kind, "went away")
        assert ask(talk)["value"] == "c"
        assert talk.ready() == 2

    def test_lines_before_the_end_are_read(self):
        transport = Scripted([hears(1, Says({"id": 1, "value": "a"}), Fails()), hears(2)], [answers(3, "c")])
        talk = Conversation(transport, NUMBERS)
        assert ask(talk)["value"] == "a"
        assert mistake(ask, talk)[0] == CRASHED
        assert ask(talk)["value"] == "c"

    def test_the_second_silence_in_a_row_ends_it(self):
        transport = Scripted([answers(1), hears(2), hears(3)], [answers(4, "d")])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        assert mistake(ask, talk) == (SILENT, "gave no answer within 1 s")
        assert transport.running()
        text = "gave no answer within 1 s; it was silent twice in a row and is ended"
        assert mistake(ask, talk) == (SILENT, text)
        assert not transport.running()
        assert ask(talk)["value"] == "d"

    def test_two_silences_with_an_answer_between_do_not(self):
        transport = Scripted([answers(1), hears(2), answers(3), hears(4), answers(5)])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        for _ in range(2):
            assert mistake(ask, talk)[0] == SILENT
            ask(talk)
        assert talk.ready() == 1

    def test_what_is_dropped_is_started_again(self):
        transport = Scripted([hears(1)], [answers(2, "b")])
        talk = Conversation(transport, NUMBERS)
        talk.tell({"ask": "?"}, 1.0)
        talk.drop()
        talk.drop()
        assert not transport.running()
        assert ask(talk)["value"] == "b"
        assert talk.ready() == 2

    @pytest.mark.parametrize("call", ["ask", "tell"])
    def test_an_interruption_ends_it(self, call):
        class Interrupted(Scripted):
            def send(self, line):
                super().send(line)
                if b"now" in line:
                    raise KeyboardInterrupt

        transport = Interrupted([answers(1), hears(2, ask="now")], [answers(3, "c")])
        talk = Conversation(transport, NUMBERS)
        ask(talk)
        with pytest.raises(KeyboardInterrupt):
            getattr(talk, call)({"ask": "now"}, 1.0)
        assert not transport.running()
        assert ask(talk)["value"] == "c"

    def test_what_cannot_be_written_as_json_is_our_own_error(self):
        talk = Conversation(Scripted([], [answers(2)]), NUMBERS)
        with pytest.raises(ValueError, match="not JSON compliant"):
            talk.ask({"ask": float("nan")}, 1.0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 30), max_size=3), max_size=8))
def test_whatever_comes_when_an_answer_is_its_own_and_in_time(delays):
    """Each list holds when a message is answered, in tenths of a second, once or more; a second is given.

    After two silences in a row a new process goes on; what the old one would have said is gone.
    """
    scripts, silences = [[answers(1)]], 0
    for number, times in enumerate(delays, start=2):
        lines = (Says({"id": number, "value": [number, time]}, time / 10) for time in times)
        scripts[-1].append(hears(number, *lines))
        silences = 0 if times and min(times) <= 10 else silences + 1
        if silences == 2:
            scripts.append([])
            silences = 0
    transport = Scripted(*scripts)
    talk = Conversation(transport, NUMBERS, start_up=0)
    ask(talk)
    for number, times in enumerate(delays, start=2):
        start = transport.time
        if times and min(times) <= 10:
            assert ask(talk)["value"] == [number, min(times)]
            assert transport.time == pytest.approx(start + min(times) / 10)
        else:
            assert mistake(ask, talk)[0] == SILENT
            assert transport.time == pytest.approx(start + 1)


def test_a_program_that_never_answers_anything_is_given_up():
    scripted = Scripted(*([hears(number)] for number in range(1, 8)))
    talk = Conversation(scripted, NUMBERS)
    for _ in range(5):
        kind, text = mistake(talk.ask, {"ask": "?"}, 1.0)
        assert (kind, text) == (SILENT, "gave no answer within 10 s")
        talk.drop()
    before = scripted.time
    assert mistake(talk.ask, {"ask": "?"}, 1.0) == (
        SILENT,
        "gave no answer in 5 processes in a row and is given up",
    )
    assert scripted.time == before, "at once"


def test_a_process_is_new_until_it_is_sent_something():
    talk = Conversation(Scripted([answers(1)], []), NUMBERS)
    talk.ready()
    assert talk.is_new()
    talk.ask({"ask": "?"}, 1.0)
    assert not talk.is_new()
    talk.drop()
    talk.ready()
    assert talk.is_new()


def test_lines_that_are_passed_over_are_noted_up_to_a_number():
    lines = [Says("thinking")] * 150
    scripted = Scripted([hears(1, *lines, Says({"id": 1}))])
    Conversation(scripted, SKIPPING).ask({"ask": "?"}, 1.0)
    assert scripted.notes == [b"thinking\n"] * 100
