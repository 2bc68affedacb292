"""A tableau checks itself. Oracle: classical methods with one coefficient spoilt must be refused."""

import numpy as np
import pytest

from mekane.solvers.tableau import order_errors, tableau, trees

RK4 = dict(A=[(), (1 / 2,), (0, 1 / 2), (0, 0, 1)], b=[1 / 6, 1 / 3, 1 / 3, 1 / 6], c=[0, 1 / 2, 1 / 2, 1])
BOGACKI = dict(A=[(), (1 / 2,), (0, 3 / 4), (2 / 9, 1 / 3, 4 / 9)], b=[2 / 9, 1 / 3, 4 / 9, 0], c=[0, 1 / 2, 3 / 4, 1])
ERROR = np.array(BOGACKI["b"]) - [7 / 24, 1 / 4, 1 / 3, 1 / 8]


def test_there_are_as_many_trees_as_cayley_counted():
    """Numbers of rooted trees with n nodes, OEIS A000081."""
    assert [len(trees(n)) for n in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]
    assert all(len(set(trees(n))) == len(trees(n)) for n in range(1, 9))


def test_classical_methods_pass():
    assert tableau(**RK4, order=4).numbers[0] == 4
    method = tableau(**BOGACKI, order=3, error=[ERROR], embedded=2)
    assert method.numbers[1] == 3 and method.error.shape == (1, 4)


@pytest.mark.parametrize("place", [("b", 0), ("b", 2), ("A", (2, 1)), ("A", (3, 2)), ("c", 1)])
def test_a_spoilt_coefficient_is_refused(place):
    """A change of 1e-9 is far below what a run would show and far above round-off."""
    word, at = place
    data = {k: [list(row) if k == "A" else row for row in v] for k, v in RK4.items()}
    if word == "A":
        data["A"][at[0]][at[1]] += 1e-9
        data["c"][at[0]] += 1e-9  # keeps the row sums, breaks the order
    else:
        data[word][at] += 1e-9
    with pytest.raises(ValueError, match="not the Runge–Kutta method"):
        tableau(**data, order=4)


def test_a_wrong_embedded_formula_is_refused():
    with pytest.raises(ValueError, match="order conditions"):
        tableau(**BOGACKI, order=3, error=[ERROR * 1.001 + 1e-6], embedded=2)


def test_dense_output_must_end_at_the_step():
    P = np.zeros((5, 2))
    P[0, 0] = 1.0
    with pytest.raises(ValueError, match="dense output"):
        tableau(**RK4, order=4, P=P)


def test_hermite_passes_through_both_ends_with_their_derivatives():
    """y(0) = y0, y(1) = y1, y'(0) = k_0, y'(1) = k_s: for any slopes at all."""
    method = tableau(**RK4, order=4)
    k = np.random.default_rng(0).normal(size=len(method.P))
    powers = np.arange(1, method.P.shape[1] + 1)
    slope = lambda theta: k @ method.P @ (powers * theta ** (powers - 1))
    assert k @ method.P.sum(axis=1) == pytest.approx(method.b @ k[:4], abs=1e-15)
    assert slope(0.0) == pytest.approx(k[0], abs=1e-15) and slope(1.0) == pytest.approx(k[-1], abs=1e-14)


def test_order_errors_see_exactly_the_order():
    A, b = np.zeros((4, 4)), np.array(RK4["b"])
    for i, row in enumerate(RK4["A"]):
        A[i, : len(row)] = row
    assert max(order_errors(A, b, 4)) < 1e-15 and max(order_errors(A, b, 5)) > 1e-3
