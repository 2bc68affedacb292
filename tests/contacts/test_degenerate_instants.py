"""Instants at which forces are not unique, or forces pass by zero. Oracles: closed forms; both formulations agree; the ledger closes.

Tolerance: runs at rtol 1e-10 are compared to 1e-8, errors grow in between.
"""

import numpy as np
import pytest

import mekane as mk

FORMULATIONS = ("joint", "absolute")
TIGHT = dict(rtol=1e-10, atol=1e-12)


def slider_crank(friction, rate):
    s = mk.System("slider-crank", planar="xz")
    crank = s.body("crank", mass=1.0, inertia=0.01, position=(0.05, 0, 0))
    rod = s.body("rod", mass=0.5, inertia=0.004, position=(0.25, 0, 0))
    piston = s.body("piston", mass=0.215, inertia=0.001, position=(0.4, 0, 0))
    s.pin("main", s.ground, crank, at=(0, 0, 0), axis="y", rate=rate)
    s.pin("big end", crank, rod, at=(0.1, 0, 0), axis="y")
    s.pin("small end", rod, piston, at=(0.4, 0, 0), axis="y")
    s.slider("guide", s.ground, piston, at=(0.4, 0, 0), axis="x")
    s.guide_friction("bore", "guide", friction=friction)
    return s


@pytest.mark.parametrize("friction, rate", [(0.499, -23.418), (0.127, 40.0), (0.3, -15.0), (0.745, 27.7), (0.9, 40.0)])
def test_load_of_a_guide_that_passes_by_zero(friction, rate):
    """The force across the guide changes sides in every turn. Once, a third of such slider-cranks ended there: friction by what
    round-off left of the load counted as one that pushes."""
    runs = [mk.simulate(slider_crank(friction, rate), 0.3, every=0.01, formulation=f, **TIGHT) for f in FORMULATIONS]
    for run in runs:
        load = np.abs(run["guide.reaction.force"].values[:, 2])
        slides = np.abs(run["guide.displacement.rate"].values) > 1e-3
        assert np.allclose(np.abs(run["bore.force"].values[slides]), friction * load[slides], rtol=1e-9, atol=1e-9)
        assert np.ptp(run.energy.balance.values) < 1e-8 * run.energy.kinetic.max()
    places = [run["piston.position"].values for run in runs]
    assert np.abs(places[0] - places[1]).max() < 1e-8


FRICTION, RESTITUTION, HEIGHT, REACH = 0.25, 0.8, 0.3, 0.4  # the contact is at (REACH, −HEIGHT) from the pin


def arm(law):
    s = mk.System("arm", planar="xz")
    arm = s.body("arm", mass=1.0, inertia=0.02, position=(0, 0, HEIGHT))
    s.pin("pin", s.ground, arm, at=(0, 0, HEIGHT), axis="y", rate=2.0)
    tip = (arm, (np.hypot(REACH, HEIGHT), 0, 0))
    s.contact("floor", tip, (s.ground, mk.Plane()), friction=FRICTION, restitution=RESTITUTION, law=law)
    return s


@pytest.mark.parametrize("law", ["phases", "poisson"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rebound_of_an_arm(formulation, law):
    """An arm on a pin has one way to move: it stops along normal and tangent at once. In closed form friction acts along the
    sliding before and after: with w = |tangent/normal| velocity of the contact, rates are as e (1 − μ w)/(1 + μ w). Once, the
    two formulations took friction to opposite sides, and both were trusted."""
    run = mk.simulate(arm(law), 0.4, every=0.01, formulation=formulation, **TIGHT)
    (hit,) = [line for line in run.events if line.kind == "impact"][:1]
    ratio = np.sqrt(hit.kinetic_energy[1] / hit.kinetic_energy[0])
    w = HEIGHT / REACH
    assert ratio == pytest.approx(RESTITUTION * (1 - FRICTION * w) / (1 + FRICTION * w), rel=1e-9)


def ball_with_link(velocity):
    """A light ball that rolls on a rough floor and drags a light link, whose end touches, too."""
    s, rough = mk.System("ball with link"), dict(friction=2.122, static=2.1623)
    s.body("ball", mass=1e-4, shape=mk.Sphere(0.1), position=(0, 0, 0.3), velocity=velocity)
    link = s.body("link", mass=1e-4, inertia=(1e-6,) * 3, position=(0.2, 0, 0.3))
    s.pin("hinge", "ball", link, at=(0.1, 0, 0.3), axis="y", rate=-0.411)
    s.contact("under ball", "ball", (s.ground, mk.Plane()), law="phases", **rough)
    s.contact("under link", (link, (0.1, 0, 0)), (s.ground, mk.Plane()), law="phases", **rough)
    return s


@pytest.mark.parametrize("velocity", [(0.976, 0.762, -0.575), (0.5, 0.9, 0.0), (-0.7, 0.4, -0.2), (0.3, -0.8, 0.3)])
def test_sliding_that_passes_a_dead_centre(velocity):
    """Where the link stands across, its end comes to rest whatever friction does, and goes on another way at once: no force can keep
    it there. Once, no motion was found in one of the formulations."""
    runs = [mk.simulate(ball_with_link(velocity), 0.5, every=0.01, formulation=f, **TIGHT) for f in FORMULATIONS]
    for run in runs:
        assert np.ptp(run.energy.balance.values) < 1e-9 * run.energy.kinetic.max()
        assert all(run[f"under {name}.gap"].values.min() > -1e-11 for name in ("ball", "link"))
    ends = [run["link.position"].values[-1] for run in runs]
    assert np.abs(ends[0] - ends[1]).max() < 1e-8


def test_low_bounces_beside_what_rests():
    """A capsule that jams and clatters on a floor, with a ball that rests there: it goes as it does alone. Once, bounces too low to be
    seen were closed only if the first thing that touched felt them, and impacts did not end."""
    runs = []
    for beside in (False, True):
        s, floor = mk.System("capsule"), mk.Plane()
        capsule = mk.Capsule(0.05, 0.1, axis="x")
        if beside:
            s.body("ball", mass=0.01, shape=mk.Sphere(0.1), position=(1.0, 0, 0.1))
            s.contact("under ball", "ball", (s.ground, floor), friction=2.595)
        turning = dict(angular_velocity=(7.487, 6.234, -6.497))
        s.body("capsule", mass=1.0, shape=capsule, position=(0.006, 0.005, 0.55), **turning)
        s.contact("floor", "capsule", (s.ground, floor), friction=2.595)
        runs.append(mk.simulate(s, 0.6, every=0.01, **TIGHT))
    alone, together = (run["capsule.position"].values for run in runs)
    assert np.abs(alone - together).max() < 1e-7
