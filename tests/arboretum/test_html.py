"""Positions and games as a notebook shows them."""

import random
import re
from xml.etree import ElementTree

import pytest

import arbosim
from arbosim import Position
from arbosim.games.arboretum.cards import Card
from arbosim.games.arboretum.html import position_html

TEXT = "{http://www.w3.org/2000/svg}text"


def played_position(players, seed):
    position = Position.deal(players, seed=seed)
    chance = random.Random(seed)
    while not position.finished:
        position.play(chance.choice(position.legal_actions))
    return position


def cards_in(html):
    texts = [node.text for node in ElementTree.fromstring(html).iter(TEXT)]
    return sorted(text for text in texts if re.fullmatch(r"[A-Z]\d+", text))


def words_in(html):
    return " ".join("".join(ElementTree.fromstring(html).itertext()).split())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_card_in_sight_is_drawn_once(players):
    position = played_position(players, seed=players)
    seen = [*position.hands, *position.discards, *(board.values() for board in position.arboretums)]
    assert cards_in(position._repr_html_()) == sorted(str(card) for cards in seen for card in cards)


def test_the_score_is_explained_in_the_words_of_the_terminal():
    board = {(0, 0): Card("J", 1), (1, 0): Card("L", 5), (1, 1): Card("J", 8)}
    position = Position.lay_out([board, {(0, 0): Card("L", 2)}], [["J3"], ["L7"]])
    html = position._repr_html_()
    assert "Seat 0 wins with 6 points." in words_in(html)
    assert "seat 0 has the right: hand sums 3 to 0" in words_in(html)
    assert "jacaranda path J1 L5 J8, 6 points, scores" in html


def test_a_path_without_the_right_does_not_score():
    board = {(0, 0): Card("J", 1), (1, 0): Card("J", 8)}
    position = Position.lay_out([board, {(0, 0): Card("L", 2)}], [[], ["J7"]])
    assert "jacaranda path J1 J8, 5 points, does not score" in position._repr_html_()


def test_a_game_under_way_says_whose_turn_it_is():
    position = Position.deal(seed=7)
    assert "Turn 1: seat 0 is to draw" in words_in(position._repr_html_())


def test_a_forfeited_game_has_no_score():
    position = Position.deal(seed=7)
    position.forfeit("it <said> nothing & left")
    assert "no score" in words_in(position._repr_html_())
    assert "it <said> nothing & left" in words_in(position._repr_html_())


def test_names_of_any_kind_are_shown_as_they_are():
    name = 'my, "odd" $dir/<b>&\'\n' + "x" * 200
    html = position_html(Position.deal(seed=7), [name, "ünï-код-策略"])
    assert " ".join(name.split()) in words_in(html)
    assert "ünï-код-策略" in words_in(html)


def test_a_played_game_shows_its_seats_by_name():
    played = arbosim.play(["greedy", "random"], seed=3)
    assert "Seat 0 greedy" in words_in(played._repr_html_())
    assert cards_in(played._repr_html_()) == cards_in(played.position._repr_html_())
