"""Games as environments of PettingZoo, for agents that learn (extra ``rl``); docs/envs.md tells all about them."""

import importlib.util

if any(importlib.util.find_spec(package) is None for package in ("gymnasium", "pettingzoo")):
    raise ImportError('arbosim.envs needs the packages pettingzoo and gymnasium: pip install "arbosim[rl]"')

from arbosim.envs.aec import GameEnv, env, raw_env
from arbosim.envs.masked_random import MaskedRandom

__all__ = ["GameEnv", "MaskedRandom", "env", "raw_env"]
