"""Impulses in joints and constraints, compiled: as hybrid.momentum gives them in Python for events of the model.  (N.8)"""

from mekane.algebra.vectors import add, add_to, cross, mat, put, rotate, scale, sub, sym_times, sym_turned, vec
from mekane.kernels.bodies import mass_properties, pose, six
from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries.calls import evaluate_kinematics
from mekane.solvers.state import NOW
from mekane.tables.columns import (
    B_P,
    B_R,
    B_W,
    KIND,
    PARENT,
    PRIMITIVE_BODY,
    PRIMITIVE_U,
    QUATERNION,
    S_ROTOR,
    S_V,
    S_W,
    TRANSLATION,
)


@kernel(exact=True)
def joint_impulses(T, W, P, C, multipliers, found):
    """found: impulse and angular impulse (about its point) of every tree joint, then of all that has rows, on its body b. After
    speeds have changed by C.change, to those in C.y, by impulses `multipliers` on rows. The workspace is at the speeds before."""
    wrench = W.wrench
    for i in range(W.body.shape[0]):
        for c in range(6):
            C.motion[i, c] = W.body[i, B_W + c]
    evaluate_kinematics(P, C.step_state[NOW], C.y, C.measurement)
    for i in range(W.body.shape[0]):
        receive(T.body_f, W.body, C.motion, wrench, i)
    push_with_rows(C, W.term, wrench, multipliers)
    for i in range(W.body.shape[0] - 1, 0, -1):
        parent, (L, F) = T.body_i[i, PARENT], six(wrench, i)
        arm = sub(vec(W.body, i, B_P), vec(W.body, parent, B_P))
        add_to(wrench, parent, 0, add(L, cross(arm, F)))
        add_to(wrench, parent, 3, F)
    turn_rotors(T.primitive_i, W.speed, C.change, wrench)
    for k in range(C.child.shape[0]):
        i = C.child[k]
        L, F = six(wrench, i)
        if C.swapped[k] == 1:  # what b receives is the opposite
            arm = sub(vec(W.body, i, B_P), vec(W.body, C.place_body[k], B_P))
            L, F = scale(-1.0, add(L, cross(arm, F))), scale(-1.0, F)
        report(C, W.body, k, L, F, found)
    for k in range(C.child.shape[0], C.place_body.shape[0]):
        L, F = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for z in range(C.terms.shape[0]):
            if C.terms[z, 3] == k:
                x = multipliers[C.terms[z, 1]]
                n, f = six(W.term, C.terms[z, 0])
                L, F = add(L, scale(x, n)), add(F, scale(x, f))
        report(C, W.body, k, L, F, found)


@kernel(exact=True)
def receive(body_f, body, motion, wrench, i):
    """The change of momentum of a body, about Bo."""
    (R, _), (m, mc, I) = pose(body, i), mass_properties(body_f, i)
    if i == 0:
        m, mc, I = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    c, w, v = rotate(R, mc), sub(vec(body, i, B_W), vec(motion, i, 0)), sub(vec(body, i, B_W + 3), vec(motion, i, 3))
    put(wrench, i, 0, add(sym_times(sym_turned(R, I), w), cross(c, v)))
    put(wrench, i, 3, sub(scale(m, v), cross(c, w)))


@kernel(exact=True)
def push_with_rows(C, term, wrench, multipliers):
    """Less what rows exert."""
    for z in range(C.terms.shape[0]):
        x, b = -multipliers[C.terms[z, 1]], C.terms[z, 2]
        n, f = six(term, C.terms[z, 0])
        add_to(wrench, b, 0, scale(x, n))
        add_to(wrench, b, 3, scale(x, f))


@kernel(exact=True)
def turn_rotors(primitive_i, speed, change, wrench):
    """As Momentum.of_rotors."""
    for s in range(primitive_i.shape[0]):
        kind, r, i = primitive_i[s, KIND], primitive_i[s, PRIMITIVE_U], primitive_i[s, PRIMITIVE_BODY]
        for k in range(r, r + (3 if kind >= QUATERNION else 1)):
            x = speed[k, S_ROTOR] * change[k]
            if kind == TRANSLATION:
                add_to(wrench, i, 3, scale(x, vec(speed, k, S_V)))
            else:
                add_to(wrench, i, 0, scale(x, vec(speed, k, S_W)))


@kernel(exact=True)
def report(C, body, k, L, F, found):
    """Impulse and angular impulse about place k."""
    arm = rotate(mat(body, C.place_body[k], B_R), vec(C.place_point, k, 0))
    L = sub(L, cross(arm, F))
    for c in range(3):
        found[6 * k + c], found[6 * k + 3 + c] = F[c], L[c]
