"""The same system with its bodies elsewhere, or with other values of its parameters; and where bodies are in a
state."""

from dataclasses import replace
from inspect import signature

import numpy as np

from mekane.errors import ModelError
from mekane.model.construction_log import construction_of
from mekane.model.initial_conditions import needed
from mekane.model.record import frozen_array
from mekane.model.values.parameters import ConstructionRecord, parameters_in

# words of joints that do not speak of the world
LOCAL_WORDS = {
    "on_a",
    "on_b",
    "axis_a",
    "axis_b",
    "normal_a",
    "normal_b",
    "axis2_b",
    "frame_a",
    "frame_b",
    "a",
    "b",
    "rate",
    "pitch",
}


def placed(system, poses, moving=True, start=None):
    """The system with its bodies at these poses and, if `moving`, with these velocities; equal otherwise.

    start: angles of joints with their whole turns, and integrals of laws, by name; others as they were.

    Joints and constraints stay as they are on the bodies. What was said of parts is said anew where it spoke of the old
    places.
    """
    new = system.copied()
    new._start = needed(system, system._start | (start or {}))
    for name, body in system.bodies.items():
        new.bodies[name], words = body_at(body, poses, moving)
        made = construction_of(system, name, body)
        if made:
            say_anew(new, name, ConstructionRecord("body", made.keywords | words, new.bodies[name]))
    if moving:
        new.joints = {name: replace(joint, rates={}) for name, joint in system.joints.items()}
    for shelf in ("joints", "constraints", "forces"):
        for name, record in getattr(system, shelf).items():
            made = construction_of(system, name, record)
            if made:
                say_anew(new, name, said_locally(system, made, getattr(new, shelf)[name]))
    return new


def say_anew(system, name, made):
    """How a part is said from now on; parameters that stood in words that have changed are noted."""
    before = system._construction[name].keywords
    lost = [said for word, said in before.items() if word not in made.keywords or made.keywords[word] is not given]
    system._placed_by |= {parameter: name for parameter in parameters_in(lost, system.parameters)}
    system._construction[name] = made


def body_at(body, poses, moving):
    """The body at its pose, and the words that say so."""
    told = dict(position=poses.p, orientation=poses.R) | (
        dict(velocity=poses.v, angular_velocity=poses.w) if moving else {}
    )
    words = {word: values[body.name].tolist() for word, values in told.items()}
    fields = {
        "R_NB" if word == "orientation" else word: frozen_array(values[body.name]) for word, values in told.items()
    }
    return replace(body, **fields), words


def said_locally(system, made, record):
    """How a part is said without world coordinates of the initial positions; as it was said where parameters are in it
    and may stay."""
    if made.with_parameters and set(made.keywords) <= LOCAL_WORDS | own_keywords(record):
        dropped = set() if record is made.record else {"rate"}
        return ConstructionRecord(
            made.kind, {word: said for word, said in made.keywords.items() if word not in dropped}, record
        )
    try:
        form = record.to_dict()
    except ModelError:  # a Python function has no file form
        return made
    where = form.pop(made.kind)
    names = [word for word in signature(getattr(type(system), made.kind)).parameters if word not in ("self", "name")]
    first = dict(zip(("a", "b"), where, strict=True)) if names[:2] == ["a", "b"] else {names[0]: where}
    return ConstructionRecord(made.kind, first | form, record)


def own_keywords(record):
    """Words of a constraint or force: they speak of bodies' own frames."""
    return set() if hasattr(record, "p_AF") else set(signature(type(record)).parameters) | {"at"}


def with_values(system, parameters):
    """The system with these values of its parameters; itself if it has them."""
    changes = {name: value for name, value in parameters.items() if system.parameters[name] != value}
    return system.with_parameters(changes) if changes else system


def poses_at(compiled, y, t=0.0):
    """Where the bodies are in a state, and how they move."""
    from mekane.solvers.constraints.assembly import poses_of
    from mekane.solvers.entries.addresses import open_model
    from mekane.solvers.entries.calls import evaluate_kinematics

    W = compiled.workspace()
    evaluate_kinematics(open_model(compiled.tables, W), t, np.ascontiguousarray(y, float), W.measurement)
    return poses_of(compiled, W)
