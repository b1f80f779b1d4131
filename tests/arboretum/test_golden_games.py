"""Whole games as readable text.

After a change that is meant to alter them, ``python -m tests.arboretum.test_golden_games`` writes them anew,
and the difference shows what it did.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from arbosim.core.registry import game
from arbosim.match.single import play

FOLDER = Path(__file__).parent.parent / "golden"
GAMES: dict[str, tuple[list[str], int, int, dict[str, object]]] = {
    "two_players": (["greedy", "random"], 7, 3, {}),
    "three_players": (["random", "greedy", "random"], 1, 0, {}),
    "four_players_2018": (["greedy", "random", "greedy", "random"], 2, 5, {"start_discard": "none"}),
    "long_values": (
        ["greedy", "greedy"],
        3,
        1,
        {"species": "ABJO", "values": 10, "hand_size": 4, "draws": 3, "equal_turns": True, "min_path": 3},
    ),
    "one_draw_most_cards": (
        ["greedy", "random"],
        4,
        2,
        {
            "draws": 1,
            "right": "most_cards",
            "tied_right": "nobody",
            "extra_card": "first",
            "start_discard": "all",
        },
    ),
}


def text_of(name: str) -> str:
    """Tell a golden game as `arbosim play` does."""
    strategies, seed, deal, changes = GAMES[name]
    arboretum = game("arboretum")
    output = io.StringIO()
    narrator = arboretum.narrator(Console(file=output, width=80, highlight=False), strategies)
    rules = arboretum.rules(None, changes)
    play(strategies, seed=seed, deal=deal, rules=rules, narrator=narrator)
    return output.getvalue()


@pytest.mark.jitoff
@pytest.mark.parametrize("name", sorted(GAMES))
def test_golden_game(name: str) -> None:
    assert text_of(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(text_of(name), encoding="utf-8")
