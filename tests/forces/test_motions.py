"""Motions under the kinds of force, against closed forms, linear algebra and other mechanisms that must move alike.

Runs have rtol = 1e-11 and last a few radians or time constants: errors stay below 1e-8, where no other reason is given.
"""

import numpy as np
import pytest
from scipy.linalg import expm

import mekane as mk
from mekane.formulations import NAMES as FORMULATIONS

NEAR = 1e-8
formulations = pytest.mark.parametrize("formulation", FORMULATIONS)


def run(s, t_end, **options):
    result = mk.simulate(s, t_end, **{"rtol": 1e-11, "atol": 1e-13, "every": t_end / 20, **options})
    assert result.health.ok, str(result.health)
    return result


def bead(mass=2.0, gravity=(0, 0, 0), inertia=(0.1, 0.2, 0.3), **keywords):
    """One free body."""
    s = mk.System("bead", gravity=gravity)
    s.body("bead", mass=mass, inertia=inertia, **keywords)
    return s


def cart(mass=2.0, gravity=(0, 0, 0), **keywords):
    """One body that slides along x."""
    s = bead(mass, gravity, **keywords)
    s.slider("rail", s.ground, "bead", on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="x", axis_b="x")
    return s


# ---------------------------------------------------------------- potential


def test_a_potential_of_a_planet_gives_an_ellipse():
    """V = −μ m / r: after the period 2π √(a³/μ) of Kepler's ellipse everything is where it was. Started at the far
    point, e = 0.5."""
    mu, a, e = 3.0, 1.2, 0.5
    s = bead(position=(a * (1 + e), 0, 0), velocity=(0, np.sqrt(mu / a * (1 - e) / (1 + e)), 0))
    s.parameter("mu", mu)
    s.potential("sun", "bead", "-2*mu/sqrt(X**2 + Y**2 + Z**2)")
    r = run(s, 2 * np.pi * np.sqrt(a**3 / mu))
    assert r["bead.position"].values[-1] == pytest.approx((a * (1 + e), 0, 0), abs=NEAR)
    assert r["bead.position"].values[10] == pytest.approx((-a * (1 - e), 0, 0), abs=NEAR)
    assert r["sun.energy"].values == pytest.approx(
        -2 * mu / np.linalg.norm(r["bead.position"].values, axis=1), rel=1e-13
    )
    assert r.energies.elements == []


@formulations
def test_a_potential_m_g_z_is_weight(formulation):
    """At the mass centre of a swinging body, gravity and the potential m g Z do the same."""

    def pendulum(gravity):
        s = mk.System("pendulum", gravity=(0, 0, -gravity))
        s.body("arm", mass=2.0, inertia=(0.1, 0.2, 0.3), com=(0.1, 0, 0.2), position=(0.3, 0, 0))
        s.ball("hinge", s.ground, "arm", at=(0, 0, 0))
        if not gravity:
            s.potential("weight", "arm", "2*9.81*Z")
        return run(s, 1.0, formulation=formulation)

    assert pendulum(0)["arm.centre"].values == pytest.approx(pendulum(9.81)["arm.centre"].values, abs=NEAR)


def test_work_of_a_potential_that_changes_is_counted():
    """V = −f0 t X is a force f0 t: x = f0 t³ / 6 m."""
    s = bead()
    s.potential("push", "bead", "-3*t*X")
    r = run(s, 2.0)
    assert r["bead.position.x"].values == pytest.approx(3 * r.t**3 / 12, abs=NEAR)
    assert r.energies.elements == ["push"] and r.energies.drift < 1e-9
    assert r["push.force"].values[:, 0] == pytest.approx(3 * r.t, abs=1e-12)


# ---------------------------------------------------------------- inverse square


def two_beads():
    s = mk.System("two", gravity=(0, 0, 0))
    s.body("one", mass=2.0, inertia=(1, 1, 1), position=(0, 0, 0), velocity=(0, -0.1, 0))
    s.body("two", mass=3.0, inertia=(1, 1, 1), position=(1, 0, 0), velocity=(0, 0.5, 0.2))
    return s


def test_attraction_of_two_points_is_gravitation():
    one, other = two_beads(), two_beads()
    one.gravitation("pull", "one", "two", G=0.5)
    other.inverse_square("pull", ("one", (0, 0, 0)), ("two", (0, 0, 0)), strength=-0.5 * 2 * 3)
    a, b = run(one, 1.0), run(other, 1.0)
    # the same operations but for the constant
    assert a["two.position"].values == pytest.approx(b["two.position"].values, abs=1e-13)
    assert a["pull.energy"].values == pytest.approx(b["pull.energy"].values, abs=1e-13)


def test_like_charges_part_at_the_speed_of_their_energy():
    """From rest at r0: ½ μ v² = s (1/r0 − 1/r), with the reduced mass μ."""
    s = mk.System("charges", gravity=(0, 0, 0))
    s.body("one", mass=2.0, inertia=(1, 1, 1))
    s.body("two", mass=3.0, inertia=(1, 1, 1), position=(0.5, 0, 0))
    s.inverse_square("push", ("one", (0, 0, 0)), ("two", (0, 0, 0)), strength=0.7)
    r = run(s, 2.0)
    L, v = r["push.length"].values, r["push.length.rate"].values
    assert L[-1] > 1.5
    assert 0.5 * 1.2 * v**2 == pytest.approx(0.7 * (2.0 - 1 / L), abs=NEAR)


# ---------------------------------------------------------------- drag


def test_linear_drag_fades():
    """v = v0 exp(−c t/m)"""
    s = bead(velocity=(1, 2, -1))
    s.drag("air", "bead", linear=1.5)
    r = run(s, 3.0)
    assert r["bead.velocity"].values == pytest.approx(np.outer(np.exp(-0.75 * r.t), (1, 2, -1)), abs=NEAR)


def test_a_fall_from_rest_in_air():
    """v = v_t tanh(g t/v_t), v_t = √(m g/c): begins at v = 0, where |v| has no derivative."""
    s = bead(gravity=(0, 0, -9.81))
    s.drag("air", "bead", quadratic=0.4)
    r = run(s, 2.0)
    v_t = np.sqrt(2 * 9.81 / 0.4)
    assert r["bead.velocity.z"].values == pytest.approx(-v_t * np.tanh(9.81 * r.t / v_t), abs=NEAR)
    assert r["air.work"].values[-1] < 0 and r.energies.drift < 1e-8


def test_wind_takes_along():
    """Relative to the wind w it is linear drag: v = w (1 − exp(−c t/m))"""
    s = bead()
    s.drag("wind", "bead", linear=1.5, wind=(3, 0, "1 m/s"))
    r = run(s, 2.0)
    assert r["bead.velocity"].values == pytest.approx(np.outer(1 - np.exp(-0.75 * r.t), (3, 0, 1)), abs=NEAR)


def test_rotational_drag_stops_a_spin():
    """About a principal axis: linear ω = ω0 exp(−c t/I); quadratic ω = ω0 / (1 + c ω0 t/I)"""
    linear, quadratic = bead(angular_velocity=(0, 0, 4)), bead(angular_velocity=(0, 0, 4))
    linear.rotational_drag("air", "bead", linear=0.6)
    quadratic.rotational_drag("air", "bead", quadratic=0.15)
    one, other = run(linear, 1.0), run(quadratic, 1.0)
    assert one["bead.angular_velocity.z"].values == pytest.approx(4 * np.exp(-2 * one.t), abs=NEAR)
    assert other["bead.angular_velocity.z"].values == pytest.approx(4 / (1 + 2 * other.t), abs=NEAR)


# ---------------------------------------------------------------- stops


@formulations
def test_a_stop_gives_back_all_the_energy(formulation):
    """Deepest point from ½ m v² = k [½ (p − w/2)² + w²/24], and the speed of leaving is that of arriving."""
    s = cart(velocity=(3, 0, 0))
    s.stop("end", "rail", stiffness=5000, upper=0.3, lower=-10, width=0.01)
    r = run(s, 0.3, every=1e-4, formulation=formulation)
    depth = 0.005 + np.sqrt(2 * (0.5 * 2 * 9 / 5000 - 0.01**2 / 24))
    x = r["rail.displacement"].values
    # half a sample from the deepest point
    assert x.max() == pytest.approx(0.3 + depth, abs=0.5 * 5000 * depth / 2 * 1e-8)
    assert r["rail.displacement.rate"].values[-1] == pytest.approx(-3.0, abs=NEAR)
    assert r.energies.elements == [] and np.all(r["end.force"].values <= 0.0)


def test_a_damped_stop_takes_energy_and_never_pulls():
    s = cart(velocity=(3, 0, 0))
    s.stop("end", "rail", stiffness=5000, upper=0.3, width=0.01, damping=80)
    r = run(s, 0.3, every=1e-4)
    assert np.all(r["end.force"].values <= 0.0) and r["end.force"].values.min() < -100
    assert np.all(np.diff(r["end.work"].values) <= 1e-12) and -9 < r["end.work"].values[-1] < -1
    assert -3 < r["rail.displacement.rate"].values[-1] < -0.5


def test_a_pendulum_between_stops():
    s = mk.System("pendulum")
    s.body("arm", mass=2.0, inertia=(0.1, 0.2, 0.3), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=4.0)
    s.stop("ends", "hinge", stiffness="2 kN m/rad", lower="-20 deg", upper="20 deg", width="1 deg")
    r = run(s, 2.0, every=1e-3)
    assert (
        np.abs(r["hinge.angle"].values).max() < np.radians(20) + 0.15
        and r.energies.drift < 1e-8
        and r.info["switches"] > 8
    )


# ---------------------------------------------------------------- laws given as expressions


def test_a_law_given_three_ways_is_a_spring():
    """k (L − L0) + c L̇ as a spring, as a tension, as a potential with a tension, and as a table with a tension."""
    ways = {
        "spring": {"stiffness": 40, "length": 0.7, "damping": 0.6},
        "tension": {"tension": "40*(L - 0.7) + 0.6*Ld"},
        "potential": {"tension": "0.6*Ld", "potential": "20*(L - 0.7)**2"},
        "table": {"tension": "0.6*Ld + table(L, (0, -28), (2, 52))"},
    }
    ends = []
    for kind, keywords in ways.items():
        s = two_beads()
        getattr(s, "spring" if kind == "spring" else "axial_law")(
            "it", ("one", (0, 0.1, 0)), ("two", (0, 0, 0.1)), **keywords
        )
        r = run(s, 1.0)
        ends.append(r["two.position"].values)
        assert ("it.energy" in r) == (kind in ("spring", "potential"))
    for other in ends[1:]:
        assert other == pytest.approx(ends[0], abs=NEAR)


def test_a_tabulated_law_in_a_table_of_its_own():
    """{"table": …, "of": "L"} for the whole law: a constant force while L is within the table, held outside."""
    s = cart(position=(1, 0, 0))
    s.axial_law("it", ("ground", (-1, 0, 0)), ("bead", (0, 0, 0)), tension={"table": [[0, 4], [1, 4]], "of": "L"})
    assert run(s, 0.5)["rail.displacement"].values[-1] == pytest.approx(1 - 0.5 * 2 * 0.25, abs=NEAR)


@formulations
def test_a_torsional_potential_is_a_pendulum(formulation):
    """−m g l cos θ on a pin without gravity moves as the pendulum does; more than a whole turn, so that q must count
    turns."""

    def pendulum(gravity):
        s = mk.System("pendulum", gravity=(0, 0, -gravity))
        s.body("arm", mass=2.0, inertia=(0.1, 0.2, 0.3), position=(0, 0, -0.5))
        s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=8.0)
        if not gravity:
            s.torsional_law("weight", "hinge", potential="-2*9.81*0.5*cos(q)")
        return run(s, 2.0, formulation=formulation)["hinge.angle"].values

    angle = pendulum(0)
    assert angle[-1] > 7 and angle == pytest.approx(pendulum(9.81), abs=1e-7)  # near the top errors grow tenfold


def test_a_quartic_well_keeps_its_energy():
    """Duffing: V = q⁴/4, m = 2. The period from rest at A is 4 √m/(A) ∫ dx √2/√(1 − x⁴) = 4 √(2m) K / A, K = Γ(1/4)²/(4
    √(2π))."""
    from scipy.special import gamma

    A, K = 0.8, gamma(0.25) ** 2 / (4 * np.sqrt(2 * np.pi))
    s = cart(position=(A, 0, 0))
    s.sliding_law("well", "rail", potential="q**4/4")
    r = run(s, 4 * np.sqrt(2 * 2.0) * K / A)
    assert r["rail.displacement"].values[[0, 10, 20]] == pytest.approx([A, -A, A], abs=NEAR)


# ---------------------------------------------------------------- drives


def linear_answer(A, x0, t):
    """ẋ = A x by the matrix exponential."""
    return np.array([expm(A * time) @ x0 for time in t])


@formulations
def test_pd_follows_as_linear_theory_says(formulation):
    """x = (q, u, sin ωt, cos ωt):  m u̇ = kp (a sin ωt − q) + kd (a ω cos ωt − u). Oracle: the matrix exponential."""
    m, kp, kd, a, w = 2.0, 30.0, 4.0, 0.3, 3.0
    s = cart(m)
    s.parameter("w", w)
    s.pd("drive", "rail", target=f"{a}*sin(w*t)", stiffness=kp, damping=kd)
    r = run(s, 2.0, formulation=formulation)
    A = np.array([[0, 1, 0, 0], [-kp / m, -kd / m, kp * a / m, kd * a * w / m], [0, 0, 0, w], [0, 0, -w, 0]])
    assert r["rail.displacement"].values == pytest.approx(linear_answer(A, [0, 0, 0, 1], r.t)[:, 0], abs=NEAR)


METHODS = {"auto": {}, "dop853": {"method": "dop853"}, "implicit": {"method": "implicit", "rtol": 1e-9, "atol": 1e-11},
           "rk4": {"method": "rk4", "step": 1e-3}}  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@formulations
def test_pid_follows_as_linear_theory_says(formulation, method):
    """x = (q, u, z, sin, cos, 1) with ż = a sin ωt − q and a constant load. Oracle: the matrix exponential.

    Tolerance: NEAR, and 1e-7 for implicit at rtol = 1e-9. The integral is an unknown with errors of its own, so it is
    compared too.
    """
    m, kp, ki, kd, a, w, load = 2.0, 30.0, 50.0, 4.0, 0.3, 3.0, -1.5
    s = cart(m)
    s.pid("drive", "rail", target=f"{a}*sin({w}*t)", stiffness=kp, integral=ki, damping=kd)
    s.force("load", "bead", (load, 0, 0))
    r = run(s, 2.0, formulation=formulation, **METHODS[method])
    A = np.zeros((6, 6))
    A[0, 1], A[1] = 1, np.array([-kp, -kd, ki, kp * a, kd * a * w, load]) / m
    A[2, [0, 3]], A[3, 4], A[4, 3] = (-1, a), w, -w
    exact, near = linear_answer(A, [0, 0, 0, 0, 1, 1], r.t), 1e-7 if method == "implicit" else NEAR
    assert r["rail.displacement"].values == pytest.approx(exact[:, 0], abs=near)
    assert r["drive.integral"].values == pytest.approx(exact[:, 2], abs=near)
    assert r["drive.force"].values == pytest.approx(m * (A @ exact.T)[1] - load, abs=200 * near)
    assert r.energies.elements == ["drive", "load"] and r.energies.drift < 100 * near


def test_pid_carries_a_weight_without_an_error_left():
    """At rest at last: the target is met, and ki times the integral is the weight."""
    s = mk.System("lift")
    s.body("box", mass=2.0, inertia=(0.1, 0.1, 0.1))
    s.slider("guide", s.ground, "box", axis="z")
    s.pid("hoist", "guide", target="0.4 if t > 1 else 0", stiffness=300, integral=600, damping=60)
    r = run(s, 20.0)
    assert r["guide.displacement"].values[-1] == pytest.approx(0.4, abs=1e-9)
    assert r["hoist.integral"].values[-1] == pytest.approx(2 * 9.81 / 600, abs=1e-9)


def test_integrals_of_several_drives_are_kept_apart(tmp_path):
    """Two drives and a damper, so that integrals and work stand side by side; the same again from a file, and read in
    an expression."""
    s = mk.System("arms", gravity=(0, 0, 0))
    for k, x in enumerate((0, 1)):
        s.body(f"arm{k}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(x, 0, 0))
        s.pin(f"hinge{k}", s.ground, f"arm{k}", at=(x, 0, 0), axis="z")
    s.torsional_damper("grease", "hinge0", damping=0.2)
    s.pid("first", "hinge0", "0.5", 2, integral=1)
    s.pid("second", "hinge1", "0.2*t", 2, integral=1, damping=1)
    s.motor("copy", "hinge1", torque="0.1*first.integral")
    r = run(s, 2.0)
    for drive, hinge, target in (("first", "hinge0", 0.5 + 0 * r.t), ("second", "hinge1", 0.2 * r.t)):
        fine = run(s, 2.0, every=1e-3)
        error = np.interp(fine.t, r.t, target) - fine[f"{hinge}.angle"].values
        assert r[f"{drive}.integral"].values[-1] == pytest.approx(np.trapezoid(error, fine.t), abs=1e-6)  # h²/12 ∫e''
    assert r["copy.torque"].values == pytest.approx(0.1 * r["first.integral"].values, abs=1e-15)
    r.save(tmp_path / "arms.nc")
    again = mk.load(tmp_path / "arms.nc")
    for name in ("first.integral", "second.integral", "grease.work", "second.work", "copy.work"):
        assert np.array_equal(again[name].values, r[name].values)
    assert list(again.energy["element"].values) == ["grease", "first", "second", "copy"]


def test_analyses_without_a_history_take_integrals_as_zero():
    s = cart()
    s.pid("drive", "rail", target="0.5", stiffness=30, integral=50)
    assert s.forward_dynamics([0.1], [0.0]) == pytest.approx([30 * 0.4 / 2], rel=1e-14)
    assert s.required_forces([0.1], [0.0], [0.0]) == pytest.approx([-30 * 0.4], rel=1e-14)
    assert s.mass_matrix([0.1]) == pytest.approx(np.array([[2.0]]), rel=1e-14)


# ---------------------------------------------------------------- bushings


def test_a_bushing_along_an_axis_is_a_spring_and_damper():
    """Exactly linear along an axis of F: m ẍ = −k x − c ẋ. Oracle: the matrix exponential."""
    s = bead(position=(0.1, 0, 0))
    s.bushing(
        "mount",
        "ground",
        "bead",
        stiffness=(50, 1, 1, 1, 1, 1),
        damping=(3, 1, 1, 1, 1, 1),
        on_a=(0, 0, 0),
        on_b=(0, 0, 0),
    )
    r = run(s, 2.0)
    assert r["bead.position.x"].values == pytest.approx(
        linear_answer(np.array([[0, 1], [-25, -1.5]]), [0.1, 0], r.t)[:, 0], abs=NEAR
    )
    assert r["mount.force"].values[0] == pytest.approx((-5, 0, 0), abs=1e-12)


@pytest.mark.parametrize("axis", range(3))
def test_a_bushing_about_an_axis_is_a_torsional_spring(axis):
    """Exactly linear about any one axis, by one radian: θ = cos(√(k/I) t)"""
    inertia, stiffness = (0.1, 0.2, 0.3), (9, 9, 9, 1, 3, 5)
    s = bead(inertia=inertia, orientation=("xyz"[axis], 1.0))
    s.bushing(
        "mount", "ground", "bead", stiffness, on_a=(0, 0, 0), on_b=(0, 0, 0), frame_a=np.eye(3), frame_b=np.eye(3)
    )
    r = run(s, 2.0)
    angle = 2 * np.arctan2(r["bead.orientation"].values[:, axis], r["bead.orientation"].values[:, 3])
    assert angle == pytest.approx(np.cos(np.sqrt(stiffness[3 + axis] / inertia[axis]) * r.t), abs=NEAR)
    assert r.energies.elements == []


def chain(s, last, springs, dampers, rates):
    """Three sliders and three pins between massless links from the ground to `last`, each with a spring: their angles
    are Bryan's."""
    before = s.ground
    for k, (kind, axis) in enumerate([("slider", x) for x in "xyz"] + [("pin", x) for x in "xyz"]):
        body = last if k == 5 else s.body(f"link{k}", massless=True)
        getattr(s, kind)(f"j{k}", before, body, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a=axis, axis_b=axis, rate=rates[k])
        spring = s.sliding_spring if kind == "slider" else s.torsional_spring
        spring(f"s{k}", f"j{k}", springs[k], damping=dampers[k])
        before = body


def test_a_bushing_is_a_chain_of_sliders_and_pins():
    """Large motion in all six coordinates at once. Oracle: the same body on massless links with six single springs."""
    springs, dampers = (30, 40, 50, 3, 4, 5), (0.1, 0.2, 0.3, 0.01, 0.02, 0.03)
    v, w, gravity = (0.5, -0.3, 0.4), (4.0, -3.0, 2.5), (0, 0, -9.81)
    mount, links = bead(gravity=gravity, velocity=v, angular_velocity=w), bead(gravity=gravity)
    mount.bushing("mount", "ground", "bead", springs, dampers)
    chain(links, links.bodies["bead"], springs, dampers, (*v, *w))
    one, other = run(mount, 1.5), run(links, 1.5)
    assert np.abs(one["bead.orientation"].values[:, :3]).max(axis=0).min() > 0.15  # it does turn about all axes
    for quantity in ("position", "orientation"):
        assert one[f"bead.{quantity}"].values == pytest.approx(other[f"bead.{quantity}"].values, abs=NEAR)
    assert one["mount.energy"].values == pytest.approx(sum(other[f"s{k}.energy"].values for k in range(6)), abs=NEAR)
    assert one["mount.work"].values == pytest.approx(sum(other[f"s{k}.work"].values for k in range(6)), abs=NEAR)


def test_a_bushing_keeps_momentum_between_free_bodies():
    """Full stiffness and damping, both bodies tumbling: linear and angular momentum stay, energy only falls."""
    rng = np.random.default_rng(5)
    A, B = rng.normal(size=(2, 6, 6))
    s = two_beads()
    s.bodies["two"] = mk.System().body(
        "two", mass=3.0, inertia=(1, 2, 2.5), position=(1, 0, 0), angular_velocity=(1, 2, 0.5)
    )
    s.bushing("mount", "one", "two", 5 * (A @ A.T + np.eye(6)), 0.1 * (B @ B.T), at=(0.4, 0.2, 0.1), frame_a=("z", 0.3))
    r = run(s, 1.0)
    for quantity in ("linear", "angular"):
        assert r.momentum[quantity].values == pytest.approx(
            np.tile(r.momentum[quantity].values[0], (len(r.t), 1)), abs=NEAR
        )
    assert np.all(np.diff(r["mount.work"].values) < 0)


# ---------------------------------------------------------------- names and keywords


def test_every_kind_in_the_report_and_in_a_file():
    """A model with most kinds at once: its listing names them with their places, and the same model comes back from its
    text."""
    import systems

    from mekane.importers.yaml import dumps, load

    s = systems.mounts()
    r = mk.simulate(s, 0.05, every=0.05)
    text = r.report()
    assert all(f"Force {k}: {name}" in text for k, name in enumerate(s.forces, 1)) and "arm at" in text
    again = load(dumps(s))
    assert again.forces == s.forces and again.to_dict() == s.to_dict()
    assert mk.simulate(again, 0.05, every=0.05)["box.position"].values == pytest.approx(
        r["box.position"].values, abs=1e-12
    )
    for name in r.names():
        assert np.all(np.isfinite(r[name].values))


def test_names_of_a_law_and_of_the_model():
    s = cart(position=(1, 0, 0))
    s.axial_law("it", ("ground", (0, 0, 0)), ("bead", (0, 0, 0)), tension="5*(LL - 1)")
    with pytest.raises(mk.ModelError, match="unknown name 'LL'; this model knows L, Ld, t, .*Did you mean 'L'"):
        mk.simulate(s, 1.0)
    s = cart(position=(1, 0, 0))
    s.parameter("L", 0.4)
    s.axial_law("it", ("ground", (0, 0, 0)), ("bead", (0, 0, 0)), tension="5*L")
    with pytest.raises(mk.ModelError, match="force 'it': 'L' is a parameter.*another name"):
        mk.simulate(s, 1.0)
    s = bead()
    s.potential("well", "bead", "q**2")
    with pytest.raises(mk.ModelError, match="unknown name 'q'; this model knows X, Y, Z, t"):
        mk.simulate(s, 1.0)


def test_laws_as_python_functions():
    """Traced, with the law's own names; and called back, with those of the model. Both are the spring 5 (L − 0.4)."""
    functions = (
        lambda t, state: 5 * (state["L"] - 0.4),
        lambda t, state: 5 * (float(state["it.length"]) - 0.4),
        "5*(L - 0.4)",
    )
    ends = []
    for function in functions:
        s = cart(position=(1, 0, 0))
        s.axial_law("it", ("ground", (0, 0, 0)), ("bead", (0, 0, 0)), tension=function)
        ends.append(mk.simulate(s, 0.3)["rail.displacement"].values[-1])
    assert (
        s.forces["it"].tension.callback is None and ends[0] == ends[2] and ends[1] == pytest.approx(ends[2], abs=1e-12)
    )


def test_where_a_force_acts_can_be_read():
    """force.velocity is that of its point: a drive that holds it back as drag does."""
    keywords = {"velocity": (1, 0, 0), "angular_velocity": (0, 0, 2)}
    one, other = bead(**keywords), bead(**keywords)
    for s in (one, other):
        s.drag("air", "bead", linear=1.5, at=(0, 0.3, 0))
    other.force("more", "bead", tuple(f"-1.5*air.velocity.{axis} + 0*air.position.x" for axis in "xyz"), at=(0, 0.3, 0))
    one.drag("more", "bead", linear=1.5, at=(0, 0.3, 0))
    assert run(one, 1.0)["bead.position"].values == pytest.approx(run(other, 1.0)["bead.position"].values, abs=NEAR)
