"""How joints and constraints answer forces of contacts: the pseudo-inverse of their rows' matrix."""

import numpy as np
import pytest

from mekane.solvers.contacts.contact_state import pseudo_inverse


@pytest.mark.parametrize("repeated", [0, 1, 5])
@pytest.mark.parametrize("seed", range(4))
def test_moore_and_penrose(seed, repeated):
    """Oracle: the four equations that define a pseudo-inverse, whether rows repeat others or not. Tolerance: round-off
    times the condition of the rest, which is below 1e4 for these sizes."""
    random, n = np.random.default_rng(seed), 24
    rows = random.normal(size=(n, 40))
    rows[:repeated] = random.normal(size=(repeated, n - repeated)) @ rows[repeated:]
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    A = rows @ rows.T
    inverse = pseudo_inverse(A)
    size = 1e-11 * max(1.0, abs(inverse).max())
    assert np.linalg.matrix_rank(inverse, tol=1e-6) == n - repeated
    assert abs(A @ inverse @ A - A).max() < size
    assert abs(inverse @ A @ inverse - inverse).max() < size * max(1.0, abs(inverse).max())
    assert abs(A @ inverse - (A @ inverse).T).max() < size and abs(inverse @ A - (inverse @ A).T).max() < size
