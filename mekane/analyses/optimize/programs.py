"""The search, by SciPy with exact gradients: least squares, or sequential quadratic programming with rules.

A function of a design gives its numbers in every scenario; their mean is made small, or the greatest of them:

    mean     Σ fᵢ(x) / n
    worst    t,  t ≥ fᵢ(x) for all i     (smooth, though the greatest of several numbers is not)
"""

from functools import partial

import numpy as np

from mekane.algebra.jet import Jet
from mekane.analyses.optimize.identification import TOLERANCES, inside
from mekane.analyses.optimize.result import Optimum
from mekane.errors import ModelError, SimulationError
from mekane.model.values.units import is_list

ACCURACY = 1e-14  # of SciPy's SLSQP, beside the objective at the start


def minimized(designs, objective, constraints, most, robust):
    rules, n = as_list(constraints), len(designs.box.names)
    first = objective(designs.designs(designs.box.start)[0])
    several = is_list(first) and not is_pair(first, n)
    if several and not rules and robust == "mean":
        return least_squared(designs, objective, most)
    squared = (lambda d: sum(x * x for x in objective(d))) if several else objective
    if robust == "worst" and len(designs.box.scenarios) > 1:
        return programmed_worst(designs, squared, rules, most)
    return programmed(designs, squared, rules, most)


def least_squared(designs, objective, most):
    """Several numbers, the sum of squares of which is to be small, in the mean of the scenarios."""
    from scipy.optimize import least_squares

    box = designs.box
    share = 1.0 / np.sqrt(len(box.scenarios))
    graded = lambda x: [
        graded_number(one, len(box.names), "objective") * share for d in designs.designs(x) for one in objective(d)
    ]
    n = len(graded(box.start))

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
    """By sequential quadratic programming on scaled parameters; the mean of the scenarios."""
    box = designs.box
    graded = partial(graded_scenarios, designs)
    mean = lambda x: sum(graded(objective, x, "objective")) / len(box.scenarios)
    size = max(abs(mean(box.start / box.scale).value), 1e-12)

    def value_and_gradient(x):
        found = mean(x)
        designs.note(x * box.scale, found.value)
        return found.value / size, found.derivatives * box.scale / size

    rules = [rule for one in constraints for rule in as_rules(one, graded, box.scale)]
    bounds = list(zip(box.low / box.scale, box.high / box.scale, strict=True))
    found = solved(value_and_gradient, box.start / box.scale, bounds, rules, most)
    return optimum(designs, found.x, float(found.fun) * size, found)


def programmed_worst(designs, objective, constraints, most):
    """The greatest objective of all scenarios made small: one more unknown, t, in units of `size`, the last one."""
    box = designs.box
    graded = partial(graded_scenarios, designs)
    greatest = lambda x: max(one.value for one in graded(objective, x, "objective"))
    start = box.start / box.scale
    size = max(abs(greatest(start)), 1e-12)
    n = len(start)
    by_t = np.append(np.zeros(n), 1.0)

    def value_and_gradient(z):
        designs.note(z[:n] * box.scale, greatest(z[:n]))
        return z[n], by_t

    def margins(z):
        return np.array([z[n] - one.value / size for one in graded(objective, z[:n], "objective")])

    def margin_gradients(z):
        found = graded(objective, z[:n], "objective")
        return np.array([by_t - np.append(one.derivatives * box.scale / size, 0.0) for one in found])

    rules = [
        dict(
            type=rule["type"],
            fun=lambda z, rule=rule: rule["fun"](z[:n]),
            jac=lambda z, rule=rule: np.pad(np.atleast_2d(rule["jac"](z[:n])), ((0, 0), (0, 1))),
        )
        for one in constraints
        for rule in as_rules(one, graded, box.scale)
    ]
    rules.append(dict(type="ineq", fun=margins, jac=margin_gradients))
    bounds = [*zip(box.low / box.scale, box.high / box.scale, strict=True), (-np.inf, np.inf)]
    begin = np.append(start, greatest(start) / size)
    found = solved(value_and_gradient, begin, bounds, rules, most)
    return optimum(designs, found.x[:n], greatest(found.x[:n]), found)


def solved(value_and_gradient, start, bounds, rules, most):
    from scipy.optimize import minimize

    options = dict(maxiter=most, ftol=ACCURACY)
    keywords = dict(jac=True, method="SLSQP", bounds=bounds, constraints=rules, options=options)
    return minimize(value_and_gradient, start, **keywords)


def optimum(designs, scaled, objective, found):
    box = designs.box
    values = np.clip(scaled * box.scale, box.low, box.high)
    return Optimum(designs, values, objective, bool(found.success), str(found.message))


def as_list(constraints):
    is_one = callable(constraints) or (
        isinstance(constraints, tuple) and len(constraints) == 3 and not callable(constraints[1])
    )
    return [constraints] if is_one else list(constraints)


def as_rules(given, graded, scale):
    """Rules of SciPy, g ≥ 0 or g = 0 in every scenario, of a function or (function, lowest, highest)."""
    function, low, high = given if isinstance(given, tuple) else (given, 0.0, None)
    rule = lambda kind, sign, edge: dict(
        type=kind,
        fun=lambda x: np.array([sign * (one.value - edge) for one in graded(function, x, "constraint")]),
        jac=lambda x: np.array([sign * one.derivatives * scale for one in graded(function, x, "constraint")]),
    )
    if low is not None and low == high:
        return [rule("eq", 1.0, low)]
    return [
        rule("ineq", sign, edge) for sign, edge in ((1.0, low), (-1.0, high)) if edge is not None and np.isfinite(edge)
    ]


def graded_scenarios(designs, function, scaled, what):
    """What a function of a design gives in each scenario, at scaled values of the parameters."""
    box = designs.box
    return [graded_number(function(design), len(box.names), what) for design in designs.designs(scaled * box.scale)]


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
