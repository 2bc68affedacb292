"""Machines with sampled controllers and discrete variables, against loops that know nothing of Mekane: exact discrete-time
systems, SciPy's integrator with the same hold, closed forms."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import mekane as mk

SHARP = dict(rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("code", ["loops", "specialised"])
@pytest.mark.parametrize("method", ["dop853", "implicit"])
def test_a_controller_of_1_khz_on_a_plant_of_100_hz(method, code):
    """m x'' + k x = u, u held for a millisecond. The exact step from tick to tick is the exponential of a 3×3 matrix. Errors of
    integration at 1e-12 over 20 periods leave 1e-9 of the amplitude."""
    m, w, h, n = 0.5, 2 * np.pi * 100, 1e-3, 200
    s = mk.System(gravity=(0, 0, 0))
    s.body("mass", mass=m, inertia=(1, 1, 1), velocity=(1, 0, 0))
    s.slider("rail", s.ground, "mass", axis="x", at=(0, 0, 0))
    s.sliding_spring("spring", "rail", stiffness=m * w * w)
    s.input("u", 0.0, unit="N")
    s.motor("coil", "rail", force="u")
    law = lambda t, x, v: -30 * v - 2e4 * x
    s.controller("pilot", "1 ms", reads=["rail.displacement", "rail.displacement.rate"], writes="u", function=law)
    rtol = 1e-12 if method == "dop853" else 1e-9  # an implicit method of low order takes ever so many steps
    run = mk.simulate(s, n * h, every=h, method=method, code=code, rtol=rtol, atol=1e-15)
    step = expm(np.array([[0, 1, 0], [-w * w, 0, 1 / m], [0, 0, 0]]) * h)
    x, exact = np.array([0.0, 1.0]), []
    for _ in range(n + 1):
        exact.append(x)
        x = (step @ [*x, law(0, *x)])[:2]
    found = np.array([run["rail.displacement"].values * w, run["rail.displacement.rate"].values]).T
    exact = np.array(exact) * [w, 1]
    assert np.abs(exact[-20:]).max() < 0.1  # it damps
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-9 if method == "dop853" else 1e-5)


def rotation(e):
    """Of a quaternion (scalar first)."""
    a, v = e[0], e[1:]
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * a * cross + 2 * cross @ cross


def rotation_vector(e):
    e = e if e[0] >= 0 else -e
    size = np.linalg.norm(e[1:])
    return 2 * np.arctan2(size, e[0]) * e[1:] / size if size else 2 * e[1:]


def test_a_satellite_holds_its_attitude():
    """Three torques by the rotation vector and the angular velocity, ten times a second. Oracle: SciPy's DOP853 on quaternion and
    angular momentum in world axes, from tick to tick with the same hold; 1e-9 is a hundred times the sum of errors of 100
    intervals."""
    inertia, w0 = np.array([2.0, 3.0, 4.0]), np.array([0.2, -0.1, 0.3])
    s = mk.System(gravity=(0, 0, 0))
    s.body("bus", mass=10.0, inertia=tuple(inertia), angular_velocity=tuple(w0))
    for axis in "xyz":
        s.input(f"u{axis}", 0.0, unit="N m")
    s.torque("wheels", "bus", ("ux", "uy", "uz"))
    law = {f"u{axis}": f"-1.5*bus.orientation.{axis} - 4*bus.angular_velocity.{axis}" for axis in "xyz"}
    s.controller("pilot", 0.1, function=law)
    s.output("off", "sqrt(bus.orientation.x**2 + bus.orientation.y**2 + bus.orientation.z**2)", unit="rad")
    run = mk.simulate(s, 10.0, every=0.1, **SHARP)
    tensor = np.diag(inertia)
    velocity = lambda e, H: rotation(e) @ np.linalg.solve(tensor, rotation(e).T @ H)

    def slope(t, y, torque):
        e, w = y[:4], velocity(y[:4], y[4:])
        return np.concatenate([[-0.5 * w @ e[1:]], 0.5 * (e[0] * w + np.cross(w, e[1:])), torque])

    y, exact = np.array([1.0, 0, 0, 0, *(inertia * w0)]), []
    for _ in range(101):
        w = velocity(y[:4], y[4:])
        exact.append([*rotation_vector(y[:4]), *w])
        torque = -1.5 * rotation_vector(y[:4]) - 4 * w
        y = solve_ivp(slope, (0, 0.1), y, "DOP853", rtol=1e-12, atol=1e-14, args=(torque,)).y[:, -1]
        y[:4] /= np.linalg.norm(y[:4])
    names = [f"bus.{what}.{axis}" for what in ("orientation", "angular_velocity") for axis in "xyz"]
    found = np.array([run.numbers(name) if "velocity" in name else run[f"{name} + 0*t"].values for name in names]).T
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-9)
    assert run["off"].values[-1] < 0.05 < run["off"].values.max()


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_a_gearbox_with_two_speeds(formulation):
    """The shaft of an engine (J) drives a wheel (I) over a ratio that a variable chooses. In gear the torque at the wheel is
    T r: rates are straight lines, and the engine, geared to the wheel, is set to the new speed at the shift."""
    T, I, ratios, limit = 12.0, 3.0, (4.0, 2.0), 80.0
    s = mk.System(gravity=(0, 0, 0))
    s.body("wheel", mass=1.0, inertia=(I, I, I))
    s.pin("axle", s.ground, "wheel", at=(0, 0, 0), axis="x")
    s.variable("gear", 1)
    s.motor("engine", "axle", torque=f"{T}*({ratios[0]} if gear == 1 else {ratios[1]})")
    s.output("engine_speed", f"axle.angle.rate*({ratios[0]} if gear == 1 else {ratios[1]})", unit="rad/s")
    s.event("shift", when=f"gear == 1 and {ratios[0]}*axle.angle.rate > {limit}", set={"gear": 2})
    s.event("top", when=f"gear == 2 and {ratios[1]}*axle.angle.rate > {limit}", stop=True)
    run = mk.simulate(s, 60.0, formulation=formulation, **SHARP)
    first = limit / ratios[0] / (T * ratios[0] / I)
    second = first + (limit / ratios[1] - limit / ratios[0]) / (T * ratios[1] / I)
    np.testing.assert_allclose(run.events.times, [first, second], rtol=0, atol=1e-12)
    assert run.info["ended_by"] == "top" and run["gear"].values[-1] == 2
    assert run["engine_speed"].values[-1] == pytest.approx(limit, abs=1e-11)


def crane():
    """A trolley with a hanging load. The input is the force on the trolley."""
    s = mk.System("crane")
    trolley = s.body("trolley", mass=50.0, inertia=(1, 1, 1))
    load = s.body("load", mass=20.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -4))
    s.slider("rail", s.ground, trolley, axis="x")
    s.pin("rope", trolley, load, at=(0, 0, 0), axis="y")
    s.input("u", 0.0, unit="N")
    s.motor("drive", "rail", force="u")
    s.damper("air", (s.ground, (0, 0, 0)), (load, (0, 0, 0)), damping=0.01)
    return s


def swing_damping(t, x, v, angle, rate):
    return 60 * (3.0 - x) - 120 * v - 150 * angle - 260 * rate


@pytest.mark.parametrize("options", [dict(method="dop853", **SHARP), dict(method="rk4", step=0.02)])
def test_a_crane_with_swing_damping_stepped_by_hand(options):
    """By hand: read four numbers, set the force, step 20 ms. As one run: a controller with the same function. Both take the same
    ticks, and differ by round-off of adaptive steps alone."""
    names = ["rail.displacement", "rail.displacement.rate", "rope.angle", "rope.angle.rate"]
    s = crane()
    s.controller("pilot", "20 ms", reads=names, writes="u", function=swing_damping)
    run = mk.simulate(s, 20.0, every=0.02, **options)
    sim, found = mk.stepper(crane(), **options), []
    for _ in range(1000):
        now = [sim[name] for name in names]
        found.append(now)
        sim.step(0.02, u=swing_damping(sim.t, *now))
    exact = np.array([run.numbers(name)[:-1] for name in names]).T
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-10)
    assert abs(found[-1][0] - 3.0) < 0.02 and abs(found[-1][2]) < 1e-2  # it has arrived, and hangs still
    assert np.abs(np.array(found)[:, 2]).max() > 0.05
