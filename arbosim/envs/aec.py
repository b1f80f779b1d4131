"""Any game as an agent-environment cycle of PettingZoo: one agent a seat, one decision a step."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from io import StringIO
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pydantic import BaseModel

from arbosim.core import registry
from arbosim.core.errors import UserError, unknown
from arbosim.core.game import Game, Rules, Table
from arbosim.core.seeds import LIMIT, master_seed
from arbosim.envs.picture import pixels
from arbosim.envs.rewards import REWARDS, shares
from arbosim.tournament.kinds import changes_of, preset_of

RENDER_MODES = ("ansi", "rgb_array")
DEALS = 2**63
"""Deals are numbered below this."""


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo does not show its types
    """A game between agents "player_0" to "player_3", who sit on seats 0 to 3; player_0 starts.

    Observations are dictionaries: "observation", int8[size], is what the seat sees, and "action_mask",
    int8[actions], has 1 for every legal action, and none for agents whose turn it is not. An agent decides several
    times in a turn. An illegal action forfeits the game, as in a tournament: the others share the win.

    Parameters
    ----------
    players : int
    rules : str, mapping or rules model
        A preset, or fields (one of them may be ``preset``), or a rule set of the game.
    render_mode : {"ansi", "rgb_array"}, optional
        What `render` returns: the text of the game so far, or a picture of the table, uint8[720, 960, 3]. Both show
        all cards.
    reward : {"win", "margin"}
        What the agents get at the end: 1 for a win alone, -1 divided by the number of the others for a loss, and
        something between for a shared win; or the points ahead of the mean of the others, with -100 for a forfeit.
        Either adds up to 0.
    game : str, optional
        The name of the game; Arboretum by default.

    Attributes
    ----------
    encoding : Encoding
        How views become observations, and actions numbers.
    master_seed, deal : int
        What decides the cards, which are those of a tournament with that seed; see `reset`.

    Raises
    ------
    UserError
        An argument is wrong.
    """

    def __init__(
        self,
        players: int = 2,
        rules: str | Mapping[str, object] | Any = None,
        render_mode: str | None = None,
        reward: str = "win",
        game: str | None = None,
    ) -> None:
        super().__init__()
        self.game: Game = registry.game(game)
        self.rules: Rules = _rules(self.game, rules)
        self.encoding = self.game.encoding(self.rules, players)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise unknown("render_mode", str(render_mode), RENDER_MODES)
        if reward not in REWARDS:
            raise unknown("reward", str(reward), REWARDS)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{self.game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.players = players
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.master_seed: int | None = None
        self.deal = -1
        self._reward = REWARDS[reward]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: self._new_observation_space() for agent in self._seats}
        self._action_spaces = {agent: spaces.Discrete(self.encoding.actions) for agent in self._seats}

    @property
    def position(self) -> Any:
        """Return where the game stands, with everything open: for looking on, not for agents."""
        return self._table.position

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations; the same object every time."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions; the same object every time."""
        return self._action_spaces[agent]

    def reset(self, seed: int | str | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a game.

        Parameters
        ----------
        seed : int or str, optional
            A master seed, as in a tournament; its deal 0 is played. Without one the next deal of the seed in use
            is played; the first time a seed is chosen by chance.
        options : mapping, optional
            ``{"deal": n}`` plays deal n of the seed. Other keys are left to those who know them.
        """
        deal = 0 if seed is not None or self.master_seed is None else self.deal + 1
        deal = _deal((options or {}).get("deal", deal))
        if seed is not None:
            self.master_seed = master_seed(seed)
        elif self.master_seed is None:
            self.master_seed = secrets.randbelow(LIMIT)
        self.deal = deal
        self._table: Table = self._dealt()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[self.position.current]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent sees, at any time, and the mask of its legal actions."""
        view = self.position.view(self._seats[agent])
        return {"observation": self.encoding.observe(view), "action_mask": self.encoding.mask(view)}

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent that is selected; None once its game is over.

        Raises
        ------
        UserError
            The number is none of the action space; the game goes on.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        position = self.position
        decided = self.encoding.action(position.view(self._seats[agent]), _number(action))
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        try:
            position.play(decided)
        except UserError as error:
            position.forfeit(str(error))
            others = sum(1 << seat for seat in self._seats.values() if seat != self._seats[agent])
            self._end({"turns": position.turn, "winners": others}, forfeit=f"{agent}: {error}")
            return
        if position.finished:
            self._end(self._table.result())
        else:
            self.agent_selection = self.possible_agents[position.current]

    def _end(self, row: Mapping[str, int], **more: str) -> None:
        """Reward everyone, and tell how it ended."""
        rewards, won = self._reward(row, self.players), shares(row, self.players)
        for agent, seat in self._seats.items():
            self.rewards[agent] = rewards[seat]
            self.infos[agent] = {"win_share": won[seat], "turns": row["turns"], **more}
            if f"score_{seat}" in row:
                self.infos[agent]["score"] = row[f"score_{seat}"]
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        seat = self._seats[self.agent_selection] + 1
        self.agent_selection = self.possible_agents[seat % self.players]

    def render(self) -> str | np.ndarray | None:
        """Return the game so far as the render mode says, with all cards open."""
        if self.render_mode == "ansi":
            return self._story()
        if self.render_mode == "rgb_array":
            return pixels(self.game.picture(self.position, self.possible_agents))
        gymnasium.logger.warn(
            "render() shows nothing without a render_mode, which is given to the environment"
        )
        return None

    def close(self) -> None:
        """Do nothing: no window is open."""

    def _story(self) -> str:
        """Return the game so far as its narrator tells it."""
        from rich.console import Console

        told = StringIO()
        # in a notebook a console would show what it is told to write, and write nothing
        console = Console(
            file=told,
            width=100,
            color_system=None,
            highlight=False,
            emoji=False,
            markup=False,
            force_jupyter=False,
        )
        narrator = self.game.narrator(console, self.possible_agents)
        again = self._dealt().position
        narrator.begin(again)
        for action in self.position.actions:
            seat = again.current
            again.play(action)
            narrator.acted(again, seat, action)
        if self.position.finished:
            narrator.end(self.position)
        return told.getvalue()

    def _dealt(self) -> Table:
        assert self.master_seed is not None
        return self.game.table(self.rules, self.players, self.master_seed, self.deal)

    def _new_observation_space(self) -> spaces.Dict:
        highest = self.encoding.highest
        return spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(highest), highest, dtype=np.int8),
                "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )


raw_env = GameEnv


def env(**settings: Any) -> AECEnv:
    """Return a `GameEnv` of these settings that refuses calls in the wrong order and numbers out of bounds."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**settings)))


def _rules(game: Game, given: object) -> Rules:
    if not isinstance(given, str | Mapping | BaseModel | None):
        raise UserError(f"rules are a preset, a mapping of fields or a rule set, not {given!r}")
    return game.rules(preset_of(given), changes_of(given))


def _deal(given: object) -> int:
    if not isinstance(given, int | np.integer) or isinstance(given, bool) or not 0 <= given < DEALS:
        raise UserError(f"deals are numbered from 0, below 2**63, not {given!r}", where="options")
    return int(given)


def _number(action: Any) -> int:
    try:
        if isinstance(action, bool | np.bool_):
            raise TypeError
        return index(action)  # also of an array without dimensions, as learners have it
    except TypeError:
        raise UserError(f"an action is a whole number, not {action!r}") from None
