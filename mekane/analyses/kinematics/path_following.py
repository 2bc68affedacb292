"""Along the branch of configurations that a mechanism takes while its drives go from one set of values straight to
another.

With the drives on a straight line there is one freedom, whatever their number. The branch is followed by its arc
length, so that it can be followed where the drives cannot lead it: a step along the tangent, Newton across it
(predictor and corrector), shorter where it bends.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.interpolate import KroghInterpolator
from scipy.optimize import brentq

from mekane.errors import SimulationError

LONGEST, SHORTEST = 0.12, 1e-9  # of a step: radians, or sizes of the mechanism
STRAIGHT = np.cos(0.2)  # between the tangents at the ends of a step
CLOSED = 1e-13
WEAK = 1e-4  # smallest singular value, against that at the start, below which a position is singular
MOST_STEPS = 100_000  # between two sets of drives: 12 000 rad, or so many sizes of the mechanism
BESIDE = 0.02  # where a singular position is approached from: length along the branch


@dataclass
class SolutionPoint:
    """A configuration on the branch."""

    branch: object
    here: object
    tangent: np.ndarray  # unit, the way the drives go
    known: np.ndarray  # angles of cut joints, whole turns counted
    beside: tuple | None = None  # of a singular point: progress and points on both sides of it

    @cached_property
    def drives(self):
        return self.branch.drive_values(self.here)

    @property
    def progress(self):
        """How far the drives are, in the direction they go."""
        return self.branch.direction @ (self.drives - self.branch.start)

    @property
    def pace(self):
        """How the drives go on per length of the branch; zero where they cannot."""
        return self.branch.direction @ self.branch.drive_derivatives(self.here) @ self.tangent

    @cached_property
    def _svd(self):
        return np.linalg.svd(self.branch.across(self.here))

    @property
    def strength(self):
        """Smallest singular value that is not zero by redundancy: zero where branches cross."""
        _, values, _ = self._svd
        n = self.here.of.n_u - 1
        return float(values[n - 1]) if n and len(values) >= n else np.inf

    def sense(self, other):
        """det [A; tangent] on the rows that are independent at `other`: it changes sign where branches cross."""
        n = self.here.of.n_u - 1
        U = other._svd[0][:, :n]
        return float(np.linalg.det(np.concatenate([U.T @ self.branch.across(self.here), self.tangent[None]])))


class SolutionBranch:
    """From `start` (values of the drives) towards `goal`."""

    def __init__(self, positions, drives, start, goal, usual=np.inf):
        self.positions, self.drives, self.start, self.goal = (
            positions,
            drives,
            np.array(start, float),
            np.array(goal, float),
        )
        self.length = float(np.linalg.norm(self.goal - self.start))
        self.direction = (self.goal - self.start) / self.length
        self.aside = np.linalg.svd(self.direction[None])[2][1:]  # combinations of the drives that stand still
        self.usual = usual  # strength at the start of all

    # ---------------------------------------------------------------- equations

    def drive_values(self, here):
        return np.array([float(np.ravel(drive.value(here))[0]) for drive in self.drives])

    def drive_derivatives(self, here):
        return np.concatenate([drive.derivatives(here) for drive in self.drives])

    def across(self, here):
        """Derivatives of all equations along the branch."""
        return np.concatenate([here.J, self.aside @ self.drive_derivatives(here)])

    def residual(self, here):
        return np.concatenate([here.phi, self.aside @ (self.drive_values(here) - self.start)])

    def point(self, q, like=None, tangent=None):
        """The point at q; its tangent goes the way of `like`, or that of the drives."""
        self.positions.follow(q)
        point = SolutionPoint(self, self.positions.here(q), tangent, self.positions.known)
        if tangent is None:
            point.tangent = point._svd[2][-1]
            ahead = point.pace if like is None else point.tangent @ like
            point.tangent = point.tangent * (1.0 if ahead >= 0 else -1.0)
        return point

    # ---------------------------------------------------------------- steps

    def corrected(self, q, last_row):
        """Newton from q; last_row(here) → (row, residual) completes the equations. None if it does not converge
        quickly."""
        before = np.inf
        for _ in range(14):
            here = self.positions.here(q)
            row, left = last_row(here)
            r = np.append(self.residual(here), left)
            size = np.abs(r).max()
            if size < CLOSED and (size < 1e-15 or size > 0.3 * before):
                return q
            if not np.isfinite(size) or (size > 10 * before and size > 1e-10):
                return None
            step = np.linalg.lstsq(np.concatenate([self.across(here), row[None]]), -r, rcond=1e-13)[0]
            if np.abs(step).max() > 1.0:
                return None
            q, before = self.positions.displaced(here, step), size
        return q if before < 1e-11 else None

    def advanced(self, point, h):
        """The point a length h further, or None."""
        if h == 0.0:
            return point
        self.positions.recall(point.known)
        q = self.corrected(self.positions.displaced(point.here, h * point.tangent), lambda here: (point.tangent, 0.0))
        return None if q is None else self.point(q, point.tangent)

    def at_progress(self, q, progress, like):
        """The point where the drives are this far, near q; or None."""
        last_row = lambda here: (
            self.direction @ self.drive_derivatives(here),
            self.direction @ (self.drive_values(here) - self.start) - progress,
        )
        q = self.corrected(q, last_row)
        return None if q is None else self.point(q, like)

    def step(self, point, h):
        """(point, h): a step of at most h that stays on the branch."""
        while h > SHORTEST:
            new = self.advanced(point, h)
            if new is not None and new.tangent @ point.tangent > STRAIGHT and not self.is_singular(new):
                return new, h
            h *= 0.83 if new is not None and self.is_singular(new) else 0.5
        raise SimulationError(
            f"the branch of positions cannot be followed beyond {self.place(point)}: it has a corner there, or the model is not smooth"
        )

    def place(self, point):
        """Where the drives are, as text."""
        return ", ".join(f"{drive.name} = {value:.6g}" for drive, value in zip(self.drives, point.drives, strict=True))

    def is_singular(self, point):
        return point.strength < WEAK * self.usual

    # ---------------------------------------------------------------- from one set of drives to the next

    def follow(self, point):
        """Points on the way to the goal, the last of them there or at a dead point: yields (point, "way" | "goal" |
        "dead" | "crossing")."""
        h = LONGEST
        for _ in range(MOST_STEPS):
            if point.pace <= 1e-9:
                yield point, "dead"
                return
            reached = self.finished(point, h)
            if reached is not None:
                yield from reached
                return
            new, h = self.step(point, h)
            if new.pace <= 0:
                yield self.dead_point(point, h), "dead"
                return
            if new.sense(point) * point.sense(point) < 0:
                yield self.crossing(point, new), "crossing"
            yield new, "way"
            point, h = new, min(LONGEST, 1.4 * h)
        raise SimulationError(
            f"{MOST_STEPS} steps along the branch of positions did not reach beyond {self.place(point)}"
        )

    def finished(self, point, h):
        """The goal, if it lies within a step of length h."""
        ahead = (self.length - point.progress) / point.pace
        if ahead > h:
            return None
        q = self.positions.displaced(point.here, ahead * point.tangent)
        first = self.corrected(q, lambda here: (point.tangent, 0.0))
        goal = self.at_progress(q if first is None else first, self.length, point.tangent)
        if goal is not None and self.is_singular(goal):
            goal = self.through(point, self.length)
            return goal and [(self.through(point, self.length, locate=True), "crossing"), (goal, "goal")]
        if goal is None or goal.pace <= 0 or goal.tangent @ point.tangent < STRAIGHT:
            return None
        if self.is_singular(point) or goal.sense(point) * point.sense(point) > 0:
            return [(goal, "goal")]
        return [(self.crossing(point, goal), "crossing"), (goal, "goal")]

    # ---------------------------------------------------------------- particular points

    def dead_point(self, point, h):
        """Between point and a length h from it: where the pace of the drives vanishes."""

        def pace(x):
            there = self.advanced(point, x)
            return there.pace if there is not None else np.nan

        return self.advanced(point, brentq(pace, 0.0, h, xtol=1e-15, rtol=1e-14))

    def between(self, a, b, progress):
        """The point of this progress between two points."""
        self.positions.recall(a.known)
        share = (progress - a.progress) / (b.progress - a.progress)
        step = a.tangent * share * (b.progress - a.progress) / a.pace
        q = self.positions.displaced(a.here, step)
        return self.at_progress(q, progress, a.tangent) or self.at_progress(
            (1 - share) * a.here.q + share * b.here.q, progress, a.tangent
        )

    def root(self, a, b, function, xtol=1e-14):
        """The point between two others where a function of it vanishes."""
        value = lambda progress: function(self.between(a, b, progress))
        return self.between(a, b, brentq(value, a.progress, b.progress, xtol=xtol, rtol=1e-14))

    def crossing(self, a, b):
        """The point between two others where another branch crosses."""
        near = lambda progress: self.between(a, b, progress).sense(a)
        return (
            self.through(a, brentq(near, a.progress, b.progress, xtol=1e-3 * (b.progress - a.progress)), locate=True)
            or a
        )

    def through(self, a, progress, locate=False):
        """A point at or near which branches cross, interpolated on the branch of `a` from both sides; at the crossing
        itself if `locate`."""
        places = progress + a.pace * BESIDE * np.array([-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0])
        beside = self.points_at(a, places)
        if beside is None:
            return None
        if locate:
            sense = smooth(places, [one.sense(a) for one in beside])
            progress = (
                brentq(sense, places[2], places[5], xtol=1e-14) if sense(places[2]) * sense(places[5]) < 0 else progress
            )
        there = self.point(smooth(places, [one.here.q for one in beside])(progress), tangent=a.tangent)
        tangent = smooth(places, [one.tangent for one in beside])(progress)
        there.tangent, there.beside = tangent / np.linalg.norm(tangent), (places, beside)
        return there

    def points_at(self, point, places):
        """Points of these progresses, each from the one before; None if the branch does not go through all of them."""
        self.positions.recall(point.known)
        found = []
        for progress in places:
            step = (progress - point.progress) / point.pace
            new = self.at_progress(self.positions.displaced(point.here, step * point.tangent), progress, point.tangent)
            if new is None or new.pace <= 0 or new.tangent @ point.tangent < STRAIGHT:
                return None
            found.append(new)
            point = new
        return found


def smooth(places, values):
    """The polynomial through all of them."""
    return KroghInterpolator(places, np.array(values))


def speeds_of_drives(positions, drives, here):
    """Speeds and their rates when one drive after the other goes steadily at unit rate: two arrays (drive, speed)."""
    D = np.concatenate([drive.derivatives(here) for drive in drives])
    A, n = np.concatenate([here.J, D]), len(here.phi)
    u = np.linalg.lstsq(A, np.concatenate([np.zeros((n, len(drives))), np.eye(len(drives))]), rcond=1e-13)[0].T
    bias = []
    for one in u:
        motion = here.motion(one)
        bias.append([*motion.row_bias[positions.rows], *(np.ravel(drive.second(motion))[0] for drive in drives)])
    return u, -np.linalg.lstsq(A, np.array(bias).T, rcond=1e-13)[0].T
