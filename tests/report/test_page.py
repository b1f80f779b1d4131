"""The report in a browser, as people use it."""

import json
import re

import pytest

from arbosim.cli.main import main
from tests.report.nasty import MESSAGE, NASTY

CARD = re.compile(r"[A-Z]\d+")


def cards(element):
    """Return the cards of a drawing by its description, sorted."""
    return sorted(CARD.findall(element.locator("desc").inner_html()))


def test_it_has_the_numbers_of_the_command_line(open_page, run, capsys):
    assert main(["standings", str(run), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    page = open_page()
    pairs = "cells => cells.map(cell => [cell.getAttribute('{}'), cell.getAttribute('data-value')])"
    rows = page.locator("#standings tbody tr").all()
    assert len(rows) == len(table["standings"]) == 4
    for row, expected in zip(rows, table["standings"], strict=True):
        found = dict(row.locator("[data-name]").evaluate_all(pairs.format("data-name")))
        assert expected.pop("random_moves") == 0, "a column that is shown only if there are any"
        written = {
            name: value if isinstance(value, str) else json.dumps(value) for name, value in expected.items()
        }
        assert found == written
    for name, line in table["matrix"].items():
        [row] = [
            row
            for row in page.locator("#matrix tbody tr").all()
            if row.get_attribute("data-strategy") == name
        ]
        found = dict(row.locator("[data-value]").evaluate_all(pairs.format("data-against")))
        assert {other: float(share) for other, share in found.items()} == line
    for name, value in (("digest", table["digest"]), ("seed", str(table["seed"]))):
        assert page.locator(f"#run [data-name={name}]").get_attribute("data-value") == value
    first = page.locator("#seats [data-name=first_seat]").first
    assert float(first.get_attribute("data-value")) == table["first_seat"]["share"]


def test_its_figures_are_written_as_in_the_terminal(open_page, run, capsys):
    assert main(["standings", str(run)]) == 0
    printed = capsys.readouterr().out
    page = open_page()
    for row in page.locator("#standings tbody tr").all():
        assert " ".join(row.inner_text().split()) in " ".join(printed.split())


def test_estimates_are_those_of_the_results(open_page, results):
    page = open_page()
    values = "cells => cells.map(cell => Number(cell.getAttribute('data-value')))"
    found = results.meta()
    for concept in ("alpha_rank", "nash", "lottery"):
        kept = [mass for mass in found.masses[concept] if mass.support or mass.mass >= 0.0001]
        mixture = page.locator(f"#meta [data-mixture={concept}]")
        assert mixture.locator("tbody th").all_inner_texts() == [mass.strategy for mass in kept]
        for column in ("mass", "mean", "low", "high", "support"):
            shown = mixture.locator(f"[data-name={column}]").evaluate_all(values)
            assert shown == [getattr(mass, column) for mass in kept]
        left = len(found.masses[concept]) - len(kept)
        assert (f"And {left} more without weight." in mixture.inner_text()) == (left > 0)
    pairs = results.pairs()
    for column in ("above", "low", "high", "difference", "p_holm"):
        shown = page.locator(f"#ratings [data-name={column}]").evaluate_all(values)
        assert shown == pairs[column].tolist()
    seats = page.locator("#seats tbody tr").evaluate_all(
        "rows => rows.map(row => Number(row.cells[1].getAttribute('data-value')))"
    )
    assert seats == [seat["value"] for seat in results.ratings().attrs["seats"]]


def test_luck_and_skill_have_a_place_and_their_sources_a_meaning(open_page, results):
    page = open_page()
    page.get_by_role("link", name="Luck and skill").click()
    section = page.locator("#luck")
    assert section.locator("dt").all_inner_texts() == ["strategy", "seat", "deal", "rest"]
    shown = section.locator("[data-name=share]").evaluate_all(
        "cells => cells.map(cell => Number(cell.getAttribute('data-value')))"
    )
    assert shown == results.variance().components["share"].tolist()


def test_drawings_name_every_strategy_and_share_no_id(open_page, run):
    page = open_page()
    ids = page.locator("[id]").evaluate_all("elements => elements.map(element => element.id)")
    assert len(ids) == len(set(ids))
    for name in ("ratings", "seats", "meta", "scores", "margins", "turns", "paths"):
        drawing = page.locator(f"#{name}-figure_1").first
        texts = drawing.locator("text").all_text_contents()
        assert {"random", "greedy", NASTY} <= set(texts), name


def test_names_and_messages_are_text(open_page):
    page = open_page()
    assert page.locator("#standings tbody th").all_inner_texts().count(NASTY) == 1
    assert MESSAGE in page.locator("#errors").inner_text()
    assert page.locator("main script, main img, main b").count() == 0


def test_a_game_is_stepped_through_by_button_key_and_slider(open_page, results):
    page = open_page()
    game = page.locator('[data-game="0-1-0"]')
    caption, slider = game.locator(".caption"), game.locator("input[type=range]")
    position = results.replay("0-1-0").position
    assert f"over after {position.turn} turns" in caption.inner_text()

    assert game.locator(".legend").is_visible()
    game.get_by_role("button", name="First").click()
    assert caption.inner_text() == "The cards are dealt."
    assert not game.locator(".legend").is_visible()
    assert game.get_by_role("button", name="Back").get_attribute("aria-disabled") == "true"
    boards = game.locator('svg[aria-label^="Arboretum"]')
    assert [cards(board) for board in boards.all()] == [[], []]
    hands = [sorted(map(str, hand)) for hand in position.dealt[1]]
    assert [cards(hand) for hand in game.locator('svg[aria-label^="Hand"]').all()] == hands

    page.keyboard.press("ArrowRight")
    assert caption.inner_text().startswith("Turn 1, seat 0 ")
    laid = next(action for action in position.actions if action[0] == "play")
    assert [cards(board) for board in boards.all()] == [[str(laid[1])], []]
    assert game.locator(".seat.acting h4").inner_text().startswith("Seat 0")

    game.get_by_role("button", name="Forward").click()
    assert caption.inner_text().startswith("Turn 2, seat 1 ")
    slider.fill(str(position.turn))
    assert caption.inner_text().startswith(f"Turn {position.turn}, ")
    page.keyboard.press("Home")
    assert caption.inner_text() == "The cards are dealt."
    page.keyboard.press("End")
    assert "The game is over" in caption.inner_text()
    finals = [sorted(map(str, board.values())) for board in position.arboretums]
    assert [sorted(set(cards(board))) for board in boards.all()] == finals
    hands = [sorted(map(str, hand)) for hand in position.hands]
    assert [cards(hand) for hand in game.locator('svg[aria-label^="Hand"]').all()] == hands
    for player in position.score().players:
        assert f"{player.total} point" in game.locator("tfoot").inner_text()


def test_every_game_steps_from_end_to_end(open_page):
    page = open_page()
    for game in page.locator("[data-game]").all():
        slider = game.locator("input[type=range]")
        slider.focus()
        for step in range(int(slider.get_attribute("max")), -1, -1):
            assert game.locator("output").inner_text() == f"step {step} of {slider.get_attribute('max')}"
            page.keyboard.press("ArrowLeft")
        assert game.locator(".caption").inner_text() == "The cards are dealt."


def test_a_keyboard_reaches_the_games_and_sees_where_it_is(open_page):
    page = open_page()
    page.locator("#games h2").evaluate("element => (element.tabIndex = -1, element.focus())")
    page.keyboard.press("Tab")
    at = page.locator(":focus")
    assert at.inner_text() == "First"
    assert at.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.locator(".caption").first.inner_text() == "The cards are dealt."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(open_page, scheme, contrasts):
    page = open_page(color_scheme=scheme)
    ratios = contrasts(page.locator("figure text"), "fill")
    assert len(ratios) > 50
    assert min(ratios) >= 4.5
    for kind in ("p", "td", "th", ".quiet", "dt", "a", "pre code", ".seat h4", "button[data-to=first]"):
        assert min(contrasts(page.locator(f"body {kind}"))) >= 4.5, kind  # WCAG 2.2, 1.4.3


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_never_scrolls_sideways(open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for number in range(page.locator("[data-game]").count()):
        page.locator("[data-game] input").nth(number).press("Home")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_on_a_phone_drawings_fit_and_names_stay_while_tables_scroll(open_page):
    page = open_page(viewport={"width": 390, "height": 800})
    for box in page.locator("figure .scroll.narrow").all():
        assert (
            box.evaluate("box => box.scrollWidth - box.clientWidth") <= 60
        )  # the names of this run are long
        assert box.is_visible()
    assert not page.locator("figure .wide").first.is_visible()
    box = page.locator("#standings .scroll")
    box.evaluate("box => box.scrollLeft = 300")
    name, edge = page.locator("#standings tbody th").first.bounding_box(), box.bounding_box()
    assert name["x"] == edge["x"]


def test_paper_shows_the_end_of_every_game(open_page):
    page = open_page()
    page.evaluate(
        """() => window.addEventListener("beforeprint", () => {
            window.printed = [...document.querySelectorAll("[data-game] .caption")].map(p => p.textContent);
        })"""
    )
    page.locator("button[data-to=first]").first.click()
    page.pdf()
    printed = page.evaluate("window.printed")
    assert len(printed) == page.locator("[data-game]").count() > 0
    assert all("The game is over" in text for text in printed)
    assert page.locator(".caption").first.inner_text() == "The cards are dealt."
    page.emulate_media(media="print")
    assert not page.locator(".controls").first.is_visible()
    page.set_viewport_size({"width": 680, "height": 1000})  # A4 with margins of 15 mm
    assert page.evaluate("document.documentElement.scrollWidth") == 680


def test_without_scripts_it_shows_the_end_of_every_game(open_page):
    page = open_page(java_script_enabled=False)
    game = page.locator("[data-game]").first
    assert "The game is over" in game.locator(".caption").inner_text()
    assert not game.locator(".controls").is_visible()
