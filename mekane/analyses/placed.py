"""A copy of a system whose bodies start somewhere else."""

from dataclasses import replace

import numpy as np

from mekane.analyses.moved import moved, say_anew
from mekane.model.record import frozen_array


def placed(system, poses, parameters=None):
    """The system with its bodies at these poses, moving as these say, and these values of its parameters.

    Speeds are those of the bodies: rates told of joints are left out.
    """
    new = moved(with_values(system, parameters or {}), poses)
    for name, body in new.bodies.items():
        motion = dict(velocity=poses.v[name], angular_velocity=poses.w[name])
        record = new.bodies[name] = replace(body, **{word: frozen_array(value) for word, value in motion.items()})
        say_again(new, name, body, record, {word: value.tolist() for word, value in motion.items()})
    for name, joint in new.joints.items():
        record = new.joints[name] = replace(joint, rates={})
        say_again(new, name, joint, record, {"rate": None})
    return new


def say_again(system, name, before, record, words):
    """What was said of a part holds of its new record, but for these words; those that are None are left out."""
    made = system._said.get(name)
    if made is not None and made.record is before:
        said = {word: value for word, value in (made.words | words).items() if value is not None or word not in words}
        say_anew(system, name, made._replace(words=said, record=record))


def with_values(system, parameters):
    """The system with these values of its parameters; itself if it has them."""
    changes = {name: value for name, value in parameters.items() if system.parameters[name] != value}
    return system.with_parameters(changes) if changes else system


def poses_at(compiled, y, t=0.0):
    """Where the bodies are in a state, and how they move."""
    from mekane.solvers.assembly import poses_of
    from mekane.solvers.entries import look_at, open_model

    W = compiled.workspace()
    look_at(open_model(compiled.tables, W), t, np.ascontiguousarray(y, float), W.gauge)
    return poses_of(compiled, W)
