"""alpha-rank: how long a population that copies what wins stays with each strategy (Omidshafiei et al. 2019)."""

from __future__ import annotations

import numpy as np

ALPHA = 10.0
"""Selection pressure: of two strategies of which one wins 50.5 %, it is played 134 times as long."""
POPULATION = 50


def alpha_rank(payoffs: np.ndarray, alpha: float = ALPHA, population: int = POPULATION) -> np.ndarray:
    """Return the share of time that a single population spends with each strategy.

    All members play one strategy until a mutant with another appears and either takes over or dies out
    (Omidshafiei et al., alpha-Rank, Scientific Reports 9, 2019: fixation probability of a mutant in a population
    of size m whose advantage is u = alpha times the difference of payoffs, (1 - exp(-u)) / (1 - exp(-m u))).

    Parameters
    ----------
    payoffs : numpy.ndarray, float[..., n, n]
        What the row gets against the column, 0 to 1; leading axes are problems of their own.

    Returns
    -------
    numpy.ndarray, float[..., n]
        They sum to 1, and are finite however large alpha is.
    """
    advantage = alpha * (np.swapaxes(payoffs, -1, -2) - payoffs)  # of the column as a mutant among the row
    return stationary(_log_fixation(advantage, population))


def stationary(log_rates: np.ndarray) -> np.ndarray:
    """Return the stationary distribution of Markov chains whose rates between states are given as logarithms.

    Elimination of one state after the other without any subtraction (Grassmann, Taksar and Heyman 1985), here on
    logarithms, so that rates far below the smallest float still count.

    Parameters
    ----------
    log_rates : numpy.ndarray, float[..., n, n]
        From row to column; the diagonal is not read.
    """
    rates = np.array(log_rates, float)
    size = rates.shape[-1]
    for last in range(size - 1, 0, -1):
        leaving = np.logaddexp.reduce(rates[..., last, :last], axis=-1)
        rates[..., :last, last] -= leaving[..., None]
        around = rates[..., :last, last, None] + rates[..., last, None, :last]
        rates[..., :last, :last] = np.logaddexp(rates[..., :last, :last], around)
    log_mass = np.zeros(rates.shape[:-1])
    for state in range(1, size):
        log_mass[..., state] = np.logaddexp.reduce(log_mass[..., :state] + rates[..., :state, state], axis=-1)
    mass = np.exp(log_mass - log_mass.max(axis=-1, keepdims=True))
    return np.asarray(mass / mass.sum(axis=-1, keepdims=True))


def _log_fixation(advantage: np.ndarray, population: int) -> np.ndarray:
    # (1 - e^-u) / (1 - e^-mu) = e^(m-1)u (1 - e^u) / (1 - e^mu): for either sign no exponent is positive
    size = np.where(advantage == 0, 1.0, np.abs(advantage))
    log_odds = np.log(-np.expm1(-size)) - np.log(-np.expm1(-population * size))
    log_odds += np.minimum(0, (population - 1) * advantage)
    return np.asarray(np.where(advantage == 0, -np.log(population), log_odds))
