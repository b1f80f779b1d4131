"""`arbosim play`, `replay`, `score` and `rules`, as people and programs call them."""

from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arbosim.cli.main import main

TABLE: dict[str, Any] = {
    "players": 2,
    "rules": {},
    "arboretums": [[["J4", 0, 0], ["L5", 0, 1]], []],
    "hands": [["J1"], ["J8", "L2"]],
    "discards": [[], ["C1"]],
    "deck": 20,
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Call the command line; give exit code, standard output and standard error."""

    def call(*args: object) -> tuple[int, str, str]:
        code = main([str(arg) for arg in args])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Any:
    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


def test_play_tells_the_game_turn_by_turn(run: Any) -> None:
    code, out, err = run("play", "greedy", "random", "--seed", 7, "--deal", 3)
    assert code == 0
    assert err == "" or err.startswith("Compiling")  # which it does if nothing has been played here before
    assert "Turn 1, seat 0 greedy: draws" in out
    assert "has the right: hand sums" in out
    assert "\x1b" not in out  # no colours where no terminal is
    assert out == (Path(__file__).parent.parent / "golden" / "two_players.txt").read_text(encoding="utf-8")


def test_what_play_has_to_compile_is_said_once(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "fresh.py"
    file.write_text(
        "from arbosim.games.arboretum import api\n\n"
        f'@api.strategy(name="fresh")\ndef decide(table, seat):\n    """Fresh {time.time()}."""\n'
        "    if api.phase(seat) == api.DRAW:\n        return api.draw(api.source(table, 0))\n"
        "    card = api.hand_card(seat, 0)\n    if api.phase(seat) == api.PLAY:\n"
        "        return api.play(card, api.open_cell(table, api.me(seat), 0))\n    return api.discard(card)\n"
    )
    told = run("play", file, "random")[2]
    assert "fresh" in told
    assert "later runs start at once" in told
    assert run("play", file, "random")[2] == ""


def test_play_in_colour_on_a_terminal_unless_told_otherwise() -> None:
    from rich.console import Console

    from arbosim.core.registry import game

    position = game().notation.read_position(TABLE)
    for environment, has_colour in (({}, True), ({"NO_COLOR": "1"}, False)):
        output = io.StringIO()
        console = Console(file=output, force_terminal=True, color_system="standard", _environ=environment)
        game().show_position(console, position)
        assert ("\x1b[3" in output.getvalue() or "\x1b[9" in output.getvalue()) == has_colour


def test_play_for_machines_and_its_record(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    code, out, _ = run(
        "play", "greedy", "random", "random", "--json", "--record", file, "--set", "hand_size=5"
    )
    assert code == 0
    answer = json.loads(out)
    assert answer["finished"]
    assert answer["strategies"] == ["greedy", "random", "random"]
    run("play", "random", "random", "--json", "--record", file)
    code, out, _ = run("replay", file)
    assert code == 0
    first, second = map(json.loads, out.splitlines())
    for key in ("players", "winners", "sources", "turns", "finished"):
        assert first[key] == answer[key]
    assert len(second["players"]) == 2


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["greedy"], "2 to 4 strategies, not 1"),
        (["greedy", "randm"], "did you mean 'random'"),
        (["greedy", "random:x=1"], "parameter"),
        (["greedy", "random", "--deal", "-1"], "deal"),
        (["greedy", "random", "--deal", "x"], "--deal"),
        (["greedy", "random", "--set", "hand_siz=6"], "did you mean 'hand_size'"),
        (["greedy", "random", "--set", "hand_size"], "hand_size=6"),
        (["greedy", "random", "--set", "hand_size=5", "--set", " hand_size=4"], "'hand_size' is given twice"),
        (["greedy", "random", "--set", "eight_rule=cancel"], "did you mean 'one_cancels'"),
        (["greedy", "random", "--set", "hand_size=12", "--set", "species=3"], "no card in the deck"),
        (["greedy", "random", "--rules", "renegade"], "did you mean 'renegade2018'"),
        (["greedy", "random", "--sed", "1"], "--seed"),
    ],
)
def test_play_refuses_before_any_work(run: Any, tmp_path: Path, args: list[str], reason: str) -> None:
    file = tmp_path / "games.jsonl"
    code, out, err = run("play", *args, "--record", file)
    assert (code, out) == (2, "")
    assert reason in err
    assert not file.exists()


def test_play_refuses_a_record_file_that_cannot_be(run: Any, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "games.jsonl"):
        code, out, err = run("play", "random", "random", "--record", path)
        assert (code, out) == (2, "")
        assert "--record" in err


def test_score_of_the_example(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    file.write_text(json.dumps(TABLE))
    code, out, err = run("score", file, "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert out.count("\n") == 1
    assert answer["winners"] == [0]
    assert answer["sources"] == ["deck", 1]
    assert answer["players"][0]["open_cells"][0] == [0, 2]
    code, out, _ = run("score", file)
    assert code == 0
    assert "J8 of seat 1 counts 0: seat 0 holds J1" in out
    assert "Seat 0 wins: 0 points like seat 1, but more species." in out


def test_score_answers_every_line(run: Any, tmp_path: Path) -> None:
    lines = [
        json.dumps(TABLE),
        "{",
        "",
        json.dumps(TABLE | {"deck": True}),
        '{"players": NaN}',
        json.dumps(TABLE),
    ]
    file = tmp_path / "tables.jsonl"
    file.write_text("\n".join(lines) + "\n")
    code, out, _ = run("score", file, "--json")
    assert code == 2
    answers = [json.loads(line) for line in out.splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]
    assert answers[0] == answers[4]
    assert "NaN is no number" in answers[3]["error"]["reason"]
    code, out, err = run("score", file)
    assert code == 2
    assert f"{file}, line 2: this is no JSON: " in err
    assert "(column 2)" in err
    assert f"{file}, line 4: deck: give a whole number" in err


@pytest.mark.parametrize("command", ["score", "replay"])
def test_a_line_that_is_no_text_spoils_no_other(run: Any, tmp_path: Path, stdin: Any, command: str) -> None:
    good = json.dumps(TABLE if command == "score" else record_of(run, tmp_path)).encode()
    data = b"\n".join([good, b'{"players": "\xff"}', good, b"", good])
    file = tmp_path / "lines.jsonl"
    file.write_bytes(data)
    for given, place in ((file, str(file)), ("-", "standard input")):
        stdin(data)
        code, out, err = run(command, given, "--json")
        assert (code, err) == (2, "")
        answers = [json.loads(line) for line in out.splitlines()]
        assert ["error" in answer for answer in answers] == [False, True, False, False]
        assert answers[1]["error"]["reason"] == f"{place}, line 2: this is no UTF-8 text (byte 13)"


def test_score_of_standard_input(run: Any, stdin: Any) -> None:
    stdin(json.dumps(TABLE).encode())
    assert run("score", "-", "--json")[0] == 0
    stdin((json.dumps(TABLE) + "\n" + json.dumps(TABLE)).encode())
    code, out, _ = run("score", "-", "--json")
    assert (code, out.count("\n")) == (0, 2)
    stdin(json.dumps(TABLE, indent=2).encode())  # one object over several lines
    code, out, _ = run("score", "-", "--json")
    assert (code, out.count("\n")) == (0, 1)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"players": ' + b"9" * 5000 + b"}", "too many digits"),
        (b'{"players": 1e999}', "missing: "),
        (b'{"players": 2, "players": 3}', "the key 'players' comes twice"),
        (b'{"players": Infinity}', "Infinity is no number"),
        (b"\xff\xfe{}", "no UTF-8"),
        (b'"J4"', "give one JSON object"),
        (b"null", "give one JSON object"),
        ("\ufeff".encode() + b"{}", "missing: players"),
        (b'{"\\ud800": 1}', "unknown key"),
    ],
)
@pytest.mark.parametrize("command", ["score", "replay"])
def test_what_is_no_table_is_refused_without_a_traceback(
    run: Any, tmp_path: Path, command: str, data: bytes, reason: str
) -> None:
    file = tmp_path / "broken.json"
    file.write_bytes(data)
    code, out, _ = run(command, file, "--json")
    assert code == 2
    answer = json.loads(out)
    assert reason in answer["error"]["reason"]


@pytest.mark.parametrize("command", ["score", "replay"])
def test_files_that_are_not_there(run: Any, tmp_path: Path, command: str) -> None:
    (tmp_path / "table.json").write_text("{}")
    code, out, err = run(command, tmp_path / "tabel.json")
    assert (code, out) == (2, "")
    assert "did you mean 'table.json'" in err
    for name in ("tabel.json", "", "empty.jsonl"):
        (tmp_path / "empty.jsonl").write_text("\n")
        code, out, err = run(command, tmp_path / name, "--json")
        assert code == 2
        assert json.loads(out)["error"]["reason"] in err
    assert run("score", tmp_path)[0] == 2


def record_of(run: Any, tmp_path: Path) -> dict[str, Any]:
    file = tmp_path / "one.jsonl"
    run("play", "random", "random", "--seed", 5, "--json", "--record", file)
    made: dict[str, Any] = json.loads(file.read_text())
    return made


def test_replay_of_a_record(run: Any, tmp_path: Path) -> None:
    record = record_of(run, tmp_path)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record, indent=1))
    code, out, _ = run("replay", file)
    assert code == 0
    answer = json.loads(out)
    assert answer["finished"]
    assert 17 <= answer["turns"] <= 33
    code, out, _ = run("replay", file, "--show")
    assert code == 0
    assert "Turn 1, seat 0 random: " in out
    assert "The game is over after" in out


CLUMSY = """
from arbosim.games.arboretum import api


class Clumsy(api.Strategy):
    \"""Loses its way in its third turn.\"""

    def draw(self, view):
        return view.sources[0] if isinstance(view.sources, list) else next(iter(view.sources))

    def play(self, view):
        return view.hand[0], (9, 9) if view.turn > 3 else view.open_cells[0]

    def discard(self, view):
        return view.hand[0]
"""


def test_whoever_forfeits_wins_nowhere(run: Any, tmp_path: Path) -> None:
    clumsy, file, folder = tmp_path / "clumsy.py", tmp_path / "game.jsonl", tmp_path / "run"
    clumsy.write_text(CLUMSY)
    reason = "cell (9, 9) touches no card of the arboretum of seat 1"
    told = f"Seat 1 {clumsy} forfeits the game in turn 6: {reason}.\nSeat 0 wins; a forfeited game has no scores."
    code, out, _ = run("play", "greedy", clumsy, "--seed", 3, "--record", file)
    assert code == 1
    assert told in out
    assert "points" not in out
    code, out, _ = run("replay", file, "--show")
    assert code == 0
    assert told in out
    assert "points" not in out
    run("run", "-s", f"greedy,{clumsy}", "-n", 1, "--seed", 3, "-j", 1, "-o", folder)
    errors = [json.loads(line) for line in (folder / "errors.jsonl").read_text().splitlines()]
    error = next(error for error in errors if error["seat"] == 1)
    assert (error["turn"], error["message"]) == (6, reason)
    assert told in run("replay", folder, error["game"])[1]
    for command in (
        ["play", "greedy", clumsy, "--seed", 3, "--json"],
        ["replay", file],
        ["replay", folder, error["game"], "--json"],
    ):
        answer = json.loads(run(*command)[1])
        assert answer["forfeit"] == {"seat": 1, "turn": 6, "reason": reason}
        assert (answer["winners"], answer["turns"], answer["finished"]) == ([0], 6, True)
        assert [player["total"] for player in answer["players"]] == [None, None]


def test_replay_tells_the_illegal_action(run: Any, tmp_path: Path) -> None:
    record = record_of(run, tmp_path)
    record["actions"][17] = ["draw", "nowhere"]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    code, out, _ = run("replay", file)
    assert code == 2
    error = json.loads(out)["error"]
    assert error["action"] == 17
    assert "is no action" in error["reason"]
    code, out, err = run("replay", file, "--show")
    assert code == 2
    assert "error" not in out
    assert f"{file}: actions[17]: " in err
    record["deck"].pop()
    file.write_text(json.dumps(record))
    code, out, _ = run("replay", file)
    assert code == 2
    assert "missing" in json.loads(out)["error"]["reason"]
    record["game"] = "chess"
    file.write_text(json.dumps(record))
    assert "unknown game 'chess'" in run("replay", file)[1]


def test_replay_of_a_row_of_a_run(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "first"
    assert (
        run("run", "-s", "random,greedy,monochrome", "-n", 3, "-p", 3, "--seed", 7, "-j", 1, "-o", folder)[0]
        == 0
    )
    for rotation in range(3):
        code, out, _ = run("replay", folder, f"0-2-{rotation}", "--json")
        answer = json.loads(out)
        assert code == 0
        assert answer["same_as_run"]
        assert answer["game"] == f"0-2-{rotation}"
    code, out, _ = run("replay", folder, "0-1-0", "--record", tmp_path / "kept.jsonl")
    assert code == 0
    assert "Turn 1, seat 0 greedy" in out
    assert run("replay", tmp_path / "kept.jsonl")[0] == 0
    for name in ("1-0-0", "0-3-0", "0-0-3"):
        code, _, err = run("replay", folder, name)
        assert code == 2
        assert "the run has no game" in err
    assert run("replay", folder)[0] == 2
    assert run("replay", folder, "first")[0] == 2
    assert run("replay", tmp_path / "nothing", "0-0-0")[0] == 2


def test_rules_are_shown_and_set(run: Any) -> None:
    code, out, _ = run("rules")
    assert code == 0
    assert "renegade2018" in out
    assert "hand_size = 7   (1..12)" in out
    code, out, _ = run("rules", "renegade2018", "--set", "hand_size=6", "--json")
    answer = json.loads(out)
    assert answer["rules"]["hand_size"] == 6
    assert answer["rules"]["start_discard"] == "none"
    assert set(answer["fields"]) == set(answer["rules"])
    assert answer["rules_version"] == 2
    assert answer["presets"]["standard"]["rules"]["hand_size"] == 7


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["standart"], "did you mean 'standard'"),
        (["--set", "hand_sise=6"], "did you mean 'hand_size'"),
        (["--set", "hand_size=60"], "accepted: 1..12"),
        (["--set", "species=2", "--set", "hand_size=9", "-p", "2"], "no card in the deck"),
        (["-p", "5"], "2 to 4 players"),
        (["--set", "min_path=10", "--set", "values=9"], "no path could ever score"),
        (["--set", "species=2", "--set", "values=2"], "no card in the deck"),
    ],
)
def test_rules_refuse_nonsense(run: Any, args: list[str], reason: str) -> None:
    code, out, err = run("rules", *args)
    assert (code, out) == (2, "")
    assert reason in err
