"""Measure what a conversation with a program costs arbosim, beside bare pipes that carry the same bytes.

    python benchmarks/bots.py

Both sides talk to the same trivial bot, in turn and in one run. The bare side has its line ready, writes it and waits
for the answer in blocking calls; so what it takes is the bot's own time and that of the system, and the difference is
ours: writing JSON, ids, deadlines, reading JSON. The script fails if an answer is wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from statistics import median
from time import perf_counter

from arbosim.bots.process import Process
from arbosim.bots.talk import Conversation
from arbosim.core.outside import Grammar

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


def main() -> int:
    """Print a line for each kind of bot; return 1 if an answer is wrong."""
    wrong = compare("Python", (sys.executable, "-c", PYTHON))
    node = shutil.which("node")
    if node is None:
        print("node: not installed")
        return wrong
    return max(wrong, compare("node", (node, "-e", NODE)))


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
