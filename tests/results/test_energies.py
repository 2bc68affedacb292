"""Energies and momentum. Oracles: closed forms, and T + V − W constant, whose error is that of the integration (rtol
1e-9)."""

import mechanisms
import numpy as np
import pytest

import mekane as mk
from mekane.formulations import NAMES as FORMULATIONS


@pytest.mark.parametrize(
    "name", ["tree pin_slider", "tree free backward", "ring universal", "crank slider", "cardan", "nut", "mounted"]
)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_balance_is_constant(name, formulation):
    run = mk.simulate(mechanisms.ALL[name](), 0.5, every=0.05, formulation=formulation)
    e = run.energy
    assert np.abs(e.balance - e.balance[0]).max() < 1e-7 * run.energies.in_play
    assert np.ptp(e.kinetic.values) > 1e-3 * run.energies.in_play
    np.testing.assert_allclose(e.work, e.work_of.sum("element"))
    np.testing.assert_allclose(e.potential, e.potential_of.sum("store"))
    assert e.balance.attrs["units"] == "J" and "gravity" in e.store


def test_a_falling_body():
    """m g h and m v²/2 of a body thrown upwards; momentum m v, angular momentum p × m v + I w."""
    s = mk.System(gravity=(0, 0, -10))
    s.body("stone", 2.0, inertia=(2, 2, 3), position=(1, 0, 3), velocity=(0, 0, 5), angular_velocity=(0, 0, 4))
    run = mk.simulate(s, 1.0, every=0.25)
    t, z, v = run.t, 3 + 5 * run.t - 5 * run.t**2, 5 - 10 * run.t
    np.testing.assert_allclose(run.energy.potential, 20 * z, atol=1e-11)
    np.testing.assert_allclose(run.energy.kinetic, v**2 + 0.5 * 3 * 16, atol=1e-11)
    np.testing.assert_allclose(run.momentum.linear.sel(axis="z"), 2 * v, atol=1e-11)
    np.testing.assert_allclose(run.momentum.angular, np.stack([0 * t, -2 * v, 12 + 0 * t], axis=1), atol=1e-11)


def test_work_of_each_element():
    """A constant torque on a wheel does work torque × angle; a damper on it takes c ∫ w² dt, here with w = 1 −
    exp(−t)."""
    s = mk.System(gravity=(0, 0, 0))
    s.body("wheel", 1, inertia=(1, 1, 1))
    s.pin("axle", s.ground, "wheel", at=(0, 0, 0), axis="z")
    s.motor("drive", "axle", torque=1.0)
    s.torsional_damper("drag", "axle", damping=1.0)
    run = mk.simulate(s, 2.0, every=0.5)
    t = run.t
    angle = t - 1 + np.exp(-t)
    np.testing.assert_allclose(run["drive.work"], angle, atol=1e-8)
    np.testing.assert_allclose(run["drag.work"], -(t - 2 * (1 - np.exp(-t)) + (1 - np.exp(-2 * t)) / 2), atol=1e-8)
    np.testing.assert_allclose(run["drive.torque"], 1.0)


def test_a_spring_whose_stiffness_changes_stores_nothing():
    """Its energy would depend on time, so all it does counts as work, and the balance still holds."""
    s = mk.System(gravity=(0, 0, 0))
    s.body("mass", 1, inertia=(1, 1, 1), position=(1.5, 0, 0))
    s.spring("k", (s.ground, (0, 0, 0)), ("mass", (0, 0, 0)), stiffness="5*(1 + t)", length=1.0)
    run = mk.simulate(s, 1.0)
    assert run.energies.stores == ["gravity"] and run.energies.elements == ["k"]
    assert run.health.drift < 1e-7


@pytest.mark.parametrize("method", ["auto", "implicit"])
def test_work_in_a_prescribed_motion(method):
    """A force sin(30 x) on a mass that is driven along x = t: the motion has no error, so its work alone sets the steps. It
    is (1 − cos 30)/30, to WORK rtol = 1e-6 of the energy in play, 0.5 J."""
    s = mk.System("driven", gravity=(0, 0, 0))
    s.slider("rail", s.ground, s.body("mass", 1.0, inertia=(1, 1, 1)), axis="x", rate=1.0)
    s.prescribed("drive", "rail", "t")
    s.motor("force", "rail", force="sin(30*rail.displacement)")
    run = mk.simulate(s, 1.0, every=0.5, method=method)
    work = run.energy.work_of.sel(element="force").values[-1]
    assert work == pytest.approx((1 - np.cos(30)) / 30, abs=1e-6)
    assert run.health.trusted and "Work and losses" not in str(run.health)


def test_power_that_is_round_off_sets_no_steps():
    """A balanced rotor of 1 t that is driven at a constant speed: its drive has round-off alone to do."""
    s = mk.System("rotor", gravity=(0.3, -9.81, 1.7))
    s.pin("axle", s.ground, s.body("rotor", 1000.0, inertia=(100, 100, 50)), at=(0, 0, 0), axis="z", rate=30.0)
    s.prescribed("drive", "axle", "30*t")
    assert mk.simulate(s, 10.0, every=1.0, method="implicit").info["steps"] < 40
