"""A bot for the protocol arbosim: it takes what it may, but lays cards next to lower ones of their kind."""

import json
import random
import sys

rng = random.Random()


def steps_up(card, x, y, mine):
    """Count the neighbours of a cell that show the same species and a lower value."""
    near = (mine.get(cell) for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)))
    return sum(other[0] == card[0] and int(other[1:]) < int(card[1:]) for other in near if other)


def decide(state):
    if state["phase"] == "draw":
        sources = ["deck"] * (state["deck"] > 0) + [seat for seat, pile in enumerate(state["piles"]) if pile]
        return ["draw", rng.choice(sources)]
    if state["phase"] == "discard":
        return ["discard", min(state["hand"], key=lambda card: (int(card[1:]), rng.random()))]
    mine = {(x, y): card for card, x, y in state["arboretums"][state["current"]]}
    plays = [(card, x, y) for card in state["hand"] for x, y in state["open_cells"]]
    return ["play", *max(plays, key=lambda play: (steps_up(*play, mine), rng.random()))]


for line in sys.stdin:
    message = json.loads(line)
    answer = {"id": message["id"]}
    if message["type"] == "hello":
        answer |= {"protocol": "arbosim", "version": 1}
    elif message["type"] == "new_game":
        rng.seed(message["random"])
    elif message["type"] == "decide":
        answer["action"] = decide(message["state"])
    print(json.dumps(answer), flush=True)
