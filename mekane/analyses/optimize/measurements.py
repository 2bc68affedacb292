"""Measurements of a motion: quantities by name at certain times."""

from collections.abc import Mapping

import numpy as np

from mekane.errors import ModelError

TIMES = ("times", "t")


class Measured:
    """times (n,), names, data (n, names), sigma: standard deviation of each, or None where it is not known."""

    def __init__(self, fit, sigma=None):
        columns = {str(name): fit[name] for name in fit.keys()} if hasattr(fit, "keys") else None
        if columns is None:
            raise wrong(f"it is {type(fit).__name__}", 'Write fit={"times": t, "hinge.angle": measured}.')
        key = next((what for what in TIMES if what in columns), None)
        if key is None:
            raise wrong(f"it has {', '.join(columns) or 'nothing'}", "'times' is missing.")
        self.times = numbers(columns.pop(key), key)
        self.names = list(columns)
        if not self.names:
            raise wrong("it has times only", 'Add what was measured then, such as "hinge.angle".')
        self.data = (
            np.array([numbers(column, name) for name, column in columns.items()]).T if self.alike(columns) else None
        )
        check_times(self.times, key)
        self.sigma = None if sigma is None else deviations(sigma, self.names)

    def alike(self, columns):
        for name, column in columns.items():
            if len(numbers(column, name)) != len(self.times):
                problem = f"{name!r} has {np.size(column)} values, and there are {len(self.times)} times"
                raise ModelError("optimize, fit", problem, "a value for every time is expected")
        return True

    def refuse_few(self, names):
        if self.data.size < len(names):
            problem = f"{self.data.size} numbers were measured, and {len(names)} parameters are wanted"
            raise ModelError(
                "optimize, fit",
                problem,
                "at least as many measurements as parameters",
                "Measure more, or fix a parameter.",
            )


def wrong(problem, remedy):
    return ModelError("optimize, fit", problem, "times and measured quantities by name are expected", remedy)


def numbers(column, name):
    try:
        values = np.asarray(column, float)
    except (TypeError, ValueError):
        raise ModelError(
            "optimize, fit", f"{name!r} holds something that is no number", "numbers are expected"
        ) from None
    if values.ndim != 1:
        problem = f"{name!r} has the shape {values.shape}"
        raise ModelError(
            "optimize, fit",
            problem,
            "one number for each time",
            'A vector is measured by its components: "arm.position.x".',
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        problem = f"{name!r} is {values[bad[0]]} at number {bad[0] + 1}"
        raise ModelError("optimize, fit", problem, "finite numbers are expected", "Leave that time out.")
    return values


def check_times(times, key):
    if not len(times) or times[0] < 0 or np.any(np.diff(times) <= 0):
        raise ModelError(
            "optimize, fit",
            f"{key!r} is not a list of rising times",
            "times rise, from the start of the motion at 0 on",
        )
    if times[-1] <= 0:
        raise ModelError("optimize, fit", f"{key!r} holds only the start", "later times are expected too")


def deviations(sigma, names):
    sigma = sigma if isinstance(sigma, Mapping) else dict.fromkeys(names, sigma)
    for name in names:
        if name not in sigma or not np.isfinite(sigma[name]) or not sigma[name] > 0:
            problem = f"that of {name!r} is {sigma.get(name, 'missing')}"
            raise ModelError("optimize, sigma", problem, "a positive standard deviation of every measured quantity")
    return np.array([float(sigma[name]) for name in names])
