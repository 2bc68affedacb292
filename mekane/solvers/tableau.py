"""A Runge–Kutta method is data that checks itself: a tableau, its order conditions tested when it is made."""

from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np


class Tableau(NamedTuple):
    """Stages k_i = f(t + c_i h, y + h Σ A_ij k_j); the step is y + h Σ b_i k_i.

    Stages beyond len(b) serve only the dense output y(t + θh) = y + h Σ_i k_i Σ_m P[i, m] θ^(m+1).
    """

    A: np.ndarray  # (all stages, all stages)
    b: np.ndarray  # (stages,)
    c: np.ndarray  # (all stages,)
    error: np.ndarray  # (0, 1 or 2, stages)  error = h Σ error_i k_i; two rows combine as in DOP853
    P: np.ndarray  # (all stages, degree)
    numbers: np.ndarray  # (3,) order, power of h in the error, stability limit of h|λ| on the negative axis


def tableau(A, b, c, order, *, error=(), embedded=0, P=None, A_dense=(), c_dense=(), stability=0.0):
    """Make a method and check it: row sums, order conditions of step and embedded formula, end of the dense output."""
    s = len(b)
    A, b, c = square(A, s), np.array(b, float), np.array(c, float)
    error = np.array(error, float).reshape(-1, s)
    check(np.allclose(A.sum(1), c, rtol=0, atol=1e-14), "row sums of A are not c")
    check_order(A, b, order)
    for row in error[:1]:
        check_order(A, b - row, embedded)
    A, c, P = with_dense(A, b, c, P, A_dense, c_dense)
    check(np.allclose(P.sum(1)[:s], b, rtol=0, atol=1e-12), "dense output does not end at the step")
    numbers = np.array([order, order if len(error) == 2 else embedded + 1, stability], float)
    return Tableau(A, b, c, error, P, numbers)


def square(rows, s):
    A = np.zeros((s, s))
    for i, row in enumerate(rows):
        A[i, : len(row)] = row
    return A


def with_dense(A, b, c, P, A_dense, c_dense):
    """Append the stages of the dense output; without any, a cubic through both ends and derivatives (Hermite). A method whose
    last stage is the slope at the end of the step needs none."""
    s, extra = len(b), 1 + len(A_dense)
    if P is not None and not A_dense and not np.any(P[s:]) and c[-1] == 1.0 and (A[-1] == b).all():
        return A, c, np.array(P[:s], float)
    full, c = np.zeros((s + extra, s + extra)), np.concatenate([c, [1.0], c_dense])
    full[:s, :s] = A
    full[s, :s] = b  # the slope at the end of the step
    for i, row in enumerate(A_dense):
        full[s + 1 + i, : len(row)] = row
    return full, c, hermite(b) if P is None else np.array(P, float)


def hermite(b):
    """y + θh k_0 + θ²(3Δ − 2h k_0 − h k_s) + θ³(h k_0 + h k_s − 2Δ), Δ = h Σ b k."""
    P = np.zeros((len(b) + 1, 3))
    P[:-1, 1], P[:-1, 2] = 3.0 * b, -2.0 * b
    P[0] += (1.0, -2.0, 1.0)
    P[-1] = (0.0, -1.0, 1.0)
    return P


# ---------------------------------------------------------------- order conditions, by rooted trees


@cache
def trees(order):
    """Rooted trees with `order` nodes, each the sorted tuple of its branches."""
    if order == 1:
        return [()]
    return [tuple(sorted(branches)) for branches in forests(order - 1, order - 1)]


def forests(total, largest):
    """Multisets of trees with `total` nodes, none of them having more than `largest`."""
    if total == 0:
        yield ()
    for size in range(min(total, largest), 0, -1):
        for count in range(1, total // size + 1):
            for same in combinations_with_replacement(trees(size), count):
                for rest in forests(total - count * size, size - 1):
                    yield (*same, *rest)


def nodes(tree):
    return 1 + sum(map(nodes, tree))


def density(tree):
    return nodes(tree) * int(np.prod([density(branch) for branch in tree], dtype=object))


def weights(A, tree):
    """Elementary weights Φ_i(tree) of all stages."""
    product = np.ones(len(A))
    for branch in tree:
        product = product * (A @ weights(A, branch))
    return product


def order_errors(A, b, order):
    """|b·Φ(t) − 1/γ(t)| for every tree up to this order."""
    return [abs(b @ weights(A, tree) - 1.0 / density(tree)) for n in range(1, order + 1) for tree in trees(n)]


def check_order(A, b, order):
    errors = order_errors(A, b, order)
    check(
        not errors or max(errors) < 1e-13, f"order conditions up to {order} are missed by {max(errors, default=0):.1e}"
    )


def check(holds, message):
    if not holds:
        raise ValueError(f"this is not the Runge–Kutta method it claims to be: {message}")
