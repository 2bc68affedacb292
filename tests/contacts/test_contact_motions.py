"""Further motions with contact laws, each beside a closed form, an invariant or a small program of its own.

Events are located to round-off at rtol 1e-12, so 1e-11 is required, as in test_oracles."""

import numpy as np
import pytest
from oracles import TIGHT, G, rolling

import mekane as mk
from mekane.kernels.shared_loads import TANGENTIAL
from mekane.solvers.contacts.local import Local, LocalElement
from mekane.solvers.contacts.mode_exchange import options_for, share_by_load
from mekane.tables.columns import STICKING

both = pytest.mark.parametrize("formulation", ["joint", "absolute"])
NEAR = 1e-11


def run_of(s, t, formulation, **options):
    return mk.simulate(s, t, formulation=formulation, **(TIGHT | options))


def end(run, name):
    return float(run[name].values[-1])


def times(run):
    """Of all changes after the start."""
    return [line.time for line in run.events if line.time > 0.0]


@both
def test_a_top_keeps_jelletts_invariant(formulation):
    """A sphere whose mass centre is not its centre slides, spinning: L · (from the mass centre to the contact) is constant,
    whatever friction does."""
    R, a, I1, I3 = 0.02, 0.003, 2.3e-6, 2.6e-6
    axis = np.array([np.sin(0.1), 0, np.cos(0.1)])
    s = mk.System("tippe top")
    start = dict(
        orientation=("y", 0.1), position=tuple(np.array([0, 0, R]) - a * axis), angular_velocity=tuple(150 * axis)
    )
    top = s.body("top", mass=0.015, inertia=(I1, I1, I3), **start)
    s.contact("floor", (top, mk.Sphere(R, at=(0, 0, a))), (s.ground, mk.Plane()), friction=0.3)
    run = mk.simulate(s, 0.3, formulation=formulation, rtol=1e-10, atol=1e-12, every=0.02)
    w, arm = run["top.angular_velocity"].values, run["floor.point"].values - run["top.position"].values
    axis = (arm + [0, 0, R]) / a
    L = I1 * w + (I3 - I1) * np.sum(w * axis, axis=1)[:, None] * axis
    jellett = np.sum(L * arm, axis=1)
    np.testing.assert_allclose(jellett, jellett[0], rtol=1e-10)
    assert float(run["floor.heat"][-1]) > 0.0 and np.ptp(axis[:, 2]) > 1e-3


@both
def test_a_spinning_ball_between_two_plates(formulation):
    """Each bounce turns the velocity of sliding by P_T = −2/7 m γ_T, or as far as friction allows."""
    R, v, w = 0.1, np.array([1, 0.5, -2.0]), np.array([3, -7, 5.0])
    s = mk.System("plates", gravity=(0, 0, 0))
    ball = s.body(
        "ball", mass=1.0, inertia=(0.4 * R**2,) * 3, position=(0, 0, 0.5), velocity=tuple(v), angular_velocity=tuple(w)
    )
    plates = {"low": (0.0, 1.0, 0.05, 0.9), "high": (1.0, -1.0, 0.4, 0.8)}
    for name, (z, n, friction, e) in plates.items():
        plane = mk.Plane(at=(0, 0, z), normal=(0, 0, n))
        s.contact(name, (ball, mk.Sphere(R)), (s.ground, plane), friction=friction, restitution=e)
    run = run_of(s, 1.3, formulation)
    for name in ("low", "high", "low"):
        _, n, friction, e = plates[name]
        arm = np.array([0, 0, -R * n])
        slip = (v + np.cross(w, arm)) * [1, 1, 0]
        normal = (1 + e) * abs(v[2])
        P = -slip * min(2 / 7, friction * normal / np.linalg.norm(slip))
        v, w = v + P + [0, 0, n * normal], w + np.cross(arm, P) / (0.4 * R**2)
    np.testing.assert_allclose(run["ball.velocity"].values[-1], v, atol=NEAR)
    np.testing.assert_allclose(run["ball.angular_velocity"].values[-1], w, atol=1e-10)


@both
def test_a_block_on_a_table_that_speeds_up(formulation):
    """It slides while the table gains on it, and sticks when both have 4 m/s; heat is friction times the way it slid."""
    s = mk.System("table")
    table = s.body("table", mass=5.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, table, at=(0, 0, 0), axis="x")
    s.prescribed("motion", "rail", motion="2*t**2 if t < 1 else 2 + 4*(t - 1)")
    s.body("block", mass=2.0, inertia=(1, 1, 1))
    s.contact("rub", ("block", (0, 0, 0)), (table, mk.Plane()), friction=0.2)
    run = run_of(s, 3.0, formulation)
    a, T = 0.2 * G, 4 / (0.2 * G)
    assert times(run)[-1] == pytest.approx(T, abs=NEAR)
    assert end(run, "block.position.x") == pytest.approx(a * T**2 / 2 + 4 * (3 - T), abs=NEAR)
    assert end(run, "rub.heat") == pytest.approx(2 * a * (2 + 4 * (T - 1) - a * T**2 / 2), abs=NEAR)


@both
@pytest.mark.parametrize("share", [0.98, 1.02])
def test_a_drawer_jams(share, formulation):
    """Pulled beside its middle by e, it is guided by two corners, L apart: it jams from μ = L/2e on, however it is pulled."""
    L, e = 0.3, 0.25
    friction = share * L / (2 * e)
    s = mk.System("drawer", planar="xz", gravity=(0, 0, 0))
    drawer = s.body("drawer", mass=1.0, inertia=0.05)
    for name, x, normal in (("rear", -L / 2, "z"), ("front", L / 2, (0, 0, -1))):
        s.contact(name, (drawer, (x, 0, 0)), (s.ground, mk.Plane(normal=normal)), friction=friction)
    s.force("pull", drawer, at=(0, 0, -e), value=(10, 0, 0))
    run = run_of(s, 1.0, formulation)
    assert end(run, "drawer.position.x") == pytest.approx(max(5 * (1 - share), 0.0), abs=NEAR)
    assert run.health.ok  # a jammed drawer has no energy to lose


def capstan(growth, n=6, wrap=np.pi, friction=0.3, R=0.2, T=10.0):
    """A rope of n beads and rigid links round a bollard, in corners of wrap/n. What pulls it at the ends grows by `growth`."""
    s = mk.System("capstan", gravity=(0, 0, 0), planar="xz")
    corner = wrap / n
    for k in range(n):
        angle = corner * (k + 0.5)
        s.body(f"bead {k}", mass=0.1, inertia=1e-3, position=(R * np.cos(angle), 0, R * np.sin(angle)))
        s.contact(f"c{k}", (f"bead {k}", (0, 0, 0)), (s.ground, mk.Sphere(R)), friction=friction)
    for k in range(n - 1):
        s.distance(f"link {k}", f"bead {k}", f"bead {k + 1}", length=2 * R * np.sin(corner / 2))
    s.force("slack", "bead 0", (0, 0, -T))
    s.force("taut", f"bead {n - 1}", (-growth * T * np.sin(wrap), 0, growth * T * np.cos(wrap)))
    return s


@pytest.mark.parametrize("share", [0.999, 1.001])
def test_a_rope_round_a_bollard(share):
    """Euler's e^(μ φ) in corners: at each, (T' − T) cos(δ/2) = μ (T' + T) sin(δ/2), so that pulls grow by (1 + μ τ)/(1 − μ τ), τ =
    tan(δ/2). It slips beyond that; then beads of the mass m have the acceleration a that the same balance leaves."""
    n, friction, m = 6, 0.3, 0.1
    c, s = np.cos(np.pi / n / 2), np.sin(np.pi / n / 2)
    grows = (c + friction * s) / (c - friction * s)
    assert grows**n == pytest.approx(np.exp(friction * np.pi), rel=0.03)
    system = capstan(share * grows**n)
    run = mk.simulate(system, 1e-6)
    inertia = m / (c - friction * s) * (grows**n - 1) / (grows - 1)  # T_n = grows^n T_0 + inertia a
    a = max(10 * (share - 1) * grows**n / inertia, 0.0)
    assert np.linalg.norm(run["bead 2.acceleration"].values[0]) == pytest.approx(a, abs=1e-9) and run.health.ok
    if share < 1.0:
        assert mk.equilibrium(system).contacts["c5"].normal > 12
    else:
        with pytest.raises(mk.ModelError, match="it slips: friction 0.3003 needed at 'c0', 0.3 given"):
            mk.equilibrium(system)


@both
def test_a_brake_that_lets_go(formulation):
    """40 exp(−t) against a load of 20: it slips from ln 2 on."""
    s = mk.System("hub", gravity=(0, 0, 0))
    s.body("hub", mass=1, inertia=(2, 2, 2))
    s.pin("pin", s.ground, "hub", at=(0, 0, 0), axis="z")
    s.motor("load", "pin", torque=20)
    s.brake("brake", "pin", torque="40*exp(-t)")
    run = run_of(s, 3.0, formulation)
    assert times(run)[0] == pytest.approx(np.log(2), abs=NEAR)
    exact = (20 * (3 - np.log(2)) + 40 * (np.exp(-3) - 0.5)) / 2
    assert end(run, "pin.angle.rate") == pytest.approx(exact, abs=NEAR)


@both
def test_a_mass_on_a_rope_leaves_its_circle(formulation):
    """From v² = 3.5 g l below: slack at cos θ = −1/2, then a parabola, and taut again where |r(t)| = 1, a quartic."""
    v0, slack = np.sqrt(3.5 * G), np.arccos(-0.5)
    s = mk.System("rope")
    s.body("mass", mass=1, inertia=(1, 1, 1), position=(0, 0, -1), velocity=(v0, 0, 0))
    s.cable("rope", s.ground, ("mass", (0, 0, 0)), length=1)
    run = run_of(s, 1.5, formulation)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    angle = slack * (nodes + 1) / 2
    t = slack / 2 * weights @ (1 / np.sqrt(v0**2 - 2 * G * (1 - np.cos(angle))))
    x = np.polynomial.Polynomial([np.sin(slack), np.sqrt(G / 2) * np.cos(slack)])
    z = np.polynomial.Polynomial([-np.cos(slack), np.sqrt(G / 2) * np.sin(slack), -G / 2])
    again = min(one.real for one in (x**2 + z**2 - 1).roots() if abs(one.imag) < 1e-6 and one.real > 0.1)
    np.testing.assert_allclose(times(run)[:2], [t, t + again], atol=1e-10)  # the rope lets go as t³
    assert run.events[-1].kind == "impact"


@both
def test_a_mass_leaves_a_table_that_shakes(formulation):
    """It leaves where e ω² sin ωt = g, and flies until the table meets it."""
    e, w = 0.02, 30.0
    s = mk.System("shaker")
    table = s.body("table", mass=1, inertia=(1, 1, 1))
    s.slider("rail", s.ground, table, at=(0, 0, 0), axis="z")
    s.prescribed("motion", "rail", motion=f"{e}*sin({w}*t)")
    s.body("mass", mass=1, inertia=(1, 1, 1), velocity=(0, 0, e * w))
    s.contact("seat", ("mass", (0, 0, 0)), (table, mk.Plane()))
    run = run_of(s, 0.2, formulation)
    leaves, meets = times(run)[:2]
    assert leaves == pytest.approx(np.arcsin(G / (e * w**2)) / w, abs=NEAR)
    fly = meets - leaves
    height = e * np.sin(w * leaves) + e * w * np.cos(w * leaves) * fly - G * fly**2 / 2
    assert height == pytest.approx(e * np.sin(w * meets), abs=NEAR)


@both
def test_a_mass_thrown_across_a_conveyor(formulation):
    """Seen from the belt it goes straight: it stops after |γ|/μ g, and γ²/2 of heat."""
    s = mk.System("conveyor")
    belt = s.body("belt", mass=1, inertia=(1, 1, 1))
    s.slider("rail", s.ground, belt, at=(0, 0, 0), axis="x")
    s.prescribed("motion", "rail", motion="t")
    s.body("mass", mass=1, inertia=(1, 1, 1), velocity=(0, 2, 0))
    s.contact("rub", ("mass", (0, 0, 0)), (belt, mk.Plane()), friction=0.25)
    run = run_of(s, 2.0, formulation)
    way = 5 / (2 * 0.25 * G) * np.array([-1, 2]) / np.sqrt(5)
    assert times(run)[-1] == pytest.approx(np.sqrt(5) / (0.25 * G), abs=NEAR)
    np.testing.assert_allclose(run["mass.position"].values[-1][:2], way + [2, 0], atol=NEAR)
    assert end(run, "rub.heat") == pytest.approx(2.5, abs=NEAR)


@both
def test_a_ball_rolls_or_slides_on_a_slope(formulation):
    """It rolls up to tan α = 7/2 μ."""
    for share in (0.99, 1.01):
        a = np.arctan(3.5 * 0.2 * share)
        run = run_of(rolling(0.4, velocity=(0, 0, 0), spin=(0, 0, 0), slope=a), 1.0, formulation)
        down = 5 / 7 * G * np.sin(a) if share < 1 else G * (np.sin(a) - 0.2 * np.cos(a))
        assert end(run, "ball.position.x") == pytest.approx(down / 2, abs=NEAR)


def test_loads_are_shared_alike_however_often():
    """What one combination of modes has made of the scales is not the start of the next: else rows of light loads vanished
    among those of heavy ones after some ten tries, and a row of fallen dominoes found no motion."""
    none = np.zeros(0)
    element = lambda k: LocalElement(
        k, f"c{k}", 2 * k, np.array([2 * k + 1]), np.eye(1), 0.5, 0.5, 0.0, "poisson", 0.0, STICKING, none
    )
    local = Local(
        np.array([[1.0, 0, 0, 0], [0, 2, 0, 2], [0, 0, 0.1, 0], [0, 2, 0, 2]]),  # tangential rows repeat one another
        np.zeros(4),
        -np.array([1.0, 0.3, 9.81, 0.3]),
        [element(0), element(1)],
        np.ones(4),
    )
    options = options_for(2)
    local.problem.mode[:] = STICKING
    share_by_load(local.problem, options)
    once = local.problem.scale.copy()
    for _ in range(20):
        share_by_load(local.problem, options)
    np.testing.assert_array_equal(local.problem.scale, once)
    assert once[1] < 0.2 * once[3] and once[3] == TANGENTIAL
