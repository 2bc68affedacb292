"""A copy of a system whose bodies start somewhere else."""

from copy import copy
from dataclasses import replace

import numpy as np

from mekane.model.record import frozen_array


def placed(system, poses, parameters=None):
    """The system with its bodies at these poses, moving as these say, and these values of its parameters."""
    new = with_values(system, parameters or {})
    new.joints = {name: replace(joint, rates={}) for name, joint in system.joints.items()}
    new.bodies = {
        name: replace(
            body,
            position=frozen_array(poses.p[name]),
            R_NB=frozen_array(poses.R[name]),
            velocity=frozen_array(poses.v[name]),
            angular_velocity=frozen_array(poses.w[name]),
        )
        for name, body in system.bodies.items()
    }
    return new


def with_values(system, parameters):
    """The same system with these values of its parameters."""
    new = copy(system)
    for shelf in ("bodies", "joints", "constraints", "forces", "own_speeds"):
        setattr(new, shelf, dict(getattr(system, shelf)))
    new.parameters, new.notes = {**system.parameters, **parameters}, list(system.notes)
    return new


def poses_at(compiled, y, t=0.0):
    """Where the bodies are in a state, and how they move."""
    from mekane.solvers.assembly import poses_of
    from mekane.solvers.entries import look_at, open_model

    W = compiled.workspace()
    look_at(open_model(compiled.tables, W), t, np.ascontiguousarray(y, float), W.gauge)
    return poses_of(compiled, W)
