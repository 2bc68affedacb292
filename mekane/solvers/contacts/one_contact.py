"""The force of one contact where all others are as they are, compiled: exact also where friction presses or lifts as much as the
normal force does, and forces found in turns would never settle.  (N.9)

With a given normal force friction is the smallest of a quadratic form over a disc, which is unique; so the velocity along the normal
is a function of the normal force alone, and where it is negative without one it has a root. Where that is many, as of an arm on a
pin, which friction holds as well as the normal force does, the smallest is taken: the one that sliding comes to.
"""

import numpy as np

from mekane.numba_backend.kernel import kernel

STEPS = 100  # at most, of iterations that nearly always take a few
EXACT = 1e-16  # relative
ROUND_OFF = 1e-14  # of what a velocity is the sum of
BESIDE = 1e-6  # of a normal force: so much smaller ones are looked at, whether they do as well
FLAT = 1e-14  # of the larger stiffness along the tangents: the smaller one counts as so much at least


@kernel(exact=True)
def friction_within(a, b, c, p, q, most):
    """Friction (x, y) of at most this size with A (x, y) + (p, q) = −s (x, y), s ≥ 0 and zero where it is less: it stops, or opposes what
    is left of sliding. A: a, b, c."""
    half, mean = 0.5 * (a - c), 0.5 * (a + c)
    r = np.sqrt(half * half + b * b)
    first, second = mean + r, max(mean - r, FLAT * (mean + r))
    if not first > 0.0:
        return 0.0, 0.0
    x, y = (half + r, b) if half >= 0.0 else (b, r - half)
    size = np.sqrt(x * x + y * y)
    x, y = (x / size, y / size) if size > 0.0 else (1.0, 0.0)
    u, v = -(p * x + q * y), p * y - q * x  # along the axes of A
    s = root_of_size(u, v, first, second, most)
    if s < 0.0:
        return 0.0, 0.0
    u, v = u / (first + s), v / (second + s)
    share = most / np.sqrt(u * u + v * v) if s > 0.0 else 1.0
    return share * (u * x - v * y), share * (u * y + v * x)


@kernel(exact=True)
def root_of_size(u, v, first, second, most):
    """s with |(u / (first + s), v / (second + s))| = most, zero where that is less; −1 where most is. Newton's method on one over it
    goes there from one side."""
    s = 0.0
    for _ in range(STEPS):
        x, y = u / (first + s), v / (second + s)
        size = np.sqrt(x * x + y * y)
        if size <= most * (1.0 + EXACT):
            return s
        if not most > 0.0:
            return -1.0
        change = (size - most) / most * size * size / (x * x / (first + s) + y * y / (second + s))
        if s + change == s:
            return s
        s += change
    return s


@kernel(exact=True)
def normal_velocity(W, q, friction, n):
    """Along the normal, with this normal force and the friction that goes with it; then the friction."""
    x, y = friction_within(W[1, 1], W[1, 2], W[2, 2], q[1] + W[1, 0] * n, q[2] + W[2, 0] * n, friction * max(n, 0.0))
    return q[0] + W[0, 0] * n + W[0, 1] * x + W[0, 2] * y, x, y


@kernel(exact=True)
def force_of_one(W, q, friction, floor):
    """Normal force ≥ floor and friction of a contact with compliances W (3, 3), normal first, and velocities q without its force."""
    if not W[0, 0] > 0.0:
        return max(floor, 0.0), 0.0, 0.0
    if floor < 0.0 and q[0] >= 0.0:
        return max(floor, -q[0] / W[0, 0]), 0.0, 0.0
    low = max(floor, 0.0)
    v_low, x, y = normal_velocity(W, q, friction, low)
    if v_low >= 0.0:
        return low, x, y
    step = -v_low / W[0, 0]
    high = low + step
    v_high, x, y = normal_velocity(W, q, friction, high)
    for _ in range(STEPS):
        if v_high >= -round_off(W, q, high, x, y):
            break
        low, v_low, step = high, v_high, 2.0 * step
        high += step
        v_high, x, y = normal_velocity(W, q, friction, high)
    n = first_of_many(W, q, friction, low, root_between(W, q, friction, low, high, v_low, v_high))
    _, x, y = normal_velocity(W, q, friction, n)
    return n, x, y


@kernel(exact=True)
def round_off(W, q, n, x, y):
    """Of the velocity along the normal."""
    return ROUND_OFF * (abs(q[0]) + abs(W[0, 0] * n) + abs(W[0, 1] * x) + abs(W[0, 2] * y))


@kernel(exact=True)
def first_of_many(W, q, friction, low, root):
    """The smallest normal force that leaves no velocity, if those a little smaller than this root leave none either. low leaves some."""
    high = (1.0 - BESIDE) * root
    if high <= low or not stops(W, q, friction, high):
        return root
    for _ in range(STEPS):
        n = 0.5 * (low + high)
        if not low < n < high:
            break
        if stops(W, q, friction, n):
            high = n
        else:
            low = n
    return high


@kernel(exact=True)
def stops(W, q, friction, n):
    v, x, y = normal_velocity(W, q, friction, n)
    return v >= -round_off(W, q, n, x, y)


@kernel(exact=True)
def root_between(W, q, friction, low, high, v_low, v_high):
    """The normal force at which the velocity vanishes: by the regula falsi of Illinois, halving where that does not shorten the
    interval."""
    n, side = high, 0
    for i in range(STEPS):
        if v_high <= 0.0 or high - low <= EXACT * high:
            return high
        n = (low * v_high - high * v_low) / (v_high - v_low)
        if i % 4 == 3 or not low < n < high:
            n = 0.5 * (low + high)
        if not low < n < high:
            return high
        v, _, _ = normal_velocity(W, q, friction, n)
        if v == 0.0:
            return n
        if v > 0.0:
            v_low = 0.5 * v_low if side == 1 else v_low
            high, v_high, side = n, v, 1
        else:
            v_high = 0.5 * v_high if side == -1 else v_high
            low, v_low, side = n, v, -1
    return n
