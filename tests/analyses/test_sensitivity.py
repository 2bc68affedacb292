"""Exact derivatives of motions, equilibria and eigenvalues with respect to numbers of a model.

Oracles: closed forms (oscillator, pendulum, two-bar truss), another formulation with other constraints, and central
differences of the quantity itself, whose error must show the V of truncation and round-off.
"""

import matplotlib
import numpy as np
import pytest
from scipy.special import ellipe, ellipk
from systems import named_double_pendulum

import mekane as mk
from mekane import gallery
from mekane.analyses.linear.linearize import linearize
from mekane.errors import SimulationError

matplotlib.use("Agg")
G = 9.81


def oscillator():
    """m x'' + c x' + k x = 0 with x(0) = 0, x'(0) = v."""
    s = mk.System("oscillator", gravity=(0, 0, 0))
    block = s.body("block", mass=2.0, inertia=(1, 1, 1))
    s.slider("track", s.ground, block, axis="x", rate=0.5)
    s.sliding_spring("spring", "track", stiffness=mk.Param("k", 50.0))
    s.sliding_damper("damper", "track", damping=0.8)
    return s


def pendulum(angle=0.0, inertia=(0, 0, 0)):
    """A point on a massless rod of length l, `angle` away from hanging."""
    s = mk.System("pendulum", gravity=(0, 0, -G))
    l, a = mk.Param("l", 0.7), mk.Param("a", angle)
    bob = s.body("bob", mass=2.0, inertia=inertia, position=(l * np.sin(a), 0, -l * np.cos(a)))
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis="y")
    return s


def truss(load=40.0):
    """Two springs of stiffness k from (±a, 0, 0) to a node at height z, free at height b; a load hangs on the node."""
    s = mk.System("truss", gravity=(0, 0, -G))
    a, b = mk.Param("a", 1.0), mk.Param("b", 0.3)
    node = s.body("node", mass=load / G, inertia=(1, 1, 1), position=(0, 0, b))
    s.slider("guide", s.ground, node, at=(0, 0, 0), axis="z")
    for side, sign in (("left", -1), ("right", 1)):
        s.spring(
            side,
            (s.ground, (sign * a, 0, 0)),
            (node, (0, 0, 0)),
            stiffness=mk.Param("k", 2e3),
            length=(a * a + b * b) ** 0.5,
        )
    return s


def differences(function, at, h):
    return (function(at + h) - function(at - h)) / (2 * h)


# ---------------------------------------------------------------- motions


def test_oscillator_has_its_closed_form_derivatives():
    """x = v/w exp(−d t) sin(w t) differentiated by hand (complex step of that formula). Tolerance: that of the
    integration, 1e-11, grown by the number of periods."""
    t = np.linspace(0, 3, 61)
    found = mk.sensitivity(
        oscillator(),
        ["k", "block.mass", "damper.damping", "track.rate"],
        "track.displacement",
        t_end=3,
        every=t,
        rtol=1e-11,
    )

    def x(k, m, c, v):
        d = c / (2 * m)
        w = np.sqrt(k / m - d * d)
        return v / w * np.exp(-d * t) * np.sin(w * t)

    start = np.array([50.0, 2.0, 0.8, 0.5])
    np.testing.assert_allclose(found["track.displacement"], x(*start), atol=1e-10)
    for p, name in enumerate(found.parameters):
        exact = x(*(start + 1e-30j * np.eye(4)[p])).imag / 1e-30
        np.testing.assert_allclose(found.of("track.displacement", name), exact, rtol=0, atol=1e-9 * np.abs(exact).max())


def test_error_of_differences_has_the_shape_of_a_v():
    """Against the exact derivative, central differences err like h² first, then like round-off over h."""
    system, t = named_double_pendulum(), 1.5
    exact = float(
        mk.sensitivity(system, "l", "elbow.angle", t_end=t, every=[t], rtol=1e-12, atol=1e-14).of("elbow.angle", "l")[
            -1
        ]
    )
    at = lambda l: float(
        mk.simulate(system.with_parameters(l=l), t, every=[t], rtol=1e-13, atol=1e-15)["elbow.angle"][-1]
    )
    steps = 10.0 ** -np.arange(1.5, 11.6)
    error = np.array([abs(differences(at, 1.0, h) - exact) for h in steps]) / abs(exact)
    order = np.log10(error[:-1] / error[1:])
    assert np.all(np.abs(order[:2] - 2.0) < 0.1)  # truncation
    assert error.min() < 1e-8  # near eps^(2/3), with eps the 1e-13 of the simulation
    assert 2 < np.argmin(error) < 7
    assert 1e2 < error[-1] / error[-5] < 1e6  # four decades of h: round-off grows like 1/h
    assert error[-1] > 1e3 * error.min()


def test_period_of_a_pendulum_by_its_elliptic_integral():
    """T = 4 √(l/g) K(sin²(a/2)). The speed vanishes at T, so dT/dp = −(du/dp)/(du/dt) there."""
    a, l = 1.2, 0.7
    k2 = np.sin(a / 2) ** 2
    period = 4 * np.sqrt(l / G) * ellipk(k2)
    by_k2 = (ellipe(k2) - (1 - k2) * ellipk(k2)) / (2 * k2 * (1 - k2))
    exact = {
        "l": period / (2 * l),
        "a": 4 * np.sqrt(l / G) * by_k2 * np.sin(a / 2) * np.cos(a / 2),
        "bob.mass": 0.0,
        "gravity.z": period / (2 * G),
    }
    found = mk.sensitivity(
        pendulum(a), list(exact), "hinge.angle.rate", t_end=period, every=[period], rtol=1e-12, atol=1e-14
    )
    assert abs(found["hinge.angle.rate"][-1]) < 1e-10
    turn = float(mk.simulate(pendulum(a), 1e-3)["bob.angular_acceleration"][0, 1])  # it falls at T as at the start
    assert abs(turn) == pytest.approx(G / l * np.sin(a), rel=1e-12)
    np.testing.assert_allclose(-found.slopes[-1, 0] / turn, list(exact.values()), rtol=1e-9, atol=1e-10)


LOOPS = [
    ("four_bar", ["J1.rate", "link4.com.x", "gravity.x"], 0.5, "joint"),
    ("four_bar", ["J1.rate", "link4.com.x", "gravity.x"], 0.2, "absolute"),
    ("governor", ["left ball.mass", "bearing.rate"], 0.1, "joint"),
    ("rolling_disc_1", ["disc.mass", "gravity.x", "disc.angular_velocity.x"], 0.2, "joint"),
    ("heavy_top", ["top.mass", "gravity.x", "top.angular_velocity.x"], 0.2, "mixed"),
]


@pytest.mark.parametrize("name, numbers, t_end, formulation", LOOPS)
def test_loops_rolling_and_turning_bodies_agree_with_differences(name, numbers, t_end, formulation):
    """Central differences of order four. Their error: 1e-12 of the runs over h = 1e-3, and h⁴ of a fifth derivative."""
    system = gallery.find(name).system().named(numbers)
    body = list(system.bodies)[-1]
    of = [f"{body}.angular_velocity", f"{body}.velocity", f"{body}.position"]
    times = [t_end / 2, t_end]
    found = mk.sensitivity(system, numbers, of, t_end=t_end, every=times, formulation=formulation, rtol=1e-11)
    run = lambda **p: mk.simulate(system.with_parameters(p), t_end, every=times, rtol=1e-12, atol=1e-14)
    values = lambda p: np.hstack([run(**p)[name].values for name in of])
    np.testing.assert_allclose(found.values, values({}), rtol=0, atol=1e-8 * np.abs(found.values).max())
    for k, number in enumerate(numbers):
        p, h = system.parameters[number], 1e-3 * max(abs(system.parameters[number]), 0.1)
        below2, below, above, above2 = (values({number: p + j * h}) for j in (-2, -1, 1, 2))
        expected = (8 * (above - below) - (above2 - below2)) / (12 * h)
        np.testing.assert_allclose(found.slopes[..., k], expected, rtol=0, atol=2e-7 * np.abs(expected).max() + 1e-8)


def test_more_parameters_than_a_dual_number_has_slopes():
    """Nine at once give the same as one by one."""
    system = named_double_pendulum()
    names = [
        "l",
        "c",
        "upper.mass",
        "lower.mass",
        "upper.inertia.yy",
        "lower.inertia.yy",
        "gravity.z",
        "gravity.x",
        "lower.com.x",
    ]
    together = mk.sensitivity(system, names, "elbow.angle", t_end=0.5, every=0.1)
    for name in names[::4]:
        alone = mk.sensitivity(system, name, "elbow.angle", t_end=0.5, every=0.1)
        np.testing.assert_allclose(
            together.of("elbow.angle", name), alone.of("elbow.angle", name), rtol=1e-8, atol=1e-9
        )


def test_a_law_that_switches_at_a_known_time():
    """A force F until t = 1/2: afterwards v = F/(2 m), so dv/dF = 1/(2 m) and dv/dm = −F/(2 m²)."""
    s = mk.System("pushed", gravity=(0, 0, 0))
    block = s.body("block", mass=2.0, inertia=(1, 1, 1))
    s.slider("track", s.ground, block, axis="x")
    s.parameter("F", 3.0)
    s.force("push", block, ("F if t < 0.5 else 0", 0, 0))
    found = mk.sensitivity(s, ["F", "block.mass"], "track.displacement.rate", t_end=1.0, every=[1.0])
    np.testing.assert_allclose(found.slopes[0, 0], [1 / 4, -3 / 8], rtol=1e-12)


PULSES = ["a*1e4 if (t - t0)**2 < 2.5e-9 else 0", "a*1e4/sqrt(pi)*exp(-(1e4*(t - t0))**2)"]


@pytest.mark.parametrize("law", PULSES)
def test_short_pulses_are_not_stepped_over(law):
    """An impulse a on 1 kg at t0: x = a (1 − t0) at t = 1, so dx/da = 1 − t0, dx/dt0 = −a, and v = a however it is
    shifted. Steps before the pulse are a thousand times longer than it. 1e-6: a thousand times rtol."""
    s = mk.System("kicked", gravity=(0, 0, 0))
    s.parameter("t0", 0.537)
    s.parameter("a", 1.0)
    s.slider("track", s.ground, s.body("block", mass=1.0, inertia=(1, 1, 1)), axis="x")
    s.motor("kick", "track", force=law)
    of = ["track.displacement", "track.displacement.rate"]
    found = mk.sensitivity(s, ["t0", "a"], of, t_end=1.0, every=[1.0])
    np.testing.assert_allclose(found.slopes[0], [[-1.0, 0.463], [0.0, 1.0]], rtol=0, atol=1e-6)


def test_a_law_of_time_that_cannot_be_resolved_is_refused():
    """Ten million changes of sides within a second, whose instants move with a parameter."""
    s = mk.System("chopped", gravity=(0, 0, 0))
    s.parameter("w", 6e7)
    s.slider("track", s.ground, s.body("block", mass=1.0, inertia=(1, 1, 1)), axis="x")
    s.motor("chopper", "track", force="1 if sin(w*t) > 0 else 0")
    with pytest.raises(SimulationError, match="table"):
        mk.sensitivity(s, "w", "track.displacement", t_end=1.0, every=[1.0])


def falling(law):
    """A ball on a vertical guide, from height h; the floor pushes as the law says."""
    s = mk.System("falling", gravity=(0, 0, -G))
    ball = s.body("ball", mass=1.0, inertia=(1, 1, 1), position=(0, 0, mk.Param("h", 1.0)))
    s.slider("fall", s.ground, ball, at=(0, 0, 0), axis="z")
    s.parameter("k", 30.0)
    s.parameter("t0", 0.3)
    s.force("floor", ball, (0, 0, law))
    return s


def test_derivatives_jump_where_a_law_changes_sides():
    """A constant push k below z = 0. By hand, with t* = √(2h/g), v* = −g t*: z = v* (t − t*) + (k − g)(t − t*)²/2
    afterwards."""
    t = 0.8
    found = mk.sensitivity(
        falling("k if ball.position.z < 0 else 0"), ["h", "k", "gravity.z"], "ball.position.z", t_end=t, every=[t]
    )

    def z(h, k, g):
        at = np.sqrt(-2 * h / g)
        return g * at * (t - at) + (k + g) * (t - at) ** 2 / 2

    start = np.array([1.0, 30.0, -G])
    exact = [z(*(start + 1e-30j * np.eye(3)[k])).imag / 1e-30 for k in range(3)]
    assert float(found["ball.position.z"][-1]) == pytest.approx(z(*start), abs=1e-9)
    np.testing.assert_allclose(found.slopes[-1, 0], exact, rtol=1e-8)


def test_the_time_of_a_switch_may_be_a_parameter():
    """A push k from t0 on: z = … + k (t − t0)²/2, so dz/dt0 = −k (t − t0)."""
    found = mk.sensitivity(falling("k if t > t0 else 0"), ["t0", "k"], "ball.position.z", t_end=0.8, every=[0.8])
    np.testing.assert_allclose(found.slopes[-1, 0], [-30 * 0.5, 0.5**2 / 2], rtol=1e-8)


def sawtooth(w):
    """∫₀¹ of the angle of (cos w t, sin w t): w t, and a turn less from t = π/w on."""
    return w / 2 - 2 * np.pi * (1 - np.pi / w)


def staircase(w):
    """∫₀¹ ⌊w t⌋, which rises at k/w."""
    return sum(1 - k / w for k in range(1, int(w) + 1))


ROUNDED = {  # law of x = t → ∫₀¹ dt of it, as functions of w
    "floor(w*x)": staircase,
    "ceil(w*x)": lambda w: staircase(w) + 1,
    "w*x // 1": staircase,
    "w*x % 1": lambda w: w / 2 - staircase(w),
    "floor(w*x) + floor(2*w*x)": lambda w: staircase(w) + sum(1 - k / (2 * w) for k in range(1, int(2 * w) + 1)),
    "atan2(sin(w*x), cos(w*x))": sawtooth,
}


@pytest.mark.parametrize("clock", ["t", "ball.position.y"])
@pytest.mark.parametrize("law", ROUNDED)
def test_laws_that_round(law, clock):
    """A push that is a rounded number of the time, or of a coordinate that goes on evenly; speeds after a second are its
    integral, and change with the instants at which it jumps."""
    s = mk.System("falling", gravity=(0, 0, 0), parameters={"w": 4.3})
    ball = s.body("ball", mass=1.0, velocity=(0, 1, 0))
    s.force("push", ball, (0, 0, law.replace("x)", f"{clock})").replace("x ", f"{clock} ")))
    found = mk.sensitivity(s, "w", "ball.velocity.z", t_end=1.0, every=[1.0])
    speed = ROUNDED[law]
    assert float(found["ball.velocity.z"][-1]) == pytest.approx(speed(4.3), abs=1e-9)
    by_hand = (speed(4.3 + 1e-4) - speed(4.3 - 1e-4)) / 2e-4  # h² times third derivatives: 1e-8
    assert float(found.of("ball.velocity.z", "w")[-1]) == pytest.approx(by_hand, rel=1e-7)


TOGETHER = {  # laws that change sides at t = 1/w, at about that, or at 0.25 → d/dw of their integral, 1/w² = 1/16 for each that moves
    "(1 if w*x > 1 else 0) + (1 if w*x > 1 + 1e-15 else 0)": 2 / 16,
    "(1 if w*x > 1 else 0) + (1 if 3*w*x > 3 else 0)": 2 / 16,
    "(1 if w*x > 1 else 0) + (1 if w*x > 1 + 1e-12 else 0)": 2 / 16,
    "(1 if w*x > 1 else 0) + (1 if t > 0.25 else 0)": 1 / 16,
    "(1 if w*x > 1 else 0)*(1 if x > 1/w else 0)": 1 / 16,
    "(1 if w*x > 1 else 0)*(1 if x < 1/w else 2)": 2 / 16,
    "(1 if w*x > 1 else 0)*(1 if t > 0.25 else 0)": None,  # the later one decides
}


@pytest.mark.parametrize("clock", ["t", "ball.position.y"])
@pytest.mark.parametrize("law", TOGETHER)
def test_laws_that_change_sides_together(law, clock):
    """Their parts add up, whether instants move together, apart or not at all; where the order in which they change matters,
    there is no derivative."""
    s = mk.System("falling", gravity=(0, 0, 0), parameters={"w": 4.0})
    ball = s.body("ball", mass=1.0, velocity=(0, 1, 0))
    s.force("push", ball, (0, 0, law.replace("x ", f"{clock} ")))
    if TOGETHER[law] is None:
        with pytest.raises(mk.ModelError, match="several laws change sides at the same instant at t = 0.25 s"):
            mk.sensitivity(s, "w", "ball.velocity.z", t_end=1.0, every=[1.0])
        return
    found = mk.sensitivity(s, "w", "ball.velocity.z", t_end=1.0, every=[1.0])
    assert float(found.of("ball.velocity.z", "w")[-1]) == pytest.approx(TOGETHER[law], rel=1e-9)


def test_bounces_on_a_stiff_floor():
    """Spring and damper, several bounces. Central differences of order four; the laws jump at every contact."""
    system = falling("(-2e3*ball.position.z - 5*ball.velocity.z) if ball.position.z < 0 else 0")
    times = [0.6, 1.1, 1.6]
    found = mk.sensitivity(system, "h", "ball.position.z", t_end=1.6, every=times, rtol=1e-11, atol=1e-14)
    at = lambda h: mk.simulate(system.with_parameters(h=h), 1.6, every=times, rtol=1e-12, atol=1e-15)[
        "ball.position"
    ].values[:, 2]
    h = 1e-3
    expected = (8 * (at(1 + h) - at(1 - h)) - (at(1 + 2 * h) - at(1 - 2 * h))) / (12 * h)
    np.testing.assert_allclose(found.slopes[:, 0, 0], expected, rtol=2e-6)


# ---------------------------------------------------------------- equilibria and eigenvalues


@pytest.mark.parametrize("load", [10.0, 40.0])
def test_truss_moves_as_its_closed_form_says(load):
    """Before the limit load, and snapped through:
    W + 2 k (1 − L0/L) z = 0 differentiated by hand: dz/dp = −F_p / F_z, by complex step of F."""
    s = truss(load)
    rest = mk.equilibrium(s)
    found = mk.sensitivity(s, ["a", "b", "k", "node.mass", "gravity.z"], ["node.position.z"], at=rest)
    z = rest["node.position"][2]

    def F(z, a, b, k, m, g):
        return -m * g + 2 * k * (1 - np.sqrt(a * a + b * b) / np.sqrt(a * a + z * z)) * z

    start = np.array([z, 1.0, 0.3, 2e3, load / G, -G])
    assert abs(F(*start)) < 1e-8
    slopes = [F(*(start + 1e-30j * np.eye(6)[k])).imag / 1e-30 for k in range(6)]
    np.testing.assert_allclose(found.slopes[0], -np.array(slopes[1:]) / slopes[0], rtol=1e-9)
    assert found["node.position.z"] == pytest.approx(z, abs=1e-12) and (z > 0) == (load < 20)


@pytest.mark.parametrize("inertia", [0.0, 0.05])
def test_frequency_of_a_pendulum(inertia):
    """w² = m g l / (I + m l²), by hand; without inertia w = √(g/l), the small-angle period."""
    found = mk.sensitivity(pendulum(0.0, (inertia,) * 3), ["l", "bob.mass", "gravity.z"], "eigenvalues")
    w = lambda l, m, g: np.sqrt(-m * g * l / (inertia + m * l * l))
    start = np.array([0.7, 2.0, -G])
    exact = [w(*(start + 1e-30j * np.eye(3)[k])).imag / 1e-30 for k in range(3)]
    assert found.frequencies[0] * 2 * np.pi == pytest.approx(w(*start), rel=1e-12)
    np.testing.assert_allclose(found.frequency_slopes[0] * 2 * np.pi, exact, rtol=1e-9, atol=1e-12)
    assert found.of(2, "l") == pytest.approx(-1j * exact[0], rel=1e-9)


def hanging():
    """A double pendulum that a spring and gravity hold away from the vertical, with a damper."""
    s = named_double_pendulum()
    s.torsional_spring("spring", "shoulder", stiffness=mk.Param("k", 6.0))
    s.torsional_damper("brake", "shoulder", damping=0.3)
    return s


def test_equilibrium_and_eigenvalues_are_the_same_in_other_coordinates():
    """In absolute coordinates joints are constraints; all derivatives must agree to round-off of the solve."""
    names, of = ["l", "k", "c", "lower.mass", "gravity.z"], ["shoulder.angle", "elbow.angle", "lower.position"]
    both = [mk.equilibrium(hanging(), formulation=formulation) for formulation in ("joint", "absolute")]
    rest = [mk.sensitivity(hanging(), names, of, at=at) for at in both]
    np.testing.assert_allclose(rest[0].slopes, rest[1].slopes, rtol=1e-8, atol=1e-9)
    values = [mk.sensitivity(hanging(), names, "eigenvalues", at=at) for at in both]
    np.testing.assert_allclose(values[0].eigenvalues, values[1].eigenvalues, rtol=1e-8)
    np.testing.assert_allclose(
        values[0].slopes, values[1].slopes, rtol=1e-7, atol=1e-8 * np.abs(values[0].slopes).max()
    )
    np.testing.assert_allclose(
        np.sort_complex(np.linalg.eigvals(linearize(hanging(), at=both[0]).A)), np.sort_complex(values[0].eigenvalues)
    )


@pytest.mark.parametrize("name", ["l", "k", "lower.mass"])
def test_equilibrium_and_eigenvalues_agree_with_differences(name):
    """Central differences of the equilibrium found anew; h = 1e-4 leaves h² and 1e-11/h."""
    system = hanging().named([name] if "." in name else [])
    rest = mk.equilibrium(system)
    here = mk.sensitivity(system, name, ["elbow.angle", "lower.position.x"], at=rest)
    values = mk.sensitivity(system, name, "eigenvalues", at=rest)
    at = lambda p: mk.equilibrium(
        system.with_parameters({name: p}), at={k: rest[k] for k in ("shoulder.angle", "elbow.angle")}
    )
    h, p = 1e-4, system.parameters[name]
    high, low = at(p + h), at(p - h)
    read = lambda eq: np.array([eq["elbow.angle"], eq["lower.position"][0]])
    np.testing.assert_allclose(here.slopes[:, 0], (read(high) - read(low)) / (2 * h), rtol=1e-6, atol=1e-6)
    of = lambda eq: mk.sensitivity(eq.statics.system, "c", "eigenvalues", at=eq).eigenvalues
    np.testing.assert_allclose(values.slopes[:, 0], (of(high) - of(low)) / (2 * h), rtol=1e-5, atol=1e-5)


def test_loop_with_springs_at_rest():
    """The governor's cousin: a four-bar held by a spring; 'joint' cuts one joint, 'absolute' holds all by rows."""

    def build():
        s = mk.System("held four-bar", gravity=(0, 0, -G))
        crank = s.body("crank", mass=mk.Param("m", 1.0), inertia=(0.01, 0.02, 0.01), position=(0, 0, 0.25))
        rod = s.body("rod", mass=2.0, inertia=(0.01, 0.1, 0.1), position=(0.5, 0, 0.6))
        rocker = s.body("rocker", mass=1.0, inertia=(0.02, 0.03, 0.02), position=(1.0, 0, 0.35))
        s.pin("A", s.ground, crank, at=(0, 0, 0), axis="y")
        s.pin("B", crank, rod, at=(0, 0, 0.5), axis="y")
        s.pin("C", rod, rocker, at=(1.0, 0, 0.7), axis="y")
        s.pin("D", rocker, s.ground, at=(1.0, 0, 0), axis="y")
        s.torsional_spring("spring", "A", stiffness=mk.Param("k", 30.0), angle=0.1)
        return s

    names = ["m", "k", "rod.mass", "C.at.z"]
    both = [mk.equilibrium(build(), formulation=formulation) for formulation in ("joint", "absolute")]
    rest = [mk.sensitivity(build(), names, ["A.angle", "rod.position.x"], at=at) for at in both]
    np.testing.assert_allclose(rest[0].slopes, rest[1].slopes, rtol=1e-7, atol=1e-9)
    values = [mk.sensitivity(build(), names, "eigenvalues", at=at) for at in both]
    np.testing.assert_allclose(values[0].slopes, values[1].slopes, rtol=1e-6, atol=1e-7)
    assert np.abs(rest[0].slopes).min() > 1e-6


def test_repeated_eigenvalues_are_reported():
    """A point on equal springs in x and y swings at one frequency both ways."""
    s = mk.System("node", gravity=(0, 0, 0))
    node = s.body("node", mass=1.0, inertia=(1, 1, 1))
    table = s.body("table", mass=0.5, inertia=(1, 1, 1))
    s.slider("x", s.ground, node, axis="x")
    s.slider("y", s.ground, table, axis="y")
    s.sliding_spring("kx", "x", stiffness=mk.Param("k", 4.0))
    s.sliding_spring("ky", "y", stiffness=2.0)
    found = mk.sensitivity(s, "k", "eigenvalues")
    assert found.repeated.all() and "coincide" in str(found)


# ---------------------------------------------------------------- answers and refusals


def test_answers_show_themselves(tmp_path):
    found = mk.sensitivity(oscillator(), ["k", "block.mass"], t_end=1)
    assert found.to_xarray().slope.sel(quantity="track.displacement", parameter="k").shape == (201,)
    assert "block.mass" in str(found) and found.to_dict()["parameters"] == {"k": 50.0, "block.mass": 2.0}
    found.plot(tmp_path / "k.png")
    assert (tmp_path / "k.png").stat().st_size > 1000
    rest = mk.sensitivity(truss(), "k", at=mk.equilibrium(truss()))
    assert "guide.displacement" in str(rest) and len(rest.to_dict()["slopes"]) == 2
    assert "d/d k" in str(mk.sensitivity(truss(), "k", "eigenvalues", at=mk.equilibrium(truss())))


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda: mk.sensitivity(named_double_pendulum(), "k", t_end=1), "'k' is not a parameter"),
        (lambda: mk.sensitivity(named_double_pendulum(), "uper.mass", t_end=1), "Did you mean 'upper.mass'"),
        (lambda: mk.sensitivity(named_double_pendulum(), [], t_end=1), "no name is there"),
        (lambda: mk.sensitivity(named_double_pendulum(), ["c", "c"], t_end=1), "stands there twice"),
        (lambda: mk.sensitivity(named_double_pendulum(), "c", "elbo.angle", t_end=1), "elbo"),
        (lambda: mk.sensitivity(named_double_pendulum(), "c"), "neither t_end nor at"),
        (lambda: mk.sensitivity(named_double_pendulum(), "c", "eigenvalues", t_end=1), "both given"),
        (lambda: mk.sensitivity(named_double_pendulum(), "c", t_end=1, every=[2.0]), "between 0 and t_end"),
        (lambda: mk.sensitivity(named_double_pendulum(), "c", "eigenvalues"), "no equilibrium"),
        (lambda: mk.sensitivity(oscillator(), "k", "eigenvalues"), "it moves: 'track.displacement.rate'"),
        (lambda: mk.sensitivity(named_double_pendulum(), "c", at=3), "an answer of mk.equilibrium"),
        (lambda: mk.sensitivity(named_double_pendulum(), "c", t_end=1).of("elbow.angel", "c"), "Did you mean 'elbow.angle'"),
    ],
)  # fmt: skip
def test_bad_input_is_answered(ask, message):
    with pytest.raises(mk.MekaneError) as error:
        ask()
    assert message in str(error.value)


def four_bar_of(coupling):
    """A crank and a rocker whose coupler hangs on joints of these kinds."""
    s = mk.System("four-bar", gravity=(0, 0, -9.81))
    s.body("a", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.5))
    s.body("b", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(1, 0, 1.25))
    s.body("c", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(2, 0, 0.75))
    s.pin("A", s.ground, "a", at=(0, 0, 0), axis="y", rate=2.0)
    axis = dict(axis="y") if coupling == "pin" else {}
    getattr(s, coupling)("B", "a", "b", at=(0, 0, 1), **axis)
    getattr(s, coupling)("C", "b", "c", at=(2, 0, 1.5), **axis)
    s.pin("D", "c", s.ground, at=(2, 0, 0), axis="y")
    return s


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("name", ["A.axis.x", "B.axis.z"])
def test_an_axis_that_a_loop_of_parallel_pins_cannot_follow(name, formulation):
    """A planar loop of four pins is closed only while their axes are parallel: with another axis there is no motion, so it has no
    derivative. Every formulation gave another number."""
    with pytest.raises(mk.ModelError, match=f"'{name}' changes, '[ABCD]' does not stay closed"):
        mk.sensitivity(four_bar_of("pin"), name, of="b.position.y", t_end=0.3, every=[0, 0.3], formulation=formulation)


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_an_axis_that_a_loop_can_follow(formulation):
    """With balls at the coupler the loop follows any axis. Oracle: central differences of runs, to 1e-6."""
    of, h = ["a.position.y", "c.position.x", "D.angle"], 1e-4
    found = mk.sensitivity(four_bar_of("ball"), "A.axis.x", of=of, t_end=0.3, every=[0, 0.3], formulation=formulation)
    s = four_bar_of("ball").named("A.axis.x")
    ends = []
    for value in (h, -h):
        run = mk.simulate(s.with_parameters({"A.axis.x": value}), 0.3, every=[0, 0.3], rtol=1e-12)
        ends.append(
            [float(run["a.position"].values[-1][1]), float(run["c.position"].values[-1][0]), run["D.angle"].values[-1]]
        )
    differences = (np.array(ends[0]) - ends[1]) / (2.0 * h)
    assert np.ravel(found.slopes[-1]) == pytest.approx(differences, rel=0, abs=1e-6)
