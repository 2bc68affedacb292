"""Constraints that hold from one instant on, and impulses: exact answers by Kane's impulse–momentum equations.

Oracles: NONSMOOTH.md section 8 and textbooks; each is a ratio of small integers, reached to round-off in every formulation,
with multipliers and with embedded constraints."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError

ALL = [(f, c) for f in ("joint", "absolute", "relative", "mixed", "bryan") for c in ("multipliers", "embedded")]
everywhere = pytest.mark.parametrize("formulation, constraints", ALL)
EXACT = 1e-13  # round-off of some hundred operations


def after(s, formulation, constraints, t=0.02):
    """The run; its first event is at t = 0.01."""
    return mk.simulate(s, t, every=[0.01, t], formulation=formulation, constraints=constraints, rtol=1e-12, atol=1e-14)


def rod(m=2.0, L=1.5, v=3.0):
    s = mk.System(gravity=(0, 0, 0))
    s.body("rod", mass=m, inertia=(1e-3, m * L**2 / 12, m * L**2 / 12), velocity=(0, 0, -v), position=(0, 0, 0.01 * v))
    s.ball("grip", s.ground, "rod", on_a=(-L / 2, 0, 0), on_b=(-L / 2, 0, 0), active=False)
    return s


@everywhere
def test_a_rod_falling_flat_is_caught_at_one_end(formulation, constraints):
    """ω = 3v/2L, impulse mv/4, three quarters of the energy are left."""
    m, L, v = 2.0, 1.5, 3.0
    s = rod(m, L, v)
    s.event("catch", when="t >= 0.01", lock="grip")
    run = after(s, formulation, constraints)
    line = run.events[0]
    np.testing.assert_allclose(run["rod.angular_velocity"].values[0], [0, 3 * v / (2 * L), 0], rtol=0, atol=EXACT)
    np.testing.assert_allclose(line.impulses["grip"][0], [0, 0, m * v / 4], rtol=0, atol=EXACT)
    assert line.energy[1] / line.energy[0] == pytest.approx(0.75, abs=EXACT)
    assert run.health.ok


@everywhere
def test_a_disc_is_caught_at_a_rim_point(formulation, constraints):
    """Spinning in its plane with ω about its centre, a rim point is caught: ω/3."""
    m, r, w = 1.3, 0.4, 5.0
    s = mk.System(gravity=(0, 0, 0))
    s.body("disc", mass=m, inertia=(m * r * r / 4, m * r * r / 4, m * r * r / 2), angular_velocity=(0, 0, w))
    s.pin("rim", s.ground, "disc", at=(r, 0, 0), axis="z", active=False)
    s.event("catch", when="t >= 0", at_start=True, lock="rim")
    run = mk.simulate(s, 0.1, formulation=formulation, constraints=constraints)
    assert run["disc.angular_velocity.z"].values[0] == pytest.approx(w / 3, abs=EXACT)
    assert np.linalg.norm(run.events[0].impulses["rim"][0]) == pytest.approx(m * r * w / 3, abs=EXACT)


@everywhere
def test_a_square_plate_spinning_about_a_diagonal(formulation, constraints):
    """A corner beside the diagonal is caught by a ball: ω/7 about the diagonal remains of the spin."""
    m, a, w = 1.0, 1.0, 7.0
    s = mk.System(gravity=(0, 0, 0))
    d = np.array([1.0, 1.0, 0]) / np.sqrt(2)
    s.body("plate", mass=m, inertia=(m * a * a / 12, m * a * a / 12, m * a * a / 6), angular_velocity=tuple(w * d))
    s.ball("corner", s.ground, "plate", at=(a / 2, -a / 2, 0), active=False)
    s.event("catch", when="t >= 0", at_start=True, lock="corner")
    run = mk.simulate(s, 0.05, formulation=formulation, constraints=constraints)
    found = run["plate.angular_velocity"].values[0]
    assert found @ d == pytest.approx(w / 7, abs=EXACT)
    np.testing.assert_allclose(found - (found @ d) * d, 0.0, atol=EXACT)


def rods(n, a=1.0, m=1.0):
    """n hinged rods in line along x, from the origin on, free in the plane xy."""
    s = mk.System(gravity=(0, 0, 0), planar="xy")
    for k in range(n):
        s.body(f"rod {k}", mass=m, inertia=m * a * a / 12, position=((k + 0.5) * a, 0, 0))
    for k in range(n - 1):
        s.pin(f"hinge {k}", f"rod {k}", f"rod {k + 1}", at=((k + 1) * a, 0, 0), axis="z")
    return s


@everywhere
@pytest.mark.parametrize(
    "n, end, rates", [(2, 7 / 2, (-9 / 4 * 2, 3 / 4 * 2)), (3, 52 / 15, (-11 / 5 * 2, 3 / 5 * 2, -1 / 5 * 2))]
)
def test_hinged_rods_are_struck_across_at_one_end(n, end, rates, formulation, constraints):
    """Velocity of the struck end in P/m, and rates. The rods have length 2a in the textbook, a here: so twice P/ma."""
    s, P = rods(n), 1.0
    s.event("strike", when="t >= 0", at_start=True, impulse={"rod 0": (0, P, 0)}, at=(-0.5, 0, 0))
    run = mk.simulate(s, 0.01, formulation=formulation, constraints=constraints)
    w = [run[f"rod {k}.angular_velocity.z"].values[0] for k in range(n)]
    v = run["rod 0.velocity.y"].values[0] - 0.5 * w[0]
    assert v == pytest.approx(end, abs=EXACT)
    np.testing.assert_allclose(w, rates, rtol=0, atol=EXACT)
    momentum = sum(run[f"rod {k}.velocity.y"].values[0] for k in range(n))
    assert momentum == pytest.approx(P, abs=EXACT)


@everywhere
def test_an_explosion_inside_a_satellite(formulation, constraints):
    """Three bodies, held together by welds that let go: momentum and angular momentum do not change, the energy is P²/2μ."""
    s = mk.System(gravity=(0, 0, 0))
    for name, m, x in (("left", 1.0, -1.0), ("core", 5.0, 0.0), ("right", 2.0, 1.5)):
        s.body(name, mass=m, inertia=(0.3, 0.4, 0.5), position=(x, 0, 0), velocity=(1, 2, 3))
    s.weld("a", "left", "core", at=(-0.5, 0, 0))
    s.weld("b", "core", "right", at=(0.7, 0, 0))
    s.event("part", when="t >= 0", at_start=True, release=["a", "b"])
    s.event("bang", when="t >= 0.01", impulse={"right": (4, 0, 0)}, between=("core", "right"))
    run = after(s, formulation, constraints)
    p = sum(m * run[f"{name}.velocity"].values for name, m in (("left", 1.0), ("core", 5.0), ("right", 2.0)))
    np.testing.assert_allclose(p, [[8, 16, 24]] * 2, rtol=0, atol=1e-13)
    energy = run.events.of("bang")[0].energy
    assert energy[1] - energy[0] == pytest.approx(4**2 / 2 * (1 / 5 + 1 / 2), abs=1e-12)


@everywhere
def test_a_released_pendulum_flies_on(formulation, constraints):
    """Free flight from the state at the release: parabola and constant spin."""
    s = mk.System(gravity=(0, 0, -9.81))
    s.body("bob", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1.0, 0, 0))
    s.pin("hook", s.ground, "bob", at=(0, 0, 0), axis="y")
    s.event("let go", when="t >= 0.4", release="hook")
    run = mk.simulate(
        s, 1.0, every=[0.4, 0.7, 1.0], formulation=formulation, constraints=constraints, rtol=1e-12, atol=1e-14
    )
    p, v = run["bob.position"].values, run["bob.velocity"].values
    for i, dt in ((1, 0.3), (2, 0.6)):
        np.testing.assert_allclose(p[i], p[0] + v[0] * dt + [0, 0, -9.81 * dt * dt / 2], rtol=0, atol=1e-11)
    w = run["bob.angular_velocity"].values
    np.testing.assert_allclose(w, w[[0, 0, 0]], rtol=0, atol=1e-11)
    assert run.events[0].energy[0] == run.events[0].energy[1] and run.health.ok
    assert np.abs(run.reaction("hook").force.values[1:]).max() == 0.0


def test_what_does_not_fit_is_not_locked():
    s = rod()
    s.event("catch", when="t >= 0.005", lock="grip")
    with pytest.raises(ModelError, match="away from fitting together"):
        mk.simulate(s, 0.02)


def held(hold):
    """A double pendulum whose elbow, or whose lower end, is caught where it crosses a value."""
    s = mk.System(gravity=(0, 0, -9.81))
    s.body("upper", mass=1, inertia=(0.1, 0.2, 0.3), position=(0.5, 0, 0))
    s.body("lower", mass=1, inertia=(0.1, 0.2, 0.3), position=(1.2, 0, 0.1))
    s.pin("shoulder", s.ground, "upper", at=(0, 0, 0), axis="y")
    s.universal("elbow", "upper", "lower", at=(1, 0, 0), axis="y", axis2="z")
    s.motor("drive", "elbow", torque=-2, coordinate="angle")
    if hold == "coordinate":
        s.prescribed("hold", ("elbow", "angle"), motion=-0.05, active=False)
        s.event("catch", when="elbow.angle < -0.05", lock="hold")
    else:
        s.point_on_plane("hold", "lower", on=("ground", (0, 0, -0.2)), normal="z", active=False)
        s.event("catch", when="lower.position.z < -0.2", lock="hold")
    return s


@everywhere
@pytest.mark.parametrize("hold", ["coordinate", "plane"])
def test_a_lock_keeps_its_own_guard_at_zero(hold, formulation, constraints):
    """From the lock on, the guard is round-off, and the event does not happen again: it must not end steps. Oracle: the
    same lock at the instant that was found, with a condition of time. Both are right to 1e-12; 1e-10 is generous."""
    s, other = held(hold), held(hold)
    options = dict(every=[0.6], formulation=formulation, constraints=constraints, rtol=1e-12, atol=1e-14)
    run = mk.simulate(s, 0.6, **options)
    assert len(run.events) == 1 and run.health.ok, run.health
    other.remove("catch")
    other.event("catch", when=f"t >= {run.events[0].time!r}", lock="hold")
    same = mk.simulate(other, 0.6, **options)
    for body in s.bodies:
        for what in ("position", "velocity", "angular_velocity"):
            name = f"{body}.{what}"
            np.testing.assert_allclose(run[name].values, same[name].values, rtol=0, atol=1e-10)


@everywhere
def test_the_foot_of_a_double_pendulum_is_locked(formulation, constraints):
    """Two rods (m = l = 1) straight down, both at 2 rad/s, and the lower end is pinned. Angular momentum about the
    shoulder and, for the lower rod, about the elbow, with the impulse P at the foot and ω₂ = −ω₁:

        11/6 ω₁ + 5/6 ω₂ = 16/3 − 2 P,    1/2 ω₁ + 1/3 ω₂ = 5/3 − P   ⇒   ω = 3, −3 and P = 7/6.

    With restitution ½ it would go half as far again: 7/2, −11/2, 7/4, the numbers of the literature."""
    s = mk.System(gravity=(0, 0, -9.81))
    for name, z in (("upper", -0.5), ("lower", -1.5)):
        s.body(name, mass=1, inertia=(1 / 12, 1 / 12, 1e-3), position=(0, 0, z))
    s.pin("shoulder", s.ground, "upper", at=(0, 0, 0), axis="y", rate=2)
    s.pin("elbow", "upper", "lower", at=(0, 0, -1), axis="y", rate=0)
    s.pin("foot", s.ground, "lower", at=(0, 0, -2), axis="y", active=False)
    s.event("lock", when="t >= 0", at_start=True, lock="foot")
    run = mk.simulate(s, 0.01, formulation=formulation, constraints=constraints)
    assert run["upper.angular_velocity.y"].values[0] == pytest.approx(3, abs=EXACT)
    assert run["lower.angular_velocity.y"].values[0] == pytest.approx(-3, abs=EXACT)
    impulse, angular = run.events[0].impulses["foot"]
    # along the rods and out of the plane pins repeat one another: round-off over the smallest inertia
    np.testing.assert_allclose(impulse, [7 / 6, 0, 0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(angular, 0, rtol=0, atol=1e-12)
    assert run.events[0].energy[1] == pytest.approx(3.0, abs=1e-12)


@everywhere
def test_a_disc_spinning_about_a_diameter(formulation, constraints):
    """Caught at the rim point farthest from the axis: mr²/4 ω = (mr²/4 + mr²) ω'."""
    m, r, w = 1.3, 0.4, 5.0
    s = mk.System(gravity=(0, 0, 0))
    s.body("disc", mass=m, inertia=(m * r * r / 4, m * r * r / 4, m * r * r / 2), angular_velocity=(w, 0, 0))
    s.ball("rim", s.ground, "disc", at=(0, r, 0), active=False)
    s.event("catch", when="t >= 0", at_start=True, lock="rim")
    run = mk.simulate(s, 0.01, formulation=formulation, constraints=constraints)
    np.testing.assert_allclose(run["disc.angular_velocity"].values[0], [w / 5, 0, 0], rtol=0, atol=EXACT)


@everywhere
def test_a_sliding_cube_meets_a_ridge(formulation, constraints):
    """Edge a, speed v: m v a/2 = 2/3 m a² ω, so ω = 3v/4a about the ridge; 3/8 of the energy are left."""
    m, a, v = 2.0, 0.6, 1.2
    s = mk.System(gravity=(0, 0, 0))
    s.body("cube", mass=m, inertia=(m * a * a / 6,) * 3, position=(0, 0, a / 2), velocity=(v, 0, 0))
    s.pin("ridge", s.ground, "cube", on_a=(a / 2 + 0.01 * v, 0, 0), on_b=(a / 2, 0, -a / 2), axis="y", active=False)
    s.event("meet", when="t >= 0.01", lock="ridge")
    run = after(s, formulation, constraints)
    np.testing.assert_allclose(run["cube.angular_velocity"].values[0], [0, 3 * v / (4 * a), 0], rtol=0, atol=EXACT)
    assert run.events[0].energy[1] / run.events[0].energy[0] == pytest.approx(3 / 8, abs=EXACT)


CORNERS = np.array([(0, 0), (-0.2, 0.5), (0.3, 0.9), (0.9, 0.6), (0.8, 0)], float)  # of a five-bar linkage, x and z


def five_bar(lock=True, copies=1):
    """Four links between five pins, in the plane x z: two degrees of freedom. A point of the second link is caught by a
    plane x = const., the third by none."""
    s = mk.System(gravity=(0, 0, -9.81))
    links = [f"link {k}" for k in range(4)]
    for k, name in enumerate(links):
        x, z = 0.5 * (CORNERS[k] + CORNERS[k + 1])
        s.body(name, mass=1 + 0.5 * k, inertia=(0.05, 0.03 + 0.01 * k, 0.05), position=(x, 0, z))
    for k, (a, b) in enumerate(zip(["ground", *links], [*links, "ground"], strict=True)):
        s.pin(f"pin {k}", a, b, at=(CORNERS[k][0], 0, CORNERS[k][1]), axis="y")
    if lock:
        place = mk.simulate(five_bar(lock=False), 0.1, every=[0.1], rtol=1e-12, atol=1e-14)["link 1.position.x"].values[
            0
        ]
        for k in range(copies):
            s.point_on_plane(f"wall {k}", "link 1", on=("ground", (place, 0, 0)), normal="x", active=False)
        s.event("catch", when="t >= 0.1", lock=[f"wall {k}" for k in range(copies)])
    return s


def by_hand(run, caught):
    """Velocities (x, z, ω about y) of the links after the lock, and its impulse, by a dense impulse–momentum solve.

    Rows are written from poses: v + ω ŷ × r at a pin is the same for both links, and 0 in x at the point that is caught."""
    names = [f"link {k}" for k in range(4)]
    M = np.diag(np.concatenate([(1 + 0.5 * k, 1 + 0.5 * k, 0.03 + 0.01 * k) for k in range(4)]))
    centre = [run[f"{name}.position"].values[-1][[0, 2]] for name in names]
    angle = [run[f"{name}.orientation"].values[-1] for name in names]
    u = np.concatenate(
        [[*run[f"{n}.velocity"].values[-1][[0, 2]], run[f"{n}.angular_velocity"].values[-1][1]] for n in names]
    )

    def arm(k, corner):
        """From the mass centre of link k to one of its corners now."""
        _, e2, _, e0 = angle[k]
        c, s = e0 * e0 - e2 * e2, 2 * e0 * e2
        x, z = CORNERS[corner] - 0.5 * (CORNERS[k] + CORNERS[k + 1])
        return np.array([c * x + s * z, -s * x + c * z])

    def point(k, r):
        """Rows of the velocity of a point of link k."""
        rows = np.zeros((2, 12))
        rows[0, 3 * k], rows[0, 3 * k + 2] = 1, r[1]
        rows[1, 3 * k + 1], rows[1, 3 * k + 2] = 1, -r[0]
        return rows

    B = [point(0, arm(0, 0)), point(3, arm(3, 4))] + [
        point(k, arm(k, k + 1)) - point(k + 1, arm(k + 1, k + 1)) for k in range(3)
    ]
    np.testing.assert_allclose(np.vstack(B) @ u, 0, atol=1e-10)
    B = np.vstack([*B, point(1, np.zeros(2))[:1]]) if caught else np.vstack(B)
    inverse = np.linalg.inv(M)
    impulses = np.linalg.solve(B @ inverse @ B.T, -B @ u)
    return (u + inverse @ B.T @ impulses).reshape(4, 3), impulses[-1], centre


@everywhere
@pytest.mark.parametrize("copies", [1, 2])
def test_a_lock_inside_a_closed_loop(copies, formulation, constraints):
    """A lock twice over changes nothing but how the two share the impulse. Oracle: `by_hand`, to the tolerance of the motion
    before."""
    before = mk.simulate(five_bar(lock=False), 0.1, every=[0.1], rtol=1e-12, atol=1e-14)
    exact, impulse, _ = by_hand(before, caught=True)
    s = five_bar(copies=copies)
    run = mk.simulate(
        s, 0.15, every=[0.1, 0.15], formulation=formulation, constraints=constraints, rtol=1e-12, atol=1e-14
    )
    for k in range(4):
        v, w = run[f"link {k}.velocity"].values[0], run[f"link {k}.angular_velocity"].values[0]
        np.testing.assert_allclose([v[0], v[2], w[1]], exact[k], rtol=0, atol=1e-10)
        np.testing.assert_allclose([v[1], w[0], w[2]], 0, rtol=0, atol=1e-12)
    total = sum(run.events[0].impulses[f"wall {k}"][0][0] for k in range(copies))
    assert abs(total) == pytest.approx(abs(impulse), abs=1e-10)
    assert run.health.ok, run.health
