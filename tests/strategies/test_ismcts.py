"""The tree search of experiments/ismcts plays by the rules, and its tree counts what could have been chosen."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import arbosim

FILE = Path(__file__).parents[2] / "experiments" / "ismcts" / "ismcts.py"


@pytest.fixture(scope="module")
def search():
    spec = importlib.util.spec_from_file_location("ismcts", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tree_of(search, plans):
    """Return a tree whose root may be followed by plans, given as prior, tries, total and when last possible."""
    tree, size = np.empty(16, search.ENTRY), np.ones(1, np.int64)
    search.clear(tree, 0, 0, -1, 0.0)
    tree[0]["listed"] = 1
    for first, (prior, tries, total, now) in enumerate(plans):
        k = search.child(tree, size, 0, first, -1, prior)
        tree[k]["tries"], tree[k]["total"], tree[k]["now"], tree[k]["could"] = tries, total, now, tries
        tree[0]["tries"] += tries
        tree[0]["total"] += total
    return tree, size


def test_it_plays_by_the_rules(tmp_path):
    ones = [f"{FILE}:rollouts=4", f"{FILE}:rollouts=4:rivals=on", "expert"]
    results = arbosim.run(ones, deals=1, jobs=1, output=tmp_path / "run")
    assert results.manifest.games == 6
    assert results.errors == []


def test_an_entry_is_made_once_and_none_in_a_full_tree(search):
    tree, size = tree_of(search, [(0.0, 0, 0.0, 0)] * 15)
    assert size[0] == tree.size
    assert search.child(tree, size, 0, 7, -1, 0.0) == 8
    assert search.child(tree, size, 0, 99, -1, 0.0) == search.OUTSIDE


def test_a_rival_chooses_among_what_his_hand_allows_now_and_for_himself(search):
    # of two plans as good by their prior, the second has brought me less; the third cannot be chosen now
    tree, _ = tree_of(search, [(0.0, 50, 40.0, 9), (0.0, 50, 10.0, 9), (5.0, 0, 0.0, 8)])
    assert tree[search.select(tree, 0, True, 0.1, 1.0, 9)]["first"] == 2  # I can choose all of mine
    assert tree[search.select(tree, 0, False, 0.1, 1.0, 9)]["first"] == 1


def test_what_is_tried_most_is_played(search):
    tree, _ = tree_of(search, [(3.0, 10, 9.0, 0), (0.0, 30, 9.0, 0), (1.0, 30, 2.0, 0)])
    assert search.most_tried(tree) == (1, -1)
