"""Expressions multiplied out. Oracles: the expression itself at points by chance, identities of trigonometry, SymPy.

Multiplying out keeps the value but not its round-off, which is that of the terms: so errors are measured beside the sum
of their sizes.
"""

import math

import numpy as np
import pytest
import sympy

from mekane.expressions.graph import Table, atan2, evaluate, select, symbol
from mekane.symbolic.simplify.polynomial import Algebra, TooLarge
from mekane.symbolic.simplify.tidy import Tidy

a, b, c, d = map(symbol, "abcd")
NAMES = "abcd"
ROUND_OFF = 1e-12  # beside the sum of the sizes of all terms: some thousand operations on numbers good to 1e-16
TABLE = Table((-9.0, 0.0, 9.0), (1.0, 2.0, -1.0))


def some_expression(rng, depth=5):
    """Of all operations; what is under a root or a fraction's bar stays away from zero."""
    if depth == 0 or rng.random() < 0.1:
        return symbol(NAMES[rng.integers(4)]) if rng.random() < 0.8 else float(rng.choice([-2.0, -1.0, 0.5, 1.0, 3.0]))
    x, y = some_expression(rng, depth - 1), some_expression(rng, depth - 1)
    safe = np.cos(x)
    made = [
        lambda: x + y, lambda: x - y, lambda: x * y, lambda: -x, lambda: x / 4.0, lambda: np.sin(x), lambda: np.cos(x + y),
        lambda: np.cos(x - y), lambda: y / (2.0 + safe), lambda: np.sqrt(2.0 + safe), lambda: 1.0 / np.sqrt(3.0 + safe),
        lambda: safe**2, lambda: safe**3,
        lambda: np.tan(safe), lambda: np.exp(safe), lambda: np.log(2.0 + safe), lambda: np.arctan(x), lambda: atan2(safe, 2.0),
        lambda: np.tanh(safe), lambda: (2.0 + safe) ** 1.5, lambda: select(symbol("a") < symbol("b"), x, y), lambda: TABLE(safe),
        lambda: np.arcsin(safe / 2), lambda: np.sinh(safe) * np.cosh(safe),
    ]  # fmt: skip
    return made[rng.integers(len(made))]()


def size(algebra, expr, values):
    """The sum of the sizes of all terms, multiplied out."""
    polynomial = algebra.of(expr)
    return sum(
        abs(x) * math.prod(abs(float(evaluate(algebra.atoms[k], values))) ** n for k, n in m)
        for m, x in polynomial.items()
    )


@pytest.mark.parametrize("seed", range(12))
def test_tidy_keeps_the_value(seed):
    rng = np.random.default_rng(seed)
    met = 0
    for _ in range(25):
        expr, tidy = some_expression(rng), Tidy(["a"], ["b", "c", "d"], most_terms=300)
        found = tidy(expr)
        if found is None:
            continue
        values = dict(zip(NAMES, rng.uniform(-2, 2, 4), strict=True))
        was, now = (float(evaluate(x, values)) for x in (expr, found))
        assert abs(now - was) <= ROUND_OFF * (1.0 + size(tidy.algebra, expr, values))
        met += 1
    assert met >= 15  # the others would have too many terms


IDENTICAL = [
    ((a + b) ** 2, a * a + 2 * a * b + b * b),
    (a * (b + c) - a * b, a * c),
    (np.sin(a) ** 2 + np.cos(a) ** 2, 1.0),
    (np.sin(a + b), np.sin(a) * np.cos(b) + np.cos(a) * np.sin(b)),
    (np.cos(a - b - c), np.cos(c + b - a)),
    (np.sin(a - b) + np.sin(b - a), 0.0),
    (np.cos(a + b) ** 2, 1 - np.sin(b + a) ** 2),
    (np.sin(a + np.pi / 2), np.cos(a)),
    (np.cos(a - np.pi), -np.cos(a)),
    (np.tan(a), np.sin(a) / np.cos(a)),
    (1 + np.tan(a) ** 2, 1 / np.cos(a) ** 2),
    (np.sqrt(a + b) ** 2, b + a),
    (np.exp(a * (b + 1)), np.exp(a + a * b)),
    (select(a * (b + c) < 0, 2.0, 1.0), select(a * b + a * c < 0, 2.0, 1.0)),
    ((a + b) / (2 * b + 2 * a), 0.5),
]
EQUAL = [
    (np.sin(2 * a), 2 * np.sin(a) * np.cos(a)),
    (np.cos(3 * a), 4 * np.cos(a) ** 3 - 3 * np.cos(a)),
    ((a * a - b * b) / (a - b), a + b),
    (1 / (1 / a + 1 / b), a * b / (a + b)),
    (a / (2 * a + 2 * b) + b / (2 * a + 2 * b), 0.5),
    (1 / np.sqrt(a), np.sqrt(a) / a),
    (np.sin(a) ** 3 / np.sin(a), 1 - np.cos(a) ** 2),
]


@pytest.mark.parametrize(("left", "right"), IDENTICAL)
def test_equal_ones_come_out_identical(left, right):
    tidy = Tidy([], NAMES)
    found = tidy(left), tidy(right)
    assert found[0] is found[1] or found[0] == found[1] == float(right)


@pytest.mark.parametrize(("left", "right"), IDENTICAL + EQUAL)
def test_equal_ones_are_seen_to_be_equal(left, right):
    """Also where something is divided, or angles are multiplied; and nothing else is."""
    tidy = Tidy([], NAMES)
    assert tidy.are_equal(left, right) and tidy.are_equal(right, left)
    assert not tidy.are_equal(left, right + 1e-9 * a) and not tidy.are_equal(left, right * 1.000001 + 1e-6)


ROOT_OF_SQUARE = np.sqrt(a * a)  # is a only where a is positive
UNEQUAL = [
    (a + b, a - b), (np.sin(a + b), np.sin(a) + np.sin(b)), (np.sin(a) ** 2, np.cos(a) ** 2), (np.sin(-a), np.sin(a)), (a / b, b / a),
    (ROOT_OF_SQUARE, a), (np.cos(a + b), np.cos(a - b)), (a * b, a * c), (1 / (a + b), 1 / a + 1 / b), (a, 0.0), (np.tan(a), np.sin(a)),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right"), UNEQUAL)
def test_unequal_ones_are_not(left, right):
    assert not Tidy([], NAMES).are_equal(left, right)


def test_euler_parameters_are_of_length_one():
    """R Rᵀ = 1 of a rotation matrix, in products of Euler parameters; without the rule it is not."""
    e = [symbol(f"e{k}") for k in range(4)]
    w, x, y, z = e
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    knows, ignorant = Tidy([], [], units=[e]), Tidy([], [])
    for i, j in np.ndindex(3, 3):
        assert knows.are_equal((R @ R.T)[i, j], float(i == j))
    assert not ignorant.are_equal((R @ R.T)[0, 0], 1.0)


@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
@pytest.mark.parametrize("of", [np.sin, np.cos])
def test_products_of_angles_become_functions_of_sums(of, signs):
    """Three angles, multiplied out to four terms, come back as one function."""
    s, t = signs
    whole = of(a + s * b + t * c)
    signed = lambda f, x, sign: f(x) * (sign if f is np.sin else 1)
    apart = sum(sign * f(a) * signed(g, b, s) * signed(h, c, t) for f, g, h, sign in products(of))
    found = Tidy([], NAMES)(d * apart)
    assert found is Tidy([], NAMES)(d * whole)
    assert str(found).count("(") == 1  # one function of one angle


def products(of):
    """sin(a + b + c), cos(a + b + c) multiplied out"""
    s, c_ = np.sin, np.cos
    if of is np.sin:
        return [(s, c_, c_, 1), (c_, s, c_, 1), (c_, c_, s, 1), (s, s, s, -1)]
    return [(c_, c_, c_, 1), (s, s, c_, -1), (s, c_, s, -1), (c_, s, s, -1)]


def test_sympy_says_the_same():
    """simplify(a − b) = 0 for what is equal, and not for what is not. (SymPy reads no “x if y else z”, and needs π as
    such.)"""
    symbols = dict(zip(NAMES, sympy.symbols("a:d", positive=True), strict=True))
    read = lambda x: sympy.sympify(str(x), locals=symbols)
    assert all(sympy.simplify(read(x) - read(y)) == 0 for x, y in IDENTICAL[:7] + IDENTICAL[9:13] + EQUAL)
    assert all(sympy.simplify(read(x) - read(y)) != 0 for x, y in UNEQUAL if x is not ROOT_OF_SQUARE)


def test_what_is_too_large_is_an_error():
    """(a + b + c + d)**16 has 969 terms."""
    with pytest.raises(TooLarge):
        Algebra(most_terms=500).of((a + b + c + d) ** 16)
    assert len(Algebra(most_terms=2000).of((a + b + c + d) ** 16)) == 969
    assert Tidy([], NAMES, most_terms=500)((a + b + c + d) ** 16) is None
    assert not Tidy([], NAMES, most_terms=500).are_equal((a + b + c + d) ** 16, (d + c + b + a) ** 16 + 1)


def test_coefficients_of_binomials_are_exact():
    polynomial = Algebra(4000).of((a + b) ** 12)
    assert sorted(polynomial.values()) == sorted(float(math.comb(12, k)) for k in range(13))
