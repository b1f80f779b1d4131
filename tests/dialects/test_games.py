"""Strategies that are told of a game in a dialect play as they do at the engine's own table."""

import random
import zlib

import pytest

from arbosim.games.arboretum import api
from arbosim.games.arboretum.probe import random_rules
from arbosim.games.arboretum.rules import Rules, make_rules
from arbosim.games.arboretum.seating import Seating
from tests.dialects.talks import engine_game, entrant, talk


class Rememberer(api.Strategy):
    """Tosses coins, and remembers what it did: a game of its own depends on all of it."""

    parameters = (api.Parameter("turns", 3, 0, 9),)

    def __init__(self) -> None:
        self.asked = 0

    def draw(self, view):
        self.asked += 1
        return self.rng.choice(list(view.sources))

    def play(self, view):
        card = view.hand[self.asked % len(view.hand)]
        gains = {cell: view.gain(card, cell) for cell in view.open_cells}
        return card, max(gains, key=lambda cell: (gains[cell], self.rng.random()))

    def discard(self, view):
        known = view.known_hands[view.me] + view.unseen[: self.params.turns]
        return next((card for card in known if card in view.hand), view.hand[-1])


class Looker(api.Strategy):
    """Decides by everything that it sees and by nothing else: told anything else, it plays another game."""

    def pick(self, view, options):
        seen = (
            *(view.me, view.turn, view.draws_left, view.hand, view.hand_counts, view.piles, view.open_cells),
            *(view.arboretums, view.known_hands, view.unseen, view.deck_count),
        )
        return options[zlib.crc32(repr(seen).encode()) % len(options)]

    def draw(self, view):
        return self.pick(view, list(view.sources))

    def play(self, view):
        return self.pick(view, view.hand), self.pick(view, view.open_cells)

    def discard(self, view):
        return self.pick(view, view.hand)


@api.strategy(name="planner")
def Planner(table, seat):  # noqa: N802
    """Counts its own decisions since it last forgot them, and decides by that number."""
    asked = api.memory(seat, 0)
    api.set_memory(seat, 0, asked + 1)
    phase = api.phase(seat)
    if phase == api.DRAW:
        return api.draw(api.source(table, asked % api.source_count(table)))
    card = api.hand_card(seat, asked % api.hand_count(seat))
    if phase == api.PLAY:
        me = api.me(seat)
        return api.play(card, api.open_cell(table, me, asked % api.open_count(table, me)))
    return api.discard(card)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "names", [("random", "greedy", "expert", Rememberer), (Looker, "expert", Rememberer, "random")]
)
def test_the_dialect_arbosim_leads_to_the_engines_game(players, names):
    entrants = [entrant(names[seat % len(names)]) for seat in range(players)]
    rng = random.Random(players)
    for deal, rules in enumerate([Rules(), *(random_rules(players, rng) for _ in range(5))]):
        spoken = talk("arbosim", rules, entrants, deal=deal).play()
        assert spoken.actions == engine_game(rules, entrants, deal=deal).actions


@pytest.mark.parametrize(
    "changes", [{}, {"start_discard": "all"}, {"extra_card": "all"}, {"equal_turns": True}]
)
def test_the_dialect_hackaranda_leads_to_the_engines_game(changes):
    entrants = [entrant(Looker)] * 2
    rules = make_rules("renegade2018", {"species": "CJMORW", **changes})
    for deal in range(5):
        spoken = talk("hackaranda", rules, entrants, deal=deal).play()
        assert spoken.actions == engine_game(rules, entrants, deal=deal).actions


def test_strategies_with_coins_play_whole_games_in_hackaranda():
    """The dialect tells no random stream, and species go by other names: the games are others."""
    for names in (("expert", "random"), (Rememberer, "greedy")):
        assert talk("hackaranda", Rules(), [entrant(name) for name in names]).play().finished


@pytest.mark.parametrize("dialect", ["arbosim", "hackaranda"])
def test_a_strategy_whose_action_was_not_carried_out_forgets_its_plan(dialect):
    """As it does where a recorded game is followed: `Seating.follow` empties its memory as well."""
    rules, entrants = make_rules("renegade2018", {"species": "CJMORW"}), [entrant(Planner)] * 2
    rng = random.Random(5)
    forced = 0
    for deal in range(3):
        spoken, own = talk(dialect, rules, entrants, deal=deal), Seating(rules, entrants, range(2), 1, deal)
        while not spoken.position.finished:
            code = spoken.decide()
            assert code == own._ask(own.position.current)
            done = (
                code if rng.random() < 0.7 else own.position.code_of(rng.choice(own.position.legal_actions))
            )
            if done != code:
                own._buffers.seats[own.position.current]["memory"] = 0
                forced += 1
            spoken.carry_out(done)
            own.carry_out(done)
    assert forced > 20
