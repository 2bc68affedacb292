"""Which of many rows do not repeat others, as the time loop judges them, where rows of some parts are preferred."""

import numpy as np

from mekane.solvers.constraints.projection import INDEPENDENT


def independent_rows(E, *groups):
    """Numbers of rows of E, of unit length, that span all of them: as many as can be of the first group, then of the next."""
    from scipy.linalg import qr  # rarely needed, and slow to load

    chosen, basis = [], np.zeros((0, E.shape[1]))
    for rows in groups:
        rest = E[rows]
        for _ in range(2):  # once more for round-off
            rest = rest - (rest @ basis.T) @ basis
        Q, R, order = qr(rest.T, mode="economic", pivoting=True)
        count = int((np.diagonal(R) ** 2 >= INDEPENDENT).sum())
        chosen += list(rows[order[:count]])
        basis = np.vstack([basis, Q[:, :count].T])
    return np.sort(np.array(chosen, int))
