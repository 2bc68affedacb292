"""Accessors: a body, a speed and a wrench by name, in the rows of tables and workspace. The recursions read and write
through them; `mekane.tables.columns` lists the columns."""

from mekane.algebra.vectors import add_to, mat, put, put_mat, put_sym, sym, vec
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    B_A,
    B_AB,
    B_AL,
    B_ALB,
    B_D,
    B_F,
    B_FX,
    B_H,
    B_J,
    B_M,
    B_N,
    B_P,
    B_R,
    B_TX,
    B_V,
    B_W,
    S_UV,
    S_UW,
    S_V,
    S_W,
    T_I,
    T_MASS,
    T_MC,
    T_P_PF,
    T_R_PF,
)

# ---------------------------------------------------------------- constants of a body


@kernel
def joint_frame(body_f, i):
    """R_PF and p_PF: axes and origin of the joint frame on the parent."""
    return mat(body_f, i, T_R_PF), vec(body_f, i, T_P_PF)


@kernel
def mass_properties(body_f, i):
    """Mass, mass × position of the mass centre, inertia about Bo; in B."""
    return body_f[i, T_MASS], vec(body_f, i, T_MC), sym(body_f, i, T_I)


# ---------------------------------------------------------------- motion of a body


@kernel
def pose(body, i):
    """R_NB and p_NB."""
    return mat(body, i, B_R), vec(body, i, B_P)


@kernel
def put_pose(body, i, R, p):
    put_mat(body, i, B_R, R)
    put(body, i, B_P, p)


@kernel
def twist(body, i):
    """w_NB and v_NB."""
    return vec(body, i, B_W), vec(body, i, B_V)


@kernel
def put_twist(body, i, w, v):
    put(body, i, B_W, w)
    put(body, i, B_V, v)


@kernel
def from_parent(body, i):
    """p_NB − p_NP."""
    return vec(body, i, B_D)


@kernel
def bias_acceleration(body, i):
    """alpha_NB and a_NB with every ud and the parent's accelerations zero."""
    return vec(body, i, B_ALB), vec(body, i, B_AB)


@kernel
def put_joint_motion(body, i, d, alpha, a):
    """p_NB − p_NP and the bias acceleration."""
    put(body, i, B_D, d)
    put(body, i, B_ALB, alpha)
    put(body, i, B_AB, a)


@kernel
def acceleration(body, i):
    """alpha_NB and a_NB − gravity."""
    return vec(body, i, B_AL), vec(body, i, B_A)


@kernel
def put_acceleration(body, i, alpha, a):
    put(body, i, B_AL, alpha)
    put(body, i, B_A, a)


# ---------------------------------------------------------------- inertia and forces of a body


@kernel
def inertia(body, i):
    """Rotational part about Bo, coupling and translational part: rigid, or articulated after the inward pass."""
    return sym(body, i, B_J), mat(body, i, B_H), sym(body, i, B_M)


@kernel
def put_inertia(body, i, J, H, M):
    put_sym(body, i, B_J, J)
    put_mat(body, i, B_H, H)
    put_sym(body, i, B_M, M)


@kernel
def bias_force(body, i):
    """Moment about Bo and force at zero acceleration, applied ones subtracted."""
    return vec(body, i, B_N), vec(body, i, B_F)


@kernel
def put_bias_force(body, i, n, f):
    put(body, i, B_N, n)
    put(body, i, B_F, f)


@kernel
def add_bias_force(body, i, n, f):
    add_to(body, i, B_N, n)
    add_to(body, i, B_F, f)


@kernel
def applied_wrench(body, i):
    """Applied moment about Bo and force."""
    return vec(body, i, B_TX), vec(body, i, B_FX)


@kernel
def add_applied_wrench(body, i, n, f):
    add_to(body, i, B_TX, n)
    add_to(body, i, B_FX, f)


# ---------------------------------------------------------------- speeds, and wrenches of their own


@kernel
def partial_velocity(speed, r):
    """w_r and v_r at Bo."""
    return vec(speed, r, S_W), vec(speed, r, S_V)


@kernel
def inertia_column(speed, r):
    """U_r = IA S_r of (E.4): moment and force."""
    return vec(speed, r, S_UW), vec(speed, r, S_UV)


@kernel
def put_inertia_column(speed, r, Uw, Uv):
    put(speed, r, S_UW, Uw)
    put(speed, r, S_UV, Uv)


@kernel
def six(table, i):
    """A row of six: moment and force, or angular and linear motion."""
    return vec(table, i, 0), vec(table, i, 3)


@kernel
def put_six(table, i, a, b):
    put(table, i, 0, a)
    put(table, i, 3, b)


@kernel
def add_six(table, i, a, b):
    add_to(table, i, 0, a)
    add_to(table, i, 3, b)
