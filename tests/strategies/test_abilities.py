"""An ability of the zoo that is switched off changes play, and changes it where the ability has to do with it alone."""

import pytest

import arbosim
from arbosim.core import registry
from arbosim.games.arboretum import api
from arbosim.games.arboretum.buffers import Buffers, place_card
from arbosim.games.arboretum.rules import make_rules

ABILITIES = [
    (name, parameter)
    for name, definition in registry.strategies("arboretum").items()
    for parameter in definition.parameters
    if parameter.ability
]


def play_alike(first, second, deals=60, **rules):
    """Tell whether two strategies play the same: then the seats of a game can be exchanged and nothing changes."""
    seats = arbosim.run([first, second], deals=deals, seed="abilities", rules=rules, jobs=1).seats
    games = seats.set_index(["deal", "seat", "rotation"]).drop(columns=["match", "strategy"])
    return games.xs(0, level="rotation").equals(games.xs(1, level="rotation"))


@pytest.mark.parametrize(
    ("name", "parameter"), ABILITIES, ids=[f"{name}:{parameter.name}" for name, parameter in ABILITIES]
)
def test_a_switched_off_ability_changes_play(name, parameter):
    switched = f"{name}:{parameter.name}={parameter.format(not parameter.default)}"
    if registry.strategies("arboretum")[name].budgets:
        # who thinks long shows the difference soon
        assert not play_alike(f"{name}:rollouts=16", f"{switched}:rollouts=16", deals=2)
    else:
        assert not play_alike(name, switched, deals=400)


@pytest.mark.parametrize(
    ("first", "second", "rules"),
    [
        # without the bonus there is none to overlook
        ("balanced", "balanced:mono=off", {"mono_bonus": False}),
        ("balanced", "balanced:mono=off", {"mono_bonus": False, "min_path": 3}),
        # a highest card that always counts nothing is held for no right
        ("balanced", "balanced:eights=off", {"eight_rule": "always_zero"}),
        ("balanced:top=0", "balanced:eights=off", {}),
        ("balanced:rivals=0:kindness=0", "balanced:denies=off", {}),
        # who sees the tops alone, and takes none, has nothing to remember
        ("balanced:discards=off", "balanced:discards=off:counts=off", {"discard_memory": "top_only"}),
        ("counter:discards=off", "counter:discards=off:counts=off", {"discard_memory": "top_only"}),
        ("tempo:hurries=off", "tempo:hurries=off:ahead=-20", {}),
        ("tempo:stalls=off", "tempo:stalls=off:behind=-20", {}),
    ],
)
def test_a_ban_is_of_nothing_else(first, second, rules):
    assert play_alike(first, second, deals=300, **rules)


@pytest.mark.parametrize("min_path", [2, 3])
def test_who_overlooks_the_bonus_plays_as_if_there_were_none(min_path):
    moves = []
    for mono_bonus in (True, False):
        rules = {"mono_bonus": mono_bonus, "min_path": min_path}
        strategies = ["balanced:mono=off:denies=off", "balanced:mono=off:denies=off:steps=2"]
        seats = arbosim.run(strategies, deals=200, seed=3, rules=rules, jobs=1).seats
        # what a seat has at the end, whatever it scores
        moves.append(seats[["hand_points", "kinds", "taken_own", "taken_others"]])
        # here it is worth something, or the test would say nothing
        assert (seats["mono"].sum() > 0) == mono_bonus
    assert moves[0].equals(moves[1])


@pytest.mark.parametrize("min_path", [2, 3])
def test_only_the_bonus_of_the_own_arboretum_is_overlooked(min_path):
    buffers = Buffers(make_rules(changes={"min_path": min_path}), 2)
    buffers.deal(1, 0)
    table, seat = buffers.tables[0], buffers.seats[0]
    for p in (0, 1):
        for value in range(1, 5):
            place_card.compiled(table, p, api.card(p, value), api.FIRST_CELL + value - 1)

    def best_and_gain(p):
        api.tables(table, seat, p)
        return api.best(seat, p), api.gain(table, seat, p, api.card(p, 5), api.FIRST_CELL + 4)

    assert [best_and_gain(0), best_and_gain(1)] == [(9, 2), (9, 2)]
    api.overlook_mono(seat)
    assert [best_and_gain(0), best_and_gain(1)] == [(5, 1), (9, 2)]
    # the next decision begins with it forgotten
    seat["overlooks_mono"] = 0
    assert [best_and_gain(0), best_and_gain(1)] == [(9, 2), (9, 2)]


def test_without_discards_the_deck_is_drawn_while_it_lasts():
    seats = arbosim.run(["balanced", "balanced:discards=off"], deals=100, seed=2, jobs=1).seats
    taken = (seats["taken_own"] + seats["taken_others"]).groupby(seats["strategy"], observed=True).max()
    # the last card of the deck may come first, and then the second must be a discard
    assert taken["balanced:discards=off"] <= 1 < taken["balanced"]


def test_all_numbers_of_the_zoo_are_tuned():
    numbers = {
        (name, parameter.name): parameter.tune
        for name, definition in registry.strategies("arboretum").items()
        for parameter in definition.parameters
        if parameter.kind != "switch" and not (parameter.budget or parameter.clock)
    }
    assert numbers
    assert all(numbers.values())
