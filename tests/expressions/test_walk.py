"""Going through graphs, also through very deep ones."""

import numpy as np
import pytest

from mekane.errors import ExpressionError
from mekane.expressions.graph import (
    count,
    differentiate,
    evaluate,
    inputs,
    reading,
    substitute,
    symbol,
    to_text,
    topological,
)
from mekane.expressions.tape import tape

x, y, z = symbol("x"), symbol("y"), symbol("z")


def test_arguments_come_first_and_nothing_twice():
    shared = np.sin(x) * y
    order = topological([shared + shared * shared, 3.0, np.cos(shared)])
    place = {node: i for i, node in enumerate(order)}
    assert len(place) == len(order)
    assert all(place[a] < place[node] for node in order for a in node.args if not isinstance(a, float))


def test_inputs_and_count():
    shared = np.sin(y) * x
    assert inputs([shared + z, x]) == ["y", "x", "z"] and inputs([2.0]) == []
    assert count([shared, shared + z, 1.0]) == 3


def test_evaluate_one_or_many_and_complex():
    assert (
        evaluate(x * 2, {"x": 1.5}) == 3.0 and evaluate([x, 2.0], {"x": 1.5}) == [1.5, 2.0] and evaluate(4.0, {}) == 4.0
    )
    assert evaluate(x * x, {"x": 1 + 1e-30j}).imag == 2e-30


def test_evaluate_never_raises_on_infinities():
    assert np.isinf(evaluate(1 / x, {"x": 0.0})) and np.isnan(evaluate(np.log(x), {"x": -1}))
    assert (
        evaluate((x < 0).select(np.sqrt(x), x), {"x": -4}) != evaluate((x < 0).select(x, np.sqrt(x)), {"x": -4}) == -4
    )


def test_evaluate_on_expressions_substitutes():
    assert evaluate(np.sin(x) * y + x, {"x": z, "y": 1.0}) is np.sin(z) + z


def test_substituting_in_several_expressions_is_substituting_in_each():
    both = [np.sin(x) * y + x, x * z, 2.0]
    assert substitute(both, {"x": z}) == [np.sin(z) * y + z, z * z, 2.0]
    assert all(
        substitute(one, {"x": z}) is other for one, other in zip(both[:2], substitute(both, {"x": z}), strict=False)
    )


def test_reading_finds_every_part_that_an_input_is_in():
    """Oracle: the inputs of each part."""
    whole = [np.sin(x * y) + np.cos(z) * 2.0, y / (1.0 + z), 3.0]
    for names in ({"x"}, {"y"}, {"x", "z"}, set(), {"w"}):
        assert reading(whole, names) == {one for one in topological(whole) if names & set(inputs([one]))}


def test_missing_value_is_named():
    with pytest.raises(ExpressionError, match="no value is given for 'x'. Did you mean 'X'"):
        evaluate(x, {"X": 1.0})


def test_deep_graphs_do_not_exhaust_the_stack():
    e = x
    for _ in range(10_000):
        e = np.sin(e) * y + 0.1
    value = 0.3
    derivative = 1.0
    for _ in range(10_000):
        value, derivative = np.sin(value) * 0.9 + 0.1, np.cos(value) * 0.9 * derivative
    inner = evaluate([e, differentiate(e, x)], {"x": 0.3, "y": 0.9})
    assert inner == pytest.approx([value, derivative], rel=1e-12, abs=1e-300)  # the same operations in the same order
    assert count([e]) == 30_000 == len(tape([e], ["x", "y"]).code)
    assert repr(e) == "<expression of 30000 operations>"
    with pytest.raises(ExpressionError, match="longer than"):
        to_text(e)
