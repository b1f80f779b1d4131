"""The agent that anything learned should beat: any legal action, each as likely as the others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


class MaskedRandom:
    """Chooses among the legal actions by chance.

    Parameters
    ----------
    seed : int
        The same seed makes the same choices.

    Examples
    --------
    >>> agent = MaskedRandom(seed=1)
    >>> agent({"action_mask": np.array([0, 1, 0], np.int8)})
    1
    """

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def __call__(self, observation: Mapping[str, np.ndarray]) -> int:
        """Return the number of a legal action; a ValueError if there is none."""
        return int(self._rng.choice(np.flatnonzero(observation["action_mask"] == 1)))
