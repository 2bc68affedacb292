"""Traces for lanes beside the compiled kernels: trees in the axes of each body, where kernels have those of the ground, and
balls along the axes of the ground, where kernels have those of the body.

The kernels are proved by other oracles (mk.kane_equations sums over bodies). Tolerance: the same equations in other axes,
relative to the largest acceleration, or to 1; mass matrices of these trees lose up to three digits.
"""

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane.codegen.entry_code import at
from mekane.codegen.lanes import body_axes
from mekane.codegen.lanes.traced_model import TracedModel
from mekane.compiler.symbolic_tables import symbolic
from mekane.expressions.graph import evaluate
from mekane.expressions.node import own_nodes
from mekane.gallery import squeezer
from mekane.kernels import projection
from mekane.kernels.multipliers import factor_rows
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import Y_PHI, Y_RATE
from mekane.tables.tables import REFINEMENTS


def aligned():
    """Pins and sliders along axes of their bodies, both ways round, one with a rotor, and a branch: rows of articulated
    inertias vanish."""
    s, before = mk.System("aligned", gravity=systems.G), "ground"
    for k, axis in enumerate(((1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 1, 0), (0, 0, -1))):
        s.body(f"link {k}", 1.0 + k, (0.1, 0.2, 0.25), com=(0.1, 0, -0.2), position=(0.3 * k, 0.1 * k, -0.5 * k))
        s.pin(f"pin {k}", before, f"link {k}", at=(0.3 * k, 0.1 * k, -0.5 * k), axis=axis)
        before = f"link {k}"
    s.rotor("rotor", "pin 2", 0.3)
    s.body("side", 0.5, (0.1, 0.1, 0.1), position=(1, 0, 0))
    s.slider("rail", "link 1", "side", at=(1, 0, 0), axis="x")
    s.force("wind", "side", ("sin(t)", 1.0, -2.0))
    return s


def trees():
    found = systems.named() | {"aligned": aligned}
    return [pytest.param(build, id=name) for name, build in found.items()]


@pytest.mark.parametrize("build", [aligned, systems.mixed_chain, systems.laws, systems.free_bodies])
def test_trees(build):
    assert difference(build()) < 1e-11


@pytest.mark.exhaustive
@pytest.mark.parametrize("build", trees())
def test_all_trees(build):
    off = difference(build())
    assert off is None or off < 1e-11


def difference(system):
    """Of the accelerations, relative to the largest; None where there are constraint rows."""
    model = Model(system)
    if not body_axes.is_possible(model.T, model.W):
        return None
    y, end = model.somewhere(), model.n_q + model.n_u
    expected = model.rhs(0.7, y)[model.n_q : end]
    found = body_axes.accelerations(model.T, model.W, y[: model.n_q], y[model.n_q : end])
    return np.abs(found.astype(float) - expected).max() / max(np.abs(expected).max(), 1.0)


@pytest.mark.parametrize("formulation", ["joint", "mixed"])
@pytest.mark.parametrize("build", [squeezer.system, lambda: systems.by_chance(1), systems.free_bodies])
def test_speeds_of_balls_in_the_ground(build, formulation):
    """Right-hand side and Newton steps onto the constraints as lanes have them, beside the kernels as they are. Their speeds
    of balls are along other axes, and pivots cancel: only the order of roundings differs."""
    with own_nodes():
        model = Model(build(), formulation)
        model.W.regularization[0], model.W.state[REFINEMENTS] = 0.0, 0
        traced = TracedModel(symbolic(model.system, formulation, []), model.W)
        y, n = model.somewhere(far=1e-4), model.n_q + model.n_u
        agree(numbers(traced.right_hand_side(1), y)[: len(y)], model.rhs(0.7, y))
        for column in (Y_PHI, Y_RATE) if model.n_rows else ():
            agree(numbers(traced.projection(column), y)[:n], newton_step(model, y, column)[:n])


def numbers(outputs, y):
    known = {at("t").name: 0.7} | {at("y", k).name: x for k, x in enumerate(y)}
    return np.array(evaluate(list(outputs.values()), known), float)


def newton_step(model, y, column):
    """One step by the kernels on numbers."""
    T, W, y, x = model.T, model.W, y.copy(), np.zeros(model.n_u)
    q, u = y[: model.n_q], y[model.n_q : model.n_q + model.n_u]
    plain(projection.evaluate_kinematics)(T, W, 0.7, q, u)
    plain(projection.articulated_inertias)(T, W)
    plain(factor_rows)(T, W)
    plain(projection.projection_step)(T, W, column, x)
    if column == Y_PHI:
        plain(projection.shift)(T.primitive_i, q, x)
    else:
        u += x
    return y


def agree(found, expected):
    assert np.abs(found - expected).max() < 1e-10 * max(np.abs(expected).max(), 1.0)
