"""Everything in points: what I expect to score minus what the others do."""

from arbosim.games.arboretum import api
from arbosim_strategies import _judgement as judge


@api.strategy(
    name="balanced",
    parameters=(
        api.Parameter(
            "rivals", 1.2, 0.0, 3.0, "weight of a rival's expected points against my own", tune=True
        ),
        api.Parameter(
            "hope", 16.0, 0.0, 40.0, "points that a path may still grow by at the start", tune=True
        ),
        api.Parameter(
            "steps", 5.0, 0.0, 20.0, "points for a step of a rising path at the start of the game", tune=True
        ),
        api.Parameter(
            "deck", 3.0, -1.0, 20.0, "points that an unknown card of the deck is expected to bring", tune=True
        ),
        api.Parameter(
            "kindness", 0.6, 0.0, 3.0, "weight of what a discard brings the next player", tune=True
        ),
        api.Parameter(
            "top", 1.0, 0.0, 2.0, "how much of its value the highest card counts in my hand", tune=True
        ),
        api.Parameter("discards", True, meaning="draws from discard piles", ability=True),
        api.Parameter("counts", True, meaning="remembers buried discards and cards taken up", ability=True),
        api.Parameter("denies", True, meaning="weighs what its hand and discards do to rivals", ability=True),
        api.Parameter("eights", True, meaning="holds the highest card for the right", ability=True),
        api.Parameter("mono", True, meaning="sees the bonus for its paths of one species", ability=True),
    ),
    source="expected score, as card players reckon it",
    weakness="Looks no move ahead, and takes the rivals' hands for blind luck.",
    status="verified",
)
def decide(table, seat):
    """Expected score: the chance of every right times the points of its path, mine minus the strongest rival's.

    A card stays in hand for what it adds to my rights and takes from the others', and goes to the arboretum when
    the path points and the steps of a long rising path that it brings are worth more.
    """
    discards, counts, denies = api.flag(seat, 6), api.flag(seat, 7), api.flag(seat, 8)
    eights, mono = api.flag(seat, 9), api.flag(seat, 10)
    if mono == 0:
        api.overlook_mono(seat)
    if judge.draws_deck(table, seat, discards):
        return api.draw(api.DECK)
    book = judge.open_book(table, seat, counts)
    book[judge.HIGHEST] *= eights * api.param(seat, 5)
    judge.assess(table, seat, book, api.param(seat, 1), denies * api.param(seat, 0))
    steps = api.param(seat, 2) * book[judge.TIME]
    return judge.choose(table, seat, book, steps, api.param(seat, 3), denies * api.param(seat, 4))
