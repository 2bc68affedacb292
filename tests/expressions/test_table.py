"""Tables. Oracles: numpy's linear interpolation, SciPy's spline, and a cubic, which the not-a-knot spline
reproduces."""

import numba
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from mekane.errors import ExpressionError
from mekane.expressions.graph import Table, symbol
from mekane.expressions.table import interpolate

XS, YS = (-1.0, 0.0, 0.5, 2.0, 3.0), (2.0, 1.0, 4.0, -3.0, 0.0)
INSIDE = np.linspace(-1, 3, 41)


def test_linear_is_numpys_interpolation():
    table = Table(XS, YS)
    for x in [-9.0, *INSIDE, 9.0]:
        assert table(x) == pytest.approx(np.interp(x, XS, YS), rel=1e-14, abs=1e-14)


def test_cubic_is_the_not_a_knot_spline_with_constant_ends():
    table, spline = Table(XS, YS, "cubic"), CubicSpline(XS, YS)
    for x in INSIDE:
        assert table(x) == pytest.approx(spline(x), rel=1e-13, abs=1e-13)
        assert table.derivative()(x) == pytest.approx(spline(x, 1), rel=1e-13, abs=1e-13)
    assert table(-5.0) == 2.0 and table(7.0) == 0.0 and table.derivative()(7.0) == 0.0


def test_spline_reproduces_a_cubic():
    cubic = np.poly1d([1.0, -2.0, 0.5, 3.0])
    table = Table(XS, cubic(np.array(XS)), "cubic")
    for x in INSIDE:  # values up to 15, coefficients from a small linear system: a hundred ulps
        assert table(x) == pytest.approx(cubic(x), abs=1e-13)


@pytest.mark.parametrize("kind", ["linear", "cubic"])
@pytest.mark.parametrize("order", [0, 1])
def test_compiled_and_complex_agree_with_plain(kind, order):
    table = Table(XS, YS, kind, order)
    compiled = numba.njit(lambda rows, n, code, x: interpolate(rows, 0, n, code, x))
    for x in [-9.0, *INSIDE, 9.0]:
        # compiled code may fuse operations
        assert compiled(table.rows, 5, table.code, x) == pytest.approx(table(x), rel=1e-14, abs=1e-14)
        step = compiled(table.rows, 5, table.code, complex(x, 1e-30))
        derivative = table.derivative()
        expected = derivative(x) if derivative else 0.0
        assert step.real == pytest.approx(table(x), rel=1e-14, abs=1e-14)
        assert step.imag * 1e30 == pytest.approx(expected, rel=1e-13, abs=1e-13)


def test_symbols_keep_the_table_and_equal_tables_are_one_node():
    t = symbol("t")
    assert Table(XS, YS)(t) is Table(list(XS), np.array(YS))(t) and Table(XS, YS)(t) is not Table(XS, YS, "cubic")(t)
    table = Table(XS, YS, "cubic", 2)
    assert Table.from_rows(table.rows, table.code) == table
    assert Table(XS, YS)(t).op == "table" and Table(XS, YS)(t).data == Table(XS, YS)


def test_slope_discontinuities():
    assert (
        Table(XS, YS).slope_discontinuities() == XS
        and Table(XS, YS, "cubic").slope_discontinuities() == (-1.0, 3.0)
        and Table(XS, YS, "cubic", 2).slope_discontinuities() == XS
    )


def test_sizes_of_slope_discontinuities():
    """Oracle: chords of a parabola y = x² are off it by d²/4 at most, and a slope discontinuity by half of what two chords make,
    Δslope d/8 = d²/4."""
    xs = np.linspace(0.0, 1.0, 11)
    assert Table(xs, xs**2).slope_discontinuity_sizes()[1:-1] == pytest.approx(0.1**2 / 4, rel=1e-9)  # the range is 1
    # neither scale nor offset matters
    assert Table(xs, 7.0 - 3.0 * xs**2).slope_discontinuity_sizes()[1:-1] == pytest.approx(0.1**2 / 4, rel=1e-9)
    assert Table(xs, 2.0 + xs).slope_discontinuity_sizes()[1:-1] == pytest.approx(0.0, abs=1e-14)
    assert (
        np.isinf(Table(xs, xs**2).slope_discontinuity_sizes()[[0, -1]]).all()
        and np.isinf(Table(xs, xs**2, order=1).slope_discontinuity_sizes()).all()
    )
    assert np.isinf(Table(xs, xs**2, "cubic").slope_discontinuity_sizes()).all()


# fmt: off
@pytest.mark.parametrize(("xs", "ys", "kind", "message"), [
    ((0, 1), (0, 1), "quadratic", "kind is 'quadratic'; a table is 'linear' or 'cubic'"),
    ((0, 1), (0,), "linear", "it has 2 x and 1 y"), ((0,), (0,), "linear", "at least two"),
    ((0, 1, 1), (0, 1, 2), "linear", "x goes from 1 to 1; x must increase. Sort the points"),
    ((0, np.nan), (0, 1), "linear", "not finite"), ((0, 1), (0, np.inf), "cubic", "not finite"),
])  # fmt: on
def test_bad_tables_are_refused(xs, ys, kind, message):
    with pytest.raises(ExpressionError, match=message):
        Table(xs, ys, kind)


@pytest.mark.parametrize("kind", ["linear", "cubic"])
@pytest.mark.parametrize("xs, ys", [((0.0, 1e-320, 1.0), (0.0, 1.0, 2.0)), ((0.0, 1.0, 2.0, 3.0), (1e308, -1e308, 1e308, 0.0))])
@pytest.mark.filterwarnings("error")
def test_a_curve_without_finite_derivatives_is_refused(xs, ys, kind):
    with pytest.raises(ExpressionError, match="too close to one another, or too far apart"):
        Table(xs, ys, kind)(0.5)
