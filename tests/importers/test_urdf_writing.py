"""Systems written as URDF and read again. Oracle: the system itself: mass matrix and bias forces at random states, by two
descriptions of one mechanism, to round-off; the list of what the file cannot hold is read, too."""

import numpy as np
import pytest
from meshes import TETRAHEDRON, write_stl
from robots import random_robot
from scipy.spatial.transform import Rotation

import mekane as mk
from mekane.errors import ModelError
from mekane.importers.urdf.robot import rotation_from_rpy
from mekane.importers.urdf.write import rpy_from_rotation


def again(system, folder, **options):
    left_out = mk.save_model(system, folder / "robot.urdf")
    return mk.load_model(folder / "robot.urdf", **options), left_out


def assert_same_motion(one, other, renamed=None):
    """M and bias to 1e-12 of their largest entries: rotations pass through roll, pitch and yaw, at round-off each."""
    renamed = renamed or {}
    order = [other.coordinates.index(renamed.get(name, name)) for name in one.coordinates]
    assert len(order) == len(other.coordinates)
    generator = np.random.default_rng(7)
    for _ in range(10):
        q, u = generator.uniform(-1, 1, len(order)), generator.uniform(-2, 2, len(order))
        Q, v = np.zeros(len(order)), np.zeros(len(order))
        Q[order], v[order] = q, u
        M, bias = one.mass_matrix(q), one.bias_forces(q, u)
        assert np.abs(other.mass_matrix(Q)[np.ix_(order, order)] - M).max() <= 1e-12 * np.abs(M).max()
        assert np.abs(other.bias_forces(Q, v)[order] - bias).max() <= 1e-12 * np.abs(bias).max()


@pytest.mark.parametrize("seed", range(3))
def test_a_robot_that_was_read_is_written_as_it_was(seed, tmp_path):
    s = mk.load_model(random_robot(seed))
    new, _ = again(s, tmp_path)
    assert list(new.bodies) == list(s.bodies) and set(new.joints) == set(s.joints)
    assert_same_motion(s, new)


def chain():
    """Joints of most kinds, with points and axes anywhere on the bodies, one of them the other way round."""
    generator, s = np.random.default_rng(2), mk.System("chain")
    for name in "abcde":
        s.body(
            name, mass=generator.uniform(1, 2), inertia=(0.2, 0.3, 0.4, 0.01, 0.02, 0.03), com=generator.uniform(-0.1, 0.1, 3),
            position=generator.uniform(-1, 1, 3), orientation=Rotation.random(random_state=len(name)).as_matrix(),
        )  # fmt: skip
    s.pin("ga", s.ground, "a", at=(0.1, 0.2, 0.3), axis=(1, 2, 3))
    s.universal("ab", "a", "b", at=(0.3, 0.1, 0), axis="x", axis2="y")
    s.slider("cb", "c", "b", axis=(0, 1, 1))
    s.pin_slider("bd", "b", "d", at=(0, 0.5, 0), axis="z")
    s.planar("ce", "c", "e", at=(0, 0, 0.2), normal=(1, 0, 1))
    s.torsional_damper("oil", "ga", damping=0.3)
    s.sliding_damper("grease", "cb", damping=0.7)
    return s


def test_joints_of_all_kinds_anywhere_on_their_bodies(tmp_path):
    """A universal joint, a pin-slider and a planar joint become two or three joints with massless links between."""
    s = chain()
    new, left_out = again(s, tmp_path)
    renamed = {
        "ab.angle": "ab 1.angle",
        "ab.angle2": "ab 2.angle",
        "bd.displacement": "bd 1.displacement",
        "bd.angle": "bd 2.angle",
    }
    renamed |= {"ce.x": "ce 1.displacement", "ce.y": "ce 2.displacement", "ce.angle": "ce 3.angle"}
    assert_same_motion(s, new, renamed)
    assert any("the frame of body 'a'" in one for one in left_out)


def test_laws_of_joints_are_written(tmp_path):
    s = mk.System("arm")
    s.body(
        "arm",
        mass=1,
        inertia=(0.1, 0.1, 0.1),
        com=(0, 0, -0.3),
        shape=mk.Cylinder(0.05, 0.6, axis="x", at=(0, 0, -0.3)),
    )
    s.body("hand", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.6))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
    s.pin("wrist", "arm", "hand", at=(0, 0, -0.6), axis="y")
    s.limit("stop", "hinge", lower=-1, upper=2, restitution=0.5)
    s.dry_friction("rub", "hinge", torque=0.4)
    s.coupler("gear", "wrist", to="-2*hinge.angle + 0.25")
    s.motor("drive", "hinge", torque="sin(t)")
    s.gravity = (0, -9.81, 0)
    new, left_out = again(s, tmp_path)
    limit, gear = new.contact_laws["hinge limit"], new.constraints["wrist mimic"]
    assert (limit.lower.given, limit.upper.given) == (-1.0, 2.0) and new.contact_laws[
        "hinge friction"
    ].torque.given == 0.4
    assert gear.to.text == '-2.0*state["hinge.angle"] + 0.25'
    assert (
        np.allclose(new.bodies["arm"].shape.R_BS[:, 2], [1, 0, 0])
        and not new.constraints["wrist mimic"].joint == "hinge"
    )
    text = "\n".join(left_out)
    for what in ("motor 'drive'", "restitution of limit 'stop'", "gravity 0.0 -9.81 0.0"):
        assert what in text and what in (tmp_path / "robot.urdf").read_text(encoding="utf-8")


def test_a_coupler_that_is_not_linear_is_listed(tmp_path):
    s = chain()
    s.coupler("cam", "cb", to="0.1*floor(ga.angle) + ga.angle")
    _, left_out = again(s, tmp_path)
    assert "not in the file: coupler 'cam'." in left_out


def four_bar(extra):
    """Hung up with points of its bodies anywhere, closed by a pin or by a distance."""
    s = mk.System("four-bar")
    for name, position in (("crank", (0, 0, 0.1)), ("rod", (0.4, 0, 0.3)), ("rocker", (0.8, 0, 0.2))):
        s.body(name, mass=1, inertia=(0.02, 0.02, 0.02), position=position, orientation=("y", "20 deg"))
    s.pin("A", s.ground, "crank", at=(0, 0, 0), axis="y")
    s.pin("B", "crank", "rod", at=(0, 0, 0.3), axis="y")
    s.pin("D", s.ground, "rocker", at=(0.9, 0, 0), axis="y")
    if extra == "pin":
        s.pin("C", "rocker", "rod", at=(0.8, 0, 0.4), axis="y")
    else:
        s.distance("C", ("rod", (0.1, 0, 0.1)), ("rocker", (0, 0, 0.1)))
    return s


@pytest.mark.parametrize("extra", ["pin", "distance"])
def test_loops_go_to_the_file_beside(extra, tmp_path):
    """Oracle: the system itself, from rest; both runs have the default tolerance of 1e-9, angles are of order one."""
    s = four_bar(extra)
    new, left_out = again(s, tmp_path)
    assert any("what closes loops" in one for one in left_out)
    assert mk.mobility(new).freedom == mk.mobility(s).freedom
    one, other = mk.simulate(s, 0.4), mk.simulate(new, 0.4)
    for joint in "ABD":
        assert np.abs(one[f"{joint}.angle"].values - other[f"{joint}.angle"].values).max() < 1e-8
    assert np.ptp(one["A.angle"].values) > 0.3


def test_a_plane_is_listed(tmp_path):
    s = mk.System(planar="xy")
    s.body("disc", mass=1, inertia=1)
    _, left_out = again(s, tmp_path)
    assert "not in the file: that everything moves in the plane xy." in left_out


def test_a_free_body_is_floating(tmp_path):
    s = mk.System()
    s.body("ball", mass=2, inertia=(0.1, 0.1, 0.1))
    new, _ = again(s, tmp_path)
    assert [joint.kind for joint in new.joints.values()] == ["weld", "free"]
    assert new.mass_matrix(new.initial_state()[0]) == pytest.approx(np.diag([2, 2, 2, 0.1, 0.1, 0.1]), abs=1e-15)


def test_what_urdf_does_not_have_is_refused(tmp_path):
    s = mk.System()
    s.body("nut", mass=1, inertia=(1, 1, 1))
    s.screw("thread", s.ground, "nut", pitch="5 mm", at=(0, 0, 0), axis="z")
    with pytest.raises(ModelError, match="'thread': it is a screw"):
        mk.save_model(s, tmp_path / "nut.urdf")
    assert not (tmp_path / "nut.urdf").exists()
    with pytest.raises(ModelError, match="it has no bodies"):
        mk.save_model(mk.System(), tmp_path / "nothing.urdf")


@pytest.mark.parametrize("pitch", [0.3, np.pi / 2, -np.pi / 2, 1.5707963, np.pi])
def test_roll_pitch_yaw_and_back(pitch):
    """Also where the pitch is 90° and yaw and roll are not unique. 4e-16: round-off of three products of rotations."""
    for roll, yaw in np.random.default_rng(0).uniform(-3, 3, (20, 2)):
        R = rotation_from_rpy(roll, pitch, yaw)
        assert np.abs(rotation_from_rpy(*rpy_from_rotation(R)) - R).max() <= 1e-15
        assert np.abs(Rotation.from_euler("xyz", [roll, pitch, yaw]).as_matrix() - R).max() <= 1e-15


def test_meshes_and_colours_are_written(tmp_path):
    """What is read again is what was there: the look, its colours, and the shape that touches."""
    file = write_stl(tmp_path / "part.stl", TETRAHEDRON)
    s = mk.System("arm")
    drawn = [mk.Mesh(file, (0.1, -0.2, 0.1), color="#336699"), mk.Box(1, 2, 3, at=(0, 0, 1), color="#112233")]
    s.body("arm", mass=1, inertia=(0.1, 0.1, 0.1), shape=mk.Sphere(0.2), look=drawn)
    s.weld("base", s.ground, "arm")
    new, left_out = again(s, tmp_path)
    assert new.bodies["arm"].shape == s.bodies["arm"].shape and new.bodies["arm"].look == s.bodies["arm"].look
    assert 'filename="part.stl"' in (tmp_path / "robot.urdf").read_text() and "shape" not in "".join(left_out)
