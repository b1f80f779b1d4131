"""Measure what a conversation with a program costs arbosim, beside bare pipes that carry the same bytes.

    python benchmarks/bots.py

Both sides talk to the same trivial bot, in turn and in one run. The bare side has its line ready, writes it and waits
for the answer in blocking calls; so what it takes is the bot's own time and that of the system, and the difference is
ours: writing JSON, ids, deadlines, reading JSON. The script fails if an answer is wrong.

Then a bot that asks for random moves plays whole games against `hoarder`, in both dialects, and notes what it is sent.
Bare pipes send it the same lines again. What the games take more of this process's time, for each decision of the bot,
is all that arbosim does: the engine, the other strategy, and what the dialect tells. It is processor time, because on a
busy machine the whole would tell more of who else waits for a core.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from arbosim.bots.process import Process
from arbosim.bots.program import Program, close_all
from arbosim.bots.talk import Conversation
from arbosim.core import registry
from arbosim.core.measures import Measures
from arbosim.core.outside import Grammar
from arbosim.core.strategy import Strategy

ROUNDS = 20
TRIPS = 500
PYTHON = (
    "import json, sys\n"
    "for line in sys.stdin:\n"
    "    message = json.loads(line)\n"
    "    print(json.dumps({'move': message['turn'], 'id': message['id']}), flush=True)\n"
)
NODE = (
    "require('readline').createInterface({input: process.stdin}).on('line', line => {"
    "const message = JSON.parse(line);"
    "process.stdout.write(JSON.stringify({move: message.turn, id: message.id}) + '\\n')})"
)
CARDS = [[species, value] for species in "JRCMOW" for value in range(1, 9)]
MESSAGE = {
    "state": {
        "deck": 40,
        "hand": CARDS[:9],
        "opponentHand": [None] * 7,
        "discard": CARDS[9:20],
        "playArea": {str(x): {str(y): CARDS[20 + 4 * x + y] for y in range(4)} for x in range(6)},
        "opponentPlayArea": {str(x): {str(y): CARDS[4 * x + y] for y in range(4)} for x in range(10)},
        "previousTurn": {"move": {"card": ["J", 3], "coord": [1, 2]}, "metaData": "x" * 700},
    },
    "turn": 7,
}


RANDOM_BOT = (
    "import json, sys\n"
    "lines = []\n"
    "for line in sys.stdin:\n"
    "    message = json.loads(line)\n"
    "    lines.append(line)\n"
    "    answer = {key: message.get(key) for key in ('id', 'messageID', 'protocol', 'version')}\n"
    "    print(json.dumps(answer | {'action': 'random', 'move': 'RANDOM'}), flush=True)\n"
    "open(sys.argv[1], 'w').writelines(lines)\n"
)
DEALS = 60
GAMES = 5  # repeats


def main() -> int:
    """Print a line for each kind of bot and each dialect; return 1 if an answer is wrong."""
    wrong = compare("Python", (sys.executable, "-c", PYTHON))
    node = shutil.which("node")
    if node is None:
        print("node: not installed")
    else:
        wrong = max(wrong, compare("node", (node, "-e", NODE)))
    return max(wrong, *(play(dialect) for dialect in registry.game().dialects))


def play(dialect: str) -> int:
    """Measure whole games of a bot that speaks a dialect."""
    game = registry.game()
    rules = game.rules()
    ours, decisions = [], 1
    with TemporaryDirectory() as folder:
        notes = Path(folder, "lines")
        command = (sys.executable, "-c", RANDOM_BOT, str(notes))
        program = Program("maple", command, ".", dialect, game.dialects[dialect].grammar)
        bot = Strategy("maple", game.name, "program", program).entrant()
        line_up = [registry.resolve("hoarder", game.name), bot]
        how = Measures(actions=True)
        game.play_chunk(rules, 2, line_up, 1, 0, 1, measures=how)  # loads what is compiled
        for _ in range(GAMES):
            close_all()
            program.talk().ready()
            start = process_time()
            chunk = game.play_chunk(rules, 2, line_up, 1, 0, DEALS, measures=how)
            played = process_time() - start
            close_all()
            lines = notes.read_bytes().splitlines(keepends=True)
            decisions = sum(b'"decide"' in line or b'"activeTurn":true' in line for line in lines)
            ours.append((played - bare_seconds(command, lines)) * 1e6 / decisions)
            if chunk.errors or decisions < 10 * 2 * DEALS:
                return 1
    print(
        f"{dialect}: {decisions:,} decisions in {2 * DEALS} games, of each {median(ours):.0f} microseconds are ours"
    )
    return 0


def bare_seconds(command: tuple[str, ...], lines: list[bytes]) -> float:
    """Return how long a bot takes to answer lines that come through bare pipes."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    bare = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
    )
    exchange(bare, lines[0])
    start = process_time()
    for line in lines[1:]:
        exchange(bare, line)
    taken = process_time() - start
    bare.communicate()
    return taken


def compare(name: str, command: tuple[str, ...]) -> int:
    """Measure one bot in both ways in turn."""
    line = json.dumps({**MESSAGE, "id": 1}, separators=(",", ":")).encode() + b"\n"
    talk = Conversation(Process(command), Grammar(id_key="id"))
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    bare = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
    )
    ours, theirs = [], []
    right = True
    for _ in range(ROUNDS):
        ours += times(lambda: talk.ask(MESSAGE, 2.0))
        theirs += times(lambda: exchange(bare, line))
        right &= talk.ask(MESSAGE, 2.0)["move"] == json.loads(exchange(bare, line))["move"] == MESSAGE["turn"]
    talk.drop()
    bare.communicate()
    print(
        f"{name}, {len(line):,} bytes: {median(ours):.0f} microseconds a round trip, {median(theirs):.0f} over bare "
        f"pipes; ours {median(ours) - median(theirs):.0f}{'' if right else '  WRONG ANSWERS'}"
    )
    return int(not right)


def exchange(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """Write a line to a process and return what it answers."""
    process.stdin.write(line)
    answer = process.stdout.read(2**16)
    while not answer.endswith(b"\n"):
        answer += process.stdout.read(2**16)
    return answer


def times(trip) -> list[float]:
    """Return the microseconds of many trips."""
    found = []
    for _ in range(TRIPS):
        start = perf_counter()
        trip()
        found.append((perf_counter() - start) * 1e6)
    return found


if __name__ == "__main__":
    sys.exit(main())
