"""The equations along parameters that stand in tables: masses, points, gravity, numbers of laws; one of each kind a
mechanism has.

Oracle: the same kernels run uncompiled on the complex tables of the system with one parameter stepped (exact to
round-off).
"""

import numpy as np
import pytest

from mekane import gallery
from mekane.analyses.state.dynamics import initial_state, prepared
from mekane.analyses.state.local_equations import Local
from mekane.compiler.parameter_derivatives import STEP, table_derivatives
from mekane.kernels.residual import equations_at
from mekane.model.values.parameter_paths import numbers_of
from mekane.model.values.values import read_value
from mekane.numba_backend.kernel import plain
from mekane.solvers.derivatives.parameters import ParameterDerivatives

NAMES = [
    "pendulum",
    "double_pendulum",
    "four_bar",
    "governor",
    "rolling_disc_1",
    "slider_crank_spatial",
    "heavy_top",
    "planetary_gear",
]
WORDS = ("mass", "com", "inertia", "stiffness", "length", "at", "z", "torque", "position", "radius")


def some_numbers(system):
    """Addresses of one number for each of some words."""
    found = {}
    for address in numbers_of(system):
        word = next((word for word in WORDS if word in address.split(".")[1:]), None)
        if word:
            found[word] = address
    return list(found.values())


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("name", NAMES)
def test_derivatives_along_parameters_are_those_of_the_complex_step(name, formulation):
    system = gallery.find(name).system()
    names = some_numbers(system)
    system = system.named(names)
    q, u = initial_state(system, formulation)
    body = next(iter(system.bodies))
    outputs = [read_value(f"{body}.position.x + {body}.velocity.z", None, "outputs", "outputs")]
    here = Local(prepared(system, formulation), q, u + 0.1)
    derivatives = ParameterDerivatives(system, formulation, names, outputs)
    derivatives.set_measurements(here.model.workspace.measurement)
    n_x = here.derivatives.n_x
    seeds = np.random.default_rng(3).normal(size=(len(names), n_x))
    z, found = derivatives.along(here.x, seeds)
    assert len(names) >= 3 and sum(len(group.which) for group in derivatives.groups) == len(names)
    for name, seed, row in zip(names, seeds, found, strict=True):
        tables = table_derivatives(system, formulation, name, outputs)
        W = tables.compiled.workspace()
        W.measurement[:] = here.model.workspace.measurement
        expected, x = np.zeros(len(z), complex), here.x + 1j * STEP * seed
        x[here.derivatives.x.parameters][list(system.parameters).index(name)] += 1j * STEP
        plain(equations_at)(tables.compiled.tables, W, derivatives.groups[0]._registers, x, expected)
        scale = 1.0 + np.abs(expected.imag).max() / STEP  # sums of terms that large
        np.testing.assert_allclose(row, expected.imag / STEP, rtol=1e-11, atol=1e-13 * scale, err_msg=name)
        np.testing.assert_allclose(z, expected.real, rtol=1e-11, atol=1e-12 * (1 + np.abs(z).max()))
