"""A strategy in plain Python whose play depends on the clock."""

import time

from arbosim.games.arboretum import api


class Waiter(api.Strategy):
    """Take the first of everything, or the last where the microseconds of the clock are odd."""

    parameters = (
        api.Parameter("ms", 0.001, 0, 1000, "milliseconds for a decision", clock=True),
        api.Parameter("slips", 0, 0, 1000, "one decision in so many raises; 0: none does"),
    )

    def draw(self, view):
        return self.one_of(list(view.sources))

    def play(self, view):
        return self.one_of(view.hand), self.one_of(view.open_cells)

    def discard(self, view):
        return self.one_of(view.hand)

    def one_of(self, choices):
        ticks = int(time.perf_counter() * 1_000_000) if self.params.ms else 0
        if self.params.slips and ticks % self.params.slips == 0:
            raise RuntimeError("slipped")
        return choices[-(ticks & 1)]
