"""Locks that close where they are: lock=…, at="its present position"."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mekane as mk
from mekane.errors import ModelError

FORMULATIONS = ["joint", "absolute", "relative", "bryan", "mixed"]
everywhere = pytest.mark.parametrize("constraints", ["multipliers", "embedded"])


def two_bodies(kind="weld", **joint):
    """Two bodies fly past each other and are joined where they are."""
    s = mk.System(gravity=(0, 0, 0))
    s.body(
        "a",
        mass=2.0,
        inertia=(0.3, 0.4, 0.5),
        position=(0, 0, 0),
        velocity=(1, 0, 0),
        angular_velocity=(0.2, 0.5, -0.3),
    )
    s.body(
        "b",
        mass=1.0,
        inertia=(0.1, 0.3, 0.2),
        position=(1, 0.4, 0),
        velocity=(-1, 0.5, 0.2),
        angular_velocity=(1, -2, 0.7),
    )
    getattr(s, kind)("grip", "a", "b", at=(0.5, 0.2, 0), active=False, **joint)
    s.event("grab", when="t >= 0.3", lock="grip", at="its present position")
    return s


def axes(run, name, k):
    return Rotation.from_quat(run[f"{name}.orientation"].values[k]).as_matrix()


def relative_pose(run, k):
    R = {name: axes(run, name, k) for name in "ab"}
    p = {name: run[f"{name}.position"].values[k] for name in "ab"}
    return R["a"].T @ R["b"], R["a"].T @ (p["b"] - p["a"])


def inertia_in_world(run, name, k, principal):
    R = axes(run, name, k)
    return R @ np.diag(principal) @ R.T


@everywhere
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("code", ["loops", "specialised"])
def test_two_bodies_welded_in_flight(formulation, constraints, code):
    """Oracle: one rigid body with the momentum and the angular momentum of both about the common mass centre. Nothing in it
    is integrated: 1e-11 is what poses at the event are known to at this tolerance."""
    options = dict(formulation=formulation, constraints=constraints, code=code, rtol=1e-12, atol=1e-13)
    run = mk.simulate(two_bodies(), 1.0, every=[0.3 - 1e-9, 0.3, 0.6, 1.0], **options)
    before, after = 0, 1
    value = lambda name, k: run[name].values[k]
    m = {"a": 2.0, "b": 1.0}
    P = sum(m[x] * value(f"{x}.velocity", before) for x in "ab")
    p_C = sum(m[x] * value(f"{x}.position", after) for x in "ab") / 3.0
    J, H = np.zeros((3, 3)), np.zeros(3)
    for x, principal in (("a", (0.3, 0.4, 0.5)), ("b", (0.1, 0.3, 0.2))):
        r, I = value(f"{x}.position", after) - p_C, inertia_in_world(run, x, after, principal)
        J += I + m[x] * (r @ r * np.eye(3) - np.outer(r, r))
        H += I @ value(f"{x}.angular_velocity", before) + m[x] * np.cross(r, value(f"{x}.velocity", before))
    w = np.linalg.solve(J, H)
    for x in "ab":
        np.testing.assert_allclose(value(f"{x}.angular_velocity", after), w, rtol=0, atol=2e-8)  # 1e-9 s before
        v = P / 3.0 + np.cross(w, value(f"{x}.position", after) - p_C)
        np.testing.assert_allclose(value(f"{x}.velocity", after), v, rtol=0, atol=2e-8)
    for k in (2, 3):
        for found, expected in zip(relative_pose(run, k), relative_pose(run, after), strict=True):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
    assert run.health.ok, run.health


@pytest.mark.parametrize(
    ("kind", "options", "free"),
    [
        ("pin", dict(axis=(0, 0, 1)), ["angle"]),
        ("slider", dict(axis=(0, 1, 0)), ["displacement"]),
        ("universal", dict(axis="x", axis2="y"), ["angle", "angle2"]),
        ("screw", dict(axis="y", pitch=0.1), ["angle"]),
        ("planar", dict(normal="z"), ["x", "y", "angle"]),
        ("ball", {}, []),
    ],
)
def test_free_coordinates_go_on(kind, options, free):
    """A joint that closes where it is keeps the values of the coordinates that it leaves free, and constrains the others
    to round-off. Two formulations agree on the motion after it."""
    runs = [
        mk.simulate(
            two_bodies(kind, **options), 0.8, every=[0.3 - 1e-9, 0.3, 0.8], formulation=name, rtol=1e-12, atol=1e-13
        )
        for name in ("joint", "absolute")
    ]
    for run in runs:
        for name in free:
            if kind != "screw":  # its angle is given by how far it has gone, which its lock changes
                values = run[f"grip.{name}"].values
                assert abs(values[1] - values[0]) < 1e-7, name
        assert run.health.ok, run.health
    for name in ("a.position", "b.position", "a.angular_velocity", "b.angular_velocity"):
        np.testing.assert_allclose(runs[0][name].values, runs[1][name].values, rtol=0, atol=1e-9)


def test_it_may_close_again_elsewhere():
    """Grabbed, let go, and grabbed elsewhere: each time the pose of that instant is kept."""
    s = two_bodies()
    s.event("let go", when="t >= 0.5", release="grip")
    s.event("push", when="t >= 0.5", impulse={"b": (0, 0.4, 0.1)})
    s.event("again", when="t >= 0.7", lock="grip", at="its present position")
    run = mk.simulate(s, 1.2, every=[0.3, 0.5, 0.7, 1.2], rtol=1e-12, atol=1e-13)
    poses = [relative_pose(run, k) for k in range(4)]
    for first, second in ((0, 1), (2, 3)):
        for found, expected in zip(poses[second], poses[first], strict=True):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
    assert np.abs(poses[2][1] - poses[0][1]).max() > 0.01


@everywhere
def test_a_distance_of_that_instant(constraints):
    """A rope of fixed length that is caught where it is: the distance is constant from then on, to round-off."""
    s = mk.System()
    s.body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.7, 0, -0.2), velocity=(1, 0, 0))
    s.distance("rope", s.ground, "ball", length=5.0, active=False)
    s.event("catch", when="t >= 0.2", lock="rope", at="its present position")
    run = mk.simulate(s, 1.0, every=[0.2, 0.5, 1.0], constraints=constraints, rtol=1e-11)
    length = np.linalg.norm(run["ball.position"].values, axis=1)
    np.testing.assert_allclose(length[1:], length[0], rtol=1e-13)
    x, z, v = 0.7 + 0.2, -0.2 - 9.81 * 0.02, (1.0, -9.81 * 0.2)  # free flight, then no speed along the rope
    e = np.array([x, z]) / np.hypot(x, z)
    np.testing.assert_allclose(run["ball.velocity"].values[0, [0, 2]], v - (v @ e) * e, atol=1e-10)
    assert length[0] == pytest.approx(np.hypot(x, z), abs=1e-12)


def test_joints_that_closed_elsewhere_are_taken_to_other_analyses():
    """The accelerations of the run are those of the system placed in its state."""
    run = mk.simulate(two_bodies(), 0.5, every=0.1, formulation="absolute")
    placed = run.state(0.5).system
    ud = placed.forward_dynamics(*placed.initial_state("absolute"), formulation="absolute")
    np.testing.assert_allclose(ud[:3], run["a.acceleration"].values[-1], atol=1e-9)  # the state is good to 1e-9


def test_equations_that_closed_elsewhere_are_not():
    s = mk.System()
    s.body("ball", mass=1.0, inertia=(1, 1, 1), position=(0.7, 0, -0.2))
    s.distance("rope", s.ground, "ball", length=5.0, active=False)
    s.event("catch", when="t >= 0.2", lock="rope", at="its present position")
    run = mk.simulate(s, 0.5, every=0.1)
    assert not run.state(0.1).system.constraints["rope"].active  # before it is caught, nothing has moved
    with pytest.raises(ModelError, match="locked at its present position"):
        mk.linearize(run.state(0.5).system)


def test_where_it_closed_is_no_quantity():
    run = mk.simulate(two_bodies(), 0.5)
    assert not [name for name in run.names() if "frame." in name]
    assert "grip.active: 0 → 1" in str(run.events)
