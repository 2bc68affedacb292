"""Constraints as rows: every equation is differentiated to the level of accelerations, exactly, and joins the tape of
the laws.

    phi(positions, t) = 0  →  d phi/dt = 0  →  Σ (T·alpha + F·a) + bias = 0           THEORY §6

The factors T and F of the accelerations of each body are the wrenches (about Bo) with which the row pushes on it.
"""

from dataclasses import dataclass, field
from threading import Lock

from mekane.compiler.constraint_language import ACCELERATIONS, COLUMNS, SPEEDS, Kinematics
from mekane.compiler.discrete_state import MOST_EQUATIONS, OFFSET, closed_parts
from mekane.errors import ModelError
from mekane.expressions.graph import Expr, inputs, is_zero, jacobian, substitute, symbol, topological
from mekane.tables import columns as at

KEPT = 64  # constraints
_lately, _lock = {}, Lock()  # what is known of their equations


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
        constraint_equations = differentiated(k, constraint, resolved.equations(k))
        if name in closed:
            add_offsets(name, constraint, constraint_equations)
        place = resolved.place(k)
        found[name] = ConstraintEquations(
            constraint_equations, None if place is None else tuple(place), bodies_of(constraint_equations)
        )
    found |= more(k)
    read_frames(k, laws, found)
    return found


def differentiated(k, constraint, equations):
    """The ConstraintEquation of each equation. Equations that were differentiated lately are not again: those of the
    assembly, of the next run of a study, of the same mechanism with another start."""
    # equal expressions are one object, as long as one of them is kept
    key = tuple((one.level, one.expression) for one in equations), tuple(k.bodies), tuple(k.rates.items())
    with _lock:
        found = _lately.pop(key, None)
    found = found or derivatives_of(k, constraint, equations)
    with _lock:
        _lately[key] = found
        if len(_lately) > KEPT:
            del _lately[next(iter(_lately))]  # the oldest
    return [ConstraintEquation(*one[:3], dict(one[3]), *one[4:]) for one in found]


def derivatives_of(k, constraint, equations):
    """The fields of the ConstraintEquation of each equation, in one walk through what they have in common."""
    given = [one.expression for one in equations]
    refuse_higher(k, constraint, equations)
    refuse_slope_discontinuities(constraint, equations)
    phi = [x if one.level == "position" else 0.0 for one, x in zip(equations, given, strict=True)]
    rates = rates_of_levels(k, equations, given, ("position",))
    top = rates_of_levels(k, equations, rates, ("position", "velocity"))
    rates = [0.0 if one.level == "acceleration" else x for one, x in zip(equations, rates, strict=True)]
    terms = terms_of(k, top)
    refuse_useless(k, constraint, equations, terms)
    bias, works = still(top, k, ACCELERATIONS), do_work(k, equations, rates, terms)
    levels = [one.level for one in equations]
    return list(zip(phi, rates, bias, terms, works, levels, strict=True))


def rates_of_levels(k, equations, expressions, levels):
    """Rates of the expressions of equations at these levels; the others as they are."""
    chosen = [one.level in levels for one in equations]
    rates = iter(k.rates_of([x for x, is_chosen in zip(expressions, chosen, strict=True) if is_chosen]))
    return [next(rates) if is_chosen else x for x, is_chosen in zip(expressions, chosen, strict=True)]


def do_work(k, equations, rates, terms):
    """Whether the force of each equation may do work."""
    factors = [factors_in(one) for one in terms]
    reading = k.reading([x for one in factors for x in one], SPEEDS)
    moving = [not is_zero(x) for x in still(rates, k, SPEEDS)]
    return [
        one.level == "acceleration" or moves or any(x in reading for x in own)
        for one, moves, own in zip(equations, moving, factors, strict=True)
    ]


def factors_in(terms):
    """Those factors of an equation that are no plain numbers."""
    return [x for six in terms.values() for x in six if isinstance(x, Expr)]


def add_offsets(name, constraint, equations):
    """phi of a constraint that is locked at its present position: less what it was there."""
    if len(equations) > MOST_EQUATIONS:
        problem, expected = f"it has {len(equations)} equations", f"at most {MOST_EQUATIONS} are locked where they are"
        raise ModelError(constraint.part, problem, expected)
    for number, equation in enumerate(equations):
        if equation.level == "position":
            equation.phi = equation.phi - symbol(f"{name}{OFFSET}{number}")


def terms_of(k, expressions):
    """Of each expression: body → the six factors of its accelerations, of the bodies that have any."""
    bodies = [body for body in k.bodies if body != "ground"]
    symbols = [x for body in bodies for x in (*k.bodies[body].alpha, *k.bodies[body].a)]
    found = []
    for factors in jacobian(expressions, symbols):
        six = {body: factors[6 * i : 6 * i + 6] for i, body in enumerate(bodies)}
        found.append({body: factors for body, factors in six.items() if not all(map(is_zero, factors))})
    return found


def refuse_higher(k, constraint, equations):
    """An equation for positions holds no speeds, one for speeds no accelerations."""
    reading = {
        level: k.reading([one.expression for one in equations if one.level == level], higher)
        for level, higher in {"position": SPEEDS + ACCELERATIONS, "velocity": ACCELERATIONS}.items()
    }
    for one in equations:
        if isinstance(one.expression, Expr) and one.expression in reading.get(one.level, ()):
            names = {"position": "speeds or accelerations", "velocity": "accelerations"}[one.level]
            remedy = "Write it as a velocity_constraint or an acceleration_constraint."
            problem = f"an equation for {one.level} holds {names}"
            raise ModelError(constraint.part, problem, "it may hold only what it is for", remedy)


def refuse_slope_discontinuities(constraint, equations):
    """Where a straight piece of a table ends, a position given by it would jump in speed."""
    positions = topological(one.expression for one in equations if one.level == "position")
    if any(node.data.kind == "linear" for node in positions if node.op == "table"):
        remedy = "Choose the kind cubic, or write spline(…)."
        raise ModelError(
            constraint.part, "a linear table gives a position, so the speed jumps", "a smooth curve is expected", remedy
        )


def refuse_useless(k, constraint, equations, terms):
    """Accelerations must be in it, and linearly."""
    reading = k.reading([x for one in terms for x in factors_in(one)], ACCELERATIONS)
    for equation, own in zip(equations, terms, strict=True):
        if not own:
            refuse_unmoved(constraint, equation.level)
        if any(x in reading for x in factors_in(own)):
            problem = "accelerations are in it other than linearly"
            raise ModelError(constraint.part, problem, "each may only be multiplied by a factor")


def refuse_unmoved(constraint, level):
    """An equation without the motion of any body."""
    problem = f"no body's {level} is in an equation that is to hold for {level}"
    lower = {"velocity": "position_constraint", "acceleration": "velocity_constraint or position_constraint"}
    remedy = f"Without it, it may be a {lower[level]}." if level in lower else ""
    raise ModelError(constraint.part, problem, "an equation between motions of bodies is expected", remedy)


def still(expressions, k, quantities):
    """The expressions with these quantities of all bodies zero."""
    return substitute(expressions, dict.fromkeys(k.names_of(quantities), 0.0))


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
