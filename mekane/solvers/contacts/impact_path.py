"""The impact of one contact along Coulomb's path in its normal impulse p.  Routh; Darboux and Keller  (N.10), (N.14)

dγ/dp = D (1, −μ d),  d the direction of sliding. Where sliding ends it sticks, or goes on in the one direction in which it can.
Poisson: p ends at (1 + e) times that of compression.   Stronge: the work of expansion is −e² times that of compression.
"""

from dataclasses import dataclass, field

import numpy as np

from mekane.errors import SimulationError
from mekane.solvers.contacts.roots import bracketed_root
from mekane.solvers.contacts.turning_path import IMPULSE, NEVER, STOPS, VELOCITY, WORK, follow, scratch

SEGMENTS = 60
STOPPED = 1e-12  # of the first speed
STRAIGHT = 1e-13  # relative: a path that does not turn
GENERIC = 0.31  # rad: looks begin where no axis is
LOOKS = 180


@dataclass
class Path:
    """An impact under way: velocity v (normal first), impulse P, work of the normal force so far."""

    D: np.ndarray
    v: np.ndarray
    friction: float
    P: np.ndarray = field(init=False)
    work: float = 0.0

    def __post_init__(self):
        self.v, self.P = np.array(self.v, float), np.zeros(len(self.v))
        self.first = float(np.linalg.norm(self.v)) + 1e-300

    @property
    def slip(self):
        return float(np.linalg.norm(self.v[1:])) if self.friction > 0.0 else 0.0

    @property
    def slides(self):
        return self.slip > STOPPED * self.first

    def heading(self):
        """dP/dp."""
        n = len(self.v)
        if n == 1 or self.friction == 0.0:
            return np.eye(n)[0]
        if self.slides:
            return np.append(1.0, -self.friction * self.v[1:] / self.slip)
        sticking = -np.linalg.solve(self.D[1:, 1:], self.D[1:, 0])
        size = np.linalg.norm(sticking)
        if size <= self.friction:
            return np.append(1.0, sticking)
        if n == 2:
            return np.append(1.0, self.friction * sticking / size)
        return np.append(1.0, -self.friction * invariant_direction(self.D, self.friction))

    def turns(self, heading):
        """Whether the direction of sliding changes on the way."""
        if len(self.v) < 3 or not self.slides:
            return False
        change, d = (self.D @ heading)[1:], self.v[1:] / self.slip
        return bool(np.linalg.norm(change - (change @ d) * d) > STRAIGHT * np.linalg.norm(change))

    def go(self, p, heading):
        rate = self.D @ heading
        self.work += self.v[0] * p + 0.5 * rate[0] * p * p
        self.v, self.P = self.v + p * rate, self.P + p * heading

    def until_stop(self, heading):
        """Impulse after which sliding ends; infinite if it does not."""
        if not self.slides:
            return np.inf
        along = (self.D @ heading)[1:] @ self.v[1:] / self.slip
        return -self.slip / along if along < 0.0 else np.inf


def impact_of_one(D, v, friction, restitution, law="poisson"):
    """The impulse of one contact, normal first. v: its velocity before."""
    path, compression = Path(np.asarray(D, float), v, friction), None
    for _ in range(SEGMENTS):
        heading = path.heading()
        end = until_end(path, heading, compression, restitution, law)
        if path.turns(heading):
            stopped = turning_segment(path, compression, restitution, law)
        else:
            stop = path.until_stop(heading)
            stopped, p = stop < end, min(stop, end)
            if not np.isfinite(p):
                raise SimulationError("an impact does not end: sliding never stops and the surfaces only approach")
            path.go(p, heading)
        if stopped:
            path.v[1:] = 0.0
        elif compression is None:
            path.v[0], compression = 0.0, (path.P[0], path.work)
            if restitution == 0.0:
                return path.P
        else:
            return path.P
    raise SimulationError(f"an impact has not ended after {SEGMENTS} changes between sliding and sticking")


def until_end(path, heading, compression, e, law):
    """Impulse left to the end of compression, or of the impact, if nothing changes before."""
    rate = float((path.D @ heading)[0])
    if compression is None:
        return -path.v[0] / rate if rate > 0.0 else np.inf
    pressed, work = compression
    if law != "stronge":
        return (1.0 + e) * pressed - path.P[0]
    left = path.work - (1.0 - e * e) * work  # work + v p + rate p²/2 = (1 − e²) work of compression
    if abs(rate) == 0.0:
        return -left / path.v[0]
    return (-path.v[0] + np.sqrt(max(path.v[0] ** 2 - 2.0 * rate * left, 0.0))) / rate


def turning_segment(path, compression, e, law):
    """Sliding whose direction turns, up to its end or to that of the phase. Returns whether it stopped."""
    D = np.ascontiguousarray(path.D)
    far = 100.0 * path.first / max(np.linalg.eigvalsh(D)[0], 1e-12 * np.trace(D))
    y = np.concatenate([path.v, path.P, [path.work]])
    what, goal = VELOCITY, 0.0
    if compression is not None:
        pressed, work = compression
        what, goal = (WORK, (1.0 - e * e) * work) if law == "stronge" else (IMPULSE, (1.0 + e) * pressed)
    ended = follow(D, path.friction, y, path.first, what, goal, far, *scratch())
    if ended == NEVER:
        raise SimulationError("an impact does not end: sliding never stops and the surfaces only approach")
    path.v, path.P, path.work = y[:3].copy(), y[3:6].copy(), float(y[6])
    return ended == STOPS


def invariant_direction(D, friction):
    """The direction in which sliding that has stopped goes on: along its own change."""
    heading = lambda x: np.array([1.0, -friction * np.cos(x), -friction * np.sin(x)])

    def across(x):
        change = (D @ heading(x))[1:]
        return np.cos(x) * change[1] - np.sin(x) * change[0]

    angles = GENERIC + np.linspace(0.0, 2.0 * np.pi, LOOKS + 1)
    for a, b in zip(angles[:-1], angles[1:], strict=True):
        if across(a) * across(b) <= 0.0:
            x = bracketed_root(across, a, b)
            d = np.array([np.cos(x), np.sin(x)])
            if (D @ heading(x))[1:] @ d > 0.0:
                return d
    raise SimulationError("an impact finds no direction in which sliding could go on")
