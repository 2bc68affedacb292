"""Accelerations of trees by a recursion in the axes of each body, beside those of the compiled kernels, whose recursion is in
the axes of the ground.

The kernels are proved by other oracles (mk.kane_equations sums over bodies). Tolerance: the same equations in other axes,
relative to the largest acceleration, or to 1; mass matrices of these trees lose up to three digits.
"""

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane.codegen.lanes import body_axes


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
    expected, found = model.rhs(0.7, y)[model.n_q : end], np.zeros(model.n_u, object)
    body_axes.accelerations(model.T, model.W, y[: model.n_q], y[model.n_q : end], found)
    return np.abs(found.astype(float) - expected).max() / max(np.abs(expected).max(), 1.0)
