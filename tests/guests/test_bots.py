"""Programs in whole runs: real processes, both dialects, and every way to misbehave."""

import json
import os
import sys
from pathlib import Path

import pytest

import arbosim
from arbosim.core.errors import UserError
from arbosim.lab import load
from arbosim.tournament import manifest

ROGUE = Path(__file__).parents[1] / "programs" / "rogue.py"
DIALECTS = ["arbosim", "hackaranda"]
QUICK = 0.4  # seconds: longer than a bot needs, also on a busy machine


def rogue(dialect: str, how: str = "fine", since: int = 1, **more) -> dict[str, object]:
    return {"command": f"{sys.executable} {ROGUE} {dialect} {how} {since}", "protocol": dialect, **more}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(bots, deals=2, strategies=("hoarder",), **named):
    return arbosim.run(list(strategies), bots=bots, deals=deals, jobs=1, **named)


def line_of(name, results):
    return next(row for row in results.summary.rows if row.strategy == name)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_bot_plays_a_tournament_like_anyone_else(here, dialect):
    results = played({"maple": rogue(dialect)}, deals=5, output="run")
    assert results.manifest.status == "finished"
    assert results.errors == []
    assert set(results.standings().strategy) == {"hoarder", "maple"}
    assert (Path("run/bots/maple.log")).read_text() == "a word on standard error\n"
    again = load("run")
    assert again.digest == results.digest
    for deal in range(5):
        for rotation in range(2):
            game = again.replay((0, deal, rotation))
            assert game.position.finished
            assert game.position.forfeited is None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_two_bots_meet_and_a_bot_meets_itself(here, dialect):
    bots = {"maple": rogue(dialect), "oak": rogue(dialect)}
    assert played(bots, strategies=()).errors == []
    results = played({"maple": rogue(dialect)}, strategies=(), schedule="self-play")
    assert results.errors == []
    assert results.manifest.line_ups == [["maple", "maple"]]


def test_bots_play_at_tables_of_three_and_four_and_by_other_rules(here):
    for players in (3, 4):
        results = (
            played(
                {"maple": rogue("arbosim")},
                strategies=("hoarder", "random"),
                players=players,
                schedule="gauntlet",
                focus="maple",
                rules={"hand_size": 5, "discard_memory": "top_only", "draws": 1},
            )
            if players == 3
            else played(
                {"maple": rogue("arbosim"), "oak": rogue("arbosim")},
                strategies=("hoarder", "random"),
                players=4,
            )
        )
        assert results.errors == []
        assert results.manifest.games == results.manifest.games_wanted


MISTAKES = {
    "hang": ("silent", "gave no answer"),
    "die": ("crashed", "ended with code 3 in the middle of a line"),
    "flood": ("flood", ""),
    "nonsense": ("nonsense", "hello"),
    "illegal": ("illegal", "seat "),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("how", MISTAKES)
def test_a_mistake_costs_its_game_and_no_other(here, dialect, how):
    """The bot misbehaves once 20 decisions are made, so in a later game, and is restarted."""
    bots = {"maple": rogue(dialect, how, 20), "oak": rogue(dialect)}
    with pytest.warns(UserWarning, match="forfeited"):
        results = played(bots, deals=2, strategies=(), move_timeout=QUICK, output="run")
    kind, text = MISTAKES[how]
    assert results.errors
    assert {error["strategy"] for error in results.errors} == {"maple"}
    assert {error["kind"] for error in results.errors} == {kind}
    assert {error["penalty"] for error in results.errors} == {"forfeit"}
    assert all(text in error["message"] for error in results.errors)
    assert results.manifest.games == 4
    assert line_of("maple", results).errors == len(results.errors) == results.manifest.errors
    lines = [json.loads(line) for line in Path("run/errors.jsonl").read_text().splitlines()]
    assert lines == results.errors
    again = load("run")
    for match, deal, rotation in ((0, deal, rotation) for deal in range(2) for rotation in range(2)):
        game = again.replay((match, deal, rotation))
        wrong = [error for error in lines if error["game"] == f"{match}-{deal}-{rotation}"]
        assert (game.position.forfeited is not None) == bool(wrong)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("how", MISTAKES)
def test_a_mistake_costs_a_random_move_if_it_is_to(here, dialect, how):
    bots = {"maple": rogue(dialect, how, 50)}
    results = played(bots, deals=1, move_timeout=QUICK, on_error="random-move", output="run")
    kind, text = MISTAKES[how]
    assert results.errors
    assert {(error["kind"], error["penalty"]) for error in results.errors} == {(kind, "random-move")}
    assert all(text in error["message"] for error in results.errors)
    assert results.manifest.errors == 0
    assert line_of("maple", results).random_moves == len(results.errors)
    by_game = {}
    for error in results.errors:
        by_game.setdefault(error["game"], []).append(error["number"])
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in by_game.values())
    again = load("run")
    assert again.errors == results.errors
    assert again.summary == results.summary
    assert again.replay((0, 0, 1)).position.forfeited is None


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("how", ["twice", "deaf"])
def test_what_harms_nobody_is_no_mistake(here, dialect, how):
    assert played({"maple": rogue(dialect, how)}, deals=3, move_timeout=5).errors == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_whoever_ends_after_a_game_is_started_anew(here, dialect):
    assert played({"maple": rogue(dialect, "quit")}, deals=5).errors == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_whoever_ends_in_mid_game_has_crashed(here, dialect):
    """Each process leaves after its third answer, and no restart makes up for that in silence."""
    results = played({"maple": rogue(dialect, "leave", 3)}, deals=1, on_error="random-move")
    assert len(results.errors) > 10
    assert {error["kind"] for error in results.errors} == {"crashed"}
    assert all("ended" in error["message"] for error in results.errors)


@pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="only Linux tells whose child a process is"
)
def test_what_a_bot_has_started_ends_with_it(here):
    """A child that leaves the session is found all the same."""
    with pytest.warns(UserWarning, match="forfeited"):
        played({"maple": rogue("arbosim", "escape", dir=str(here))}, deals=1)
    left = []
    for process in Path("/proc").glob("[0-9]*/cwd"):
        try:
            left += (
                [process] if process.readlink() == here and process.parent.name != str(os.getpid()) else []
            )
        except OSError:
            continue
    assert left == []


def test_strange_characters_of_a_bot_harm_nobody(here):
    text = "\\ud800 \\u001b[31m \\u202e"
    bot = f"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    print(r'{{"protocol": "arbosim", "version": 1, "error": "{text}", "id": %d}}' % message["id"], flush=True)
"""
    Path("bot.py").write_text(bot)
    with pytest.warns(UserWarning, match="forfeited"):
        results = played({"maple": f"{sys.executable} bot.py"}, deals=1, output="run")
    assert results.errors[0]["message"] == r"\ud800 \x1b[31m \u202e"
    results.report("page.html")


def test_debugging_lines_are_passed_over_in_hackaranda_alone(here):
    assert played({"maple": rogue("hackaranda", "chatter")}, move_timeout=5).errors == []
    with pytest.warns(UserWarning, match="forfeited"):
        wrong = played({"maple": rogue("arbosim", "chatter")}, move_timeout=5).errors
    assert "thinking ..." in wrong[0]["message"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_late_answer_is_dropped(here, dialect):
    """It comes while the next decision is waited for, and must not be taken for its answer."""
    bots = {"maple": rogue(dialect, "late", 10)}
    results = played(bots, deals=1, move_timeout=QUICK, on_error="random-move")
    assert [error["kind"] for error in results.errors] == ["silent"]
    assert results.manifest.games == 2


def test_whoever_is_silent_while_others_decide_answers_for_it_when_asked(here):
    with pytest.warns(UserWarning, match="forfeited"):
        results = played({"maple": rogue("hackaranda", "mute")}, deals=1, move_timeout=QUICK)
    assert {error["kind"] for error in results.errors} == {"silent"}


def test_wrong_bots_are_refused_before_anything_is_written(here):
    command = f"{sys.executable} {ROGUE} arbosim"
    for bots, text in (
        ({"maple": {"command": "no-such-program"}}, "there is no program 'no-such-program'"),
        ({"maple": {"command": command, "dir": "nowhere"}}, "there is no folder '/.*nowhere'"),
        ({"maple": {"command": "python3 absent.py"}}, "there is no file 'absent.py'"),
        ({"maple": {"command": command, "protocol": "hackeranda"}}, "did you mean 'hackaranda'"),
        ({"greedy": {"command": command}}, "'greedy' is taken"),
        ({"maple": {"command": f"{sys.executable} -c pass"}}, "ended with code 0"),
        ({"maple": {}}, "bots maple: command: is missing"),
        ({"maple": {"command": command, "folder": "."}}, "unknown key 'folder' in bots maple"),
        ({"ma ple": {"command": command}}, "letters, digits"),
        ({"maple": 7}, "bots maple: is a command, or a table of command, dir, protocol, shell, not 7"),
        (7, "bots: must be a valid dictionary"),
        ({"maple": rogue("hackaranda") | {"command": command}}, "not fit to play"),
    ):
        with pytest.raises(UserError, match=text):
            played(bots, output="run")
    with pytest.raises(UserError, match="2 players"):
        played({"maple": rogue("hackaranda")}, players=3, strategies=("hoarder", "random"), output="run")
    for setting in ({"isolate": True}, {"move_timeout": 1.0}, {"on_error": "random-move"}):
        with pytest.raises(UserError, match="processes of their own"):
            arbosim.run(["hoarder", "random"], deals=1, output="run", **setting)
    for seconds in (0, -1, float("nan"), "long"):
        with pytest.raises(UserError, match="move_timeout"):
            played({"maple": rogue("arbosim")}, move_timeout=seconds, output="run")
    assert list(here.iterdir()) == []


def test_a_run_with_bots_goes_on_from_its_folder_alone(here):
    bots = {"maple": rogue("arbosim")}
    played(bots, deals=2, output="run")
    state = manifest.load(Path("run"))
    assert state.bots["maple"].command == bots["maple"]["command"]
    assert state.keeps_actions == {0}
    assert "maple" in state.caution
    results = played(bots, deals=2, output="run", resume=True)
    assert results.manifest.games == 4


def test_jobs_share_nothing_but_the_work(here):
    bots = {"maple": rogue("arbosim")}
    one = played(bots, deals=30)
    two = arbosim.run(["hoarder"], bots=bots, deals=30, jobs=2)
    assert one.manifest.games == two.manifest.games == 60
    assert one.errors == two.errors == []


def test_a_bot_can_be_compared(here):
    bots = {"maple": rogue("arbosim")}
    how = {"bots": bots, "elo1": 300, "jobs": 1}
    assert arbosim.compare("hoarder", "maple", output="run", **how).decision == "H1"
    assert load("run").manifest.bots.keys() == {"maple"}
    assert arbosim.compare("hoarder", "maple", output="run", resume=True, **how).decision == "H1"
    wild = {
        "bots": {"maple": rogue("arbosim", "illegal")},
        "on_error": "random-move",
        "max_deals": 3,
        "jobs": 1,
    }
    results = arbosim.compare("hoarder", "maple", **wild).results
    assert line_of("maple", results).random_moves > 0
    assert results.manifest.errors == 0
    with pytest.raises(UserError, match="goes on until it is decided"):
        arbosim.compare("hoarder", "maple", **{**wild, "on_error": "stop"})
    with pytest.raises(UserError, match="none of those that are compared"):
        arbosim.compare("hoarder", "random", bots=bots)
