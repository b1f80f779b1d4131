"""Weights."""
import numpy as np

_TURNS = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0])


def _guess(ahead):
    w = np.zeros((9, 24))
    m = _TURNS
    w[:, 1] = 1.0
    w[:, 2] = -1.0
    w[:, 4] = np.minimum(m, 1) * 0.5
    w[:, 5] = np.minimum(m, 1) * 0.3
    w[:, 7] = 0.5 * m
    w[:, 8] = 0.6 * m
    w[:, 10] = 0.5 * m
    w[:, 11] = 0.1 * m
    w[:, 13] = -0.5 * m
    w[:, 17] = -0.4
    if ahead:
        w[:, 4] = 0.8
        w[:, 5] = 0.4
    return w


AFTER = np.stack([_guess(False)] * 3)
BEFORE = np.stack([_guess(True)] * 3)
DRAWING = np.stack([_guess(True)] * 3)
