"""Rod chains and the four-bar of pins against their own planar equations, written by hand in the gallery."""

import numpy as np
import pytest

from mekane import gallery
from mekane.analyses.simulate import simulate
from mekane.formulations import NAMES as FORMULATIONS
from mekane.gallery import four_bar, rod_chain


@pytest.mark.parametrize(
    "n, first", [(2, (-12.612857142857, 4.204285714286)), (3, (-12.451153846154, 3.395769230769, -1.131923076923))]
)
def test_first_accelerations_of_a_chain(n, first):
    """Printed with twelve decimals, in absolute angles."""
    s = rod_chain.system(n)
    q, u = s.initial_state()
    np.testing.assert_allclose(np.cumsum(s.forward_dynamics(q, u)), first, rtol=0, atol=6e-13)


def test_any_state_of_a_long_chain():
    """Twenty rods, random angles and rates; the dense solve of the oracle has a condition of 1e4."""
    n = 20
    theta, rate = np.random.default_rng(1).uniform(-2, 2, (2, n))
    q, u = np.diff(theta, prepend=0), np.diff(rate, prepend=0)
    found = np.cumsum(rod_chain.system(n).forward_dynamics(q, u))
    np.testing.assert_allclose(found, rod_chain.equations(theta, rate), rtol=0, atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_energy_of_a_chain_of_ten(formulation):
    """Starts at rest: energy is constant, of size 49 J per metre of fall. Default tolerance 1e-9."""
    run = simulate(rod_chain.system(10), 1.0, formulation=formulation)
    balance = run.energy["balance"]
    assert float(abs(balance - balance[0]).max()) < 1e-6


def test_first_accelerations_of_the_four_bar():
    """Oracle: SymPy's matrices, solved; printed to 13 digits."""
    s = four_bar.system()
    q, u = s.initial_state()
    speeds = list(s.speeds)
    wanted = dict(zip(("J1", "J2", "J3"), np.linalg.solve(four_bar.MASS_MATRIX, four_bar.FORCING), strict=True))
    found = dict(zip(speeds, s.forward_dynamics(q, u), strict=True))
    for name in ("J1", "J2", "J3"):
        if f"{name}.angle.rate" in found:
            assert found[f"{name}.angle.rate"] == pytest.approx(wanted[name], abs=1e-12)
    assert sum(name.startswith(("J1", "J2", "J3")) for name in speeds) >= 2


def test_accelerations_of_the_four_bar_along_its_way():
    """Angular accelerations of all links at every sample, from the planar equations at the same state; redundant rows
    must not show."""
    run = gallery.find("four_bar").run()
    headings = np.cumsum([run[f"J{k}.angle"].values for k in (1, 2, 3)], axis=0)
    rates = np.array([run[f"link{k}.angular_velocity.z"].values for k in (2, 3, 4)])
    found = np.array([run[f"link{k}.angular_acceleration.z"].values for k in (2, 3, 4)])
    expected = np.array([four_bar.equations(0, y)[3:] for y in np.concatenate([headings, rates]).T]).T
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
