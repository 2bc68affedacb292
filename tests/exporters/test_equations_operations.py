"""Every operation an expression can hold, in every language. Oracle: evaluate, which the expressions' own tests
check."""

import numpy as np
import pytest
from languages_played import PLAYED, play

from mekane.exporters import languages
from mekane.expressions.graph import Table, absolute, atan2, evaluate, floor, select, sign, symbol, topological
from mekane.expressions.opcodes import OPERATIONS
from mekane.symbolic.functions import Entry, Function, Functions

A, B, C = map(symbol, "abc")
TIME = symbol("t")
STRAIGHT = Table((-1.0, 0.5, 2.0), (1.0, -2.0, 3.0))
CURVE = Table((-1.0, 0.0, 0.5, 2.0, 2.5), (1.0, -2.0, 3.0, 0.1, 0.2), "cubic")
TABLES = [STRAIGHT, STRAIGHT.derivative(), CURVE, CURVE.derivative(), CURVE.derivative().derivative()]
PLAIN = [
    A + B,
    A - (B - C),
    A * (B * C),
    A / (B / C),
    -(A + B) * -C,
    A - -2.0 * B,
    (A * A + 1.0) ** 0.3,
    2.0**A,
    (B * B) ** (A - C),
    1.0 / A,
]
ANGLES = [
    A.sin(),
    A.cos(),
    A.tan(),
    (0.3 * A).arcsin(),
    (0.3 * B).arccos(),
    A.arctan(),
    atan2(A, B),
    atan2(-B, A),
    atan2(B, -1.0),
]
GROWING = [
    A.sinh(),
    B.cosh(),
    C.tanh(),
    A.exp(),
    (A * A + 0.1).log(),
    (B * B).sqrt(),
    floor(3.0 * A),
    floor(-3.0 * A),
    A % 0.7,
]
CHOICES = [
    select(A < B, A, select(B <= C, B * 2.0, C)), select((A < B) & (C < B), 1.5, A), select((A < B) | ~(C <= B), A + 1.0, -A),
    (A < B) * 3.0, select(A * B, A, B), absolute(A), sign(B), (A <= B) + (B < C), select(A < B, B, A) - select(A < B, A, B) * 2.0,
    select(A == B, 1.0, C), select(A < 0.0, TIME, 1.0 / (A - A.exp())), TIME * 2.0, 3.25, 0.0, -7.0, 1e300, 1.5e-12,
]  # fmt: skip
OUTPUTS = [*PLAIN, *ANGLES, *GROWING, *CHOICES, *[table(x) for table in TABLES for x in (A, 2.0 * B, C)]]
POINTS = [(0.3, -1.2, 0.8), (-1.0, 0.5, 2.0), (2.2, 1.1, -0.4), (-0.2, -0.7, 2.5), (1.3, 1.3, 3.0)]


def invented():
    state = [Entry("a", "1", 0.3, A), Entry("b", "1", -1.2, B)]
    rhs = Function("rhs", "every operation", (len(OUTPUTS),), OUTPUTS)
    sizes = {"coordinates": 1, "speeds": 1, "integrals": 0, "state": 2, "parameters": 1, "rows": 0}
    return Functions("operations", "joint", state, [Entry("c", "SI", 0.8, C)], sizes, [], [rhs], [])


def test_nothing_is_left_out():
    assert {x.op for x in topological(OUTPUTS)} - {"input"} == set(OPERATIONS)


@pytest.mark.parametrize("language", PLAYED)
def test_every_operation(language, tmp_path):
    """Tolerance: libraries round sin, pow … each in its own way, a few units in the last place; SymPy also reorders
    sums."""
    call, inputs = play(invented(), language, tmp_path), {"t": 0.7}
    for a, b, c in POINTS:
        expected = np.array(evaluate(OUTPUTS, inputs | {"a": a, "b": b, "c": c}), float)
        found = call("rhs", 0.7, [a, b], [c])
        wrong = ~np.isclose(found, expected, rtol=1e-14, atol=1e-14, equal_nan=True)
        assert not wrong.any(), [(repr(OUTPUTS[k]), found[k], expected[k]) for k in np.flatnonzero(wrong)]


@pytest.mark.parametrize("language", PLAYED)
def test_numbers_that_are_not_finite(language):
    """Written with the names of the language: repr(inf) would not be read back."""
    found = languages.find(language)
    written = {
        "c": "INFINITY NAN",
        "numpy": "np.inf np.nan",
        "jax": "jnp.inf jnp.nan",
        "casadi": "ca.inf float('nan')",
        "matlab": "Inf NaN",
        "sympy": "oo nan",
        "javascript": "Infinity NaN",
    }
    infinity, nan = written[language].split()
    assert (found.number(np.inf), found.number(-np.inf), found.number(np.nan)) == (infinity, f"-{infinity}", nan)
