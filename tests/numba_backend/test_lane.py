"""The scalar type of lanes, in functions that are compiled with all the flags of kernels. Oracle: the same on each number
by itself; sums and products in rational arithmetic, rounded where the code must round; NumPy for functions.

Tolerance: none for arithmetic and choices. Functions are within one unit in the last place of the true value
(tests/codegen/test_elementary_functions.py), and so is NumPy: two apart.
"""

from fractions import Fraction

import numba
import numpy as np
import pytest

from mekane.algebra import scalar
from mekane.codegen.functions.lane_library import tell_linker
from mekane.expressions.table import Table, interpolate
from mekane.numba_backend.kernel import FAST
from mekane.numba_backend.lane import KINDS, LANES, lane_array
from mekane.numba_backend.views import array_at

rng = np.random.default_rng(3)
compiled = numba.njit(error_model="numpy", fastmath=FAST)


def on_lanes(function, lanes, *args):
    """function(x, y, z) of every number, `lanes` of them at a time."""
    tell_linker(lanes)
    numbers, function = array_at(KINDS[lanes]), compiled(function)

    @compiled
    def run(rows, a, b, c, out):
        x, y, z, found = numbers(a, rows), numbers(b, rows), numbers(c, rows), numbers(out, rows)
        for k in range(rows):
            found[k] = function(x[k], y[k], z[k])

    rows = len(args[0]) // lanes
    given, out = [lane_array(lanes, rows) for _ in range(3)], lane_array(lanes, rows)
    for array, x in zip(given, args, strict=False):
        array[:] = x[: rows * lanes].reshape(rows, lanes)
    run(rows, *(x.ctypes.data for x in given), out.ctypes.data)
    return out.ravel()


def rounded(value):
    return Fraction(float(value))


@pytest.mark.parametrize("lanes", LANES)
def test_every_rounding_is_where_it_is_written(lanes):
    """A sum that follows a product is rounded once, and nothing is reordered, whatever flags the function carries."""
    given = rng.normal(size=(3, 400))
    products = on_lanes(lambda x, y, z: (x * y + z) - x * z, lanes, *given)
    sums = on_lanes(lambda x, y, z: ((y + x) + z) - y, lanes, *given)
    quotients = on_lanes(lambda x, y, z: x / z + y / z - 2.0 * x, lanes, *given)
    for k, (x, y, z) in enumerate(zip(*(map(Fraction, v.tolist()) for v in given), strict=True)):
        assert products[k] == float(rounded(x * y + z) - x * z)
        assert sums[k] == float(rounded(rounded(y + x) + z) - y)
        assert quotients[k] == float(rounded(rounded(x / z) + rounded(y / z)) - 2 * x)


FUNCTIONS = {
    "sin": (np.sin, np.sin), "cos": (np.cos, np.cos), "tan": (scalar.tan, np.tan), "asin": (scalar.asin, np.arcsin),
    "acos": (scalar.acos, np.arccos), "atan": (scalar.atan, np.arctan), "sinh": (scalar.sinh, np.sinh), "cosh": (scalar.cosh, np.cosh),
    "tanh": (scalar.tanh, np.tanh), "exp": (np.exp, np.exp), "log": (np.log, np.log), "sqrt": (np.sqrt, np.sqrt),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function, wanted = FUNCTIONS[name]
    x = rng.uniform(-1.5, 1.5, 400)
    found = on_lanes(lambda x, y, z: function(x), 4, x)
    with np.errstate(invalid="ignore"):
        exact = wanted(x)
    assert np.array_equal(np.isnan(found), np.isnan(exact)) and np.isfinite(exact).mean() > 0.4
    assert np.nanmax(np.abs(found - exact) / np.spacing(np.abs(exact))) <= 2.0


@pytest.mark.parametrize("function, wanted", [(scalar.atan2, np.arctan2), (scalar.power, np.power)])
def test_functions_of_two_numbers(function, wanted):
    x, y = rng.uniform(0.1, 5, 400), rng.uniform(-3, 3, 400)
    exact = wanted(x, y)
    assert np.max(np.abs(on_lanes(lambda x, y, z: function(x, y), 4, x, y) - exact) / np.spacing(np.abs(exact))) <= 2.0


def test_choices_are_made_in_every_lane():
    x, y, _ = given = np.round(rng.uniform(-2, 2, (3, 400)), 1)
    assert np.array_equal(on_lanes(lambda x, y, z: scalar.minimum(x, y), 4, *given), np.minimum(x, y))
    assert np.array_equal(on_lanes(lambda x, y, z: scalar.maximum(x, y), 4, *given), np.maximum(x, y))
    assert np.array_equal(on_lanes(lambda x, y, z: scalar.absolute(x), 4, *given), np.abs(x))
    assert np.array_equal(on_lanes(lambda x, y, z: scalar.floor(x), 4, *given), np.floor(x))
    assert np.array_equal(on_lanes(lambda x, y, z: scalar.sign(x), 4, *given), np.sign(x))
    least = on_lanes(lambda x, y, z: scalar.select(scalar.less_equal(x, y), 1.0 + scalar.zero_like(x), z), 4, *given)
    assert np.array_equal(least, np.where(x <= y, 1.0, given[2]))


def test_zero_like_is_zero_even_of_what_is_no_number():
    x = np.array([np.inf, np.nan, -np.inf, 1.0])
    assert on_lanes(lambda x, y, z: scalar.zero_like(x), 4, x).tolist() == [0.0] * 4


@pytest.mark.parametrize("kind", ["linear", "cubic"])
def test_tables_are_read_by_every_lane(kind):
    """In rows of its own: here the table of lane k is k + 1 times as high."""
    table, lanes = Table((0.0, 1.0, 2.5, 3.0), (1.0, 2.0, -1.0, 0.5), kind), 4
    x, n = np.concatenate([rng.uniform(-1, 4, 397), [0.0, 3.0, 2.5]]), len(table.rows)
    rows = lane_array(lanes, *table.rows.shape)
    rows[:] = table.rows[:, :, None]
    rows[:, 1:] *= np.arange(1.0, lanes + 1)
    address, rows_at = rows.ctypes.data, array_at(KINDS[lanes], 2)
    found = on_lanes(lambda x, y, z: interpolate(rows_at(address, n, 6), 0, n, 0, x), lanes, x)
    exact = np.array([table(one) for one in x]) * np.tile(np.arange(1.0, lanes + 1), len(x) // lanes)
    assert np.abs(found - exact).max() <= 4e-15
