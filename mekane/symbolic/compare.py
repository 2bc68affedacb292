"""mk.compare: one system by Newton, Lagrange and Kane, side by side; and whether they agree.  [T II–IV]

c = mk.compare(s)
print(c)                      how many equations, unknowns and operations each method needs, and how long it took to
derive them c.newton, c.lagrange, c.kane  the equations themselves
c.difference                  of the accelerations that follow from them, at random states
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mekane.analyses.state.dynamics import prepared
from mekane.errors import ModelError
from mekane.expressions.graph import Expr, count, evaluate
from mekane.results.printing import Printed, Shown
from mekane.symbolic.equations import METHODS
from mekane.symbolic.simplify.polynomial import TooLarge
from mekane.symbolic.traced import moving, traced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mekane.model.system import System

ORDER = ("newton", "lagrange", "kane")
AGREE = 1e-11  # relative difference of accelerations, from systems of linear equations of different size


class Size(NamedTuple):
    """What a method needs."""

    method: str
    equations: int
    constraints: int
    unknowns: str
    operations: int
    seconds: float


@dataclass(repr=False)
class Comparison(Printed):
    system: object
    formulation: str
    newton: object
    lagrange: object
    kane: object
    sizes: list
    difference: dict  # method → largest difference of accelerations from those by Kane, relative
    points: int
    identical: dict  # method → True if its equations are Kane's, symbol for symbol; None if they are too long to decide

    @property
    def agree(self):
        return all(x <= AGREE for x in self.difference.values())

    def shown(self):
        headings = [
            "method",
            "equations",
            "constraints",
            "unknowns",
            "operations",
            "derived in [s]",
            "difference",
            "same in symbols",
        ]
        texts = {True: "yes", False: "no", None: "not seen"}
        rows = []
        for size in self.sizes:
            key = size.method.lower()
            against = (
                [f"{self.difference[key]:.1e}", texts[self.identical[key]]] if key in self.difference else ["", ""]
            )
            rows.append(
                [
                    size.method,
                    size.equations,
                    size.constraints,
                    size.unknowns,
                    size.operations,
                    round(size.seconds, 3),
                    *against,
                ]
            )
        verdict = "They agree" if self.agree else "They do not agree"
        remark = f"{verdict}: accelerations at {self.points} random states, beside those by Kane; symbols after reactions are eliminated."
        return [Shown(f"{self.system.name}: three methods, {self.formulation} formulation", headings, rows, remark)]

    def to_dict(self):
        sizes = [size._asdict() | {"difference": self.difference.get(size.method.lower())} for size in self.sizes]
        for one in sizes:
            one["identical"] = self.identical.get(one["method"].lower())
        return {
            "system": self.system.name,
            "formulation": self.formulation,
            "agree": self.agree,
            "points": self.points,
            "methods": sizes,
        }


def compare(
    system: System,
    formulation: str = "joint",
    parameters: str | Sequence[str] = "symbolic",
    form: str = "auto",
    points: int = 3,
) -> Comparison:
    """The equations of motion by Newton, Lagrange and Kane: their sizes, and the differences of their accelerations.

    Parameters:
        system: the model.
        formulation, parameters, form: as in mk.equations.
        points: random states at which they are compared; default 3.

    Example:
        from mekane import gallery
        print(mk.compare(gallery.find("pendulum").system()))
    """
    if not isinstance(points, int) or points < 1:
        raise ModelError(
            "compare",
            f"points is {points!r}",
            "a number of random states, at least one, is expected",
            "Write points=3.",
        )
    model = moving(traced(system, formulation, parameters), "compare")
    made, sizes = {}, []
    for method in ORDER:
        begun = time.perf_counter()
        fresh = traced(system, formulation, parameters)  # nothing that another method has left behind
        made[method] = METHODS[method](fresh, form)
        parts = linear(made[method])
        sizes.append(size_of(made[method], parts, time.perf_counter() - begun))
    states = [state for _, state in zip(range(points), random_states(model), strict=False)]
    found = {method: [accelerations(made[method], state) for state in states] for method in ORDER}
    difference = {method: furthest(found[method], found["kane"]) for method in ORDER[:-1]}
    identical = {"newton": newton_is_kane(**made), "lagrange": lagrange_is_kane(**made)}
    return Comparison(
        system, formulation, *(made[method] for method in ORDER), sizes, difference, len(states), identical
    )


def linear(equations):
    """The formulas that accelerations are computed from: (A, b) by Newton, else (M, f, B, b)."""
    if equations.method == "Newton":
        return equations.matrix, equations.right_side
    return equations.mass_matrix, equations.forcing, equations.constraint_matrix, equations.constraint_bias


def size_of(equations, parts, seconds):
    expressions = [x for part in parts for x in part.expr.ravel() if isinstance(x, Expr)]
    operations = count([*expressions, *(x for _, x in equations.book.definitions)])
    rows = equations.trace.compiled.n_rows
    if equations.method == "Newton":
        n, reactions = len(equations.trace.ud), len(equations.reactions)
        return Size(
            "Newton",
            len(equations.cut.directions),
            rows,
            f"{n} accelerations, {reactions} reactions",
            operations,
            seconds,
        )
    n, constraints = len(parts[1]), len(parts[3])
    unknowns = f"{n} accelerations" + (f", {constraints} multipliers" if constraints else "")
    return Size(equations.method, n, constraints, unknowns, operations, seconds)


# ---------------------------------------------------------------- at random states


def random_states(model):
    """{name: value} of everything that moves. With constraints: the positions at the start, and speeds that they
    allow."""
    trace, rng = model.trace, np.random.default_rng(1)
    names = [q.name if isinstance(q, Expr) else None for q in trace.q]
    started = prepared(model.system, model.formulation).start()
    while True:
        q, u = rng.uniform(-1.2, 1.2, len(names)), rng.uniform(-1.0, 1.0, len(trace.u))
        first = [k for k in range(len(names)) if names[k] and trace.q[k] in {unit[0] for unit in trace.units}]
        for k in first:
            q[k : k + 4] = rng.normal(size=4)
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        state = model.values | {"t": 0.0} | {x.name: 0.1 for x in trace.integrals}
        if trace.compiled.n_rows:
            q = started[0]
            state |= {name: x for name, x in zip(names, q, strict=True) if name}
            B = np.array(evaluate(list(trace.rows.B.ravel()), still(state, trace)), float).reshape(trace.rows.B.shape)[
                trace.active == 1
            ]
            u = started[1] + u - np.linalg.pinv(B) @ (B @ u)
        yield (
            state
            | {name: x for name, x in zip(names, q, strict=True) if name}
            | dict(zip(trace.compiled.speeds, u, strict=True))
        )


def still(state, trace):
    return state | {name: 0.0 for name in trace.compiled.speeds} | {x.name: 0.0 for x in trace.ud}


def accelerations(equations, state):
    """u' at a state, by any of the methods."""
    trace = equations.trace
    use = np.flatnonzero(trace.active == 1) if trace.active is not None else np.arange(trace.compiled.n_rows)
    rates = dict(zip((f"{name}'" for name in trace.compiled.coordinates), evaluate(trace.qd, state), strict=True))
    numbers = [part.evaluate(**state, **rates) for part in linear(equations)]
    if equations.method == "Newton":
        return newton_solved(equations, *numbers, use)
    if equations.method == "Lagrange":
        units = len(equations.vanishing) - trace.compiled.n_rows
        use = np.concatenate([use, trace.compiled.n_rows + np.arange(units)]).astype(int)
        second = saddle(*numbers, use)
        known = state | rates | dict(zip((x.name for x in equations.rates.second), second, strict=True))
        return np.array(evaluate(equations.rates.accelerations, known), float)
    return saddle(*numbers, use)


def saddle(M, f, B, b, use):
    """M x = f + Bᵀ lambda,  B x + b = 0, with these rows."""
    n, B, b = len(f), B.reshape(-1, len(f))[use], b[use]
    A = np.block([[M.reshape(n, n), -B.T], [B, np.zeros((len(use), len(use)))]])
    return np.linalg.solve(A, np.concatenate([f, -b]))[:n]


def newton_solved(equations, A, b, use):
    n, tree = len(equations.trace.ud), len(equations.cut.reactions)
    bodies = len(equations.cut.directions)
    rows, columns = (
        np.concatenate([np.arange(bodies), bodies + use]),
        np.concatenate([np.arange(n + tree), n + tree + use]),
    )
    return np.linalg.solve(A[np.ix_(rows.astype(int), columns.astype(int))], b[rows.astype(int)])[:n]


def furthest(found, expected):
    return max(
        float(np.abs(a - b).max(initial=0.0) / max(1.0, np.abs(b).max(initial=0.0)))
        for a, b in zip(found, expected, strict=True)
    )


# ---------------------------------------------------------------- symbol for symbol


def newton_is_kane(newton, kane, **_):
    """Newton's equations times partial velocities: no reaction is left, and mass matrix and forcing are Kane's."""
    if newton.form == "z" or kane.form == "z":
        return None
    M, f, rest = newton.eliminated
    pairs = [
        *zip(M.expr.ravel(), kane.mass_matrix.expr.ravel(), strict=True),
        *zip(f.expr, kane.forcing.expr, strict=True),
    ]
    return same(newton.tidy, [*pairs, *((x, 0.0) for x in rest.expr.ravel())])


def lagrange_is_kane(lagrange, kane, **_):
    """Where all speeds are rates of coordinates, Lagrange's mass matrix and forcing are Kane's."""
    if lagrange.form == "z" or kane.form == "z" or lagrange.trace.units:
        return None
    in_rates = lagrange.rates
    pairs = [
        *zip(lagrange.mass, kane.trace.mass_matrix.ravel(), strict=True),
        *zip(lagrange.forced, kane.trace.forcing, strict=True),
    ]
    return same(lagrange.tidy, [(a, in_rates(b)) for a, b in pairs])


def same(tidy, pairs):
    try:
        return all(not tidy.difference(a, b) for a, b in pairs)
    except TooLarge:
        return None
