"""Exact code of whole graphs. Oracle: the same graph on one lane and alone, bit by bit; sums and products in rational
arithmetic, rounded where the code must round. No tolerance: bits are equal or not."""

import random
from fractions import Fraction

import numpy as np
import pytest
from lanes_code import rows_of, same_bits

from mekane.codegen import emit
from mekane.codegen.llvm_writer import Place
from mekane.expressions.graph import Expr, Table, symbol, topological
from mekane.expressions.node import node
from mekane.expressions.opcodes import OPCODES

ARITY = {"pow": 2, "atan2": 2, "add": 2, "sub": 2, "mul": 2, "div": 2, "less": 2, "less_equal": 2, "select": 3}
CURVE = Table((-1.0, 0.0, 1.0, 2.5, 3.0), (0.3, 1.0, 2.0, -1.0, 0.5), "cubic")
SPECIAL = [0.0, -0.0, 1.0, -1.0, 1e300, -1e-300, 5e-324, np.inf, -np.inf, np.nan, 3e6, 1e22]


def random_graph(seed, operations=150):
    """Inputs and outputs of a graph that has every operation; sums and products are the commonest."""
    draw = random.Random(seed)
    inputs = [symbol(f"x{k}") for k in range(6)]
    nodes = [*inputs]
    ops = [*OPCODES, *draw.choices(["add", "sub", "mul"], k=operations)]
    draw.shuffle(ops)
    for op in ops:
        args = [draw.choice(nodes[-25:]) if draw.random() < 0.9 else draw.gauss(0, 1) for _ in range(ARITY.get(op, 1))]
        if not any(isinstance(x, Expr) for x in args):
            args[0] = inputs[0]
        made = node(op, *args, data=CURVE if op == "table" else None)
        nodes += [made] if isinstance(made, Expr) else []
    used = {x for one in nodes for x in one.args}
    return inputs, [one for one in nodes if one not in used]


def rows(seed, n=800):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 6)) * 10.0 ** rng.uniform(-3, 3, size=(n, 6))
    odd = rng.random(x.shape) < 0.03
    x[odd] = rng.choice(SPECIAL, odd.sum())
    return x


@pytest.mark.parametrize("seed", range(6))
def test_bits_do_not_depend_on_lanes_neighbours_or_order(seed):
    inputs, outputs = random_graph(seed)
    x = rows(seed)
    alone, shuffled = rows_of(inputs, outputs, 1)(x), np.random.default_rng(seed).permutation(len(x))
    assert np.isfinite(alone).mean() > 0.2
    for lanes in (2, 4, 8):
        run = rows_of(inputs, outputs, lanes)
        assert same_bits(run(x), alone) and same_bits(run(x[shuffled]), alone[shuffled])
    assert same_bits(rows_of(inputs, outputs, 4, breadth_first(outputs))(x), alone)


def test_every_operation_is_in_the_graphs():
    assert {one.op for one in topological(random_graph(0)[1])} == {*OPCODES, "input"}


def breadth_first(outputs):
    """Operations by their depth: another order, arguments first. Inputs are left to `function`."""
    depth = {}
    for one in topological(outputs):
        depth[one] = 1 + max((depth[x] for x in one.args if isinstance(x, Expr)), default=0)
    return sorted((one for one in depth if one.op != "input"), key=depth.get)


def test_an_order_that_lacks_an_operation_is_refused():
    x = symbol("x")
    with pytest.raises(AssertionError, match="missing"):
        emit.function("f", {x: Place("a", 0)}, {Place("b", 0): x.sin() + 1.0}, exact=True, order=[x])


def test_what_is_known_already_is_read_and_not_computed():
    """A product that is an input is not fused: it was rounded when it was made."""
    x, y = symbol("x"), symbol("y")
    product = x * y
    body, arrays = emit.function(
        "f", {product: Place("p", 0), y: Place("a", 1)}, {Place("b", 0): product + y}, exact=True
    )
    assert body.operations == 1 and arrays == ["p", "a", "b"] and "fma" not in body.text and "fadd" in body.text


def test_what_is_rounded():
    """A product that sums alone use is not rounded, and a sum in a sum is part of it; everything else is rounded."""
    x, y, z = (symbol(name) for name in "xyz")
    twice = x * z
    rounded = lambda value: Fraction(float(value))
    graphs = {
        x * y + z: lambda x, y, z: x * y + z,
        x * y - z: lambda x, y, z: x * y - z,
        z - x * y: lambda x, y, z: z - x * y,
        x * y + (twice - y): lambda x, y, z: rounded(x * y - y) + x * z,
        z - (x - (y - x * y)): lambda x, y, z: rounded(rounded(z - x) + y) - x * y,
        (twice + y) / (twice - z): lambda x, y, z: rounded(x * z + y) / rounded(x * z - z),
        -(x * y - z) * y: lambda x, y, z: -rounded(x * y - z) * y,
        (twice + y) * twice: lambda x, y, z: rounded(rounded(x * z) + y) * rounded(x * z),
    }
    given = np.random.default_rng(1).normal(size=(500, 3))
    for graph, value in graphs.items():
        found = rows_of([x, y, z], [graph], 4)(given)[:, 0]
        assert found.tolist() == [float(value(*map(Fraction, row))) for row in given.tolist()]
