"""Games step by step, as a page shows them."""

import re
from xml.etree import ElementTree

import pytest

import arbosim
from arbosim import Position
from arbosim.core.registry import game

CARD = re.compile(r"[A-Z]\d+")


def story(position, names):
    return game().walkthrough(position, names)


def cards(html):
    texts = [
        node.text or "" for node in ElementTree.fromstring(html).iter("{http://www.w3.org/2000/svg}text")
    ]
    return [text for text in texts if CARD.fullmatch(text)]


def lying(step):
    """Return all cards on a step's tables, in hands and in piles, sorted."""
    return sorted(card for parts in step.seats for _, html in parts for card in cards(html))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_turn_is_a_step_that_shows_every_card(players):
    position = arbosim.play(["random", "greedy", "random", "greedy"][:players], seed=players).position
    told = story(position, [""] * players)
    assert len(told.steps) == position.turn + 2  # the start, the turns, the end
    table = Position.start(*position.dealt)
    actions = iter(position.actions)
    for number, step in enumerate(told.steps[:-1]):
        while table.turn < number:
            table.play(next(actions))
        seen = [*table.hands, *table.discards, *(board.values() for board in table.arboretums)]
        assert lying(step) == sorted(str(card) for group in seen for card in group)
        assert f"<p>{table.deck_count} card" in step.table[0][1]
        if number:
            assert step.caption.startswith(f"Turn {number}, seat {step.seat}")
    assert lying(told.steps[-1]) == lying(told.steps[-2])


def test_the_captions_are_those_of_the_terminal():
    played = arbosim.play(["greedy", "random"], seed=7, deal=3)
    printed = " ".join(str(played).split())
    for step in story(played.position, ["greedy", "random"]).steps[1:-1]:
        assert step.caption.rstrip(".") in printed
    told = story(played.position, ["greedy", "random"])
    assert told.result in printed


def test_a_forfeited_game_ends_with_the_mistake():
    position = Position.deal(seed=7)
    for _ in range(2):
        position.play(("draw", position.sources[0]))
    position.forfeit("it <said> nothing")
    told = story(position, ["<b>", "other"])
    assert told.steps[-1].caption.startswith("Turn 1, seat 0 <b>: draws ")
    assert "forfeits" in told.steps[-1].caption
    assert "it <said> nothing" in told.result
    assert "it &lt;said&gt; nothing" in told.score


def test_a_table_that_was_laid_out_has_no_turns():
    with pytest.raises(ValueError, match="no turns"):
        story(Position.lay_out([{}, {}], [[], []]), ["", ""])
