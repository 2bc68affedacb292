"""Equilibria with contact and friction. Oracles: statics of rigid bodies in closed form, the interval of possible forces of
a ladder taken by hand, projections onto cones, and runs that have to stay where an equilibrium is."""

import numpy as np
import pytest
from scipy.optimize import linprog

import mekane as mk
from mekane.analyses.equilibrium.contact_forces import contact_forces
from mekane.solvers.contacts.cone_program import Cones, solve_cone_program
from mekane.solvers.contacts.force_sets import Forces, ForceSet

G = 9.81
SIXTY = np.radians(60)
EXACT = 1e-9  # relative: cone programs end at 1e-13, and margins are compared with 1e-9 of the forces


def ladder(floor, wall, theta=SIXTY):
    """Mass 10, length 1, at this angle from the floor."""
    s = mk.System("ladder", planar="xz")
    c, z = np.cos(theta), np.sin(theta)
    bar = s.body("bar", mass=10, inertia=10 / 12, position=(c / 2, 0, z / 2), orientation=("y", theta))
    s.contact("foot", (bar, (0.5, 0, 0)), (s.ground, mk.Plane()), friction=floor)
    s.contact("top", (bar, (-0.5, 0, 0)), (s.ground, mk.Plane(normal="x")), friction=wall)
    return s


def on_slope(degrees, friction, size=(0.4, 0.3, 0.2), **keywords):
    s, a = mk.System("box on a slope"), np.radians(degrees)
    normal = np.array((-np.sin(a), 0, np.cos(a)))
    s.body("box", mass=2, shape=mk.Box(*size), position=size[2] / 2 * normal, orientation=("y", -a))
    s.contact("slope", "box", (s.ground, mk.Plane(normal=normal)), friction=friction, **keywords)
    return s


def arm(angle=0.0):
    """A point mass 1 on a massless arm of length 1, at this angle above the horizontal, turning about −y."""
    s = mk.System("arm")
    s.body("mass", mass=1, position=(np.cos(angle), 0, np.sin(angle)))
    s.pin("hinge", s.ground, "mass", at=(0, 0, 0), axis=(0, -1, 0))
    return s


# ---------------------------------------------------------------- friction that holds, or does not


@pytest.mark.parametrize("theta", np.radians([40, 60, 75]))
def test_a_ladder_on_a_smooth_wall_needs_half_the_cotangent(theta):
    need = 0.5 / np.tan(theta)
    rest = mk.equilibrium(ladder(need * (1 + 1e-6), 0.0, theta))
    assert rest.contacts["foot"].normal == pytest.approx(10 * G, rel=1e-12)
    assert abs(rest.contacts["foot"].friction) == pytest.approx(10 * G * need, rel=1e-9)
    assert rest.contacts["top"].normal == pytest.approx(10 * G * need, rel=1e-9)
    with pytest.raises(mk.ModelError, match=f"it slips: friction {need:.4g} needed at 'foot', {0.9 * need:.4g} given"):
        mk.equilibrium(ladder(0.9 * need, 0.0, theta))


@pytest.mark.parametrize("floor, wall", [(0.3, 0.2), (0.5, 0.5), (0.285, 0.1)])
def test_a_ladder_between_rough_walls_needs_this_share_of_its_friction(floor, wall):
    """Where it begins to slip at both ends:  tan θ = (1 − k² μ₁ μ₂)/(2 k μ₁), solved for the factor k of both."""
    tan = np.tan(SIXTY)
    k = (-floor * tan + np.sqrt((floor * tan) ** 2 + floor * wall)) / (floor * wall)
    rest = mk.equilibrium(ladder(floor, wall))
    assert contact_forces(rest.state).needed_factor() == pytest.approx(k, rel=EXACT)
    with pytest.raises(mk.ModelError, match="needed at 'foot'.*needed at 'top'"):
        mk.equilibrium(ladder(0.99 * k * floor, 0.99 * k * wall))


@pytest.mark.parametrize("floor, wall", [(0.3, 0.2), (0.5, 0.5), (0.285, 0.1), (2.0, 2.0)])
def test_the_least_forces_of_a_ladder_are_those_of_its_interval(floor, wall):
    """One force is open: friction F at the wall, upwards. Balance:  N₁ = W − F,  N₂ = T₁ = (W/2 − F) cot θ. Each set is an
    interval of F, and the sum of squares a parabola of it."""
    W, cot = 10 * G, 1 / np.tan(SIXTY)
    F = np.linspace(-W, W, 400001)
    N1, N2 = W - F, (W / 2 - F) * cot
    possible = (N1 >= 0) & (N2 >= 0) & (abs(N2) <= floor * N1) & (abs(F) <= wall * N2)
    squares = np.where(possible, N1**2 + 2 * N2**2 + F**2, np.inf)
    best = F[np.argmin(squares)]
    found = mk.equilibrium(ladder(floor, wall)).contacts
    assert found["top"].friction == pytest.approx(best, abs=2 * W / 400000)  # the grid's width
    assert found["foot"].normal == pytest.approx(W - found["top"].friction, rel=1e-12)
    for one in found.values():
        assert one.normal >= 0 and abs(one.friction) <= one.largest * (1 + 2e-9)


@pytest.mark.parametrize("degrees", [10, 20, 35])
def test_a_box_stays_on_a_slope_up_to_its_angle_of_friction(degrees):
    need = np.tan(np.radians(degrees))
    rest = mk.equilibrium(on_slope(degrees, need))  # just enough
    total = rest.reaction("slope").force.values
    np.testing.assert_allclose(total, (0, 0, 2 * G), atol=1e-12)
    assert sum(one.normal for one in rest.contacts.values()) == pytest.approx(
        2 * G * np.cos(np.radians(degrees)), rel=1e-9
    )
    with pytest.raises(mk.ModelError, match=f"friction {need:.4g} needed at 'slope', {0.99 * need:.4g} given"):
        mk.equilibrium(on_slope(degrees, 0.99 * need))
    mk.equilibrium(on_slope(degrees, 0.5 * need, static=1.01 * need))  # what rests has its static friction


@pytest.mark.parametrize("torque, holds", [(1.001 * G, True), (0.999 * G, False)])
@pytest.mark.parametrize("kind", ["brake", "dry_friction"])
def test_friction_of_a_joint_holds_up_to_its_torque(kind, torque, holds):
    s = arm()
    getattr(s, kind)("friction", "hinge", torque=torque)
    if holds:
        assert abs(mk.equilibrium(s).contacts["friction"].friction) == pytest.approx(G, rel=1e-12)
    else:
        with pytest.raises(mk.ModelError, match=f"{G:.4g} needed at 'friction', {torque:.4g} given"):
            mk.equilibrium(s)


@pytest.mark.parametrize("share, holds", [(1.001, True), (0.999, False)])
def test_a_bearing_holds_within_its_circle_of_friction(share, holds):
    """The weight passes the axis at a distance of cos(angle) = μ r."""
    angle = np.radians(-80)
    s = arm(angle)
    s.bearing_friction("bearing", "hinge", friction=share * np.cos(angle) / 0.2, radius=0.2)
    if holds:
        assert abs(mk.equilibrium(s).contacts["bearing"].friction) == pytest.approx(G * np.cos(angle), rel=1e-12)
    else:
        with pytest.raises(mk.ModelError, match="bearing_friction 'bearing': it slips"):
            mk.equilibrium(s)


@pytest.mark.parametrize("share, holds", [(1.001, True), (0.999, False)])
def test_a_guide_holds_as_it_does_in_a_run(share, holds):
    """An inclined guide: friction against the sum of its forces on both pairs of faces; a run of it stays or slides."""
    a = np.radians(20)

    def guide(friction):
        s = mk.System("guide")
        s.body("block", mass=3)
        s.slider("guide", s.ground, "block", at=(0, 0, 0), axis=(np.cos(a), 0, np.sin(a)))
        s.guide_friction("rub", "guide", friction=friction)
        return s

    faces = np.abs(mk.equilibrium(guide(5.0)).reaction("guide", axes="joint").force.values[:2]).sum()
    s = guide(share * 3 * G * np.sin(a) / faces)
    assert (abs(mk.simulate(s, 0.5)["guide.displacement"][-1]) < 1e-12) == holds
    if holds:
        assert abs(mk.equilibrium(s).contacts["rub"].friction) == pytest.approx(3 * G * np.sin(a), rel=1e-12)
    else:
        with pytest.raises(mk.ModelError, match="guide_friction 'rub': it slips"):
            mk.equilibrium(s)


def test_friction_without_a_normal_force_holds_nothing():
    s = mk.System("beside a wall", planar="xz")
    s.body("block", mass=1, inertia=1)
    s.contact("wall", ("block", (0, 0, 0)), (s.ground, mk.Plane(normal="x")), friction=0.9)
    with pytest.raises(mk.ModelError, match="no friction at 'wall' would be enough"):
        mk.equilibrium(s)


def pyramid(friction):
    """One cylinder on two that touch each other, all alike."""
    s, r = mk.System("pyramid", planar="xz"), 0.1
    for name, x, z in (("left", -r, r), ("right", r, r), ("top", 0, r + 2 * r * np.sin(SIXTY))):
        s.body(name, mass=1, inertia=0.004, shape=mk.Sphere(r), position=(x, 0, z))
    for name in ("left", "right"):
        s.contact(f"floor {name}", name, (s.ground, mk.Plane()), friction=friction)
        s.contact(f"top {name}", "top", name, friction=friction)
    s.contact("middle", "left", "right", friction=friction)
    return s


def test_three_cylinders_stay_piled_with_the_tangent_of_15_degrees():
    """Between two cylinders friction acts along the chord from the floor to the top contact, 15° from the line of centres."""
    need = np.tan(np.radians(15))
    rest = mk.equilibrium(pyramid(1.1 * need))
    assert contact_forces(rest.state).needed_factor() == pytest.approx(1 / 1.1, rel=EXACT)
    with pytest.raises(mk.ModelError, match=f"friction {need:.4g} needed at 'top left'"):
        mk.equilibrium(pyramid(0.9 * need))


# ---------------------------------------------------------------- loads that are not unique


def table(x, y):
    s = mk.System("table")
    top = s.body("top", mass=10, inertia=(1, 1, 1), com=(x, y, 0), position=(0, 0, 1))
    for k, (a, b) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1)), 1):
        s.contact(f"leg {k}", (top, (a, b, -1)), (s.ground, mk.Plane()), friction=0.3)
    return s


def test_the_legs_of_a_table_share_its_weight():
    """The smallest loads are linear over the floor: N = W/4 (1 + x xᵢ + y yᵢ), legs at ±1."""
    found = mk.equilibrium(table(0.1, 0.05)).contacts
    want = [10 * G / 4 * (1 + 0.1 * a + 0.05 * b) for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
    np.testing.assert_allclose([found[f"leg {k}"].normal for k in (1, 2, 3, 4)], want, rtol=1e-12)
    assert max(one.friction for one in found.values()) < 1e-10


def test_a_leg_of_a_table_does_not_pull():
    """Beyond the core that rule would make the far leg pull: it carries nothing, and the other three are determined."""
    rest = mk.equilibrium(table(0.9, 0.9))
    loads = [rest.contacts[f"leg {k}"].normal for k in (1, 2, 3, 4)]
    np.testing.assert_allclose(loads, 10 * G * np.array([0.9, 0.05, 0.05, 0.0]), atol=10 * G * EXACT)
    assert any("Touching without a force" in note and "leg 4" in note for note in rest.notes)


@pytest.mark.parametrize(
    "x, want", [(0.0, (1 / 3, 1 / 3, 1 / 3)), (0.3, (1 / 3 - 0.15, 1 / 3, 1 / 3 + 0.15)), (0.9, (0, 0.1, 0.9))]
)
def test_a_beam_on_three_supports(x, want):
    """The smallest loads are linear along the beam, W (1/3 + x xᵢ/2), unless one of them would pull."""
    s = mk.System("beam", planar="xz")
    beam = s.body("beam", mass=10, inertia=1, com=(x, 0, 0))
    for k, place in enumerate((-1, 0, 1)):
        s.contact(f"support {k}", (beam, (place, 0, 0)), (s.ground, mk.Plane()))
    found = mk.equilibrium(s).contacts
    loads = [found[f"support {k}"].normal for k in range(3)]
    np.testing.assert_allclose(loads, 10 * G * np.array(want), atol=10 * G * EXACT)


# ---------------------------------------------------------------- contacts that open and close


@pytest.mark.parametrize("degrees, tips", [(13.9, False), (14.2, True)])
def test_a_tall_box_tips_over_its_edge(degrees, tips):
    """It stands while the weight passes within its base: tan of the slope below 0.1/0.4; else it lies on its long side."""
    rest = mk.equilibrium(on_slope(degrees, 2.0, (0.1, 0.1, 0.4)))
    a = np.radians(degrees)
    height = rest["box.position"] @ np.array((-np.sin(a), 0, np.cos(a)))
    assert height == pytest.approx(0.05 if tips else 0.2, abs=1e-9)
    assert rest.stable and len(rest.contacts) == 4
    assert any("lift off" in note for note in rest.notes) == tips
    run = mk.simulate(rest.system, 0.5)  # and there it stays
    np.testing.assert_allclose(run["box.position"][-1], rest["box.position"], atol=1e-9)


def test_a_ball_in_the_air_comes_to_rest_on_the_floor():
    s = mk.System("ball")
    s.body("ball", mass=1, shape=mk.Sphere(0.1), position=(0.3, 0, 1.1))
    s.contact("floor", "ball", (s.ground, mk.Plane()), friction=0.2)
    rest = mk.equilibrium(s)
    np.testing.assert_allclose(rest["ball.position"], (0.3, 0, 0.1), atol=1e-9)
    assert rest.contacts["floor"].normal == pytest.approx(G, rel=1e-12)


@pytest.mark.parametrize("lower, angle", [("-30 deg", np.radians(-30)), ("-120 deg", np.radians(-90))])
def test_an_arm_falls_onto_its_limit_or_hangs(lower, angle):
    s = arm()
    s.limit("stop", "hinge", lower=lower)
    rest = mk.equilibrium(s)
    assert rest["hinge.angle"] == pytest.approx(angle, abs=1e-9)
    if "stop" in rest.contacts:
        assert rest.contacts["stop"].normal == pytest.approx(G * np.cos(angle), rel=1e-9)
    assert ("stop" in rest.contacts) == (lower == "-30 deg")


def test_a_block_lifts_off_where_a_spring_pulls_it_up():
    """k (1 − z) = m g"""
    s = mk.System("hung block")
    s.body("block", mass=1, position=(0, 0, 0))
    s.slider("guide", s.ground, "block", at=(0, 0, 0), axis="z")
    s.contact("floor", ("block", (0, 0, 0)), (s.ground, mk.Plane()), friction=0.5)
    s.spring("spring", (s.ground, (0, 0, 2)), ("block", (0, 0, 0)), stiffness=50, length=1)
    rest = mk.equilibrium(s)
    assert rest["guide.displacement"] == pytest.approx(1 - G / 50, abs=1e-9)
    assert not rest.contacts and any("lift off on the way from the start: 'floor'" in note for note in rest.notes)


def test_a_chain_comes_to_lie_on_the_floor():
    """Four links of 0.5 from a height of 0.6: one hangs, one leans on the floor with its end, the others lie; the floor carries
    half of what leans and all of what lies."""
    s, last = mk.System("chain", planar="xz"), "ground"
    for k in range(4):
        s.body(f"link {k}", mass=1, inertia=0.01, position=(0.25 + 0.5 * k, 0, 0.6))
        s.pin(f"pin {k}", last, f"link {k}", at=(0.5 * k, 0, 0.6), axis="y")
        s.contact(f"end {k}", (f"link {k}", (0.25, 0, 0)), (s.ground, mk.Plane()), friction=0.2)
        last = f"link {k}"
    rest = mk.equilibrium(s)
    slope = np.cumsum([rest[f"pin {k}.angle"] for k in range(4)])
    np.testing.assert_allclose(slope, (np.pi / 2, np.arcsin(0.2), 0, 0), atol=1e-8)
    np.testing.assert_allclose([rest.contacts[f"end {k}"].normal for k in (1, 2, 3)], (G, G, G / 2), rtol=1e-9)


def test_a_rope_becomes_taut():
    s = mk.System("rope")
    s.body("load", mass=2, position=(0.3, 0, -0.5))
    s.cable("rope", s.ground, ("load", (0, 0, 0)), length=1)
    rest = mk.equilibrium(s)
    np.testing.assert_allclose(rest["load.position"], (0, 0, -1), atol=1e-7)
    assert rest.contacts["rope"].normal == pytest.approx(2 * G, rel=1e-9)


@pytest.mark.parametrize("side", [1, -1])
def test_a_freewheel_holds_one_way(side):
    """Its angle about −y does not decrease: a mass at +x would turn it down, and is held; one at −x falls."""
    s = mk.System("freewheel")
    s.body("mass", mass=1, position=(side, 0, 0))
    s.pin("hinge", s.ground, "mass", at=(0, 0, 0), axis=(0, -1, 0))
    s.one_way("free", "hinge")
    rest = mk.equilibrium(s)
    assert rest.contacts["free"].normal == pytest.approx(G if side == 1 else 0.0, abs=1e-9)
    np.testing.assert_allclose(rest["mass.position"], (1, 0, 0) if side == 1 else (0, 0, -1), atol=1e-9)


def test_a_ball_on_a_rough_slope_has_no_equilibrium():
    """Friction does not keep a ball from rolling."""
    s, n = mk.System("ball"), (np.sin(0.2), 0, np.cos(0.2))
    s.body("ball", mass=1, shape=mk.Sphere(0.1), position=0.1 * np.array(n))
    s.contact("slope", "ball", (s.ground, mk.Plane(normal=n)), friction=0.9)
    with pytest.raises(mk.ModelError, match="nothing holds 'ball'"):
        mk.equilibrium(s)


# ---------------------------------------------------------------- as part of the rest


def test_a_run_stays_where_an_equilibrium_is():
    """Two ways to one rest, from a state of a run as well."""
    rest = mk.equilibrium(ladder(0.3, 0.2))
    run = mk.simulate(rest.system, 0.5)
    np.testing.assert_allclose(run["bar.position"], np.tile(rest["bar.position"], (len(run.t), 1)), atol=1e-12)
    again = mk.equilibrium(ladder(0.3, 0.2), at=run.state(0.3))
    np.testing.assert_allclose(again["bar.position"], rest["bar.position"], atol=1e-12)
    assert "Contacts" in str(rest) and rest.to_dict()["contacts"]["foot"]["normal"] == rest.contacts["foot"].normal


def test_bodies_that_enter_each_other_are_refused():
    s = mk.System("ball")
    s.body("ball", mass=1, shape=mk.Sphere(0.1), position=(0, 0, 0.05))
    s.contact("floor", "ball", (s.ground, mk.Plane()))
    with pytest.raises(mk.ModelError, match="contact 'floor': the gap of 'floor' is -0.05 where the search starts"):
        mk.equilibrium(s)


@pytest.mark.parametrize("friction, holds", [(0.5, True), (0.4, False)])
def test_a_torque_is_found_beside_contacts_that_are_judged(friction, holds):
    """solve_for: the torque m g l of an arm, while a spring of 50 N/m, 0.1 m longer than its length, pulls a box of 1.1 kg:
    5 N of at most friction × 10.79 N."""
    s = arm()
    s.parameter("lift", 0.0)
    s.motor("motor", "hinge", torque="$lift")
    s.body("box", mass=1.1, shape=mk.Box(0.2, 0.2, 0.2), position=(3, 0, 0.1))
    s.contact("floor", "box", (s.ground, mk.Plane()), friction=friction)
    s.spring("spring", (s.ground, (4, 0, 0.1)), ("box", (0, 0, 0)), stiffness=50, length=0.9)
    if holds:
        rest = mk.equilibrium(s, solve_for="lift")
        assert rest.parameters["lift"] == pytest.approx(G, rel=1e-9)
        np.testing.assert_allclose(rest.reaction("floor").force.values, (-5, 0, 1.1 * G), atol=1e-9)
    else:
        with pytest.raises(mk.ModelError, match=f"friction {5 / (1.1 * G):.4g} needed at 'floor', 0.4 given"):
            mk.equilibrium(s, solve_for="lift")


# ---------------------------------------------------------------- cone programs


def lines_hold(sets, forces, Z, factor, most=None):
    """Whether forces along lines, λ = λ⁰ + Z y with |y| ≤ most, can be in their sets: a linear program."""
    A, b = [], []
    for one in sets:
        press, own = (-Z[one.normal], forces[one.normal]) if one.normal >= 0 else (0 * Z[0], 1.0)
        if one.normal >= 0:
            A, b = [*A, press], [*b, own]
        for row in one.tangents:
            for sign in (1, -1):
                A.append(sign * Z[row] + factor * one.limit * press)
                b.append(-sign * forces[row] + factor * one.limit * own)
    n = Z.shape[1]
    return (
        linprog(np.zeros(n), np.array(A), np.array(b), bounds=[(None if most is None else -most, most)] * n).status == 0
    )


def random_sets(rng):
    sets, n = [], 0
    for k in range(rng.integers(1, 6)):
        normal, rough = rng.random() < 0.8, int(rng.integers(0, 2))
        if normal:
            sets.append(ForceSet(f"e{k}", "law", n, tuple(range(n + 1, n + 1 + rough)), rng.uniform(0.05, 1)))
        else:
            sets.append(ForceSet(f"e{k}", "law", -1, (n,), rng.uniform(0.1, 20)))
        n += 1 + (rough if normal else 0)
    forces, Z = 10 * rng.normal(size=n), rng.normal(size=(n, rng.integers(1, min(n, 5) + 1)))
    for one in sets:
        if one.normal >= 0 and rng.random() < 0.85:
            forces[one.normal] = abs(forces[one.normal])
    return sets, forces, Z


@pytest.mark.divided("seed", 4)
@pytest.mark.parametrize("seed", range(40))
def test_needed_friction_along_lines_is_that_of_linear_programs(seed):
    """Just above the factor found a linear program has forces, just below it has none that are not much larger than the
    load: contacts that squeeze one another may need more and more force for less and less friction."""
    sets, forces, Z = random_sets(np.random.default_rng(seed))
    found = Forces(sets, forces, Z, 1.0)
    factor = found.needed_factor()
    if factor is None:
        assert not lines_hold(sets, forces, found.Z, 1e5)
    else:
        assert lines_hold(sets, forces, found.Z, factor * (1 + 1e-6) + 2e-6)
        assert factor < 1e-6 or not lines_hold(sets, forces, found.Z, factor * (1 - 1e-6), 30 * np.abs(forces).max())


@pytest.mark.parametrize("seed", range(6))
def test_cone_programs_project_onto_cones(seed):
    """The nearest point of a second-order cone is known in closed form."""
    rng = np.random.default_rng(seed)
    sizes = [1, 2, 3, 3, 4]
    cones = Cones(sizes)
    p = rng.normal(size=cones.n)
    y, _ = solve_cone_program(np.eye(cones.n), -p, -np.eye(cones.n), np.zeros(cones.n), cones)
    np.testing.assert_allclose(y, np.concatenate([projected(p[part]) for part in cones.parts]), atol=1e-9)


def projected(x):
    t, size = x[0], np.linalg.norm(x[1:])
    if size <= t:
        return x
    if size <= -t:
        return 0 * x
    share = 0.5 * (t + size)
    return np.append(share, share * x[1:] / size)
