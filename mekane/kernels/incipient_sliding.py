"""Incipient sliding in space: so slow that friction turns it into the direction of the load at once.

The direction d of sliding follows its equation  s dθ/dt = γ̇_T·n  (s the speed, n across d), whose right side is of the size of
gravity: the slower, the stiffer. As s goes to zero what remains is

    γ̇_T(d) = a d,    λ_T = −μ λ_N d                                                                           (N.7)

two equations for a and for the angle of d, solved here by Newton's method together with the sizes of friction (N.4). The
tangential rows have multipliers, as if it stuck; their accelerations a d are added to what they answer. What is
neglected, s dθ/dt, moves the velocity by s² (dθ/dt)/(turning rate): the time loop compares that with its tolerance.
"""

import numpy as np

from mekane.algebra.scalar import less, select, zero_like
from mekane.kernels.contact_modes import is_incipient, is_unknown, rubs, where_rubs
from mekane.kernels.multipliers import solve
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    C_DIRECTION,
    C_FRICTION,
    C_PRESSED,
    C_TANGENT,
    C_TANGENTS,
    I_ALONG,
    I_FIRST_X,
    I_FIRST_Y,
    I_FX,
    I_FY,
    I_KEPT,
    I_TURNS,
    I_X,
    I_Y,
    ROW_PATH,
    S_DI,
)
from mekane.tables.tables import REFINEMENTS, V_LAM, V_PIVOT, V_RESIDUAL, V_RIGHT

LARGEST = 0.5  # rad, in one iteration


@kernel
def begin_along(T, W, e):
    """Newton begins along the direction where the step began, or else the one known."""
    x, y, d = W.incipient[e, I_FIRST_X], W.incipient[e, I_FIRST_Y], T.contact_i[e, C_DIRECTION]
    known = less(0.5, x * x + y * y)
    W.incipient[e, I_X], W.incipient[e, I_Y] = select(known, x, W.r[d]), select(known, y, W.r[d + 1])
    W.incipient[e, I_ALONG] = zero_like(x)


@kernel
def respond_to_tangents(T, W, e):
    """W.response[e] and [n + e]: scaled multipliers that unit accelerations of the two tangential rows call up."""
    first, n, right = T.contact_i[e, C_TANGENT], T.contact_i.shape[0], W.vectors[V_RIGHT]
    for i in range(2):
        for y in range(right.shape[0]):
            right[y] = zero_like(W.scale[y])
        right[first + i] = W.scale[first + i]
        answer = W.response[e + i * n]
        solve(
            W.active, T.d_start, T.d_row, T.l_start, T.l_row, W.D, W.L, W.vectors[V_PIVOT], W.state[REFINEMENTS], right, answer,
            W.vectors[V_RESIDUAL],
        )  # fmt: skip


@kernel
def per_unit(T, W, k, y):
    """What unknown k of the sizes adds to the scaled multiplier of row y, per unit."""
    n = T.contact_i.shape[0]
    e = k - n if k >= n else k
    if not is_incipient(W, e):
        return W.response[k, y]
    c, s, first, second = W.incipient[e, I_X], W.incipient[e, I_Y], W.response[e, y], W.response[n + e, y]
    if k >= n:
        return W.incipient[e, I_ALONG] * (c * second - s * first)
    return c * first + s * second


@kernel
def keep_friction(T, W):
    """Friction of what begins to slide, with the sizes and accelerations that were found last."""
    n = T.contact_i.shape[0]
    for e in range(n):
        if is_incipient(W, e):
            for i in range(2):
                y = T.contact_i[e, C_TANGENT] + i
                total = W.vectors[V_LAM, y]
                for j in range(n):
                    if is_unknown(T, W, j):
                        total = total + W.sizes[j, 2 * n] * per_unit(T, W, j, y)
                W.incipient[e, I_FX + i] = W.scale[y] * total


@kernel
def write_direction_equations(T, W, e):
    """λ_T·d + μ λ_N = 0 and λ_T·n = 0 at the next a and θ, linear in them."""
    n, lam, scale, first = T.contact_i.shape[0], W.vectors[V_LAM], W.scale, T.contact_i[e, C_TANGENT]
    N, mu, c, s = T.contact_i[e, C_PRESSED], W.r[T.contact_i[e, C_FRICTION]], W.incipient[e, I_X], W.incipient[e, I_Y]
    for k in range(2 * n):
        W.sizes[e, k] = W.sizes[n + e, k] = zero_like(mu)
        if is_unknown(T, W, k):
            x, y = scale[first] * per_unit(T, W, k, first), scale[first + 1] * per_unit(T, W, k, first + 1)
            W.sizes[e, k] = c * x + s * y + mu * scale[N] * per_unit(T, W, k, N)
            W.sizes[n + e, k] = c * y - s * x
    x, y = scale[first] * lam[first], scale[first + 1] * lam[first + 1]
    W.sizes[e, 2 * n] = -(c * x + s * y + mu * scale[N] * lam[N])
    W.sizes[n + e, 2 * n] = s * x - c * y
    stiff = W.sizes[e, e] - mu * scale[N] * per_unit(T, W, e, N)
    W.incipient[e, I_KEPT] = stiff / (scale[first] * scale[first])
    x, y = W.incipient[e, I_FX], W.incipient[e, I_FY]
    W.sizes[e, n + e] = W.sizes[e, n + e] + c * y - s * x
    W.sizes[n + e, n + e] = W.sizes[n + e, n + e] - c * x - s * y


@kernel
def turn(T, W):
    """The next directions and accelerations."""
    n = T.contact_i.shape[0]
    for e in range(n):
        if is_incipient(W, e):
            by = W.sizes[n + e, 2 * n]
            by = select(
                less(LARGEST, by), LARGEST + zero_like(by), select(less(by, -LARGEST), -LARGEST + zero_like(by), by)
            )
            c, s, x, y = np.cos(by), np.sin(by), W.incipient[e, I_X], W.incipient[e, I_Y]
            W.incipient[e, I_X], W.incipient[e, I_Y] = c * x - s * y, s * x + c * y
            W.incipient[e, I_ALONG] = W.sizes[e, 2 * n]


@kernel
def measure_turning(T, W):
    """W.incipient: speed times the rate with which friction turns directions of sliding in space."""
    n = T.contact_i.shape[0]
    for e in range(n):
        if T.contact_i[e, C_TANGENTS] < 2:
            continue
        if is_incipient(W, e):
            x, y, first = W.incipient[e, I_X], W.incipient[e, I_Y], T.contact_i[e, C_TANGENT]
            pressed = W.scale[T.contact_i[e, C_PRESSED]] * normal_multiplier(T, W, e)
            across = W.scale[first + 1] * (x * W.response[n + e, first + 1] - y * W.response[e, first + 1]) * x
            across = across - W.scale[first] * (x * W.response[n + e, first] - y * W.response[e, first]) * y
            W.incipient[e, I_TURNS] = W.incipient[e, I_ALONG] + W.r[T.contact_i[e, C_FRICTION]] * pressed / across
        elif rubs(T, W, e):
            turns = W.sizes[e, 2 * n] * across_mobility(T, W, e)
            W.incipient[e, I_TURNS] = where_rubs(W, e, turns, W.incipient[e, I_TURNS])


@kernel
def normal_multiplier(T, W, e):
    """The scaled normal multiplier with all friction."""
    n, N = T.contact_i.shape[0], T.contact_i[e, C_PRESSED]
    total = W.vectors[V_LAM, N]
    for j in range(n):
        if rubs(T, W, j) or is_incipient(W, j):
            total = total + W.sizes[j, 2 * n] * per_unit(T, W, j, N)
    return total


@kernel
def pressed_by_normal(T, W, e):
    """How much of a normal force presses the contact, beside what the friction that goes with it lifts: 1 − μ D_Nd / D_NN. At zero
    sliding jams. D of these rows is the inverse of what accelerations call up."""
    n, N, first = T.contact_i.shape[0], T.contact_i[e, C_PRESSED], T.contact_i[e, C_TANGENT]
    x, y, by_first, by_second = W.incipient[e, I_X], W.incipient[e, I_Y], W.response[e], W.response[n + e]
    a, b = W.scale[first] * by_first[first], W.scale[first] * by_second[first]
    c, d = W.scale[first + 1] * by_first[first + 1], W.scale[first + 1] * by_second[first + 1]
    p, q, friction = W.scale[N] * by_first[N], W.scale[N] * by_second[N], W.r[T.contact_i[e, C_FRICTION]]
    return share_that_presses(friction, a, b, c, d, p, q, x, y)


@kernel
def share_that_presses(friction, a, b, c, d, p, q, x, y):
    """The same from forces that unit accelerations along the tangents call up: a, b and c, d along these, p, q along the normal.
    (x, y): direction of sliding."""
    return 1.0 + friction * (p * (d * x - b * y) + q * (a * y - c * x)) / (a * d - b * c)


@kernel
def across_mobility(T, W, e):
    """Acceleration across the direction of sliding by unit force there, constraints left out. Needs E and the direction as
    `rub` left them."""
    first, x, y = T.contact_i[e, C_TANGENT], W.incipient[e, I_X], W.incipient[e, I_Y]
    total, j = zero_like(x), T.row_i[first, ROW_PATH]
    if T.row_i[first + 1, ROW_PATH] != j:
        return total
    for s in range(T.speed_start[j + 1] - T.speed_start[j]):
        r = T.path_speed[T.speed_start[j] + s]
        across = x * W.E[T.e_start[first + 1] + s] - y * W.E[T.e_start[first] + s]
        total = total + across * across * W.speed[r, S_DI]
    return total
