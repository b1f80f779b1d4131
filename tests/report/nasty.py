"""A strategy with a name, a description and a message that no page likes."""

NASTY = "<script>alert(1)</script>.py"
MESSAGE = "<img src=x onerror=alert(2)></script><script>alert(3)</script> & more"
SOURCE = f'''
from arbosim.games.arboretum import api


class Cheeky(api.Strategy):
    """<b>Plays</b> what comes & gives up now and then."""

    parameters = (api.Parameter("keep", 2, 1, 7, "<i>cards</i>"),)

    def draw(self, view):
        return "deck" if view.deck_count else next(iter(view.sources))

    def play(self, view):
        if view.deck_count == 12 and view.hand[0].value > 5:
            raise ValueError("{MESSAGE}")
        return view.hand[-1], view.open_cells[0]

    def discard(self, view):
        return view.hand[0]
'''
