"""Curves through given points: straight lines, or the not-a-knot cubic spline (twice continuously differentiable).

Before the first and after the last point the curve stays at the end value. A derivative of a curve is again a `Table`,
of higher `order`.
"""

import warnings
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mekane.algebra.scalar import real
from mekane.errors import ExpressionError
from mekane.numba_backend.deferred import before_kernels

KINDS = ("linear", "cubic")
# columns of the rows of a table: point, value there, c0 + c1 d + c2 d^2 + c3 d^3 with d = x - point
X, Y, COEFFICIENTS = 0, 1, slice(2, 6)


@dataclass(frozen=True)
class Table:
    """The `order`-th derivative of the curve of some kind through the points (xs, ys). Call it with any scalar."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    kind: str = "linear"
    order: int = 0

    def __post_init__(self):
        object.__setattr__(self, "xs", tuple(map(_number, self.xs)))
        object.__setattr__(self, "ys", tuple(map(_number, self.ys)))
        _check(self)

    def __call__(self, x):
        return interpolate(self.rows, 0, len(self.xs), self.code, x)

    @classmethod
    def from_rows(cls, rows, code):
        """The table that has these `rows` and this `code`."""
        return cls(tuple(rows[:, X]), tuple(rows[:, Y]), KINDS[code % 2], code // 2)

    @property
    def code(self):
        """Kind and order as one integer: 0 linear, 1 cubic, and 2 more for each derivative."""
        return KINDS.index(self.kind) + 2 * self.order

    @cached_property
    def rows(self):
        """One row per point, with the polynomial from there to the next point. The last row has no piece of its own."""
        rows = np.zeros((len(self.xs), 6), np.result_type(float, *self.xs, *self.ys))
        rows[:, X], rows[:, Y] = self.xs, self.ys
        pieces = _finite(_spline if self.kind == "cubic" else _lines, self.xs, self.ys)
        for _ in range(self.order):
            pieces = np.column_stack([pieces[:, 1:] * (1.0, 2.0, 3.0), np.zeros(len(pieces))])
        rows[:-1, COEFFICIENTS] = pieces
        return rows

    def derivative(self):
        """The table of the derivative; the number 0.0 where the derivative vanishes everywhere."""
        degree = 3 if self.kind == "cubic" else 1
        return replace(self, order=self.order + 1) if self.order < degree else 0.0

    def slope_discontinuities(self):
        """Points where the curve is not smooth: all of them, or only the two ends of a cubic spline."""
        return (self.xs[0], self.xs[-1]) if self.code == 1 else self.xs

    def slope_discontinuity_sizes(self):
        """Of each of `slope_discontinuities`: how far the curve is from one that is smooth there, as a share of its
        range; inf for ends and discontinuities.

        Straight lines through points of a smooth curve are off it by Δslope d/8 between neighbours that are d apart."""
        if self.code != 0:
            return np.full(len(self.slope_discontinuities()), np.inf)
        xs, ys = np.real(self.xs), np.real(self.ys)
        with np.errstate(over="ignore", invalid="ignore"):  # points too far apart are refused where the pieces are made
            gaps, change = np.diff(xs), np.abs(np.diff(np.diff(ys) / np.diff(xs)))
            size = change * np.maximum(gaps[1:], gaps[:-1]) / 8.0
            return np.concatenate([[np.inf], size / (np.ptp(ys) or 1.0), [np.inf]])


def interpolate(rows, first, last, code, x):
    """The value at x of the table in rows[first:last]. An expression x keeps the table as a node."""
    if hasattr(x, "interpolated"):
        return x.interpolated(Table.from_rows(rows[first:last], code))
    return _interpolate(rows, first, last, code, x)


@before_kernels
def overloads():
    """In kernels x is a number."""
    from numba.extending import overload

    from mekane.expressions.table_on_lanes import interpolate_lanes
    from mekane.numba_backend.lane import Lane

    @overload(interpolate)
    def _(rows, first, last, code, x):
        return interpolate_lanes if isinstance(x, Lane) else _interpolate


def _interpolate(rows, first, last, code, x):
    low, high = first, last - 1
    if real(x) < real(rows[low, 0]) or real(x) > real(rows[high, 0]):
        end = low if real(x) < real(rows[low, 0]) else high
        return 0.0 * x + (rows[end, 1] if code < 2 else 0.0)
    while high - low > 1:
        middle = (low + high) // 2
        if real(x) < real(rows[middle, 0]):
            high = middle
        else:
            low = middle
    d = x - rows[low, 0]
    return rows[low, 2] + d * (rows[low, 3] + d * (rows[low, 4] + d * rows[low, 5]))


def _finite(pieces_of, xs, ys):
    """The polynomials between the points, if they have finite coefficients."""
    try:
        with np.errstate(all="ignore"):
            pieces = pieces_of(xs, ys)
    except (ValueError, np.linalg.LinAlgError):  # infinite differences, or points that are one to round-off
        pieces = np.array([np.nan])
    if not np.isfinite(pieces).all():
        problem, expected = (
            "its points are too close to one another, or too far apart",
            "the slopes between them must be finite numbers",
        )
        raise ExpressionError("table", problem, expected, "Check the units of its columns.")
    return pieces


def _lines(xs, ys):
    slopes = np.diff(ys) / np.diff(xs)
    return np.column_stack([ys[:-1], slopes, np.zeros((len(slopes), 2))])


def _spline(xs, ys):
    if np.iscomplexobj(xs) or np.iscomplexobj(ys):
        return _spline_with_slope(np.array(xs, complex), np.array(ys, complex))
    from scipy.interpolate import CubicSpline  # slow to import, rarely needed
    from scipy.linalg import LinAlgWarning

    with warnings.catch_warnings():
        # points ever farther apart: the spline is the one that was requested
        warnings.simplefilter("ignore", LinAlgWarning)
        return CubicSpline(xs, ys, bc_type="not-a-knot").c[::-1].T


def _spline_with_slope(xs, ys):
    """The same pieces from points that carry derivatives (complex step): their equations are solved on complex
    numbers."""
    n, gaps, slopes = len(xs), np.diff(xs), np.diff(ys) / np.diff(xs)
    if n < 4:  # one polynomial through all points
        c = np.linalg.solve(np.vander(xs - xs[0], n, increasing=True), ys)
        c = np.concatenate([c, np.zeros(4 - n)])
        d = xs[:-1] - xs[0]
        return np.column_stack([ys[:-1], c[1] + 2 * c[2] * d, c[2] + 0 * d, 0 * d])
    A, b = np.zeros((n, n), complex), np.zeros(n, complex)  # for the slopes m at the points
    for k in range(1, n - 1):  # the second derivative goes on smoothly
        A[k, k - 1 : k + 2] = gaps[k], 2 * (gaps[k - 1] + gaps[k]), gaps[k - 1]
        b[k] = 3 * (gaps[k] * slopes[k - 1] + gaps[k - 1] * slopes[k])
    for row, i, j in ((0, 0, 1), (-1, n - 3, n - 2)):  # so does the third at the first and the last inner point
        A[row, i], A[row, i + 1], A[row, i + 2] = gaps[j] ** 2, gaps[j] ** 2 - gaps[i] ** 2, -(gaps[i] ** 2)
        b[row] = 2 * (gaps[j] ** 2 * slopes[i] - gaps[i] ** 2 * slopes[j])
    m = np.linalg.solve(A, b)
    bend = (m[:-1] + m[1:] - 2 * slopes) / gaps
    return np.column_stack([ys[:-1], m[:-1], (slopes - m[:-1]) / gaps - bend, bend / gaps])


def _number(x):
    return x if isinstance(x, np.complexfloating) else float(x)


def _check(table):
    if table.kind not in KINDS:
        raise ExpressionError("table", f"kind is {table.kind!r}", "a table is 'linear' or 'cubic'")
    if len(table.xs) != len(table.ys) or len(table.xs) < 2:
        raise ExpressionError(
            "table", f"it has {len(table.xs)} x and {len(table.ys)} y", "a table needs as many y as x, at least two"
        )
    if not all(map(np.isfinite, table.xs + table.ys)):
        raise ExpressionError("table", "a value is not finite", "every x and y must be a finite number")
    for before, after in zip(table.xs, table.xs[1:], strict=False):
        if not real(before) < real(after):
            raise ExpressionError(
                "table", f"x goes from {before:g} to {after:g}", "x must increase", "Sort the points by x."
            )
