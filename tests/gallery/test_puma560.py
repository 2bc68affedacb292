"""PUMA 560. Oracles: printed torques and mass matrix (ten decimals), and a recursive Newton–Euler written apart
(newton_euler.py)."""

import newton_euler as oracle
import numpy as np
import pytest

import mekane as mk
from mekane import formulations
from mekane.gallery import puma560

ONES = np.ones(6)


@pytest.fixture(scope="module")
def arm():
    return puma560.system()


@pytest.mark.parametrize("case", puma560.TORQUES)
def test_torques_at_the_nominal_place(arm, case):
    """Printed with ten decimals."""
    rates, accelerations = case
    found = arm.required_forces(puma560.NOMINAL, rates * ONES, accelerations * ONES)
    np.testing.assert_allclose(found, puma560.TORQUES[case], rtol=0, atol=6e-11)


@pytest.mark.parametrize("formulation", formulations.NAMES)
@pytest.mark.parametrize("case", puma560.TORQUES)
def test_torques_of_a_motion_through_the_nominal_place(arm, case, formulation):
    """The same printed torques, from a motion q0 + u t + ud t²/2 at t = 0, in all formulations."""
    path = lambda k: f"{puma560.NOMINAL[k]!r} + ({case[0]})*t + 0.5*({case[1]})*t**2".replace("np.float64", "")
    motion = {name: path(k) for k, name in enumerate(arm.joints)}
    need = mk.inverse_dynamics(arm, motion, times=[0.0, 0.1], formulation=formulation)
    np.testing.assert_allclose(need.forces[0], puma560.TORQUES[case], rtol=0, atol=1e-9)


def test_mass_matrix_at_the_nominal_place(arm):
    """Printed with ten decimals."""
    np.testing.assert_allclose(arm.mass_matrix(puma560.NOMINAL), puma560.MASS_MATRIX, rtol=0, atol=6e-11)


@pytest.mark.parametrize("seed", range(5))
def test_any_state_against_newton_euler(arm, seed):
    """Round-off of torques of 100 N m, through six links."""
    q, u, ud = np.random.default_rng(seed).uniform(-3, 3, (3, 6))
    np.testing.assert_allclose(
        arm.required_forces(q, u, ud), oracle.inverse_dynamics(puma560.LINKS, q, u, ud), rtol=0, atol=1e-11
    )
    np.testing.assert_allclose(arm.mass_matrix(q), oracle.mass_matrix(puma560.LINKS, q), rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        arm.bias_forces(q, u), oracle.inverse_dynamics(puma560.LINKS, q, u, 0 * u), rtol=0, atol=1e-11
    )
    expected = oracle.forward_dynamics(puma560.LINKS, q, u, np.zeros(6))
    # the mass matrix has a condition of 1e5
    np.testing.assert_allclose(arm.forward_dynamics(q, u), expected, rtol=1e-8)


def test_the_model_stands_where_its_angles_say(arm):
    """The start is described by positions; the joints must read the nominal angles from them (π and −π are one)."""
    q, u = arm.initial_state()
    np.testing.assert_allclose(np.cos(q - puma560.NOMINAL), 1, rtol=0, atol=1e-15)
    assert not np.any(u)
