"""Games of a run to step through: which ones, their tables as HTML, and their steps for the script of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from arbosim.core.errors import UserError
from arbosim.report.markup import Markup, element, joined

if TYPE_CHECKING:
    from arbosim.core.game import Step, Walkthrough
    from arbosim.results import Results

TITLES = {
    "closest": "Closest",
    "highest": "Highest score",
    "swing": "Largest swing",
    "typical": "Typical",
    "asked": "Asked for",
}
BUTTONS = (("first", "First"), ("back", "Back"), ("forward", "Forward"), ("last", "Last"))


@dataclass
class Shown:
    """A game to show: why, by `TITLES` and in words."""

    game: str
    reasons: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Replays:
    """The section about games, and what the script needs of each of them."""

    section: Markup
    data: dict[str, Any]


def replays(results: Results, asked: Sequence[str] = ()) -> Replays:
    """Play the chosen games again, and those that were asked for.

    A game whose strategies are not to be had any more is told instead of shown.
    """
    articles, data = [], {}
    for shown in choose(results, asked):
        try:
            story = results.walkthrough(shown.game)
        except UserError as error:
            articles.append(_missing(shown, error))
            continue
        articles.append(_article(shown, story, results.names(shown.game)))
        data[shown.game] = _steps(story)
    note = (
        "Games are named line-up, deal and rotation, and played again, move for move. All hands are "
        "open here; the strategies saw their own alone. Closest: the smallest lead, a tie-break first. Largest swing: "
        "one deal in the two seatings between which a strategy's lead differs most. Typical: nearest to the medians of "
        "the winner's points, its lead and the turns. Arrow keys, Home and End step through the game in focus."
    )
    parts = [element("p", note, class_="quiet"), *articles]
    return Replays(joined(parts if articles else [element("p", "There is no game to show.")]), data)


def choose(results: Results, asked: Sequence[str]) -> list[Shown]:
    """Return the games to show, each once, with all its reasons."""
    found: dict[str, Shown] = {}
    for highlight in results.highlights():
        shown = found.setdefault(highlight.game, Shown(highlight.game))
        shown.reasons.append((highlight.kind, highlight.reason))
    for game in asked:
        found.setdefault(game, Shown(game, [("asked", "")]))
    return list(found.values())


def _heading(shown: Shown) -> Markup:
    kinds = dict.fromkeys(TITLES[kind] for kind, _ in shown.reasons)
    return element("h3", f"{', '.join(kinds)}: game {shown.game}")


def _reasons(shown: Shown) -> Markup:
    told = "; ".join(reason for _, reason in shown.reasons if reason)
    return element("p", f"{told[0].upper()}{told[1:]}.") if told else Markup()


def _missing(shown: Shown, error: UserError) -> Markup:
    told = element("p", f"It cannot be shown: {error}.")
    return element("article", _heading(shown), _reasons(shown), told, class_="game")


def _article(shown: Shown, story: Walkthrough, names: Sequence[str]) -> Markup:
    last = len(story.steps) - 1
    slider = f'<input type="range" min="0" max="{last}" step="1" value="{last}" aria-label="Step of game {shown.game}">'
    buttons = [element("button", label, type="button", data_to=to) for to, label in BUTTONS]
    controls = element("div", *buttons, Markup(slider), element("output"), class_="controls", hidden=True)
    caption = element("p", story.steps[-1].caption, class_="caption", aria_live="polite")
    viewer = element(
        "div",
        controls,
        caption,
        _table(story.steps[-1], names),
        class_="viewer",
        role="group",
        aria_label=f"Game {shown.game}, step by step",
    )
    score = element(
        "div",
        Markup(story.score),
        class_="scroll explained",
        tabindex=0,
        role="group",
        aria_label="How it ended",
    )
    return element(
        "article",
        _heading(shown),
        _reasons(shown),
        viewer,
        element("h4", "How it ended"),
        score,
        class_="game",
        data_game=shown.game,
    )


def _table(step: Step, names: Sequence[str]) -> Markup:
    seats = [
        element("section", element("h4", f"Seat {seat}: {names[seat]}"), *_parts(parts), class_="seat")
        for seat, parts in enumerate(step.seats)
    ]
    return joined(
        [element("div", *_parts(step.table), class_="common"), element("div", *seats, class_="seats")]
    )


def _parts(parts: Sequence[tuple[str, str]]) -> list[Markup]:
    return [
        element(
            "div",
            element("p", name, class_="quiet"),
            element("div", Markup(html), data_slot=True),
            class_="part",
        )
        for name, html in parts
    ]


def _steps(story: Walkthrough) -> dict[str, Any]:
    """Return the steps for the script: each fragment once, and per step the numbers of its fragments."""
    numbers: dict[str, int] = {}

    def number(html: str) -> int:
        return numbers.setdefault(html, len(numbers))

    steps = [
        {
            "caption": step.caption,
            "seat": step.seat,
            "slots": [number(html) for parts in (step.table, *step.seats) for _, html in parts],
        }
        for step in story.steps
    ]
    return {"fragments": list(numbers), "steps": steps}
