"""Learn the weights of `expert` from games: `python benchmarks/learn_expert.py PLAYERS ROUNDS GAMES`.

In each round `expert` plays itself and, a third as often, `counter`; the features that it saw are regressed on the
margin in the end. The last line of a round says how it fares against `counter`; the weights are printed as
`strategies/_expert_weights.py` holds them. docs/expert.md tells more.
"""

import sys

import numpy as np

from arbosim.core import registry
from arbosim.core.jit import cached_kernel
from arbosim.games.arboretum import api, buffers, kernels, scoring
from arbosim.games.arboretum.rules import make_rules
from arbosim.games.arboretum.state import NO_TABLES
from arbosim_strategies import _outlook as outlook
from arbosim_strategies import _turn as turns
from arbosim_strategies._expert_weights import AFTER, BEFORE, DRAWING
from arbosim_strategies.expert import choose

COUNTER = registry.strategies("arboretum")["counter"]
KNOTS, FEATURES = outlook.KNOTS, outlook.FEATURES
STAGES = ("after a turn", "before a play", "before a draw")
AT_RANDOM = 0.06  # part of the decisions
RIDGE, SMOOTH = 30.0, 300.0
play_counter = cached_kernel(COUNTER.entry)


@cached_kernel
def play(
    tables,
    seats,
    hiddens,
    setups,
    deck,
    words,
    seed,
    games,
    experts,
    weights,
    at_random,
    seen,
    about,
    margins,
):
    """Play games of `expert` in the first slots and `counter` in the others; return the number of rows written.

    `seen` gets features; `about` stage, turns left, game, seat and margin of each; `margins` those of the first slot.
    """
    table, hidden, setup = tables[0], hiddens[0], setups[0]
    players = table["players"]
    n = 0
    for g in range(games):
        rotation = g % players
        size = kernels.shuffle(deck, hidden["master"], setup, words, seed, g // players)
        buffers.start_game(table, seats, hidden, setup, deck, size, seed, g // players, rotation)
        first = n
        while not table["finished"]:
            p = table["current"]
            slot = (p - rotation) % players
            seat = seats[slot]
            seat["phase"] = table["phase"]
            seat["tables_of"] = NO_TABLES
            turn = table["turn"]
            seeks = at_random > 0.0 and slot < experts and n < len(seen)
            waits = table["phase"] == api.PLAY or (table["phase"] == api.DRAW and table["drawn"] > 0)
            # every other of these, as there are two in a turn
            if seeks and waits and api.below(seat, 2):
                note(table, seat, seen, about, n, 1 if table["phase"] == api.PLAY else 2, g, p)
                n += 1
            if slot >= experts:
                action = play_counter(table, seat)
            elif api.below(seat, 1000) < 1000 * at_random:
                action = any_action(table, seat)
            else:
                action = choose(table, seat, weights[0], weights[1], weights[2])
            kernels.step(table, seat, hidden, action)
            if seeks and n < len(seen) and (table["turn"] != turn or table["finished"]):
                note(table, seat, seen, about, n, 0, g, p)
                n += 1
        scoring.score(table, hidden)
        for k in range(first, n):
            about[k, 4] = margin(hidden, players, int(about[k, 3]))
        margins[g] = margin(hidden, players, rotation)
    return n


@cached_kernel
def note(table, seat, seen, about, n, stage, g, p):
    """Write a row."""
    turns.observe(table, seat, seen[n], 1)
    about[n, 0] = stage
    about[n, 1] = turns.turns_left(table, api.deck_count(table))
    about[n, 2] = g
    about[n, 3] = p


@cached_kernel
def any_action(table, seat):
    """A legal action by chance."""
    if api.phase(seat) == api.DRAW:
        return api.draw(api.source(table, api.below(seat, api.source_count(table))))
    card = api.hand_card(seat, api.below(seat, api.hand_count(seat)))
    if api.phase(seat) == api.PLAY:
        me = api.me(seat)
        return api.play(card, api.open_cell(table, me, api.below(seat, api.open_count(table, me))))
    return api.discard(card)


@cached_kernel
def margin(hidden, players, p):
    """Points of seat `p` more than the strongest rival's."""
    most = -1000
    for q in range(players):
        if q != p:
            most = max(most, hidden["total"][q])
    return hidden["total"][p] - most


def games_of(players, experts, weights, games, seed, at_random):
    """Play; return features, what they are about, and the margins of the first slot."""
    game = buffers.Buffers(make_rules(), players)
    for slot in range(players):
        definition = registry.strategies("arboretum")["expert" if slot < experts else "counter"]
        game.setups[0]["params"][slot][: len(definition.parameters)] = [
            float(q.default) for q in definition.parameters
        ]
    rows = 90 * players * games if at_random else 1
    seen, about, margins = np.zeros((rows, FEATURES)), np.zeros((rows, 5)), np.zeros(games)
    records = (game.tables, game.seats, game.hiddens, game.setups, game.deck, game.words, np.uint64(seed))
    n = play(*records, games, experts, weights, at_random, seen, about, margins)
    return seen[:n], about[:n], margins


def fit(seen, left, target):
    """Regress on the features, piecewise linear in the turns left; weights of shape (knots, features)."""
    knots, scale = len(KNOTS), seen.std(0)
    scale[scale < 1e-9] = 1.0
    left = np.clip(left, 0, KNOTS[-1])
    hats = np.array([np.interp(left, KNOTS, np.eye(knots)[k]) for k in range(knots)]).T
    size = knots * FEATURES
    normal, right = np.zeros((size, size)), np.zeros(size)
    for a in range(0, len(seen), 20000):
        part = slice(a, a + 20000)
        rows = (hats[part, :, None] * (seen[part] / scale)[:, None, :]).reshape(-1, size)
        normal += rows.T @ rows
        right += rows.T @ np.clip(target[part], -30, 30)
    shrink = np.full(FEATURES, RIDGE)
    shrink[outlook.CONSTANT] = 1e-3
    normal += np.diag(np.tile(shrink, knots))
    # neighbouring knots differ little
    step = np.diff(np.eye(knots), axis=0)
    normal += SMOOTH * np.kron(step.T @ step, np.eye(FEATURES))
    return np.linalg.solve(normal, right).reshape(knots, FEATURES) / scale


def learn(players, rounds, games):
    """Learn, and print what was found."""
    weights = np.stack([AFTER[players - 2], BEFORE[players - 2], DRAWING[players - 2]])
    data = []
    for r in range(rounds):
        both = [(players, games), (1, games // 3)]
        data += [games_of(players, n, weights, count, 1000 + r, AT_RANDOM)[:2] for n, count in both]
        seen, about = (np.concatenate(parts) for parts in zip(*data[-6:], strict=True))
        weights = np.stack(
            [fit(seen[m], about[m, 1], about[m, 4]) for m in (about[:, 0] == s for s in range(3))]
        )
        margins = games_of(players, 1, weights, 400 * players, 77, 0.0)[2]
        print(f"# round {r}: {len(seen)} positions, margin against counter {margins.mean():.2f}", flush=True)
    for stage, found in zip(STAGES, weights, strict=True):
        print(f"# {players} players, {stage}")
        for name, row in zip(outlook.NAMES, found.T, strict=True):
            print(f"{name:20s}" + " ".join(f"{x:7.3f}" for x in row))


if __name__ == "__main__":
    learn(*(int(text) for text in sys.argv[1:]))
