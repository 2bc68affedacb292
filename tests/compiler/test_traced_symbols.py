"""Equations traced from tables of expressions.

Oracle: the same model built again from other numbers and traced with these; so every expression has gone through the
kernels once as an expression and once as a number. Tolerance 1e-11 of the largest number compared: a few thousand
operations in another order, with geometry that may amplify their round-off.
"""

import numpy as np
import pytest
from test_symbols import DIRECTIONS
from test_table_derivatives import OURS, shaken

from mekane import gallery
from mekane.codegen.trace import Trace
from mekane.compiler.compiler import compile_system
from mekane.compiler.symbolic_tables import symbolic
from mekane.expressions.graph import evaluate, inputs
from mekane.model.construction_log import rebuilt

OF_GALLERY = (
    "double_pendulum",
    "slider_crank_planar",
    "governor",
    "cam",
    "rolling_disc_1",
    "car_axis",
    "chaplygin_sleigh",
    "gyroscope",
)


def cases():
    found = [(name, gallery.find(name).system, "joint") for name in OF_GALLERY]
    found += [(name, OURS[name], "joint") for name in ("laws", "screw loop", "shaft")]
    found += [
        ("pendulum", gallery.find("pendulum").system, formulation)
        for formulation in ("absolute", "relative", "bryan", "mixed")
    ]
    return [pytest.param(build, formulation, id=f"{name}-{formulation}") for name, build, formulation in found]


def traced(trace, values):
    """Mass matrix, forcing and constraint rows at values by name; states without one get one."""
    rows = trace.rows
    found = {
        "M": trace.mass_matrix.ravel(),
        "forcing": trace.forcing,
        "phi": rows.phi,
        "B": rows.B.ravel(),
        "bias": rows.bias,
    }
    for name in inputs([x for part in found.values() for x in part]):
        values.setdefault(name, 0.2 + 0.7 * ((0.618034 * (len(values) + 1)) % 1.0))
    return {word: np.array(evaluate(list(part), values), float) for word, part in found.items()}


@pytest.mark.parametrize("build, formulation", cases())
def test_symbols_go_through_the_kernels(build, formulation):
    s, rates = shaken(build(), np.random.default_rng(5))
    tables = symbolic(s, formulation, "named")
    moved = {name: 0.1 * rates[name] * (not set(name.split(".")).intersection(DIRECTIONS)) for name in s.parameters}
    other = rebuilt(s, {name: value + moved[name] for name, value in s.parameters.items()})
    values = dict(other.constants)
    found = traced(Trace(tables.compiled, tables.tables, tables.registers, [-x for x in tables.base]), values)
    wanted = traced(Trace(compile_system(other, formulation)), values)
    for word, numbers in wanted.items():
        known = np.isfinite(numbers)
        assert np.abs(found[word] - numbers)[known].max(initial=0.0) <= 1e-11 * np.abs(numbers[known]).max(
            initial=0.0
        ), word
