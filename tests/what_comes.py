"""A strategy in plain Python that takes what comes: to derive from, and as the text of a file."""

from arbosim.games.arboretum import api


class WhatComes(api.Strategy):
    """Takes what comes."""

    def draw(self, view):
        return next(iter(view.sources))

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        return view.hand[-1]


def text(discard="return view.hand[-1]"):
    """Return the text of a strategy file whose discards are what is given."""
    return f'''"""A file with one strategy."""
from arbosim.games.arboretum import api


class Lazy(api.Strategy):
    """Takes what comes."""

    def draw(self, view):
        return next(iter(view.sources))

    def play(self, view):
        return view.hand[0], view.open_cells[0]

    def discard(self, view):
        {discard}
'''
