"""The impact of one contact along Coulomb's path in its normal impulse p, compiled.  Routh; Darboux and Keller  (N.10), (N.14)

dγ/dp = D (1, −μ d),  d the direction of sliding. Where sliding ends it sticks, or goes on in the one direction in which it can.
Poisson: p ends at (1 + e) times that of compression.   Stronge: the work of expansion is −e² times that of compression.
"""

from typing import NamedTuple

import numpy as np

from mekane.algebra.symmetric import diagonalize
from mekane.errors import SimulationError
from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.turning_path import IMPULSE, NEVER, STOPS, VELOCITY, WORK, follow, scratch

SEGMENTS = 60
STOPPED = 1e-12  # of the first speed
LOCKED = 1e-12  # of the mobility along the normal: what sticks cannot move along it either, as an arm jammed between floor and pin
LEFT = 1e-10  # of the first speed: what sliding that stops leaves of the velocity along the normal, where both end together
STRAIGHT = 1e-13  # relative: a path that does not turn
GENERIC = 0.31  # rad: looks begin where no axis is
LOOKS, TRIES = 180, 200
ENDED, ENDLESS, NO_DIRECTION, TOO_LONG = range(4)
WHY = {
    ENDLESS: "an impact does not end: sliding never stops and the surfaces only approach",
    NO_DIRECTION: "an impact finds no direction in which sliding could go on",
    TOO_LONG: f"an impact has not ended after {SEGMENTS} changes between sliding and sticking",
}


class Path(NamedTuple):
    """An impact of n = 1, 2 or 3 rows under way, normal first."""

    D: np.ndarray  # (3, 3)
    v: np.ndarray  # (3,)
    P: np.ndarray  # (3,)  impulse so far
    heading: np.ndarray  # (3,)  dP/dp
    rate: np.ndarray  # (3,)  dγ/dp
    y: np.ndarray  # (7,)  of a segment that turns
    K: np.ndarray  # for `follow`
    stage: np.ndarray
    new: np.ndarray
    matrix: np.ndarray  # (3, 3)  scratch
    basis: np.ndarray  # (3, 3)


def empty_path():
    zeros = np.zeros
    return Path(
        zeros((3, 3)), zeros(3), zeros(3), zeros(3), zeros(3), zeros(7), *scratch(), zeros((3, 3)), zeros((3, 3))
    )


def impact_of_one(D, v, friction, restitution, law="poisson"):
    """The impulse of one contact, normal first. v: its velocity before."""
    path, n = empty_path(), len(v)
    path.D[:n, :n], path.v[:n] = D, v
    found = follow_path(path, n, float(friction), float(restitution), law == "stronge")
    if found != ENDED:
        raise SimulationError(WHY[found])
    return path.P[:n].copy()


@kernel(exact=True, outer=True)
def follow_path(path, n, friction, restitution, stronge):
    """path.P, of an impact with D and v, n rows, the others zero. Returns ENDED, or why not."""
    v, P, work, expands, pressed, done = path.v, path.P, 0.0, False, 0.0, 0.0
    for i in range(3):
        P[i] = 0.0
    first = np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 1e-300
    for _ in range(SEGMENTS):
        slip = np.hypot(v[1], v[2]) if friction > 0.0 else 0.0
        slides = slip > STOPPED * first
        if not find_heading(path, n, friction, slip, slides):
            return NO_DIRECTION
        apply(path.D, path.heading, path.rate)
        goal = (1.0 - restitution * restitution) * done if stronge else (1.0 + restitution) * pressed
        if not slides and path.rate[0] <= LOCKED * path.D[0, 0]:
            return end_locked(path, 0.0 if stronge else goal - P[0] if expands else restitution * P[0], first)
        if n == 3 and slides and turns(path, slip):
            what = VELOCITY if not expands else WORK if stronge else IMPULSE
            ended, work = turn(path, friction, first, what, goal if expands else 0.0, work)
            if ended == NEVER:
                return ENDLESS
            stopped = ended == STOPS
        else:
            end = until_end(v[0], path.rate[0], work, goal if stronge else goal - P[0], expands, stronge)
            stop = until_stop(path, slip) if slides else np.inf
            stopped, p = stop < end, min(stop, end)
            if not np.isfinite(p):
                return ENDLESS
            work += v[0] * p + 0.5 * path.rate[0] * p * p
            for i in range(3):
                v[i], P[i] = v[i] + p * path.rate[i], P[i] + p * path.heading[i]
        if stopped:
            v[1] = v[2] = 0.0
        elif expands or restitution == 0.0:
            return ENDED
        else:
            v[0], expands, pressed, done = 0.0, True, P[0], work
    return TOO_LONG


@kernel(exact=True)
def end_locked(path, left, first):
    """What sticks and can move no more ends as it is, by any law; Poisson's impulse that is left moves nothing."""
    if path.v[0] < -LEFT * first * (1.0 + abs(path.heading[1]) + abs(path.heading[2])):
        return ENDLESS
    for i in range(3):
        path.v[i], path.P[i] = 0.0, path.P[i] + left * path.heading[i]
    return ENDED


@kernel(exact=True)
def apply(D, x, found):
    for i in range(3):
        found[i] = D[i, 0] * x[0] + D[i, 1] * x[1] + D[i, 2] * x[2]


@kernel(exact=True)
def find_heading(path, n, friction, slip, slides):
    """path.heading; False if there is none."""
    heading, D = path.heading, path.D
    heading[0], heading[1], heading[2] = 1.0, 0.0, 0.0
    if n == 1 or friction == 0.0:
        return True
    if slides:
        heading[1], heading[2] = -friction * path.v[1] / slip, -friction * path.v[2] / slip
        return True
    if n == 2:
        heading[1] = -D[1, 0] / D[1, 1]
        if abs(heading[1]) > friction:
            heading[1] = np.copysign(friction, heading[1])
        return True
    determinant = D[1, 1] * D[2, 2] - D[1, 2] * D[2, 1]
    heading[1] = -(D[2, 2] * D[1, 0] - D[1, 2] * D[2, 0]) / determinant
    heading[2] = -(D[1, 1] * D[2, 0] - D[2, 1] * D[1, 0]) / determinant
    return np.hypot(heading[1], heading[2]) <= friction or find_invariant(path, friction)


@kernel(exact=True)
def turns(path, slip):
    """Whether the direction of sliding changes on the way."""
    x, y = path.v[1] / slip, path.v[2] / slip
    a, b = path.rate[1], path.rate[2]
    return abs(x * b - y * a) > STRAIGHT * np.hypot(a, b)


@kernel(exact=True)
def until_stop(path, slip):
    """Impulse after which sliding ends; infinite if it does not."""
    along = (path.rate[1] * path.v[1] + path.rate[2] * path.v[2]) / slip
    return -slip / along if along < 0.0 else np.inf


@kernel(exact=True)
def until_end(v, rate, work, left, expands, stronge):
    """Impulse left to the end of compression, or of the impact, if nothing changes before. v, rate: of the normal; left: impulse
    that is left of expansion, or the work at its end."""
    if not expands:
        return -v / rate if rate > 0.0 else np.inf
    if not stronge:
        return left
    excess = work - left  # work + v p + rate p²/2 = (1 − e²) work of compression
    if rate == 0.0:
        return -excess / v
    return (-v + np.sqrt(max(v * v - 2.0 * rate * excess, 0.0))) / rate


@kernel(exact=True)
def turn(path, friction, first, what, goal, work):
    """Sliding whose direction turns, up to its end or to that of the phase. Returns what `follow` does, and the work."""
    trace = 0.0
    for i in range(3):
        trace += path.D[i, i]
        path.y[i], path.y[3 + i] = path.v[i], path.P[i]
        for j in range(3):
            path.matrix[i, j] = path.D[i, j]
    path.y[6] = work
    diagonalize(3, path.matrix, path.basis)
    least = min(path.matrix[0, 0], path.matrix[1, 1], path.matrix[2, 2])
    far = 100.0 * first / max(least, 1e-12 * trace)
    ended = follow(path.D, friction, path.y, first, what, goal, far, path.K, path.stage, path.new)
    for i in range(3):
        path.v[i], path.P[i] = path.y[i], path.y[3 + i]
    return ended, path.y[6]


@kernel(exact=True)
def across(path, friction, x):
    """Change of the velocity across the direction at angle x, which slides there; path.rate: the whole change."""
    c, s = np.cos(x), np.sin(x)
    path.heading[1], path.heading[2] = -friction * c, -friction * s
    apply(path.D, path.heading, path.rate)
    return c * path.rate[2] - s * path.rate[1]


@kernel(exact=True)
def find_invariant(path, friction):
    """path.heading: against the direction in which sliding that has stopped goes on: along its own change."""
    size = 2.0 * np.pi / LOOKS
    before = across(path, friction, GENERIC)
    for i in range(LOOKS):
        after = across(path, friction, GENERIC + (i + 1) * size)
        if before * after <= 0.0:
            x = root_across(path, friction, GENERIC + i * size, GENERIC + (i + 1) * size, before, after)
            across(path, friction, x)
            if path.rate[1] * np.cos(x) + path.rate[2] * np.sin(x) > 0.0:
                return True
        before = after
    return False


@kernel(exact=True)
def root_across(path, friction, a, b, fa, fb):
    """Regula falsi (Illinois), to neighbouring floats; fa and fb have different signs, or one is zero."""
    if fa == 0.0:
        return a
    for k in range(TRIES):
        if fb == 0.0 or abs(b - a) <= 4e-16 * max(abs(a), abs(b)):
            return b
        x = 0.5 * (a + b) if k % 4 == 3 else b - fb * (b - a) / (fb - fa)
        if x == a or x == b:
            x = 0.5 * (a + b)
        fx = across(path, friction, x)
        if fx * fb < 0.0:
            a, fa = b, fb
        else:
            fa *= 0.5
        b, fb = x, fx
    return b
