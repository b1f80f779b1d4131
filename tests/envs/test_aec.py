"""The environments, by PettingZoo's own tests and by what arbosim knows of the same games."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import arbosim
from arbosim.core.errors import UserError
from arbosim.core.registry import game, resolve
from arbosim.envs import GameEnv, MaskedRandom, env, raw_env

# PettingZoo would like an array; it makes an exception for its own games with a mask, and knows no others
EXPECTED = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
]


def play(
    environment: Any, agents: list[Any]
) -> tuple[list[int], dict[str, float], dict[str, dict[str, Any]]]:
    """Play a game from where it stands: its actions, and the last rewards and infos."""
    actions, rewards, infos = [], {}, {}
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, info = environment.last()
        assert environment.observation_space(agent).contains(observation)
        assert not truncation
        if termination:
            rewards[agent], infos[agent] = reward, info
            environment.step(None)
        else:
            assert reward == 0
            assert info == {}
            actions.append(agents[environment.possible_agents.index(agent)](observation))
            environment.step(actions[-1])
    assert environment.agents == []
    return actions, rewards, infos


def cards(environment: GameEnv) -> tuple[Any, ...]:
    return environment.position.dealt


@pytest.mark.parametrize("settings", [{"players": 2}, {"players": 3, "reward": "margin"}, {"players": 4}])
def test_it_passes_the_tests_of_pettingzoo(settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        for message in EXPECTED:
            warnings.filterwarnings("ignore", message, UserWarning)
        api_test(env(**settings), num_cycles=400)
        api_test(raw_env(**settings), num_cycles=100)
    seed_test(lambda: env(**settings), num_cycles=200)


def test_it_passes_the_render_test_of_pettingzoo() -> None:
    def made(render_mode: str) -> Any:  # it asks for a window first, only to read which modes there are
        return env(render_mode=None if render_mode == "human" else render_mode)

    render_test(made)


@pytest.mark.parametrize(
    "rules", ["renegade2018", {"hand_size": 5, "draws": 3, "discard_memory": "top_only"}]
)
def test_it_plays_other_rules(rules: Any) -> None:
    environment = env(players=3, rules=rules, reward="margin")
    environment.reset(seed=2)
    _, rewards, infos = play(environment, [MaskedRandom(seat) for seat in range(3)])
    scores = [infos[agent]["score"] for agent in environment.possible_agents]
    margins = [1.5 * score - sum(scores) / 2 for score in scores]
    assert list(rewards.values()) == pytest.approx(margins)
    given = arbosim.game().rules(rules) if isinstance(rules, str) else arbosim.game().rules(None, rules)
    assert environment.unwrapped.rules == given
    assert raw_env(players=3, rules=given).encoding is environment.unwrapped.encoding


@pytest.mark.parametrize("players", [2, 3])
def test_the_same_actions_give_the_row_of_a_tournament(players: int) -> None:
    entrants = [resolve(name, "arboretum") for name in ("greedy", "random", "random")][:players]
    rows = game().play_chunk(game().rules(), players, entrants, 5, 0, 3).rows
    environment = raw_env(players=players)
    for deal in range(3):
        row = rows[deal * players]  # seats in the order of the line-up
        played = arbosim.play(entrants, seed=5, deal=deal)
        environment.reset(seed=5, options={"deal": deal})
        for action in played.position.actions:
            view = environment.position.view(environment.position.current)
            environment.step(environment.encoding.number(view, action))
        assert environment.terminations == dict.fromkeys(environment.possible_agents, True)
        for seat, agent in enumerate(environment.possible_agents):
            info = environment.infos[agent]
            assert info["score"] == row[f"score_{seat}"]
            assert info["turns"] == row["turns"]
            winners = int(row["winners"])
            assert info["win_share"] == (winners >> seat & 1) / winners.bit_count()
            assert environment.rewards[agent] == (players * info["win_share"] - 1) / (players - 1)
        assert sum(environment.rewards.values()) == pytest.approx(0)


def test_a_seed_decides_the_deals_and_the_next_ones() -> None:
    first, second = raw_env(), raw_env()
    first.reset(seed=7)
    assert (first.master_seed, first.deal) == (7, 0)
    tournament = arbosim.play(["random", "random"], seed=7, deal=2).position
    dealt = [cards(first)]
    for _ in range(2):
        first.reset()
        dealt.append(cards(first))
    assert first.deal == 2
    assert dealt[2] == tournament.dealt
    assert len({str(each) for each in dealt}) == 3
    second.reset(seed=7, options={"deal": 2, "noise": 1})
    assert cards(second) == dealt[2]
    second.reset(options={"deal": 1})
    assert cards(second) == dealt[1]
    second.reset(seed="autumn")
    assert cards(second) == arbosim.play(["random", "random"], seed="autumn").position.dealt


def test_without_a_seed_each_environment_has_deals_of_its_own() -> None:
    first, second = raw_env(), raw_env()
    first.reset()
    second.reset()
    assert cards(first) != cards(second)
    second.reset(seed=first.master_seed)  # which is told, so that every game can be played again
    assert cards(first) == cards(second)


def test_an_illegal_action_forfeits_the_game_as_in_a_tournament() -> None:
    for reward, lost in (("win", -0.5), ("margin", -100.0)):
        environment = env(players=3, reward=reward, render_mode="rgb_array")
        environment.reset(seed=1)
        mask = environment.observe("player_0")["action_mask"]
        environment.step(int(np.flatnonzero(mask == 0)[0]))
        _, rewards, infos = play(environment, [])
        assert rewards == {"player_0": lost, "player_1": -lost / 2, "player_2": -lost / 2}
        assert [infos[agent]["win_share"] for agent in environment.possible_agents] == [0, 0.5, 0.5]
        assert infos["player_1"]["forfeit"].startswith("player_0: ")
        assert infos["player_1"]["turns"] == 1
        assert "score" not in infos["player_0"]
        assert environment.render().shape == (720, 960, 3)


def test_a_copy_goes_on_from_where_the_game_stands() -> None:
    environment = env(render_mode="ansi")
    environment.reset(seed=3)
    agent = MaskedRandom(0)
    for _ in range(20):
        environment.step(agent(environment.last()[0]))
    copies = [copy.deepcopy(environment), pickle.loads(pickle.dumps(environment))]
    ends = [play(each, [MaskedRandom(1), MaskedRandom(2)]) for each in (environment, *copies)]
    assert ends[0] == ends[1] == ends[2]
    assert environment.render() == copies[0].render()


def test_masked_random_is_fair_and_repeats_by_its_seed() -> None:
    mask = {"action_mask": np.array([0, 1, 0, 1, 1, 0], np.int8)}
    chosen = [MaskedRandom(4)(mask) for _ in range(2)]
    assert chosen[0] == chosen[1]
    agent = MaskedRandom(4)
    counts = np.bincount([agent(mask) for _ in range(3000)], minlength=6)
    assert not counts[[0, 2, 5]].any()
    assert (abs(counts[[1, 3, 4]] - 1000) < 4 * np.sqrt(3000 * 2 / 9)).all()  # errs once in 5,000 seeds
    with pytest.raises(ValueError):
        agent({"action_mask": np.zeros(3, np.int8)})


def test_the_text_is_what_arbosim_shows_of_the_game() -> None:
    environment = raw_env(render_mode="ansi")
    environment.reset(seed=7)
    assert "deck" in environment.render()
    played = arbosim.play(["greedy", "random"], seed=7)
    for action in played.position.actions:
        assert not environment.position.finished
        view = environment.position.view(environment.position.current)
        environment.step(environment.encoding.number(view, action))
    told = str(played).replace("seat 0 greedy", "seat 0 player_0").replace("seat 1 random", "seat 1 player_1")
    told = told.replace("Seat 0 greedy", "Seat 0 player_0").replace("Seat 1 random", "Seat 1 player_1")
    assert environment.render().strip() in told


def test_the_text_tells_of_a_forfeit_in_a_notebook_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    environment = raw_env(render_mode="ansi")
    environment.reset(seed=7)
    environment.step(environment.encoding.actions - 1)
    assert "player_0 forfeits the game in turn 1" in environment.render()


@pytest.mark.parametrize("players", [2, 4])
def test_the_picture_shows_the_table(players: int) -> None:
    environment = env(players=players, render_mode="rgb_array")
    environment.reset(seed=1)
    agent = MaskedRandom(1)
    before = environment.render()
    assert (before.shape, before.dtype) == ((720, 960, 3), np.uint8)
    for _ in range(8):
        environment.step(agent(environment.last()[0]))
    after = environment.render()
    assert (environment.render() == after).all()
    changed = np.argwhere((before != after).any(axis=2))
    rows = 1 if players == 2 else 2
    middle = after[100 : 720 // rows - 150, 100:380]
    assert len(np.unique(middle.reshape(-1, 3), axis=0)) > 5  # a card lies in the arboretum of player_0
    assert len(changed) > 1000
    play(environment, [agent] * players)
    assert environment.render().shape == after.shape


def test_render_without_a_mode_says_so() -> None:
    environment = env()
    environment.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert environment.render() is None
    environment.close()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 5}, "2 to 4 players"),
        ({"players": "2"}, "2 to 4 players"),
        ({"render_mode": "rgb"}, "did you mean 'rgb_array'"),
        ({"reward": "score"}, "accepted: margin, win"),
        ({"game": "arborteum"}, "did you mean 'arboretum'"),
        ({"rules": "standart"}, "did you mean 'standard'"),
        ({"rules": {"hand_sise": 6}}, "did you mean 'hand_size'"),
        ({"rules": 6}, "rules are a preset, a mapping of fields or a rule set, not 6"),
        ({"rules": {"values": 2, "species": 2}}, "leaves no card in the deck"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        env(**settings)


def test_wrong_calls_are_refused_and_change_nothing() -> None:
    environment = raw_env()
    environment.reset(seed=7)
    before = cards(environment)
    for arguments, message in [
        ({"seed": -1}, "a seed is"),
        ({"options": {"deal": -1}}, "deals are numbered from 0, below 2\\*\\*63, not -1"),
        ({"options": {"deal": 2**63}}, "deals are numbered"),
        ({"options": {"deal": "3"}}, "not '3'"),
        ({"seed": 8, "options": {"deal": 1.5}}, "not 1.5"),
    ]:
        with pytest.raises(UserError, match=message):
            environment.reset(**arguments)
    for action, message in [(None, "not None"), (1.0, "not 1.0"), (10**6, "numbered 0 to"), (-1, "not -1")]:
        with pytest.raises(UserError, match=message):
            environment.step(action)
    assert cards(environment) == before
    assert (environment.master_seed, environment.deal) == (7, 0)
    assert not environment.position.actions
    wrapped = env()
    with pytest.raises(AttributeError, match="before reset"):
        wrapped.agents  # noqa: B018
    wrapped.reset(seed=7)
    with pytest.raises(AssertionError, match="not in action space"):
        wrapped.step(10**6)


def test_a_wrapper_for_single_agent_learners_works() -> None:
    """The kind of wrapper by which learners of Gymnasium with a mask, such as MaskablePPO, play both seats."""
    from gymnasium import Env
    from pettingzoo.utils import BaseWrapper

    class Masked(BaseWrapper, Env):
        def reset(self, seed=None, options=None):
            super().reset(seed=seed, options=options)
            agent = self.possible_agents[0]
            self.observation_space = super().observation_space(agent)["observation"]
            self.action_space = super().action_space(agent)
            return self.observe(self.agent_selection), {}

        def step(self, action):
            agent = self.agent_selection
            super().step(action)
            ended = self.terminations[agent], self.truncations[agent]
            return self.observe(self.agent_selection), self._cumulative_rewards[agent], *ended, {}

        def observe(self, agent):
            return super().observe(agent)["observation"]

        def action_mask(self):
            return super().observe(self.agent_selection)["action_mask"]

    environment = Masked(env())
    observation, _ = environment.reset(seed=1)
    environment.action_space.seed(1)
    ended = False
    while not ended:
        assert environment.observation_space.contains(observation)
        action = environment.action_space.sample(environment.action_mask())
        observation, reward, ended, _, _ = environment.step(action)
    assert reward in (-1, 0, 1)


def test_importing_arbosim_loads_nothing_of_it_and_says_what_is_missing() -> None:
    program = (
        "import sys, arbosim, arbosim.cli.main\n"
        "assert not {'pettingzoo', 'gymnasium'} & set(sys.modules)\n"
        "import importlib.util as util\n"
        "found = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'pettingzoo' else found(name, *rest)\n"
        "import arbosim.envs\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.strip().endswith(
        'ImportError: arbosim.envs needs the packages pettingzoo and gymnasium: pip install "arbosim[rl]"'
    )
