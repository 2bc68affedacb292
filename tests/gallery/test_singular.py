"""Mechanisms that pass positions where their constraints are momentarily dependent, and a mechanism with constraints
too many.

Oracles: exact reductions to one degree of freedom (in mekane/gallery).
"""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mekane import gallery
from mekane.analyses.simulate import simulate
from mekane.formulations import NAMES as FORMULATIONS
from mekane.gallery import bricard, four_bar_chain, slider_crank_planar

EVERYWHERE = pytest.mark.parametrize("formulation", FORMULATIONS)
TIGHT = pytest.mark.parametrize("rtol", [1e-7, 1e-9, 1e-11])


@EVERYWHERE
@TIGHT
def test_four_bar_chain_crosses_its_singular_positions(formulation, rtol):
    """N = 2 for five seconds: five times through the flat position. 1e-5 of a length of 1 m, whatever the tolerance
    requested: a finer one must not put more steps, and so more noise, into the neighbourhood of the singular
    position."""
    run = gallery.find("four_bar_chain").run(5.0, formulation=formulation, rtol=rtol, atol=1e-2 * rtol)
    exact = four_bar_chain.exact(2)(run.t)
    assert not run.info["stopped"]
    np.testing.assert_allclose(run["left0.point.x"], exact["x"], rtol=0, atol=1e-5)
    np.testing.assert_allclose(run["left0.point.y"], exact["y"], rtol=0, atol=1e-5)


@cache
def ten_seconds(formulation):
    """The double four-bar, ten times through the flat position, default tolerances."""
    return gallery.find("four_bar_chain").run(formulation=formulation)


@EVERYWHERE
def test_four_bar_chain_keeps_its_branch(formulation):
    """On the branch of parallel cranks the couplers never turn: their angle is zero. As exact as the motion, 1e-5."""
    run = ten_seconds(formulation)
    for k in range(2):
        assert np.abs(run[f"coupler{k}.orientation"][:, :3]).max() < 1e-5
    balance = run.energy["balance"]
    assert float(abs(balance - balance[0]).max()) < 1e-4  # of 36 J


@pytest.mark.parametrize("n", [1, 5])
def test_four_bar_chain_of_other_lengths(n):
    """The same reduction holds for every N; two seconds, two singular positions, default tolerances."""
    run = simulate(four_bar_chain.system(n), 2.0)
    assert np.abs(run["left0.point.x"] - four_bar_chain.exact(n)(run.t)["x"]).max() < 1e-5


@EVERYWHERE
@TIGHT
def test_slider_crank_crosses_its_singular_position(formulation, rtol):
    """Five seconds, six times past the pivot; oracle: the reduced equation of the branch that keeps on sliding. 1e-5 of
    2 m."""
    run = gallery.find("slider_crank_planar").run(5.0, formulation=formulation, rtol=rtol, atol=1e-2 * rtol)
    start = [slider_crank_planar.START, -slider_crank_planar.SPEED / (2 * np.sin(slider_crank_planar.START))]
    exact = solve_ivp(slider_crank_planar.equation, (0, 5), start, "DOP853", run.t, rtol=1e-13, atol=1e-14)
    assert not run.info["stopped"]
    assert np.abs(run["slider.position.x"] - 2 * np.cos(exact.y[0])).max() < 1e-5


@EVERYWHERE
def test_period_of_bricards_mechanism(formulation):
    """4.991711513688724 s. The first hinge comes to rest there; its rate is odd about that instant and crosses zero
    with slope θ̈ = const + O(τ²), so over ±1 ms a straight line through rates finds the instant to 1e-9 s."""
    mechanism = gallery.find("bricard")
    tau = np.linspace(-1e-3, 1e-3, 5)
    run = mechanism.run(bricard.PERIOD + 2e-3, formulation=formulation, every=[0.0, *(bricard.PERIOD + tau)])
    slope, offset = np.polyfit(tau, np.asarray(run["P1.angle.rate"])[1:], 1)
    assert abs(-offset / slope) < 1e-8


@EVERYWHERE
def test_bricards_hinges_turn_in_two_groups(formulation):
    """Odd hinges by θ, even ones by −ψ with sin ψ = sin θ / (1 + sin θ); from loop closure, so as exact as the
    correction, 1e-12, but for the square root at sin θ = 0 … 1/2 there is none. P3 follows."""
    run = gallery.find("bricard").run(formulation=formulation)
    theta = np.asarray(run["P1.angle"])
    psi = np.arcsin(np.sin(theta) / (1 + np.sin(theta)))
    for name, sign, angle in (
        ("P1", 1, theta),
        ("P3", 1, theta),
        ("P5", 1, theta),
        ("P2", -1, psi),
        ("P4", -1, psi),
        ("P6", -1, psi),
    ):
        np.testing.assert_allclose(run[f"{name}.angle"], sign * angle, rtol=0, atol=1e-11)
    np.testing.assert_allclose(run["P3.point"], bricard.shape(theta), rtol=0, atol=1e-11)


@EVERYWHERE
def test_bricards_fastest_moment(formulation):
    """θ̇ = 2.22583585198739 rad/s at θ = π/2, half way down, from the energy; there θ̇ is stationary, so a sample 1e-4
    s off is 1e-8 off."""
    run = gallery.find("bricard").run(1.3, formulation=formulation, every=np.arange(1.2, 1.3, 1e-4))
    k = np.argmin(np.abs(run["P1.angle"].values - np.pi / 2))
    assert run["P1.angle.rate"].values[k] == pytest.approx(2.22583585198739, abs=1e-7)


def test_repeated_constraints_are_counted():
    """Oracle: mobility. Rows held are speeds less degrees of freedom: one row too many for Bricard, three for every
    planar loop."""
    bricard_run = gallery.find("bricard").run(0.1, formulation="absolute")
    assert (bricard_run.info["rows"], bricard_run.info["rows_held"]) == (30, 29)
    chain = gallery.find("four_bar_chain").run(0.1, formulation="absolute")
    assert (chain.info["rows"], chain.info["rows_held"]) == (35, 29)
    four_bar = gallery.find("four_bar").run(0.1, formulation="joint")
    assert (four_bar.info["rows"], four_bar.info["rows_held"]) == (5, 2)


@EVERYWHERE
def test_double_four_bar_after_ten_seconds(formulation):
    """Ten times through the flat position; exact on the branch of parallel cranks, A02. 1e-6 m, as required of the default
    tolerances."""
    run = ten_seconds(formulation)
    assert run.t[-1] == 10.0
    exact = four_bar_chain.exact(2)(run.t)
    assert abs(float(run["left0.point.x"][-1]) - exact["x"][-1]) < 1e-6
    assert abs(float(run["left0.point.y"][-1]) - exact["y"][-1]) < 1e-6


@pytest.mark.parametrize("planar", [False, True])
def test_forty_loops_keep_their_branch(planar):
    """N = 40 for twenty seconds, in space (where three of five rows of every loop repeat others) and in the plane.
    Couplers never turn on the branch of parallel cranks: 1e-9 rad; the motion itself as exact as the default
    tolerances, 1e-5 m."""
    run = simulate(four_bar_chain.system(40, planar), 20.0, every=0.1)
    assert max(np.abs(run[f"coupler{k}.orientation.e3"]).max() for k in range(40)) < 1e-9
    assert np.abs(run["left0.point.x"] - four_bar_chain.exact(40)(run.t)["x"]).max() < 1e-5
