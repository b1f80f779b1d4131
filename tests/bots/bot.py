"""A bot that does what its messages say, {"id": ..., "do": ..., ...}; bot.js does the same, all but the dribble."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

HUNDRED = 100 * 2**20


def answer(message, **more):
    sys.stdout.write(json.dumps({"id": message["id"], **more}) + "\n")
    sys.stdout.flush()


def flood(stream, line):
    for _ in range(HUNDRED // len(line)):
        stream.write(line)
    stream.flush()


def main():
    for text in sys.stdin:
        message = json.loads(text)
        do = message["do"]
        if do == "answer":
            answer(message, size=len(text))
        elif do == "who":
            answer(
                message, pid=os.getpid(), session=os.getsid(0), arguments=sys.argv[1:], folder=str(Path.cwd())
            )
        elif do == "twice":
            answer(message, time=1)
            answer(message, time=2)
        elif do == "late":
            time.sleep(message["pause"])
            answer(message)
        elif do == "nap":
            answer(message)
            time.sleep(message["pause"])
        elif do == "ignore":
            pass
        elif do == "hang":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                pass
        elif do == "deaf":
            time.sleep(600)
        elif do == "half":
            sys.stdout.write('{"id":')
            sys.stdout.flush()
            sys.stderr.write("the garden\nis \033[31mclosed\n")
            os._exit(3)
        elif do == "exit":
            os._exit(0)
        elif do == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif do == "line":
            flood(sys.stdout, "x" * 2**16)
        elif do == "lines":
            flood(sys.stdout, "x" * 1023 + "\n")
        elif do == "dribble":
            while True:
                os.write(1, b"\n")
        elif do == "errors":
            flood(sys.stderr, "x" * 1023 + "\n")
            answer(message)
        elif do == "shut":
            os.close(1)
            time.sleep(600)
        elif do == "raw":
            os.write(1, message["text"].encode("latin-1") + b"\n")
        elif do == "child":
            subprocess.Popen(["sleep", "600"])
            os._exit(5)
        elif do == "eat":
            hoard = b"x" * message["bytes"]
            answer(message, size=len(hoard))
    sys.stderr.write("goodbye\n")


main()
