"""Sliding whose direction turns during an impact, integrated over the normal impulse p, compiled.  (N.10)

y: velocity (3), impulse (3), work of the normal force. A step in which sliding stops or the phase ends is taken again, shorter,
until it ends there.
"""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.solvers.integrators.dop853 import method

A, B, ERRORS = np.ascontiguousarray(method.A[: len(method.b)]), method.b, method.error
STAGES, N = len(B), 7
RTOL, ATOL = 1e-12, 1e-14  # the second: of the first speed
STOPPED = 1e-11  # of the first speed
STEPS, HALVINGS = 20000, 120
VELOCITY, IMPULSE, WORK = range(3)  # what ends a phase: v_N, P_N or the work reaches its end
NEVER, STOPS, ENDS = range(3)


def scratch():
    """For `follow`: slopes, stage, new state."""
    return np.zeros((STAGES, N)), np.zeros(N), np.zeros(N)


@kernel(exact=True)
def slope(D, mu, y, k):
    size = max(np.hypot(y[1], y[2]), 1e-300)
    k[3], k[4], k[5], k[6] = 1.0, -mu * y[1] / size, -mu * y[2] / size, y[0]
    for i in range(3):
        k[i] = D[i, 0] * k[3] + D[i, 1] * k[4] + D[i, 2] * k[5]


@kernel(exact=True)
def take(D, mu, y, h, first, K, stage, new):
    """One step into `new`. Returns its error over the tolerance."""
    slope(D, mu, y, K[0])
    for i in range(1, STAGES):
        for m in range(N):
            stage[m] = y[m]
            for j in range(i):
                stage[m] += h * A[i, j] * K[j, m]
        slope(D, mu, stage, K[i])
    fine, coarse = 0.0, 0.0
    for m in range(N):
        new[m], a, b = y[m], 0.0, 0.0
        for j in range(STAGES):
            new[m] += h * B[j] * K[j, m]
            a += ERRORS[0, j] * K[j, m]
            b += ERRORS[1, j] * K[j, m]
        scale = ATOL * first + RTOL * max(abs(y[m]), abs(new[m]))
        fine, coarse = fine + (a / scale) ** 2, coarse + (b / scale) ** 2
    return abs(h) * fine / np.sqrt((fine + 0.01 * coarse) * N) if fine > 0.0 else 0.0


@kernel(exact=True)
def left(y, first, what, goal):
    """How much is left to the stop and to the end of the phase: positive before."""
    now = y[0] if what == VELOCITY else y[3] if what == IMPULSE else y[6]
    return np.hypot(y[1], y[2]) - STOPPED * first, goal - now


@kernel(exact=True, outer=True)
def follow(D, mu, y, first, what, goal, far, K, stage, new):
    """y goes on until sliding STOPS or the phase ENDS; NEVER: it does neither before p = far."""
    p, h = 0.0, 1e-3 * far
    for _ in range(STEPS):
        last = what == IMPULSE and h >= goal - y[3]
        if last:
            h = goal - y[3]
        error = take(D, mu, y, h, first, K, stage, new)
        if not error < 1.0:
            h *= max(0.2, 0.9 * error ** (-1.0 / 8.0)) if np.isfinite(error) else 0.2
            continue
        stop, end = left(new, first, what, goal)
        if stop <= 0.0 or (end <= 0.0 and not last):
            return land(D, mu, y, h, first, what, goal, K, stage, new)
        p += h
        for m in range(N):
            y[m] = new[m]
        if last:
            return ENDS
        if p > far:
            return NEVER
        h *= min(5.0, 0.9 * error ** (-1.0 / 8.0)) if error > 0.0 else 5.0
    return NEVER


@kernel(exact=True)
def land(D, mu, y, h, first, what, goal, K, stage, new):
    """The last step, ended where sliding stops or the phase ends."""
    low, high = 0.0, h
    stops = left(new, first, what, goal)[0] <= 0.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if high - low <= 2e-16 * high:
            break
        take(D, mu, y, middle, first, K, stage, new)
        stop, end = left(new, first, what, goal)
        if stop <= 0.0 or end <= 0.0:
            high, stops = middle, stop <= 0.0
        else:
            low = middle
    take(D, mu, y, high, first, K, stage, new)
    for m in range(N):
        y[m] = new[m]
    return STOPS if stops else ENDS
