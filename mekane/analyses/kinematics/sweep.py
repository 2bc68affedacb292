"""kinematics: where everything is, and how fast it goes, while a joint coordinate is driven along a path; no forces.

Ratios are rates at unit rate of the drive: dx/dθ and d²x/dθ². Dead points, where the drive cannot go on, end the sweep;
they are found as the points of the mechanism's branch where the drive stands still.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.kinematics.assemble import closed
from mekane.analyses.kinematics.dead_points import dead_centre_descriptions
from mekane.analyses.kinematics.mobility import mobility_at
from mekane.analyses.kinematics.named_positions import find, scalars
from mekane.analyses.kinematics.path_following import SolutionBranch, smooth, speeds_of_drives
from mekane.analyses.kinematics.position_equations import PositionEquations, null_space
from mekane.analyses.kinematics.sweep_result import Event, Kinematics
from mekane.errors import ModelError
from mekane.model.names import quoted
from mekane.model.values.units import is_list, quantity, shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mekane.model.system import System

PART = "kinematics"
POINTS = 100
MOST_POINTS = 100_000
STILL = 1e-9  # a rate that counts as zero, against the largest


def kinematics(
    system: System,
    drive: str | Mapping[str, Any],
    path: Any = None,
    points: int = POINTS,
    formulation: str = "joint",
) -> Kinematics:
    """Positions of everything while a coordinate is driven along a path; velocity and acceleration ratios, dead points.

    The sweep stays on the branch on which the mechanism starts. It stops at a dead point, and `stopped` says why.

    Parameters:
        system: a mechanism whose motion the drives determine.
        drive: name of a joint or of its coordinate, or {name: path, …} for several drives.
        path: "cycle" (one turn from where it stands), (first, last, number of values) or values [rad, m].
        points: number of values of a path that does not tell it; default 100.
        formulation: "joint", or a name in mekane.formulations.

    Example:
        from mekane import gallery
        k = mk.kinematics(gallery.find("slider_crank_planar").system(), "pivot", "cycle")
        print(k["slider.position.x"].max(), k.velocity_ratio("guide.displacement").max(), k.dead_points)
    """
    refuse_velocities(system)
    positions = PositionEquations(system, formulation)
    given = drive if isinstance(drive, dict) else {drive: path}
    drives = [single(positions.system, name) for name in given]
    q = closed(positions)
    positions.forget_turns(q)
    here = positions.here(q)
    refuse_freedom(positions, here, drives)
    start = [float(np.ravel(one.value(here))[0]) for one in drives]
    paths = np.array(
        equally_long(
            [read_path(given, one, x, points) for given, one, x in zip(given.values(), drives, start, strict=True)]
        )
    ).T
    return Sweep(positions, drives, q, np.array(start)).along(paths)


# ---------------------------------------------------------------- input


def single(system, name):
    """The drive of this name: one number."""
    found = find(system, name, PART)
    if found.labels:
        raise ModelError(
            PART,
            f"the drive {found.name!r} has {len(found.labels)} components",
            "one number is driven",
            f"Write {found.name}.x.",
        )
    return found


def read_path(given, drive, start, points):
    part = f"path of {drive.name!r}"
    if isinstance(given, str) and given == "cycle":
        if not getattr(drive, "winds", False):
            raise ModelError(
                part,
                "it is 'cycle'",
                "only an angle turns round",
                "Give (start, stop, number of points) or a list of values.",
            )
        return start + 2 * np.pi * np.linspace(0, 1, whole(points, part, "points") + 1)
    if (
        isinstance(given, tuple)
        and len(given) == 3
        and isinstance(given[2], int | np.integer)
        and not isinstance(given[2], bool)
    ):
        a, b = (
            quantity(x, drive.dimension, part, keyword) for x, keyword in zip(given, ("start", "stop"), strict=False)
        )
        return np.linspace(a, b, whole(given[2], part, "number of points"))
    if not is_list(given) or len(given) == 0:
        remedy = 'Write "cycle", (0, "90 deg", 31) or a list of values.'
        raise ModelError(part, f"it is {shown(given)}", "values for the drive are expected", remedy)
    return np.array([quantity(x, drive.dimension, part, f"value {k}") for k, x in enumerate(given, 1)])


def whole(n, part, what):
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 2 <= n <= MOST_POINTS:
        raise ModelError(part, f"{what} is {shown(n)}", f"a whole number from 2 to {MOST_POINTS} is expected")
    return int(n)


def equally_long(paths):
    if len({len(path) for path in paths}) > 1:
        problem = f"the paths have {quoted([len(path) for path in paths])} values"
        raise ModelError(
            PART, problem, "all drives go through equally many values", "Give (start, stop, n) with the same n."
        )
    return paths


def refuse_velocities(system):
    from mekane.compiler.compiler import compile_system

    pairs = compile_system(system, "joint").pairs
    for name, constraint in system.constraints.items():
        if any(pairs.levels[row] == "velocity" for row in pairs.rows_of[name]):
            problem = "it holds for velocities, so that positions depend on the way taken and not on the drive alone"
            raise ModelError(
                constraint.part,
                problem,
                "kinematics needs constraints on positions",
                "Simulate a driven motion instead.",
            )
        if any(pairs.levels[row] == "acceleration" for row in pairs.rows_of[name]):
            raise ModelError(constraint.part, "it holds for accelerations", "kinematics needs constraints on positions")


def refuse_freedom(positions, here, drives):
    """The drives must leave nothing free, and not contradict each other."""
    T, n = null_space(here.J), len(drives)
    D = np.concatenate([one.derivatives(here) for one in drives])
    loose = null_space(np.concatenate([here.J, D]))
    part = f"drive {quoted([one.name for one in drives])}"
    if T.shape[1] > n:
        raise too_free(positions, here, drives, T, loose, part)
    if T.shape[1] < n:
        problem = f"there {'is' if n == 1 else 'are'} {n} and the system has {T.shape[1]} degrees of freedom"
        raise ModelError(
            part, problem, "as many drives as degrees of freedom are expected", overconstrained_remedy(positions.system)
        )
    if loose.shape[1]:
        moving = moving_joints(positions.system, here, loose)
        lines = dead_centre_descriptions(positions.system, positions.poses(here.q))
        problem = f"the mechanism starts in a dead point of it{': ' + '; '.join(lines) if lines else ''}"
        remedy = f"Start elsewhere: mk.assemble(s, …).system; or drive {quoted(moving) if moving else 'another joint'}."
        raise ModelError(part, problem, "the drive must move the mechanism", remedy)


def too_free(positions, here, drives, T, loose, part):
    missing = T.shape[1] - len(drives)
    if mobility_at(positions, here.q).freedom == len(drives):
        problem = "the mechanism starts in a singular position, where its branches meet"
        return ModelError(
            part, problem, "it cannot be known which one is meant", "Start a little way off: mk.assemble(s, …).system."
        )
    moving = moving_joints(positions.system, here, loose)
    more = "1 more drive is" if missing == 1 else f"{missing} more drives are"
    problem = f"the system has {T.shape[1]} degrees of freedom: {more} missing"
    remedy = (
        f"With it held, {quoted(moving[:8])} can still move. Drive one of them, too: {{name: path, …}}."
        if moving
        else ""
    )
    return ModelError(part, problem, "the drives must determine the motion", remedy)


def overconstrained_remedy(system):
    prescribed = [name for name, one in system.constraints.items() if one.prescribes is not None]
    return (
        f"Leave out {quoted(prescribed)}, which prescribes the motion already."
        if prescribed
        else "Leave out a drive, or a constraint."
    )


def moving_joints(system, here, loose):
    """Coordinates that move in what is left free."""
    rates = {
        name: np.abs(here.scalar_derivatives(name) @ loose).max()
        for name in scalars(system)
        if name.partition(".")[0] in system.joints
    }
    return [name for name, rate in rates.items() if rate > 1e-6]


def near(one, other):
    return all(abs(one[name] - other[name]) < 1e-7 for name in one)


# ---------------------------------------------------------------- the sweep


class Sweep:
    """Goes through the path and keeps what it meets."""

    def __init__(self, positions, drives, q, start):
        self.positions, self.drives, self.start = positions, drives, start
        self.watched = [
            one for one in scalars(positions.system).values() if one.name not in [drive.name for drive in drives]
        ]
        self.points, self.samples, self.events = [], [], []
        self.q, self.stopped, self.usual = q, "", np.inf

    def along(self, paths):
        point = self.arrive(paths[0])
        for k, goal in enumerate(paths):
            if k:
                point = self.go(point, goal)
            if point is None:
                self.stopped = self.reason_to_stop(len(self.samples), len(paths))
                break
            self.keep(point)
        return Kinematics(self.positions, self.drives, self.samples, [*self.events, *self.toggles()], self.stopped)

    def branch(self, start, goal):
        return SolutionBranch(self.positions, self.drives, start, goal, self.usual)

    def first(self, goal):
        branch = self.branch(self.start, goal)
        point = branch.point(self.q)
        self.usual = branch.usual = point.strength
        return point

    def arrive(self, goal):
        """From where the mechanism starts to the first value of the path."""
        far = np.abs(goal - self.start).max()
        point = self.first(goal if far > 1e-12 else goal + 1.0)
        if far > 1e-12:
            point = self.go(point, goal)
        if point is None:
            dead = self.events[-1]
            reached = ", ".join(f"{name} = {value:.9g}" for name, value in dead.drives.items())
            begins = ", ".join(f"{x:.6g}" for x in goal)
            problem = f"the path begins at {begins}, which the branch cannot reach from the start: it ends at {reached}"
            more = f" ({'; '.join(dead.lines)})" if dead.lines else ""
            raise ModelError(
                f"drive {quoted([one.name for one in self.drives])}",
                problem + more,
                "a path within reach",
                "Begin it elsewhere.",
            )
        self.points, self.events = [], []
        return point

    def go(self, point, goal):
        """The point at the next value of the path; None if there is a dead point before it."""
        if np.abs(goal - point.drives).max() < 1e-13:
            self.points.append(point)
            return point
        branch = self.branch(point.drives, goal)
        if point.beside is None:
            point = branch.point(point.here.q)
        else:
            ahead = 1.0 if branch.direction @ point.branch.direction > 0 else -1.0
            point = branch.point(point.here.q, tangent=ahead * point.tangent)
        self.points.append(point)
        for found, what in branch.follow(point):
            if what in ("dead", "crossing"):
                self.note(found, what)
            if what in ("way", "goal"):
                self.points.append(found)
            if what == "dead":
                return None
        return found

    def keep(self, point):
        if point.beside is None:
            rates = speeds_of_drives(self.positions, self.drives, point.here)
        else:
            places, beside = point.beside
            found = [speeds_of_drives(self.positions, self.drives, one.here) for one in beside]
            rates = [
                smooth(places, [one[k].ravel() for one in found])(point.progress).reshape(len(self.drives), -1)
                for k in (0, 1)
            ]
        self.samples.append((point.here, *rates))
        self.usual = max(self.usual, point.strength)

    def note(self, point, what):
        lines = dead_centre_descriptions(self.positions.system, self.positions.poses(point.here.q))
        kind = {"dead": "dead point", "crossing": "crossing"}[what]
        event = Event(kind, self.named(point.drives), "", None, tuple(lines))
        if not any(one.kind == kind and near(one.drives, event.drives) for one in self.events[-2:]):
            self.events.append(event)

    def named(self, values):
        return {one.name: float(x) for one, x in zip(self.drives, values, strict=True)}

    def reason_to_stop(self, done, requested):
        dead = self.events[-1]
        at = ", ".join(f"{name} = {value:.9g}" for name, value in dead.drives.items())
        lines = f": {'; '.join(dead.lines)}" if dead.lines else ""
        return (
            f"The drive cannot go beyond {at}{lines}. The sweep stopped there, after {done} of {requested} positions."
        )

    # ---------------------------------------------------------------- where other coordinates turn back

    def toggles(self):
        """Where the rate of another coordinate vanishes and changes sign; for a single drive."""
        if len(self.drives) > 1:
            return []
        return [event for watched in self.watched for event in self.toggles_of(watched)]

    def toggles_of(self, watched):
        rate = lambda point: float(watched.derivatives(point.here)[0] @ point.tangent) * point.branch.direction[0]
        rates = np.array([rate(point) for point in self.points])
        zero = STILL * np.abs(rates).max(initial=0.0)
        if zero < STILL**2:
            return
        for k, point in enumerate(self.points):
            if abs(rates[k]) <= max(zero, 1e-12):
                yield from self.turning(watched, rates, k, zero)
            elif k + 1 < len(rates) and abs(rates[k + 1]) > zero and rates[k] * rates[k + 1] < 0:
                following = self.points[k + 1]
                if following.branch is point.branch:
                    yield self.toggle(watched, point.branch.root(point, following, rate))

    def turning(self, watched, rates, k, zero):
        """A point at which the rate is zero; rests, and the same point met twice, are not listed again."""
        before = next((r for r in rates[:k][::-1][:3] if abs(r) > zero), None)
        after = next((r for r in rates[k + 1 :][:3] if abs(r) > zero), None)
        again = k > 0 and abs(rates[k - 1]) <= zero
        if not again and (before is None or after is None or before * after < 0):
            yield self.toggle(watched, self.points[k])

    def toggle(self, watched, point):
        return Event(
            "toggle", self.named(point.drives), watched.name, float(np.ravel(watched.value(point.here))[0]), ()
        )
