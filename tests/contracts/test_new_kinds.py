"""A kind is one file: what other packages know of it they read from its class. Oracle: kinds that are defined here and
nowhere else, and the kind of Mekane that each of them is like."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

import mekane as mk
from mekane.analyses.inverse_dynamics.actuators import default_actuators
from mekane.analyses.kinematics.dead_points import dead_centre_descriptions
from mekane.compiler.compiler import compile_system
from mekane.importers.yaml import dumps, load
from mekane.model.constraint import (
    Constraint,
    End,
    constraint_kinds,
    coordinate,
    direction,
    end,
    number,
    position,
    value,
)
from mekane.model.force import Axial, Force, JointCoordinate, force_kinds, given
from mekane.model.geometry.shapes import SHAPES, Shape
from mekane.model.geometry.solid import placed, wheel
from mekane.model.joint import (
    FX,
    FY,
    FZ,
    MX,
    MY,
    MZ,
    Joint,
    X,
    Z,
    along,
    joint_kinds,
    perpendicular,
    rotated,
    rotation,
    shift,
    translation,
)
from mekane.model.joint import number as joint_number
from mekane.model.system import System
from mekane.model.values.values import Value
from mekane.view.scene.scene import scene
from mekane.view.studio.sliders import sliders


@pytest.fixture(scope="module", autouse=True)
def new_kinds():
    """The kinds of this file, which are taken away again."""

    class TestSlot(Joint):
        """A pin in a slot: slides along x of F and turns about z."""

        coordinates = ("shift", "angle")
        geometry = ("at", "axis")
        play: float = joint_number("length")

        def primitives(self):
            return [translation(X), rotation(Z)]

        def rows(self):
            return [along(FY), along(FZ), perpendicular(FZ, MX), perpendicular(FZ, MY)]

        def measures(self):
            return [shift("shift", FX), rotated("angle", FZ, MX, FX, FY)]

    class TestHinge(Joint):
        """A pin about x of F and M."""

        coordinates = ("angle",)
        geometry = ("at", "axis")

        def primitives(self):
            return [rotation(X)]

        def rows(self):
            return [along(FX), along(FY), along(FZ), perpendicular(FX, MY), perpendicular(FX, MZ)]

        def measures(self):
            return [rotated("angle", FX, MY, FY, FZ)]

    class TestMuscle(Force):
        """A drive between two points."""

        between = Axial
        is_drive = is_actuator = True
        appearance = "actuator"
        pull: Value = given("force")

        def law(self, L, Ld):
            return self.pull

    class TestServo(Force):
        """Elastic, on a coordinate."""

        between = JointCoordinate
        stiffness: Value = given({"angle": "angular_stiffness", "length": "stiffness"})

        def law(self, q, u):
            return -self.stiffness * q

    class TestCam(Constraint):
        """A joint coordinate that is given, and a wheel on its body b."""

        is_drive = True
        at: JointCoordinate = coordinate()
        lift: Value = value(None)
        follower: End = end()
        radius: float = number("length", above_zero=True)
        axis: tuple = direction("y", frame="follower")

        @property
        def prescribes(self):
            return self.at

        def equations(self, k):
            return [position(k.coordinate(self.at) - self.lift)]

        def solids(self, system):
            yield self.follower.body, wheel(self.radius, 0.1 * self.radius, self.follower.point, self.axis)

    yield
    for kind in ("test_slot", "test_hinge"):
        del joint_kinds[kind]
        delattr(System, kind)
    for kind in ("test_muscle", "test_servo"):
        del force_kinds[kind]
        delattr(System, kind)
    del constraint_kinds["test_cam"]
    delattr(System, "test_cam")


MODEL = """
system: new kinds
planar: zx
bodies:
  arm: {mass: 1, inertia: 0.1, position: [0, 0, -1]}
  block: {mass: 2, inertia: 0.1, position: [0.5, 0, -2]}
joints:
  elbow: {test_slot: [arm, block], at: [0.5, 0, -2], axis: y, play: 1 mm}
  shoulder: {pin: [ground, arm], at: [0, 0, 0], axis: y}
constraints:
  drive: {test_cam: shoulder, lift: 0.1*sin(3*t), follower: [arm, [0, 0, 0.5]], axis: y, radius: 10 cm}
forces:
  biceps: {test_muscle: [[ground, [1, 0, 0]], [block, [0, 0, 0]]], pull: 5 N}
  tendon: {test_servo: elbow, coordinate: angle, stiffness: 3}
"""


def test_model_file_round_trip():
    s = load(MODEL)
    assert [one.kind for one in s.joints.values()] == ["test_slot", "pin"]
    assert load(dumps(s)).to_dict() == s.to_dict() and dumps(load(dumps(s))) == dumps(s)


def test_planar_model_keeps_its_rows_in_the_plane():
    """A slot takes one freedom of three in the plane; across the plane its other three rows repeat what is given."""
    s = load(MODEL)
    assert len(compile_system(s, "absolute").pairs.rows_of["elbow"]) == 1
    s = mk.System(planar="zx")
    for k in (0, 1):
        s.body(f"b{k}", 1.0, 0.1, position=(0, 0, -1.0 - k))
    s.test_slot("tilted", "b0", "b1", at=(0, 0, -1.5), axis="x", play=0.0)
    with pytest.raises(mk.ModelError, match="it must be along the normal of the zx plane"):
        compile_system(s, "absolute")
    s = mk.System(planar="zx")
    s.body("b", 1.0, 0.1)
    s.ball("ball", s.ground, "b", at=(0, 0, 0))
    with pytest.raises(
        mk.ModelError, match="Use pin, planar, slider, weld, test_slot, test_hinge, or leave out planar="
    ):
        compile_system(s, "absolute")


@pytest.mark.parametrize(
    "kind, axes",
    [
        ("pin", [(Z, 1.0)]), ("slider", [(Z, 0.0)]), ("weld", []), ("planar", 3), ("pin_slider", None), ("ball", None), ("free", None),
        ("universal", None), ("screw", None), ("test_slot", [(Z, 1.0), (X, 0.0)]), ("test_hinge", [(X, 1.0)]),
    ],
)  # fmt: skip
def test_what_moves_in_a_plane(kind, axes):
    """Pin, slider, planar and weld, and what is made of rotations about one axis and translations across it."""
    found = joint_kinds[kind].specimen().plane_axes()
    assert found == axes or (isinstance(axes, int) and len(found) == axes)


@pytest.mark.parametrize("kind", sorted(joint_kinds))
def test_facts_of_joints_as_they_were_listed(kind):
    """The lists that the analyses had of Mekane's own kinds."""
    joint = joint_kinds[kind].specimen()
    assert joint.is_pivot == (kind in ("pin", "ball", "universal", "pin_slider"))
    assert (joint.hinge_axis is not None) == (kind == "pin") and (joint.slide_axis is not None) == (kind == "slider")


def test_scene_draws_it():
    drawn = scene(load(MODEL))
    elbow = drawn.joints[0]
    assert elbow.kind == "test_slot" and elbow.glyph and elbow.translations == 1
    assert [force.look for force in drawn.forces] == ["actuator", "spiral"]
    (disc,) = [solid for solid in drawn.bodies[0].solids if solid.kind == "disc"]
    assert disc.size == pytest.approx((0.1, 0.01)) and disc.position == (0, 0, 0.5)
    assert drawn.constraints[0].directions == ({"word": "axis", "body": 0, "direction": (0.0, 1.0, 0.0)},)


def test_gimbal_of_a_new_hinge_is_a_ring():
    """As two pins make it."""
    s = mk.System()
    ring, wheel = s.body("ring", 1.0, (1, 1, 1)), s.body("wheel", 1.0, shape=mk.Cylinder(0.3, 0.1))
    s.test_hinge("outer", s.ground, ring, at=(0, 0, 0), axis="x")
    s.test_hinge("inner", ring, wheel, at=(0, 0, 0), axis="z")
    assert [solid.kind for solid in scene(s).bodies[0].solids] == ["ring"]


def test_sliders_of_the_studio():
    found = {(slider.group, slider.name) for slider in sliders(MODEL)}
    assert ("drives", "biceps.pull") in found and ("forces", "tendon.stiffness") in found
    assert ("drives", "drive.lift: [0.1]*sin(3*t)") in found


def test_dead_centre_names_the_new_joint():
    """Three hinges on one line, as three pins would be: shoulder, elbow, wrist along z."""
    s = mk.System()
    for k in range(2):
        s.body(f"link{k}", 1.0, (1, 1, 1), position=(0, 0, -0.5 - k))
    s.test_hinge("a", s.ground, "link0", at=(0, 0, 0), axis="z")
    s.test_hinge("b", "link0", "link1", at=(0, 0, -1), axis="z")
    s.test_hinge("c", "link1", s.ground, at=(0, 0, -2), axis="z")
    bodies = {"ground": s.ground, **s.bodies}
    poses = SimpleNamespace(R={n: b.R_NB for n, b in bodies.items()}, p={n: b.position for n, b in bodies.items()})
    assert "'a', 'b' and 'c' are on one line" in dead_centre_descriptions(s, poses)


def test_inverse_dynamics_finds_what_drives():
    assert [one.name for one in default_actuators(load(MODEL), ())] == ["biceps", "drive"]


def test_unknown_appearance_is_refused():
    with pytest.raises(TypeError, match="one of spring, damper"):

        class TestGlow(Force):
            between, appearance = Axial, "glow"


def test_new_shape_is_a_class():
    try:

        @dataclass(frozen=True, eq=False)
        class TestCube(Shape):
            edge: float

            volume = property(lambda self: self.edge**3)
            gyration = property(lambda self: (self.edge**2 / 6,) * 3)

            def solid(self, thin):
                return placed("box", (self.edge,) * 3, self.at, self.R_BS)

        s = load("bodies: {die: {shape: {test_cube: 2 cm}, density: 1000}}\n")
        assert s.bodies["die"].mass == pytest.approx(8e-3) and load(dumps(s)).to_dict() == s.to_dict()
        assert scene(s).bodies[0].solids[0].size == (0.02,) * 3
    finally:
        SHAPES.pop("test_cube", None)
