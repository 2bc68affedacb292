"""Derivatives of accelerations at any state. Oracles: central differences (V-shaped error, 1e-6 of the size at best),
the mass matrix."""

import numpy as np
import pytest

from mekane import gallery
from mekane.analyses.state.dynamics import initial_state, prepared
from mekane.analyses.state.local_equations import Local

CASES = [  # without redundant rows: off the constraints it would matter which of them are held
    "pendulum", "double_pendulum", "rod_chain_3", "puma560", "governor", "eight_bodies", "heavy_top", "bicycle", "slider_crank_spatial",
]  # fmt: skip


@pytest.mark.parametrize("formulation", ["joint", "absolute", "mixed"])
@pytest.mark.parametrize("name", CASES)
def test_against_differences(name, formulation):
    """Richardson-extrapolated central differences of the engine's own accelerations along random changes of the
    state."""
    s, random = gallery.find(name).system(), np.random.default_rng(5)
    q, u = initial_state(s, formulation)
    found = s.forward_dynamics_derivatives(q, u, formulation=formulation)
    ud = s.forward_dynamics(q, u, formulation=formulation)  # its rows are softened by 1e-11
    np.testing.assert_allclose(found.ud, ud, rtol=0, atol=1e-7 * (1 + np.abs(ud).max()))
    N = Local(prepared(s, formulation), q, u).N
    accelerations = lambda shifts, changes: s.forward_dynamics(q + N @ shifts, u + changes, formulation=formulation)

    slope = lambda ds, du, h: (accelerations(h * ds, h * du) - accelerations(-h * ds, -h * du)) / (2 * h)
    for _ in range(2):
        ds, du = random.normal(size=len(u)), random.normal(size=len(u))
        expected = (4 * slope(ds, du, 5e-5) - slope(ds, du, 1e-4)) / 3
        exact = found.by_shifts @ ds + found.by_speeds @ du
        np.testing.assert_allclose(exact, expected, rtol=0, atol=2e-6 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("name", ["double_pendulum", "puma560", "rod_chain_3", "heavy_top"])
def test_mass_matrix_by_composite_bodies(name):
    """The inverse of by_forces is the mass matrix found body by body (inverse dynamics with unit accelerations)."""
    s = gallery.find(name).system()
    q, u = initial_state(s)
    M = s.mass_matrix(q)
    np.testing.assert_allclose(prepared(s).derivatives.mass_matrix(q, u), M, rtol=0, atol=1e-13 * np.abs(M).max())
    np.testing.assert_allclose(
        np.linalg.inv(s.forward_dynamics_derivatives(q, u).by_forces), M, rtol=0, atol=1e-9 * np.abs(M).max()
    )
