"""A model of rankings with ties: strengths of strategies, effects of seats, and how likely ties are.

Of the slots that are left, the best ones are the set S with a chance in proportion to

    delta_|S| * product of alpha_i over S, to the power 1 / |S|

with log alpha_i = strength of its strategy + effect of its seat, and delta_1 = 1; they leave, and the choice goes on.
For two players this is the model of Davidson (1970), for strict orders that of Plackett (1975) and Luce (1959); the two
together are the Davidson-Luce model of Firth, Kosmidis and Turner (2019; Turner, van Etten, Firth and Kosmidis 2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arbosim.analysis.orders import Orders

PSEUDO = 0.5
"""Weight of the two made-up observations on each parameter, one for and one against it.

They are a win and a loss against an opponent of strength 0 and keep the estimate finite where all went one way. For a
single share this is Haldane's and Gart's correction of the log odds (Gart and Zweifel 1967): half a win, half a loss.
"""

_STEPS = 100
_PRECISE = 1e-12  # what the last step may gain in log likelihood
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Fit:
    """The estimate, and its covariance over blocks of deals.

    Parameters
    ----------
    values : numpy.ndarray, float64[parameters]
        Natural logarithms: strengths by strategy, effects by seat, and of delta for 2, 3, ... that tie.
    covariance : numpy.ndarray, float64[parameters, parameters]
        Without the factor for the number of blocks.
    """

    values: np.ndarray
    covariance: np.ndarray


def fit(orders: Orders) -> Fit:
    """Fit the model by the largest penalised likelihood, with the covariance that resampling blocks would give.

    The bootstrap over blocks is taken in closed form: its limit for ever more replicates, each one Newton step
    from the estimate (infinitesimal jackknife, Efron 1982; with blocks as clusters it is the sandwich of Liang and
    Zeger 1986). So it has no noise of its own, and needs no seed. The made-up observations take part: where all
    blocks agree, their weight is all the uncertainty there is.
    """
    model = _Model(orders)
    values = model.best()
    slope = model.by_block(values)
    won = _logistic(values)
    spread = slope.T @ slope + np.diag(PSEUDO * ((1 - won) ** 2 + won**2))
    inverse = np.linalg.inv(model.curvature(values))
    return Fit(values, inverse @ spread @ inverse)


class _Model:
    """The likelihood of all games.

    The features of a line-up are its slots, the seats, and the sizes of ties; each has its parameter.
    """

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        form = orders.shape
        self.players = form.players
        line_ups = sorted(orders.alternatives)
        seats = np.arange(len(orders.of_strategies), len(orders.of_strategies) + 2 * self.players - 1)
        self.line_ups = [orders.alternatives[line_up] for line_up in line_ups]
        self.parameters = np.array([[*line_up, *seats] for line_up in line_ups], np.int64)
        self.size = len(orders.of_strategies) + 2 * self.players - 1
        # by line-up, rotation and set of alternatives
        self.counts = np.array([held.sum(axis=2, dtype=np.int64) for held in self.line_ups], np.float64)
        self.chosen = np.concatenate(
            [orders.of_strategies / form.unit, orders.of_seats / form.unit, orders.of_sizes[1:]]
        )
        self.features = [
            [self._features(alternatives, rotation) for alternatives in form.sets]
            for rotation in range(self.players)
        ]

    def best(self) -> np.ndarray:
        """Return the parameters of the largest penalised likelihood, by Newton's method."""
        values = np.zeros(self.size)
        height = self.height(values)
        for _ in range(_STEPS):
            slope = self.slope(values)
            step = np.linalg.solve(self.curvature(values), slope)
            gain = float(slope @ step)
            # the likelihood is concave: a step that is short enough gains, but for rounding
            level = height - _ROUNDING * abs(height)
            while gain > _PRECISE and self.height(values + step) < level + gain / 1e4:
                step, gain = step / 2, gain / 2
            values = values + step
            if gain <= _PRECISE:
                break
            height = self.height(values)
        return values

    def height(self, values: np.ndarray) -> float:
        """Return the penalised log likelihood."""
        total = float(self.chosen.sum(axis=1) @ values)
        for counts, _, logits in self._choices(values):
            top = logits.max(axis=1)
            total -= float(counts @ (top + np.log(np.exp(logits - top[:, None]).sum(axis=1))))
        return total + PSEUDO * float((values - 2 * np.logaddexp(0, values)).sum())

    def slope(self, values: np.ndarray) -> np.ndarray:
        """Return the gradient of `height`."""
        expected = np.zeros((len(self.line_ups), self.parameters.shape[1]))
        for counts, features, logits in self._choices(values):
            expected += counts[:, None] * (_chances(logits) @ features)
        slope: np.ndarray = self.chosen.sum(axis=1) + PSEUDO * (1 - 2 * _logistic(values))
        np.add.at(slope, self.parameters, -expected)
        return slope

    def curvature(self, values: np.ndarray) -> np.ndarray:
        """Return minus the second derivatives of `height`."""
        width = self.parameters.shape[1]
        inner = np.zeros((len(self.line_ups), width, width))
        for counts, features, logits in self._choices(values):
            chances = _chances(logits)
            products = (features[:, :, None] * features[:, None, :]).reshape(len(features), -1)
            mean = chances @ features
            second = (chances @ products).reshape(-1, width, width)
            inner += counts[:, None, None] * (second - mean[:, :, None] * mean[:, None, :])
        won = _logistic(values)
        curvature = np.diag(2 * PSEUDO * won * (1 - won))
        at = self.parameters[:, :, None] * self.size + self.parameters[:, None, :]
        curvature += np.bincount(at.ravel(), inner.ravel(), self.size**2).reshape(self.size, self.size)
        return curvature

    def by_block(self, values: np.ndarray) -> np.ndarray:
        """Return what each block adds to the gradient, of shape (blocks, parameters)."""
        slope = self.chosen.copy()
        means = [_chances(logits) @ features for _, features, logits in self._choices(values)]
        expected = np.array(means).transpose(1, 2, 0)  # line-up, feature, rotation and set
        for line_up, (counts, parameters) in enumerate(zip(self.line_ups, self.parameters, strict=True)):
            alternatives = counts.reshape(expected.shape[2], -1).astype(np.float64)
            np.add.at(slope, parameters, -(expected[line_up] @ alternatives))
        return slope.T

    def _choices(self, values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield by rotation and set how often it was chosen from, and features and logits of what could be chosen.

        Their shapes are (line-ups), (choices, features) and (line-ups, choices).
        """
        own = values[self.parameters]
        for rotation, by_set in enumerate(self.features):
            for number, features in enumerate(by_set):
                yield self.counts[:, rotation, number], features, own @ features.T

    def _features(self, alternatives: tuple[int, ...], rotation: int) -> np.ndarray:
        """Return the features of each choice: shares of slots and of seats, and which size of tie."""
        rows = []
        for size in range(1, len(alternatives) + 1):
            for best in combinations(alternatives, size):
                slots, ties = np.zeros(self.players), np.zeros(self.players)
                slots[list(best)] = 1 / size
                ties[size - 1] = 1
                rows.append(np.concatenate([slots, np.roll(slots, rotation), ties[1:]]))
        return np.array(rows)


def _chances(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances: np.ndarray = weights / weights.sum(axis=1, keepdims=True)
    return chances


def _logistic(values: np.ndarray) -> np.ndarray:
    logistic: np.ndarray = (1 + np.tanh(values / 2)) / 2
    return logistic
