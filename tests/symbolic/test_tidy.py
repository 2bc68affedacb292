"""Tidy equations of every mechanism of the gallery are worth what was traced.

Oracle: the traced expressions themselves, which other tests hold against the kernels, at points by chance. The
round-off is that of all terms, of which some thousand are added and cancel: 1e-12 of the sum of their sizes.
"""

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.expressions.graph import Expr, evaluate, topological

ROUND_OFF = 1e-12


def a_point(eq, seed=1):
    """Numbers for everything that moves; Euler parameters of length one."""
    trace, rng = eq.trace, np.random.default_rng(seed)
    moving = [
        x.name for x in (*trace.q, *trace.u, *trace.ud, *trace.integrals, *trace.multipliers) if isinstance(x, Expr)
    ]
    values = eq.traced.values | {"t": 0.3} | dict(zip(moving, rng.uniform(-1.3, 1.3, len(moving)), strict=True))
    for group in trace.units:
        length = np.sqrt(sum(values[x.name] ** 2 for x in group))
        values |= {x.name: values[x.name] / length for x in group}
    return values


def sizes(expressions, values):
    """Of every expression the sum of the sizes of all terms, were it multiplied out."""
    nodes = topological(expressions)
    size = dict(zip(nodes, np.abs(np.array(evaluate(nodes, values), float)), strict=True))
    of = lambda x: size[x] if isinstance(x, Expr) else abs(x)
    for f in nodes:
        if f.op in ("add", "sub"):
            size[f] = of(f.args[0]) + of(f.args[1])
        elif f.op in ("mul", "neg"):
            size[f] = np.prod([of(x) for x in f.args])
        elif f.op == "div":
            size[f] = of(f.args[0]) / abs(float(evaluate(f.args[1], values)))
    return np.array([of(x) for x in expressions])


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", gallery.names())
def test_formulas_are_worth_what_was_traced(name):
    """Whatever is shown, with its intermediate variables."""
    eq = mk.equations(gallery.find(name).system())
    values, trace = a_point(eq), eq.trace
    shown = [(eq.mass_matrix, trace.mass_matrix), (eq.forcing, trace.forcing)]
    shown += [(eq.active_forces, trace.active_forces), (eq.inertia_forces, trace.inertia_forces)]
    shown += [(eq.constraint_matrix, trace.rows.B)] if eq.has_rows else []
    for formula, expected in shown:
        expressions = list(np.array(expected, object).ravel())
        found, wanted = formula.evaluate(**values).ravel(), np.array(evaluate(expressions, values), float)
        assert np.all(np.abs(found - wanted) <= ROUND_OFF * sizes(expressions, values)), formula.symbol
