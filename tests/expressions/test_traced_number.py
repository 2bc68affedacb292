"""Numbers that carry expressions. Oracle: their expressions, evaluated, are their values; to one unit in the last
place, since a power of an expression is a product."""

import numpy as np
import pytest

import mekane as mk
from mekane.expressions.graph import Expr, evaluate, symbol
from mekane.expressions.traced_number import TracedNumber, has_traced, kind_of_numbers, reals

VALUES = {"a": 0.7, "b": -1.3}
A, B = (TracedNumber(value, symbol(name)) for name, value in VALUES.items())


@pytest.mark.parametrize(
    "number",
    [
        A + B, 2 - A, A * np.float64(3.0), np.float64(3.0) / B, A**2, A**0.5, 2.0**A, -B, abs(B), abs(A), np.sin(A) * np.cos(B), np.sqrt(A),
        np.arctan2(A, B), np.tan(A), np.exp(B), np.log(A), np.arcsin(A), np.tanh(B), np.hypot(A, B), A.arctan2_of(2.0),
        (np.array([A, 1.0, B]) @ np.array([B, 2.0, A])), np.linalg.multi_dot([np.array([[A, 0.0], [0.0, B]], dtype=object)] * 2)[1, 1],
    ],
)  # fmt: skip
def test_value_and_expression_agree(number):
    assert isinstance(number, TracedNumber)
    assert evaluate(number.expr, VALUES) == pytest.approx(number.real, rel=3e-16)


def test_zeros_and_ones_vanish():
    assert 0.0 * A == 0.0 and A - A == 0.0 and A * 1.0 == A and (A + 0.0) == A
    assert (np.eye(2) @ np.array([A, B])).tolist() == [A, B]


def test_decisions_look_at_values():
    assert A > B and B < 0.0 and max(A, B) is A and np.argmax(np.array([B, A])) == 1
    assert TracedNumber(0.0, symbol("a")) != 0.0 and A != TracedNumber(0.7, symbol("b"))


def test_nothing_loses_its_expression_by_a_conversion():
    for convert in (float, np.float64, lambda x: np.array([x], float), lambda x: np.zeros(1).__setitem__(0, x)):
        with pytest.raises(TypeError):
            convert(A)
    with pytest.raises(mk.ModelError):
        mk.System().body("a", mass=A)


def test_with_expressions_it_is_one():
    q = symbol("q")
    assert A * q is symbol("a") * q and q - A is q - symbol("a") and isinstance(q < A, Expr)


def test_arrays():
    mixed = np.array([A, 2.0])
    assert has_traced(mixed) and not has_traced(np.array([1.0], dtype=object))
    assert reals(mixed).tolist() == [0.7, 2.0] and reals([1.0 + 2.0j]).tolist() == [1.0]
    assert (
        kind_of_numbers([1.0, A]) is object
        and kind_of_numbers([1.0]).kind == "f"
        and kind_of_numbers([1.0, 1j]).kind == "c"
    )
