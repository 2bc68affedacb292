"""Positions by name, as assembly, kinematics and inverse kinematics speak of them: coordinates of joints, lengths,
points, orientations.

Each knows its value where the mechanism is, how it changes with the speeds (exactly), and its second rate in a motion.
"""

from dataclasses import dataclass

import numpy as np

from mekane.algebra.vector_arrays import cross
from mekane.errors import ModelError, did_you_mean
from mekane.model.attachments import Axial, JointCoordinate
from mekane.model.values.orientation import matrix_from, quaternion_from_matrix
from mekane.model.values.units import quantity, shown, vector
from mekane.results.labels import QUATERNION, XYZ

UNITS = {"angle": "rad", "length": "m"}


@dataclass(frozen=True)
class Coordinate:
    """A coordinate of a joint, or the length of a spring: one number that the kernels give by name."""

    name: str
    dimension: str
    winds: bool = False  # whole turns mean nothing
    labels = None

    @property
    def units(self):
        return UNITS[self.dimension]

    def read(self, given, part):
        return np.array([quantity(given, self.dimension, part, self.name)])

    def value(self, here):
        return here.scalar(self.name)

    def derivatives(self, here):
        return here.scalar_derivatives(self.name)[None]

    def rate(self, motion):
        return motion.first(f"{self.name}.rate")

    def second(self, motion):
        return motion.second(f"{self.name}.rate")

    def residual(self, here, value):
        """value − want, the shorter way round."""
        gap = self.value(here) - value
        return (gap + np.pi) % (2 * np.pi) - np.pi if self.winds else gap


@dataclass(frozen=True)
class Point:
    """A point fixed in a body, in world axes."""

    name: str
    body: str
    place: tuple = (0.0, 0.0, 0.0)
    dimension = "length"
    units = "m"
    labels = XYZ

    def read(self, given, part):
        return vector(given, "length", part, self.name)

    def arm(self, here):
        return here.R[self.body] @ np.array(self.place)

    def value(self, here):
        return here.vector(f"{self.body}.position") + self.arm(here)

    def derivatives(self, here):
        v, w = (
            here.vector_derivatives(f"{self.body}.velocity"),
            here.vector_derivatives(f"{self.body}.angular_velocity"),
        )
        return v + cross(w.T, self.arm(here)).T

    def rate(self, motion):
        w = motion.first_vector(f"{self.body}.angular_velocity")
        return motion.first_vector(f"{self.body}.velocity") + cross(w, self.arm(motion.here))

    def second(self, motion):
        w, alpha = (get(f"{self.body}.angular_velocity") for get in (motion.first_vector, motion.second_vector))
        arm = self.arm(motion.here)
        return motion.second_vector(f"{self.body}.velocity") + cross(alpha, arm) + cross(w, cross(w, arm))

    def residual(self, here, value):
        return self.value(here) - value


@dataclass(frozen=True)
class Attitude:
    """The orientation of a body. Its rate is the angular velocity, world axes."""

    name: str
    body: str
    dimension = "angle"
    units = "1"
    labels = QUATERNION

    def read(self, given, part):
        return matrix_from(given, part)

    def value(self, here):
        return quaternion_from_matrix(here.R[self.body])

    def derivatives(self, here):
        return here.vector_derivatives(f"{self.body}.angular_velocity")

    def rate(self, motion):
        return motion.first_vector(f"{self.body}.angular_velocity")

    def second(self, motion):
        return motion.second_vector(f"{self.body}.angular_velocity")

    def residual(self, here, value):
        """The turn that is too much, as a vector along its axis."""
        return rotation_vector(here.R[self.body] @ value.T)


@dataclass(frozen=True)
class Component:
    """One component of a point."""

    of: Point
    axis: int
    dimension = "length"
    units = "m"
    labels = None

    @property
    def name(self):
        return f"{self.of.name}.{XYZ[self.axis]}"

    def read(self, given, part):
        return np.array([quantity(given, "length", part, self.name)])

    def value(self, here):
        return self.of.value(here)[self.axis]

    def derivatives(self, here):
        return self.of.derivatives(here)[self.axis : self.axis + 1]

    def rate(self, motion):
        return self.of.rate(motion)[self.axis]

    def second(self, motion):
        return self.of.second(motion)[self.axis]

    def residual(self, here, value):
        return self.value(here) - value


def rotation_vector(R):
    """Axis times angle of a rotation, the angle at most π."""
    e = quaternion_from_matrix(R)
    e = e if e[3] >= 0 else -e
    sine = np.linalg.norm(e[:3])
    return 2.0 * e[:3] if sine < 1e-12 else 2.0 * np.arctan2(sine, e[3]) / sine * e[:3]


# ---------------------------------------------------------------- names


def coordinates_of_joint(joint):
    winding = {
        name
        for primitive, name in zip(joint.primitives(), joint.coordinates, strict=False)
        if primitive.kind == "rotation"
    }
    return [Coordinate(f"{joint.name}.{m.name}", m.dimension, m.name in winding) for m in joint.measures()]


def scalars(system):
    """All single numbers by name."""
    lengths = [name for name, force in system.forces.items() if isinstance(force.acts, Axial)]
    found = [one for joint in system.joints.values() for one in coordinates_of_joint(joint)]
    return {one.name: one for one in [*found, *(Coordinate(f"{name}.length", "length") for name in lengths)]}


def catalogue(system):
    """Every position with a name."""
    found = dict(scalars(system))
    for name, body in system.bodies.items():
        at_centre = Point(f"{name}.centre", name, tuple(body.com))
        found |= {
            one.name: one for one in (Point(f"{name}.position", name), Attitude(f"{name}.orientation", name), at_centre)
        }
    for name, joint in system.joints.items():
        if joint.b != "ground":
            found[f"{name}.point"] = Point(f"{name}.point", joint.b, tuple(joint.p_BM))
        elif joint.a != "ground":
            found[f"{name}.point"] = Point(f"{name}.point", joint.a, tuple(joint.p_AF))
    return found


def find(system, name, part):
    """The position of that name. A joint alone means its coordinate if it has one."""
    name = getattr(name, "name", name)
    if name in system.joints:
        place = JointCoordinate.read(system, part, name)
        name = f"{place.joint}.{place.coordinate}"
    known = catalogue(system)
    if name in known:
        return known[name]
    base, _, axis = str(name).rpartition(".")
    if axis in XYZ and isinstance(known.get(base), Point):
        return Component(known[base], XYZ.index(axis))
    raise unknown(system, name, known, part)


def unknown(system, name, known, part):
    owner = str(name).partition(".")[0]
    names = [one.partition(".")[2] for one in known if one.partition(".")[0] == owner]
    if names:
        expected = f"{owner!r} has {', '.join(names)}"
    else:
        expected = f"joints and bodies of this model: {', '.join([*system.joints, *system.bodies][:12])}"
    hint = did_you_mean(str(name), [*known, *system.joints]).strip()
    return ModelError(part, f"there is no position {shown(name)}", expected, hint)
