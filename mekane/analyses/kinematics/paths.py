"""Paths: what a driven coordinate does in time, as an expression of t that can be differentiated.

A number, a text, a function that has an expression: exactly as they are. Values at the times of the motion, tables, and
functions that only give numbers: the cubic spline through them, twice continuously differentiable.
"""

from collections.abc import Mapping
from inspect import signature
from typing import NamedTuple

import numpy as np

from mekane.analyses.quantity_names import dimension_of
from mekane.errors import ModelError, did_you_mean
from mekane.expressions.graph import Table, evaluate, symbol
from mekane.expressions.node import scalar
from mekane.model.values.values import read_value

SPEEDS = ("velocity", "angular_velocity")


class Path(NamedTuple):
    name: str  # "shoulder.angle", "tip.position.x", "wheel.angle.rate"
    graph: object  # an expression of t and parameters, or a number
    exact: bool  # False: a spline through points

    @property
    def is_speed(self):
        """True if it prescribes a speed, not a position."""
        return self.name.endswith(".rate") or self.name.split(".")[1] in SPEEDS

    def values(self, times, parameters):
        return np.array([float(evaluate(self.graph, {"t": t, **parameters})) for t in times])


def read_paths(system, motion, times):
    """Paths of all driven coordinates, and the times."""
    if not motion:
        raise ModelError(
            "motion", "it is empty", "driven coordinates are expected", 'Write {"shoulder.angle": "sin(t)"}.'
        )
    times = read_times(table_times(motion) if times is None else times)
    return [read_path(system, coordinate_name(system, name), given, times) for name, given in motion.items()], times


def table_times(motion):
    """Where times= is left out, a table brings its own."""
    for given in motion.values():
        if isinstance(given, Table):
            return given.xs
        if isinstance(given, Mapping) and "table" in given:
            return [row[0] for row in given["table"]]
    raise ModelError(
        "motion", "the times are missing", "a motion is evaluated at given times", "Add times=np.linspace(0, 2, 201)."
    )


def read_times(given):
    """Times as an array that rises."""
    try:
        times = np.atleast_1d(np.array(given, float))
    except (TypeError, ValueError):
        raise ModelError("motion", f"times is {given!r}", "numbers that rise are expected") from None
    if times.ndim != 1 or not len(times):
        raise ModelError("motion", f"times has the shape {times.shape}", "a list of numbers is expected")
    refuse_not_finite(times, times, "times")
    fall = np.flatnonzero(np.diff(times) <= 0)
    if len(fall):
        i = fall[0]
        raise ModelError(
            "motion", f"times go from {times[i]:g} to {times[i + 1]:g} s", "times must rise", "Sort them, each once."
        )
    return times


def refuse_not_finite(values, times, what):
    bad = ~np.isfinite(values.reshape(len(values), -1)).all(axis=1)
    if bad.any():
        where = f", first at t = {times[np.argmax(bad)]:g} s" if np.isfinite(times[np.argmax(bad)]) else ""
        problem = f"{what} is not a finite number at {bad.sum()} of {len(values)} times{where}"
        raise ModelError("motion", problem, "every value must be known", "Leave these times out, or fill the gaps.")


def coordinate_name(system, name):
    """The full name of what is driven: a joint may stand for its only coordinate."""
    name = str(getattr(name, "name", name))
    joints = {
        f"{joint.name}.{measure.name}": joint.name for joint in system.joints.values() for measure in joint.measures()
    }
    vectors = [
        f"{body}.{quantity}.{axis}" for body in system.bodies for quantity in ("position", *SPEEDS) for axis in "xyz"
    ]
    if name in vectors or name in joints or name.removesuffix(".rate") in joints:
        return name
    own = [full for full, joint in joints.items() if joint == name]
    if len(own) == 1:
        return own[0]
    if own:
        raise ModelError("motion", f"joint {name!r} has several coordinates", f"one of {', '.join(own)} is expected")
    shown = list(joints)[:12]
    expected = f"coordinates of joints are {', '.join(shown)}{' …' if len(joints) > 12 else ''}"
    remedy = did_you_mean(name, [*joints, *system.joints, *vectors]).strip()
    raise ModelError("motion", f"there is no coordinate {name!r}", expected, remedy)


def read_path(system, name, given, times):
    part = f"motion of {name!r}"
    if isinstance(given, Mapping | Table):
        return splined(name, *points_of(given, part))
    if isinstance(given, list | tuple | np.ndarray) or hasattr(given, "__array__"):
        return splined(name, times, numbers(given, times, name))
    law = with_state(given) if callable(given) else given
    value = read_value(law, dimension_of(system, name), part, "it")
    if value.callback is not None:
        return splined(name, times, numbers([value.callback(t, None) for t in times.tolist()], times, name))
    for other in value.names():
        if other != "t" and other not in system.parameters:
            remedy = (
                did_you_mean(other, ["t", *system.parameters]).strip()
                or "Give the other coordinates motions of their own."
            )
            raise ModelError(part, f"it reads {other!r}", "a motion is a function of t and parameters alone", remedy)
    return Path(name, value.expr(), True)


def with_state(f):
    """A function of t alone is as good as one of (t, state)."""
    try:
        needed = len(signature(f).parameters)
    except (TypeError, ValueError):
        needed = 1
    return (lambda t, state: f(t)) if needed == 1 else f


def points_of(given, part):
    """Times and values of a table, whatever its kind."""
    if isinstance(given, Table):
        return np.array(given.xs), np.array(given.ys)
    value = read_value(given, None, part, "it")  # checks it
    if value.given["of"] != "t":
        raise ModelError(part, f"its table is of {value.given['of']!r}", "a motion is a function of t")
    return np.array(value.given["table"]).T


def numbers(given, times, name):
    try:
        values = np.array(given, float)
    except (TypeError, ValueError):
        raise ModelError(
            f"motion of {name!r}", "it holds something that is not a number", f"{len(times)} numbers are expected"
        ) from None
    if values.shape != times.shape:
        found = f"it has {len(values)} values" if values.ndim == 1 else f"it has the shape {values.shape}"
        raise ModelError(f"motion of {name!r}", found, f"there are {len(times)} times", "Give one value for each time.")
    refuse_not_finite(values, times, repr(name))
    return values


def splined(name, xs, ys):
    if len(xs) < 4:
        problem = f"it has {len(xs)} points"
        raise ModelError(
            f"motion of {name!r}",
            problem,
            "a spline with accelerations needs at least four",
            "Give more, or an expression.",
        )
    return Path(name, scalar(Table(tuple(xs), tuple(ys), "cubic")(symbol("t"))), False)
