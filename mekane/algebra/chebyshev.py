"""A smooth function on a piece of time, by the polynomial through its values at Chebyshev–Lobatto points.

Places on the piece are shares of it, from 0 to 1.
"""

import numpy as np

from mekane.numba_backend.kernel import kernel

POINTS = 10  # Chebyshev–Lobatto, on each piece
BETWEEN = 4  # looks at the polynomial from point to point
N = POINTS
SHARES = 0.5 - 0.5 * np.cos(np.pi * np.arange(N) / (N - 1))
LOOKS = 0.5 - 0.5 * np.cos(np.pi * np.arange(BETWEEN * (N - 1) + 1) / (BETWEEN * (N - 1)))


def chebyshev_coefficients():
    """The matrix from values at the points to coefficients of Chebyshev polynomials in 1 − 2 share."""
    n = N - 1
    matrix = np.cos(np.pi * np.outer(np.arange(N), np.arange(N)) / n) * (2.0 / n)
    matrix[:, [0, n]] *= 0.5
    matrix[[0, n]] *= 0.5
    return matrix


COEFFICIENTS = chebyshev_coefficients()
FITTED = (
    np.cos(np.outer(np.arccos(1.0 - 2.0 * LOOKS), np.arange(N))) @ COEFFICIENTS
)  # from values at the points to the fit


@kernel(exact=True)
def fit_values(values, c):
    """c: Chebyshev coefficients of the polynomial through the points. Returns the size of the largest, of the last two."""
    largest = 0.0
    for i in range(N):
        c[i] = 0.0
        for j in range(N):
            c[i] += COEFFICIENTS[i, j] * values[j]
        largest = max(largest, abs(c[i]))
    return largest, abs(c[N - 1]) + abs(c[N - 2])


@kernel(exact=True)
def fitted(c, share):
    """The polynomial at a share of its piece (Clenshaw)."""
    x, b1, b2 = 1.0 - 2.0 * share, 0.0, 0.0
    for i in range(N - 1, 0, -1):
        b1, b2 = 2.0 * x * b1 - b2 + c[i], b1
    return x * b1 - b2 + c[0]


@kernel(exact=True)
def look_at_fit(values, looks):
    """looks: the polynomial through the points at LOOKS."""
    for i in range(looks.shape[0]):
        looks[i] = 0.0
        for j in range(N):
            looks[i] += FITTED[i, j] * values[j]


@kernel(exact=True)
def has_dip(looks, i, low_value):
    """Whether the polynomial has a minimum near look i that may be below low_value."""
    before, here, after = looks[i - 1], looks[i], looks[i + 1]
    return here <= before and here <= after and here - 0.25 * (before + after - 2.0 * here) < low_value


@kernel(exact=True)
def lowest(c, a, b):
    """Share at which the polynomial is lowest between a and b, and its value there, if that is not at an end. Golden section."""
    ratio = 0.6180339887498949
    x1, x2 = b - ratio * (b - a), a + ratio * (b - a)
    f1, f2 = fitted(c, x1), fitted(c, x2)
    for _ in range(40):
        if f1 < f2:
            b, x2, f2 = x2, x1, f1
            x1 = b - ratio * (b - a)
            f1 = fitted(c, x1)
        else:
            a, x1, f1 = x1, x2, f2
            x2 = a + ratio * (b - a)
            f2 = fitted(c, x2)
    return 0.5 * (a + b), min(f1, f2)


@kernel(exact=True)
def root_of_fit(c, a, b):
    """Share of its piece, between a and b, where the polynomial goes from positive to negative. Bisection."""
    for _ in range(45):
        x = 0.5 * (a + b)
        if fitted(c, x) > 0.0:
            a = x
        else:
            b = x
    return 0.5 * (a + b)
