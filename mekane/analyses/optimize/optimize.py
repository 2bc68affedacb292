"""optimize: the best values of parameters, for a purpose or to fit what was measured; SciPy with exact gradients.

mk.optimize(s, {"l": (0.1, 2.0), "c": (0, 1)}, fit={"times": t, "hinge.angle": measured})          least squares
mk.optimize(s, {"l": (0.1, 2.0)}, objective=lambda d: (d.frequency(1) - 2.0) ** 2)                 any purpose; d is a
Design
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from mekane.algebra.jet import Jet
from mekane.analyses.optimize.design import Design
from mekane.analyses.optimize.identification import TOLERANCES, identified, inside
from mekane.analyses.optimize.measurements import Measured
from mekane.analyses.optimize.result import Optimum
from mekane.analyses.quantity_names import names_of
from mekane.errors import ModelError, SimulationError
from mekane.model.construction_log import with_names
from mekane.model.values.units import is_list, quantity
from mekane.progress import reporting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import ArrayLike

    from mekane.model.system import System

ACCURACY = 1e-14  # of SciPy's SLSQP, beside the objective at the start


def optimize(
    system: System,
    parameters: Mapping[str, Any] | Sequence[str],
    objective: Callable[[Any], Any] | None = None,
    *,
    constraints: Any = (),
    fit: Mapping[str, ArrayLike] | None = None,
    sigma: float | Mapping[str, float] | None = None,
    formulation: str = "joint",
    rtol: float = 1e-10,
    most: int = 200,
    progress: Callable[[int, float], Any] | bool | None = None,
) -> Optimum:
    """The best values of some parameters, for a purpose or to fit what was measured.

    Parameters:
        system: the model; the search starts from its present values.
        parameters: {name: (lowest, highest)}, or names alone for values without bounds. Numbers are named by parameter
            or by part and keyword, such as "arm.mass".
        objective: a function of a Design to be made small; if it gives a list of numbers, the sum of their squares.
        constraints: functions of a Design that must not be negative, or (function, lowest, highest).
        fit: {"times": t, "hinge.angle": values, …}, measured; the motion is fitted to it, and standard errors are found.
        sigma: standard deviations of the measurements, {name: number} or one number; without them all count alike and
            their scatter is estimated.
        formulation: "joint", or a name in mekane.formulations.
        rtol: relative tolerance of the motions; default 1e-10.
        most: iterations; default 200.
        progress: True shows the evaluations, False does not; by default they appear at a terminal or in a notebook
            after a second. A function is called with the number of the evaluation and the objective.

    Returns:
        Optimum: .parameters, .objective, .system with the best values.

    Example:
        s = mk.System(parameters={"l": 0.8})
        bob = s.body("bob", mass=1.0, position=(0, 0, "$-l"))
        s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis="y")
        best = mk.optimize(s, {"l": (0.1, 2.0)}, objective=lambda design: (design.frequency(1) - 0.5) ** 2)
        print(best)
    """
    if (objective is None) == (fit is None):
        raise ModelError(
            "optimize", "neither or both of objective and fit are given", "one of them", "Give objective= or fit=."
        )
    if fit is not None and constraints:
        raise ModelError(
            "optimize", "constraints are given with fit", "fits have bounds only", "Leave the constraints out."
        )
    with reporting(progress, None, lambda n, value: f"evaluation {n}, objective {value:.6g}") as report:
        designs = DesignHistory(Box(system, parameters), formulation, rtol, report)
        if fit is not None:
            return identified(designs, Measured(fit, sigma), most)
        return minimized(designs, objective, constraints, most)


class Box:
    """Names, start, bounds and scales of what is varied; the system in which they are parameters."""

    def __init__(self, system, parameters):
        bounds = (
            parameters
            if isinstance(parameters, Mapping)
            else dict.fromkeys(names_of(parameters, "optimize, parameters", some=True))
        )
        self.names = names_of(list(bounds), "optimize, parameters", some=True)
        self.system = with_names(system, self.names)
        self.low, self.high = np.array([limits(name, bounds[name]) for name in self.names]).T
        now = np.array([self.system.parameters[name] for name in self.names], float)
        self.start = np.clip(now, self.low, self.high)
        width = self.high - self.low
        self.scale = np.where(self.start != 0.0, np.abs(self.start), np.where(np.isfinite(width), width, 1.0))

    def at(self, values):
        return self.system.with_parameters(dict(zip(self.names, map(float, values), strict=True)))


def limits(name, given):
    if given is None:
        return -np.inf, np.inf
    if not isinstance(given, tuple | list) or len(given) != 2:
        problem = f"the bounds of {name!r} are {given!r}"
        raise ModelError(
            "optimize, parameters", problem, "(lowest, highest) is expected", f'Write {{"{name}": (0.1, 2)}}.'
        )
    low, high = (
        edge if x is None else quantity_or_infinite(x, name) for x, edge in zip(given, (-np.inf, np.inf), strict=True)
    )
    if not low < high:
        raise ModelError(
            "optimize, parameters", f"the bounds of {name!r} are {low:g} and {high:g}", "the lowest comes first"
        )
    return low, high


def quantity_or_infinite(x, name):
    return float(x) if isinstance(x, float) and np.isinf(x) else quantity(x, None, f"bounds of {name!r}")


class DesignHistory:
    """Designs by their values, the last few kept; counts evaluations and keeps the history."""

    def __init__(self, box, formulation, rtol, progress):
        self.box, self.formulation, self.rtol, self.progress = box, formulation, rtol, progress
        self.history, self._kept = [], {}

    def design(self, values):
        key = np.asarray(values, float).tobytes()
        if key not in self._kept:
            self._kept = dict(list(self._kept.items())[-2:])
            self._kept[key] = Design(self.box.at(values), self.box.names, self.formulation, self.rtol)
        return self._kept[key]

    def note(self, values, objective):
        """Once for every set of values."""
        values = [float(x) for x in values]
        if not self.history or self.history[-1][0] != values:
            self.history.append((values, float(objective)))
            if self.progress is not None:
                self.progress(len(self.history), float(objective))


def minimized(designs, objective, constraints, most):
    rules = as_list(constraints)
    first = objective(designs.design(designs.box.start))
    several = is_list(first) and not is_pair(first, len(designs.box.names))
    if several and not rules:
        return least_squared(designs, objective, most)
    return programmed(designs, (lambda d: sum(x * x for x in objective(d))) if several else objective, rules, most)


def least_squared(designs, objective, most):
    """Several numbers, the sum of squares of which is to be small."""
    from scipy.optimize import least_squares

    box, n = designs.box, len(objective(designs.design(designs.box.start)))
    graded = lambda x: [graded_number(one, len(box.names), "objective") for one in objective(designs.design(x))]

    def values(x):
        try:
            found = np.array([one.value for one in graded(x)])
        except (ModelError, SimulationError):
            if not designs.history:
                raise
            return np.full(n, np.nan)  # not a possible design: SciPy turns back
        designs.note(x, found @ found)
        return found

    keywords = dict(max_nfev=most, bounds=(box.low, box.high), x_scale=box.scale, **TOLERANCES)
    found = least_squares(
        values, inside(box), jac=lambda x: np.array([one.derivatives for one in graded(x)]), **keywords
    )
    return Optimum(designs, found.x, 2.0 * float(found.cost), found.status > 0, str(found.message))


def programmed(designs, objective, constraints, most):
    """By sequential quadratic programming on scaled parameters."""
    from scipy.optimize import minimize

    box = designs.box
    graded = lambda function, x, what: graded_number(function(designs.design(x * box.scale)), len(box.names), what)
    size = max(abs(graded(objective, box.start / box.scale, "objective").value), 1e-12)

    def value_and_gradient(x):
        found = graded(objective, x, "objective")
        designs.note(x * box.scale, found.value)
        return found.value / size, found.derivatives * box.scale / size

    rules = [rule for one in constraints for rule in as_rules(one, graded, box.scale)]
    bounds = list(zip(box.low / box.scale, box.high / box.scale, strict=True))
    options = dict(maxiter=most, ftol=ACCURACY)
    found = minimize(
        value_and_gradient,
        box.start / box.scale,
        jac=True,
        method="SLSQP",
        bounds=bounds,
        constraints=rules,
        options=options,
    )
    return Optimum(
        designs,
        np.clip(found.x * box.scale, box.low, box.high),
        float(found.fun) * size,
        bool(found.success),
        str(found.message),
    )


def as_list(constraints):
    is_one = callable(constraints) or (
        isinstance(constraints, tuple) and len(constraints) == 3 and not callable(constraints[1])
    )
    return [constraints] if is_one else list(constraints)


def as_rules(given, graded, scale):
    """Rules of SciPy, g ≥ 0 or g = 0, of a function or (function, lowest, highest)."""
    function, low, high = given if isinstance(given, tuple) else (given, 0.0, None)
    rule = lambda kind, sign, edge: dict(
        type=kind,
        fun=lambda x: sign * (graded(function, x, "constraint").value - edge),
        jac=lambda x: sign * graded(function, x, "constraint").derivatives * scale,
    )
    if low is not None and low == high:
        return [rule("eq", 1.0, low)]
    return [
        rule("ineq", sign, edge) for sign, edge in ((1.0, low), (-1.0, high)) if edge is not None and np.isfinite(edge)
    ]


def is_pair(found, n):
    """(value, gradient)"""
    return isinstance(found, tuple) and len(found) == 2 and not isinstance(found[1], Jet) and np.size(found[1]) == n


def graded_number(found, n, what):
    """What a function of a design gave: a number of the design, or (value, gradient)."""
    if is_pair(found, n):
        found = Jet(np.append(float(found[0]), np.asarray(found[1], float)))
    if not isinstance(found, Jet):
        problem = f"it gave {found!r}, which has no gradient"
        remedy = "Compute it from numbers of the design: d['l'], d.at(…), d.rest(…), d.frequency(…)."
        raise ModelError(f"optimize, {what}", problem, "a number of the design, or (value, gradient)", remedy)
    if not np.isfinite(found.v).all():
        raise ModelError(f"optimize, {what}", f"it gave {found!r}", "finite numbers are expected")
    return found
