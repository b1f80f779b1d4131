"""A bot that asks for random moves and, from the n-th decision on, misbehaves: rogue.py DIALECT [HOW [N]]."""

import json
import os
import sys
import time
from pathlib import Path

dialect, how, since = sys.argv[1], (sys.argv[2:] or ["fine"])[0], int((sys.argv[3:] or ["1"])[0])
if how == "file":
    how, since = "hang", int(Path("since").read_text())
own = dialect == "arbosim"
decisions = 0
print("a word on standard error", file=sys.stderr)


def say(answer):
    print(json.dumps(answer), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    key = "id" if own else "messageID"
    answer = {key: message[key]}
    state = message if own else message["state"]
    if own and message["type"] == "hello":
        say(answer | {"protocol": "arbosim", "version": 1})
        continue
    asked = message["type"] == "decide" if own else state.get("activeTurn", False)
    ends = message["type"] == "end_game" if own else state.get("message") == "ENDGAME"
    idle = not own and state.get("activeTurn") is False
    decisions += asked
    answer["action" if own else "move"] = "random" if own else "RANDOM"
    if how == "deaf" and ends:
        continue
    if how == "mute" and idle:
        continue
    if asked and decisions >= since:
        if how == "hang":
            while True:
                pass
        elif how == "die":
            sys.stdout.write('{"mov')
            sys.stdout.flush()
            os._exit(3)
        elif how == "twice":
            say(answer)
        elif how == "late" and decisions == since:
            time.sleep(0.7)
        elif how == "flood":
            for _ in range(100):
                sys.stdout.write("x" * 1_000_000)
        elif how == "nonsense":
            answer["action" if own else "move"] = {"hello": "world"}
        elif how == "illegal":
            answer["action" if own else "move"] = ["discard", "J1"] if own else ["J", 1]
        elif how == "chatter":
            print("thinking ...", flush=True)
        elif how == "escape":
            if os.fork() == 0:
                os.setsid()
                time.sleep(600)
            os._exit(3)
    say(answer)
    if (how == "quit" and ends) or (how == "leave" and asked and decisions == since):
        time.sleep(0.02)
        sys.exit()
