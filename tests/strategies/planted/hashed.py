from arbosim.games.arboretum import api


class Hashed(api.Strategy):
    """Takes what comes first out of a set of texts."""

    def draw(self, view):
        return next(iter(view.sources))

    def play(self, view):
        return next(iter({str(card) for card in view.hand})), view.open_cells[0]

    def discard(self, view):
        return view.hand[0]
