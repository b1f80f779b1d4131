"""Drawings of cards and boards: well-formed, whole, and readable without colour."""

import re
from xml.etree import ElementTree

import pytest

from arbosim.games.arboretum.cards import LETTERS
from arbosim.games.arboretum.svg import INKS, PathLine, board_svg, cards_svg

SVG = "{http://www.w3.org/2000/svg}"
BOARD = [("J1", 0, 0), ("L5", 1, 0), ("J8", 1, 1), ("M10", -12, 0)]


def labels(text):
    root = ElementTree.fromstring(text)
    return [node.text for node in root.iter(f"{SVG}text") if re.fullmatch(r"[A-Z]\d+", node.text)]


def test_a_board_shows_each_card_once_and_says_where_it_lies():
    text = board_svg(BOARD)
    assert sorted(labels(text)) == sorted(card for card, _, _ in BOARD)
    assert "J8 on (1, 1)" in ElementTree.fromstring(text).find(f"{SVG}desc").text


def test_y_points_up_and_x_to_the_right():
    root = ElementTree.fromstring(board_svg([("J1", 0, 0), ("J2", 0, 1), ("J3", 1, 0)]))
    at = {node.text: (float(node.get("x")), float(node.get("y"))) for node in root.iter(f"{SVG}text")}
    assert at["J2"][1] < at["J1"][1] == at["J3"][1]
    assert at["J1"][0] == at["J2"][0] < at["J3"][0]


def test_a_path_that_scores_is_told_from_one_that_does_not_without_colour():
    cells = [(0, 0), (1, 0), (1, 1)]
    drawn = {scored: board_svg(BOARD, [PathLine("J", cells, scored, 5)]) for scored in (True, False)}
    assert "stroke-dasharray" in drawn[False]
    assert "stroke-dasharray" not in drawn[True]
    assert "jacaranda path J1 L5 J8, 5 points, scores" in drawn[True]
    assert "jacaranda path J1 L5 J8, 5 points, does not score" in drawn[False]


def test_paths_on_the_same_cells_are_drawn_beside_each_other():
    cells = [(0, 0), (1, 0), (1, 1)]
    text = board_svg(BOARD, [PathLine(letter, cells, True) for letter in "JLM"])
    lines = [node.get("points") for node in ElementTree.fromstring(text).iter(f"{SVG}polyline")]
    assert len(set(lines)) == 3


@pytest.mark.parametrize("draw", [board_svg, cards_svg])
def test_nothing_is_drawn_as_nothing_and_titles_are_escaped(draw):
    root = ElementTree.fromstring(draw([], title='<script> & "it"'))
    assert root.find(f"{SVG}title").text == '<script> & "it"'
    assert root.get("aria-label").startswith('<script> & "it": N')
    assert root.get("role") == "img"


def test_a_hand_shows_its_cards_in_order():
    assert labels(cards_svg(["J4", "C10", "B1"])) == ["J4", "C10", "B1"]


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Return the contrast ratio of WCAG 2.2."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("letter", LETTERS)
def test_ink_and_letters_stand_out_from_the_paper(letter):
    paper, ink = INKS[letter]
    assert contrast(paper, ink) >= 3  # graphics, WCAG 1.4.11
    assert contrast(paper, "#1a1a1a") >= 7  # text, WCAG 1.4.6
