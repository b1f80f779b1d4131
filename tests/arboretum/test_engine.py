"""The engine: what a chunk of games holds, whatever its size, and what failing strategies do to it."""

import random
import signal
from pathlib import Path

import numpy as np
import pytest

from arbosim.core import registry
from arbosim.core.measures import Measures
from arbosim.core.strategy import from_class
from arbosim.games.arboretum import GAME, api
from arbosim.games.arboretum.buffers import Buffers
from arbosim.games.arboretum.cards import LETTERS
from arbosim.games.arboretum.engine import play_chunk
from arbosim.games.arboretum.rows import most_actions
from arbosim.games.arboretum.rules import make_rules
from arbosim.match.replay import GameId, Kept, differences, play_kept

STANDARD = make_rules()
GOLDEN = Path(__file__).parent.parent / "golden" / "engine_rows.txt"


def zoo(*names):
    return [registry.resolve(name, "arboretum") for name in names]


class Plain(api.Strategy):
    """Draws from the deck, plays where it gains most, discards its lowest card."""

    def draw(self, view):
        return "deck" if view.deck_count else next(iter(view.sources))

    def play(self, view):
        return max((view.gain(card, cell), card, cell) for card in view.hand for cell in view.open_cells)[1:]

    def discard(self, view):
        return min(view.hand, key=lambda card: card.value)


class Coin(Plain):
    """Raises in games in which its own random stream says so."""

    def play(self, view):
        if view.turn > 5 and self.rng.random() < 0.05:
            raise ValueError("tails")
        return super().play(view)


class Steady(Coin):
    """Makes the same draws from its stream and never raises."""

    def play(self, view):
        self.rng.random()
        return Plain.play(self, view)


class Thief(Plain):
    """Discards a card that it does not hold."""

    def discard(self, view):
        return view.unseen[0]


class Outsider(Plain):
    """Plays far away."""

    def play(self, view):
        return view.hand[0], (99, 99)


class Quitter(Plain):
    """Asks the interpreter to exit."""

    def draw(self, view):
        raise SystemExit(3)


@api.strategy(name="writer")
def writer(table, seat):
    """Writes to the table."""
    table["pile_count"][api.DECK] += 1
    return api.draw(api.DECK)


@api.strategy(name="raiser")
def raiser(table, seat):
    """Raises in its first decision."""
    if api.hand_count(seat) > 0:
        raise ValueError("no idea")
    return api.draw(api.DECK)


@api.strategy(name="stubborn")
def stubborn(table, seat):
    """Always wants a card from the deck."""
    return api.draw(api.DECK)


def plain(cls):
    return from_class(cls).entrant()


def play(entrants, first=0, deals=5, rules=STANDARD, **options):
    return play_chunk(rules, len(entrants), entrants, 7, first, deals, **options)


@pytest.mark.parametrize("names", [("greedy", "random"), ("greedy", "hoarder", "random")])
def test_rows_do_not_depend_on_how_deals_are_cut_into_chunks(names):
    whole = play(zoo(*names), deals=20).rows
    parts = [play(zoo(*names), first, n).rows for first, n in ((0, 1), (1, 7), (8, 12))]
    assert (np.concatenate(parts) == whole).all()
    assert whole["deal"].tolist() == [d for d in range(20) for _ in names]
    assert whole["rotation"].tolist() == [*range(len(names))] * 20


@pytest.mark.jitoff
def test_golden_rows_with_and_without_the_jit():
    lines = []
    for names in (("greedy", "random"), ("random",) * 3, ("greedy", "greedy", "random", "random")):
        rows = play(zoo(*names), deals=1).rows
        lines += [f"{'+'.join(names)}: {' '.join(str(int(value)) for value in row)}" for row in rows.tolist()]
    assert lines == GOLDEN.read_text().splitlines()


def test_the_same_deal_serves_every_rule_set_and_common_cards_keep_their_order():
    def deck(players, seed=3, deal=5, **changes):
        buffers = Buffers(make_rules(None, changes), players)
        buffers.deal(seed, deal)
        return [card for card in buffers.deck.tolist() if card]

    whole = deck(4)
    assert len(whole) == 80
    for players in (2, 3):
        smaller = deck(players)
        assert smaller == [card for card in whole if card in smaller]
    assert deck(2, hand_size=5, draws=3, equal_turns=True) == deck(2)
    wider = deck(4, species=12, values=10)
    assert sorted(wider) == [16 * s + v for s in range(12) for v in range(1, 11)]
    assert [card for card in wider if card in whole] == whole
    assert deck(4, deal=6) != whole != deck(4, seed=4)


@pytest.mark.parametrize("others", ["JLMOVW", LETTERS[-6:]])
def test_the_same_games_under_other_names_of_species(others):
    for names in (("balanced", "random"), ("counter", "two_species"), ("greedy", "monochrome")):
        assert (
            play(zoo(*names), rules=make_rules(None, {"species": others})).rows == play(zoo(*names)).rows
        ).all()


@pytest.mark.parametrize(("players", "changes"), [(2, {}), (4, {}), (2, {"species": 12, "values": 10})])
def test_every_card_is_equally_likely_at_every_place(players, changes):
    buffers = Buffers(make_rules(None, changes), players)
    cards = {code: i for i, code in enumerate(buffers.rules.card_codes(players))}
    size, deals = len(cards), 4000
    counts = np.zeros((size, size))
    for deal in range(deals):
        buffers.deal(11, deal)
        for place, code in enumerate(buffers.deck[:size].tolist()):
            counts[place, cards[code]] += 1
    expected = deals / size
    chi_squared = ((counts - expected) ** 2).sum() / expected
    freedom = (size - 1) ** 2
    # the seed is fixed; a right shuffle fails with probability below 1e-6 when it is changed
    assert abs(chi_squared - freedom) < 5 * (2 * freedom) ** 0.5


def test_mean_scores_are_those_of_the_yardstick():
    # 20,000 games; the yardstick's means (random 5.29 and 5.07, greedy 7.69 and 6.81) are known to about 0.01, scores
    # have standard deviations of 4.4 and 5.2: 5 standard errors of a seat's mean are 0.16 and 0.19
    for name, means, allowed in (("random", (5.29, 5.07), 0.16), ("greedy", (7.69, 6.81), 0.19)):
        rows = play(zoo(name, name), deals=10_000).rows
        for seat, mean in enumerate(means):
            assert rows[f"score_{seat}"].mean() == pytest.approx(mean, abs=allowed)


def test_a_plain_strategy_and_a_compiled_one_sit_at_one_table():
    chunk = play([*zoo("greedy"), plain(Plain)], deals=10)
    assert not chunk.errors
    assert (chunk.rows["turns"] == 17).all()
    again = play([*zoo("greedy"), plain(Plain)], first=4, deals=3)
    assert (again.rows == chunk.rows[8:14]).all()


@pytest.mark.parametrize(
    ("entrant", "kind", "words"),
    [
        (plain(Thief), "illegal", "does not hold"),
        (plain(Outsider), "illegal", "cell (99, 99) is not where an arboretum begins"),
        (plain(Quitter), "raised", "SystemExit: 3"),
        (raiser.entrant(), "raised", "ValueError: no idea"),
        (writer.entrant(), "wrote", "changed the table"),
        (stubborn.entrant(), "illegal", "is asked for a play, not for a draw"),
    ],
)
def test_a_failing_strategy_forfeits_its_game_and_no_more(entrant, kind, words):
    chunk = play([*zoo("greedy"), entrant], deals=3)
    assert len(chunk.errors) == 6
    for row, error in zip(chunk.rows, chunk.errors, strict=True):
        seat = (1 + int(row["rotation"])) % 2
        assert error.strategy == entrant.spec
        assert (error.deal, error.rotation, error.seat) == (row["deal"], row["rotation"], seat)
        assert error.turn == row["turns"]
        assert error.kind == kind
        assert words in error.message
        assert row["error"] == seat + 1
        assert row["winners"] == 1 << (1 - seat)
        assert row["score_0"] == row["score_1"] == -1


def test_four_players_share_the_win_of_a_forfeited_game():
    chunk = play([*zoo("greedy", "random", "random"), raiser.entrant()], deals=1)
    assert chunk.rows["winners"].tolist() == [0b0111, 0b1110, 0b1101, 0b1011]


def test_games_without_a_failure_are_untouched_by_those_with_one():
    failing = play([*zoo("greedy"), plain(Coin)], deals=30).rows
    steady = play([*zoo("greedy"), plain(Steady)], deals=30).rows
    fine = failing["error"] == 0
    assert 5 < fine.sum() < 55
    assert (failing[fine] == steady[fine]).all()


def test_the_table_is_only_compared_where_it_is_asked_for():
    kinds = {error.kind for error in play([*zoo("greedy"), writer.entrant()], first=8, deals=2).errors}
    assert "wrote" not in kinds
    strict = play([*zoo("greedy"), writer.entrant()], first=8, deals=2, strict=True).errors
    assert {error.kind for error in strict} == {"wrote"}


def test_a_stop_leaves_whole_deals():
    stop = np.ones(1, np.int64)
    chunk = play(zoo("greedy", "random"), deals=5, stop=stop)
    assert chunk.deals_done == len(chunk.rows) == 0


def test_discard_memory_hides_buried_cards_from_the_table():
    rules = make_rules(None, {"discard_memory": "top_only"})
    open_rows = play(zoo("random", "random"), deals=3).rows
    assert (play(zoo("random", "random"), deals=3, rules=rules).rows == open_rows).all()


def test_numba_errors_become_plain_words():
    from arbosim.core.errors import UserError
    from arbosim.games.arboretum.deciders import compiled

    @api.strategy(name="wordy")
    def wordy(table, seat):
        """Returns text."""
        return "deck"

    @api.strategy(name="mute")
    def mute(table, seat):
        """Has nothing to say."""
        raise ValueError("never")

    @api.strategy(name="misspelt")
    def misspelt(table, seat):
        """Calls what is not there."""
        return api.draw(api.hand_crad(seat, 0))

    with pytest.raises(UserError, match=r"strategy 'misspelt' .* did you mean 'hand_card'"):
        compiled(misspelt)
    with pytest.raises(
        UserError, match=r"strategy 'wordy' cannot be compiled: .* \(test_engine.py, line \d+\)"
    ):
        compiled(wordy)
    with pytest.raises(UserError, match="strategy 'mute' cannot be compiled: it never returns an action"):
        compiled(mute)


@pytest.mark.parametrize(
    ("decide", "reason"),
    [
        (lambda table, seat: api.draw("deck"), """int64 does not take ('deck'), in `"""),
        (lambda table, seat: max("deck", 1), """max does not take ('deck', 1), in `"""),
        (lambda table, seat: abs(table), """abs does not take (table), in `"""),
        (
            lambda table, seat: api.hand_card(seat),
            "Cannot bind 'args=(seat,) kws={}' to signature '(seat, i)'",
        ),
    ],
)
def test_a_call_that_cannot_be_is_told_with_what_it_was_given(decide, reason):
    from arbosim.core.errors import UserError
    from arbosim.games.arboretum.deciders import compiled

    with pytest.raises(UserError) as caught:
        compiled(api.strategy(name="odd")(decide))
    message = str(caught.value)
    assert message.startswith(f"strategy 'odd' cannot be compiled: {reason}")
    assert "lambda table, seat" in message or "signature" in message
    assert "(test_engine.py, line " in message
    assert len(message) < 300


def test_the_game_names_its_columns():
    assert GAME.row_dtype(3).names[:5] == ("deal", "rotation", "turns", "winners", "error")


class Spy(Plain):
    """Looks for more than it was given through the arrays behind the view."""

    def draw(self, view):
        for record in (view._table, view._seat):
            base = record
            while getattr(base, "base", None) is not None:
                base = base.base
            if isinstance(base, np.ndarray) and len(base) > 1:
                raise ValueError("found the records of others")
        view._table["turn"] += 1
        view._seat["hand"][:] = 0
        return super().draw(view)


class UnspeakableError(Exception):
    """An exception that cannot be printed."""

    def __str__(self):
        raise RuntimeError("no")


class Mumbler(Plain):
    """Raises what cannot be printed."""

    def draw(self, view):
        raise UnspeakableError


class Interrupter(Plain):
    """Raises what Ctrl-C raises."""

    def draw(self, view):
        raise KeyboardInterrupt


@api.strategy(name="forgetful", parameters=(api.Parameter("keep", 5, 0, 9, "a number that it overwrites"),))
def forgetful(table, seat):
    """Overwrites its own parameter."""
    seat["params"][0] -= 1
    if seat["params"][0] < 0 or api.phase(seat) != api.DRAW:
        return -1
    return api.draw(api.DECK)


def test_a_view_leads_to_nothing_but_copies():
    spying, honest = play([*zoo("greedy"), plain(Spy)]), play([*zoo("greedy"), plain(Plain)])
    assert not spying.errors
    assert (spying.rows == honest.rows).all()


def test_an_exception_that_cannot_be_shown_is_a_mistake_like_any_other():
    error = play([*zoo("greedy"), plain(Mumbler)], deals=1).errors[0]
    assert error.kind == "raised"
    assert error.message.startswith("UnspeakableError: its message cannot be shown (test_engine.py, line ")


def test_an_interrupt_is_the_users_only_if_nobody_handles_signals():
    with pytest.raises(KeyboardInterrupt):
        play([*zoo("greedy"), plain(Interrupter)], deals=1)
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        errors = play([*zoo("greedy"), plain(Interrupter)], deals=1).errors
    finally:
        signal.signal(signal.SIGINT, before)
    assert all(error.message.startswith("KeyboardInterrupt (test_engine.py, line ") for error in errors)
    assert len(errors) == 2


def test_every_game_starts_with_the_parameters_anew():
    line_up = [forgetful.entrant(), *zoo("greedy")]
    errors = play(line_up, deals=6).errors
    assert len(errors) == 12
    assert len({(error.rotation, error.turn) for error in errors}) == 2


@api.helper
def best_play(table, seat, prepared):
    """Return the play that gains most, with the tables of the own arboretum computed first or left to be asked for."""
    me = api.me(seat)
    if prepared:
        api.tables(table, seat, me)
    most = -1
    action = 0
    for j in range(api.open_count(table, me)):
        cell = api.open_cell(table, me, j)
        if prepared:
            api.aim(table, seat, me, cell)
        for i in range(api.hand_count(seat)):
            card = api.hand_card(seat, i)
            gain = (
                api.aimed_gain(table, seat, me, card) if prepared else api.gain(table, seat, me, card, cell)
            )
            if gain > most:
                most = gain
                action = api.play(card, cell)
    return action


@api.helper
def deck_first_card(table, seat, prepared):
    """Draw the first source, play what gains most, discard the first card."""
    phase = api.phase(seat)
    if phase == api.DRAW:
        return api.draw(api.source(table, 0))
    if phase == api.DISCARD:
        return api.discard(api.hand_card(seat, 0))
    return best_play(table, seat, prepared)


@api.strategy(name="hasty")
def hasty(table, seat):
    """Asks what a card gains without computing tables first, and keeps the most."""
    return deck_first_card(table, seat, False)


@api.strategy(name="careful")
def careful(table, seat):
    """The same with tables computed first."""
    return deck_first_card(table, seat, True)


@api.strategy(name="blind")
def blind(table, seat):
    """Asks for the best path without computing tables first."""
    return api.best(seat, 0)


def test_gains_need_no_preparation_and_best_says_that_it_does():
    line_ups = [[one.entrant(), *zoo("random")] for one in (hasty, careful)]
    found = [play(line_up, deals=5).rows for line_up in line_ups]
    assert (found[0] == found[1]).all()
    assert found[0]["points_0"].mean() > 10
    error = play([blind.entrant(), *zoo("random")], deals=1).errors[0]
    assert (error.kind, error.message) == ("raised", "ValueError: call api.tables before api.best")


def kept_games(chunk, line_up, rules, seed=7):
    """Play every game of a chunk by its actions; yield the result, with that of the row."""
    players = len(line_up)
    for row, actions in zip(chunk.rows, chunk.actions, strict=True):
        deal, rotation = int(row["deal"]), int(row["rotation"])
        error = next((e for e in chunk.errors if (e.deal, e.rotation) == (deal, rotation)), None)
        kept = Kept(tuple(entrant.spec for entrant in line_up), actions, error)
        played = play_kept(GAME, rules, kept, seed, GameId(0, deal, rotation))
        assert played.error == error
        assert differences(played, {name: row[name] for name in row.dtype.names}) == []
        assert len(actions) <= most_actions(rules, players)
        yield played


@pytest.mark.jitoff
def test_actions_lead_to_the_rows_with_and_without_the_jit():
    line_up = zoo("greedy", "random")
    chunk = play(line_up, deals=1, measures=Measures(actions=True))
    assert len(list(kept_games(chunk, line_up, STANDARD))) == 2
    assert play(line_up, deals=1).actions is None


def test_actions_are_kept_under_all_rules():
    rng = random.Random(4)
    for players in (2, 3, 4) * 6:
        rules = GAME.random_rules(players, rng)
        line_up = zoo(*["random"] * (players - 1), "staircase")
        chunk = play(line_up, deals=1, rules=rules, measures=Measures(actions=True))
        assert (chunk.rows == play(line_up, deals=1, rules=rules).rows).all()
        assert len(list(kept_games(chunk, line_up, rules))) == players


def test_a_forfeited_game_keeps_the_actions_before_the_mistake():
    raiser_, coin = raiser.entrant(), plain(Coin)
    chunk = play([raiser_, *zoo("random")], deals=2, measures=Measures(actions=True))
    assert [len(actions) for actions in chunk.actions[::2]] == [0, 0]  # it began, and raised at once
    assert len(chunk.errors) == 4
    list(kept_games(chunk, [raiser_, *zoo("random")], STANDARD))
    chunk = play([coin, *zoo("random")], deals=20, measures=Measures(actions=True))
    assert 0 < len(chunk.errors) < 40
    assert len(list(kept_games(chunk, [coin, *zoo("random")], STANDARD))) == 40


def test_a_stopped_chunk_has_the_actions_of_its_games():
    stop = np.ones(1, np.int64)
    chunk = play(zoo("greedy", "random"), measures=Measures(actions=True), stop=stop)
    assert (len(chunk.rows), chunk.actions) == (0, [])
