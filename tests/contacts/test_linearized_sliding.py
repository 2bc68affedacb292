"""Linearized motion about states in which contacts slide: friction follows the normal force, the direction of sliding and
its own law, so the matrices are not symmetric.

Oracles: characteristic equations written by hand, a flutter threshold in closed form, and differences of the accelerations of
the time loop, which solves for friction in another way (N.4). What is exact is required to 1e-10."""

import numpy as np
import pytest
from scipy.optimize import brentq

import mekane as mk
from mekane.errors import ModelError

both = pytest.mark.parametrize("formulation", ["joint", "absolute"])
SLIDES = {"rub.mode": 1}


def band(s, motion, speed):
    moving = s.body("band", mass=1.0, inertia=(1, 1, 1), velocity=(speed, 0, 0))
    s.slider("drive", s.ground, moving, at=(0, 0, 0), axis="x")
    s.prescribed("motion", "drive", motion=motion)
    return moving


def belt(speed=1.0, friction="0.3 + 0.2*exp(-2*($v - sled.velocity.x))", m=2.0, k=100.0):
    """A mass on a spring of 10 m on a band; friction falls with the velocity of sliding."""
    s = mk.System("belt", gravity=(0, 0, -10))
    s.parameter("v", speed)
    x = (0.3 + 0.2 * np.exp(-2 * speed)) * m * 10 / k
    sled = s.body("sled", mass=m, position=(x, 0, 0))
    s.spring("spring", (s.ground, (-10, 0, 0)), sled, stiffness=k, length=10)
    s.contact("rub", (sled, (0, 0, 0)), (band(s, f"{speed}*t", speed), mk.Plane()), friction=friction)
    return s.with_discrete_state(SLIDES), x


@both
def test_friction_that_falls_with_the_velocity(formulation):
    """Along the band m x'' − m g μ' x' + k x = 0, which grows; across it friction damps with μ m g/v, and the spring, in
    tension, draws back with its force over its length."""
    s, x = belt()
    found = mk.linearize(s, formulation=formulation)
    mu = 0.3 + 0.2 * np.exp(-2)
    along, across = np.roots([1, -4 * np.exp(-2), 50]), np.roots([1, 10 * mu, 0.5 * 100 * x / (10 + x)])
    exact = np.sort_complex([*along, *across])
    np.testing.assert_allclose(np.sort_complex(found.eigenvalues), exact, rtol=1e-10)
    assert not found.stable and "'rub'" in " ".join(found.notes)


@both
def test_friction_changes_with_a_load(formulation):
    """A load on the mass: m x'' = μ δW, by the normal force alone."""
    s, _ = belt(friction="0.3 + 0.2*exp(-2)")
    s.parameter("weight", 0.0)
    s.force("load", "sled", (0, 0, "-$weight"))
    found = mk.linearize(s, inputs=["weight"], independent=["sled.x", "sled.y"], formulation=formulation)
    mu = 0.3 + 0.2 * np.exp(-2)
    np.testing.assert_allclose(found.B.T[0], [0, 0, mu / 2, 0], atol=1e-12)  # x, y, then their rates


def squeal(friction, mass=(0.3, 1.0, 0.2), kxx=100.0, kzz=60.0, kxz=-25.0, k=80.0, press=50.0):
    """A block on springs that couple its two directions presses a pad on a band: flutter by coupling of modes."""
    s = mk.System("squeal", gravity=(0, 0, 0))
    thing = lambda name, m: s.body(name, mass=m, inertia=(1, 1, 1))
    carriage, block = thing("carriage", mass[0]), thing("block", mass[1])
    pad = s.body("pad", mass=mass[2], inertia=(1, 1, 1), position=(0, 0, -1))
    s.slider("guide", s.ground, carriage, at=(0, 0, 0), axis="x")
    s.slider("lift", carriage, block, at=(0, 0, 0), axis="z")
    s.slider("shoe", carriage, pad, at=(0, 0, -1), axis="z")
    x, z = "guide.displacement", "lift.displacement"
    hold = (f"-{kxx}*{x} - {kxz}*{z} - {friction * press}", 0, f"-{kxz}*{x} - {kzz}*{z} - {press}")
    s.force("mount", block, hold)
    s.spring("lining", pad, block, stiffness=k, length=1 + press / k)
    s.contact("rub", (pad, (0, 0, 0)), (band(s, "5*t", 5.0), mk.Plane(at=(0, 0, -1))), friction=friction)
    a, d = kxx / sum(mass), (kzz + k) / mass[1]
    threshold = ((a - d) ** 2 * sum(mass) * mass[1] / (-4 * kxz) - kxz) / k
    K = np.array([[a, (kxz + friction * k) / sum(mass)], [kxz / mass[1], d]])
    return s.with_discrete_state(SLIDES), threshold, np.linalg.eigvals(K).astype(complex)


@both
def test_brake_squeal_begins_at_its_threshold(formulation):
    """Two modes coalesce where (a − d)² + 4 b c = 0, K = [a b; c d] over the masses: only friction makes b c negative."""
    threshold = squeal(0.1)[1]
    for share, stable in ((0.999, True), (1.001, False)):
        s, _, squares = squeal(share * threshold)
        found = mk.linearize(s, formulation=formulation)
        exact = np.poly([sign * np.sqrt(-one) for one in squares for sign in (1, -1)])
        np.testing.assert_allclose(np.poly(found.eigenvalues), exact, rtol=1e-10, atol=1e-10)
        assert found.stable == stable
    assert [mode.damping < -1e-3 for mode in mk.modes(s, formulation=formulation)] == [False, True]


def turntable(rate=3.0, radius=0.4, friction=0.5, k=20.0, m=2.0):
    """A mass at rest on a disc that turns under it, held by a spring that pulls as it is pushed."""
    s = mk.System("turntable", gravity=(0, 0, -10))
    disc = s.body("disc", mass=1.0, inertia=(1, 1, 1), angular_velocity=(0, 0, rate))
    s.pin("axle", s.ground, disc, at=(0, 0, 0), axis="z", rate=rate)
    s.prescribed("drive", "axle", motion=f"{rate}*t")
    mass = s.body("mass", mass=m, position=(radius, 0, 0))
    pull = (f"-{k}*(mass.position.x - {radius})", f"-{k}*mass.position.y - {friction * m * 10}", 0)
    s.force("spring", mass, pull)
    s.contact("rub", (mass, (0, 0, 0)), (disc, mk.Plane()), friction=friction)
    return s.with_discrete_state(SLIDES)


@both
def test_the_direction_of_sliding_turns_with_the_place(formulation):
    """γ = v − Ω × r, and δF = −μ N (1 − d dᵀ)(δv − Ω × δr)/|γ|: here d is −y, so x changes alone, by v_x and by Ω y."""
    c = 0.5 * 10 / (3.0 * 0.4)  # μ N/(m |γ|)
    exact = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-10, -3 * c, -c, 0], [0, -10, 0, 0]])
    found = mk.linearize(turntable(), independent=["mass.x", "mass.y"], formulation=formulation)
    assert found.states == ["mass.x", "mass.y", "mass.x.rate", "mass.y.rate"]
    np.testing.assert_allclose(found.A, exact, atol=1e-10)


def test_differences_of_the_time_loop():
    """A is the derivative of what runs compute; central differences of 1e-4 err by some 1e-8 in accelerations."""
    s, h = turntable(), 1e-4
    found = mk.linearize(s, independent=["mass.x", "mass.y"])
    run = mk.simulate(s, 1e-3)
    states = ["mass.x", "mass.y", "mass.x.rate", "mass.y.rate"]
    columns = [accelerations(run, states, k, h) - accelerations(run, states, k, -h) for k in range(4)]
    np.testing.assert_allclose(np.transpose(columns) / (2 * h), found.A[2:], atol=1e-6)


def accelerations(run, states, k, change):
    """Rates of the last two of four states, number k changed, in the modes of the start."""
    from mekane.solvers.entries.calls import rhs
    from mekane.solvers.solver import Solver

    c = run.compiled
    names = [*c.coordinates, *c.speeds]
    y = run.record.y[0].copy()
    y[names.index(states[k])] += change
    solver = Solver(c, y, t=0.0)
    yd = np.zeros(len(solver.y))
    rhs(solver.handle, 0.0, solver.y, yd)
    return yd[[c.n_q + c.speeds.index(name) for name in states[2:]]]


@both
def test_a_clutch_that_slips(formulation):
    """Friction of a given torque does not change: two shafts with dampers, each for itself."""
    s = mk.System("clutch", gravity=(0, 0, 0))
    for name, J, rate, torque in (("a", 2.0, 10.0, 15.0), ("b", 3.0, 4.0, -3.0)):
        s.body(name, mass=1.0, inertia=(J, J, J))
        s.pin(f"p{name}", s.ground, name, at=(0, 0, 0), axis="z", rate=rate)
        s.motor(f"m{name}", f"p{name}", torque=f"{torque} - 0.5*(p{name}.angle.rate - {rate})")
    s.clutch("rub", "pa", "pb", torque=15.0)
    s.motor("load", "pb", torque=-12.0)
    found = mk.linearize(s.with_discrete_state(SLIDES), formulation=formulation)
    np.testing.assert_allclose(np.sort(found.eigenvalues.real), [-0.25, -0.5 / 3, 0, 0], atol=1e-10)


def test_states_in_which_modes_are_about_to_change_are_refused():
    still = mk.System("still", gravity=(0, 0, -10))
    still.body("mass", mass=1.0)
    still.contact("rub", ("mass", (0, 0, 0)), (still.ground, mk.Plane()), friction=0.3)
    with pytest.raises(ModelError, match="'rub' is about to change its mode: it slides with 0 m/s"):
        mk.linearize(still.with_discrete_state(SLIDES))
    light = turntable()
    light.force("lift", "mass", (0, 0, 20))
    with pytest.raises(ModelError, match="'rub'.*its normal force is .* and it may open"):
        mk.linearize(light)
    held = turntable()
    held.body("block", mass=1.0, position=(5, 0, 0))
    held.contact("edge", ("block", (0, 0, 0)), (held.ground, mk.Plane()), friction=0.3)
    held.force("push", "block", (3.0, 0, 0))
    with pytest.raises(ModelError, match="'edge'.*at its largest, and it may slide"):
        mk.linearize(held.with_discrete_state({"edge.mode": 2}))
    with pytest.raises(ModelError, match="'edge'.*touches without being closed"):
        mk.linearize(held)


@both
def test_a_bearing_that_turns(formulation, J=0.7, m=2.0, length=0.5, arm=0.04, rate=3.0):
    """An arm without weight that a motor turns: J ω' = T(ω) − μ r m l ω² at the load of its centripetal force."""
    s = mk.System("arm", gravity=(0, 0, 0))
    turns = dict(velocity=(0, rate * length, 0), angular_velocity=(0, 0, rate))
    s.body("mass", mass=m, inertia=(J, J, J), position=(length, 0, 0), **turns)
    s.pin("axle", s.ground, "mass", at=(0, 0, 0), axis="z", rate=rate)
    s.motor("drive", "axle", torque=f"{arm * m * length * rate**2} - 0.2*(axle.angle.rate - {rate})")
    s.bearing_friction("rub", "axle", friction=1.0, radius=arm)
    found = mk.linearize(s.with_discrete_state(SLIDES), formulation=formulation)
    exact = -(0.2 + 2 * arm * m * length * rate) / (J + m * length**2)
    assert found.eigenvalues.real.min() == pytest.approx(exact, rel=1e-11)


@both
def test_froudes_pendulum(formulation, length=0.6, k=0.3, g=10.0):
    """A point mass hangs on a shaft that turns under it, rough: k = μ r/l. The reaction along and across the rod is m (g cos θ +
    l θ'²) and m (g sin θ + l θ''), the second k times the size of both. So l θ'' + g sin θ = K (g cos θ + l θ'²), K = k/√(1 − k²):
    it rests at tan θ = K, and swings there with ω² = g/(l cos θ)."""
    rest = np.arcsin(k)
    s = mk.System("Froude", gravity=(0, 0, -g))
    s.body("shaft", mass=1.0, inertia=(1, 1, 1), angular_velocity=(0, -8, 0))
    s.pin("drive", s.ground, "shaft", at=(0, 0, 0), axis=(0, -1, 0), rate=8.0)
    s.prescribed("motion", "drive", motion="8*t")
    s.body("bob", mass=1.3, position=(length * np.sin(rest), 0, -length * np.cos(rest)))
    s.pin("hinge", "shaft", "bob", at=(0, 0, 0), axis=(0, -1, 0), rate=-8.0)
    s.bearing_friction("rub", "hinge", friction=0.5, radius=k * length / 0.5)
    found = mk.linearize(s.with_discrete_state(SLIDES), formulation=formulation)
    np.testing.assert_allclose(
        np.sort(found.eigenvalues.imag), np.sqrt(g / length / np.cos(rest)) * np.array([-1, 1]), rtol=1e-10
    )
    np.testing.assert_allclose(found.eigenvalues.real, 0, atol=1e-9)


@both
def test_a_guide_that_a_slanting_spring_loads(formulation, m=2.0, k=60.0, natural=0.5, h=0.4, mu=0.35, g=10.0):
    """A mass on a carriage that is driven on under it. The spring draws it back and down, and so presses it: m x'' =
    −F x/L + μ (m g + F h/L), F = k (L − L₀)."""
    length = lambda x: np.hypot(x, h)
    along = lambda x: k * (1 - natural / length(x)) * (mu * h - x) + mu * m * g
    x = brentq(along, 0.1, 5.0, xtol=1e-15)
    s = mk.System("guide", gravity=(0, 0, -g))
    s.body("carriage", mass=1.0, inertia=(1, 1, 1), velocity=(2, 0, 0))
    s.slider("drive", s.ground, "carriage", at=(0, 0, 0), axis="x", rate=2.0)
    s.prescribed("motion", "drive", motion="2*t")
    s.body("mass", mass=m, inertia=(1, 1, 1), position=(x, 0, 0))
    s.slider("rail", "carriage", "mass", at=(x, 0, 0), axis="x", rate=-2.0)
    s.spring("spring", (s.ground, (0, 0, -h)), "mass", stiffness=k, length=natural)
    s.guide_friction("rub", "rail", friction=mu)
    slope = k * natural * x / length(x) ** 3 * (mu * h - x) - k * (1 - natural / length(x))
    found = mk.linearize(s.with_discrete_state(SLIDES), formulation=formulation)
    np.testing.assert_allclose(np.sort(found.eigenvalues.imag), np.sqrt(-slope / m) * np.array([-1, 1]), rtol=1e-10)


def test_a_guide_whose_force_changes_sides_is_refused():
    """A mass that slides without weight: what presses it later may come from either side."""
    s = mk.System("guide", gravity=(0, 0, 0))
    s.body("mass", mass=1.0, inertia=(1, 1, 1), velocity=(1, 0, 0))
    s.slider("rail", s.ground, "mass", at=(0, 0, 0), axis="x", rate=1.0)
    s.guide_friction("rub", "rail", friction=0.2)
    s.force("push", "mass", (0, "3*mass.position.x", 5))
    with pytest.raises(
        ModelError, match="'rub' is about to change its mode: a force on its faces is about to change sides"
    ):
        mk.linearize(s.with_discrete_state(SLIDES), tolerance=1e9)
