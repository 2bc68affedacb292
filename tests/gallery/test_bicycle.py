"""Whipple's bicycle. Oracles: published accelerations far from upright (see the mechanism's checks), published linear
equations, energy."""

import numpy as np
import pytest
from scipy.linalg import expm

from mekane import gallery
from mekane.analyses.simulate import simulate
from mekane.gallery import bicycle
from mekane.gallery.reading import energy_lost, of_constraint

# fmt: off
LOWER_LEFT = lambda v: np.array([  # of the state matrix for (roll, steer, their rates), SymPy's test of Kane's method
    [9.48977444677355, -0.891197738059089 * v**2 - 0.571523173729245],
    [11.7194768719633, -1.97171508499972 * v**2 + 30.9087533932407],
])
LOWER_RIGHT = lambda v: v * np.array([
    [-0.105522449805691, -0.330515398992311],
    [3.67680523332152,   -3.08486552743311],
])
EIGENVALUES = {  # castering, capsize, weave: benchmark, table 2
    0: [-5.5309437176539346, -3.1316432479065557, 3.1316432479065557, 5.5309437176539346],
    5: [-14.078389692798247, -0.32286642900408708, -0.77534188219584193 - 4.4648677137882251j, -0.77534188219584193 + 4.4648677137882251j],
    10: [-24.624596350174000, 0.16105338653171554, -3.7201684043728757 - 10.906811394762882j, -3.7201684043728757 + 10.906811394762882j],
}
# fmt: on


def accelerations(v, state):
    """Of roll and steer, in a state near upright."""
    run = simulate(bicycle.system(*state, wheel_rate=v / bicycle.RADIUS["rear wheel"]), 1e-3, every=[0.0])
    found = bicycle.angle_accelerations(run)
    return np.array([found["roll"][0], found["steer"][0]])


def linearised(v):
    """Rows of the state matrix: central differences at two distances, their error of second order removed."""
    columns = []
    for unit in np.eye(4):
        near, far = ((accelerations(v, h * unit) - accelerations(v, -h * unit)) / (2 * h) for h in (2e-3, 4e-3))
        columns.append((4 * near - far) / 3)
    return np.array(columns).T


@pytest.mark.parametrize("v", EIGENVALUES)
def test_linear_equations_and_eigenvalues(v):
    """Differences leave the fourth power of 2e-3, 1e-11, times large derivatives, and round-off over 2e-3, 1e-12 of
    numbers up to 200."""
    rows = linearised(v)
    np.testing.assert_allclose(rows[:, :2], LOWER_LEFT(v), rtol=0, atol=2e-8)
    np.testing.assert_allclose(rows[:, 2:], LOWER_RIGHT(v), rtol=0, atol=2e-8)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [rows]])
    found, published = np.linalg.eigvals(A), np.array(EIGENVALUES[v])
    order = [int(np.argmin(np.abs(found - one))) for one in published]
    assert sorted(order) == [0, 1, 2, 3]
    np.testing.assert_allclose(found[order], published, rtol=0, atol=1e-7)


def test_a_small_swing_follows_the_linear_equations():
    """At 5 m/s for 2 s, from a roll of 1e-5 rad: the exponential of the published matrix. What is left out is of third
    order, 1e-15."""
    v, size = 5.0, 1e-5
    run = simulate(bicycle.system(roll=size, wheel_rate=v / 0.3), 2.0, every=0.1, rtol=1e-12, atol=1e-16)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [LOWER_LEFT(v), LOWER_RIGHT(v)]])
    linear = np.array([expm(A * t) @ [size, 0, 0, 0] for t in run.t])
    np.testing.assert_allclose(run["steering.angle"], linear[:, 1], rtol=0, atol=1e-7 * size)
    np.testing.assert_allclose(run["steering.angle.rate"], linear[:, 3], rtol=0, atol=1e-6 * size)


def test_the_published_state_is_one_in_which_both_wheels_roll():
    """Three rates of the table that follow from the others; printed to 13 decimals."""
    _, follow = bicycle.rolling_state(**bicycle.FAR)
    np.testing.assert_allclose(follow, bicycle.FAR_FOLLOWS, rtol=0, atol=1e-12)


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_energy_and_no_slip_at_every_sample(formulation):
    """Ten seconds of swinging at a tolerance of 1e-13, energy as a share of 1 kJ; slip in m/s."""
    run = gallery.find("bicycle").run(10.0, formulation=formulation)
    assert np.abs(energy_lost(run)).max() < 1e-9
    assert bicycle.slipping(run).max() < 1e-9
    assert run.health.ok


def test_contact_forces_carry_the_weight():
    """Straight ahead nothing moves but the wheels: both contacts carry the weight, shared as mass centres lie between
    them."""
    run = simulate(bicycle.system(wheel_rate=10.0), 1.0, every=0.5)
    weight = {body: bicycle.G * m for body, m in bicycle.MASS.items()}
    front = sum(weight[body] * bicycle.CENTRE[body][0] for body in weight) / bicycle.WHEELBASE
    for wheel, load in (("front", front), ("rear", sum(weight.values()) - front)):
        np.testing.assert_allclose(
            of_constraint(run, f"{wheel} contact", f"{wheel} wheel"), [[0, 0, load]] * 3, rtol=0, atol=1e-9
        )
