"""Constraints as rows: every equation is differentiated to the level of accelerations, exactly, and joins the tape of
the laws.

    phi(positions, t) = 0  →  d phi/dt = 0  →  Σ (T·alpha + F·a) + bias = 0           THEORY §6

The factors T and F of the accelerations of each body are the wrenches (about Bo) with which the row pushes on it.
"""

from dataclasses import dataclass, field

from mekane.compiler.constraint_language import ACCELERATIONS, COLUMNS, SPEEDS, Kinematics
from mekane.compiler.discrete_state import MOST_EQUATIONS, OFFSET, closed_parts
from mekane.errors import ModelError
from mekane.expressions.graph import inputs, is_zero, jacobian, substitute, symbol, topological
from mekane.tables import columns as at


@dataclass
class ConstraintEquation:
    """One row: its three expressions, and for each body the six factors (T, F)."""

    phi: object
    rate: object
    bias: object
    terms: dict  # body → six expressions
    works: bool  # its force may do work
    level: str  # what the equation is for: "position", "velocity" or "acceleration"
    flag: str = ""  # the discrete state that says whether it holds; "": that of its constraint


@dataclass
class ConstraintEquations:
    """The rows of one constraint, and the point its force is reported at (or None)."""

    constraint_equations: list[ConstraintEquation]
    place: tuple | None
    bodies: list[str] = field(default_factory=list)
    more: list = field(default_factory=list)  # expressions besides those of rows
    elements: list = field(default_factory=list)  # of a contact law, see compiler.contacts
    works: bool = False  # it does work, whatever its rows do


def make_constraint_equations(system, laws, more=lambda k: {}):
    """Constraint name → its equations. more(k): others, whose rows are written in the same quantities."""
    k, found, closed = Kinematics(laws), {}, closed_parts(system)
    for name, constraint in system.constraints.items():
        laws.part = constraint.part
        resolved = constraint.resolve(k.expression)
        constraint_equations = [make_constraint_equation(k, constraint, equation) for equation in resolved.equations(k)]
        if name in closed:
            add_offsets(name, constraint, constraint_equations)
        place = resolved.place(k)
        found[name] = ConstraintEquations(
            constraint_equations, None if place is None else tuple(place), bodies_of(constraint_equations)
        )
    found |= more(k)
    read_frames(k, laws, found)
    return found


def make_constraint_equation(k, constraint, equation):
    phi = rate = 0.0
    expression = equation.expression
    refuse_higher(k, constraint, equation)
    refuse_slope_discontinuities(constraint, equation)
    if equation.level == "position":
        phi, expression = expression, k.rate_of(expression)
    if equation.level != "acceleration":
        rate, expression = expression, k.rate_of(expression)
    terms = terms_of(k, expression)
    factors = [x for six in terms.values() for x in six]
    refuse_useless(k, constraint, equation, factors)
    bias = still(expression, k, ACCELERATIONS)
    works = equation.level == "acceleration" or not is_zero(still(rate, k, SPEEDS)) or k.reads(factors, SPEEDS)
    return ConstraintEquation(phi, rate, bias, terms, works, equation.level)


def add_offsets(name, constraint, equations):
    """phi of a constraint that is locked at its present position: less what it was there."""
    if len(equations) > MOST_EQUATIONS:
        problem, expected = f"it has {len(equations)} equations", f"at most {MOST_EQUATIONS} are locked where they are"
        raise ModelError(constraint.part, problem, expected)
    for number, equation in enumerate(equations):
        if equation.level == "position":
            equation.phi = equation.phi - symbol(f"{name}{OFFSET}{number}")


def terms_of(k, expression):
    """Body → the six factors of its accelerations, of the bodies that have any; in one walk through the expression."""
    bodies = [body for body in k.bodies if body != "ground"]
    symbols = [x for body in bodies for x in (*k.bodies[body].alpha, *k.bodies[body].a)]
    (factors,) = jacobian([expression], symbols)
    six = {body: factors[6 * i : 6 * i + 6] for i, body in enumerate(bodies)}
    return {body: factors for body, factors in six.items() if not all(map(is_zero, factors))}


def refuse_higher(k, constraint, equation):
    """An equation for positions holds no speeds, one for speeds no accelerations."""
    higher = {"position": SPEEDS + ACCELERATIONS, "velocity": ACCELERATIONS, "acceleration": ()}[equation.level]
    if k.reads([equation.expression], higher):
        names = {"position": "speeds or accelerations", "velocity": "accelerations"}[equation.level]
        remedy = "Write it as a velocity_constraint or an acceleration_constraint."
        raise ModelError(
            constraint.part,
            f"an equation for {equation.level} holds {names}",
            "it may hold only what it is for",
            remedy,
        )


def refuse_slope_discontinuities(constraint, equation):
    """Where a straight piece of a table ends, a position given by it would jump in speed."""
    tables = [node.data for node in topological([equation.expression]) if node.op == "table"]
    if equation.level == "position" and any(table.kind == "linear" for table in tables):
        remedy = "Choose the kind cubic, or write spline(…)."
        raise ModelError(
            constraint.part, "a linear table gives a position, so the speed jumps", "a smooth curve is expected", remedy
        )


def refuse_useless(k, constraint, equation, factors):
    """Accelerations must be in it, and linearly."""
    if not factors:
        problem = f"no body's {equation.level} is in an equation that is to hold for {equation.level}"
        lower = {
            "position": "",
            "velocity": "position_constraint",
            "acceleration": "velocity_constraint or position_constraint",
        }
        remedy = f"Without it, it may be a {lower[equation.level]}." if lower[equation.level] else ""
        raise ModelError(constraint.part, problem, "an equation between motions of bodies is expected", remedy)
    if k.reads(factors, ACCELERATIONS):
        raise ModelError(
            constraint.part, "accelerations are in it other than linearly", "each may only be multiplied by a factor"
        )


def still(expression, k, quantities):
    """The expression with these quantities of all bodies zero."""
    return substitute(expression, dict.fromkeys(k.names_of(quantities), 0.0))


def bodies_of(constraint_equations):
    return list(dict.fromkeys(body for equation_row in constraint_equations for body in equation_row.terms))


def read_frames(k, laws, found):
    """Force-law inputs for all symbols of frames that the rows read."""
    outputs = [x for ruled in found.values() for x in outputs_of(ruled)]
    needed = set(inputs(outputs))
    for body, B in k.bodies.items():
        for name, (quantity, i) in B.read.items():
            if name in needed:
                laws.input_row(name, at.INPUT_BODY, laws.frames.row[body], COLUMNS[quantity] + i)


def outputs_of(ruled):
    """All expressions of a constraint, in the order the tables want them."""
    rows = [
        x
        for equation_row in ruled.constraint_equations
        for x in (
            equation_row.phi,
            equation_row.rate,
            equation_row.bias,
            *(f for factors in equation_row.terms.values() for f in factors),
        )
    ]
    return [*rows, *ruled.more, *(ruled.place or ())]
