"""A bot for Hackaranda: draws from the deck, lays the first card of its hand anywhere, discards the last one."""

import json
import sys


def free(area):
    cells = {(int(x), int(y)) for x, column in area.items() for y in column}
    near = {(x + dx, y + dy) for x, y in cells for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    return min(near - cells, default=(3, -2))


def move(state):
    if not state.get("activeTurn"):
        return 0
    if state["subTurn"] < 2:
        return 0 if state["deck"] else 1 if state["discard"] else 2
    if state["subTurn"] == 2:
        return {"card": state["hand"][0], "coord": free(state["playArea"])}
    return state["hand"][-1]


print("hello, this line is no JSON", flush=True)
for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps({"move": move(message["state"]), "messageID": message["messageID"]}), flush=True)
