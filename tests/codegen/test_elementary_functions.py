"""Elementary functions of exact code. Oracles: long doubles on 10⁵ arguments for every function, where the processor has
them with 64 bits; 60 digits of mpmath on fewer; the C library for special arguments, whose results C99 prescribes.

Tolerance: the bound that each function states, in units of the last place. Long doubles are off by 2⁻¹⁰ such units.
"""

import ctypes
import ctypes.util
import math

import numpy as np
import pytest
from lanes_code import rows_of, same_bits

from mekane.expressions.graph import symbol
from mekane.expressions.node import node

N = 100_000
rng = np.random.default_rng(17)


def sized(least, most, n=N // 3):
    """Numbers of both signs and many sizes."""
    return rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(least, most, n)


def angles():
    quarters = (
        np.round(10.0 ** rng.uniform(0, 8.9, N // 3)) * (np.pi / 2) * (1 + rng.integers(-3, 4, N // 3) * 2.0**-52)
    )
    return np.concatenate([rng.uniform(-4, 4, N // 3), sized(-20, 9.5), quarters, sized(9, 308, N // 10)])


ANGLES = angles()
UNIT = np.concatenate([rng.uniform(-1, 1, N // 2), sized(-12, 0), 1 - 10.0 ** rng.uniform(-16, 0, N // 3)])
HYPERBOLIC = np.concatenate([rng.uniform(-3, 3, N // 3), rng.uniform(-710.4, 710.4, N // 3), sized(-18, 2)])
POSITIVE = np.concatenate([10.0 ** rng.uniform(-307, 308, N // 3), rng.uniform(0.5, 2, N // 3), 1 + sized(-15, -1)])
BASES = np.concatenate([10.0 ** rng.uniform(-5, 5, N // 3), 10.0 ** rng.uniform(-300, 300, N // 3), 1 + sized(-14, -1)])
POWERS = np.concatenate([rng.uniform(-60, 60, N // 3), rng.uniform(-1, 1, N // 3), sized(0, 3)])
BOUNDS = {  # {function: (units in the last place, arguments, the same of NumPy, of mpmath)}
    "sin": (0.8, [ANGLES], np.sin, "sin"),
    "cos": (0.8, [ANGLES], np.cos, "cos"),
    "tan": (0.8, [ANGLES], np.tan, "tan"),
    "asin": (0.7, [UNIT], np.arcsin, "asin"),
    "acos": (0.7, [UNIT], np.arccos, "acos"),
    "atan": (0.7, [np.concatenate([rng.uniform(-4, 4, N), sized(-12, 20)])], np.arctan, "atan"),
    "atan2": (0.7, [sized(-290, 290, N) for _ in range(2)], np.arctan2, "atan2"),
    "sinh": (0.8, [HYPERBOLIC], np.sinh, "sinh"),
    "cosh": (0.8, [HYPERBOLIC], np.cosh, "cosh"),
    "tanh": (1.0, [np.concatenate([rng.uniform(-3, 3, N), sized(-18, 2)])], np.tanh, "tanh"),
    "exp": (0.9, [np.concatenate([rng.uniform(-1, 1, N // 2), rng.uniform(-708, 709.7, N // 2)])], np.exp, "exp"),
    "log": (0.6, [POSITIVE], np.log, "log"),
    "pow": (0.9, [BASES, POWERS], np.power, "power"),
}
SPECIAL = [
    0.0,
    1.0,
    0.5,
    2.0,
    3.0,
    0.25,
    1e-300,
    5e-324,
    2.0**-1022,
    1e-310,
    1e300,
    1.7976931348623157e308,
    np.inf,
    np.pi,
]
SPECIAL += [709.782712893384, 709.7827128933841, 745.13321910194, 745.1332191019412, 708.4, 710.475860073944, 1e9, 1e22]
SPECIAL += [1 - 2.0**-53, 1 + 2.0**-52]
SPECIAL = np.array([*SPECIAL, *(-x for x in SPECIAL), np.nan])
LONG = np.finfo(np.longdouble).nmant >= 63


def code_of(name, lanes):
    inputs = [symbol(f"x{k}") for k in range(len(BOUNDS[name][1]))]
    run = rows_of(inputs, [node(name, *inputs)], lanes)
    return lambda *args: run(np.column_stack(args))[:, 0]


def within_range(exact):
    """Where a double holds the value to full length."""
    size = np.abs(exact)
    return (size < 1.7e308) & (size > 2.3e-308)


@pytest.mark.skipif(not LONG, reason="long doubles are doubles here")
@pytest.mark.parametrize("name", BOUNDS)
def test_units_in_the_last_place_by_long_doubles(name):
    bound, args, function, _ = BOUNDS[name]
    with np.errstate(all="ignore"):
        exact = function(*(x.astype(np.longdouble) for x in args))
    kept, found = within_range(exact), code_of(name, 8)(*args)
    assert kept.mean() > 0.7 and kept.sum() > N // 2
    off = np.abs(found[kept] - exact[kept]) / np.spacing(np.abs(exact[kept]).astype(float))
    assert off.max() < bound, [x[kept][off.argmax()] for x in args]


@pytest.mark.parametrize("name", BOUNDS)
def test_units_in_the_last_place_by_many_digits(name):
    """Every hundredth argument; 1100 digits of π are needed for the largest angles."""
    mp = pytest.importorskip("mpmath")
    bound, args, _, exact_name = BOUNDS[name]
    args = [x[:: len(x) // 1000] for x in args]
    found = code_of(name, 4)(*args)
    with mp.workprec(1300 if name in ("sin", "cos", "tan") else 300):
        for value, *one in zip(found, *args, strict=True):
            exact = getattr(mp, exact_name)(*(mp.mpf(float(x)) for x in one))
            if within_range(float(exact)):
                assert abs(mp.mpf(float(value)) - exact) < bound * mp.mpf(float(np.spacing(abs(float(exact))))), one


@pytest.mark.parametrize("name", BOUNDS)
def test_the_same_bits_on_any_number_of_lanes_beside_any_neighbour(name):
    """Special arguments are among the others, so that lanes of every kind stand side by side."""
    args = [np.concatenate([x[:20_000], rng.permutation(np.resize(SPECIAL, 20_000))]) for x in BOUNDS[name][1]]
    order = rng.permutation(len(args[0]))
    alone = code_of(name, 1)(*args)
    for lanes in (2, 4, 8):
        run = code_of(name, lanes)
        assert same_bits(run(*args), alone)
        assert same_bits(run(*(x[order] for x in args)), alone[order])


@pytest.mark.parametrize("name", BOUNDS)
def test_special_arguments_are_those_of_the_c_library(name):
    """Zeros and their signs, infinities, no number, overflow, tiny numbers; where it is a usual number, to two units."""
    library = ctypes.CDLL(ctypes.util.find_library("m") or ctypes.util.find_library("c"))
    n = len(BOUNDS[name][1])
    function = getattr(library, name)
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * n
    args = [x.ravel() for x in np.meshgrid(*[SPECIAL] * n)]
    found, wanted = code_of(name, 4)(*args), np.array([function(*one) for one in zip(*args, strict=True)])
    for value, other, *one in zip(found, wanted, *args, strict=True):
        assert math.isnan(value) == math.isnan(other), one
        if not math.isnan(other):
            near = other if math.isinf(other) else pytest.approx(other, rel=0, abs=2 * math.ulp(other))
            assert value == near and math.copysign(1.0, value) == math.copysign(1.0, other), one


def test_an_angle_that_comes_nearest_to_a_quarter_turn():
    """6381956970095103 · 2⁷⁹⁷ is the double nearest to a multiple of π/2 (Muller, Elementary Functions, ch. 11)."""
    x, nearest = symbol("x"), 6381956970095103.0 * 2.0**797
    found = rows_of([x], [x.cos(), x.sin()], 1)(np.array([[nearest]]))[0]
    assert found[0] == pytest.approx(-4.68716592425462761112e-19, rel=1e-15, abs=0) and found[1] == 1.0
