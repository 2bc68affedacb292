"""What can be asked of a run by name, "body.word", "joint.word" or "force.word", and how each is computed."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from mekane.compile import layout as at
from mekane.expressions.graph import evaluate
from mekane.model.force import AtPoint, Axial, BetweenFrames, OnJoint, Turning
from mekane.model.orientation import quaternions_from_matrices
from mekane.results.labels import QUATERNION, XYZ
from mekane.results.reactions import constrained_body, constraint_force, multipliers

RATES = {"m": "m/s", "rad": "rad/s"}


class Quantity(NamedTuple):
    compute: Callable  # () → array (time,) or (time, labels)
    units: str
    long_name: str
    labels: tuple[str, ...] | None = None
    state: bool = True  # it follows from the state alone, without forces


def catalogue(run):
    """Every name a run answers to, with its Quantity: joints, bodies, forces, constraints."""
    found = {}
    for name in run.system.joints:
        found |= {f"{name}.{word}": quantity for word, quantity in joint_words(run, name)}
    for name in run.system.bodies:
        found |= {f"{name}.{word}": quantity for word, quantity in body_words(run, name)}
    for name in run.system.forces:
        found |= {f"{name}.{word}": quantity for word, quantity in force_words(run, name)}
    for name in run.system.constraints:
        found |= {f"{name}.{word}": quantity for word, quantity in constraint_words(run, name)}
    return found | dict(own_speeds(run, found))


# ---------------------------------------------------------------- own generalized speeds


def own_speeds(run, found):
    """Those whose names this run knows: what can be asked of it, and the coordinates and speeds of its formulation."""
    known = {"t", *run.system.constants, *run.compiled.coordinates, *run.compiled.speeds, *found}
    vectors = {f"{name}.{label}" for name, quantity in found.items() for label in quantity.labels or ()}
    for name, speed in run.system.own_speeds.items():
        if set(speed.value.names()) <= known | vectors:
            yield name, Quantity(partial(own_speed, run, speed), "", f"generalized speed {name!r}")


def own_speed(run, speed):
    values = [input_values(run, name) for name in speed.value.names()]
    states = zip(*values, strict=True) if values else ((),) * len(run.t)
    return np.array([evaluate(speed.value.expr(), dict(zip(speed.value.names(), state, strict=True))) for state in states], float)


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


def body_words(run, name):
    of, com = f"of body {name!r}, world axes", run.system.bodies[name].com
    told = lambda compute, *more: partial(compute, run, name, *more)
    yield "position", Quantity(told(position), "m", f"position of the origin {of}", XYZ)
    yield "orientation", Quantity(told(orientation), "1", f"orientation of body {name!r}: quaternion, scalar last (e4)", QUATERNION)
    yield "velocity", Quantity(told(velocity), "m/s", f"velocity of the origin {of}", XYZ)
    yield "angular_velocity", Quantity(told(spin), "rad/s", f"angular velocity {of}", XYZ)
    yield "acceleration", Quantity(told(acceleration), "m/s^2", f"acceleration of the origin {of}", XYZ, False)
    yield "angular_acceleration", Quantity(told(angular_acceleration), "rad/s^2", f"angular acceleration {of}", XYZ, False)
    yield "centre", Quantity(told(position, com), "m", f"position of the mass centre {of}", XYZ)


def position(run, name, point=(0.0, 0.0, 0.0)):
    return run.observed.position(name, point)


def orientation(run, name):
    return continuous_quaternions(run.observed.R(name))


def velocity(run, name):
    return run.observed.velocity(name)


def spin(run, name):
    return run.observed.spin(name).copy()


def acceleration(run, name):
    i, arm, w = run.compiled.frames.row[name], run.observed.arm(name), run.observed.spin(name)
    return run.loads.a[:, i] + np.cross(run.loads.alpha[:, i], arm) + np.cross(w, np.cross(w, arm))


def angular_acceleration(run, name):
    return run.loads.alpha[:, run.compiled.frames.row[name]].copy()


def continuous_quaternions(matrices):
    """Scalar last; of the two quaternions of each rotation the one nearer to that before."""
    e = quaternions_from_matrices(matrices)
    turned_back = np.sum(e[1:] * e[:-1], axis=1) < 0
    e[1:] *= np.cumprod(np.where(turned_back, -1.0, 1.0))[:, None]
    return e


# ---------------------------------------------------------------- joints


def joint_words(run, name):
    joint = run.system.joints[name]
    for measure in joint.measures():
        units = "m" if measure.dimension == "length" else "rad"
        told = partial(coordinate, run, name, measure), partial(coordinate_rate, run, name, measure)
        yield measure.name, Quantity(told[0], units, f"{measure.name} of joint {name!r}")
        yield f"{measure.name}.rate", Quantity(told[1], RATES[units], f"rate of {measure.name} of joint {name!r}")
    if any(block.kind == "quaternion" for block in joint.blocks()):
        text = f"orientation of {joint.b!r} in {joint.a!r} by the axes of joint {name!r}: quaternion, scalar last (e4)"
        yield "orientation", Quantity(partial(joint_orientation, run, name), "1", text, QUATERNION)
    text = f"position of the point of joint {name!r} on {joint.b!r}, world axes"
    yield "point", Quantity(partial(joint_point, run, name), "m", text, XYZ)


def coordinate(run, name, measure):
    """From the tree where it is a coordinate there; else from the gauge, which has counted whole turns; else as it is seen."""
    where, gauge = run.compiled.tree_coordinate.get((name, measure.name)), run.compiled.pairs.gauge.get((name, measure.name))
    if where is not None:
        return run.record.y[:, where[0]].copy()
    if gauge is not None:
        return run.record.gauge[:, gauge].copy()
    seen = run.observed.phi[:, run.observed.pairs.gauge[name, measure.name]]
    return np.unwrap(seen) if measure.kind == "turned" else seen.copy()


def coordinate_rate(run, name, measure):
    where = run.compiled.tree_coordinate.get((name, measure.name))
    if where is not None:
        return run.record.y[:, run.compiled.n_q + where[1]].copy()
    return run.observed.rate[:, run.observed.pairs.gauge[name, measure.name]].copy()


def joint_orientation(run, name):
    R_F, R_M = run.observed.axes(name), run.observed.axes_on_b(name)
    return continuous_quaternions(np.swapaxes(R_F, 1, 2) @ R_M)


def joint_point(run, name):
    return run.observed.point(name).copy()


# ---------------------------------------------------------------- forces


def force_words(run, name):
    place, told = run.system.forces[name].acts, partial(law_value, run, name)
    if isinstance(place, Axial):
        yield "length", Quantity(partial(line, run, f"{name}.length"), "m", f"length of {name!r}", None, False)
        yield "length.rate", Quantity(partial(line, run, f"{name}.length.rate"), "m/s", f"rate of length of {name!r}", None, False)
        yield "tension", Quantity(told, "N", f"tension of {name!r}, positive when it pulls", None, False)
    elif isinstance(place, BetweenFrames):
        for which, (word, units) in enumerate((("force", "N"), ("torque", "N m"))):
            text = f"{word} of {name!r} on body {place.b!r}, world axes"
            yield word, Quantity(partial(law_value, run, name, which), units, text, XYZ, False)
    elif isinstance(place, OnJoint):
        units = dimension_of(run.system.joints[place.joint], place.coordinate)
        word, units = ("torque", "N m") if units == "angle" else ("force", "N")
        yield word, Quantity(told, units, f"{word} of {name!r} on {place.joint}.{place.coordinate}", None, False)
    else:
        word, units = ("force", "N") if isinstance(place, AtPoint) else ("torque", "N m")
        yield word, Quantity(told, units, f"{word} of {name!r} on body {place.body!r}, world axes", XYZ, False)
    if name in run.compiled.energy_registers:
        yield "energy", Quantity(partial(stored, run, name), "J", f"energy stored in {name!r}", None, False)
    if name in run.compiled.elements:
        yield "work", Quantity(partial(work, run, name), "J", f"work of {name!r} so far, without what it stores")
    if name in run.compiled.integrals:
        units = "m s" if not isinstance(place, Turning) else "rad s"
        yield "integral", Quantity(partial(integral, run, name), units, f"integral that {name!r} keeps")


def dimension_of(joint, coordinate):
    return next(measure.dimension for measure in joint.measures() if measure.name == coordinate)


def law_value(run, name, which=0):
    """The value of the law; vectors in world axes."""
    values, place = run.loads.value(name, which), run.system.forces[name].acts
    if getattr(place, "frame", "world") == "world":
        return values
    R_NB = run.observed.body[:, run.compiled.frames.row[place.body], at.B_R : at.B_R + 9].reshape(-1, 3, 3)
    return np.einsum("tij,tj->ti", R_NB, values)


def line(run, channel):
    return run.loads.register(run.compiled.program.inputs.index(channel)).copy()


def stored(run, name):
    return run.loads.register(run.compiled.energy_registers[name]).copy()


def work(run, name):
    first = run.compiled.n_q + run.compiled.n_u + len(run.compiled.integrals)
    return run.record.y[:, first + run.compiled.elements.index(name)].copy()


def integral(run, name):
    first = run.compiled.n_q + run.compiled.n_u
    return run.record.y[:, first + run.compiled.integrals.index(name)].copy()


# ---------------------------------------------------------------- constraints


def constraint_words(run, name):
    constraint = run.system.constraints[name]
    body, rows = constrained_body(run, constraint, None), run.compiled.pairs.rows_of[name]
    told = lambda which: partial(constraint_part, run, constraint, body, which)
    yield "force", Quantity(told(0), "N", f"force of {constraint.part} on body {body!r}, world axes", XYZ, False)
    yield "moment", Quantity(told(1), "N m", f"moment of {constraint.part} on body {body!r} about its point, world axes", XYZ, False)
    if name in run.compiled.places:
        yield "point", Quantity(told(2), "m", f"point of {constraint.part}, world axes", XYZ, False)
    numbers = tuple(map(str, range(1, len(rows) + 1)))
    multiplier = partial(multipliers, run, name)
    yield "multiplier", Quantity(multiplier, "N or N m", f"multiplier of each equation of {constraint.part}", numbers, False)
    if name in run.compiled.elements:
        yield "work", Quantity(partial(work, run, name), "J", f"work of {constraint.part} so far")


def constraint_part(run, constraint, body, which):
    return constraint_force(run, constraint, body)[which].copy()

