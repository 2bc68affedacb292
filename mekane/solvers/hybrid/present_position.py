"""A lock at the present position: where a joint or constraint closes, so that its rows hold there."""

from dataclasses import replace

import numpy as np

from mekane.compiler.coordinates import joint_frames, joint_values, placed_by_primitives
from mekane.compiler.discrete_state import FRAME, OFFSET
from mekane.solvers.constraints.assembly import poses_of
from mekane.solvers.entries.from_python import evaluate_kinematics
from mekane.tables import columns as at


def close_at_present(solver, name):
    """Its frame on b, or the values of its equations, become those that it has now. Coordinates that it leaves free
    keep their values."""
    evaluate_kinematics(solver.handle, solver.t, solver.y, solver.workspace.measurement.copy())
    if name in solver.compiled.system.joints:
        close_joint(solver, solver.compiled.system.joints[name])
    else:
        close_constraint(solver, name)


def close_joint(solver, joint):
    poses = poses_of(solver.compiled, solver.workspace)
    first = solver.compiled.discrete.index(f"{joint.name}{FRAME}0")
    place = solver.discrete[first : first + 12]
    now = replace(joint, p_BM=joint.p_BM + joint.R_BM @ place[:3], R_BM=joint.R_BM @ place[3:].reshape(3, 3))
    R_F, p_F, R_M, p_M = joint_frames(joint, poses)
    if any(primitive.kind == "quaternion" for primitive in joint.primitives()):  # a ball turns as it is
        R_FM, p_FM = R_F.T @ joint_frames(now, poses)[2], np.zeros(3)
    else:
        R_FM, p_FM = placed_by_primitives(joint, joint_values(now, poses))
    shift, turn = R_M.T @ (p_F + R_F @ p_FM - p_M), R_M.T @ R_F @ R_FM  # from M to where it closes
    place[:] = np.concatenate([shift, turn.ravel()])


def close_constraint(solver, name):
    compiled = solver.compiled
    first = compiled.discrete.index(f"{name}{OFFSET}0")
    for k, row in enumerate(compiled.pairs.rows_of[name]):
        if compiled.pairs.levels[row] == "position":
            solver.discrete[first + k] += solver.workspace.row[row, at.Y_PHI]
