"""Settings from TOML and from flags; wrong ones are named before any work."""

from pathlib import Path

import pytest

from arbosim.core.errors import UserError
from arbosim.tournament.config import Settings, settings

FILE = """
strategies = ["random", "greedy:x=1"]
deals = 50
seed = "lucky"
[rules]
preset = "renegade2018"
hand_size = 6
"""


@pytest.fixture
def toml(tmp_path):
    def write(text: str | bytes):
        path = tmp_path / "run.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_file_gives_settings_and_the_command_line_wins(toml):
    found = settings({"deals": 7, "rules": {"hand_size": "5"}}, toml(FILE), flags=True)
    assert found.strategies == ("random", "greedy:x=1")
    assert (found.deals, found.seed, found.players) == (7, "lucky", 2)
    assert (found.preset, found.changes) == ("renegade2018", {"hand_size": "5"})


def test_a_named_rule_set_and_changes_from_flags_go_together(toml):
    found = settings({"rules": {"hand_size": "5"}}, toml('rules = "renegade2018"'))
    assert (found.preset, found.changes) == ("renegade2018", {"hand_size": "5"})


def test_a_byte_order_mark_does_no_harm(toml):
    assert settings({}, toml(b"\xef\xbb\xbfdeals = 3")).deals == 3


def test_a_setting_knows_where_it_was_given(toml):
    made = settings({"deals": 3}, toml("players = 3"), flags=True, kept={"seed": 1}, kept_in="run.json")
    assert made.place("deals") == "--deals"
    assert made.place("players").endswith("run.toml, players")
    assert made.place("seed") == "run.json, seed"
    assert made.place("deals_from") == "--deals-from"
    assert settings({"deals": 3}).place("deals") == "deals"


def test_a_list_with_commas_is_a_list(toml):
    assert settings({}, toml('strategies = "random, greedy"')).strategies == ("random", "greedy")


def test_defaults_are_those_that_are_documented():
    assert Settings().model_dump() == settings({}).model_dump()
    assert (Settings().deals, Settings().players, Settings().seed, Settings().jobs) == (1000, 2, 1, -1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dealz = 3", "unknown key 'dealz' in .*run.toml; did you mean 'deals'"),
        ("deals = 0", "run.toml, deals: must be greater than or equal to 1, not 0"),
        ("deals = 1.5", "deals: .*not 1.5"),
        ('deals = "10"', "deals: must be a valid integer, not '10'"),
        ("players = true", "players: .*not True"),
        ("jobs = 0", "jobs: must be at least 1, or -1 for all cores, not 0"),
        ("strategies = 5", "strategies: must be a list"),
        ('schedule = "gauntlett"', "schedule: unknown value 'gauntlett'; did you mean 'gauntlet'"),
        ('on_error = "ignore"', "on_error: unknown value 'ignore'.*accepted: forfeit, random-move, stop"),
        ("rules = 5", "rules: must be the name of a preset or a table"),
        ("deals = ", "is not valid TOML"),
        ("deals_from = -1", "deals_from: .*not -1"),
        ("record_every = 0", "record_every"),
        ('output = ""', "output: must be the name of a folder"),
        ('record = "a\\u0000b"', "record: must be the name of a folder or file"),
        ("deals = \0", "is not valid TOML"),
        (b"deals = \xff", r"is no UTF-8 text \(byte 8\)"),
        ("seed = " + "1" * 5000, "is not valid TOML: Exceeds the limit"),
        ("deals = " + "1" * 4000, r"deals: must be less than or equal to \d+, not 1+\.\.\.1+$"),
        ("rules = " + "[" * 100_000, "is nested too deeply"),
        ("# " + "x" * 10**6, "has more than 1,000,000 bytes"),
    ],
)
def test_wrong_files_are_refused_with_the_key(toml, text, message):
    with pytest.raises(UserError, match=message):
        settings({}, toml(text))


def test_all_mistakes_are_told_at_once(toml):
    with pytest.raises(UserError) as caught:
        settings({"jobs": 0}, toml("deals = 0\nplayers = 0"), flags=True)
    text = str(caught.value)
    assert "run.toml, deals" in text
    assert "run.toml, players" in text
    assert "--jobs" in text


def test_a_file_that_is_not_there_is_named_with_the_nearest(toml):
    path = toml("")
    with pytest.raises(UserError, match=r"did you mean 'run\.toml'"):
        settings({}, path.with_name("rum.toml"))
    with pytest.raises(UserError, match="is a folder"):
        settings({}, path.parent)
    with pytest.raises(UserError, match="has more than"):
        settings({}, Path("/dev/zero"))
    with pytest.raises(UserError, match="cannot be read: Not a directory"):
        settings({}, path / "run.toml")
