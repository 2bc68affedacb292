"""Quantities of a run by name, such as "body.position", "joint.angle" or "force.tension", and how each is computed."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mekane.algebra.vector_arrays import cross
from mekane.compiler.discrete_state import CONTACTS, MODE, is_place
from mekane.compiler.named_frames import NamedFrame, frame_of, is_component
from mekane.compiler.rotation_vector import rotation_vector_of_numbers
from mekane.compiler.rotors import inertia_of
from mekane.expressions.arrays import evaluate_over
from mekane.expressions.graph import evaluate
from mekane.model.force import AtPoint, Axial, BetweenCoordinates, BetweenFrames, JointCoordinate, JointRotation
from mekane.model.values.orientation import quaternions_from_matrices
from mekane.results.contact_quantities import contact_quantities_of, points_of
from mekane.results.labels import QUATERNION, XYZ
from mekane.results.reactions import (
    WRENCH,
    constrained_body,
    constraint_force,
    element_force,
    multipliers,
    on_body,
    reaction_name,
)

RATES = {"m": "m/s", "rad": "rad/s"}


class Formula:
    """Part → compute(Part, *args)."""

    def __init__(self, compute, *args):
        self.compute, self.args = compute, args

    def __call__(self, part):
        return self.compute(part, *self.args)


class Quantity(NamedTuple):
    compute: Callable  # a formula of results.samples: Part → array (time,) or (time, labels)
    units: str
    long_name: str
    labels: tuple[str, ...] | None = None
    state: bool = True  # it follows from the state alone, without forces
    finish: Callable | None = None  # of the values at all samples: what depends on the samples before
    listed: bool = True  # among the names of a run


def catalogue(run):
    """Every name a run answers to, with its Quantity: joints, bodies, forces, constraints, user-defined generalized
    speeds."""
    found = {}
    for part in parts_of(run.system):
        found |= quantities_of(run, part)
    found |= {name: discrete_quantity(run, name) for name in run.compiled.discrete if not is_place(name)}
    return found | {
        name: own for name in run.system.own_speeds if (own := generalized_speed(run, name, found)) is not None
    }


def parts_of(system):
    """Names of all that has quantities, in the order they are listed."""
    return [*system.joints, *system.bodies, *system.markers, *system.forces, *system.constraints, *system.contact_laws]


def quantities_of(run, part):
    """Those of one joint, body, marker, force or constraint, by name."""
    system = run.system
    for parts, of_part in (
        (system.joints, joint_quantities),
        (system.bodies, body_quantities),
        (system.markers, frame_quantities),
        (system.forces, force_quantities),
        (system.constraints, constraint_quantities),
        (system.contact_laws, contact_quantities),
    ):
        if part in parts:
            return {f"{part}.{name}": quantity for name, quantity in of_part(run, part)}
    return {}


# ---------------------------------------------------------------- inputs, variables, what is active


def discrete_quantity(run, name):
    system = run.system
    if name in system.inputs:
        unit, text = system.inputs[name].unit, f"input {name!r}"
    elif name in system.variables:
        unit, text = "1", f"variable {name!r}"
    elif name.endswith(MODE):
        unit, text = "1", f"{name.removesuffix(MODE)!r}: open (0), closed and sliding (1), closed and sticking (2)"
    elif name.endswith(CONTACTS):
        unit, text = "1", f"how many contacts {name.removesuffix(CONTACTS)!r} has"
    else:
        unit, text = "1", f"whether {name.removesuffix('.active')!r} is active (1) or not (0)"
    return Quantity(Formula(discrete_values, run.compiled.discrete.index(name)), unit or "1", text)


def discrete_values(run, k):
    discrete = run.record.discrete
    if discrete.size:
        return discrete[:, k]
    return np.full(len(run.t), run.compiled.workspace().r[run.compiled.discrete_registers][k])


# ---------------------------------------------------------------- user-defined generalized speeds


def generalized_speed(run, name, found):
    """None where its expression has names that this run does not know: quantities, coordinates and speeds of its
    formulation."""
    known = {"t", *run.system.constants, *run.compiled.coordinates, *run.compiled.speeds, *found}
    vectors = {f"{vector}.{label}" for vector, quantity in found.items() for label in quantity.labels or ()}
    speed = run.system.own_speeds[name]
    if set(speed.value.names()) <= known | vectors:
        return Quantity(Formula(generalized_speed_values, speed), "", f"generalized speed {name!r}")
    return None


def generalized_speed_values(run, speed):
    values = [input_values(run, name) for name in speed.value.names()]
    states = zip(*values, strict=True) if values else ((),) * len(run.t)
    return np.array(
        [evaluate(speed.value.expr(), dict(zip(speed.value.names(), state, strict=True))) for state in states], float
    )


def input_values(run, name):
    """An input of an expression at all samples."""
    compiled = run.compiled
    if name == "t":
        return run.t
    if name in run.system.constants:
        return np.full(len(run.t), run.system.constants[name])
    for names, first in ((compiled.coordinates, 0), (compiled.speeds, compiled.n_q)):
        if name in names:
            return run.record.y[:, first + names.index(name)]
    return run.numbers(name)


# ---------------------------------------------------------------- bodies


def body_quantities(run, name):
    yield from frame_quantities(run, name)
    text = f"position of the mass centre of body {name!r}, world axes"
    yield "centre", Quantity(Formula(position, NamedFrame(name, run.system.bodies[name].com, None)), "m", text, XYZ)


def frame_quantities(run, name):
    """Of the frame of a body, or of a marker."""
    frame, what = frame_of(run.system, name), "marker" if name in run.system.markers else "body"
    of = f"of {what} {name!r}, world axes"
    formula = lambda compute: Formula(compute, frame)
    yield "position", Quantity(formula(position), "m", f"position of the origin {of}", XYZ)
    text = f"orientation of {what} {name!r}: quaternion, scalar last (e4)"
    yield "orientation", Quantity(formula(orientation), "1", text, QUATERNION, finish=made_continuous)
    yield "velocity", Quantity(formula(velocity), "m/s", f"velocity of the origin {of}", XYZ)
    yield "angular_velocity", Quantity(formula(angular_velocity), "rad/s", f"angular velocity {of}", XYZ)
    yield "acceleration", Quantity(formula(acceleration), "m/s^2", f"acceleration of the origin {of}", XYZ, False)
    yield (
        "angular_acceleration",
        Quantity(formula(angular_acceleration), "rad/s^2", f"angular acceleration {of}", XYZ, False),
    )


def orientation_component(system, name):
    """The Quantity of "body.orientation.x" or "body.orientation.base.x", a component of the rotation vector of a body
    or marker relative to the world or to another; None for any other name."""
    owner, _, quantity = name.partition(".")
    which = quantity.removeprefix("orientation.")
    if which == quantity or owner == "ground" or not frame_of(system, owner) or not is_component(system, owner, which):
        return None
    base, _, axis = which.rpartition(".")
    text = f"{axis} of the rotation vector of {owner!r} relative to {repr(base) if base else 'the world'}"
    formula = Formula(rotation_component, frame_of(system, owner), frame_of(system, base or "ground"), XYZ.index(axis))
    return Quantity(formula, "rad", text, listed=False)


def rotation_component(run, frame, base, axis):
    R = np.swapaxes(axes(run, base), 1, 2) @ axes(run, frame)
    return rotation_vector_of_numbers(R, evaluate_over)[axis]


def axes(run, frame):
    """Axes of a frame in the world, as columns."""
    return run.kinematics.R(frame.body) @ np.asarray(frame.axes, float)


def position(run, frame):
    return run.kinematics.position(frame.body, frame.at)


def orientation(run, frame):
    return quaternions_from_matrices(axes(run, frame))


def velocity(run, frame):
    return run.kinematics.velocity(frame.body, frame.at)


def angular_velocity(run, frame):
    return run.kinematics.angular_velocity(frame.body)


def acceleration(run, frame):
    arm, w = run.kinematics.arm(frame.body, frame.at), run.kinematics.angular_velocity(frame.body)
    return run.loads.a(frame.body) + cross(run.loads.alpha(frame.body), arm) + cross(w, cross(w, arm))


def angular_acceleration(run, frame):
    return run.loads.alpha(frame.body)


def continuous_quaternions(matrices):
    """Scalar last; of the two quaternions of each rotation the one nearer to that before."""
    return made_continuous(quaternions_from_matrices(matrices))


def made_continuous(e):
    """Of the two quaternions of each rotation the one nearer to that before, in place."""
    turned_back = np.sum(e[1:] * e[:-1], axis=1) < 0
    e[1:] *= np.cumprod(np.where(turned_back, -1.0, 1.0))[:, None]
    return e


# ---------------------------------------------------------------- joints


def joint_quantities(run, name):
    joint = run.system.joints[name]
    for measure in joint.measures():
        units = "m" if measure.dimension == "length" else "rad"
        formula, text = Formula(coordinate, name, measure.name), f"{measure.name} of joint {name!r}"
        wrapped = measure.kind == "rotated" and not known_coordinate(run, name, measure.name)
        yield measure.name, Quantity(formula, units, text, finish=np.unwrap if wrapped else None)
        yield (
            f"{measure.name}.rate",
            Quantity(Formula(coordinate_rate, name, measure.name), RATES[units], f"rate of {text}"),
        )
    if any(primitive.kind == "quaternion" for primitive in joint.primitives()):
        text = f"orientation of {joint.b!r} in {joint.a!r} by the axes of joint {name!r}: quaternion, scalar last (e4)"
        yield "orientation", Quantity(Formula(joint_orientation, name), "1", text, QUATERNION, finish=made_continuous)
    text = f"position of the point of joint {name!r} on {joint.b!r}, world axes"
    yield "point", Quantity(Formula(joint_point, name), "m", text, XYZ)
    for body in (joint.b, joint.a):
        text = f"force and moment about its point of joint {name!r} on body {body!r}, world axes"
        yield (
            reaction_name(joint, body),
            Quantity(Formula(joint_reaction, name, body), "N, N m", text, WRENCH, False, listed=False),
        )
    for which, (part, units) in enumerate((("force", "N"), ("moment", "N m"))):
        text = f"{part} of joint {name!r} on body {joint.b!r}, world axes"
        formula = Formula(joint_reaction_part, name, joint.b, which)
        yield f"reaction.{part}", Quantity(formula, units, text, XYZ, False, listed=False)


def known_coordinate(run, joint, coordinate):
    """Whether it stands in the record: as a coordinate of the tree, or as a measurement, which has counted whole
    turns."""
    return (joint, coordinate) in run.compiled.tree_coordinate or (joint, coordinate) in run.compiled.pairs.measurement


def coordinate(run, joint, name):
    """From the tree where it is a coordinate there; else from the measurement; else from the frames."""
    where, measurement = (
        run.compiled.tree_coordinate.get((joint, name)),
        run.compiled.pairs.measurement.get((joint, name)),
    )
    if where is not None:
        return run.record.y[:, where[0]]
    return run.record.measurement[:, measurement] if measurement is not None else run.kinematics.coordinate(joint, name)


def coordinate_rate(run, joint, name):
    where = run.compiled.tree_coordinate.get((joint, name))
    if where is not None:
        return run.record.y[:, run.compiled.n_q + where[1]]
    return run.kinematics.coordinate_rate(joint, name)


def joint_orientation(run, name):
    return quaternions_from_matrices(joint_axes(run, name))


def joint_axes(run, name):
    """Axes of a joint on b in those on a, as columns."""
    R_F, R_M = run.kinematics.axes(name), run.kinematics.axes_on_b(name)
    return np.swapaxes(R_F, 1, 2) @ R_M


def joint_point(run, name):
    return run.kinematics.point(name)


def joint_reaction(run, name, body):
    return np.concatenate(on_body(run, name, body), axis=1)


def joint_reaction_part(run, name, body, which):
    return on_body(run, name, body)[which]


# ---------------------------------------------------------------- forces


def force_quantities(run, name):
    place, formula = run.system.forces[name].acts, Formula(law_value, name)
    if run.system.forces[name].adds_inertia:
        yield from rotor_quantities(run, name, place)
    elif isinstance(place, Axial):
        yield "length", Quantity(Formula(line, f"{name}.length"), "m", f"length of {name!r}", None, False)
        yield (
            "length.rate",
            Quantity(Formula(line, f"{name}.length.rate"), "m/s", f"rate of length of {name!r}", None, False),
        )
        yield "tension", Quantity(formula, "N", f"tension of {name!r}, positive when it pulls", None, False)
    elif isinstance(place, BetweenFrames):
        for which, (quantity_name, units) in enumerate((("force", "N"), ("torque", "N m"))):
            text = f"{quantity_name} of {name!r} on body {place.b!r}, world axes"
            yield quantity_name, Quantity(Formula(law_value, name, which), units, text, XYZ, False)
    elif isinstance(place, BetweenCoordinates):
        for which, end in enumerate((place.a, place.b)):
            quantity_name, units = ("torque", "N m") if end.dimension == "angle" else ("force", "N")
            text = f"{quantity_name} of {name!r} on {end.joint}.{end.coordinate}"
            more = " on b" if which else ""
            yield quantity_name + more, Quantity(Formula(law_value, name, which), units, text, None, False)
    elif isinstance(place, JointCoordinate):
        units = dimension_of(run.system.joints[place.joint], place.coordinate)
        quantity_name, units = ("torque", "N m") if units == "angle" else ("force", "N")
        yield (
            quantity_name,
            Quantity(formula, units, f"{quantity_name} of {name!r} on {place.joint}.{place.coordinate}", None, False),
        )
    else:
        quantity_name, units = ("force", "N") if isinstance(place, AtPoint) else ("torque", "N m")
        yield (
            quantity_name,
            Quantity(formula, units, f"{quantity_name} of {name!r} on body {place.body!r}, world axes", XYZ, False),
        )
    if name in run.compiled.energy_registers:
        yield "energy", Quantity(Formula(stored, name), "J", f"energy stored in {name!r}", None, False)
    if name in run.compiled.elements:
        yield "work", Quantity(Formula(work, name), "J", f"work of {name!r} so far, without what it stores")
    if name in run.compiled.integrals:
        units = "rad s" if place.dimension == "angle" else "m s"
        yield "integral", Quantity(Formula(integral, name), units, f"integral that {name!r} keeps")


def rotor_quantities(run, name, place):
    if isinstance(place, JointRotation):
        text = f"torque of {name!r} on {place.joint}, axes of the body it carries: minus inertia times acceleration"
        yield "torque", Quantity(Formula(turning_rotor_load, name), "N m", text, XYZ, False)
        return
    quantity_name, units = ("torque", "N m") if place.dimension == "angle" else ("force", "N")
    text = f"{quantity_name} of {name!r} on {place.joint}.{place.coordinate}: minus inertia times acceleration"
    yield quantity_name, Quantity(Formula(rotor_load, name), units, text, None, False)
    yield "rate", Quantity(Formula(rotor_rate, name), "rad/s", f"angular velocity of {name!r} about its own axis")


def rotor_load(run, name):
    force = run.system.forces[name]
    speed = run.compiled.tree_coordinate[force.acts.joint, force.acts.coordinate][1]
    return -inertia_of(run.compiled.system, force) * run.loads.ud()[:, speed]


def turning_rotor_load(run, name):
    force = run.system.forces[name]
    first = run.compiled.speeds.index(f"{force.acts.joint}.wx")
    return -inertia_of(run.compiled.system, force) * run.loads.ud()[:, first : first + 3]


def rotor_rate(run, name):
    force = run.system.forces[name]
    ratio = evaluate(force.ratio.expr(), run.compiled.system.constants)
    return ratio * coordinate_rate(run, force.acts.joint, force.acts.coordinate)


def dimension_of(joint, coordinate):
    return next(measure.dimension for measure in joint.measures() if measure.name == coordinate)


def law_value(run, name, which=0):
    """The value of the law; vectors in world axes."""
    values, place = run.loads.value(name, which), run.system.forces[name].acts
    if getattr(place, "frame", "world") == "world":
        return values
    return np.einsum("tij,tj->ti", run.kinematics.R_NB(place.body), values)


def line(run, channel):
    return run.loads.register(run.compiled.program.inputs.index(channel))


def stored(run, name):
    return run.loads.register(run.compiled.energy_registers[name])


def work(run, name):
    first = run.compiled.n_q + run.compiled.n_u + len(run.compiled.integrals)
    return run.record.y[:, first + run.compiled.elements.index(name)]


def integral(run, name):
    first = run.compiled.n_q + run.compiled.n_u
    return run.record.y[:, first + run.compiled.integrals.index(name)]


# ---------------------------------------------------------------- contact laws


def contact_quantities(run, name):
    """Those of its elements, and the reaction of all of them together."""
    for quantity_name, compute, units, text, state in contact_quantities_of(run, name):
        yield quantity_name, Quantity(compute, units, text, None, state)
    text = f"heat of sliding in {run.system.contact_laws[name].part} so far"
    yield "heat", Quantity(Formula(heat, name), "J", text)
    if run.system.contact_laws[name].searched:
        return
    yield from (one for one in constraint_quantities(run, name) if one[0] not in ("force", "moment"))
    body = constrained_body(run, run.system.contact_laws[name], None)
    for label, element, rows in points_of(run, name):
        point = Formula(element_part, element, rows, body, 2)
        yield f"{label}.point", Quantity(point, "m", f"point where {element!r} touches, world axes", XYZ, False)
        whole, text = Formula(element_part, element, rows, body), f"force, moment and point of {element!r} on {body!r}"
        yield f"{label}.reaction", Quantity(whole, "N, N m, m", text, (*WRENCH, *XYZ), False, listed=False)


def element_part(run, element, rows, body, which=None):
    found = element_force(run, element, rows, body)
    return np.concatenate(found, axis=1) if which is None else found[which]


def heat(run, name):
    return 0.0 - work(run, name)


# ---------------------------------------------------------------- constraints


def constraint_quantities(run, name):
    constraint = {**run.system.constraints, **run.system.contact_laws}[name]
    body, rows = constrained_body(run, constraint, None), run.compiled.pairs.rows_of[name]
    formula = lambda which: Formula(constraint_part, constraint, body, which)
    yield "force", Quantity(formula(0), "N", f"force of {constraint.part} on body {body!r}, world axes", XYZ, False)
    yield (
        "moment",
        Quantity(
            formula(1), "N m", f"moment of {constraint.part} on body {body!r} about its point, world axes", XYZ, False
        ),
    )
    if name in run.compiled.places:
        yield "point", Quantity(formula(2), "m", f"point of {constraint.part}, world axes", XYZ, False)
    numbers, text = tuple(map(str, range(1, len(rows) + 1))), f"multiplier of each equation of {constraint.part}"
    yield "multiplier", Quantity(Formula(multipliers, name), "N or N m", text, numbers, False)
    if name in run.compiled.elements:
        yield "work", Quantity(Formula(work, name), "J", f"work of {constraint.part} so far")
    for other in run.compiled.constrained_bodies(name):
        quantity_name, text = (
            "reaction" if other == body else f"reaction on {other}",
            f"force, moment and point of {constraint.part} on {other!r}",
        )
        yield (
            quantity_name,
            Quantity(
                Formula(constraint_reaction, constraint, other), "N, N m, m", text, (*WRENCH, *XYZ), False, listed=False
            ),
        )


def constraint_part(run, constraint, body, which):
    return constraint_force(run, constraint, body)[which]


def constraint_reaction(run, constraint, body):
    return np.concatenate(constraint_force(run, constraint, body), axis=1)
