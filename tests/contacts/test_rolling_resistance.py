"""Resistance to rolling and spinning: torques of at most a length times the normal force.

Oracles: closed forms by hand. A ball of mass m and inertia 2/5 m r² that rolls is slowed by ρ g/r/(1 + 2/5); runs are at rtol
1e-11, and constant accelerations are integrated to round-off: 1e-12."""

import numpy as np
import pytest

import mekane as mk

G, M, R = 9.81, 2.0, 0.1
INERTIA = 0.4 * M * R * R
both = pytest.mark.parametrize("formulation", ["joint", "absolute"])


def ball(velocity=1.0, turns=None, spin=0.0, slope=0.0, height=0.0, time=1.0, formulation="joint", **law):
    """On a plane that falls towards x, with a velocity down it; it rolls, unless `turns` says how fast it turns."""
    s, n = mk.System(), np.array([np.sin(slope), 0, np.cos(slope)])
    turning = np.array([0, velocity / R if turns is None else turns, 0]) + spin * n
    down = velocity * np.array([np.cos(slope), 0, -np.sin(slope)])
    motion = dict(velocity=tuple(down), angular_velocity=tuple(turning))
    b = s.body("ball", mass=M, inertia=(INERTIA,) * 3, position=tuple((R + height) * n), **motion)
    s.contact("floor", (b, mk.Sphere(R)), (s.ground, mk.Plane(normal=tuple(n))), **({"friction": 0.5} | law))
    return mk.simulate(s, time, rtol=1e-11, atol=1e-13, formulation=formulation)


@both
def test_a_ball_rolls_out(formulation):
    run = ball(rolling=0.01, time=2.0, formulation=formulation)
    slows = 0.01 / R * G / 1.4
    stops = next(line.time for line in run.events if "floor.rolling.mode" in line.changes and line.time > 0)
    assert stops == pytest.approx(1 / slows, abs=1e-12)
    np.testing.assert_allclose(run["ball.velocity.x"].values, np.maximum(1 - slows * run.t, 0), rtol=0, atol=1e-12)
    assert run["floor.rolling.force"].values[0] == pytest.approx(0.01 * M * G, abs=1e-12)
    assert run["floor.rolling.slip"].values[0] == pytest.approx(1 / R, abs=1e-12)
    assert run["floor.heat"].values[-1] == pytest.approx(0.5 * M * 1.4, abs=1e-11) and run.health.ok


@pytest.mark.parametrize("slope", [0.09, 0.11])
def test_a_ball_stays_on_a_slope_up_to_the_angle_of_its_resistance(slope):
    """It stays where tan α ≤ ρ/r."""
    run = ball(velocity=0.0, slope=slope, rolling=0.01)
    exact = max(0.0, (np.sin(slope) - 0.1 * np.cos(slope)) * G / 1.4)
    assert np.linalg.norm(run["ball.velocity"].values[-1]) == pytest.approx(exact, abs=1e-12)


@both
def test_a_spin_decays(formulation):
    run = ball(velocity=0.0, spin=10.0, spinning=0.002, formulation=formulation)
    assert run["ball.angular_velocity.z"].values[-1] == pytest.approx(10 - 0.002 * M * G / INERTIA, abs=1e-12)


def test_rolling_begins_while_it_slides():
    """Thrown with backspin: the turning is braked by friction and resistance, stops, and begins the other way while the ball
    slides: v' = −μ g, I ω' = μ m g r ± ρ m g."""
    run = ball(turns=-20.0, friction=0.2, rolling=0.005, spinning=0.001, spin=5.0, time=0.3901)
    first = 20 * INERTIA / (0.2 * M * G * R + 0.005 * M * G)
    second = (0.2 * M * G * R - 0.005 * M * G) / INERTIA
    rolls = (1 + R * second * first) / (0.2 * G + R * second)  # v = r ω
    assert run.events[-1].changes == {"floor.mode": (1.0, 2.0)}
    assert run.events[-1].time == pytest.approx(rolls, abs=1e-11)
    assert abs(run.energy.balance - run.energy.balance[0]).max() < 1e-12


def test_an_impact_is_resisted_too():
    """Per unit of the normal impulse P = (1 + e) m v the torques are ρ: the spin loses ρ P/I; energy is accounted for."""
    run = ball(velocity=0.0, spin=10.0, height=0.5, time=0.4, restitution=0.6, rolling=0.01, spinning=0.002)
    (hit,) = [line for line in run.events if line.kind == "impact"]
    P = 1.6 * M * np.sqrt(2 * G * 0.5)
    assert hit.contact_impulses["floor"][0] == pytest.approx(P, abs=1e-11)
    assert run["ball.angular_velocity.z"].values[-1] == pytest.approx(10 - 0.002 * P / INERTIA, abs=1e-11)
    assert sum(hit.losses.values()) == pytest.approx(hit.kinetic_energy[0] - hit.kinetic_energy[1], abs=1e-12)


def test_in_a_plane():
    s = mk.System(planar="xz")
    b = s.body("ball", mass=M, inertia=INERTIA, position=(0, 0, R), velocity=(1, 0, 0), angular_velocity=(0, 1 / R, 0))
    s.contact("floor", (b, mk.Sphere(R)), (s.ground, mk.Plane()), friction=0.5, rolling=0.01, spinning=0.01)
    assert "floor.spinning" not in s.contact_laws["floor"].ids(s)
    run = mk.simulate(s, 1.0, rtol=1e-11, atol=1e-13)
    assert run["ball.velocity.x"].values[-1] == pytest.approx(1 - 0.1 * G / 1.4, abs=1e-12)


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_equilibrium_with_resistance_to_rolling(formulation):
    """On a slope it stays up to tan α = ρ/r: the torque that holds it is m g r sin α."""

    def system(slope):
        s = mk.System("ball", gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
        b = s.body("ball", mass=M, inertia=(1, 1, 1), position=(0, 0, R))
        s.contact("floor", (b, mk.Sphere(R)), (s.ground, mk.Plane()), friction=0.5, rolling=0.01)
        return s

    steepest = np.arctan(0.01 / R)
    rest = mk.equilibrium(system(0.999 * steepest), formulation=formulation)
    held = rest.contacts["floor.rolling"]
    assert held.friction == pytest.approx(M * G * R * np.sin(0.999 * steepest), rel=1e-9)
    assert held.largest == pytest.approx(0.01 * M * G * np.cos(0.999 * steepest), rel=1e-9)
    needed = R * np.tan(1.001 * steepest)
    with pytest.raises(
        mk.ModelError, match=rf"it slips: a resistance to rolling of {needed:.4g} needed at 'floor', 0\.01 given"
    ):
        mk.equilibrium(system(1.001 * steepest), formulation=formulation)


def test_a_negative_resistance_is_refused():
    s = mk.System()
    b = s.body("ball", mass=M, inertia=(INERTIA,) * 3, position=(0, 0, R))
    with pytest.raises(mk.ModelError, match="rolling is -1; friction resists motion"):
        s.contact("other", (b, mk.Sphere(R)), (s.ground, mk.Plane()), rolling=-1)


# ---------------------------------------------------------------- Moreau's method


def stepped(step, formulation="joint", time=1.0, **law):
    """A ball that rolls and spins on a floor, in steps of one length."""
    s = mk.System()
    turning = dict(velocity=(1, 0, 0), angular_velocity=(0, 1 / R, 5))
    b = s.body("ball", mass=M, inertia=(INERTIA,) * 3, position=(0, 0, R), **turning)
    s.contact("floor", (b, mk.Sphere(R)), (s.ground, mk.Plane()), **({"friction": 0.5} | law))
    return mk.simulate(s, time, method="moreau", step=step, formulation=formulation)


@both
def test_steps_know_rolling_and_spinning(formulation):
    """Constant torques: velocities after whole steps are exact, ρ m g h and σ m g h per step; what stops stays."""
    run = stepped(2e-3, formulation, 2.0, rolling=0.01, spinning=0.002)
    slows, decays = 0.01 / R * G / 1.4, 0.002 * M * G / INERTIA
    exact = np.maximum(1 - slows * run.t, 0), np.maximum(5 - decays * run.t, 0)
    np.testing.assert_allclose(run["ball.velocity.x"].values, exact[0], rtol=0, atol=1e-8)
    np.testing.assert_allclose(run["ball.angular_velocity.z"].values, exact[1], rtol=0, atol=1e-7)
    assert run["floor.rolling.mode"].values[[1, -1]].tolist() == [1, 2] and run["floor.mode"].values[-1] == 2
    heat = run["floor.heat"].values[-1]
    assert heat == pytest.approx(0.5 * M * 1.4 + 0.5 * INERTIA * 25, rel=1e-3)


def test_steps_and_events_agree_with_slope_one():
    """A ball dropped with a spin and a velocity: its impact is late or early by a part of a step, at angular accelerations of
    up to 73 rad/s²; all that is left falls with the step."""

    def system():
        s = mk.System()
        turning = dict(velocity=(1, 0, 0), angular_velocity=(0, -20, 8))
        b = s.body("ball", mass=M, inertia=(INERTIA,) * 3, position=(0, 0, 2 * R), **turning)
        s.contact("floor", (b, mk.Sphere(R)), (s.ground, mk.Plane()), friction=0.3, rolling=0.004, spinning=0.001)
        return s

    names = ["ball.velocity.x", "ball.angular_velocity.y", "ball.angular_velocity.z"]
    end = lambda run: np.array([float(run[name][-1]) for name in names])
    exact = end(mk.simulate(system(), 0.5, rtol=1e-10))
    for h in (4e-3, 1e-3, 2.5e-4):
        assert np.abs(end(mk.simulate(system(), 0.5, method="moreau", step=h)) - exact).max() < 10 * h
