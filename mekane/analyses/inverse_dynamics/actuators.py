"""Actuators: the forces whose laws are left open, by name, so that a motion can determine them.

    "shoulder", "slider.shift"        coordinates of joints: a motor is added (a motion prescribed there gives way to
    it) "wrist.torque.x", "wrist.torque"  across a joint that turns in every direction: about a world axis, on b, the
    opposite on a "motor", "thrust.x"               forces of the model: their laws are replaced; forces with
    components, each of them or one "drive"                           a prescribed motion: it gives way to a motor
    "stone.force", "stone.torque.z"   a body as a whole: a force at its origin, a torque, world axes

All of them are ordinary forces, so that they are the same in every formulation.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from mekane.errors import ModelError, did_you_mean
from mekane.expressions.graph import symbol
from mekane.forces.axial_law import AxialLaw
from mekane.forces.force import AppliedForce
from mekane.forces.motor import Motor
from mekane.forces.torque import Torque
from mekane.model.attachments import (
    AtPoint,
    Axial,
    BetweenCoordinates,
    BetweenFrames,
    Couple,
    JointCoordinate,
    RotationCoordinate,
)
from mekane.model.names import own_measures
from mekane.model.plane import PLANES
from mekane.model.values.values import Value, read_value
from mekane.results.labels import XYZ

UNITS = {"force": "N", "torque": "N m"}


class Actuator(NamedTuple):
    """One number that may be chosen at every instant."""

    name: str
    units: str
    put: Callable  # (system, Value): make the system's force this value
    group: str  # what several components are called together; its own name if it stands alone

    @property
    def answers_to(self):
        """Its own name, that of its group, and that of the joint, body or force it belongs to."""
        return self.name, self.group, self.name.split(".")[0]


def variant(system):
    """A copy of a system, ready for actuators."""
    other = system.copied()
    other.own_speeds = {}
    other.added = {}  # group of an actuator → name of the force that was added for it
    return other


def with_parameters(system, actuators):
    """The system with every actuator as a parameter that is zero; they are its last parameters, in order."""
    other = variant(system)
    for k, actuator in enumerate(actuators, 1):
        name = free_name(f"actuator{k}", other.parameters)
        other.parameters[name] = 0.0
        actuator.put(other, Value(name, symbol(name)))
    return other


def with_laws(system, actuators, laws):
    """The system with every actuator as given: numbers, expressions or tables."""
    other = variant(system)
    for actuator, law in zip(actuators, laws, strict=True):
        actuator.put(other, read_value(law))
    return other


def free_name(name, taken):
    while name in taken:
        name += "_"
    return name


# ---------------------------------------------------------------- by name


def find_actuators(system, given):
    """The actuators of these names; a name may stand for several."""
    if isinstance(given, str) or hasattr(given, "name"):
        given = [given]
    found = [actuator for name in given for actuator in named(system, getattr(name, "name", name))]
    names = [actuator.name for actuator in found]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(
                "actuators", f"{name!r} is named more than once", "each force is one unknown", "Name it once."
            )
    if not found:
        raise ModelError(
            "actuators",
            "none is named",
            "the motion needs something that drives it",
            'Write actuators=["shoulder", …].',
        )
    return found


def named(system, name):
    whole, _, kind = str(name).partition(".")
    kind, _, axis = kind.partition(".")
    if name in system.forces:
        return of_force(system.forces[name])
    if whole in system.forces and kind in XYZ and not axis:
        return [one for one in of_force(system.forces[whole]) if one.name == name] or unknown(system, name)
    if name in prescribed_coordinates(system):
        return [of_coordinate(prescribed_coordinates(system)[name], name)]
    if whole in system.joints:
        found = of_joint(system, system.joints[whole])
    elif whole in system.bodies:
        found = of_body(system, system.bodies[whole])
    else:
        return unknown(system, name)
    return [one for one in found if name in one.answers_to] or unknown(system, name)


def prescribed_coordinates(system):
    """Joint coordinates whose motion is prescribed, by the names of the constraints that do it."""
    return {name: one.prescribes for name, one in system.constraints.items() if one.prescribes is not None}


def known_names(system):
    """Everything that can be named, whole things first."""
    forces = [
        one.name
        for force in system.forces.values()
        if not isinstance(force.acts, BetweenFrames | BetweenCoordinates)
        for one in of_force(force)
    ]
    joints = [one.name for joint in system.joints.values() for one in of_joint(system, joint)]
    bodies = [one.name for body in system.bodies.values() for one in of_body(system, body)]
    return [*system.joints, *system.forces, *prescribed_coordinates(system), *joints, *forces, *bodies]


def unknown(system, name):
    options = known_names(system)
    shown = [*system.joints, *system.forces] or list(system.bodies)
    expected = (
        f"coordinates of joints and forces are expected: {', '.join(shown[:12])}{' …' if len(shown) > 12 else ''}"
    )
    raise ModelError(
        "actuators",
        f"there is nothing called {name!r} that can drive",
        expected,
        did_you_mean(str(name), options).strip(),
    )


def default_actuators(system, cut):
    """Where the motion does not say what is driven: motors and prescribed motions, else all that can move in a tree."""
    motors = [name for name, force in system.forces.items() if force.is_actuator]
    if motors or prescribed_coordinates(system):
        return find_actuators(system, [*motors, *prescribed_coordinates(system)])
    if cut or system.constraints:
        problem, remedy = (
            "none is named, and the model has no motors",
            'Write actuators=["crank"], names of joints or forces.',
        )
        raise ModelError("actuators", problem, "with loops or constraints, the actuators must be named", remedy)
    return find_actuators(
        system, [*(name for name, joint in system.joints.items() if of_joint(system, joint)), *roots(system)]
    )


def roots(system):
    """Bodies that hang on nothing: alone, or with their children."""
    from mekane.formulations.joint import tree

    return [link.body for link in tree(system)[0] if link.joint is None]


# ---------------------------------------------------------------- what they are


def of_joint(system, joint):
    coordinates = [measure.name for measure in own_measures(joint)]
    found = [
        of_coordinate(JointCoordinate.read(system, "actuators", joint.name, coordinate)) for coordinate in coordinates
    ]
    if any(primitive.kind == "quaternion" for primitive in joint.primitives()):
        group = f"{joint.name}.torque"
        found += [
            Actuator(f"{group}.{axis}", "N m", across(joint, group, axis), group)
            for axis in axes_in_use(system, "torque")
        ]
    return found


def of_coordinate(place, name=None):
    """A motor on a coordinate of a joint, in place of motions prescribed there."""
    name = name or f"{place.joint}.{place.coordinate}"
    kind = "torque" if isinstance(place, RotationCoordinate) else "force"

    def put(other, value):
        for other_name, constraint in list(other.constraints.items()):
            if constraint.prescribes == place:
                del other.constraints[other_name]
        other.added[name] = added = added_name(other, name)
        other.forces[added] = Motor(added, place, **{kind: value})

    return Actuator(name, UNITS[kind], put, name)


def of_body(system, body):
    found = []
    for kind in ("force", "torque"):
        place = AtPoint(body.name, (0.0, 0.0, 0.0), "world") if kind == "force" else Couple(body.name, "world")
        group = f"{body.name}.{kind}"
        found += [
            Actuator(f"{group}.{axis}", UNITS[kind], pushing(group, place, axis), group)
            for axis in axes_in_use(system, kind)
        ]
    return found


def pushing(group, place, axis):
    return lambda other, value: push(other, group, place, axis, value)


def of_force(force):
    """A force of the model with its law left open."""
    name, place = force.name, force.acts
    if force.adds_inertia:
        raise ModelError("actuators", f"{force.part} is an inertia", "an actuator is a force", f"Name {place.joint!r}.")
    if isinstance(place, BetweenCoordinates):
        problem, expected = f"{force.part} acts on two coordinates", "an actuator acts on one"
        raise ModelError("actuators", problem, expected, f"Name {place.a.joint!r} or {place.b.joint!r}.")
    if isinstance(place, BetweenFrames):
        problem, expected = (
            f"{force.part} has six components",
            "an actuator is a force along a line, on a coordinate, or on a body",
        )
        raise ModelError("actuators", problem, expected, "Name the forces that replace it.")
    if isinstance(place, JointCoordinate):
        kind = "torque" if isinstance(place, RotationCoordinate) else "force"
        return [
            Actuator(
                name,
                UNITS[kind],
                lambda other, value: other.forces.update({name: Motor(name, place, **{kind: value})}),
                name,
            )
        ]
    if isinstance(place, Axial):
        line = Axial(place.a, place.point_a, place.b, place.point_b)
        make = lambda value: AxialLaw(name, line, tension=value, potential=read_value(0.0))
        return [Actuator(name, "N", lambda other, value: other.forces.update({name: make(value)}), name)]
    kind = "force" if isinstance(place, AtPoint) else "torque"
    return [Actuator(f"{name}.{axis}", UNITS[kind], component_of(force, k), name) for k, axis in enumerate(XYZ)]


def component_of(force, k):
    """One component of a force or torque on a body; the other two stay as they are, if the law has them apart."""
    place = force.acts
    kind = AppliedForce if isinstance(place, AtPoint) else Torque
    plain = (
        AtPoint(place.body, place.point, place.frame) if isinstance(place, AtPoint) else Couple(place.body, place.frame)
    )

    def put(other, value):
        now = other.forces[force.name]
        if not isinstance(now, kind):  # its law gives all three at once
            now = kind(force.name, plain, value=(read_value(0.0),) * 3)
        other.forces[force.name] = replace(now, value=(*now.value[:k], value, *now.value[k + 1 :]))

    return put


def across(joint, group, axis):
    """A torque about a world axis on b, and the opposite on a."""

    def put(other, value):
        if joint.b != "ground":
            push(other, group, Couple(joint.b, "world"), axis, value)
        if joint.a != "ground":
            push(other, f"{group} on {joint.a}", Couple(joint.a, "world"), axis, read_value(-value.graph))

    return put


def push(other, group, place, axis, value):
    """One component of a force or torque, which is added when the first of them is."""
    if group not in other.added:
        other.added[group] = added_name(other, group)
    name, k = other.added[group], XYZ.index(axis)
    now = other.forces[name].value if name in other.forces else (read_value(0.0),) * 3
    kind = AppliedForce if isinstance(place, AtPoint) else Torque
    other.forces[name] = kind(name, place, value=(*now[:k], value, *now[k + 1 :]))


def added_name(other, name):
    """A name for a force that is added."""
    taken = [*other.forces, *other.joints, *other.bodies, *other.constraints, *other.parameters]
    return free_name(f"actuator {name.replace('.', ' ')}", taken)


def axes_in_use(system, kind):
    """In a plane, two forces and one torque."""
    if not system.plane:
        return XYZ
    letters = PLANES[system.plane]
    return tuple(letters[:2]) if kind == "force" else (letters[2],)
