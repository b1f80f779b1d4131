"""The mixture of strategies that no strategy beats, and the most even one where there are several."""

from __future__ import annotations

import numpy as np

_ZERO = 1e-9  # below it is rounding
_SHARED = 15  # strategies in a support; larger ones are hardly found twice
_LARGEST = 1e7  # by which a solution is scaled up at most to tell its zeros from its small masses


def equilibria(games: np.ndarray) -> np.ndarray:
    """Return the maximum-entropy Nash equilibrium of symmetric zero-sum games.

    On the logits of who beats whom it is Nash averaging (Balduzzi et al., Re-evaluating Evaluation, NeurIPS 2018);
    on majority margins it is the most even maximal lottery (Fishburn 1984).

    Parameters
    ----------
    games : numpy.ndarray, float[games, n, n]
        Antisymmetric: what the row gains against the column.

    Returns
    -------
    numpy.ndarray, float[games, n]
        Masses that sum to 1.

    Notes
    -----
    Most games of a bootstrap have one of a few supports. Once a linear programme has found a support, all games
    are asked at once whether their equilibrium has it too; the answer is a proof, see `_on_support`.
    """
    largest = np.abs(games).max(axis=(1, 2), keepdims=True)
    games = games / np.where(largest > 0, largest, 1)
    # strategies without any difference are one, and share its mass
    columns = games.transpose(1, 0, 2).reshape(games.shape[1], -1)
    _, first, which, counts = np.unique(
        columns, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    merged = _of_different(games[:, first[:, None], first], counts)
    return np.asarray((merged / counts)[:, which.ravel()])


def effective_number(mixtures: np.ndarray) -> np.ndarray:
    """Return exp of the entropy of mixtures, float[..., n]: 1 for one strategy alone, n for all of them evenly."""
    logs = np.log(np.where(mixtures > 0, mixtures, 1))
    return np.asarray(np.exp(-(mixtures * logs).sum(axis=-1)))


def _of_different(games: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the same for games with entries up to 1, of strategies each of which stands for so many."""
    found = np.zeros(games.shape[:2])
    open_games = np.arange(len(games))
    while len(open_games):
        first = open_games[0]
        scaled = _tucker_point(games[first])
        support = scaled >= scaled @ games[first]
        asked = open_games if support.sum() <= _SHARED else open_games[:1]
        masses, proven = _on_support(games[asked], support)
        if not proven[0]:
            masses[0] = _most_even(games[first], scaled, support, counts)
            proven[0] = True
        found[asked[proven]] = masses[proven]
        open_games = np.setdiff1d(open_games, asked[proven])
    return found


def _tucker_point(game: np.ndarray) -> np.ndarray:
    """Return an equilibrium, scaled up, that plays all that any equilibrium plays.

    There is always a p >= 0 with gains s = p @ game >= 0 against every strategy in which p + s is positive
    everywhere (Tucker 1956). As p_i s_i = 0, scaling until p + s >= 1 tells masses from zeros.
    """
    from scipy.optimize import linprog

    size = len(game)
    gains = game.T
    eye, nothing = np.eye(size), np.zeros((size, size))
    limits = np.block([[-gains, nothing], [-gains - eye, eye]])  # gains >= 0, reached <= p + gains
    # a little price for large masses keeps the solution small where it is settled anyway
    cost = np.concatenate([np.full(size, 1e-9 / size), -np.ones(size)])
    bounds = [(0, _LARGEST)] * size + [(0, 1)] * size
    solved = linprog(cost, A_ub=limits, b_ub=np.zeros(2 * size), bounds=bounds, method="highs")
    if solved.status != 0:
        raise ArithmeticError(f"no equilibrium was found: {solved.message}")
    return np.asarray(solved.x[:size])


def _on_support(games: np.ndarray, support: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the masses on a support, and of which games they are the only equilibrium.

    They are if all are positive, all strategies outside lose, and the kernel of the game on the support has one
    dimension: any other equilibrium plays best answers to them only, so it lies on the support, and they play all
    of it, so it lies in the kernel.
    """
    inside, outside = np.flatnonzero(support), np.flatnonzero(~support)
    masses = np.zeros(games.shape[:2])
    _, singular, right = np.linalg.svd(games[:, inside[:, None], inside])
    total = right[:, -1].sum(axis=1, keepdims=True)
    kernel = right[:, -1] / np.where(np.abs(total) > _ZERO, total, 1.0)
    masses[:, inside] = kernel
    gains = np.einsum("gi,gij->gj", masses, games)
    proven = (kernel > _ZERO).all(axis=1) & (singular[:, -1] <= _ZERO)
    if len(inside) > 1:
        proven &= singular[:, -2] > _ZERO
    proven &= (gains[:, outside] > _ZERO).all(axis=1)
    return masses, proven


def _most_even(game: np.ndarray, scaled: np.ndarray, support: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the equilibrium of the largest entropy, the mass of a strategy being spread over those it stands for.

    All equilibria are q >= 0 on the support with q @ game = 0 on it and >= 0 outside. The dual of maximising the
    entropy there is smooth, with one variable for each of these conditions that is not implied by the others.
    """
    from scipy.optimize import minimize

    inside, outside = np.flatnonzero(support), np.flatnonzero(~support)
    masses = np.zeros(len(game))
    masses[inside] = scaled[inside] / scaled[inside].sum()
    _, singular, right = np.linalg.svd(game[np.ix_(inside, inside)])
    rank = int((singular > _ZERO).sum())
    if len(inside) - rank <= 1:
        return masses
    beyond = game[np.ix_(inside, outside)].T
    even = counts[inside] / counts[inside].sum()
    if rank == 0 and (beyond @ even >= 0).all():  # the usual case: some at the top are equal
        masses[inside] = even
        return masses
    conditions = np.vstack([right[:rank], beyond])

    def tilted(prices: np.ndarray) -> tuple[np.ndarray, float]:
        tilt = prices @ conditions
        weight = even * np.exp(tilt - tilt.max())
        return weight / weight.sum(), float(tilt.max() + np.log(weight.sum()))

    def dual(prices: np.ndarray) -> tuple[float, np.ndarray]:
        mass, value = tilted(prices)
        return value, conditions @ mass

    solved = minimize(
        dual,
        np.zeros(len(conditions)),
        jac=True,
        bounds=[(None, None)] * rank + [(0, None)] * len(outside),
        method="L-BFGS-B",
        options={"maxiter": 2000, "ftol": 1e-15, "gtol": 1e-10},
    )
    masses[inside] = tilted(solved.x)[0]
    return masses
