"""Functions of a state, each a list of recursions:  M(q) ud + bias(q, u, t) = tau  (E.3).

Where a model has laws their forces are part of bias; `memory` holds the controller states that laws read, `power` is
scratch for their rates.
"""

from math import sqrt

from mekane.kernels.articulated_body import body_inertia_and_bias, inward_pass, outward_pass
from mekane.kernels.kinematics import forward_kinematics
from mekane.kernels.mass_matrix import compose, mass_matrix
from mekane.kernels.rhs import apply_laws, evaluate_measurements, solve_multipliers
from mekane.kernels.tree.newton_euler import accelerations_and_wrenches, joint_wrenches
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import KIND, PRIMITIVE_Q, QUATERNION, S_TAU
from mekane.tables.tables import N_ACTIVE


@kernel
def move(T, W, t, q, u, memory, power):
    """Bodies and laws at a state."""
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    if T.input_i.shape[0] > 0 or T.code.shape[0] > 0 or T.action_i.shape[0] > 0 or T.pair_i.shape[0] > 0:
        evaluate_measurements(T, W, t, q, u)
        apply_laws(T, W, t, q, u, memory, power)


@kernel
def unit_parameters(T, q, own):
    """A copy of the coordinates, in which Euler parameters have unit length."""
    for k in range(own.shape[0]):
        own[k] = q[k]
    for s in range(T.primitive_i.shape[0]):
        if T.primitive_i[s, KIND] >= QUATERNION:
            k = T.primitive_i[s, PRIMITIVE_Q]
            length = sqrt(own[k] ** 2 + own[k + 1] ** 2 + own[k + 2] ** 2 + own[k + 3] ** 2)
            for c in range(4):
                own[k + c] /= length


@kernel
def tree_forces(T, W, t, q, u, ud, memory, power, tau):
    """tau = M(q) ud + bias(q, u, t)"""
    move(T, W, t, q, u, memory, power)
    accelerations_and_wrenches(T, W.body, W.speed, W.wrench, ud)
    joint_wrenches(T, W.body, W.speed, W.wrench, ud, tau)


@kernel
def tree_mass_matrix(T, W, q, u, M):
    """M(q); u is not used but must be there."""
    for r in range(M.shape[0]):
        for s in range(M.shape[1]):
            M[r, s] = 0.0
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    compose(T.body_i, T.body_f, W.body)
    mass_matrix(T.body_i, T.speed_kind, W.body, W.speed, M)


@kernel
def accelerations(T, W, t, q, u, tau, memory, power, ud):
    """ud of M(q) ud + bias(q, u, t) = tau, with the active constraint rows."""
    for r in range(W.speed.shape[0]):
        W.speed[r, S_TAU] = 0.0
    move(T, W, t, q, u, memory, power)
    for r in range(W.speed.shape[0]):
        W.speed[r, S_TAU] += tau[r]
    body_inertia_and_bias(T.body_f, W.body)
    inward_pass(T.body_i, T.speed_kind, W.body, W.speed)
    outward_pass(T.body_i, T.speed_kind, W.body, W.speed, ud)
    if W.state[N_ACTIVE] > 0:
        solve_multipliers(T, W)
        outward_pass(T.body_i, T.speed_kind, W.body, W.speed, ud)
