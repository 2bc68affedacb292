"""Forces from accelerations, body by body: inertia forces outward, joint wrenches inward.  (E.2)

The inertia of a body is used in its own axes, where it is constant: nothing is turned but its angular velocity and
acceleration.
"""

from mekane.algebra.vectors import add, cross, dot, rotate, rotate_back, scale, sub, sym_times
from mekane.kernels.bodies import (
    acceleration,
    add_six,
    applied_wrench,
    bias_acceleration,
    from_parent,
    mass_properties,
    partial_velocity,
    pose,
    put_six,
    six,
    twist,
)
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import B_A, B_AL, PARENT, PURE_ROTATION, S_ROTOR, S_TAU, SPEED0, SPEED1


@kernel
def accelerations_and_wrenches(T, body, speed, wrench, ud):
    """Accelerations outward for these ud, and into `wrench` what each body needs for its own: moment about Bo and force,
    less the applied ones. Needs `forward_kinematics`."""
    for i in range(1, body.shape[0]):
        d, (al, a), (alb, ab) = (
            from_parent(body, i),
            acceleration(body, T.body_i[i, PARENT]),
            bias_acceleration(body, i),
        )
        a = add(add(a, cross(al, d)), ab)
        al = add(al, alb)
        for r in range(T.body_i[i, SPEED0], T.body_i[i, SPEED1]):
            w_r, v_r = partial_velocity(speed, r)
            al = add(al, scale(ud[r], w_r))
            if T.speed_kind[r] != PURE_ROTATION:
                a = add(a, scale(ud[r], v_r))
        for c in range(3):
            body[i, B_AL + c] = al[c]
            body[i, B_A + c] = a[c]
        inertia_wrench(T.body_f, body, wrench, i, al, a)


@kernel(inline=True)
def inertia_wrench(body_f, body, wrench, i, al, a):
    """(E.2) about Bo, in N axes, less the applied wrench."""
    (R, _), (w, _), (m, mc, I), (moment, force) = (
        pose(body, i),
        twist(body, i),
        mass_properties(body_f, i),
        applied_wrench(body, i),
    )
    w_B, al_B, a_B = rotate_back(R, w), rotate_back(R, al), rotate_back(R, a)
    n = add(add(sym_times(I, al_B), cross(w_B, sym_times(I, w_B))), cross(mc, a_B))
    f = add(scale(m, a_B), add(cross(al_B, mc), cross(w_B, cross(w_B, mc))))
    put_six(wrench, i, sub(rotate(R, n), moment), sub(rotate(R, f), force))


@kernel
def joint_wrenches(T, body, speed, wrench, ud, tau):
    """Inward: the wrench each joint carries, and its part along every speed that no law supplies."""
    for i in range(body.shape[0] - 1, 0, -1):
        (n, f), k = six(wrench, i), T.body_i[i, PARENT]
        for r in range(T.body_i[i, SPEED0], T.body_i[i, SPEED1]):
            w_r, v_r = partial_velocity(speed, r)
            tau[r] = dot(w_r, n) + speed[r, S_ROTOR] * ud[r] - speed[r, S_TAU]
            if T.speed_kind[r] != PURE_ROTATION:
                tau[r] += dot(v_r, f)
        if k > 0:
            add_six(wrench, k, add(n, cross(from_parent(body, i), f)), f)
