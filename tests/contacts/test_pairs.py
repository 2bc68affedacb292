"""Pairs of shapes that touch: gaps are distances found by search, rows are their derivatives, forces act where and how
they shall; and motions that are known.

Tolerances: 1e-11 is round-off of numbers of order one to a hundred; 1e-6 is what the search for least distances reaches.
"""

from functools import cache

import numpy as np
import pytest
import surfaces
from engine import Model, derivative
from oracles import TIGHT, G
from scipy.optimize import brentq

import mekane as mk
from mekane.contacts.pairs import pairs
from mekane.importers.yaml import dumps, load
from mekane.model.geometry.surfaces import Plane, Point
from mekane.solvers.constraints.assembly import assemble
from mekane.tables import columns as at

ROUND_OFF, SEARCH = 1e-11, 1e-6
PLACED = dict(at=(0.05, -0.1, 0.08), orientation=((0.3, 1.0, -0.4), 0.7))
PLANE = mk.Plane(at=(0.1, -0.2, -0.3), normal=(0.3, -0.2, 1.0))
POINT = (0.2, -0.1, 0.3)
SPHERE, CAPSULE = mk.Sphere(0.3, at=(0.1, 0.05, -0.1)), mk.Capsule(0.15, 0.7, axis=(0.2, 1.0, 0.3), **PLACED)
CYLINDER, BOX = mk.Cylinder(0.35, 0.5, axis=(1.0, 0.2, 0.3), **PLACED), mk.Box(0.6, 0.4, 0.5, **PLACED)

SAMPLES = {
    ("Point", "Plane"): (POINT, PLANE),
    ("Sphere", "Plane"): (SPHERE, PLANE),
    ("Box", "Plane"): (BOX, PLANE),
    ("Capsule", "Plane"): (CAPSULE, PLANE),
    ("Cylinder", "Plane"): (CYLINDER, PLANE),
    ("Rod", "Plane"): (mk.Rod(0.8, axis=(1, 2, 0.5), radius=0.1, **PLACED), PLANE),
    ("Plate", "Plane"): (mk.Plate(0.8, 0.5, 0.1, **PLACED), PLANE),
    ("Polygon", "Plane"): (mk.Polygon([(0, 0), (0.5, 0.1), (0.4, 0.4), (-0.1, 0.2)], 0.2, **PLACED), PLANE),
    ("Hull", "Plane"): (
        mk.Hull([(0, 0, 0), (0.5, 0.1, 0), (0.1, 0.6, 0.1), (0.2, 0.1, 0.4), (0.2, 0.2, 0.1)], **PLACED),
        PLANE,
    ),
    ("Torus", "Plane"): (mk.Torus(0.4, 0.1, axis=(1, 0.2, 0.3), **PLACED), PLANE),
    ("Ellipsoid", "Plane"): (mk.Ellipsoid(0.3, 0.2, 0.4, **PLACED), PLANE),
    ("Sphere", "Sphere"): (SPHERE, mk.Sphere(0.2)),
    ("Point", "Sphere"): (POINT, SPHERE),
    ("Point", "Capsule"): (POINT, CAPSULE),
    ("Point", "Cylinder"): (POINT, CYLINDER),
    ("Point", "Box"): (POINT, BOX),
    ("Sphere", "Capsule"): (SPHERE, CAPSULE),
    ("Sphere", "Cylinder"): (SPHERE, CYLINDER),
    ("Sphere", "Box"): (SPHERE, BOX),
    ("Capsule", "Capsule"): (mk.Capsule(0.1, 0.5, axis="x"), CAPSULE),
}
FIELD = mk.HeightField("0.1*sin(3*x)*cos(2*y) + 0.2*x", at=(0.1, 0.2, 0.1), orientation=("x", 0.2))
CAM = mk.Cam("0.5 + 0.1*cos(2*phi) + 0.05*sin(phi)", at=(0.1, 0.0, 0.1), axis="y")
SAMPLES |= {
    ("Point", "HeightField"): (POINT, FIELD),
    ("Sphere", "HeightField"): (SPHERE, FIELD),
    ("Point", "Cam"): (POINT, CAM),
    ("Sphere", "Cam"): (SPHERE, CAM),
    ("Box", "Box"): (mk.Box(0.5, 0.7, 0.3), BOX),
}
# a distance only where it is zero
APPROXIMATE = [pair for pair in SAMPLES if pair[1] in ("HeightField", "Cam") or pair == ("Box", "Box")]
EXACT = sorted(set(SAMPLES) - set(APPROXIMATE))

pytestmark = pytest.mark.divided("pair", 2)
every_pair = pytest.mark.parametrize("pair", sorted(SAMPLES), ids="-".join)
both = pytest.mark.parametrize("formulation", ["joint", "absolute"])


def sample(pair, apart=1.1, friction=0.3, swapped=False):
    """Two free bodies with nothing special about them, and the contact `it`."""
    rng = np.random.default_rng(7)
    s = mk.System("two")
    turned = lambda: (tuple(rng.normal(size=3)), rng.uniform(-2, 2))
    moving = lambda: dict(velocity=rng.normal(size=3), angular_velocity=rng.normal(size=3))
    inertia = dict(mass=1.0, inertia=(0.3, 0.4, 0.5), com=(0.02, 0.05, -0.03))
    one = s.body("one", position=(0.2, 0.1, apart), orientation=turned(), **inertia, **moving())
    two = s.body("two", position=(0.1, 0.0, 0.05), orientation=("x", 0.1), **inertia, **moving())
    sides = [(one, SAMPLES[pair][0]), (two, SAMPLES[pair][1])]
    s.contact("it", *(sides[::-1] if swapped else sides), friction=friction)
    return s


@cache
def model_of(pair, formulation="joint", swapped=False):
    """Compiled once: all tests only place it, each anew."""
    return Model(sample(pair, swapped=swapped), formulation)


def normal_rows(model):
    return [int(line[at.C_NORMAL]) for line in model.T.contact_i]


def placed(model, y, name):
    R, p, *_ = model.poses(y)
    return R[name].copy(), p[name].copy()


def searched(model, y, rng):
    """The gap by search."""
    law = model.system.contact_laws["it"]
    R, p = placed(model, y, law.a.body)
    a = surfaces.Placed(law.a.shape, R, p)
    R, p = placed(model, y, law.b.body)
    if isinstance(law.b.shape, Plane):
        return surfaces.above(a, R @ law.b.shape.normal, p + R @ law.b.shape.at, rng)
    return surfaces.apart(a, surfaces.Placed(law.b.shape, R, p), rng)


def test_every_pair_has_a_sample():
    """Besides a roller and a cam, whose axes must be parallel."""
    assert {(one.__name__, other.__name__) for one, other in pairs()} == {*SAMPLES, ("Cylinder", "Cam")}


@pytest.mark.parametrize("pair", EXACT, ids="-".join)
def test_gap_is_the_least_distance(pair):
    """In any position in which they are apart."""
    model, rng, seen = model_of(pair), np.random.default_rng(3), 0
    for seed in range(8):
        y = model.somewhere(seed, far=0.5)
        gap = min(model.evaluate_kinematics(y).row[row, at.Y_PHI] for row in normal_rows(model))
        expected = searched(model, y, rng)
        if expected > 0.02:
            seen += 1
            assert gap == pytest.approx(expected, abs=SEARCH)
    assert seen > 2


def touching(model, y):
    """The first body moved along z until the least gap is zero."""
    z, rows = model.compiled.coordinates.index("one.z"), normal_rows(model)

    def gap(height):
        y[z] = height
        return model.evaluate_kinematics(y).row[rows, at.Y_PHI].min()

    y[z] = brentq(gap, 0.0 if gap(0.0) < 0 else -2.0, 3.0, xtol=1e-15)
    return y


@pytest.mark.parametrize("pair", [pair for pair in APPROXIMATE if pair != ("Box", "Box")], ids="-".join)
def test_gap_is_zero_where_the_least_distance_is(pair):
    model, rng = Model(sample(pair, apart=1.5)), np.random.default_rng(3)
    for seed in range(6):
        y = touching(model, model.somewhere(seed, far=0.2))
        law = model.system.contact_laws["it"]
        R, p = placed(model, y, "one")
        centre = surfaces.Placed(Point(np.asarray(law.a.shape.at)), R, p)
        surface = surfaces.Placed(law.b.shape, *placed(model, y, "two"))
        assert surfaces.apart(centre, surface, rng) == pytest.approx(getattr(law.a.shape, "radius", 0.0), abs=1e-5)


@every_pair
@both
def test_rows_are_derivatives(pair, formulation):
    """rate = d gap/dt;  d(rate)/dt = bias + wrenches · accelerations, for any motion: of gaps and of sliding."""
    model = model_of(pair, formulation)
    for seed in range(4):
        y, ud = model.somewhere(seed), np.random.default_rng(4).normal(size=model.n_u)
        W, B = model.moved(y, model.qd(y), ud), model.accelerated(y, ud)
        for row in normal_rows(model):
            assert derivative(W.row[row, at.Y_PHI]) == pytest.approx(W.row[row, at.Y_RATE].real, abs=ROUND_OFF)
        for row in range(len(model.T.row_i)):
            second = B.row[row, at.Y_BIAS] + sum(
                wrench @ np.concatenate([B.body[i, c : c + 3] for c in (at.B_AL, at.B_A)])
                for i, wrench in terms(model, B, row)
            )
            assert derivative(W.row[row, at.Y_RATE]) == pytest.approx(second, abs=ROUND_OFF * max(1.0, abs(second)))


def terms(model, W, row):
    first, end = model.T.row_i[row, at.ROW_TERM : at.ROW_TERM_END + 1]
    return [(model.T.term_i[k, at.TERM_BODY], W.term[k]) for k in range(first, end)]


@every_pair
def test_forces_meet_at_the_contact(pair):
    """On each body: normal and tangents are unit vectors across each other, and act at one point; both bodies feel the
    opposite."""
    model = model_of(pair)
    for seed in range(4):
        y = model.somewhere(seed)
        W = model.evaluate_kinematics(touching(model, y) if pair in APPROXIMATE else y)
        some = [
            line for line in model.T.contact_i if pair not in APPROXIMATE or W.row[line[at.C_NORMAL], at.Y_PHI] < 1e-9
        ]
        assert some
        for line in some:
            rows = [line[at.C_NORMAL], line[at.C_TANGENT], line[at.C_TANGENT] + 1]
            found = [dict(terms(model, W, row)) for row in rows]
            places = []
            for body in found[0]:
                F = np.array([one[body][3:] for one in found])
                M = np.array([one[body][:3] for one in found])
                assert np.abs(F @ F.T - np.eye(3)).max() < 1e-12
                cross = [np.cross(np.eye(3), f).T for f in F]
                r = np.linalg.lstsq(np.vstack(cross), M.ravel(), rcond=None)[0]
                assert np.abs(np.cross(r, F) - M).max() < ROUND_OFF
                places.append(W.body[body, at.B_P : at.B_P + 3] + r)
            assert np.abs(places[0] - places[1]).max() < ROUND_OFF


@pytest.mark.parametrize(
    "pair", sorted(set(SAMPLES) - {("Box", "Box")}), ids="-".join
)  # which the contract has: it is long
def test_sides_may_be_swapped(pair):
    y = model_of(pair).somewhere(1)
    gaps = []
    for swapped in (False, True):
        model = model_of(pair, swapped=swapped)
        W = model.evaluate_kinematics(y)
        gaps.append([W.row[row, at.Y_PHI] for row in normal_rows(model)])
    if pair == ("Box", "Box"):  # corners of a, corners of b; crossings agree where they touch
        gaps = [gaps[0][:16], gaps[1][8:16] + gaps[1][:8]]
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-14)


@every_pair
def test_written_and_read(pair):
    s = sample(pair)
    again = load(dumps(s))
    assert again.contact_laws["it"] == s.contact_laws["it"]


# ---------------------------------------------------------------- motions that are known

LEAVES = (0.79449440872977528, 0.52700218563704051)  # smooth cylinder of radius 1, speed 1 at the top: angle, time


def openings(run, mode="it.mode"):
    """Times at which a contact opens."""
    return [event.time for event in run.events if event.changes.get(mode, (0, 1))[1] == 0.0]


@both
@pytest.mark.parametrize("side", [(0.0, 0.0, 0.0), mk.Sphere(0.2)], ids=["point", "sphere"])
@pytest.mark.parametrize("other", ["cylinder", "sphere", "capsule"])
def test_mass_leaves_what_is_round(formulation, side, other):
    r = 1.0 - getattr(side, "radius", 0.0)
    shapes = dict(cylinder=mk.Cylinder(r, 3, axis="y"), sphere=mk.Sphere(r), capsule=mk.Capsule(r, 1, axis="y"))
    s = mk.System("round")
    b = s.body("b", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 1), velocity=(1, 0, 0))
    s.contact("it", (b, side), (s.ground, shapes[other]))
    run = mk.simulate(s, 0.7, formulation=formulation, **TIGHT)
    assert openings(run) == pytest.approx([LEAVES[1]], abs=1e-12)


tables = pytest.mark.parametrize(
    "table", [mk.Box(2, 2, 2, at=(-1, 0, -1)), mk.Cylinder(1, 2, at=(-1, 0, -1))], ids=["box", "cylinder"]
)


@both
@tables
def test_ball_slides_over_the_edge_of_a_table(formulation, table):
    """Frictionless: at the edge its centre is on a cylinder about it."""
    s = mk.System("table")
    b = s.body("b", mass=1.0, inertia=(1, 1, 1), position=(-0.3, 0, 1), velocity=(1, 0, 0))
    s.contact("it", (b, mk.Sphere(1.0)), (s.ground, table))
    run = mk.simulate(s, 1.0, formulation=formulation, **TIGHT)
    assert openings(run) == pytest.approx([0.3 + LEAVES[1]], abs=1e-11)


@both
@tables
def test_point_slides_and_falls_off(formulation, table):
    s = mk.System("table")
    b = s.body("b", mass=1.0, inertia=(1, 1, 1), position=(-0.5, 0, 0), velocity=(2, 0, 0))
    s.contact("it", (b, (0, 0, 0)), (s.ground, table), friction=0.2)
    run = mk.simulate(s, 1.0, formulation=formulation, **TIGHT)
    a, off = 0.2 * G, openings(run)
    assert off == pytest.approx([(2 - np.sqrt(4 - a)) / a], abs=1e-9)
    assert run["b.position.z"][-1] == pytest.approx(-G / 2 * (1 - off[0]) ** 2, abs=1e-9)
    assert run["b.velocity.x"][-1] == pytest.approx(np.sqrt(4 - a), abs=1e-9)


@both
def test_capsule_falls_flat_and_stays_level(formulation):
    """Poisson's restitution at both ends alike: it bounces as a ball does."""
    s = mk.System("capsule")
    b = s.body("b", shape=mk.Capsule(0.1, 0.6, axis="x"), mass=1.0, position=(0, 0, 1.1))
    s.contact("floor", b, (s.ground, mk.Plane()), restitution=0.7, friction=0.3)
    run = mk.simulate(s, 2.0, formulation=formulation, **TIGHT)
    assert run["b.position.z"][-1] == pytest.approx(0.1 + 0.042433547802627731, abs=1e-10)
    assert np.abs(run["b.angular_velocity"]).max() < 1e-9


@both
def test_capsule_rests_on_a_slope(formulation):
    """Along the slope friction holds it; across it, it rolls down."""
    a = np.radians(20.0)
    for axis, moved in (("x", 0.0), ("y", None)):
        shape = mk.Capsule(0.1, 0.6, axis=axis)
        s = mk.System("slope", gravity=(-G * np.sin(a), 0, -G * np.cos(a)))
        b = s.body("b", shape=shape, mass=1.0, position=(0, 0, 0.1))
        s.contact("slope", b, (s.ground, mk.Plane()), friction=0.5)
        run = mk.simulate(s, 1.0, formulation=formulation, **TIGHT)
        along = shape.mass_properties(1.0).inertia[1, 1] / 0.1**2
        expected = -0.5 * G * np.sin(a) / (1 + along) if moved is None else moved
        assert run["b.position.x"][-1] == pytest.approx(expected, abs=1e-11)


@both
def test_crossed_capsules_meet_like_balls(formulation):
    """One falls on the middle of another that is fixed, with restitution 1/2."""
    s = mk.System("crossed")
    b = s.body("b", shape=mk.Capsule(0.1, 0.6, axis="x"), mass=1.0, position=(0, 0, 1.2))
    s.contact("it", b, (s.ground, mk.Capsule(0.1, 0.8, axis=(0.3, 1.0, 0.0))), restitution=0.5)
    run = mk.simulate(s, 0.7, formulation=formulation, **TIGHT)
    hit = np.sqrt(2 / G)
    assert run.events[0].time == pytest.approx(hit, abs=1e-11)
    assert run["b.position.z"][-1] == pytest.approx(
        0.2 + 0.5 * G * hit * (0.7 - hit) - G / 2 * (0.7 - hit) ** 2, abs=1e-10
    )


@both
@pytest.mark.parametrize(
    "shape, rolling, arguments",
    [
        (mk.Cylinder(0.3, 0.06, axis="y"), "rolling_disc", [("b", (0, 0.03, 0)), 0.3]),
        (mk.Torus(0.3, 0.05, axis="y"), "rolling_disc", [("b", (0, 0, 0)), 0.3, "y", 0.05]),
        (mk.Ellipsoid(0.3, 0.2, 0.4), "rolling_ellipsoid", [("b", (0, 0, 0)), (0.3, 0.2, 0.4)]),
    ],
    ids=["cylinder", "torus", "ellipsoid"],
)
def test_what_sticks_rolls(formulation, shape, rolling, arguments):
    """Tilted, turning about all axes: as the constraint of rolling has it."""

    def system(kind, *arguments, height=1.0, **motion):
        s = mk.System("wobbling")
        s.body("b", shape=shape, mass=2.0, position=(0, 0, height), orientation=("x", -0.4), **motion)
        getattr(s, kind)("it", *arguments)
        return s

    floor = "contact", "b", ("ground", mk.Plane()), 20.0
    high = Model(system(*floor))
    height = 1.0 - min(high.W.row[row, at.Y_PHI] for row in normal_rows(high))
    rolls = system(rolling, *arguments, height=height, velocity=(1.0, 0, 0), angular_velocity=(0.2, 3.0, 1.0))
    _, _, w, v = assemble(rolls).poses
    sticks = system(*floor, height=height, velocity=v["b"], angular_velocity=w["b"])
    runs = [mk.simulate(one, 0.5, formulation=formulation, **TIGHT) for one in (sticks, rolls)]
    of = lambda run: np.concatenate([run[f"b.{x}"].values[-1] for x in ("position", "velocity", "angular_velocity")])
    assert of(runs[0]) == pytest.approx(of(runs[1]), abs=1e-9)
    assert not openings(runs[0])


@both
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_coin_whirls_with_its_centre_at_rest(formulation, friction):
    """Euler's disc, thin: Ω² = 4 g / (R sin θ), and it turns about the diameter to its contact. Nothing need hold it."""
    R, tilt = 0.1, 0.5
    whirl = np.sqrt(4 * G / (R * np.sin(tilt)))
    axis = np.array([0, -np.sin(tilt), np.cos(tilt)])
    w = whirl * (np.array([0, 0, 1]) - np.cos(tilt) * axis)
    s = mk.System("coin")
    b = s.body(
        "b", mass=1.0, inertia=np.array([1, 1, 2]) * R**2 / 4, position=(0, 0, R * np.sin(tilt)),
        orientation=("x", tilt), angular_velocity=w,
    )  # fmt: skip
    s.contact("floor", (b, mk.Cylinder(R, 0.01, at=(0, 0, 0.005))), (s.ground, mk.Plane()), friction=friction)
    run = mk.simulate(s, 1.0, formulation=formulation, **TIGHT)
    assert np.abs(run["b.position"].values - (0, 0, R * np.sin(tilt))).max() < 1e-9
    assert run["floor.1.force"].values == pytest.approx(G, abs=1e-6)


@both
def test_cylinder_rolls_down_a_slope(formulation):
    """a = 2/3 g sin while it sticks, g (sin − μ cos) while it slides."""
    a = np.radians(30.0)
    for friction, expected in ((0.5, 2 / 3 * np.sin(a)), (0.1, np.sin(a) - 0.1 * np.cos(a))):
        s = mk.System("slope", gravity=(G * np.sin(a), 0, -G * np.cos(a)))
        b = s.body("b", shape=mk.Cylinder(0.1, 0.4, axis="y"), mass=3.0, position=(0, 0, 0.1))
        s.contact("slope", b, (s.ground, mk.Plane()), friction=friction)
        run = mk.simulate(s, 1.0, formulation=formulation, **TIGHT)
        assert run["b.position.x"][-1] == pytest.approx(0.5 * G * expected, abs=1e-10)


@both
def test_rod_falls_on_a_smooth_floor(formulation):
    """Its lower end slides, its centre falls; ω² = 3 g sin θ / L where it hits the floor."""
    s = mk.System("rod", planar="xz")
    b = s.body("b", shape=mk.Rod(1.0, axis="x"), mass=1.0, position=(0, 0, 0.5 * np.sin(1.0)), orientation=("y", 1.0))
    s.contact("floor", b, (s.ground, mk.Plane()))
    run = mk.simulate(s, 1.0, formulation=formulation, **TIGHT)
    hit = next(event for event in run.events if event.kind == "impact")
    w2 = 3 * G * np.sin(1.0)
    assert hit.kinetic_energy[0] == pytest.approx(w2 / 6, abs=1e-9)
    assert np.abs(np.array(run["b.velocity"][-1])).max() < 1e-9


@both
def test_plate_on_a_slope(formulation):
    a = np.radians(20.0)
    for friction, expected in ((0.5, 0.0), (0.3, np.sin(a) - 0.3 * np.cos(a))):
        s = mk.System("slope", gravity=(G * np.sin(a), 0, -G * np.cos(a)))
        b = s.body("b", shape=mk.Plate(0.5, 0.3), mass=3.0)
        s.contact("slope", b, (s.ground, mk.Plane()), friction=friction)
        run = mk.simulate(s, 1.0, formulation=formulation, **TIGHT)
        assert run["b.position.x"][-1] == pytest.approx(0.5 * G * expected, abs=1e-11)


@both
def test_hexagon_rolls_from_corner_to_corner(formulation):
    """A rough floor and no rebound: each edge leaves 11/17 of the angular velocity (I = 5/12 m s²)."""
    s = mk.System("hexagon", planar="xz")
    hexagon = mk.Polygon.regular(6, 1.0, orientation=("x", "90 deg"))
    over, w = 0.05, 1.0  # tipped beyond its corner
    b = s.body(
        "b", shape=hexagon, mass=1.0, position=(np.sin(over), 0, np.cos(over)), orientation=("y", np.pi / 6 + over),
        velocity=(w * np.cos(over), 0, -w * np.sin(over)), angular_velocity=(0, w, 0),
    )  # fmt: skip
    s.contact("floor", b, (s.ground, mk.Plane()), friction=3.0)
    run = mk.simulate(s, 1.0, formulation=formulation, **TIGHT)
    hit = next(event for event in run.events if event.kind == "impact")
    before = np.sqrt(w**2 + 24 / 17 * G * (np.cos(over) - np.cos(np.pi / 6)))
    assert hit.kinetic_energy[0] == pytest.approx(17 / 24 * before**2, abs=1e-9)
    assert hit.kinetic_energy[1] == pytest.approx((11 / 17) ** 2 * 17 / 24 * before**2, abs=1e-9)


@both
@pytest.mark.parametrize("side", [(0.0, 0.0, 0.0), mk.Sphere(0.2)], ids=["point", "sphere"])
def test_ball_in_a_smooth_bowl_is_a_pendulum(formulation, side):
    """Of the length from the centre of the bowl to that of the ball; thrown, on a cone too."""
    r = getattr(side, "radius", 0.0)
    for motion in (dict(position=(0.5, 0, 0)), dict(position=(0.5, 0, 0), velocity=(0, 1.5, 0.0))):
        runs = []
        for bowl in (True, False):
            s = mk.System("bowl")
            x, y, _ = motion["position"]
            start = motion | dict(position=(x, y, -np.sqrt((1.0 - r) ** 2 - x * x - y * y)))
            b = s.body("b", mass=1.0, inertia=(0.1, 0.1, 0.1), **start)
            if bowl:
                s.contact("it", (b, side), (s.ground, mk.HeightField("-sqrt(1 - x**2 - y**2)")))
            else:
                s.distance("it", (b, (0, 0, 0)), ("ground", (0, 0, 0)))
            runs.append(mk.simulate(s, 1.0, formulation=formulation, **TIGHT))
        assert runs[0]["b.position"].values == pytest.approx(runs[1]["b.position"].values, abs=1e-10)


@both
def test_ball_rolls_down_an_inclined_field(formulation):
    """a = 5/7 g sin: a plane, written as a field."""
    s = mk.System("slope")
    up, cosine = np.array([-0.5, 0, 1]) / np.sqrt(1.25), 1 / np.sqrt(1.25)
    b = s.body("b", shape=mk.Sphere(0.1), mass=1.0, position=tuple(0.1 * up))
    s.contact("it", b, (s.ground, mk.HeightField("0.5*x")), friction=0.5)
    run = mk.simulate(s, 0.5, formulation=formulation, **TIGHT)
    gone = np.linalg.norm(run["b.position"].values[-1] - 0.1 * up)
    assert gone == pytest.approx(0.5 * 5 / 7 * G * 0.5 * cosine * 0.25, abs=1e-11)


def follower(turns, side, radius, roller=0.0, friction=0.0):
    """A cam that turns about y at a given rate, below a follower that slides along z."""
    s = mk.System("cam")
    cam = s.body("cam", mass=1.0, inertia=(1, 1, 1))
    s.pin("turn", s.ground, cam, at=(0, 0, 0), axis="y", rate=turns)
    s.prescribed("drive", "turn", f"{turns}*t")
    b = s.body("b", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 0.12 + roller))
    s.slider("guide", s.ground, b, at=(0, 0, 0), axis="z")
    s.contact("it", (b, side), (cam, mk.Cam(radius, axis="y")), friction=friction)
    return s


@both
def test_follower_of_a_slow_cam_stays(formulation):
    """A point at the height r(φ), the cam turned by ω t."""
    s = follower(3.0, (0, 0, 0), "0.1 + 0.02*cos(2*phi)")
    run = mk.simulate(s, 2.0, formulation=formulation, **TIGHT)
    assert run["b.position.z"].values == pytest.approx(0.1 + 0.02 * np.cos(6.0 * run.t), abs=1e-11)


@both
@pytest.mark.parametrize("side", [mk.Sphere(0.05), mk.Cylinder(0.05, 0.1, axis="y")], ids=["ball", "roller"])
def test_roller_on_an_eccentric_circle(formulation, side):
    """A circle about a point beside the axis: a slider-crank mechanism with a rod from there to the roller."""
    e, R, w = 0.03, 0.09, 3.0
    s = follower(w, side, f"{e}*cos(phi) + sqrt({R}**2 - ({e}*sin(phi))**2)", roller=0.05)
    run = mk.simulate(s, 2.0, formulation=formulation, **TIGHT)
    expected = e * np.cos(w * run.t) + np.sqrt((R + 0.05) ** 2 - (e * np.sin(w * run.t)) ** 2)
    assert run["b.position.z"].values == pytest.approx(expected, abs=1e-11)


@both
def test_follower_of_a_fast_cam_lifts_off(formulation):
    """Where the cam would pull it down faster than gravity: 0.02 (2ω)² cos(2ωt) = g."""
    w = 15.0
    run = mk.simulate(follower(w, (0, 0, 0), "0.1 - 0.02*cos(2*phi) + 0.04"), 0.2, formulation=formulation, **TIGHT)
    phase = np.pi - np.arccos(G / (0.02 * 4 * w**2))
    assert openings(run)[0] == pytest.approx(phase / (2 * w), abs=1e-11)


@pytest.mark.parametrize(
    "side, cam, says",
    [
        ((0, 0, 0), mk.Cam("0.1 + 0.2*cos(phi)", axis="y"), "radius of the cam is -0.1 m at phi = -180 deg"),
        (mk.Sphere(0.5), mk.Cam("0.1 + 0.04*cos(3*phi)", axis="y"), "does not reach into the hollow"),
        (mk.Cylinder(0.05, 0.1, axis="x"), mk.Cam("0.1 + 0.01*cos(phi)", axis="y"), "not parallel"),
        ((0, 0, 0), mk.Cam("0.1 + 0.01*cos(theta)", axis="y"), "none of phi is in"),
    ],
)
def test_cams_that_are_refused(side, cam, says):
    s = mk.System("cam")
    b = s.body("b", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 1))
    with pytest.raises(mk.ModelError, match=says):
        s.contact("it", (b, side), (s.ground, cam))
        mk.simulate(s, 0.1)


@pytest.mark.parametrize(
    "points, says",
    [
        ([(0, 0), (1, 0)], "at least three corners"),
        ([(0, 0), (1, 0), (2, 0)], "on one line"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "cross"),
        ([(0, 0, 0), (1, 1, 0), (1, 0, 0)], "a point is"),
    ],
)
def test_polygons_that_are_refused(points, says):
    with pytest.raises(mk.ModelError, match=says):
        mk.Polygon(points)


def test_torus_that_does_not_fit_is_refused():
    with pytest.raises(mk.ModelError, match="more than the radius"):
        mk.Torus(0.1, 0.2)


@both
def test_parameters_give_sizes(formulation):
    """In shapes and in expressions; the mass leaves the bump as it leaves a sphere."""
    s = mk.System("round", parameters={"R": 0.8, "r": 0.2})
    b = s.body("b", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 1), velocity=(1, 0, 0))
    s.contact("it", (b, mk.Sphere("$r")), (s.ground, mk.HeightField("sqrt($R**2 - x**2 - y**2)")))
    for one in (s, load(dumps(s))):
        run = mk.simulate(one, 0.6, formulation=formulation, **TIGHT)
        assert openings(run) == pytest.approx([LEAVES[1]], abs=1e-11)


@both
@pytest.mark.parametrize("other", [mk.Box(2, 2, 2, at=(-1, 0, -1)), mk.Cylinder(1, 2, at=(-1, 0, -1)), mk.Plane()])
def test_in_a_plane(formulation, other):
    """A ball rolls on a table in a planar model: it slides, then rolls with 5/7 of its speed."""
    s = mk.System("plane", planar="xz")
    b = s.body("b", shape=mk.Sphere(0.1), mass=1.0, position=(-1.5, 0, 0.1), velocity=(1, 0, 0))
    s.contact("it", b, (s.ground, other), friction=0.3)
    run = mk.simulate(s, 0.5, formulation=formulation, **TIGHT)
    assert run["b.velocity.x"][-1] == pytest.approx(5 / 7, abs=1e-11)
    assert run["it.slip"].values[-1] == pytest.approx(0.0, abs=1e-11)


def test_cylinder_that_stands_is_refused():
    s = mk.System("can")
    b = s.body("b", shape=mk.Cylinder(0.1, 0.3), mass=1.0, position=(0, 0, 0.15))
    s.contact("floor", b, (s.ground, mk.Plane()))
    with pytest.raises(mk.ModelError, match="no point of its rim is the lowest.*Polygon"):
        mk.simulate(s, 1.0)


@both
def test_can_stands_on_the_corners_of_a_polygon(formulation):
    """Friction holds it on a slope of 10°; it falls over if it is tall: tan 10° > r cos(π/8) / h."""
    a = np.radians(10.0)
    for height, stands in ((0.3, True), (1.5, False)):
        s = mk.System("can", gravity=(G * np.sin(a), 0, -G * np.cos(a)))
        b = s.body("b", shape=mk.Cylinder(0.1, height), mass=1.0, position=(0, 0, height / 2))
        s.contact("floor", (b, mk.Polygon.regular(8, 0.1, height)), (s.ground, mk.Plane()), friction=0.5)
        run = mk.simulate(s, 0.5, formulation=formulation, rtol=1e-8, atol=1e-10)
        moved = np.abs(np.array(run["b.position"][-1]) - (0, 0, height / 2)).max()
        assert moved < 1e-11 if stands else moved > 0.01
