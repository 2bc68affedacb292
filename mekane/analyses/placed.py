"""A copy of a system whose bodies start somewhere else."""

from copy import copy
from dataclasses import replace

import numpy as np

from mekane.model.record import frozen_array


def placed(system, poses, parameters=None):
    """The system with its bodies at these poses, moving as these say, and these values of its parameters.

    Joints and constraints stay as they are on the bodies. They are new records, so that they are not made again from words that told
    where they were in the world.
    """
    new = copy(with_values(system, parameters or {}))
    new.parameters, new.forces, new.notes = dict(new.parameters), dict(new.forces), list(new.notes)
    new.joints = {name: replace(joint, rates={}) for name, joint in new.joints.items()}
    new.constraints = {name: replace(constraint) for name, constraint in new.constraints.items()}
    new.bodies = {
        name: replace(
            body,
            position=frozen_array(poses.p[name]),
            R_NB=frozen_array(poses.R[name]),
            velocity=frozen_array(poses.v[name]),
            angular_velocity=frozen_array(poses.w[name]),
        )
        for name, body in new.bodies.items()
    }
    return new


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
