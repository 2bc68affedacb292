"""The force and moment that a joint exerts, constraint part alone: motors and springs on its coordinates are loads, not
reaction.

In the tree it is what the inward pass hands on (THEORY §4) less what laws put on the joint's speeds; at a cut joint
it is the rows' wrenches times their multipliers (C.1). Both end as a wrench about the joint's point Mo on b, the
opposite on a as on b; only where a joint was left open (correct=False) the two differ, by its gap times the force.
"""

import numpy as np

from mekane.algebra.vector_arrays import cross
from mekane.errors import ModelError, did_you_mean
from mekane.model.plane import plane_axes
from mekane.results.labels import XYZ, dataset

LEAST = "not unique: constraints repeat one another, and only elasticity could tell how they share the load; the least share is given"
WRENCH = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")


def reaction(run, name, on=None, axes="world", at="b"):
    """Dataset with `force` and `moment` on one of the two bodies, and the `point` they are about."""
    if getattr(name, "name", name) in {**run.system.constraints, **run.system.contact_laws}:
        return constraint_reaction(run, getattr(name, "name", name), on, axes)
    joint = joint_of(run, name)
    body = body_of(joint, on, "on")
    force, moment = np.split(run.numbers(f"{joint.name}.{reaction_name(joint, body)}"), 2, axis=1)
    point = run.numbers(f"{joint.name}.point")
    if body_of(joint, at, "at") != joint.b:
        new = run.kinematics.position(joint.a, joint.p_AF)
        moment, point = moment + cross(point - new, force), new
    R = frame(run, joint, axes)
    if R is not None:
        force, moment = np.einsum("tji,tj->ti", R, force), np.einsum("tji,tj->ti", R, moment)
    return as_dataset(run, joint, body, axes, force, moment, point)


def reaction_name(joint, body):
    """What the quantity with the reaction on this one of its bodies is called (results.quantities)."""
    return "reaction" if body == joint.b else "reaction on a"


def on_body(run, name, body):
    """Force and moment about Mo that joint `name` exerts on this one of its bodies; world axes. A formula of
    results.samples."""
    force, moment = spatial_reaction(run, name, body)
    if run.system.plane:  # what acts across the plane is not determined there
        n = plane_axes(run.system.plane)[:, 2]
        force, moment = force - np.outer(force @ n, n), np.outer(moment @ n, n)
    return force, moment


def spatial_reaction(run, name, body):
    wrench = shared_reaction(run, name, body)
    return wrench[:, 3:], about(run.kinematics.point(name), run.kinematics.origin(body), wrench)


def shared_reaction(run, name, body):
    """Moment about Bo and force that a joint or constraint exerts on this one of its bodies; where it is not unique,
    the least share."""
    wrench = active_row_reaction(run, name, body)
    if name in run.system.contact_laws:  # the smallest forces already
        return wrench
    return wrench if run.is_unique(name) else wrench + run.sharing.reaction(name, body)


def active_row_reaction(run, name, body):
    """The same, with loads that are not unique as the active rows of the time loop divide them."""
    link = run.compiled.link_of.get(name)
    if link is None:
        return run.loads.constraint_wrench(name, body)
    M, origin, wrench = run.kinematics.point(name), run.kinematics.origin(link.body), run.loads.wrench(link.body)
    sign, joint = 1.0 if link.body == body else -1.0, run.system.joints[name]
    force, moment = sign * wrench[:, 3:], sign * about(M, origin, wrench)
    for measure in joint.measures():
        force, moment = without_drive(run, name, measure, 1.0 if body == joint.b else -1.0, force, moment)
    return np.concatenate(
        [about(run.kinematics.origin(body), M, np.concatenate([moment, force], axis=1)), force], axis=1
    )


def about(point, origin, wrench):
    """The moment about `point` of a wrench (moment about `origin`, force)."""
    return wrench[:, :3] + cross(origin - point, wrench[:, 3:])


def without_drive(run, name, measure, sign, force, moment):
    """Less what laws and rotors put on this coordinate, if it is a speed of the tree: a force along, or a torque about, its axis
    (on b; −on a)."""
    where = run.compiled.tree_coordinate.get((name, measure.name))
    if where is None:
        return force, moment
    load = run.loads.tau(where[1]) + run.loads.rotor_load(where[1])
    drive = sign * load[:, None] * run.kinematics.unit(name, measure.e)
    return (force - drive, moment) if measure.kind == "shift" else (force, moment - drive)


def joint_of(run, who):
    name = getattr(who, "name", who)
    joints, constraints = run.system.joints, run.system.constraints
    if name not in joints:
        what = "a joint or constraint" if constraints else "a joint"
        has = f"its joints are {', '.join(joints) or 'none'}" + (
            f", its constraints {', '.join(constraints)}" if constraints else ""
        )
        remedy = did_you_mean(str(name), [*joints, *constraints]).strip()
        raise ModelError("reaction", f"{name!r} is not {what} of this system", has, remedy)
    return joints[name]


def body_of(joint, given, keyword):
    """The body meant by its name, or by "a" or "b" (a name goes before the letters); b by default."""
    given = getattr(given, "name", given)
    if given in (joint.a, joint.b):
        return given
    if given in (None, "b"):
        return joint.b
    if given == "a":
        return joint.a
    raise ModelError(
        f"reaction of joint {joint.name!r}",
        f"{keyword} is {given!r}",
        f"the joint is between {joint.a!r} and {joint.b!r}",
    )


def frame(run, joint, axes):
    """Axes to express vectors in, as columns; None: the world's."""
    axes = getattr(axes, "name", axes)
    if axes in ("world", "ground"):
        return None
    if axes == "joint":
        return run.kinematics.axes(joint.name)
    if axes in run.system.bodies:
        return run.kinematics.R(axes)
    expected = '"world", "joint" (the joint\'s axes on a, z along its axis) or the name of a body'
    raise ModelError(f"reaction of joint {joint.name!r}", f"axes is {axes!r}", expected)


def as_dataset(run, joint, body, axes, force, moment, point):
    where = f"joint {joint.name!r} on body {body!r}, {getattr(axes, 'name', axes)} axes"
    variables = {
        "force": (("axis",), force, "N", f"constraint force of {where}"),
        "moment": (("axis",), moment, "N m", f"constraint moment of {where}, about `point`"),
        "point": (("axis",), point, "m", "point the moment is about, world axes"),
    }
    unique = run.is_unique(joint.name)
    attrs = {"joint": joint.name, "on": body, "axes": str(getattr(axes, "name", axes)), "unique": int(unique)}
    if run.system.plane:
        attrs["note"] = f"of a planar model: only what acts in the {run.system.plane} plane"
    if not unique:
        attrs["note"] = LEAST
    return dataset(run.t, variables, {"axis": list(XYZ)}, attrs)


# ---------------------------------------------------------------- constraints


def constraint_reaction(run, name, on=None, axes="world"):
    """Dataset with `force` and `moment` of a constraint on one body, the `point` they are about, and the multiplier of
    each equation."""
    constraint = {**run.system.constraints, **run.system.contact_laws}[name]
    body = constrained_body(run, constraint, on)
    keyword = f"reaction on {body}" if body != constrained_body(run, constraint, None) else "reaction"
    force, moment, point = np.split(run.numbers(f"{name}.{keyword}"), 3, axis=1)
    R = None if axes in ("world", "ground") else frame_of_body(run, constraint, axes)
    if R is not None:
        force, moment = np.einsum("tji,tj->ti", R, force), np.einsum("tji,tj->ti", R, moment)
    rows, unique = run.compiled.pairs.rows_of[name], run.is_unique(name)
    where = f"{constraint.part} on body {body!r}, {getattr(axes, 'name', axes)} axes"
    variables = {
        "force": (("axis",), force, "N", f"force of {where}"),
        "moment": (("axis",), moment, "N m", f"moment of {where}, about `point`"),
        "point": (("axis",), point, "m", "point the moment is about, world axes"),
        "multiplier": (("equation",), run.numbers(f"{name}.multiplier"), "N or N m", "multiplier of each equation"),
    }
    labels = {"axis": list(XYZ), "equation": list(range(1, len(rows) + 1))}
    attrs = {"constraint": name, "on": body, "axes": str(getattr(axes, "name", axes)), "unique": int(unique)}
    attrs |= {} if unique else {"note": LEAST}
    return dataset(run.t, variables, labels, attrs)


def constraint_force(run, constraint, body):
    """Force, moment and the point it is about: the constraint's own point if it has one, else the origin of the body's
    frame. A formula of results.samples."""
    point = constraint_place(run, constraint.name)
    point = run.kinematics.position(body) if point is None else point
    wrench = shared_reaction(run, constraint.name, body)
    return wrench[:, 3:], about(point, run.kinematics.origin(body), wrench), point


def constraint_place(run, name):
    """The constraint's own point, or None."""
    registers = run.compiled.places.get(name)
    return None if registers is None else np.stack([run.loads.register(register) for register in registers], axis=1)


def element_force(run, element, rows, body):
    """Force on a body of one element of a contact law, its moment about the point where it touches, and this point. A formula
    of results.samples."""
    point, wrench = constraint_place(run, element), run.loads.wrench_of_rows(rows, body)
    return wrench[:, 3:], about(point, run.kinematics.origin(body), wrench), point


def multipliers(run, name):
    """Of the equations of a constraint, over time."""
    found = run.loads.multipliers(run.compiled.pairs.rows_of[name])
    return found if name in run.system.contact_laws or run.is_unique(name) else found + run.sharing.multipliers(name)


def constrained_body(run, constraint, given):
    bodies = run.compiled.constrained_bodies(constraint.name)
    if not bodies:
        problem, remedy = "its contacts are searched in every step", "Write a contact of its own for what is wanted."
        raise ModelError(f"reaction of {constraint.part}", problem, "single forces are not kept", remedy)
    given = getattr(given, "name", given) or (constraint.acts_on if constraint.acts_on in bodies else bodies[0])
    if given not in bodies:
        raise ModelError(
            f"reaction of {constraint.part}", f"on is {given!r}", f"it acts on {', '.join(map(repr, bodies))}"
        )
    return given


def frame_of_body(run, constraint, axes):
    axes = getattr(axes, "name", axes)
    if axes not in run.system.bodies:
        raise ModelError(
            f"reaction of {constraint.part}", f"axes is {axes!r}", '"world" or the name of a body is expected'
        )
    return run.kinematics.R(axes)
