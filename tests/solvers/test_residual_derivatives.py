"""The equations with exact derivatives, for every mechanism of the gallery in every formulation.

Oracles: the solver's own accelerations (order N elimination against a dense solve: round-off times the condition of the
mass matrix), and the same kernels run uncompiled on complex numbers (complex step: exact to round-off).
"""

import numpy as np
import pytest

from mekane import gallery
from mekane.analyses.state.dynamics import initial_state, prepared
from mekane.analyses.state.local_equations import Local
from mekane.kernels.residual import equations_at
from mekane.numba_backend.kernel import plain

CASES = [(m.name, formulation) for m in gallery.mechanisms() for formulation in m.formulations]
STEP = 1e-30
MANY = 60  # speeds; plain kernels are slow
pytestmark = pytest.mark.divided("name", 2)


def local(name, formulation):
    system = gallery.find(name).system()
    q, u = initial_state(system, formulation)
    u = u + 0.1 * np.random.default_rng(1).normal(size=len(u))  # off the constraints, so that every term counts
    return Local(prepared(system, formulation), q, u)


@pytest.mark.parametrize("name, formulation", CASES)
def test_accelerations_solve_the_equations(name, formulation):
    """tau and the accelerations of the active rows vanish, and the engine finds the same ud."""
    here = local(name, formulation)
    z, forces = (
        here.here,
        np.abs(here.M) @ np.abs(here.ud) + np.abs(here.J.T) @ np.abs(here.multipliers[here.active]) + 1.0,
    )
    assert np.all(np.abs(z[here.z.tau]) < 1e-10 * forces.max())
    ud = here.model.forward("test", here.q, here.u, 0.0)
    # the solver softens D by 1e-11
    np.testing.assert_allclose(z[here.z.ud], ud, rtol=0, atol=1e-7 * (1 + np.abs(ud).max()))


@pytest.mark.parametrize("name, formulation", CASES)
def test_derivatives_are_those_of_the_complex_step(name, formulation):
    here = local(name, formulation)
    if here.compiled.n_u > MANY:
        pytest.skip("plain kernels would take long")
    S, T, W = here.derivatives, here.compiled.tables, here.compiled.workspace(complex)
    W.measurement[:] = here.model.workspace.measurement
    seeds = np.random.default_rng(2).normal(size=(3, S.n_x))
    z, found = S.along(here.x, seeds)
    for seed, derivatives in zip(seeds, found, strict=True):
        expected = np.zeros(S.n_z, complex)
        plain(equations_at)(T, W, S._registers, here.x + 1j * STEP * seed, expected)
        scale = 1.0 + np.abs(expected.imag).max() / STEP  # sums of terms that large
        np.testing.assert_allclose(derivatives, expected.imag / STEP, rtol=1e-11, atol=1e-13 * scale)
        np.testing.assert_allclose(z, expected.real, rtol=1e-11, atol=1e-13 * (1 + np.abs(z).max()))
