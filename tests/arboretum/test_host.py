"""A person at the table: what is shown, what may be typed, and what nobody is shown."""

import io
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.core.game import NotUnderstoodError
from arbosim.games.arboretum.host import Host
from arbosim.games.arboretum.position import Position
from arbosim.games.arboretum.typed import labels, read_action

GAME = registry.game()
ADVISER = Path(__file__).parents[1] / "match" / "planted" / "adviser.py"
NAMES = ["human", "greedy", "hoarder:keep=2"]


@pytest.fixture(scope="module")
def adviser():
    return registry.resolve(str(ADVISER), GAME.name)


def shown(host):
    return host._console.file.getvalue()


def host_for(seat=0, names=NAMES[:2]):
    return Host(Console(file=io.StringIO(), width=100, highlight=False, markup=False), names, seat)


def start(actions=()):
    """Two players: seat 0 holds C1 to C3 and J4, and may take J3 from the pile of seat 1."""
    rules = GAME.rules(None, {"hand_size": 4, "species": 4, "values": 4})
    cards = [f"{species}{value}" for species in "CDJL" for value in range(1, 5)]
    hands = [["C1", "C2", "C3", "J4"], ["L1", "L2", "L3", "D4"]]
    held = {card for hand in hands for card in hand} | {"J3"}
    position = Position.start([card for card in cards if card not in held], hands, [[], ["J3"]], rules)
    for action in actions:
        position.play(action)
    return position


DRAWN = [("draw", "deck"), ("draw", 1)]  # C4 and J3
LAID = [*DRAWN, ("play", "C2", 0, 0)]
ROUND = [
    *LAID,
    ("discard", "C1"),
    ("draw", "deck"),
    ("draw", "deck"),
    ("play", "L1", 0, 0),
    ("discard", "L2"),
]
SECOND = [*ROUND, ("draw", "deck"), ("draw", 0)]


@pytest.mark.parametrize(
    ("done", "typed", "action"),
    [
        ([], "deck", ("draw", "deck")),
        ([], " D ", ("draw", "deck")),
        ([], "draw from the deck", ("draw", "deck")),
        ([], "draw a card from the deck", ("draw", "deck")),
        ([], "pile 1", ("draw", 1)),
        ([], "p1", ("draw", 1)),
        ([], "s 1", ("draw", 1)),
        ([], "1's pile", ("draw", 1)),
        ([], "seat 1", ("draw", 1)),
        ([], "greedy", ("draw", 1)),
        ([], "Greedy's pile", ("draw", 1)),
        ([], "j3", ("draw", 1)),
        ([], "take J3", ("draw", 1)),
        ([], "2", ("draw", 1)),  # of the list
        (ROUND, "mine", ("draw", 0)),
        (ROUND, "take from my pile", ("draw", 0)),
        (ROUND, "c1", ("draw", 0)),
        (DRAWN, "c2", ("play", "C2", 0, 0)),
        (DRAWN, "lay C2 on a", ("play", "C2", 0, 0)),
        (DRAWN, "C2 0,0", ("play", "C2", 0, 0)),
        (SECOND, "c1 1,0", ("play", "C1", 1, 0)),
        (SECOND, "C1 at 1 0", ("play", "C1", 1, 0)),
        (SECOND, "play c 1 on (1, 0)", ("play", "C1", 1, 0)),
        (SECOND, "cassia 1 (-1, 0).", ("play", "C1", -1, 0)),
        (SECOND, "C1 a", ("play", "C1", 0, 1)),
        (SECOND, "C1 at d", ("play", "C1", 0, -1)),
        (SECOND, "C1 c (1, 0)", ("play", "C1", 1, 0)),  # as open cells are listed
        (LAID, "c1", ("discard", "C1")),
        (LAID, "discard the jac 4", ("discard", "J4")),
    ],
)
def test_what_is_understood(done, typed, action):
    position = start(done)
    host = host_for()
    host.ask(position)
    found = host.read(position, typed)
    assert [str(part) for part in found] == [str(part) for part in action]
    position.play(found)  # it is legal


@pytest.mark.parametrize(
    ("done", "typed", "reason"),
    [
        ([], "dekc", "did you mean 'deck'?"),
        ([], "mine", "your discard pile is empty; type deck or pile 1"),
        ([], "p7", "there is no seat 7, seats are 0 to 1"),
        ([], "C4", "C4 lies on no discard pile"),
        ([], "9", "there is no number 9 in the list; it has 1 to 2"),
        ([], "play C2", "you are to draw a card now, not to lay a card"),
        (DRAWN, "deck", "begins with no card; type a card of your hand, such as C1"),
        (DRAWN, "C2 3 3", "the first card needs no cell"),
        (DRAWN, "1", "no list was printed here"),
        (SECOND, "draw deck", "you are to lay a card now, not to draw a card"),
        (SECOND, "J1 a", "you do not hold J1; did you mean J3?"),
        (SECOND, "X1 a", "'x' in 'X1 a' is no species"),
        (SECOND, "C1", "where is C1 to lie? Open cells: a (0, 1), b (-1, 0), c (1, 0), d (0, -1)"),
        (SECOND, "C1 5 0", "(5, 0) is not next to a card; the nearest open cell is c (1, 0)"),
        (SECOND, "C1 0 0", "C2 lies on (0, 0); the nearest open cell is a (0, 1)"),
        (SECOND, "C1 q", "'q' in 'C1 q' is no open cell"),
        (SECOND, "C1 a c", "'C1 a c' names more than one cell; open cells: a (0, 1), b (-1, 0)"),
        (SECOND, "C1 a b", "names more than one cell"),
        (SECOND, "C1 a b c d", "names more than one cell"),
        (SECOND, "C1 a 1 0", "names more than one cell"),
        (SECOND, "C1 1 0 0 1", "names more than one cell"),
        (SECOND, "C1 a q", "'a q' in 'C1 a q' is no open cell"),
        (SECOND, "C1 1 0 0", "is no open cell"),
        (DRAWN, "C2 a b", "the first card needs no cell"),
        (LAID, "C1 a", "says more than a card to discard"),
        (LAID, "C2", "you do not hold C2; did you mean C1?"),
        (LAID, "9" * 5000, "begins with no card"),
    ],
)
def test_what_is_refused_says_what_would_be_accepted(done, typed, reason):
    position = start(done)
    host = host_for()
    host.ask(position)
    with pytest.raises(UserError) as told:
        host.read(position, typed)
    assert reason in str(told.value)
    assert len(str(told.value)) < 500


PARTS = st.sampled_from(
    ["draw", "deck", "C1", "c", "1", "-1", "0,0", "at", "a", "mine", "p1", "table", "piles", "(", "'s"]
)
TEXTS = st.text(max_size=40) | st.lists(PARTS, max_size=5).map(" ".join)


@given(st.sampled_from([[], DRAWN, LAID, ROUND, SECOND]), TEXTS)
@settings(max_examples=300, deadline=None)
def test_whatever_is_typed_is_legal_or_refused_and_changes_nothing(done, text):
    position = start(done)
    host = host_for()
    host.ask(position)
    before = (position._buffers.tables.tobytes(), position._buffers.hiddens.tobytes(), position.actions[:])
    try:
        action = host.read(position, text)
    except UserError:
        action = None
    assert action is None or action in position.legal_actions
    assert before == (
        position._buffers.tables.tobytes(),
        position._buffers.hiddens.tobytes(),
        position.actions,
    )


def test_labels_tell_cells_apart_and_are_read():
    cells = [(i, 0) for i in range(130)]
    named = labels(cells)
    assert len(set(named.values())) == 130
    assert list(named.values())[24:28] == ["y", "z", "aa", "bb"]
    position = start(SECOND)
    for cell, label in labels(position.open_cells).items():
        assert read_action(position, NAMES[:2], [], f"C1 {label}")[2:] == cell


def test_a_number_is_that_of_the_list_printed_last(adviser):
    position = start(SECOND)
    host = host_for()
    host.ask(position)
    options = [(action, 1.0 if action[1].value == 3 else 0.0) for action in position.legal_actions]
    host.advise(position, "adviser", options)
    assert host.read(position, "1")[:2] == ("play", options[-1][0][1]._replace(species="C", value=3))
    lines = [line for line in shown(host).splitlines() if line.startswith("  1  ")]
    assert lines == ["  1  C3 a b c d    +1.0"]


def test_alike_cells_of_a_hint_may_be_typed_as_they_are_listed():
    position = start(SECOND)
    host = host_for()
    host.ask(position)
    options = [
        (action, float(str(action[1]) == "C3" and action[2] == 0)) for action in position.legal_actions
    ]
    host.advise(position, "adviser", options)
    assert re.search(r"^  1  C3 a d +\+1\.0$", shown(host), re.MULTILINE)
    assert [*map(str, host.read(position, "C3 a d"))] == ["play", "C3", "0", "1"]
    for text in ("C3 a c", "C1 a d"):  # not alike; of another card
        with pytest.raises(UserError, match="names more than one cell"):
            host.read(position, text)
    host.ask(position)  # the list is over
    with pytest.raises(UserError, match="names more than one cell"):
        host.read(position, "C3 a d")


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=2))
@settings(max_examples=100, deadline=None)
def test_differences_of_hints_are_those_of_the_shown_numbers(values):
    position = start()
    host = host_for()
    host.advise(position, "adviser", list(zip(position.legal_actions, values, strict=True)))
    numbers = [
        [float(n) for n in re.findall(r" ([+-]\d+\.\d)", line)] for line in shown(host).splitlines()[1:]
    ]
    best, behind = numbers[0][0], numbers[1:]
    assert all(difference == pytest.approx(value - best) for value, difference in behind)


@pytest.mark.parametrize(
    ("done", "typed", "known"),
    [
        ([], "mine", True),
        ([], "p7", True),
        ([], "C4", True),
        ([], "hnt", False),
        (DRAWN, "hnt", False),
        (DRAWN, "L4", True),
    ],
)
def test_words_that_mean_something_are_told_from_those_that_do_not(done, typed, known):
    position = start(done)
    host = host_for()
    host.ask(position)
    with pytest.raises(UserError) as told:
        host.read(position, typed)
    assert isinstance(told.value, NotUnderstoodError) != known


def test_the_board_shows_where_a_card_may_lie():
    host = host_for()
    host.ask(start(SECOND))
    assert "    1    .   a   .\n    0    b  C2   c\n   -1    .   d   .\n" in shown(host)


def test_cards_stand_out_from_what_is_dim():
    screen = Console(
        file=io.StringIO(), force_terminal=True, color_system="standard", highlight=False, markup=False
    )
    Host(screen, NAMES[:2], 0).ask(start(SECOND))
    row = next(line for line in screen.file.getvalue().splitlines() if "b" in line and "C2" in line)
    card = row[: row.index("C2")].rpartition("\x1b[")[2]
    assert not card.startswith("2")  # 2 is dim


def test_the_person_sees_own_cards_and_not_those_that_others_draw():
    host, position = host_for(), start()
    for action in SECOND:
        seat = position.current
        position.play(action)
        host.acted(position, seat, position.actions[-1])
    assert "You: draws C4 from the deck" in shown(host)
    assert "You: takes J3 from the pile of seat 1" in shown(host)
    assert "seat 1 greedy: draws a card from the deck, draws a card from the deck, plays L1" in shown(host)


def transcript(probe, order, actions, adviser, seat):
    """All that a person is shown of a game, everything asked for."""
    probe.deal_again(order)
    position = probe.position
    position.actions.clear()
    host = host_for(seat, NAMES[: position.players])
    host.begin(position)

    def look():
        host.ask(position)
        for word in ("table", "piles"):
            host.read(position, word)
        host.help(position)
        host.advise(position, "adviser", probe.appraise(adviser))
        for text in ("X9", "C1", "C1 90 90", "5", "deck"):
            try:
                host.read(position, text)
            except UserError as error:
                host._print(str(error))

    for action in actions:
        if position.current == seat:
            look()
        who = position.current
        position.play(action)
        host.acted(position, who, position.actions[-1])
    look()
    return shown(host), position.hands


@pytest.mark.parametrize(("players", "memory"), [(2, "all"), (3, "all"), (2, "top_only")])
def test_no_hidden_card_is_ever_shown(players, memory, adviser):
    """The transcripts over two deals that differ in nothing but hidden cards are the same."""
    rules = GAME.rules(None, {"discard_memory": memory})
    entrants = [registry.resolve(name, GAME.name) for name in ("random", *NAMES[1:players])]
    rng = random.Random(7)
    compared = 0
    probe = GAME.probe(rules, entrants, range(players), 11, 4)
    order = probe.order
    decision = 0
    while not probe.position.finished:
        if probe.position.current == 0 and (decision := decision + 1) % 6 == 0:
            actions = list(probe.position.actions)
            others = [GAME.probe(rules, entrants, range(players), 11, 4) for _ in range(2)]
            other_order = probe.hide_differently(rng)
            first, hands = transcript(others[0], order, actions, adviser, 0)
            second, other_hands = transcript(others[1], other_order, actions, adviser, 0)
            assert first == second
            assert hands[0] == other_hands[0]
            compared += hands[1:] != other_hands[1:]  # else there was nothing to tell apart
        probe.carry_out(probe.ask())
    assert compared >= 3
