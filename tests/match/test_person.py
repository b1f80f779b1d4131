"""Games of a person against strategies: kept, resumed at any point, advised, and looked back on."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbosim.core import registry
from arbosim.core.errors import UserError
from arbosim.games.arboretum import api
from arbosim.match import single
from arbosim.match.person import PersonGame
from arbosim.match.replay import replay_record
from arbosim.match.review import Decision, Turn, review

PLANTED = Path(__file__).parent / "planted" / "adviser.py"
PLANNER = PLANTED.with_name("planner.py")
GAME = registry.game()
RULES = GAME.rules(None, {"species": 6})  # for short games


class Moody(api.Strategy):
    """Decide by chance and by what was decided before."""

    def __init__(self):
        self.turns = 0

    def draw(self, view):
        self.turns += 1
        sources = list(view.sources)
        return sources[(self.turns + self.rng.randrange(2)) % len(sources)]

    def play(self, view):
        return self.rng.choice(view.hand), self.rng.choice(view.open_cells)

    def discard(self, view):
        return view.hand[self.turns % len(view.hand)]


class Cheat(api.Strategy):
    """Lay what it does not hold."""

    def draw(self, view):
        return "deck"

    def play(self, view):
        return next(card for card in view.unseen), view.open_cells[0]

    def discard(self, view):
        return view.hand[0]


class Silent(api.Strategy):
    """Draw, and lay nothing."""

    def draw(self, view):
        return "deck"

    def play(self, view):
        return None

    def discard(self, view):
        return view.hand[0]


ODD = (None, True, -1, 5, 1.5, 10**30, "", "x", "a\0b", ":", "py=os:path", [], [[]], [{}], {}, {"a": []})
"""What a key of a file may hold."""


@pytest.fixture
def adviser():
    return registry.resolve(str(PLANTED), GAME.name)


def new_game(path, strategies=("greedy", "random"), seat=1, seed=5):
    game = PersonGame.begin(GAME, RULES, list(strategies), seat, seed, 2, path)
    game.start()
    return game


def choice(position):
    """Return what this person does here: any option, but always the same one."""
    options = position.legal_actions
    return options[(7 * len(position.actions) + 3) % len(options)]


def finish(game, after=lambda: None):
    """Play to the end; what comes after each action may save the game."""
    while not game.position.finished:
        if game.is_persons_turn:
            game.decide(choice(game.position))
        else:
            game.advance()
        after()
    return game


def finish_saving(game):
    """Play to the end and return the text of the file after each action."""
    texts = []

    def save():
        game.save()
        texts.append(game.path.read_text())

    finish(game, save)
    return texts


def resumed(path):
    game = PersonGame.resume(path)
    game.start()
    return game


@pytest.fixture(scope="module")
def moments(tmp_path_factory):
    """The file of one game after every action."""
    path = tmp_path_factory.mktemp("games") / "game.json"
    return finish_saving(new_game(path))


def test_a_game_resumed_at_any_point_ends_the_same(moments, tmp_path):
    path = tmp_path / "game.json"
    for text in moments:
        path.write_text(text)
        game = resumed(path)
        assert game.catch_up(lambda *_: None) == ""  # every strategy decides as it did
        finish(game)
        assert game.record() == json.loads(moments[-1])


def test_strategies_in_plain_python_go_on_as_they_would_have(tmp_path):
    path = tmp_path / "game.json"
    module = tmp_path / "moody_player.py"
    source = Path(__file__).read_text()
    body = source[source.index("class Moody") : source.index("class Cheat")]
    module.write_text(f"from arbosim.games.arboretum import api\n\n\n{body}")
    texts = finish_saving(new_game(path, [str(module)], seat=0))
    for text in texts[10::25]:
        path.write_text(text)
        game = resumed(path)
        assert game.catch_up(lambda *_: None) == ""
        assert finish(game).record() == json.loads(texts[-1])


def test_the_record_is_one_that_anybody_can_check(moments):
    record = json.loads(moments[-1])
    position = replay_record(GAME, record)
    assert position.finished
    assert record["strategies"] == ["greedy", "human", "random"]
    for text in moments[::9]:
        replay_record(GAME, json.loads(text))


def test_the_others_play_as_in_any_game(tmp_path):
    """A person who does what a strategy would do plays the game that the strategy plays."""
    expected = single.play(["greedy", "hoarder"], seed=5, deal=2, rules=RULES)
    game = new_game(tmp_path / "game.json", ["greedy"])
    while not game.position.finished:
        if game.is_persons_turn:
            game.decide(expected.position.actions[len(game.position.actions)])
        else:
            game.advance()
    assert game.position.actions == expected.position.actions


def test_asking_changes_nothing(moments, tmp_path, adviser):
    game = new_game(tmp_path / "game.json")
    while not game.position.finished:
        if game.is_persons_turn:
            first = game.appraise(adviser)
            assert [action for action, _ in first] == game.position.legal_actions
            assert game.appraise(adviser) == first
            game.decide(choice(game.position))
        else:
            game.advance()
    assert game.record() == json.loads(moments[-1])


def test_what_was_done_since_the_persons_last_decision_is_told(moments, tmp_path):
    path = tmp_path / "game.json"
    texts = {len(json.loads(text)["actions"]): text for text in moments}
    path.write_text(texts[24])  # two turns of three: seat 0 is to begin its third
    game, told = resumed(path), []
    game.catch_up(lambda seat, action: told.append((seat, action)))
    assert game.position.current == 0
    assert told == [(2, action) for action in game.position.actions[-4:]]


def test_a_strategy_that_has_changed_is_told_once_and_changes_nothing(moments, tmp_path):
    record = json.loads(moments[40])
    record["strategies"][0] = "hoarder"
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record))
    game = resumed(path)
    assert "hoarder decides otherwise now than it did" in game.catch_up(lambda *_: None)
    assert game.record()["actions"] == record["actions"]


def test_a_mistake_of_a_strategy_is_kept(tmp_path):
    path = tmp_path / "game.json"
    game = new_game(path, [Cheat], seat=0)
    finish_saving(game)
    kept = json.loads(path.read_text())
    assert kept["forfeit"]["seat"] == 1
    assert "hold" in kept["forfeit"]["reason"] or "hand" in kept["forfeit"]["reason"]
    assert replay_record(GAME, kept).forfeited is not None


@pytest.mark.parametrize("others", [[Silent], ["greedy", Silent]])
def test_a_game_that_is_forfeited_before_the_person_decides_has_an_empty_review(tmp_path, adviser, others):
    path = tmp_path / "game.json"
    game = new_game(path, others, seat=len(others))
    finish_saving(game)
    assert review(game, adviser).turns == ()
    assert json.loads(path.read_text())["forfeit"]["seat"] == len(others) - 1


def thinking(path):
    """Return a strategy in plain Python that thinks by the clock and counts how often it is asked."""
    path.write_text(
        """import time
from arbosim.games.arboretum import api


class Thinking(api.Strategy):
    parameters = [api.Parameter("ms", 1, 0, 1000, clock=True)]
    asked = 0

    def some(self, options):
        Thinking.asked += 1
        return list(options)[time.perf_counter_ns() // 100 % len(options)]

    def draw(self, view):
        return self.some(view.sources)

    def play(self, view):
        return self.some(view.hand), self.some(view.open_cells)

    def discard(self, view):
        return self.some(view.hand)
"""
    )
    return registry.resolve(str(path), GAME.name).strategy.entry


def test_who_thinks_by_the_clock_is_not_asked_again_for_what_is_recorded(tmp_path):
    kind = thinking(tmp_path / "thinking.py")
    path = tmp_path / "game.json"
    texts = finish_saving(new_game(path, [str(tmp_path / "thinking.py"), "random"]))
    assert kind.asked > 0
    for text in texts[::20]:
        path.write_text(text)
        game = resumed(path)
        kind.asked = 0
        assert game.catch_up(lambda *_: None) == ""
        assert kind.asked == 0
        assert game.record() == json.loads(text)
        assert finish(game).position.forfeited is None


def test_who_thinks_by_the_clock_goes_on_from_any_point_of_its_plan(tmp_path):
    path = tmp_path / "game.json"
    texts = finish_saving(new_game(path, [f"{PLANNER}:ms=0.05"], seat=0))
    for text in texts[:60]:
        path.write_text(text)
        game = resumed(path)
        assert game.catch_up(lambda *_: None) == ""
        for _ in range(8):
            if game.is_persons_turn:
                game.decide(choice(game.position))
            else:
                assert game.advance() is not None


@pytest.mark.parametrize(
    ("count", "act"),
    [
        (7, lambda done, planned: ["play", planned[1], *done[2:]]),  # the card of the planned discard is laid
        (6, lambda done, planned: ["draw", 0]),  # the second draw is from the pile, not the planned one
    ],
)
def test_a_plan_for_something_else_than_what_is_recorded_is_forgotten(tmp_path, count, act):
    path = tmp_path / "game.json"
    by_count = {
        len(json.loads(text)["actions"]): json.loads(text)
        for text in finish_saving(new_game(path, [str(PLANNER)], seat=0))
    }
    record = by_count[count]
    record["actions"][-1] = act(record["actions"][-1], by_count[count + 1]["actions"][-1])
    path.write_text(json.dumps(record))
    game = resumed(path)
    assert "decides otherwise now" in game.catch_up(lambda *_: None)
    assert game.advance() is not None


@pytest.mark.parametrize(
    "key", ["game", "players", "rules", "seed", "deal", "strategies", "deck", "hands", "discards", "actions"]
)
def test_whatever_a_key_holds_is_read_or_refused_with_the_name_of_the_file(moments, tmp_path, key):
    record = json.loads(moments[10])
    path = tmp_path / "game.json"
    values = [*ODD, *([odd, *record[key][1:]] for odd in ODD if isinstance(record[key], list))]
    refused = 0
    for value in values:
        path.write_text(json.dumps(record | {key: value}))
        try:
            resumed(path).catch_up(lambda *_: None)
        except UserError as error:
            assert str(error).startswith(f"{path}: ")
            refused += 1
    assert refused >= len(values) - 2


@pytest.mark.parametrize("key", ["seat", "turn", "reason"])
def test_whatever_a_forfeit_holds_is_read_or_refused_with_the_name_of_the_file(moments, tmp_path, key):
    record = json.loads(moments[10])
    path = tmp_path / "game.json"
    forfeits = [
        {"seat": 0, "reason": "", key: odd} for odd in ODD if not (key == "reason" and isinstance(odd, str))
    ]
    for forfeit in [*forfeits, *ODD]:
        path.write_text(json.dumps(record | {"forfeit": forfeit}))
        with pytest.raises(UserError) as told:
            resumed(path).catch_up(lambda *_: None)
        assert str(told.value).startswith(f"{path}: ")


def test_a_review_finds_what_choices_cost(tmp_path, adviser):
    game = finish(new_game(tmp_path / "game.json"))
    found = review(game, adviser)
    decisions = [decision for turn in found.turns for decision in turn.decisions]
    table = game.seated()
    mine = []
    for action in game.position.actions:
        if table.position.current == game.seat:
            mine.append((dict(table.appraise(adviser)), action))
        table.position.play(action)
    assert [decision.chosen for decision in decisions] == [action for _, action in mine]
    for decision, (values, action) in zip(decisions, mine, strict=True):
        assert decision.cost == max(values.values()) - values[action] >= 0
        assert values[decision.best] == max(values.values())
    scores = [player.total for player in game.position.score().players]
    assert found.margin == scores[1] - max(scores[0], scores[2])
    worst = found.worst(3)
    assert [turn.cost for turn in worst] == sorted((turn.cost for turn in found.turns), reverse=True)[:3]
    # choices and fortune together lead from the first expectation to the result
    moved = sum(turn.fortune(12) - turn.cost for turn in found.turns)
    assert found.turns[0].expected + moved == pytest.approx(found.margin)
    assert found.turns[0].expected + found.fortune(12) - found.cost == pytest.approx(found.margin)


POINTS = st.floats(-50, 50)


@given(POINTS, st.floats(0, 20), st.floats(0, 20), POINTS)
def test_a_review_adds_up_as_it_is_shown(expected, first, second, after):
    costs = (first, second)
    decisions = tuple(Decision(1, (), (), expected - cost, expected) for cost in costs)
    turn = Turn(decisions, after)
    shown = round(turn.expected, 1) - round(turn.cost, 1) + round(turn.fortune(1), 1)
    assert shown == pytest.approx(round(after, 1), abs=1e-9)
    assert Turn(decisions, None).fortune(1) is None


def test_who_follows_the_adviser_is_told_of_no_mistake(tmp_path, adviser):
    game = new_game(tmp_path / "game.json")
    while not game.position.finished:
        if game.is_persons_turn:
            game.decide(max(game.appraise(adviser), key=lambda option: option[1])[0])
        else:
            game.advance()
    found = review(game, adviser)
    assert found.cost == 0
    assert found.worst(3) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"strategies": ["greedy", "greedy", "random"]}, "no game of a person"),
        ({"strategies": ["human", "human", "random"]}, "no game of a person"),
        ({"seed": 6}, "not those of its seed and deal"),
        ({"deal": 0}, "not those of its seed and deal"),
        ({"strategies": ["gredy", "human", "random"]}, "did you mean 'greedy'"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"actions": "none"}, "give a list"),
    ],
)
def test_files_that_cannot_be_resumed(moments, tmp_path, change, reason):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(json.loads(moments[10]) | change))
    with pytest.raises(UserError, match=reason):
        resumed(path).catch_up(lambda *_: None)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "7", '{"players": 2}\n{"players": 2}'])
def test_files_that_are_no_game(tmp_path, text):
    path = tmp_path / "game.jsonl"
    path.write_text(text)
    with pytest.raises(UserError):
        resumed(path)


def test_nothing_is_overwritten(tmp_path):
    path = tmp_path / "game.json"
    path.write_text("mine")
    with pytest.raises(UserError, match="is there already; --resume goes on"):
        new_game(path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("strategies", "seat", "reason"),
    [
        ([], 0, "1 to 3 strategies against a person, not 0"),
        (["greedy"] * 4, 0, "not 4"),
        (["greedy"], 2, "--seat"),
    ],
)
def test_games_that_cannot_be(tmp_path, strategies, seat, reason):
    with pytest.raises(UserError, match=reason):
        new_game(tmp_path / "game.json", strategies, seat)
    assert not list(tmp_path.iterdir())
