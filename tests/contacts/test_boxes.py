"""Boxes on boxes. Oracles: boxes on planes, closed forms of sliding and tipping, and the height at which two boxes touch, by
a linear program."""

import numpy as np
import pytest
from oracles import G
from scipy.optimize import linprog

import mekane as mk
from mekane.analyses.equilibrium.touching import ContactLaws

SAME = 1e-9  # m: two ways to one motion, at rtol 1e-9


def stack(planar=None, **box):
    """A box on a larger one that is fixed, its top at z = 0."""
    s = mk.System("stack", planar=planar) if planar else mk.System("stack")
    s.body("low", mass=5, shape=mk.Box(1, 1, 0.2), position=(0, 0, -0.1))
    s.weld("base", s.ground, "low", at=(0, 0, 0))
    s.body("box", **{"mass": 1, "shape": mk.Box(0.4, 0.4, 0.2), "position": (0, 0, 0.1)} | box)
    return s


def on_plane(s, **contact):
    s.contact("it", "box", (s.ground, mk.Plane()), **contact)
    return s


def on_box(s, **contact):
    s.contact("it", "box", "low", **contact)
    return s


def forces(run, name="it"):
    """Sum of the normal forces of all elements at the end."""
    return sum(float(run[f"{one}.force"][-1]) for one in run.system.contact_laws[name].ids(run.system))


# ---------------------------------------------------------------- where they touch


def turned(rng):
    axis = rng.normal(size=3)
    return tuple(axis / np.linalg.norm(axis)), rng.uniform(-2, 2)


def touching_height(low, high):
    """The height of the origin of a box above another at which they touch: the largest z of low less z of high over points
    of the two that lie above each other. low, high: (R, centre, halves)."""
    A = np.hstack([low[0], -high[0]])
    offset = high[1] - low[1]
    bounds = [(-h, h) for h in (*low[2], *high[2])]
    found = linprog(-A[2], A_eq=A[:2], b_eq=offset[:2], bounds=bounds)
    return -found.fun + low[1][2]


@pytest.mark.divided("seed", 3)
@pytest.mark.parametrize("seed", range(12))
def test_gaps_are_zero_where_two_boxes_touch(seed):
    """Any two orientations: faces, corners and edges. Above that height all gaps are positive."""
    rng = np.random.default_rng(seed)
    s = mk.System("two")
    sizes = rng.uniform(0.2, 0.6, size=(2, 3))
    where = np.array((*rng.uniform(-0.1, 0.1, size=2), 0.0))
    s.body("low", mass=1, shape=mk.Box(*sizes[0]), orientation=turned(rng))
    s.body("high", mass=1, shape=mk.Box(*sizes[1]), orientation=turned(rng), position=where + (0, 0, 2))
    s.contact("it", *(("high", "low") if seed % 2 else ("low", "high")))
    R = {name: body.R_NB for name, body in s.bodies.items()}
    z = touching_height((R["low"], np.zeros(3), sizes[0] / 2), (R["high"], where, sizes[1] / 2))
    laws = ContactLaws(s, "joint", 0.0)
    q, k = s.initial_state()[0], s.coordinates.index("high.z")

    def least(height):
        q[k] = start + height - 2.0
        return laws.gaps(q).min()

    start = q[k]
    assert abs(least(z)) < 1e-9  # what linear programs reach
    assert least(z + 0.01) > 1e-4 and least(z - 0.01) < -1e-4


def test_edges_that_cross_hit_each_other():
    """One edge below along x, one above along y: the gap is that of their heights; without loss it turns round."""
    s = mk.System("edges", gravity=(0, 0, 0))
    s.body("low", mass=1, shape=mk.Box(1, 0.2, 0.2), orientation=("x", "45 deg"))
    s.weld("base", s.ground, "low", at=(0, 0, 0))
    s.body(
        "high",
        mass=1,
        shape=mk.Box(0.3, 1, 0.3),
        orientation=("y", "45 deg"),
        position=(0, 0, 0.5),
        velocity=(0, 0, -1),
    )
    s.contact("it", "high", "low", restitution=1.0)
    run = mk.simulate(s, 0.3)
    apart = 0.5 - 0.25 * np.sqrt(2)
    [hit] = run.events
    assert hit.kind == "impact" and abs(hit.time - apart) < 1e-12
    assert hit.event.startswith("it.") and int(hit.event.removeprefix("it.")) > 16  # a crossing
    np.testing.assert_allclose(run["high.velocity"][-1], (0, 0, 1), atol=1e-12)
    np.testing.assert_allclose(run["high.angular_velocity"][-1], 0, atol=1e-11)


# ---------------------------------------------------------------- as on a plane


@pytest.mark.thinned("planar")
@pytest.mark.parametrize("planar", [None, "xz"])
def test_a_box_slides_on_a_box_as_on_a_plane(planar):
    """Tilted gravity stands for a slope."""
    box = dict(velocity=(1.2, 0, 0), position=(-0.2, 0, 0.1))
    runs = [mk.simulate(make(stack(planar, **box), friction=0.3), 0.5, every=0.05) for make in (on_box, on_plane)]
    np.testing.assert_allclose(runs[0]["box.position"], runs[1]["box.position"], atol=SAME)
    assert abs(runs[0].events[-1].time - 1.2 / (0.3 * G)) < SAME
    assert forces(runs[0]) == pytest.approx(G, rel=SAME)


def test_a_box_drops_on_its_corner_as_on_a_plane():
    """Through impacts with friction, until corners of it would pass the edges of the box below."""
    box = dict(orientation=((1, 2, 0.5), 0.7), position=(0, 0, 0.5), angular_velocity=(0.2, -0.1, 0.3))
    runs = [
        mk.simulate(make(stack(**box), friction=0.3, restitution=0.5), 0.5, every=0.05) for make in (on_box, on_plane)
    ]
    assert len(runs[0].events) == len(runs[1].events) > 1
    np.testing.assert_allclose([e.time for e in runs[0].events], [e.time for e in runs[1].events], atol=SAME)
    np.testing.assert_allclose(runs[0]["box.position"], runs[1]["box.position"], atol=10 * SAME)


# ---------------------------------------------------------------- edges of faces


@pytest.mark.thinned("planar")
@pytest.mark.parametrize("planar", [None, "xz"])
def test_a_box_slides_over_the_edge_and_tips(planar):
    """It slides on as if the face had no end, x = x₀ + v t − μ g t²/2, on its rear corners and on the edge, until its weight and
    friction, at half its height, pass the edge: x = 1/2 − μ h/2."""
    s = on_box(stack(planar, velocity=(1.6, 0, 0), position=(0.2, 0, 0.1)), friction=0.3)
    way = 0.5 - 0.3 * 0.1 - 0.2
    tips = (1.6 - np.sqrt(1.6**2 - 2 * 0.3 * G * way)) / (0.3 * G)
    run = mk.simulate(s, 0.3, every=0.01, step=0.01)
    before = run.t < tips
    want = 0.2 + 1.6 * run.t - 0.5 * 0.3 * G * run.t**2
    np.testing.assert_allclose(run["box.position"].values[before, 0], want[before], atol=SAME)
    np.testing.assert_allclose(run["box.position"].values[before, 2], 0.1, atol=SAME)
    assert (
        min(abs(line.time - tips) for line in run.events) < 1e-6
    )  # faces are larger by 1e-5 of the box, so that none is missed
    assert run["box.position"].values[-1, 2] < 0.0999
    assert run.health.ok


def test_boxes_turned_on_each_other_touch_where_edges_cross():
    """Two equal squares, one turned by 45°: their common area is an octagon, and no corner lies in it."""
    s = mk.System("octagon")
    s.body("low", mass=1, shape=mk.Box(0.4, 0.4, 0.1), position=(0, 0, 0.05))
    s.weld("base", s.ground, "low", at=(0, 0, 0))
    s.body("box", mass=2, shape=mk.Box(0.4, 0.4, 0.1), position=(0, 0, 0.15), orientation=("z", "45 deg"))
    s.contact("it", "box", "low", friction=0.4)
    rest = mk.equilibrium(s)
    assert len(rest.contacts) == 8
    np.testing.assert_allclose([one.normal for one in rest.contacts.values()], 2 * G / 8, rtol=1e-9)
    run = mk.simulate(s, 0.2, step=0.02)
    np.testing.assert_allclose(run["box.position"][-1], (0, 0, 0.15), atol=1e-12)


@pytest.mark.parametrize(
    "planar, offset, holds",
    [
        ("xz", 0.0, True),
        ("xz", 0.19, True),
        ("xz", 0.21, False),
        pytest.param(None, 0.0, True, marks=pytest.mark.exhaustive),
        (None, 0.21, False),
    ],
)
def test_equal_boxes_stand_on_each_other(planar, offset, holds):
    """Edges may coincide. The upper one stays while its mass centre is above the lower one; that carries both weights."""
    s = mk.System("pile", planar=planar) if planar else mk.System("pile")
    s.body("one", mass=3, shape=mk.Box(0.4, 0.4, 0.2), position=(0, 0, 0.1))
    s.body("two", mass=2, shape=mk.Box(0.4, 0.4, 0.2), position=(offset, 0, 0.3))
    s.contact("floor", "one", (s.ground, mk.Plane()), friction=0.5)
    s.contact("it", "two", "one", friction=0.5)
    run = mk.simulate(s, 0.1, step=0.01)
    stays = np.abs(run["two.position"][-1] - (offset, 0, 0.3)).max() < 1e-10
    assert stays == holds
    if holds:
        assert forces(run) == pytest.approx(2 * G, rel=1e-9) and forces(run, "floor") == pytest.approx(5 * G, rel=1e-9)
        rest = mk.equilibrium(s)
        total = lambda law: sum(one.normal for name, one in rest.contacts.items() if name.startswith(law))
        assert total("it") == pytest.approx(2 * G, rel=1e-9) and total("floor") == pytest.approx(5 * G, rel=1e-9)


def test_a_box_that_does_not_lie_in_the_plane_is_refused():
    s = mk.System("plane", planar="xz")
    s.body("one", mass=1, inertia=1, shape=mk.Box(1, 1, 1))
    s.body("two", mass=1, inertia=1, position=(0, 0, 3))
    s.contact("it", ("two", mk.Box(1, 1, 1, orientation=("x", 0.3))), "one")
    with pytest.raises(mk.ModelError, match="does not lie in the plane of the model"):
        mk.simulate(s, 0.1)


@pytest.mark.parametrize("planar, number", [(None, 32), ("xz", 8)])
def test_all_points_have_names(planar, number):
    s = on_box(stack(planar))
    assert s.contact_laws["it"].ids(s) == [f"it.{k}" for k in range(1, number + 1)]
