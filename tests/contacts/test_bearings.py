"""Friction that depends on the reaction which it changes: bearings and guides, in trees and in loops.

Oracles: the pendulum in a rough bearing (turning points by quadrature, NONSMOOTH §8), a block pressed against a guide, and
five formulations that find the same reaction by different ways: the inward pass of the tree, or rows of cut joints.
"""

import numpy as np
import pytest
from oracles import TIGHT, G

import mekane as mk


def pendulum(**keywords):
    s = mk.System("rough bearing")
    a = np.pi / 3
    bob = s.body("bob", mass=1.0, position=(np.sin(a), 0, -np.cos(a)), orientation=("y", -a))
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis=(0, -1, 0))
    s.bearing_friction("bearing", "hinge", friction=0.4, radius=0.05, **keywords)
    return s


def test_pendulum_comes_to_rest():
    """After 22 turns, away from the bottom; 1e-10 of 22 s is what rtol 1e-12 leaves."""
    run = mk.simulate(pendulum(), 25.0, **TIGHT)
    assert run.events[-1].time == pytest.approx(22.499420696826162, abs=1e-10)
    assert float(run["hinge.angle"][-1]) + np.pi / 3 == pytest.approx(-0.018925570699360809, abs=1e-11)
    assert abs(run.energy.balance - run.energy.balance[0]).max() < 1e-10 * G


def test_turning_points_of_the_pendulum():
    """The third turn, by event location on the rate."""
    run = mk.simulate(pendulum(), 3.1873774149776195, every=[1.0, 3.1873774149776195], **TIGHT)
    assert float(run["hinge.angle"][-1]) + np.pi / 3 == pytest.approx(-0.85052636985780112, abs=1e-11)
    assert abs(float(run["hinge.angle.rate"][-1])) < 1e-10


@pytest.mark.parametrize("formulation", ["joint", "absolute", "relative"])
def test_guide_under_a_constant_load(formulation):
    """A sled on a level guide with 20 N across it: decelerates by friction × (20 + m g) / m, exactly."""
    s = mk.System("guide")
    sled = s.body("sled", mass=2.0, inertia=(0.1, 0.1, 0.1), velocity=(3, 0, 0))
    s.slider("rail", s.ground, sled, at=(0, 0, 0), axis="x")
    s.force("side", sled, value=(0, 20, 0))
    s.guide_friction("friction", "rail", friction=0.1)
    run = mk.simulate(s, 2.0, formulation=formulation, **TIGHT)
    a = 0.1 * (20 + 2 * G) / 2
    assert run.events[-1].time == pytest.approx(3 / a, abs=1e-12)
    assert float(run["sled.position.x"][-1]) == pytest.approx(4.5 / a, abs=1e-12)
    assert float(run["friction.heat"][-1]) == pytest.approx(9.0, abs=1e-11)


def test_collar_takes_thrust():
    """A disc on a vertical shaft: its weight rubs at the collar, nothing at the journal."""
    s = mk.System("collar")
    disc = s.body("disc", mass=3.0, inertia=(0.2, 0.2, 0.4))
    s.pin("shaft", s.ground, disc, at=(0, 0, 0), axis="z", rate=10.0)
    s.bearing_friction("bearing", "shaft", friction=0.1, radius=0.01, collar=0.02)
    run = mk.simulate(s, 80.0, **TIGHT)
    stop = 10.0 * 0.4 / (0.1 * 0.02 * 3.0 * G)
    assert run.events[-1].time == pytest.approx(stop, rel=1e-12)


def slider_crank():
    s = mk.System("slider-crank")
    crank = s.body("crank", mass=0.5, inertia=(1e-3, 1e-3, 1e-4), position=(0.05, 0, 0))
    rod = s.body("rod", mass=0.8, inertia=(1e-4, 4e-3, 4e-3), position=(0.2, 0, 0))
    piston = s.body("piston", mass=0.3, inertia=(1e-4, 1e-4, 1e-4), position=(0.3, 0, 0))
    s.pin("main", s.ground, crank, at=(0, 0, 0), axis="y", rate=10.0)
    s.pin("crank pin", crank, rod, at=(0.1, 0, 0), axis="y")
    s.pin("wrist", rod, piston, at=(0.3, 0, 0), axis="y")
    s.slider("bore", s.ground, piston, axis="x")
    for joint in ("main", "crank pin", "wrist"):
        s.bearing_friction(f"{joint} friction", joint, friction=0.1, radius=0.02)
    s.guide_friction("cylinder", "bore", friction=0.15)
    return s


def test_energy_of_a_loop_in_joint_coordinates():
    run = mk.simulate(slider_crank(), 0.25, rtol=1e-10, atol=1e-12)
    assert abs(run.energy.balance - run.energy.balance[0]).max() < 1e-9


def test_formulations_agree_on_a_loop():
    """Bearings in all pins and a guide: which joint is cut, and so where its reaction comes from, differs between them. The
    runs are good to 1e-10 each; a thousand times that is far below any fault of a reaction."""
    angles = []
    for formulation in ("absolute", "relative", "bryan"):
        run = mk.simulate(slider_crank(), 0.25, formulation=formulation, rtol=1e-10, atol=1e-12)
        angles.append(run["main.angle"].values)
        assert float(run.residual.position.max()) < 1e-12
        assert abs(run.energy.balance - run.energy.balance[0]).max() < 1e-9
        assert all(np.diff(run[f"{joint} friction.heat"]).min() > -1e-12 for joint in ("main", "crank pin", "wrist"))
    assert np.abs(np.diff(angles, axis=0)).max() < 1e-7


def rod_on_a_stop(restitution, formulation):
    """A rod that turns about a pin with a rough bearing, its end at a stop."""
    s = mk.System(gravity=(0, 0, 0))
    rod = s.body("rod", mass=2, inertia=(1e-6, 2 / 12, 2 / 12), position=(0.5, 0, 0))
    s.pin("pin", s.ground, rod, at=(0, 0, 0), axis="y", rate=3.0)
    s.bearing_friction("bearing", "pin", friction=0.4, radius=0.05)
    s.contact("stop", (rod, (0.5, 0, 0)), (s.ground, mk.Plane()), restitution=restitution)
    (hit,) = [line for line in mk.simulate(s, 1e-3, formulation=formulation).events if line.kind == "impact"]
    return hit


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_bearing_rubs_in_an_impact(restitution, formulation):
    """P = m L ω (L/3 − μr/2)/(L − μr) on a plastic stop. With a rebound friction turns round: κ′ = μr/2 / (1 + 3μr/2L) per unit
    of p, and I ω⁺ = e P (L − κ′). By hand, to round-off."""
    hit = rod_on_a_stop(restitution, formulation)
    P, kappa = 1.9795918367346939, 0.01 / 1.03
    assert hit.contact_impulses["stop"][0] == pytest.approx((1 + restitution) * P, abs=1e-13)
    after = restitution * P * (1 - kappa) * 1.5
    assert hit.kinetic_energy[1] == pytest.approx(after**2 / 3, abs=1e-13)
    assert sum(hit.losses.values()) == pytest.approx(hit.kinetic_energy[0] - hit.kinetic_energy[1], abs=1e-13)
