"""Expressions as straight-line programs. Oracle: the number of operations of the graph itself."""

import pytest
from exported import exported

from mekane.expressions.graph import Expr, count, symbol
from mekane.symbolic.simplify.straight_line import LONGEST, program


def operations(x, names):
    """In the line that computes x: all that is not an input or has a name of its own."""
    inside = [one for one in x.args if isinstance(one, Expr) and one not in names and one.op != "input"]
    return 1 + sum(operations(one, names) for one in inside)


@pytest.mark.parametrize("name", ["squeezer", "puma560", "bicycle", "laws"])
def test_nothing_is_computed_twice_and_lines_are_short(name):
    """So the length of the code grows as the number of operations does."""
    for function in exported(name)[0].functions:
        found = program(function.outputs)
        lines = [operations(x, found.names) for x in found.steps]
        lines += [
            operations(x, found.names)
            for x in found.outputs
            if isinstance(x, Expr) and x not in found.names and x.op != "input"
        ]
        assert sum(lines) == count(function.outputs)
        assert max(lines, default=0) <= LONGEST


def steps_read(x, names):
    """Steps that the line which computes x reads."""
    args = [one for one in x.args if isinstance(one, Expr)]
    return {one for arg in args for one in ({arg} if arg in names else steps_read(arg, names))}


def test_every_step_reads_what_was_computed_before():
    for function in exported("squeezer")[0].functions:
        found, computed = program(function.outputs), set()
        for x in found.steps:
            assert steps_read(x, found.names) <= computed
            computed.add(x)


def test_what_is_used_once_stands_where_it_is_used():
    a, b = symbol("a"), symbol("b")
    product = a * b
    found = program([product.sin() + product, 2.0, a])
    assert found.steps == [product] and found.names == {product: "z1"} and found.inputs[0] is a and found.inputs[1] is b


def test_a_very_deep_expression_is_no_trouble():
    x = symbol("x")
    deep = x
    for _ in range(100_000):
        deep = deep.sin()
    assert len(program([deep]).steps) == 100_000 // LONGEST
