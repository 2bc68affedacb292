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

# keywords of joints that do not depend on world coordinates
LOCAL_KEYWORDS = {
    "on_a", "on_b", "axis_a", "axis_b", "normal_a", "normal_b", "axis2_b", "frame_a", "frame_b", "a", "b", "rate", "pitch",
    "active",
}  # fmt: skip


def placed(system, poses, moving=True, start=None):
    """The system with its bodies at these poses and, if `moving`, with these velocities; equal otherwise.

    start: angles of joints with their whole turns, and controller states, by name; others as they were.

    Joints and constraints stay as they are on the bodies. Their construction records are rewritten where they depend on
    the old positions.
    """
    new = system.copied()
    new._initial_conditions = needed(system, system._initial_conditions | (start or {}))
    for name, body in system.bodies.items():
        new.bodies[name], keywords = body_at(body, poses, moving)
        made = construction_of(system, name, body)
        if made:
            record_anew(new, name, ConstructionRecord("body", made.keywords | keywords, new.bodies[name]))
    if moving:
        new.joints = {name: replace(joint, rates={}) for name, joint in system.joints.items()}
    for collection in ("joints", "constraints", "forces"):
        for name, part in getattr(system, collection).items():
            made = construction_of(system, name, part)
            if made:
                record_anew(new, name, local_construction(system, made, getattr(new, collection)[name]))
    return new


def record_anew(system, name, made):
    """Replace the construction record of a part; parameters of keywords that have changed are noted."""
    before = system._construction[name].keywords
    replaced = [
        given
        for keyword, given in before.items()
        if keyword not in made.keywords or made.keywords[keyword] is not given
    ]
    system._placed_by |= {parameter: name for parameter in parameters_in(replaced, system.parameters)}
    system._construction[name] = made


def body_at(body, poses, moving):
    """The body at its pose, and the keywords for it."""
    state = dict(position=poses.p, orientation=poses.R) | (
        dict(velocity=poses.v, angular_velocity=poses.w) if moving else {}
    )
    keywords = {keyword: values[body.name].tolist() for keyword, values in state.items()}
    fields = {
        "R_NB" if keyword == "orientation" else keyword: frozen_array(values[body.name])
        for keyword, values in state.items()
    }
    return replace(body, **fields), keywords


def local_construction(system, made, record):
    """The construction record without world coordinates of the initial positions; unchanged where it has parameters
    and none of them."""
    if made.with_parameters and set(made.keywords) <= LOCAL_KEYWORDS | own_keywords(record):
        dropped = set() if record is made.record else {"rate"}
        kept = {keyword: given for keyword, given in made.keywords.items() if keyword not in dropped}
        return ConstructionRecord(made.kind, kept, record)
    try:
        form = record.to_dict()
    except ModelError:  # a Python function has no file form
        return made
    where = form.pop(made.kind)
    parameters = signature(getattr(type(system), made.kind)).parameters
    names = [keyword for keyword in parameters if keyword not in ("self", "name")]
    first = dict(zip(("a", "b"), where, strict=True)) if names[:2] == ["a", "b"] else {names[0]: where}
    return ConstructionRecord(made.kind, first | form, record)


def own_keywords(record):
    """Keywords of a constraint or force: they refer to the bodies' own frames."""
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
